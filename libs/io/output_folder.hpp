// io/output_folder.hpp - an output of several files in a folder, which appears complete or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/input.hpp"
#include "io/output.hpp"

namespace hwtrace {

/// Files in a new folder. They are written to a temporary folder beside it, and commit() renames that folder. Any
/// number of files can be written at once: a file is open only while bytes are appended to it. A signal removes the
/// temporary folder (remove_open_temporaries).
class OutputFolder final : public Output {
public:
    using FileId = std::uint32_t;

    /// `path` may end with slashes. Throws Failure::usage if it exists and `existing` is Existing::refuse. An existing
    /// folder is replaced only if it contains nothing but regular files whose names end with `extension`, and none of
    /// `inputs`: Failure::usage otherwise, also from commit() if other files have appeared meanwhile.
    OutputFolder(const std::string& path, Existing existing, std::string_view extension,
                 const std::vector<std::optional<Input::Identity>>& inputs);
    ~OutputFolder() override;

    /// Adds an empty file. `name` must be a valid name of a file that the folder does not have.
    FileId add_file(std::string_view name);
    /// Appends bytes to a file. Each call is at least one system call. Throws Failure::io.
    void append_to(FileId file, std::span<const std::byte> bytes);
    std::uint64_t size_of(FileId file) const;

    const std::string& name() const noexcept override;
    /// Returns the size of all files.
    std::uint64_t size() const noexcept override;
    void commit() override;
    /// A folder has no bytes of its own: these functions throw Failure::internal.
    void append(std::span<const std::byte> bytes) override;
    void patch(std::uint64_t offset, std::span<const std::byte> bytes) override;
    void shift(std::uint64_t from, std::uint64_t to) override;
    void sync() override {}
    std::optional<Input> reopen() override { return std::nullopt; }

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Returns a name for a file: `name` without characters that file systems or shells do not like, at most 200 bytes. A
/// dot in front is replaced, and names that Windows reserves get an underscore. `extension` is appended. Two names that
/// differ, even in more than case, may get the same file name: see FileNames.
std::string file_name_of(std::string_view name, std::string_view extension);

/// File names for tables, which differ even if case is ignored.
class FileNames {
public:
    explicit FileNames(std::string_view extension);
    ~FileNames();
    /// Returns file_name_of(name), with a number if that name was already given.
    std::string add(std::string_view name);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hwtrace

// io/temporary_path.hpp - names of temporary files and folders, which signals and destructors remove. For outputs only.
#pragma once

#include <csignal>
#include <cstddef>
#include <string>

namespace hwtrace {

/// A file or folder that remove_open_temporaries() knows.
struct Temporary;

/// The name of a temporary file. This object or remove_open_temporaries() removes the file, unless it was released.
/// Only the process that created the file removes it.
class TemporaryPath {
public:
    /// Registers the name before the file exists, so that a signal never misses the file. If `files` is not 0, `path`
    /// is a folder with up to that many files, named 0, 1, …
    explicit TemporaryPath(const std::string& path, std::size_t files = 0);
    TemporaryPath(const TemporaryPath&) = delete;
    TemporaryPath& operator=(const TemporaryPath&) = delete;
    ~TemporaryPath();

    const char* c_str() const noexcept;
    /// Changes the number of files of a folder. Call it before the new files exist.
    void set_files(std::size_t files) noexcept;
    /// Unregisters the file, so that it is not removed.
    void release() noexcept;

private:
    Temporary* entry_ = nullptr;
};

/// Returns the folder that contains `path`; "." for a name alone.
std::string folder_of(const std::string& path);
/// Returns a random hidden name beside `target`.
std::string temporary_name(const std::string& target);
/// Renames a file without replacing an existing file at `to`. Returns 0, or errno on failure.
int rename_to_free_name(const char* from, const char* to) noexcept;
/// Exchanges two files or folders on one file system. Returns 0, or errno on failure; then both keep their names,
/// unless that fails, too.
int exchange_paths(const std::string& a, const std::string& b) noexcept;
/// Does the same with three renames, for file systems that cannot exchange: for a moment, `b` does not exist.
int exchange_paths_by_renames(const std::string& a, const std::string& b) noexcept;
/// Makes the names in a folder durable, if the system can.
void sync_folder(const std::string& folder) noexcept;

/// Defers terminating signals during the lifetime of this object, unless the process has another thread that receives
/// them.
class SignalsWait {
public:
    SignalsWait() noexcept;
    SignalsWait(const SignalsWait&) = delete;
    SignalsWait& operator=(const SignalsWait&) = delete;
    ~SignalsWait();

private:
    sigset_t before_{};
};

}  // namespace hwtrace

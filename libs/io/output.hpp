// io/output.hpp - destinations of bytes: a file that is written atomically, a pipe, memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/input.hpp"

namespace hwtrace {

/// Bytes are appended in order; some outputs allow patching earlier ones. Nothing is final before commit(). Every
/// function that writes throws Failure::io (disk full, broken pipe).
class Output {
public:
    virtual ~Output() = default;
    /// The path or the like, for messages.
    virtual const std::string& name() const noexcept = 0;
    /// Appends bytes.
    virtual void append(std::span<const std::byte> bytes) = 0;
    /// The number of bytes appended so far.
    virtual std::uint64_t size() const noexcept = 0;
    /// Overwrites bytes at `offset` that were already appended. Throws Failure::internal on an output that cannot be
    /// patched; a writer declares WriteCapabilities::needs_patch to get one that can.
    virtual void patch(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
    /// Moves the bytes from `from` to the end so that they begin at `to`; the size changes accordingly. Makes room for
    /// a header that grew, or closes the gap of one that shrank. The caller patches bytes in between. Requires an
    /// output that can be patched. Throws Failure::internal if `from` is after the end.
    virtual void shift(std::uint64_t from, std::uint64_t to) = 0;
    /// Makes everything appended and patched so far durable (flush and fdatasync).
    virtual void sync() = 0;
    /// Makes the complete output durable and visible. No other call may follow. Without commit(), destruction leaves
    /// nothing at the final name.
    virtual void commit() = 0;
    /// Replaces commit(), also after a failed one. Keeps the bytes that have reached the file, and returns the file's
    /// name for a message; empty if there are none. No other call may follow.
    virtual std::string abandon() { return {}; }
    /// Opens what has been written so far (for --verify and checksums). The output must not change as long as the Input
    /// exists. None for a pipe.
    virtual std::optional<Input> reopen() = 0;
};

/// The handling of an existing file.
enum class Existing : std::uint8_t { refuse, replace };

/// Opens an output that is written to a temporary file in the target's folder; commit() syncs and renames it. A
/// replaced file keeps its permissions. Throws Failure::usage for an existing file, unless `existing` is replace, and
/// for any of `inputs`.
std::unique_ptr<Output> open_file_output(const std::string& path, Existing existing,
                                         const std::vector<std::optional<Input::Identity>>& inputs = {});
/// Opens an output that has its final name from its first sync() on, for programs that read it while it grows. A patch
/// reaches the file after all bytes appended before it. Destruction without commit() leaves the file as it is; before
/// the first sync(), it leaves the previous file in place. A program that has a replaced file open keeps that one.
/// Throws Failure::usage as open_file_output does; shift() throws Failure::internal.
std::unique_ptr<Output> open_visible_output(const std::string& path, Existing existing);
/// Opens standard output for binary data; throws Failure::usage if it is a terminal. If `patchable`, bytes are spooled
/// to an unlinked file in `spool_directory` and copied by commit(). Otherwise they are written directly and patch()
/// throws Failure::internal.
std::unique_ptr<Output> open_stdout_output(bool patchable, const std::string& spool_directory);
/// Collects bytes in memory; commit() passes them to `done`. For tests and self-checks.
std::unique_ptr<Output> open_memory_output(std::string name, std::function<void(std::vector<std::byte>)> done);

/// Removes the temporary files of all open outputs. Async-signal-safe, for SIGINT and SIGTERM.
void remove_open_temporaries() noexcept;

}  // namespace hwtrace

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

/// A destination to which bytes are appended. Some outputs also allow patches of earlier bytes. Nothing is final before
/// commit(). Every function that writes throws Failure::io (disk full, broken pipe).
class Output {
public:
    virtual ~Output() = default;
    /// Returns the path or another name, for messages.
    virtual const std::string& name() const noexcept = 0;
    /// Appends bytes.
    virtual void append(std::span<const std::byte> bytes) = 0;
    /// Returns the number of bytes written so far. Any thread may ask files, folders and standard output.
    virtual std::uint64_t size() const noexcept = 0;
    /// Overwrites earlier bytes at `offset`. Throws Failure::internal if the output cannot be patched. A writer that
    /// patches declares WriteCapabilities::needs_patch.
    virtual void patch(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
    /// Moves all bytes at and after offset `from` to offset `to`, and changes the size accordingly. This makes room for
    /// a header that has grown, or closes the gap after a header that has shrunk. The caller patches the bytes in
    /// between. Requires an output that can be patched. Throws Failure::internal if `from` is after the end.
    virtual void shift(std::uint64_t from, std::uint64_t to) = 0;
    /// Makes everything appended and patched so far durable (flush and fdatasync).
    virtual void sync() = 0;
    /// Makes the complete output durable and visible. No other call may follow. Destruction without commit() creates no
    /// file with the final name.
    virtual void commit() = 0;
    /// Keeps an incomplete output. Call it instead of commit(), or after commit() has failed. Returns the name of the
    /// file that holds the bytes written so far, for a message. Returns an empty string if there is no such file. No
    /// other call may follow.
    virtual std::string abandon() { return {}; }
    /// Opens the bytes written so far, for --verify and checksums. The output must not change as long as the Input
    /// exists. Returns nullopt for a pipe.
    virtual std::optional<Input> reopen() = 0;
};

/// Selects how an existing file is handled.
enum class Existing : std::uint8_t { refuse, replace };

/// Opens a temporary file in the target's folder. commit() syncs this file and renames it to `path`. The new file takes
/// over the permissions of a replaced file. Throws Failure::usage if `path` is one of `inputs`, or if the file exists
/// and `existing` is Existing::refuse.
std::unique_ptr<Output> open_file_output(const std::string& path, Existing existing,
                                         const std::vector<std::optional<Input::Identity>>& inputs = {});
/// Removes the regular file, if there is one, that an output of this path will replace. Throws Failure::usage for
/// another kind of file, or if the file exists and `existing` is Existing::refuse.
void remove_replaced(const std::string& path, Existing existing);
/// Opens an output that programs can read while it grows. The first sync() gives it the final name. A patch reaches the
/// file after all bytes appended before it. Destruction without commit() keeps the bytes written so far; if sync() was
/// never called, the previous file is kept instead. A program that has opened a replaced file continues to read the
/// replaced file. Throws Failure::usage in the same cases as open_file_output. shift() throws Failure::internal.
std::unique_ptr<Output> open_visible_output(const std::string& path, Existing existing);
/// The content of an output.
enum class Content : std::uint8_t { binary, text };

/// Opens standard output. If it is a terminal, throws Failure::usage for binary data, and writes control characters of
/// text (except line feeds and tabs) as \xNN. If `patchable` is set, bytes are spooled to an unlinked file in
/// `spool_directory`, and commit() copies them. Otherwise the bytes are written directly, and patch() throws
/// Failure::internal.
std::unique_ptr<Output> open_stdout_output(bool patchable, const std::string& spool_directory,
                                           Content content = Content::binary);
/// Opens an output in memory. commit() passes the bytes to `done`. For tests and self-checks.
std::unique_ptr<Output> open_memory_output(std::string name, std::function<void(std::vector<std::byte>)> done);

/// Removes the temporary files of all open outputs. Async-signal-safe, for SIGINT and SIGTERM.
void remove_open_temporaries() noexcept;

}  // namespace hwtrace

// io/output.hpp - where bytes go: a file that appears only when whole, a pipe, memory.
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

/// Bytes appended in order, earlier ones patched where the place allows it. Nothing is final before commit().
class Output {
public:
    virtual ~Output() = default;
    /// For messages.
    virtual const std::string& name() const noexcept = 0;
    /// Adds bytes at the end. Throws Failure::io (disk full, broken pipe).
    virtual void append(std::span<const std::byte> bytes) = 0;
    /// Bytes appended so far.
    virtual std::uint64_t size() const noexcept = 0;
    /// Rewrites bytes that were already appended. A writer that needs it says so in its capabilities; the driver then
    /// never gives it a bare pipe.
    virtual void patch(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
    /// Moves the bytes from `from` on so that they begin at `to`, and the size with them: room for a header that turned
    /// out longer (what stands in between is for patch()), or less for a shorter one. Where patch() may be called.
    /// `from` behind the end is Failure::internal.
    virtual void shift(std::uint64_t from, std::uint64_t to) = 0;
    /// Makes everything appended and patched so far durable (flush and fdatasync).
    virtual void sync() = 0;
    /// The output is whole: makes it durable and visible. After that nothing may be called. Without it, destruction
    /// leaves no trace at the final name.
    virtual void commit() = 0;
    /// Instead of commit(), also after one that failed: what has reached the file is left where it stands, and this
    /// says where; empty: nothing is. After that nothing may be called.
    virtual std::string abandon() { return {}; }
    /// Reads what has been written so far (--verify, checksums); while the Input lives, the output must not change.
    /// None for a pipe.
    virtual std::optional<Input> reopen() = 0;
};

/// What open_file does about a file that already stands at the name.
enum class Existing : std::uint8_t { refuse, replace };

/// A file that is written as a temporary in the target's folder, fsynced and renamed by commit(); permissions of a
/// replaced file are kept. Refuses (Failure::usage) an existing file unless `existing` is replace, and always one that
/// is among `inputs`.
std::unique_ptr<Output> open_file_output(const std::string& path, Existing existing,
                                         const std::vector<std::optional<Input::Identity>>& inputs = {});
/// A file that stands at its final name from its first sync() on, for those who read it while it grows: every patch is
/// made after all bytes appended before it have reached the file, sync() makes it durable, and destruction without
/// commit() leaves it as it is; before the first sync(), it leaves what stood at the name. With replace, who has the
/// old file open keeps it. Refuses as open_file_output does; shift() is Failure::internal.
std::unique_ptr<Output> open_visible_output(const std::string& path, Existing existing);
/// Standard output for binary data: a terminal is refused (Failure::usage). With `patchable`, bytes are spooled to an
/// unlinked file in `spool_directory` and copied out by commit(); else they go out as they come and patch() is
/// Failure::internal.
std::unique_ptr<Output> open_stdout_output(bool patchable, const std::string& spool_directory);
/// Collects bytes in memory; commit() hands them to `done`. For tests and self-checks.
std::unique_ptr<Output> open_memory_output(std::string name, std::function<void(std::vector<std::byte>)> done);

/// Removes the temporaries of all outputs that are still open; async-signal-safe, for SIGINT and SIGTERM.
void remove_open_temporaries() noexcept;

}  // namespace hwtrace

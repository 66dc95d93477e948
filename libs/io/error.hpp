// io/error.hpp - the exception for failures after which the work on a file cannot continue.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace hwtrace {

/// The cause of a failure. Each cause maps to an exit code of the commands.
enum class Failure : std::uint8_t {
    usage,     ///< 2: the request is impossible
    input,     ///< 4: the input cannot be processed
    io,        ///< 5: open, read, write, rename, disk full
    limit,     ///< 6: the input exceeds a limit
    internal,  ///< 70: a bug
};

/// A failure. The message states what happened, where, what was expected and what to do next. Recoverable problems of
/// an input are findings instead (codec/findings.hpp).
class Error : public std::runtime_error {
public:
    Error(Failure failure, const std::string& message) : std::runtime_error(message), failure_(failure) {}
    Failure failure() const noexcept { return failure_; }

private:
    Failure failure_;
};

/// Throws Error. The function is cold, so that a check in a hot loop needs only one compare and one jump.
[[noreturn, gnu::cold, gnu::noinline]] void fail(Failure failure, const std::string& message);
/// Throws Failure::io with the system's message for the errno value `error`: "FILE: cannot WHAT: No space left on
/// device".
[[noreturn, gnu::cold, gnu::noinline]] void fail_errno(const std::string& file, std::string_view what, int error);

}  // namespace hwtrace

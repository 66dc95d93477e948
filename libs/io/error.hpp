// io/error.hpp - the one exception of the library: nothing more can be done with this file.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace hwtrace {

/// Why work ended; each maps to one exit code of the tools (CONTRACT, "Exit codes").
enum class Failure : std::uint8_t {
    usage,     ///< 2: the caller asked for something impossible
    input,     ///< 4: the input cannot be processed
    io,        ///< 5: open, read, write, rename, disk full
    limit,     ///< 6: a limit refused the input
    internal,  ///< 70: a bug
};

/// What happened, with everything a person needs to act: what, where, what was expected, what to do next.
/// Recoverable problems of an input are not errors but findings (codec/findings.hpp).
class Error : public std::runtime_error {
public:
    Error(Failure failure, const std::string& message) : std::runtime_error(message), failure_(failure) {}
    Failure failure() const noexcept { return failure_; }

private:
    Failure failure_;
};

/// Throws Error; cold, so that checks in hot loops stay one compare and one jump.
[[noreturn, gnu::cold, gnu::noinline]] void fail(Failure failure, const std::string& message);
/// Throws Failure::io with errno's text: "FILE: cannot WHAT: No space left on device".
[[noreturn, gnu::cold, gnu::noinline]] void fail_errno(const std::string& file, std::string_view what, int error);

}  // namespace hwtrace

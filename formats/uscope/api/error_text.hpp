// formats/uscope/api/error_text.hpp - status and text of a failed call for C callers, without allocation.
#pragma once

#include <array>
#include <cstdarg>
#include <cstdint>
#include <exception>

#include "hwtrace/uscope.h"

namespace hwtrace::uscope {

/// A status and its error text, which is cut after 511 bytes.
class ErrorText {
public:
    uscope_status_t status() const noexcept { return status_; }
    const char* text() const noexcept { return text_.data(); }
    /// Resets to USCOPE_OK and an empty text.
    void clear() noexcept;
    /// Replaces status and text. `format` is a printf format.
    [[gnu::format(printf, 3, 4)]] void set(uscope_status_t status, const char* format, ...) noexcept;
    [[gnu::format(printf, 3, 0)]] void set_list(uscope_status_t status, const char* format,
                                                std::va_list arguments) noexcept;

private:
    uscope_status_t status_ = USCOPE_OK;
    std::array<char, 512> text_{};
};

/// Returns the last failure of this thread, for uscope_last_error().
ErrorText& last_error() noexcept;

/// Converts the exception that is being handled to a status and a text. The text begins with `where`.
ErrorText current_exception_text(const char* where) noexcept;

}  // namespace hwtrace::uscope

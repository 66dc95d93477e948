// formats/uscope/api/error_text.hpp - what a C caller is told about a call that failed, without allocation.
#pragma once

#include <array>
#include <cstdarg>
#include <cstdint>
#include <exception>

#include "hwtrace/uscope.h"

namespace hwtrace::uscope {

/// A status and its text; cut where the text is too long.
class ErrorText {
public:
    uscope_status_t status() const noexcept { return status_; }
    const char* text() const noexcept { return text_.data(); }
    /// USCOPE_OK and no text.
    void clear() noexcept;
    /// Replaces it, as printf does.
    [[gnu::format(printf, 3, 4)]] void set(uscope_status_t status, const char* format, ...) noexcept;
    [[gnu::format(printf, 3, 0)]] void set_list(uscope_status_t status, const char* format,
                                                std::va_list arguments) noexcept;

private:
    uscope_status_t status_ = USCOPE_OK;
    std::array<char, 512> text_{};
};

/// The last failure of this thread: uscope_last_error().
ErrorText& last_error() noexcept;

/// What the exception that is being handled means to a C caller; the text begins with `where`.
ErrorText current_exception_text(const char* where) noexcept;

}  // namespace hwtrace::uscope

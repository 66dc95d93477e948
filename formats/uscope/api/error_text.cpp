#include "error_text.hpp"

#include <cstdio>
#include <new>
#include <string_view>

#include "io/advised_error.hpp"

namespace hwtrace::uscope {

namespace {

uscope_status_t status_of(Failure failure) noexcept {
    switch (failure) {
        case Failure::usage:
            return USCOPE_ERROR_ARGUMENT;
        case Failure::input:
            return USCOPE_ERROR_FORMAT;
        case Failure::io:
            return USCOPE_ERROR_IO;
        case Failure::limit:
            return USCOPE_ERROR_LIMIT;
        case Failure::internal:
            break;
    }
    return USCOPE_ERROR_INTERNAL;
}

}  // namespace

void ErrorText::set(uscope_status_t status, const char* format, ...) noexcept {
    std::va_list arguments;
    va_start(arguments, format);
    set_list(status, format, arguments);
    va_end(arguments);
}

void ErrorText::clear() noexcept {
    status_ = USCOPE_OK;
    text_[0] = '\0';
}

void ErrorText::set_list(uscope_status_t status, const char* format, std::va_list arguments) noexcept {
    status_ = status;
    std::vsnprintf(text_.data(), text_.size(), format, arguments);
}

ErrorText current_exception_text(const char* where) noexcept {
    ErrorText error;
    try {
        throw;
    } catch (const AdvisedError& failure) {
        const std::string_view fact = failure.fact();
        error.set(status_of(failure.failure()), "%s: %.*s", where, static_cast<int>(fact.size()), fact.data());
    } catch (const Error& failure) {
        error.set(status_of(failure.failure()), "%s: %s", where, failure.what());
    } catch (const std::bad_alloc&) {
        error.set(USCOPE_ERROR_MEMORY, "%s: out of memory", where);
    } catch (const std::exception& failure) {
        error.set(USCOPE_ERROR_INTERNAL, "%s: %s", where, failure.what());
    } catch (...) {
        error.set(USCOPE_ERROR_INTERNAL, "%s: an exception of an unknown type", where);
    }
    return error;
}

}  // namespace hwtrace::uscope

// The C functions for errors, and the last failure of each thread. Only one library of a process may have them, unlike
// error_text.cpp.
#include "error_text.hpp"

namespace hwtrace::uscope {

ErrorText& last_error() noexcept {
    thread_local ErrorText error;
    return error;
}

}  // namespace hwtrace::uscope

using hwtrace::uscope::last_error;

extern "C" {

const char* uscope_status_text(int status) {
    switch (status) {
        case USCOPE_OK:
            return "no error";
        case USCOPE_ERROR_NULL:
            return "unexpected NULL";
        case USCOPE_ERROR_CLOSED:
            return "closed handle";
        case USCOPE_ERROR_ORDER:
            return "call at the wrong time";
        case USCOPE_ERROR_RANGE:
            return "out of range";
        case USCOPE_ERROR_TIME:
            return "wrong time";
        case USCOPE_ERROR_SCHEMA:
            return "impossible schema";
        case USCOPE_ERROR_ARGUMENT:
            return "wrong argument";
        case USCOPE_ERROR_IO:
            return "system error";
        case USCOPE_ERROR_FORMAT:
            return "unreadable file";
        case USCOPE_ERROR_LIMIT:
            return "limit exceeded";
        case USCOPE_ERROR_MEMORY:
            return "out of memory";
        case USCOPE_ERROR_INTERNAL:
            return "internal error";
    }
    return "unknown status";
}

uscope_status_t uscope_last_status(void) {
    return last_error().status();
}

const char* uscope_last_error(void) {
    return last_error().text();
}

}  // extern "C"

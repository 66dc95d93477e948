#include "cli/version.hpp"

namespace hwtrace::cli {

std::string_view version() noexcept {
    return HWTRACE_VERSION;
}

}  // namespace hwtrace::cli

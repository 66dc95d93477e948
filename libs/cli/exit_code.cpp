#include "cli/exit_code.hpp"

#include <algorithm>
#include <array>

namespace hwtrace::cli {

Exit worse(Exit a, Exit b) noexcept {
    constexpr std::array ascending{Exit::done,  Exit::incomplete, Exit::no, Exit::usage,
                                   Exit::limit, Exit::input,      Exit::io, Exit::bug};
    return *std::max(std::find(ascending.begin(), ascending.end(), a),
                     std::find(ascending.begin(), ascending.end(), b));
}

}  // namespace hwtrace::cli

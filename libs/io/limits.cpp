#include "io/limits.hpp"

#include <limits>
#include <string>

#include "io/error.hpp"

namespace hwtrace {

Limits Limits::unlimited() noexcept {
    constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    return {all, all, all, all, all, all};
}

void refuse(std::uint64_t value, std::uint64_t limit, std::string_view what, std::string_view option) {
    std::string message(what);
    message.append(": ").append(std::to_string(value)).append(" is above the limit of ").append(std::to_string(limit));
    message.append("; ");
    if (!option.starts_with('-')) message.append("--");
    message.append(option).append(" raises it, --no-limits lifts all of them");
    throw Error(Failure::limit, message);
}

}  // namespace hwtrace

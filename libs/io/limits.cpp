#include "io/limits.hpp"

#include <limits>
#include <string>

#include "io/advised_error.hpp"

namespace hwtrace {

Limits Limits::unlimited() noexcept {
    constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    return {all, all, all, all, all, all};
}

void refuse(std::uint64_t value, std::uint64_t limit, std::string_view what, std::string_view option) {
    std::string message(what);
    message.append(": ").append(std::to_string(value)).append(" is above the limit of ").append(std::to_string(limit));
    std::string advice = option.starts_with('-') ? "" : "--";
    advice.append(option).append(" raises it, --no-limits lifts all of them");
    throw AdvisedError(Failure::limit, message, advice);
}

}  // namespace hwtrace

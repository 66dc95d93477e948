#include "io/named_error.hpp"

namespace hwtrace {

std::string about(std::string_view file, std::string_view message) {
    if (file.empty()) return std::string(message);
    return std::string(file).append(": ").append(without(file, message));
}

std::string_view without(std::string_view file, std::string_view message) noexcept {
    constexpr std::string_view colon = ": ";
    if (!message.starts_with(file) || !message.substr(file.size()).starts_with(colon)) return message;
    return message.substr(file.size() + colon.size());
}

}  // namespace hwtrace

#include "json_stream.hpp"

#include <charconv>
#include <cmath>
#include <span>

namespace hwtrace::report {

void JsonStream::real(double value) {
    if (!std::isfinite(value)) return text(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
    separate();
    char digits[32];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    text_.put({digits, static_cast<std::size_t>(end - digits)});
}

void JsonStream::flush() {
    // A `<` can only be inside a string.
    constexpr std::string_view escaped = "\\u003c";
    for (std::string_view rest = text_.text(); !rest.empty();) {
        const std::size_t plain = std::min(rest.find('<'), rest.size());
        output_.append(std::as_bytes(std::span(rest.substr(0, plain))));
        if (plain == rest.size()) break;
        output_.append(std::as_bytes(std::span(escaped)));
        rest.remove_prefix(plain + 1);
    }
    text_.clear();
}

}  // namespace hwtrace::report

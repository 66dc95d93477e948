#include "io/http/response.hpp"

#include <charconv>
#include <system_error>

namespace hwtrace {

namespace {

constexpr std::size_t longest_validator = 1024;  // of an ETag or a date

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// Compares without case; `b` is in lower case.
bool same_word(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if ((a[i] >= 'A' && a[i] <= 'Z' ? static_cast<char>(a[i] - 'A' + 'a') : a[i]) != b[i]) return false;
    return true;
}

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

}  // namespace

std::optional<ContentRange> parse_content_range(std::string_view value) {
    constexpr std::string_view unit = "bytes";
    value = trimmed(value);
    if (!same_word(value.substr(0, unit.size()), unit)) return std::nullopt;
    value = trimmed(value.substr(unit.size()));
    const std::size_t slash = value.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    ContentRange range;
    if (const std::string_view size = trimmed(value.substr(slash + 1)); size != "*") {
        range.size = whole_number<std::uint64_t>(size);
        if (!range.size) return std::nullopt;
    }
    const std::string_view bytes = trimmed(value.substr(0, slash));
    if (bytes == "*") return range;
    const std::size_t dash = bytes.find('-');
    if (dash == std::string_view::npos) return std::nullopt;
    const auto first = whole_number<std::uint64_t>(bytes.substr(0, dash));
    const auto last = whole_number<std::uint64_t>(bytes.substr(dash + 1));
    if (!first || !last || *last < *first || *last == ~std::uint64_t{0} || (range.size && *last >= *range.size))
        return std::nullopt;
    range.bytes = HttpRange{*first, *last + 1};
    return range;
}

void HttpResponse::add_line(std::string_view line) {
    constexpr std::string_view protocol = "HTTP/";
    if (line.starts_with(protocol)) {
        *this = {};
        const std::size_t blank = line.find(' ');
        if (blank != std::string_view::npos)
            status = whole_number<long>(trimmed(line.substr(blank)).substr(0, 3)).value_or(0);
        return;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const std::string_view name = trimmed(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (same_word(name, "content-range"))
        range = parse_content_range(value);
    else if (same_word(name, "content-length"))
        length = whole_number<std::uint64_t>(value);
    else if (same_word(name, "content-encoding"))
        is_encoded = !value.empty() && !same_word(value, "identity");
    else if (same_word(name, "retry-after"))
        retry_seconds = whole_number<unsigned>(value);
    else if (same_word(name, "etag") && value.size() <= longest_validator)
        etag = value;
    else if (same_word(name, "last-modified") && value.size() <= longest_validator)
        last_modified = value;
}

bool is_strong(std::string_view etag) noexcept {
    return etag.size() >= 2 && etag.front() == '"' && etag.back() == '"';
}

}  // namespace hwtrace

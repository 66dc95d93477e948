#include "pipeline/range.hpp"

#include <charconv>
#include <string>
#include <tuple>
#include <utility>

#include "codec/settings.hpp"
#include "io/error.hpp"

namespace hwtrace {

namespace {

using Bound = std::pair<Range::Unit, std::uint64_t>;

std::optional<std::uint64_t> whole_number(std::string_view text) noexcept {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<Bound> parse_bound(std::string_view text) noexcept {
    constexpr std::string_view cycles = "cyc";
    if (text.starts_with('#')) {
        if (const auto position = whole_number(text.substr(1))) return Bound{Range::Unit::record, *position};
    } else if (text.ends_with(cycles)) {
        if (const auto cycle = whole_number(text.substr(0, text.size() - cycles.size())))
            return Bound{Range::Unit::cycle, *cycle};
    } else if (const auto time = parse_time_ps(text)) {
        return Bound{Range::Unit::time_ps, *time};
    }
    return std::nullopt;
}

[[noreturn]] void reject(std::string_view text, std::string_view why) {
    std::string message = "--range ";
    message.append(text).append(": ").append(why);
    fail(Failure::usage, message);
}

Bound bound(std::string_view side, std::string_view whole) {
    if (const auto parsed = parse_bound(side)) return *parsed;
    reject(whole, "takes A:B, either of which may be empty: #100:#200 (records), 1000cyc:2000cyc, 10us:2ms, :500ns");
}

}  // namespace

Range parse_range(std::string_view text) {
    const std::size_t colon = text.find(':');
    const bool has_colon = colon != std::string_view::npos;
    const std::string_view first = text.substr(0, colon);
    const std::string_view second = has_colon ? text.substr(colon + 1) : std::string_view();
    if (!has_colon || (first.empty() && second.empty())) bound({}, text);  // says what it takes
    Range range;
    if (!first.empty()) std::tie(range.unit, range.begin) = bound(first, text);
    if (second.empty()) return range;
    const auto [unit, end] = bound(second, text);
    if (!first.empty() && unit != range.unit) reject(text, "both sides must be records, cycles or times");
    if (end < range.begin) reject(text, "it ends before it begins");
    range.unit = unit;
    range.end = end;
    return range;
}

}  // namespace hwtrace

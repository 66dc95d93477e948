#include "codec/settings.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "io/error.hpp"

namespace hwtrace {

namespace {

const Option& find_option(std::span<const Option> options, std::string_view key) {
    const auto found = std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.key == key; });
    if (found == options.end()) fail(Failure::internal, "no such option: " + std::string(key));
    return *found;
}

bool is_choice(std::string_view values, std::string_view value) noexcept {
    while (true) {
        const std::size_t bar = values.find('|');
        if (values.substr(0, bar) == value) return true;
        if (bar == std::string_view::npos) return false;
        values.remove_prefix(bar + 1);
    }
}

[[noreturn]] void reject(const Option& option, std::string_view value) {
    fail(Failure::usage, "--" + std::string(option.key) + " takes " + std::string(option.values) + ", not '" +
                             std::string(value) + "'");
}

}  // namespace

std::string_view name_of(CheckLevel level) noexcept {
    switch (level) {
        case CheckLevel::delivery:
            return "delivery";
        case CheckLevel::quick:
            return "quick";
        case CheckLevel::structure:
            return "structure";
        case CheckLevel::full:
            return "full";
        case CheckLevel::semantic:
            return "semantic";
    }
    return "";
}

std::optional<std::uint64_t> parse_count(std::string_view text) noexcept {
    std::uint64_t value = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc() || end == text.data()) return std::nullopt;
    unsigned shift = 0;
    if (last - end == 1) {
        switch (*end) {
            case 'K':
                shift = 10;
                break;
            case 'M':
                shift = 20;
                break;
            case 'G':
                shift = 30;
                break;
            default:
                return std::nullopt;
        }
    } else if (end != last) {
        return std::nullopt;
    }
    if (value > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
    return value << shift;
}

void Settings::set(const Option& option, std::string value) {
    if (option.values == "count" || option.values == "bytes") {
        if (!parse_count(value)) reject(option, value);
    } else if (option.values == "time") {
        if (!parse_time_ps(value)) reject(option, value);
    } else if (option.values.find('|') != std::string_view::npos) {
        if (!is_choice(option.values, value)) reject(option, value);
    }
    values_.insert_or_assign(std::string(option.key), std::move(value));
}

std::string Settings::text(std::span<const Option> options, std::string_view key) const {
    if (const auto found = values_.find(key); found != values_.end()) return found->second;
    return std::string(find_option(options, key).fallback);
}

const Option* Settings::restating(std::span<const Option> options) const {
    for (const Option& option : options)
        if (option.restates && chosen(option.key) && text(options, option.key) != option.fallback) return &option;
    return nullptr;
}

std::uint64_t Settings::number(std::span<const Option> options, std::string_view key) const {
    const std::string value = text(options, key);
    if (find_option(options, key).values == "time") return parse_time_ps(value).value_or(0);
    return parse_count(value).value_or(0);
}

std::optional<std::uint64_t> parse_time_ps(std::string_view text) noexcept {
    std::uint64_t value = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc() || end == text.data()) return std::nullopt;
    const std::string_view unit(end, static_cast<std::size_t>(last - end));
    std::uint64_t factor = 0;
    if (unit == "ps")
        factor = 1;
    else if (unit == "ns")
        factor = 1'000;
    else if (unit == "us")
        factor = 1'000'000;
    else if (unit == "ms")
        factor = 1'000'000'000;
    else if (unit == "s")
        factor = 1'000'000'000'000;
    else
        return std::nullopt;
    if (value > std::numeric_limits<std::uint64_t>::max() / factor) return std::nullopt;
    return value * factor;
}

void append_json_head(std::string_view schema, const Settings& settings, TextOutput& out) {
    out.put("\"schema\":");
    append_json_string(schema, out);
    out.put(",\"tool\":");
    append_json_string(settings.tool, out);
    out.put(",\"version\":");
    append_json_string(settings.version, out);
}

}  // namespace hwtrace

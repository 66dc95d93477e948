#include "display.hpp"

#include "io/number_text.hpp"
#include "items.hpp"

namespace hwtrace::flux {

Display display_of(const Entry& entry) {
    return {std::string(entry.description), std::string(entry.descriptor), std::string(entry.tags), entry.scale,
            entry.unknown};
}

void set_display(const Display& display, Entry& entry) noexcept {
    entry.description = display.description;
    entry.descriptor = display.descriptor;
    entry.tags = display.tags;
    entry.scale = display.scale;
    entry.unknown = display.unknown;
}

bool is_property(std::string_view key) noexcept {
    return key == description_key || key == descriptor_key || key == tags_key || key == scale_key || key == unknown_key;
}

bool parse_property(std::string_view key, const std::string& value, Display& display) {
    const auto parse = [&](auto& number) {
        const auto parsed = parse_decimal<std::remove_reference_t<decltype(number)>>(value);
        if (parsed) number = *parsed;
        return parsed.has_value();
    };
    if (key == scale_key) return parse(display.scale);
    if (key == unknown_key) return parse(display.unknown);
    (key == description_key ? display.description : key == descriptor_key ? display.descriptor : display.tags) = value;
    return true;
}

void restyle(Display& display, Layout to, bool is_logic) {
    if (to == Layout::impulse_3) {
        const auto states = parse_decimal<std::int64_t>(descriptor_value(display.descriptor, "bits"));
        if (is_logic) display.scale = states.value_or(1);
        display.descriptor = format_of(display.descriptor);
    } else {
        const bool has_width = is_logic && display.scale > 0;
        display.descriptor =
            descriptor_of(display.descriptor, has_width ? static_cast<std::uint64_t>(display.scale) : 0);
    }
}

std::string format_of(std::string_view descriptor) {
    std::string format(descriptor_value(descriptor, "df"));
    for (char& c : format)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return format;
}

std::string descriptor_of(std::string_view format, std::uint64_t states) {
    std::string keys;
    if (!format.empty()) {
        keys.append("df=").append(format);
        char& first = keys[3];
        if (first >= 'a' && first <= 'z') first = static_cast<char>(first - 'a' + 'A');
    }
    if (states > 1) keys.append(keys.empty() ? "" : ",").append("bits=").append(std::to_string(states));
    return keys.empty() ? keys : "default<" + keys + '>';
}

}  // namespace hwtrace::flux

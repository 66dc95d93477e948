// formats/flux/display.hpp - what definitions state for viewers, in each layout (formats/flux/README.md#layouts).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "entry.hpp"
#include "layout.hpp"
#include "names.hpp"

namespace hwtrace::flux {

/// The properties of a scope, signal or member that only viewers use; see Entry.
struct Display {
    std::string description, descriptor, tags;
    std::int64_t scale = no_scale;
    std::uint8_t unknown = 0;

    friend bool operator==(const Display&, const Display&) = default;
};

/// Returns the properties that a definition states.
Display display_of(const Entry& entry);
/// Sets the properties of an entry, which refers to the strings of `display`.
void set_display(const Display& display, Entry& entry) noexcept;

/// Calls `put` with the metadata key and the value of each property that is stated.
template <typename Put>
void for_each_property(const Display& display, const Put& put) {
    if (!display.description.empty()) put(description_key, display.description);
    if (!display.descriptor.empty()) put(descriptor_key, display.descriptor);
    if (!display.tags.empty()) put(tags_key, display.tags);
    if (display.scale != no_scale) put(scale_key, std::to_string(display.scale));
    if (display.unknown != 0) put(unknown_key, std::to_string(display.unknown));
}
/// Returns true if `key` is the metadata key of a property.
bool is_property(std::string_view key) noexcept;
/// Parses the property `key`, for which is_property() must be true. Returns false if the value is invalid.
bool parse_property(std::string_view key, const std::string& value, Display& display);

/// Converts widths and display formats from the emitters' layouts to impulse 3, or back. `to` is the target.
void restyle(Display& display, Layout to, bool is_logic);
/// Returns true if definitions of the two layouts state widths and display formats in different ways.
constexpr bool have_other_styles(Layout one, Layout other) noexcept {
    return (one == Layout::impulse_3) != (other == Layout::impulse_3);
}

/// Returns the display format of impulse 3, such as "hex", that means the same as a descriptor, such as
/// "default<df=Hex>". Returns an empty string if the descriptor states none.
std::string format_of(std::string_view descriptor);
/// Returns the descriptor that means the same as a format of impulse 3 and the width of a logic signal. `states` is 0
/// for other signals. Returns an empty string if there is nothing to state.
std::string descriptor_of(std::string_view format, std::uint64_t states);

}  // namespace hwtrace::flux

// formats/flux/layout.hpp - the layouts of definitions: how the layout of a stream is found, and how a layout stores
// types (formats/flux/README.md#layouts).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "wire.hpp"

namespace hwtrace::flux {

/// The layout of the definitions and struct members of a trace.
enum class Layout : std::uint8_t {
    emitters_4,  ///< version 4
    emitters_6,  ///< version 6 as the public emitters write it
    impulse_3,   ///< also states version 6, but has other fields and other numbers of types
};

/// Returns "version 4", "version 6" or "impulse 3".
std::string_view name_of(Layout layout) noexcept;

/// The scale of a definition that states none.
inline constexpr std::int64_t no_scale = -1;

/// What follows the bytes in which a layout is searched.
enum class Rest : std::uint8_t {
    arriving,  ///< perhaps more bytes of the stream
    nothing,   ///< nothing: the stream ends, perhaps inside an entry
    block,     ///< nothing: the block or section ends, and entries do not extend beyond it
};

/// The result of a search.
struct LayoutSearch {
    std::optional<Layout> layout;  ///< none: the bytes do not show it
    bool needs_more = false;       ///< more bytes may show it; never if `rest` is not Rest::arriving
};

/// Finds the layout of a trace that does not state version 4. `bytes` begin with a definition. Only the right layout
/// leads from each entry to the next one. `known` is the layout of earlier definitions of the trace, which may define
/// items of later samples. It decides if the bytes fit both layouts; otherwise Layout::emitters_6 does.
LayoutSearch find_layout(std::span<const std::byte> bytes, Rest rest, std::optional<Layout> known = std::nullopt);

/// Converts the stored type of a signal to a SignalType. The upper four bits are kept, as in the next three functions.
std::uint8_t signal_type_from(Layout layout, std::uint8_t stored) noexcept;
/// Converts the stored type of a struct member to a MemberType. The enumerations of impulse 3 become `own_enumeration`.
std::uint8_t member_type_from(Layout layout, std::uint8_t stored) noexcept;
/// Converts a SignalType to the stored type.
std::uint8_t stored_signal_type(Layout layout, std::uint8_t type) noexcept;
/// Converts a MemberType to the stored type.
std::uint8_t stored_member_type(Layout layout, std::uint8_t type) noexcept;

}  // namespace hwtrace::flux

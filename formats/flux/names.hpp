// formats/flux/names.hpp - names of the tracks and metadata with which the model represents a flux stream
// (formats/flux/README.md#mapping-to-the-model).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace hwtrace::flux {

// --- tracks ---
/// Events {item, target, style, type, distance, domain} in the scope of a trace. A relation leads from the signal
/// `item`, at the event's time, to the signal with the path `target`. Depending on `type`, `distance` is a distance, or
/// a position in `domain`.
inline constexpr std::string_view relation_track = "flux.relation";
/// Events {item, style, x, y}. Each is a label of the signal `item` at the event's time.
inline constexpr std::string_view label_track = "flux.label";
/// Native records with the bytes of a request or result entry.
inline constexpr std::string_view control_track = "flux.control";
/// Native records with entry bytes, in the scope of a trace. The entries are HEAD, OPEN and CLOS between samples, which
/// restart the trace or an item, and definitions repeated after such a HEAD.
inline constexpr std::string_view opening_track = "flux.opening";

// --- metadata: "flux.<trace>.<key>", "flux.<trace>.<item>.<key>" ---
inline constexpr std::string_view key_prefix = "flux.";
inline constexpr std::string_view version_key = "version";
inline constexpr std::string_view layout_key = "layout";  ///< only for the layout of impulse 3
inline constexpr std::string_view head_key = "head";      ///< "none": the trace began without a HEAD
inline constexpr std::string_view no_head = "none";
inline constexpr std::string_view magic_key = "magic";
inline constexpr std::string_view description_key = "description";
inline constexpr std::string_view sync_key = "sync";  ///< "true": the HEAD is a sync head, for readers that join late
inline constexpr std::string_view type_key = "type";
inline constexpr std::string_view descriptor_key = "descriptor";  ///< impulse 3: the display format
inline constexpr std::string_view tags_key = "tags";              ///< impulse 3
inline constexpr std::string_view scale_key = "scale";            ///< impulse 3
inline constexpr std::string_view unknown_key = "unknown";        ///< member of impulse 3: a byte of unknown meaning
inline constexpr std::string_view bits_key = "bits";              ///< range of bits in a scattered signal: "8..300"
inline constexpr std::string_view part_key = "part_of";           ///< the item of the signal's first part
inline constexpr std::string_view member_key = "member.";
inline constexpr std::string_view member_prefix = "member_";             ///< + a key of Display + "." + path
inline constexpr std::string_view member_number_key = "member_number.";  ///< only if it is not the next number
inline constexpr std::string_view member_label_key = "member_label.";    ///< only if the path does not show the label
inline constexpr std::string_view hidden_member = ", hidden";
inline constexpr std::string_view lasting_member = ", valid until it changes";
/// Descriptions of the element width of an array, indexed by the two width bits of the type byte.
inline constexpr std::array<std::string_view, 4> member_widths{"", ", 32 bits each", ", 64 bits each", ", of any size"};
inline constexpr std::string_view index_key = "index.";
inline constexpr std::string_view label_key = "label.";  ///< + use + "." + value, for an unused label
inline constexpr std::string_view open_key = "open.";    ///< + item + "." + one of the next three keys
inline constexpr std::string_view domain_key = "domain";
inline constexpr std::string_view start_key = "start";
inline constexpr std::string_view rate_key = "rate";
inline constexpr std::string_view close_key = "close.";
inline constexpr std::string_view reference_key = "reference.";  ///< + number + "." + one of the next keys
inline constexpr std::string_view item_key = "item";
inline constexpr std::string_view parent_key = "parent";
inline constexpr std::string_view name_key = "name";

/// Returns the key of a property of a member. `path` is the path of the member, or the number of an array index.
inline std::string member_key_of(std::string_view property, std::string_view path) {
    return std::string(member_prefix).append(property).append(".").append(path);
}

inline std::string key_of(std::uint64_t trace, std::string_view key) {
    return std::string(key_prefix).append(std::to_string(trace)).append(".").append(key);
}
inline std::string key_of(std::uint64_t trace, std::uint64_t item, std::string_view key) {
    return key_of(trace, std::to_string(item)).append(".").append(key);
}

/// The scope in which the writer stores metadata of other formats. Its signal is a struct of two texts, key and value.
inline constexpr std::string_view mark_scope = "hwtrace";
inline constexpr std::string_view mark_signal = "metadata";

}  // namespace hwtrace::flux

// formats/flux/names.hpp - how facts that only flux has are called in the model (README.md, The model).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace hwtrace::flux {

// --- tracks ---
/// Event {item, target, style, type, distance, domain} in the scope of a trace: from the signal `item`, as it is then,
/// to the signal at the path `target`, so many positions away or, by `type`, at that position of `domain`.
inline constexpr std::string_view relation_track = "flux.relation";
/// Event {item, style, x, y}: a label beside the signal `item`, as it is then.
inline constexpr std::string_view label_track = "flux.label";
/// A request or result as it stands in the stream.
inline constexpr std::string_view control_track = "flux.control";
/// Entries as they stand, in the scope of a trace: HEAD, OPEN and CLOS by which the trace or an item begins anew
/// between the samples, and the definitions that such a HEAD repeats.
inline constexpr std::string_view opening_track = "flux.opening";

// --- metadata: "flux.<trace>.<key>", "flux.<trace>.<item>.<key>" ---
inline constexpr std::string_view key_prefix = "flux.";
inline constexpr std::string_view version_key = "version";
inline constexpr std::string_view head_key = "head";  ///< "none": entries of a trace that had none so far
inline constexpr std::string_view no_head = "none";
inline constexpr std::string_view magic_key = "magic";
inline constexpr std::string_view description_key = "description";
inline constexpr std::string_view sync_key = "sync";  ///< "true": its HEAD is one for late joiners
inline constexpr std::string_view type_key = "type";
inline constexpr std::string_view descriptor_key = "descriptor";
inline constexpr std::string_view bits_key = "bits";     ///< "8..300" of a part of a scattered signal
inline constexpr std::string_view part_key = "part_of";  ///< the item of the signal's first part
inline constexpr std::string_view member_key = "member.";
inline constexpr std::string_view member_descriptor_key = "member_descriptor.";
inline constexpr std::string_view member_number_key = "member_number.";  ///< of one that has not the next number
inline constexpr std::string_view hidden_member = ", hidden";
inline constexpr std::string_view lasting_member = ", valid until it changes";
/// By the bits that say how wide the elements of an array are.
inline constexpr std::array<std::string_view, 4> member_widths{"", ", 32 bits each", ", 64 bits each", ", of any size"};
inline constexpr std::string_view index_key = "index.";
inline constexpr std::string_view label_key = "label.";  ///< of no value: its use, a dot, its number
inline constexpr std::string_view open_key = "open.";    ///< and the item, a dot, one of the next three
inline constexpr std::string_view domain_key = "domain";
inline constexpr std::string_view start_key = "start";
inline constexpr std::string_view rate_key = "rate";
inline constexpr std::string_view close_key = "close.";
inline constexpr std::string_view reference_key = "reference.";  ///< and its number, a dot, one of the next ones
inline constexpr std::string_view item_key = "item";
inline constexpr std::string_view parent_key = "parent";
inline constexpr std::string_view name_key = "name";

inline std::string key_of(std::uint64_t trace, std::string_view key) {
    return std::string(key_prefix).append(std::to_string(trace)).append(".").append(key);
}
inline std::string key_of(std::uint64_t trace, std::uint64_t item, std::string_view key) {
    return key_of(trace, std::to_string(item)).append(".").append(key);
}

/// The scope, by name and description, in which the writer keeps metadata that is not flux's own: a struct signal of
/// two texts, key and value.
inline constexpr std::string_view mark_scope = "hwtrace";
inline constexpr std::string_view mark_signal = "metadata";

}  // namespace hwtrace::flux

#include "layout.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "domain/utf8.hpp"
#include "entry.hpp"
#include "io/error.hpp"

namespace hwtrace::flux {

namespace {

/// The types of impulse 3, one list for signals and members, by stored number.
constexpr std::array<SignalType, signal_types> signals_of_impulse{
    SignalType::unknown,     SignalType::event,         SignalType::integer,        SignalType::floating,
    SignalType::text,        SignalType::logic,         SignalType::binary,         SignalType::structure,
    SignalType::event_array, SignalType::integer_array, SignalType::floating_array, SignalType::text_array};
constexpr std::array<MemberType, signal_types> members_of_impulse{MemberType::unknown,
                                                                  MemberType::own_enumeration,
                                                                  MemberType::integer,
                                                                  MemberType::floating,
                                                                  MemberType::text,
                                                                  MemberType::logic,
                                                                  MemberType::binary,
                                                                  MemberType::structure,
                                                                  MemberType::enumeration_array,
                                                                  MemberType::integer_array,
                                                                  MemberType::floating_array,
                                                                  MemberType::text_array};

template <typename Type, std::size_t count>
std::uint8_t from_list(const std::array<Type, count>& list, std::uint8_t stored) noexcept {
    const std::uint8_t base = stored & signal_type_mask;
    const std::uint8_t type = base < count ? static_cast<std::uint8_t>(list[base]) : signal_type_mask;  // or unknown
    return static_cast<std::uint8_t>(type | (stored & 0xF0u));
}
template <typename Type, std::size_t count>
std::uint8_t to_list(const std::array<Type, count>& list, std::uint8_t type) noexcept {
    const auto found = std::ranges::find(list, static_cast<Type>(type & signal_type_mask));
    if (found == list.end()) return type;
    return static_cast<std::uint8_t>(static_cast<std::uint8_t>(found - list.begin()) | (type & 0xF0u));
}

// --- finding the layout ---

constexpr std::size_t enough_entries = 64;
constexpr std::size_t longest_search = 1u << 20;  ///< bytes
constexpr std::size_t longest_text = 64u << 10;

/// How far one layout leads through the bytes.
struct Walk {
    enum class End : std::uint8_t { clean, cut, fault };
    End end = End::clean;
    std::size_t entries = 0;  ///< before the end
};

bool is_plausible(std::string_view text) {
    return text.size() <= longest_text && is_utf8(text) && std::ranges::none_of(text, [](char c) {
               return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == 0x7F;
           });
}

/// The types that a walk accepts in definitions.
enum class Types : std::uint8_t { known, any };

/// Returns true if the fields of a definition are such as a writer of this layout states. Other entries are the same
/// in all layouts.
bool is_plausible(const Entry& entry, Layout layout, Types types) {
    const bool is_signal = entry.tag == Tag::signal || entry.tag == Tag::signals || entry.tag == Tag::scattered;
    const std::uint8_t base = entry.type & signal_type_mask;
    if (is_signal && layout == Layout::impulse_3 && base == 0) return false;
    if (is_signal && (base != entry.type || (base >= signal_types && types == Types::known))) return false;
    if (entry.tag == Tag::member && base >= member_types && types == Types::known) return false;
    return is_plausible(entry.name) && is_plausible(entry.description) && is_plausible(entry.tags) &&
           is_plausible(entry.descriptor);
}

/// The items that a walk has defined.
class DefinedItems {
public:
    void add(const Entry& entry) {
        if (entry.tag == Tag::signals)
            ranges_.emplace_back(entry.item, entry.last);
        else if (entry.tag == Tag::scope || entry.tag == Tag::signal || entry.tag == Tag::scattered)
            ranges_.emplace_back(entry.item, entry.item);
    }
    bool contains(std::uint64_t item) const {
        return std::ranges::any_of(ranges_,
                                   [&](const auto& range) { return range.first <= item && item <= range.second; });
    }

private:
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
};

/// Returns true if the walk ends before the next entry, because the entries that follow are of another trace or packed.
bool leaves_the_trace(std::span<const std::byte> rest) {
    if (rest.size() < 2 || rest.front() != entry_mark) return false;
    const auto tag = static_cast<Tag>(rest[1]);
    return tag == Tag::section || tag == Tag::packed || tag == Tag::head || tag == Tag::switch_trace;
}

/// Follows the entries as long as they are valid in `layout`. `knows_all` requires that samples follow the definition
/// of their item.
Walk walk(std::span<const std::byte> bytes, Layout layout, Rest rest, bool knows_all, Types types = Types::known) {
    Walk walk;
    Cursor cursor(bytes);
    Entry entry;
    EntryFault fault;
    DefinedItems defined;
    try {
        for (; walk.entries < enough_entries; ++walk.entries) {
            if (cursor.at_end()) {
                if (rest == Rest::arriving) walk.end = Walk::End::cut;
                return walk;
            }
            if (leaves_the_trace(cursor.rest())) return walk;
            if (!parse_entry(cursor, layout, entry, fault) || !is_plausible(entry, layout, types) ||
                (entry.tag == Tag::sample && knows_all && !defined.contains(entry.item))) {
                walk.end = Walk::End::fault;
                return walk;
            }
            defined.add(entry);
        }
    } catch (const Truncated& truncated) {
        const bool is_fault = rest == Rest::block || truncated.needed() > longest_search;
        walk.end = is_fault ? Walk::End::fault : Walk::End::cut;
    }
    return walk;
}

}  // namespace

LayoutSearch find_layout(std::span<const std::byte> bytes, Rest rest, std::optional<Layout> known) {
    using enum Walk::End;
    if (rest == Rest::arriving && bytes.size() >= longest_search) rest = Rest::nothing;
    const Layout likely = known.value_or(Layout::emitters_6);
    const Layout other = likely == Layout::impulse_3 ? Layout::emitters_6 : Layout::impulse_3;
    const Walk first = walk(bytes, likely, rest, !known), second = walk(bytes, other, rest, !known);
    const bool is_cut = known && rest == Rest::nothing && first.end == cut;
    if (first.end == clean || is_cut) return {likely};
    const bool is_ahead = second.entries > first.entries, is_equal = second.entries == first.entries;
    if (second.end == clean && (is_ahead || first.end == fault)) return {other};
    if (first.end == fault && (is_ahead || second.end == fault) && !is_equal) return {is_ahead ? other : likely};
    if (first.end == fault && second.end == fault) return {};
    if (second.end == fault && !is_ahead) return {likely};
    if (rest == Rest::arriving) return {.layout = {}, .needs_more = true};
    if (known && is_equal && second.entries == 0) return {likely};  // no whole entry shows another layout
    // A stream that is cut behind the first byte of an entry may look whole in the other layout. A definition with an
    // unknown type may look cut in the other layout.
    if (is_equal && first.end == fault && second.entries == 0) {
        const Walk lenient = walk(bytes, likely, rest, !known, Types::any);
        if (lenient.end != fault && lenient.entries > 0) return {likely};
    }
    return {is_ahead || (is_equal && first.end == fault) ? other : likely};
}

std::string_view name_of(Layout layout) noexcept {
    switch (layout) {
        case Layout::emitters_4:
            return "version 4";
        case Layout::emitters_6:
            return "version 6";
        case Layout::impulse_3:
            return "impulse 3";
    }
    return "";
}

// --- types ---

std::uint8_t signal_type_from(Layout layout, std::uint8_t stored) noexcept {
    const bool is_known = (stored & signal_type_mask) < signal_types;
    return layout == Layout::impulse_3 && is_known ? from_list(signals_of_impulse, stored) : stored;
}

std::uint8_t member_type_from(Layout layout, std::uint8_t stored) noexcept {
    return layout == Layout::impulse_3 ? from_list(members_of_impulse, stored) : stored;
}

std::uint8_t stored_signal_type(Layout layout, std::uint8_t type) noexcept {
    return layout == Layout::impulse_3 ? to_list(signals_of_impulse, type) : type;
}

std::uint8_t stored_member_type(Layout layout, std::uint8_t type) noexcept {
    if (layout != Layout::impulse_3) return type;
    const auto base = static_cast<MemberType>(type & member_type_mask);
    if (base == MemberType::enumeration || base == MemberType::merge_enumeration)
        type = static_cast<std::uint8_t>((type & 0xF0u) | static_cast<std::uint8_t>(MemberType::own_enumeration));
    return to_list(members_of_impulse, type);
}

}  // namespace hwtrace::flux

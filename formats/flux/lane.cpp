#include "lane.hpp"

#include <algorithm>

#include "cell.hpp"
#include "io/cursor.hpp"
#include "items.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
constexpr std::uint32_t integer_sizes = 0x1FF;  ///< 0 to 8 bytes
constexpr std::uint32_t single_sizes = 1u << 4, real_sizes = 1u << 8;
constexpr std::size_t most_kinds = 64;              ///< a linear search among more is slow
constexpr std::uint64_t member_numbers = 1u << 14;  ///< numbers of at most two bytes

/// Returns the kind of numbers or texts that a member has, or Cell::raw if there is no lane for them.
Cell cell_of(const Item& item, std::uint64_t owner, MemberType type, std::size_t size) {
    switch (type) {
        case MemberType::text:
            return Cell::text;
        case MemberType::binary:
            return Cell::blob;
        case MemberType::integer:
            return Cell::integer;
        case MemberType::enumeration:
        case MemberType::own_enumeration:
        case MemberType::merge_enumeration:
            return item.has_labels(owner) ? Cell::enumeration : Cell::natural;
        case MemberType::floating:
            return size == 4 ? Cell::single : size == 8 ? Cell::real : Cell::raw;
        default:
            return Cell::raw;
    }
}

std::uint32_t sizes_of(Cell cell) noexcept {
    switch (cell) {
        case Cell::single:
            return single_sizes;
        case Cell::real:
            return real_sizes;
        case Cell::text:
        case Cell::blob:
            return 0;
        default:
            return integer_sizes;
    }
}

/// Returns true if the lane can decode the member, whose number and type are `head`.
bool add_member(const Item& item, bool signed_integers, Layout layout, std::uint64_t number,
                std::span<const std::byte> head, std::size_t size, Lane& lane) {
    Lane::Member member;
    member.head_size = static_cast<std::uint32_t>(head.size());
    for (std::size_t i = 0; i < head.size(); ++i)
        member.head |= std::to_integer<std::uint32_t>(head[i]) << (8 * i);
    member.head_mask = ~std::uint32_t{0} >> (32 - 8 * head.size());
    if (std::ranges::find(lane.members, member.head, &Lane::Member::head) != lane.members.end()) return true;
    const auto type = static_cast<MemberType>(member_type_from(layout, std::to_integer<std::uint8_t>(head.back())) &
                                              member_type_mask);
    const Cell cell = cell_of(item, number + 1, type, size);
    member.field = item.uses.field(key_of(number + 1, cell));
    if (cell == Cell::raw || member.field == none || lane.members.size() == most_kinds) return false;
    member.sizes = sizes_of(cell);
    if (cell == Cell::integer) {
        member.sign_mask = ~std::uint64_t{0};
        member.refused = signed_integers || item.reported_sign ? 0 : sign_bit;
    }
    lane.members.push_back(member);
    return true;
}

}  // namespace

void prepare_values(const Item& item, bool signed_integers, Lane& lane) {
    const auto set = [&](Lane::Kind kind, Nibble nibble, Cell cell) {
        lane.kind = kind;
        lane.nibble = static_cast<std::uint8_t>(nibble);
        lane.field = item.uses.field(key_of(0, cell));
    };
    const Definition& definition = item.definition;
    const bool is_signal = definition.form == Definition::Form::signal || definition.form == Definition::Form::part;
    lane.kind = Lane::Kind::unfit;
    if (!is_signal) return;
    switch (definition.type) {
        case SignalType::integer:
            set(Lane::Kind::number, Nibble::value, Cell::integer);
            lane.sign_mask = ~std::uint64_t{0};
            lane.refused = signed_integers || item.reported_sign ? 0 : sign_bit;
            break;
        case SignalType::event:
            set(Lane::Kind::number, Nibble::event, item.has_labels(0) ? Cell::enumeration : Cell::natural);
            break;
        case SignalType::floating:
            set(Lane::Kind::floating, Nibble::array_64, Cell::real);
            lane.single = item.uses.field(key_of(0, Cell::single));
            return;
        case SignalType::logic:
            if (item.width > widest_vector) return;
            set(Lane::Kind::vector, Nibble::array_64, Cell::vector);
            lane.states = ~std::uint64_t{0} >> (widest_vector - item.width);
            break;
        case SignalType::text:
            set(Lane::Kind::text, Nibble::value, Cell::text);
            break;
        case SignalType::binary:
            set(Lane::Kind::text, Nibble::value, Cell::blob);
            break;
        case SignalType::structure:
            lane.kind = Lane::Kind::structure;
            lane.nibble = static_cast<std::uint8_t>(Nibble::value);
            return;
        default:
            return;
    }
    if (lane.field == none) lane.kind = Lane::Kind::unfit;
}

void add_members(const Item& item, bool signed_integers, Layout layout, std::span<const std::byte> bytes, Lane& lane) {
    Cursor cursor(bytes);
    bool fits = true;
    try {
        while (fits && !cursor.at_end()) {
            const std::span<const std::byte> rest = cursor.rest();
            const std::uint64_t number = cursor.leb128();
            cursor.skip(1);  // the type
            const std::span<const std::byte> head = rest.first(rest.size() - cursor.left());
            const auto size = static_cast<std::size_t>(cursor.leb128());
            cursor.skip(size);
            fits = number < member_numbers && head.size() < sizeof lane.members.front().head &&
                   add_member(item, signed_integers, layout, number, head, size, lane);
        }
    } catch (const Error&) {  // the value is damaged
        fits = false;
    }
    if (!fits) lane.kind = Lane::Kind::unfit;
}

}  // namespace hwtrace::flux

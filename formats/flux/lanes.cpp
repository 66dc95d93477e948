#include "lanes.hpp"

#include <algorithm>
#include <utility>

#include "io/little_endian.hpp"
#include "model/hash.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

namespace {

/// Number of bytes that must be available at a sample: more than the fields before its value and a number of 8 bytes.
constexpr std::size_t sample_room = 64;
/// Number of bytes that must be available after a struct or text, because members and texts are loaded in whole words.
constexpr std::size_t value_room = 32;
constexpr std::size_t longest_value = 4096;  ///< longest struct or text in bytes
/// Most members of a struct of `longest_value` bytes: each takes at least 3 bytes.
constexpr std::size_t most_members = longest_value / 3 + 1;
constexpr std::size_t usual_members = 8;  ///< room for members per record that a run reserves
constexpr std::size_t number_bytes = sizeof(std::uint64_t);
constexpr std::uint64_t none_yet = ~std::uint64_t{0};
constexpr std::uint64_t continues = 0x80;  ///< bit of a PInt byte: more bytes follow

inline std::uint64_t byte_at(const std::byte* at) noexcept {
    return std::to_integer<std::uint64_t>(*at);
}

/// Reads the rest of a PInt whose first byte says that it continues. Returns null if it has more than 56 bits.
const std::byte* read_long(const std::byte* at, std::uint64_t& number) noexcept {
    number = 0;
    for (unsigned shift = 0; shift <= 49; shift += 7) {
        const std::uint64_t byte = byte_at(at++);
        number |= (byte & 0x7F) << shift;
        if (byte < continues) return at;
    }
    return nullptr;
}

/// Reads a PInt of at most 56 bits, in at most 8 bytes. Returns null if it is longer.
inline const std::byte* read_number(const std::byte* at, std::uint64_t& number) noexcept {
    number = byte_at(at);
    if (number < continues) [[likely]]
        return at + 1;
    const std::uint64_t second = byte_at(at + 1);
    if (second < continues) [[likely]] {
        number = (number & 0x7F) | second << 7;
        return at + 2;
    }
    return read_long(at, number);
}

/// Decodes a number of at most 8 bytes. Loads 8 bytes. If `sign_mask` is 0, the number is unsigned.
inline std::uint64_t number_at(const std::byte* at, std::uint64_t size, std::uint64_t sign_mask) noexcept {
    const auto half = static_cast<unsigned>(32 - 4 * size);  // half of the unused bits: shifting by 64 is not defined
    const auto top = static_cast<std::int64_t>(load_le<std::uint64_t>(at) << half << half);
    return static_cast<std::uint64_t>(top >> half >> half) & (sign_mask | (~std::uint64_t{0} >> half >> half));
}

/// Decodes the states of a vector: at most 8 bytes, the leftmost state first. The leftmost state fills the rest.
inline std::uint64_t states_at(const std::byte* at, std::uint64_t size) noexcept {
    auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(byte_at(at) << 56) >> 56);
    for (std::uint64_t i = 1; i < size; ++i)
        bits = bits << 8 | byte_at(at + i);
    return bits;
}

}  // namespace

// --- texts ---

StringId RecentTexts::id_of(const std::byte* at, std::size_t size) {
    const auto text = as_text({at, size});
    if (size > longest) return schema_.intern(text);
    const auto mask = [](std::size_t bytes) {
        return bytes == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * std::min(bytes, number_bytes));
    };
    const std::uint64_t low = load_le<std::uint64_t>(at) & mask(size);
    const std::uint64_t high = load_le<std::uint64_t>(at + number_bytes) & mask(size - std::min(size, number_bytes));
    constexpr std::uint64_t spread = 0x9E3779B97F4A7C15;
    Known& known = known_[static_cast<std::size_t>(((low ^ (high << 1)) * spread) >> 56)];
    if (known.low != low || known.high != high || known.size != size) [[unlikely]]
        known = {low, high, size, schema_.intern(text)};
    return known.id;
}

// --- runs ---

Lanes::Lanes(Schema& schema, Entries& entries, Values& values, const Settings& settings)
    : entries_(entries),
      values_(values),
      texts_(schema),
      enabled_(settings.check < CheckLevel::full),
      structs_(settings.limits.block >= most_members * sizeof(Attribute)),
      longest_text_(static_cast<std::size_t>(std::min<std::uint64_t>(settings.limits.string, longest_value))) {}

/// The place of a run in the stream, and the values that it decodes.
struct Lanes::Run {
    RecentTexts& texts;
    const std::size_t longest_text;
    const std::byte* const end;  ///< of the available bytes
    Context* context = nullptr;  ///< of the last sample
    Tick position = 0;           ///< of the last sample
    bool is_new = false;         ///< the run ended at an item or member that has no lane

    /// Stores the position of the last sample in its context.
    void leave_context() const noexcept {
        if (context == nullptr) return;
        context->position = position;
        context->last = std::max(context->last, position);
    }

    /// Decodes a value. Returns the end of the attributes, or null if the value is unusual.
    [[gnu::always_inline]] Attribute* value(const Lane& lane, const std::byte* at, std::uint64_t header,
                                            Attribute* values) {
        const std::uint64_t size = header >> size_shift, nibble = header & nibble_mask;
        switch (lane.kind) {
            case Lane::Kind::number:
                if (nibble != lane.nibble || size > number_bytes) return nullptr;
                values->field = lane.field;
                values->value = number_at(at, size, lane.sign_mask);
                return (values->value & lane.refused) == 0 ? values + 1 : nullptr;
            case Lane::Kind::floating:
                return floating(lane, at, header, values);
            case Lane::Kind::vector:
                values->field = lane.field;
                if (nibble == static_cast<std::uint64_t>(Nibble::array_64) && size - 1 < number_bytes)
                    values->value = states_at(at, size) & lane.states;
                else if (header == static_cast<std::uint64_t>(Nibble::value))
                    values->value = 0;
                else if (header == static_cast<std::uint64_t>(Nibble::array_32))
                    values->value = lane.states;
                else
                    return nullptr;
                return values + 1;
            case Lane::Kind::structure:
                if (nibble != lane.nibble || !is_available(at, size)) return nullptr;
                return members(lane, at, at + size, values);
            case Lane::Kind::text:
                if (nibble != lane.nibble || size > longest_text || !is_available(at, size)) return nullptr;
                values->field = lane.field;
                values->value = texts.id_of(at, static_cast<std::size_t>(size));
                return values + 1;
            case Lane::Kind::unfit:
                break;
        }
        return nullptr;
    }

    /// Returns true if a value, and the bytes that are loaded after it, are available.
    bool is_available(const std::byte* at, std::uint64_t size) const noexcept {
        return size <= longest_value && size + value_room <= static_cast<std::size_t>(end - at);
    }

    /// Decodes numbers as long as the first byte of the sample stays `front`, which neither marks it nor continues. At
    /// most `most` are decoded. Returns the number of samples; each has one record and one value. This loop needs few
    /// variables, so they stay in registers.
    [[gnu::noinline]] std::size_t numbers(const Lane& lane, std::uint64_t front, const std::byte*& at,
                                          const std::byte*& last_sample, Record* records, Attribute* values,
                                          std::uint32_t first_value, std::size_t most) {
        const std::byte* const last = end - sample_room;
        const std::byte *place = at, *done = last_sample;
        Tick now = position;
        std::size_t count = 0;
        for (; count < most && place <= last && byte_at(place) == front; ++count) {
            std::uint64_t delta = 0;
            const std::byte* next = place + 1;
            if ((front & flag_delta) != 0) next = read_number(next, delta);
            if (next == nullptr) break;
            const std::uint64_t header = byte_at(next), size = header >> size_shift;
            if ((header & (continues | nibble_mask)) != lane.nibble) break;
            const std::uint64_t number = number_at(next + 1, size, lane.sign_mask);
            const auto then = static_cast<Tick>(static_cast<std::uint64_t>(now) + delta);
            if (then < now || (number & lane.refused) != 0) break;
            values[count].field = lane.field;
            values[count].value = number;
            records[count] = lane.record;
            records[count].time = now = then;
            records[count].ref = first_value + static_cast<std::uint32_t>(count);
            done = std::exchange(place, next + 1 + size);
        }
        at = place;
        last_sample = done;
        position = now;
        return count;
    }

    Attribute* floating(const Lane& lane, const std::byte* at, std::uint64_t header, Attribute* values) {
        constexpr auto real = std::uint64_t{8} << size_shift | static_cast<std::uint64_t>(Nibble::array_64);
        constexpr auto single = std::uint64_t{4} << size_shift | static_cast<std::uint64_t>(Nibble::array_32);
        if (header == real) {
            values->field = lane.field;
            values->value = load_le<std::uint64_t>(at);
        } else if (header == single) {
            values->field = lane.single;
            values->value = load_le<std::uint32_t>(at);
        } else {
            return nullptr;
        }
        is_new = values->field == none;
        return is_new ? nullptr : values + 1;
    }

    Attribute* members(const Lane& lane, const std::byte* at, const std::byte* const value_end, Attribute* values) {
        const Lane::Member* const first = lane.members.data();
        const Lane::Member* const behind = first + lane.members.size();
        const Lane::Member* member = first;
        std::uint64_t refused = 0;
        for (; at < value_end; ++member, ++values) {
            const auto head = load_le<std::uint32_t>(at);
            const auto has_head = [head](const Lane::Member& known) { return (head & known.head_mask) == known.head; };
            if (member == behind || !has_head(*member)) [[unlikely]] {
                member = std::find_if(first, behind, has_head);
                is_new = member == behind;
                if (is_new) return nullptr;
            }
            at += member->head_size;
            std::uint64_t size = byte_at(at);
            values->field = member->field;
            if (size <= number_bytes && (member->sizes >> size & 1u) != 0) [[likely]] {
                ++at;
                values->value = number_at(at, size, member->sign_mask);
                refused |= values->value & member->refused;
            } else {
                at = read_number(at, size);
                if (member->sizes != 0 || at == nullptr || at > value_end || size > longest_text ||
                    size > static_cast<std::size_t>(value_end - at))
                    return nullptr;
                values->value = texts.id_of(at, static_cast<std::size_t>(size));
            }
            at += size;
        }
        return at == value_end && refused == 0 ? values : nullptr;
    }
};

bool Lanes::run(Trace& trace, const Gaps& gaps, Batch& batch, std::uint64_t& samples) {
    const std::span<const std::byte> bytes = entries_.rest();
    if (!enabled_ || bytes.size() < sample_room || trace.restated) return false;
    const std::size_t most_records = batch.records_left();
    const std::size_t most_values = std::min(most_records * usual_members, batch.attributes_left());
    const Batch::ChangeRoom room = batch.change_room(most_records, most_values + most_members);
    const Record* const record_end = room.records + most_records;
    const Attribute* const value_end = room.values + most_values;
    const std::byte* const last = bytes.data() + (bytes.size() - sample_room);
    const std::byte* at = bytes.data();
    const std::byte* last_sample = at;
    Record* record = room.records;
    Attribute* value = room.values;
    Run run{texts_, longest_text_, bytes.data() + bytes.size()};
    Item* item = nullptr;
    std::uint64_t item_id = none_yet, front_before = none_yet;
    while (at <= last && record != record_end && value < value_end) {
        std::uint64_t front = 0, delta = 0, header = 0;
        if (byte_at(at) == front_before) {  // like the last sample, whose context is the current one
            const auto most = std::min(record_end - record, value_end - value);
            const std::size_t count = run.numbers(item->lane, front_before, at, last_sample, record, value,
                                                  room.first_value + static_cast<std::uint32_t>(value - room.values),
                                                  static_cast<std::size_t>(most));
            record += count;
            value += count;
            item->last = run.position;
            front_before = none_yet;
            if (count != 0) continue;
        }
        const std::byte* next = read_number(at, front);
        if (next == nullptr) break;
        if (front >> item_shift != item_id) {
            item_id = front >> item_shift;
            item = find_prepared(trace, gaps, item_id);
            if (item == nullptr) {
                run.is_new = true;
                break;
            }
        }
        std::uint64_t mark = front & flag_marked;
        if ((front & flag_tag) != 0) [[unlikely]]
            mark = byte_at(next++);
        if ((front & flag_delta) != 0) next = read_number(next, delta);
        if (next != nullptr) next = read_number(next, header);
        if (next == nullptr) break;
        const Lane& lane = item->lane;
        const Tick before = lane.context == run.context ? run.position : lane.context->position;
        const auto position = static_cast<Tick>(static_cast<std::uint64_t>(before) + delta);
        if (position < before) break;
        *record = lane.record;
        Attribute* values_end = value;
        if (header == 0 && !lane.is_part)
            record->flags = record_no_value;
        else
            values_end = run.value(lane, next, header, value);
        if (values_end == nullptr) break;
        record->time = position;
        record->ref = room.first_value + static_cast<std::uint32_t>(value - room.values);
        record->count = static_cast<std::uint32_t>(values_end - value);
        record->value = mark;
        ++record;
        value = values_end;
        if (lane.context != run.context) {
            run.leave_context();
            run.context = lane.context;
        }
        run.position = item->last = position;
        const bool is_marked = (front & (flag_marked | flag_tag)) != 0;
        front_before = lane.kind == Lane::Kind::number && front < continues && !is_marked ? front : none_yet;
        last_sample = at;
        at = next + (header >> size_shift);
    }
    run.leave_context();
    const auto made = static_cast<std::size_t>(record - room.records);
    batch.commit_changes(made, static_cast<std::size_t>(value - room.values));
    samples += made;
    if (made != 0) entries_.skip_samples(last_sample, at);
    return run.is_new;
}

/// Returns the item if its lane is valid, else null.
Item* Lanes::find_prepared(Trace& trace, const Gaps& gaps, std::uint64_t id) {
    Item* const item = trace.find(id);
    if (item == nullptr || item->lane.epoch != trace.epoch() || item->lane.gaps != gaps.count) return nullptr;
    const Context& context = *item->lane.context;
    // The scan reports the first sample of an item that is not open.
    const bool is_open =
        (context.opened || context.reported_not_open) && (!context.closed || context.reported_behind_close);
    return context.known == Context::Known::yes && is_open ? item : nullptr;
}

// --- preparing ---

void Lanes::prepare(Trace& trace, const Gaps& gaps, const Entry& entry) {
    Item* const item = trace.find(entry.item);
    // If the position was lost, the scan made no record.
    if (item == nullptr || item->is_mark || !item->sampled || item->gaps != gaps.count) return;
    if (item->epoch != trace.epoch() || item->track_epoch != item->epoch) return;
    Lane& lane = item->lane;
    if (lane.epoch != item->epoch || lane.gaps != gaps.count) {
        lane = {};
        lane.epoch = item->epoch;
        lane.gaps = gaps.count;
        lane.context = &trace.context_of(*item);
        lane.is_part = item->definition.form == Definition::Form::part;
        lane.record.kind = Kind::change;
        lane.record.track = item->track;
        lane.record.count = 1;
        prepare_values(*item, values_.signed_integers(), lane);
    }
    if (lane.kind == Lane::Kind::structure) {
        if (structs_)
            add_members(*item, values_.signed_integers(), entries_.layout(), entry.bytes, lane);
        else
            lane.kind = Lane::Kind::unfit;
    } else if (lane.kind == Lane::Kind::floating) {  // the size of this float may be the first of its kind
        prepare_values(*item, values_.signed_integers(), lane);
    }
}

}  // namespace hwtrace::flux

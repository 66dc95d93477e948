// formats/ftr/scan_transactions.cpp - transactions of a block.
#include <algorithm>
#include <array>
#include <string>

#include "scan.hpp"
#include "scan_bytes.hpp"

namespace hwtrace::ftr {

namespace {

/// Maximum bytes of an event: two for the head, nine for each of four numbers, and a margin for the last read.
constexpr std::size_t event_window = 48;

constexpr unsigned event_byte = 0xC6, event_array_byte = 0x84;

}  // namespace

bool Scan::next_transaction(Item& item) {
    CborCursor& cursor = *cursor_;
    while (cursor.more(items_)) {
        const std::uint64_t at = cursor.offset();
        CborItems elements_left;
        if (!cursor.array(elements_left)) return false;
        if (elements_left.indefinite)
            tally(Check::container_form, at, "an array of definite length", "one of indefinite length");
        std::uint64_t id = 0;
        std::uint32_t number = none;
        attributes_.clear();
        attributes_.push_back({0, 0});
        marked_ = 0;
        if (!transaction(at, elements_left, id, number, item)) {
            if (cursor.failed()) return false;
            tally(Check::no_event, at, "an event", "none");
            continue;
        }
        if (outside_) continue;
        const Generator& generator = generators_[number];
        if (generator.track == none) continue;
        attributes_[0].value = id;
        item.kind = Item::Kind::transaction;
        item.track = generator.track;
        item.attributes = {attributes_.data(), attributes_.size()};
        check_transaction(item, generator, at);
        ++transactions_;
        return true;
    }
    return false;
}

/// Reads the elements of one transaction. Returns false if an element is faulty or the transaction has no event.
bool Scan::transaction(std::uint64_t at, CborItems items, std::uint64_t& id, std::uint32_t& generator, Item& item) {
    CborCursor& cursor = *cursor_;
    if (cursor.left() >= event_window && items.left != 0 && std::to_integer<unsigned>(cursor.at()[0]) == event_byte &&
        std::to_integer<unsigned>(cursor.at()[1]) == event_array_byte) [[likely]] {
        std::array<std::uint64_t, 4> numbers;
        const std::byte* place = cursor.at() + 2;
        bool usual = true;
        for (std::uint64_t& number : numbers) {
            usual = usual && std::to_integer<unsigned>(*place) <= largest_unsigned_byte;
            place += cbor_argument(place, number);
        }
        if (usual) [[likely]] {
            const std::uint64_t event_at = cursor.offset();
            cursor.advance(static_cast<std::size_t>(place - cursor.at()));
            id = numbers[0];
            item.start = numbers[2];
            item.end = numbers[3];
            outside_ = is_outside(item);
            if (!outside_) generator = find_generator(numbers[1], event_at);
            --items.left;
            return elements(items, generator);
        }
    }
    CborHead head;
    if (!items.indefinite && items.left == 0) return false;
    if (!cursor.peek(head)) return false;
    if (is_event(head)) {
        cursor.more(items);
        return event(id, generator, item) && elements(items, generator);
    }
    // The event is not the first element or is missing. It must be read first, because it names the generator of the
    // attributes.
    const CborCursor begin = cursor;
    const CborItems all = items;
    bool found = false;
    while (cursor.more(items)) {
        if (!cursor.peek(head)) return false;
        if (!found && is_event(head)) {
            found = true;
            if (!event(id, generator, item)) return false;
        } else if (!cursor.skip(limits_.depth)) {
            return false;
        }
    }
    if (!found || cursor.failed()) return false;
    tally(Check::event_not_first, at, "the event first", "another element");
    cursor = begin;
    return elements(all, generator, true);
}

bool Scan::event(std::uint64_t& id, std::uint32_t& generator, Item& item) {
    CborCursor& cursor = *cursor_;
    std::uint64_t tag = 0, generator_id = 0;
    CborItems parts;
    const std::uint64_t at = cursor.offset();
    if (!cursor.tag(tag)) return false;
    const std::uint64_t array_at = cursor.offset();
    if (!cursor.array(parts)) return false;
    if (!parts.indefinite && parts.left < 4) return cursor.fail_at(array_at, "an array of 4");
    for (std::uint64_t* const part : {&id, &generator_id, &item.start, &item.end}) {
        if (!cursor.more(parts)) return cursor.failed() ? false : cursor.fail_at(array_at, "an array of 4");
        if (!cursor.unsigned_integer(*part)) return false;
    }
    while (cursor.more(parts))
        if (!cursor.skip(limits_.depth)) return false;
    if (cursor.failed()) return false;
    outside_ = is_outside(item);
    if (!outside_) generator = find_generator(generator_id, at);
    return true;
}

std::uint32_t Scan::find_generator(std::uint64_t id, std::uint64_t at) {
    const std::uint32_t found = generator_by_id_.find(id);
    if (found != none) [[likely]]
        return found;
    report(Check::generator_undefined, at, "a generator of the directory", std::to_string(id));
    if (stream_ == none)
        stream_ = add_stream(chunk_.stream, std::string("stream ").append(std::to_string(chunk_.stream)), {}, 0);
    return add_generator(id, std::string("generator ").append(std::to_string(id)), stream_);
}

void Scan::check_transaction(Item& item, const Generator& generator, std::uint64_t at) {
    if (generator.stream != stream_) [[unlikely]]
        tally(Check::other_stream, at, std::string("a generator of stream ").append(std::to_string(chunk_.stream)),
              std::string("one of stream ").append(std::to_string(streams_[generator.stream].id)));
    if (item.end < item.start) [[unlikely]]
        tally(Check::end_before_start, at,
              std::string("an end at ").append(std::to_string(item.start)).append(" or later"),
              std::to_string(item.end));
    if ((item.start | item.end) > last_tick) [[unlikely]]
        tally(Check::time_too_large, at, "times below 2^63", std::to_string(std::max(item.start, item.end)));
    if (!check_) return;
    if (identities_ && !identities_->add(item.attributes.front().value, generator.stream))
        tally(Check::id_twice, at, "a new id", std::to_string(item.attributes.front().value));
    if (any_ && item.end < last_end_)
        tally(Check::not_sorted, at, std::string("an end at ").append(std::to_string(last_end_)).append(" or later"),
              std::to_string(item.end));
    last_end_ = item.end;
    least_ = any_ ? std::min(least_, item.start) : item.start;
    greatest_ = any_ ? std::max(greatest_, item.end) : item.end;
    any_ = true;
}

}  // namespace hwtrace::ftr

#include "payload.hpp"

#include <algorithm>

#include "domain/utf8.hpp"
#include "event_search.hpp"
#include "io/cursor.hpp"

namespace hwtrace::pccx {

namespace {

constexpr std::size_t candidate_window = 4u << 10;  // a few bytes suffice to reject most marks
constexpr std::uint64_t survey_size = 64u << 10;    // sufficient, except for files constructed to mislead
constexpr std::uint64_t most_text = 1u << 20;       // maximum plausible string length in a cut file, in bytes

/// The result of reading a payload in one bincode layout.
struct Survey {
    enum class End : std::uint8_t {
        exact,  ///< all events were read and end with the payload
        more,   ///< all events were read, but bytes follow
        open,   ///< valid as far as examined
        broken,
    } end = End::broken;
    std::uint64_t bytes = 0;   ///< size of the complete events
    std::uint64_t events = 0;  ///< number of complete events
};

/// Which events a survey reads.
enum class Extent : std::uint8_t {
    stated,  ///< as many as the payload states
    all,     ///< up to the end of the payload, with printable texts: a damaged length may span whole events
};

bool is_text(const std::byte* bytes, std::uint64_t size, Extent extent) noexcept {
    const std::string_view text = as_text({bytes, static_cast<std::size_t>(size)});
    return is_utf8(text) && (extent == Extent::stated || is_printable(text));
}

/// Reads at most `enough` bytes of events in `layout`. If `whole`, the payload ends at `end`; otherwise the file is cut
/// there.
Survey survey(const Input& input, std::uint64_t begin, std::uint64_t end, bool whole, Layout layout,
              std::uint64_t enough, std::uint64_t largest_text, Extent extent = Extent::stated) {
    PayloadBytes bytes(input, begin, end, false);
    Survey result;
    const auto stop = [&](Survey::End why) {
        result.end = why;
        return result;
    };
    // A string that extends beyond the end of a cut file may be valid.
    const Survey::End cut = whole ? Survey::End::broken : Survey::End::open;
    if (!bytes.ensure(bincode_head_size)) return stop(cut);
    const auto count = load_le<std::uint64_t>(bytes.at() + 8);
    bytes.skip(bincode_head_size);
    const auto expects_event = [&] { return extent == Extent::all ? bytes.left() != 0 : result.events < count; };
    while (expects_event()) {
        result.bytes = bytes.offset() - begin;
        if (result.bytes >= enough) return stop(Survey::End::open);
        if (!bytes.ensure(bincode_event_head_size)) return stop(cut);
        const auto type = load_le<std::uint64_t>(bytes.at() + 20);
        std::uint64_t size = bincode_event_head_size;
        if (type > bytes.left() - size) return stop(type > most_text ? Survey::End::broken : cut);
        size += type;
        if (size > enough || type > largest_text) return stop(Survey::End::open);
        if (!bytes.ensure(size) || !is_text(bytes.at() + bincode_event_head_size, type, extent))
            return stop(Survey::End::broken);
        if (layout == Layout::bincode) {
            if (!bytes.ensure(size + 1)) return stop(cut);
            const auto option = std::to_integer<std::uint8_t>(bytes.at()[size]);
            size += 1;
            if (option > 1) return stop(Survey::End::broken);
            if (option == 1) {
                if (!bytes.ensure(size + 8)) return stop(cut);
                const auto name = load_le<std::uint64_t>(bytes.at() + size);
                size += 8;
                if (name > bytes.left() - size) return stop(name > most_text ? Survey::End::broken : cut);
                if (name > enough || name > largest_text) return stop(Survey::End::open);
                if (!bytes.ensure(size + name) || !is_text(bytes.at() + size, name, extent))
                    return stop(Survey::End::broken);
                size += name;
            }
        }
        bytes.skip(static_cast<std::size_t>(size));
        ++result.events;
    }
    result.bytes = bytes.offset() - begin;
    return stop(bytes.left() != 0 ? Survey::End::more : whole ? Survey::End::exact : Survey::End::open);
}

/// Examines a possible name table at `offset`. Reduces `budget` by the number of bytes read. Does nothing if `budget`
/// is 0.
Trailer walk_names(const Input& input, std::uint64_t begin, std::uint64_t offset, std::uint64_t end,
                   std::uint64_t& budget) {
    Trailer trailer;
    trailer.offset = offset;
    trailer.found = true;
    trailer.end = offset + trailer_head_size;
    if (budget == 0) return trailer;
    const std::uint64_t events = (offset - begin) / flat_event_size;
    PayloadBytes bytes(input, offset, end, false, candidate_window);
    if (!bytes.ensure(trailer_head_size)) return trailer;
    trailer.stated = load_le<std::uint32_t>(bytes.at() + 4);
    bytes.skip(trailer_head_size);
    std::uint64_t next_event = 0;
    bool in_range = true;
    while (trailer.names < trailer.stated && bytes.ensure(name_head_size)) {
        const auto event = load_le<std::uint32_t>(bytes.at());
        const std::uint64_t size = name_head_size + load_le<std::uint16_t>(bytes.at() + 4);
        if (!bytes.ensure(size)) break;
        trailer.ascending = trailer.ascending && event >= next_event;
        in_range = in_range && event < events;
        next_event = std::uint64_t{event} + 1;
        bytes.skip(static_cast<std::size_t>(size));
        trailer.end = bytes.offset();
        ++trailer.names;
    }
    budget -= std::min(budget, std::max<std::uint64_t>(trailer.end - offset, candidate_window));
    // If the payload is a whole number of events, a table with names for missing events is really an event.
    const bool possible = in_range || (end - begin) % flat_event_size != 0;
    trailer.exact = trailer.names == trailer.stated && trailer.end == end && possible;
    trailer.plausible = in_range && trailer.ascending && trailer.stated <= events;
    return trailer;
}

}  // namespace

// --- bytes ---

PayloadBytes::PayloadBytes(const Input& input, std::uint64_t begin, std::uint64_t end, bool hashed, std::size_t window)
    : begin_offset_(begin),
      end_offset_(end),
      section_(input, begin, end),
      window_(section_, static_cast<std::size_t>(std::clamp<std::uint64_t>(end - begin, 1, window))),
      hashed_(hashed) {}

void PayloadBytes::pass() {
    const auto passed = static_cast<std::size_t>(at_ - begin_);
    if (hashed_) hash_.add({begin_, passed});
    window_.consume(passed);
    begin_ = at_;
}

bool PayloadBytes::fetch(std::uint64_t count) {
    if (count > left()) return false;
    pass();
    const std::span<const std::byte> bytes = window_.peek(static_cast<std::size_t>(count));
    begin_ = at_ = bytes.data();
    end_ = begin_ + bytes.size();
    return bytes.size() >= count;  // false if the file was truncated meanwhile
}

std::span<const std::byte> PayloadBytes::some() {
    ensure(1);
    return {at_, static_cast<std::size_t>(end_ - at_)};
}

void PayloadBytes::skip_rest() {
    for (std::span<const std::byte> bytes = some(); !bytes.empty(); bytes = some())
        skip(bytes.size());
    pass();
}

BackgroundChecksum::BackgroundChecksum(const Input& input, std::uint64_t begin, std::uint64_t end)
    : value_(worker_.start([this, &input, begin, end] {
          Section section(input, begin, end);
          Fnv1a64 hash;
          std::vector<std::byte> block(PayloadBytes::usual_window);
          while (!given_up_.load(std::memory_order_relaxed)) {
              const std::size_t count = section.read(block);
              if (count == 0) break;
              hash.add(std::span(block).first(count));
          }
          return hash.value();
      })) {}

BackgroundChecksum::~BackgroundChecksum() {
    given_up_ = true;
}

// --- bincode ---

Layout identify_bincode(const Input& input, std::uint64_t begin, std::uint64_t end, bool whole, std::uint64_t cores,
                        const Limits& limits) {
    const auto look = [&](Layout layout, std::uint64_t enough) {
        return survey(input, begin, end, whole, layout, enough, limits.string);
    };
    Survey five = look(Layout::bincode, survey_size);
    Survey four = look(Layout::bincode4, survey_size);
    if (five.end == Survey::End::open && four.end == Survey::End::open && whole) {
        five = look(Layout::bincode, end);
        four = look(Layout::bincode4, end);
    }
    using End = Survey::End;
    if (five.end == End::exact) return Layout::bincode;
    if (four.end == End::exact) return Layout::bincode4;
    // In a damaged payload, events of known types behind one another show the layout.
    const auto events_in = [&](Layout layout) {
        const std::uint64_t first = std::min(begin + bincode_head_size, end);
        return EventForm(layout, cores).count(input, first, end, begin + survey_size, whole);
    };
    const std::uint64_t in_five = events_in(Layout::bincode);
    const std::uint64_t in_four = events_in(Layout::bincode4);
    if (in_five != in_four) return in_five > in_four ? Layout::bincode : Layout::bincode4;
    if (four.end == End::more || five.end != End::broken) return Layout::bincode;
    // Choose the layout that reads further. A single event of four fields proves nothing: it may be the beginning of an
    // event of five fields with a damaged name.
    const bool further = four.events > 1 && four.bytes > five.bytes;
    return four.end == End::open || further ? Layout::bincode4 : Layout::bincode;
}

bool holds_whole_events(const Input& input, std::uint64_t begin, std::uint64_t end, bool whole, Layout layout,
                        const Limits& limits) {
    const auto holds = [&](Extent extent) {
        const Survey::End found = survey(input, begin, end, whole, layout, end, limits.string, extent).end;
        return found == (whole ? Survey::End::exact : Survey::End::open);
    };
    return holds(Extent::stated) || holds(Extent::all);
}

Layout identify(const Input& input, std::uint64_t begin, std::uint64_t end, std::uint64_t cores, const Limits& limits) {
    for (const Layout layout : {Layout::bincode, Layout::bincode4})
        if (survey(input, begin, end, true, layout, end, limits.string).end == Survey::End::exact) return layout;
    PayloadBytes bytes(input, begin, end, false);
    constexpr std::string_view json_begin = "{\"";
    if (bytes.ensure(json_begin.size()) && as_text({bytes.at(), json_begin.size()}) == json_begin) return Layout::json;
    const std::uint64_t size = end - begin;
    const Trailer trailer = find_trailer(input, begin, end, true);
    const bool is_flat = size != 0 && (trailer.exact || size % flat_event_size == 0);
    for (std::uint64_t at = begin; is_flat && at < trailer.offset; at += flat_event_size, bytes.skip(flat_event_size)) {
        if (!bytes.ensure(flat_event_size)) return Layout::opaque;
        const bool plausible =
            load_le<std::uint32_t>(bytes.at()) < cores && load_le<std::uint32_t>(bytes.at() + 20) < event_types.size();
        if (!plausible) return Layout::opaque;
    }
    return is_flat ? Layout::flatbuf : Layout::opaque;
}

// --- flatbuf ---

Trailer find_trailer(const Input& input, std::uint64_t begin, std::uint64_t end, bool whole) {
    Trailer damaged;
    damaged.offset = damaged.end = end;
    // Limits the work in a file with many marks.
    std::uint64_t budget = (64u << 20) + 16 * (end - begin);
    PayloadBytes bytes(input, begin, end, false);
    for (std::span<const std::byte> some = bytes.some(); bytes.ensure(trailer_head_size); some = bytes.some()) {
        const std::size_t events = some.size() / flat_event_size;
        if (events == 0 && bytes.ensure(flat_event_size)) continue;  // the window ended, not the payload
        const std::size_t places = std::max<std::size_t>(events, 1);
        for (std::size_t i = 0; i < places; ++i) {
            if (load_le<std::uint32_t>(bytes.at() + i * flat_event_size) != trailer_magic) [[likely]]
                continue;
            const Trailer trailer = walk_names(input, begin, bytes.offset() + i * flat_event_size, end, budget);
            // In a cut file, a table needs to be plausible only up to the cut.
            const bool cut = !whole && trailer.plausible && trailer.names < trailer.stated;
            if (trailer.exact || cut) return trailer;
            if (!damaged.found) damaged = trailer;
        }
        if (events == 0) break;
        bytes.skip(events * flat_event_size);
    }
    // If the payload is a whole number of events, the mark is really a core number.
    if (damaged.found && whole && (end - begin) % flat_event_size != 0) return damaged;
    Trailer nothing;
    nothing.offset = nothing.end = end;
    return nothing;
}

EventNames::EventNames(const Input& input, const Trailer& trailer, const Limits& limits)
    : input_(input),
      bytes_(input, std::min(trailer.offset + trailer_head_size, trailer.end), trailer.end, false),
      left_(trailer.found ? trailer.names : 0) {
    if (trailer.ascending || left_ == 0) return;
    check_limit(left_ * sizeof(Place), limits.block, "the unsorted name table", "max-block");
    for (; left_ != 0 && bytes_.ensure(name_head_size); --left_) {
        const Place place{load_le<std::uint32_t>(bytes_.at()), load_le<std::uint16_t>(bytes_.at() + 4),
                          bytes_.offset()};
        places_.push_back(place);
        bytes_.skip(name_head_size);
        if (!bytes_.ensure(place.length)) break;
        bytes_.skip(place.length);
    }
    left_ = 0;
    std::stable_sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) { return a.event < b.event; });
}

const EventNames::Name* EventNames::peek() {
    if (known_) return &name_;
    if (next_place_ < places_.size()) {
        const Place& place = places_[next_place_++];
        text_.resize(place.length);
        text_.resize(input_.read_at(place.offset + name_head_size, text_));
        name_ = {place.event, place.offset, as_text(text_)};
    } else {
        if (left_ == 0 || !bytes_.ensure(name_head_size)) return nullptr;
        const std::size_t length = load_le<std::uint16_t>(bytes_.at() + 4);
        if (!bytes_.ensure(name_head_size + length)) return nullptr;
        name_ = {load_le<std::uint32_t>(bytes_.at()), bytes_.offset(), as_text({bytes_.at() + name_head_size, length})};
        bytes_.skip(name_head_size + length);
        --left_;
    }
    known_ = true;
    return &name_;
}

}  // namespace hwtrace::pccx

#include "scan.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "io/counted.hpp"
#include "io/error.hpp"
#include "io/little_endian.hpp"
#include "io/number_text.hpp"
#include "model/conventions.hpp"

namespace hwtrace::ftr {

namespace {

constexpr std::uint64_t last_tick = std::numeric_limits<Tick>::max();
constexpr std::byte false_byte{0xF4}, true_byte{0xF5}, single_byte{0xFA}, double_byte{0xFB};
/// Maximum bytes of an attribute on the fast path: eight for the head, nine for the value, and a margin.
constexpr std::size_t attribute_window = 24;
/// Maximum bytes of an event: two for the head, nine for each of four numbers, and a margin for the last read.
constexpr std::size_t event_window = 48;

/// Maximum bytes of any attribute: two for the head, nine for each part.
constexpr std::size_t element_window = 29;
constexpr std::byte begin_byte{0xC7}, record_byte{0xC8}, end_byte{0xC9}, element_array_byte{0x83};

constexpr unsigned event_byte = 0xC6, event_array_byte = 0x84;
constexpr unsigned largest_unsigned_byte = 0x1B;
/// Maximum number of attributes that are read before the size of the transaction is checked again.
constexpr std::uint64_t fast_run = 1u << 16;

bool is_event(const CborHead& head) noexcept {
    return head.major == CborMajor::tag && head.argument == static_cast<std::uint64_t>(Element::event);
}

std::size_t finish_run(const std::byte* begin, const std::byte* at, std::uint64_t& left, std::uint64_t done) noexcept {
    left -= done;
    return static_cast<std::size_t>(at - begin);
}

Phase phase_of(std::uint64_t tag) noexcept {
    switch (static_cast<Element>(tag)) {
        case Element::begin:
            return Phase::begin;
        case Element::record:
            return Phase::record;
        case Element::end:
            return Phase::end;
        case Element::event:
            break;
    }
    return Phase::unknown;
}

Type type_of(Value value) noexcept {
    switch (value) {
        case Value::boolean:
            return Type::boolean;
        case Value::enumeration:
            return Type::label;
        case Value::integer:
            return Type::i64;
        case Value::floating:
            return Type::f64;
        case Value::bit_vector:
            return Type::bits;
        case Value::logic_vector:
            return Type::logic;
        case Value::fixed_point:
            return Type::fixed;
        case Value::unsigned_fixed_point:
            return Type::ufixed;
        case Value::pointer:
            return Type::pointer;
        case Value::string:
            return Type::text;
        case Value::time:
            return Type::time;
        case Value::unsigned_integer:
        case Value::nothing:
            break;
    }
    return Type::u64;
}

}  // namespace

Scan::Scan(Input& input, const Settings& settings, Findings& findings, Schema& schema)
    : input_(input),
      limits_(settings.limits),
      findings_(findings),
      schema_(schema),
      check_(settings.check >= CheckLevel::full),
      walk_(input, limits_, nullptr),
      contents_(input, limits_, findings) {
    if (settings.check >= CheckLevel::semantic) identities_.emplace(limits_);
    survey();
    if (settings.window && settings.window->unit == TraceWindow::Unit::time_ps && !has_metadata_) {
        window_.emplace(*settings.window, exponent_);
        look_at_block_times();
    }
    walk_.begin();
}

// --- findings ---

Finding Scan::finding(Check check, std::uint64_t at) const {
    Finding finding{&rule(check), at};
    if (!content_.in_file) {
        finding.offset = chunk_.offset;
        finding.inner_offset = at;
    }
    if (transactions_ != 0) finding.ordinal = transactions_;
    return finding;
}

/// Returns the size in bytes of the item at `at`. In a compressed chunk, returns the size of the chunk. Returns 1 if
/// the size is unknown.
std::uint64_t Scan::length_at(std::uint64_t at) const {
    const bool has_chunk = chunk_.content > chunk_.offset;
    if (!content_.in_file || at == chunk_.offset) return has_chunk ? chunk_.size() : 1;
    if (at < content_.base || at - content_.base >= content_.bytes.size()) return 1;
    CborCursor item(content_.bytes.subspan(static_cast<std::size_t>(at - content_.base)), at);
    return item.skip(limits_.depth) ? item.offset() - at : 1;
}

void Scan::report(Check check, std::uint64_t at, std::string expected, std::string got) {
    Finding found = finding(check, at);
    found.length = length_at(at);
    found.expected = std::move(expected);
    found.got = std::move(got);
    findings_.report(std::move(found));
}

void Scan::tally(Check check, std::uint64_t at, std::string_view expected, std::string_view got) {
    Tally& known = tallies_[static_cast<std::size_t>(check)];
    if (known.count != 0) {
        ++known.count;
        return;
    }
    Finding first = finding(check, at);
    first.length = length_at(at);
    tally(check, std::move(first), expected, got);
}

void Scan::tally(Check check, Finding finding, std::string_view expected, std::string_view got) {
    Tally& tally = tallies_[static_cast<std::size_t>(check)];
    if (tally.count++ != 0) return;
    tally.first = std::move(finding);
    tally.first.expected = expected;
    tally.first.got = got;
}

void Scan::report_tallies() {
    if (identities_ && !identities_->gave_up())
        for (const RelationEnd& end : identities_->awaited())
            check_end(end, true);
    for (Tally& tally : tallies_) {
        if (tally.count == 0) continue;
        if (tally.count > 1) tally.first.got.append("; ").append(std::to_string(tally.count)).append(" times in all");
        findings_.report(std::move(tally.first));
        tally = {};
    }
}

// --- chunks ---

void Scan::take_texts(std::uint64_t chunk) {
    const std::vector<Dictionary::Entry>& entries = dictionary_.entries();
    for (; next_text_ < entries.size() && entries[next_text_].chunk <= chunk; ++next_text_)
        dictionary_.use(entries[next_text_], schema_.intern(dictionary_.text(entries[next_text_])));
}

bool Scan::open_next_chunk() {
    if (stops_at_texts_ && chunk_.is(Chunk::dictionary)) take_texts(chunk_.offset);
    while (walk_.next(chunk_)) {
        if (stops_at_texts_ && chunk_.is(Chunk::dictionary)) {
            if (any_since_stop_) {
                stopped_ = true;
                return false;
            }
            take_texts(chunk_.offset);
            continue;
        }
        const bool block = chunk_.is(Chunk::block);
        if (!block && !chunk_.is(Chunk::relations)) continue;
        if (block) {
            stream_ = stream_by_id_.find(chunk_.stream);
            if (stream_ != none && streams_[stream_].marks) continue;
            if (leaves_out_blocks_ && stream_ != none && !chunk_.cut &&
                window_->leaves_out_block(chunk_.start, chunk_.end))
                continue;
        }
        if (!contents_.fetch(chunk_, content_)) continue;
        cursor_.emplace(content_.bytes, content_.base);
        if (block && stream_ == none) {
            content_.in_file = true;
            report(Check::stream_undefined, chunk_.offset, "a stream of the directory", std::to_string(chunk_.stream));
            content_.in_file = cursor_->offset() == chunk_.content && !chunk_.raw;
        }
        if (block && stream_ != none && streams_[stream_].declared > chunk_.offset && !streams_[stream_].late) {
            streams_[stream_].late = true;
            tally(Check::declared_late, cursor_->offset(), "a stream that is already declared",
                  std::to_string(chunk_.stream));
        }
        const std::uint64_t begin = cursor_->offset();
        any_ = false;
        if (!cursor_->array(items_)) {
            close_chunk();
            continue;
        }
        if (!items_.indefinite)
            tally(Check::container_form, begin, "an array of indefinite length", "one of definite length");
        return true;
    }
    return false;
}

void Scan::close_chunk() {
    const CborCursor& cursor = *cursor_;
    if (cursor.failed()) {
        const CborFault fault = cursor.fault();
        if (!chunk_.cut || !fault.at_end) {
            Finding found = finding(Check::content_damaged, fault.offset);
            found.where = name_of_chunk(chunk_.kind);
            found.expected = fault.expected;
            found.got = fault.found;
            findings_.report(std::move(found));
        }
    } else if (!cursor.at_end()) {
        report(Check::behind_content, cursor.offset(), "the end of the content", counted(cursor.left(), "byte"));
    }
    if (check_ && any_ && !cursor.failed() && !chunk_.cut && (least_ != chunk_.start || greatest_ != chunk_.end)) {
        content_.in_file = true;
        tally(Check::header_times, chunk_.offset,
              std::to_string(least_).append(" to ").append(std::to_string(greatest_)),
              std::to_string(chunk_.start).append(" to ").append(std::to_string(chunk_.end)));
    }
    any_ = false;
    cursor_.reset();
}

bool Scan::next(Item& item) {
    while (!ended_) {
        if (!cursor_ && !open_next_chunk()) {
            if (stopped_) {
                stopped_ = any_since_stop_ = false;
                return false;
            }
            ended_ = true;
            report_tallies();
            break;
        }
        if (chunk_.is(Chunk::block) ? next_transaction(item) : next_relation(item)) {
            any_since_stop_ = true;
            return true;
        }
        close_chunk();
    }
    return false;
}

// --- time window ---

bool Scan::is_outside(const Item& transaction) const noexcept {
    return window_ && transaction.start <= last_tick && window_->leaves_out(transaction.start, transaction.end);
}

/// Skips the elements of a transaction outside the window.
bool Scan::pass_elements(CborItems items) {
    CborCursor& cursor = *cursor_;
    do {
        if (!items.indefinite) cursor.advance(pass_usual_elements(items.left));
        if (!cursor.more(items)) return !cursor.failed();
    } while (cursor.skip(limits_.depth));
    return false;
}

/// Skips attributes whose parts are single heads. Subtracts their number from `left` and returns their size in bytes.
std::size_t Scan::pass_usual_elements(std::uint64_t& left) const noexcept {
    const std::byte* const begin = cursor_->at();
    if (cursor_->left() < element_window) return 0;
    const std::byte* const last = begin + (cursor_->left() - element_window);
    const std::byte* at = begin;
    for (; left != 0 && at <= last; --left) {
        const std::byte* place = at + 2;
        bool usual = (at[0] == begin_byte || at[0] == record_byte || at[0] == end_byte) && at[1] == element_array_byte;
        for (int part = 0; part < 3; ++part) {
            const auto head = std::to_integer<unsigned>(*place);
            const std::size_t size = cbor_argument_shapes[head & 31u].size;
            usual = usual && size != 0 && (head < 0x40 || head >= 0xE0);
            place += size;
        }
        if (!usual) break;
        at = place;
    }
    return static_cast<std::size_t>(at - begin);
}

/// Decides whether blocks may be skipped by their stated times. Reads a sample of these blocks, spread over the file.
void Scan::look_at_block_times() {
    constexpr std::size_t most = 32;
    std::vector<ChunkHead> looked_at;
    std::uint64_t every = 1, found = 0;
    ChunkWalk walk(input_, limits_, nullptr);
    walk.begin();
    for (ChunkHead block; walk.next(block);) {
        if (!block.is(Chunk::block) || block.cut || !window_->leaves_out_block(block.start, block.end)) continue;
        if (found++ % every != 0) continue;
        if (looked_at.size() == most) {
            for (std::size_t i = 0; i < most / 2; ++i)
                looked_at[i] = looked_at[2 * i];
            looked_at.resize(most / 2);
            every *= 2;
            if ((found - 1) % every != 0) continue;
        }
        looked_at.push_back(block);
    }
    leaves_out_blocks_ = true;
    for (const ChunkHead& block : looked_at) {
        if (states_its_times(block)) continue;
        leaves_out_blocks_ = false;
        Finding wrong{&rule(Check::header_times), block.offset, block.size()};
        wrong.expected = "times that include all transactions of the block";
        wrong.got = std::to_string(block.start)
                        .append(" to ")
                        .append(std::to_string(block.end))
                        .append("; the whole file is read, regardless of the times of blocks");
        findings_.report(std::move(wrong));
        break;
    }
}

/// Returns true if the block can be read and all its transactions are within its stated times.
bool Scan::states_its_times(const ChunkHead& block) {
    Findings untold(0);
    ContentSource contents(input_, limits_, untold);
    Content content;
    if (!contents.fetch(block, content)) return false;
    CborCursor cursor(content.bytes, content.base);
    CborItems transactions, elements, parts;
    if (!cursor.array(transactions)) return false;
    while (cursor.more(transactions)) {
        if (!cursor.array(elements)) return false;
        while (cursor.more(elements)) {
            CborHead head;
            if (!cursor.peek(head)) return false;
            if (!is_event(head)) {
                if (!cursor.skip(limits_.depth)) return false;
                continue;
            }
            std::uint64_t tag = 0;
            std::array<std::uint64_t, 4> numbers{};
            std::size_t count = 0;
            if (!cursor.tag(tag) || !cursor.array(parts)) return false;
            for (; cursor.more(parts); ++count)
                if (count < numbers.size() ? !cursor.unsigned_integer(numbers[count]) : !cursor.skip(limits_.depth))
                    return false;
            const auto [start, end] = std::pair(numbers[2], numbers[3]);
            if (count < numbers.size() || start < block.start || std::max(start, end) > block.end) return false;
        }
    }
    return !cursor.failed() && block.end <= last_tick;
}

// --- transactions ---

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

// --- attributes ---

bool Scan::elements(CborItems items, std::uint32_t number, bool with_event) {
    constexpr std::size_t check_every = 1u << 16;
    CborCursor& cursor = *cursor_;
    if (outside_) return pass_elements(items);
    Generator& generator = generators_[number];
    std::uint32_t previous = 0;
    std::size_t checked = check_every;
    for (;;) {
        if (!items.indefinite) cursor.advance(fast_attributes(generator, items.left, previous));
        if (!cursor.more(items)) break;
        if (!element(generator, previous, with_event)) return false;
        if (attributes_.size() >= checked) {
            check_limit(attributes_.size() * sizeof(Attribute), limits_.record, "a transaction", "max-record");
            checked += check_every;
        }
    }
    return !cursor.failed();
}

/// Reads attributes that repeat the previous sequence. Compares their leading bytes instead of decoding them. Subtracts
/// their number from `left` and returns their size in bytes.
std::size_t Scan::fast_attributes(Generator& generator, std::uint64_t& left, std::uint32_t& previous) {
    const std::byte* const begin = cursor_->at();
    if (cursor_->left() < attribute_window) return 0;
    const std::byte* const last = begin + (cursor_->left() - attribute_window);
    const std::byte* at = begin;
    const Column* const columns = generator.columns.data();
    Tally& wide = tallies_[static_cast<std::size_t>(Check::float_wide)];
    const std::uint64_t most = std::min<std::uint64_t>(left, fast_run);
    std::uint64_t done = 0;
    for (; done < most && at <= last; ++done) {
        const std::uint32_t index = columns[previous].next;
        const Column& column = columns[index];
        if ((load_le<std::uint64_t>(at) & column.mask) != column.prefix) break;
        const std::byte* const place = at + column.prefix_size;
        std::uint64_t value = 0;
        const std::size_t size = cbor_argument(place, value);
        const auto first = std::to_integer<unsigned>(*place);
        if (size == 0) break;
        switch (column.decode) {
            case Decode::number:
                if (first > largest_unsigned_byte) return finish_run(begin, at, left, done);
                break;
            case Decode::text: {
                const StringId text = dictionary_.used(value);
                if (first > largest_unsigned_byte || text == none) return finish_run(begin, at, left, done);
                value = text;
                break;
            }
            case Decode::boolean:
                if (*place != false_byte && *place != true_byte) return finish_run(begin, at, left, done);
                value = *place == true_byte ? 1 : 0;
                break;
            case Decode::integer:
                if (first >= 0x40 || value > last_tick) return finish_run(begin, at, left, done);
                if (first >= 0x20) value = ~value;
                break;
            case Decode::floating:
                if (*place == double_byte) {
                    if (wide.count == 0) return finish_run(begin, at, left, done);
                    ++wide.count;
                    break;
                }
                if (*place != single_byte || (value & 0x7F80'0000u) == 0x7F80'0000u)
                    return finish_run(begin, at, left, done);
                value = std::bit_cast<std::uint64_t>(
                    static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value))));
                break;
        }
        attributes_.push_back({index, value});
        previous = index;
        at = place + size;
    }
    return finish_run(begin, at, left, done);
}

bool Scan::element(Generator& generator, std::uint32_t& previous, bool with_event) {
    CborCursor& cursor = *cursor_;
    const std::byte* const from = cursor.at();
    const std::uint64_t at = cursor.offset();
    std::uint64_t tag = 0;
    if (!cursor.tag(tag)) return false;
    const Phase phase = phase_of(tag);
    if (phase == Phase::unknown) {
        const bool event = tag == static_cast<std::uint64_t>(Element::event);
        if (!event || !with_event)
            tally(Check::element_unknown, at, "an attribute (tag 7, 8 or 9)",
                  event ? std::string("a second event") : std::string("tag ").append(std::to_string(tag)));
        return cursor.skip(limits_.depth);
    }
    CborItems parts;
    std::uint64_t name = 0, type = 0;
    const std::uint64_t array_at = cursor.offset();
    if (!cursor.array(parts)) return false;
    if (!parts.indefinite && parts.left < 3) return cursor.fail_at(array_at, "an array of 3");
    for (std::uint64_t* const part : {&name, &type}) {
        if (!cursor.more(parts)) return cursor.failed() ? false : cursor.fail_at(array_at, "an array of 3");
        if (!cursor.unsigned_integer(*part)) return false;
    }
    if (!cursor.more(parts)) return cursor.failed() ? false : cursor.fail_at(array_at, "an array of 3");
    const bool usual = !parts.indefinite && parts.left == 0;
    const auto prefix_size = static_cast<std::size_t>(cursor.at() - from);

    const std::optional<Decoded> decoded = value(type);
    if (cursor.failed()) return false;
    if (decoded && !take_digits(generator, name, phase, *decoded)) {
        const std::uint32_t index = column_of(generator, name, phase, *decoded, at);
        attributes_.push_back({index, decoded->cell});
        Column& column = generator.columns[index];
        constexpr std::size_t longest = sizeof column.prefix;
        // The fast path would take a mark for an attribute of the same name.
        if (usual && decoded->plain && prefix_size <= longest && !is_digits_name(name)) {
            std::array<std::byte, longest> bytes{};
            std::copy_n(from, prefix_size, bytes.begin());
            column.prefix = load_le<std::uint64_t>(bytes.data());
            column.mask = prefix_size == longest ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * prefix_size) - 1;
            column.prefix_size = static_cast<std::uint8_t>(prefix_size);
            generator.columns[previous].next = index;
        }
        previous = index;
    }
    while (cursor.more(parts))
        if (!cursor.skip(limits_.depth)) return false;
    return !cursor.failed();
}

/// Returns true if marks with digits may have this name.
bool Scan::is_digits_name(std::uint64_t name) {
    if (!folds_digits_ || digits_name_ == none) return false;
    Dictionary::Entry* const entry = dictionary_.find(name);
    return entry != nullptr && dictionary_.name_number(*entry) == digits_name_;
}

/// Adds the digits to the number before them if the attribute is the first mark with digits behind it. Returns false
/// for any other attribute.
bool Scan::take_digits(const Generator& generator, std::uint64_t name, Phase phase, const Decoded& decoded) {
    if (phase != Phase::record || decoded.decode != Decode::integer || attributes_.size() == marked_) return false;
    Attribute& number = attributes_.data()[attributes_.size() - 1];
    if (generator.columns[number.field].decode != Decode::floating || !is_digits_name(name)) return false;
    number.value += decoded.cell;
    marked_ = attributes_.size();
    return true;
}

/// Reads the value at the cursor. Returns nullopt if the item at the cursor is malformed. Also returns nullopt, after a
/// finding, if the value does not have the stated type and is therefore omitted.
std::optional<Scan::Decoded> Scan::value(std::uint64_t type) {
    CborCursor& cursor = *cursor_;
    const std::uint64_t at = cursor.offset();
    CborHead head;
    if (!cursor.peek(head)) return std::nullopt;
    if (head.is_break()) {
        cursor.fail_at(at, "a value");
        return std::nullopt;
    }
    const auto leave_out = [&](Check check, std::string_view expected, const std::string& got) {
        tally(check, at, expected, got);
        cursor.skip(limits_.depth);
        return std::nullopt;
    };
    if (type >= known_values) return leave_out(Check::type_unknown, "a type from 0 to 11", std::to_string(type));
    const auto kind = static_cast<Value>(type);
    const bool natural = head.major == CborMajor::unsigned_integer;
    const bool negative = head.major == CborMajor::negative_integer;
    Decoded decoded{type_of(kind), Decode::number, head.argument, true};
    switch (kind) {
        case Value::boolean:
            decoded.decode = Decode::boolean;
            if (natural)
                tally(Check::boolean_form, at, "true or false", std::to_string(head.argument));
            else if (!head.is_boolean())
                return leave_out(Check::value_form, "a boolean", cursor.describe());
            decoded.cell = natural ? head.argument != 0 : head.info == CborHead::true_info;
            break;
        case Value::integer:
            decoded.decode = Decode::integer;
            if (!(natural || (negative && head.argument <= last_tick)))
                return leave_out(Check::value_form, "an integer of 64 bits", cursor.describe());
            if (negative) decoded.cell = ~head.argument;
            if (natural && head.argument > last_tick) {
                tally(Check::integer_large, at, "at most 2^63-1", std::to_string(head.argument));
                decoded.type = Type::u64;
                decoded.plain = false;  // the next value after the same leading bytes may be signed
            }
            break;
        case Value::unsigned_integer:
        case Value::pointer:
        case Value::time:
            if (!natural && !negative) return leave_out(Check::value_form, "an unsigned integer", cursor.describe());
            if (negative) {
                tally(Check::negative_unsigned, at, "an unsigned integer", cursor.describe());
                decoded.cell = ~head.argument;
            }
            break;
        case Value::floating:
        case Value::fixed_point:
        case Value::unsigned_fixed_point: {
            decoded.decode = Decode::floating;
            if (!head.is_float() && !natural && !negative)
                return leave_out(Check::value_form, "a float", cursor.describe());
            double number = 0;
            if (head.is_float()) {
                number = cbor_float(head);
                if (head.info == CborHead::double_info) tally(Check::float_wide, at, "binary32", "binary64");
            } else {
                number = static_cast<double>(head.argument);
                if (negative) number = -1.0 - number;
            }
            if (head.info == CborHead::half_info || !head.is_float())
                tally(Check::float_form, at, "a float of 32 or 64 bits", cursor.describe());
            decoded.cell = std::bit_cast<std::uint64_t>(number);
            break;
        }
        case Value::enumeration:
        case Value::bit_vector:
        case Value::logic_vector:
        case Value::string: {
            decoded.decode = Decode::text;
            if (!natural) return leave_out(Check::value_form, "a key of the dictionary", cursor.describe());
            const StringId text = text_value(head.argument, at);
            if (text == none) {
                cursor.skip(limits_.depth);
                return std::nullopt;
            }
            decoded.cell = text;
            break;
        }
        case Value::nothing:
            break;
    }
    cursor.skip(limits_.depth);
    return decoded;
}

StringId Scan::text_value(std::uint64_t key, std::uint64_t at) {
    const StringId used = dictionary_.used(key);
    if (used != none) return used;
    const Dictionary::Entry* const entry = dictionary_.find(key);
    if (entry == nullptr) {
        tally(Check::text_undefined, at, "a key of the dictionary", std::to_string(key));
        return none;
    }
    if (entry->chunk > chunk_.offset) tally(Check::text_late, at, "a key that is already defined", std::to_string(key));
    const StringId text = schema_.intern(dictionary_.text(*entry));
    dictionary_.use(*entry, text);
    return text;
}

/// Returns the name id of an undefined key.
std::uint64_t Scan::number_without_name(std::uint64_t key) {
    constexpr std::uint64_t behind_names = std::uint64_t{1} << 40;
    return behind_names | without_names_.try_emplace(key, without_names_.size()).first->second;
}

std::uint32_t Scan::column_of(Generator& generator, std::uint64_t name, Phase phase, const Decoded& decoded,
                              std::uint64_t at) {
    Dictionary::Entry* const entry = dictionary_.find(name);
    const std::uint64_t number = entry != nullptr ? dictionary_.name_number(*entry) : number_without_name(name);
    const std::uint64_t key =
        number << 16 | static_cast<std::uint64_t>(phase) << 8 | static_cast<std::uint64_t>(decoded.type);
    if (entry == nullptr) tally(Check::text_undefined, at, "a key of the dictionary", std::to_string(name));
    const auto [found, is_new] =
        generator.by_key.try_emplace(key, static_cast<std::uint32_t>(generator.columns.size()));
    if (is_new) {
        if (entry != nullptr && entry->chunk > chunk_.offset)
            tally(Check::text_late, at, "a key that is already defined", std::to_string(name));
        generator.columns.emplace_back().decode = decoded.decode;
        ++fields_;
        check_schema_size();
        if (generator.track != none) {
            Field field;
            field.name = dictionary_.name(name);
            field.type = decoded.type;
            field.phase = phase;
            schema_.add_attribute(generator.track, std::move(field));
        }
    }
    return found->second;
}

// --- relations ---

bool Scan::next_relation(Item& item) {
    CborCursor& cursor = *cursor_;
    while (cursor.more(items_)) {
        const std::uint64_t at = cursor.offset();
        CborItems parts;
        if (!cursor.array(parts)) return false;
        std::array<std::uint64_t, relation_elements> numbers{};
        std::size_t count = 0;
        for (; cursor.more(parts); ++count)
            if (count < numbers.size() ? !cursor.unsigned_integer(numbers[count]) : !cursor.skip(limits_.depth))
                return false;
        if (cursor.failed()) return false;
        if (count != relation_elements && count != old_relation_elements)
            tally(Check::relation_size, at, "5 or 3 elements", std::to_string(count));
        if (count < old_relation_elements) continue;
        const bool streams = count >= relation_elements;
        if (count == old_relation_elements) tally(Check::relation_old, at, "5 elements", "3");
        std::copy_n(numbers.begin() + 1, cells_.size(), cells_.begin());
        item.kind = Item::Kind::relation;
        find_relation_track(numbers[0], streams, at);
        const std::span<const std::uint64_t> cells(cells_);
        item.track = last_relation_.track;
        item.cells = cells.first(last_relation_.cells);
        if (identities_) check_relation(cells.first(streams ? 4 : 2), at);
        ++relations_;
        return true;
    }
    return false;
}

/// Sets last_relation_.
void Scan::find_relation_track(std::uint64_t name, bool streams, std::uint64_t at) {
    if (last_relation_.is_defined && last_relation_.name == name && last_relation_.streams == streams) [[likely]]
        return;
    Dictionary::Entry* const entry = dictionary_.find(name);
    if (entry == nullptr)
        tally(Check::text_undefined, at, "a key of the dictionary", std::to_string(name));
    else if (entry->chunk > chunk_.offset)
        tally(Check::text_late, at, "a key that is already defined", std::to_string(name));
    const bool states_streams = streams && (entry == nullptr || !without_streams_.contains(dictionary_.text(*entry)));
    const std::uint64_t key = (entry != nullptr ? dictionary_.name_number(*entry) : number_without_name(name)) << 1 |
                              (states_streams ? 1u : 0u);
    const auto [found, is_new] = relation_tracks_.try_emplace(key, none);
    if (is_new) {
        Track track;
        track.kind = Track::Kind::relation_type;
        track.name = dictionary_.name(name);
        track.time = time_;
        track.fields = {{std::string(conventions::relation_from), Type::u64},
                        {std::string(conventions::relation_to), Type::u64}};
        if (states_streams) {
            track.fields.push_back({std::string(conventions::relation_source_stream), Type::u64});
            track.fields.push_back({std::string(conventions::relation_sink_stream), Type::u64});
        }
        found->second = schema_.declare(std::move(track));
        check_schema_size();
    }
    last_relation_ = {name, streams, found->second, states_streams ? std::size_t{4} : std::size_t{2}, entry != nullptr};
}

void Scan::check_relation(std::span<const std::uint64_t> cells, std::uint64_t at) {
    const Finding here = finding(Check::relation_end, at);
    const bool streams = cells.size() == cells_.size();
    for (std::size_t i = 0; i < 2; ++i) {
        RelationEnd end{cells[i], std::nullopt, here.offset, here.inner_offset};
        if (streams) end.stream = cells[2 + i];
        check_end(end, false);
    }
}

/// Checks one end of a relation. If `last` is set, no more transactions follow.
void Scan::check_end(const RelationEnd& end, bool last) {
    const std::optional<std::uint32_t> stream = identities_->stream_of(end.transaction);
    if (!stream && !last) return identities_->await(end);
    Finding here{&rule(stream ? Check::relation_stream : Check::relation_end), end.offset};
    here.inner_offset = end.inner_offset;
    if (!stream)
        tally(Check::relation_end, std::move(here), "a transaction of the file", std::to_string(end.transaction));
    else if (end.stream && *end.stream != streams_[*stream].id)
        tally(Check::relation_stream, std::move(here),
              std::string("stream ")
                  .append(std::to_string(streams_[*stream].id))
                  .append(" of transaction ")
                  .append(std::to_string(end.transaction)),
              std::to_string(*end.stream));
}

Facts Scan::facts() const {
    Facts facts;
    const auto fact = [&](std::string_view key, auto value) { facts.emplace_back(key, std::move(value)); };
    fact("chunks", chunks_);
    fact("blocks", blocks_);
    fact("compression", compressed_ == 0 ? "none" : plain_ == 0 ? "LZ4" : "LZ4 and none");
    fact("exponent", exponent_);
    if (const auto seconds = epoch_ ? parse_decimal<std::int64_t>(*epoch_) : std::nullopt)
        fact("epoch", *seconds);
    else if (epoch_)
        fact("epoch", *epoch_);
    fact("texts", dictionary_.entries().size());
    if (has_old_relations_) fact("relation elements", old_relation_elements);
    if (ended_) {
        fact("transactions", transactions_);
        fact("relations", relations_);
    }
    return facts;
}

}  // namespace hwtrace::ftr

#include "writer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <unordered_map>

#include "chunk_writer.hpp"
#include "codec.hpp"
#include "codec/utf8.hpp"
#include "creation_time.hpp"
#include "dictionary_writer.hpp"
#include "directory_writer.hpp"
#include "field_index.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/hex_digits.hpp"
#include "label_numbers.hpp"
#include "model/conventions.hpp"
#include "model/interval_identity.hpp"
#include "model/transaction_types.hpp"
#include "options.hpp"
#include "schema_mark.hpp"
#include "stream_table.hpp"
#include "timescale.hpp"
#include "wire.hpp"

namespace hwtrace::ftr {

namespace {

namespace names = conventions;

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();
/// Readers count times with 63 bits.
constexpr std::uint64_t latest = std::numeric_limits<Tick>::max();
/// Blocks of many streams that wait to be full take no more than this together.
constexpr std::size_t most_waiting = std::size_t{32} << 20;
/// The subject of a loss: in what order streams take turns.
constexpr std::string_view turns = "streams";
/// Where only some of the tracks tell numbers of their transactions, others get them from here on.
constexpr std::uint64_t first_made_beside_stated = std::uint64_t{1} << 48;

enum class Doubles : std::uint8_t { smallest, binary32, binary64 };

Doubles chosen_doubles(const Settings& settings) {
    const std::string text = settings.text(options, doubles_option);
    return text == "binary32" ? Doubles::binary32 : text == "binary64" ? Doubles::binary64 : Doubles::smallest;
}

bool is_chosen(const Settings& settings, std::string_view key, std::string_view value) {
    return settings.text(options, key) == value;
}

/// True for traces of streams that have numbers, as recordings of transactions do.
bool is_numbered(const Schema& schema) {
    return std::all_of(schema.scopes().begin(), schema.scopes().end(),
                       [](const Scope& scope) { return scope.parent == none && scope.native_id; });
}

/// True for a trace as the reader of this format tells it: which was created at some time, too.
bool is_of_ftr(const Schema& schema) {
    return schema.metadata(names::ftr_epoch) != nullptr && is_numbered(schema);
}

Element element_of(Phase phase) noexcept {
    switch (phase) {
        case Phase::unknown:
        case Phase::begin:
            return Element::begin;
        case Phase::record:
            return Element::record;
        case Phase::end:
            return Element::end;
    }
    return Element::begin;
}

class FileWriter final : public Writer {
public:
    FileWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
        : schema_(schema),
          losses_(losses),
          limits_(settings.limits),
          heads_(is_chosen(settings, ints_option, "upstream")),
          doubles_(chosen_doubles(settings)),
          order_(settings.text(options, order_option)),
          stream_times_(is_chosen(settings, times_option, "stream")),
          looks_up_streams_(is_chosen(settings, relations_option, "streams")),
          keeps_chunks_(is_chosen(settings, blocks_option, "source") && is_of_ftr(schema)),
          counts_turns_(is_chosen(settings, blocks_option, "source")),
          places_relations_(counts_turns_ && !is_of_ftr(schema) && settings.source_format != "ftr"),
          chunks_(output, heads_, is_chosen(settings, compression_option, "lz4") ? Compression::lz4 : Compression::off),
          dictionary_(schema, is_chosen(settings, dictionary_option, "used") ? Texts::used : Texts::source,
                      is_chosen(settings, text_option, "bytes") ? NotUtf8::kept : NotUtf8::replaced, settings.limits,
                      losses),
          directory_(schema, dictionary_, heads_, losses),
          table_(settings.limits),
          epoch_(settings.text(options, epoch_option)) {
        if (epoch_.empty()) {
            const std::string* const stated = schema.metadata(names::ftr_epoch);
            epoch_is_fact_ = stated != nullptr && !is_creation_time(*stated);
            epoch_ = stated != nullptr && !epoch_is_fact_ && *stated != names::ftr_no_epoch ? *stated
                     : settings.created ? std::to_string(*settings.created)
                                        : std::string(names::ftr_no_epoch);
        } else if (!is_creation_time(epoch_)) {
            fail(Failure::usage, "--ftr-epoch takes seconds since 1970, not '" + epoch_ + "'");
        }
    }

    void write(const Batch& batch) override {
        begin();
        for (const Record& record : batch.records()) {
            if (record.kind == Kind::interval) [[likely]]
                transaction(batch, record);
            else if (record.kind == Kind::relation)
                relation(batch, record);
            else
                losses_.count(Loss::kind_dropped, schema_.tracks()[record.track].name,
                              [&] { return "at " + std::to_string(record.time); });
            last_time_ = record.time;
            last_track_ = record.track;
        }
    }

    void checkpoint() override {
        begin();
        flush_blocks();
        flush_relations();
        open_ = none;
    }

    void finish() override {
        begin();
        dictionary_.take_source();
        dictionary_.flush(chunks_, heads_);
        flush_blocks();
        resolve_relations();
        flush_relations();
        write_metadata();
        chunks_.finish();
    }

private:
    /// How the value of an attribute is stored.
    enum class Form : std::uint8_t { boolean, label, integer, natural, floating, single, text, time };
    /// An attribute of a track: what stands in front of its value.
    struct Code {
        std::array<std::byte, 16> front{};
        std::uint8_t size = 0;  ///< 0: not known yet
        Form form = Form::natural;
    };
    struct Lane {
        bool known = false;
        bool direct = false;  ///< its ticks are the file's
        bool states_numbers = false;
        std::uint32_t block = none;  ///< index of the stream
        std::uint64_t generator = 0;
        Ratio ticks;  ///< of the file, in a tick
        std::vector<Code> codes;
        FieldIndex fields;
    };
    struct RelationLane {
        bool known = false;
        std::uint64_t name = 0;
        std::uint32_t streams = none;  ///< the field of the first stream
        bool ambiguous = false;        ///< another track's relations look the same
    };
    /// A transaction in a block that may have to be sorted.
    struct Place {
        std::uint64_t end, start;
        std::size_t offset;
        std::uint32_t size;
        TrackId track;
    };
    /// What a stream has that is not written yet.
    struct Block {
        std::uint64_t number = 0;
        bool by_end = false;  ///< to be sorted
        bool sorted = true;
        std::uint64_t start = greatest, end = 0;                ///< of its transactions
        std::uint64_t stream_start = greatest, stream_end = 0;  ///< of all that the stream had
        std::uint64_t first_arrival = 0, last_arrival = 0;      ///< of its transactions, among all
        Appender content;
        std::vector<Place> places;  ///< where it may have to be sorted
    };
    struct Held {
        std::uint64_t name, from, to;
        TrackId track;
    };

    // --- what stands before transactions ---

    void begin() {
        if (!begun_) {
            begun_ = true;
            exponent_ = choose_exponent(schema_.tracks());
            write_info();
            decide_numbers();
        }
        if (known_scopes_ == schema_.scopes().size() && known_tracks_ == schema_.tracks().size()) return;
        known_scopes_ = schema_.scopes().size();
        known_tracks_ = schema_.tracks().size();
        directory_.update(chunks_);
        lanes_.resize(known_tracks_);
        for (std::size_t i = blocks_.size(); i < directory_.streams().size(); ++i) {
            const DirectoryWriter::Stream& stream = directory_.streams()[i];
            Block& block = blocks_.emplace_back();
            block.number = stream.number;
            const bool has_number = stream.scope != none && schema_.scopes()[stream.scope].native_id;
            block.by_end = order_ == "end" || (order_ == "auto" && !has_number);
        }
    }

    void write_info() {
        Appender info;
        heads_.append(info, Major::array, 2);
        heads_.append_signed(info, exponent_);
        heads_.append(info, Major::tag, epoch_tag);
        put_creation_time(epoch_, heads_, info);
        chunks_.put(Chunk::info, {}, info.span());
    }

    void decide_numbers() {
        bool some = false, all = true;
        for (const Track& track : schema_.tracks()) {
            if (track.kind != Track::Kind::stream) continue;
            const bool stated = states_numbers(track);
            some = some || stated;
            all = all && stated;
        }
        if (some && !all) next_made_ = first_made_beside_stated;
        // Made numbers tell the order (SchemaMark); of others, what streams have in turns stands one after the other.
        numbers_tell_order_ = !some;
        loses_turns_ = some && !keeps_chunks_ && counts_turns_;
    }

    Lane& lane_of(TrackId track) {
        if (lanes_[track].known) [[likely]]
            return lanes_[track];
        return make_lane(track);
    }

    Lane& make_lane(TrackId id) {
        const Track& track = schema_.tracks()[id];
        Lane& lane = lanes_[id];
        lane.known = true;
        lane.block = directory_.generators()[id].stream;
        lane.generator = directory_.generators()[id].number;
        lane.states_numbers = states_numbers(track);
        const std::optional<Ratio> ticks = ticks_in(track.time, exponent_);
        if (!ticks) fail(Failure::input, "the ticks of '" + track.name + "' are too long for this format");
        lane.ticks = *ticks;
        lane.direct = lane.ticks == Ratio{1, 1};
        return lane;
    }

    // --- transactions ---

    void transaction(const Batch& batch, const Record& record) {
        Lane& lane = lane_of(record.track);
        Block& block = blocks_[lane.block];
        if (keeps_chunks_ && open_ != lane.block) [[unlikely]]
            turn_to(lane.block);

        std::span<const Attribute> attributes = batch.attributes(record);
        std::uint64_t number = 0;
        if (lane.states_numbers && !attributes.empty() && attributes.front().field == 0) [[likely]] {
            number = attributes.front().value;
            attributes = attributes.subspan(1);
        } else {
            number = make_number(lane, record);
        }
        greatest_number_ = std::max(greatest_number_, number);
        if (looks_up_streams_) table_.set(number, lane.block);

        auto start = static_cast<std::uint64_t>(record.time);
        std::uint64_t stop = start + record.value;
        if (record.time < 0 || stop < start || stop > latest || !lane.direct) [[unlikely]]
            convert_times(lane, record, start, stop);

        if (block.content.empty()) *block.content.grow(1) = begin_of_array;
        const std::size_t offset = block.content.size();
        const Heads heads = heads_;
        constexpr std::size_t most_front = longest_head + 2 + 4 * longest_head;
        constexpr std::size_t most_attribute = sizeof(Code::front) + longest_head;
        const std::size_t bound = most_front + attributes.size() * most_attribute;
        std::byte* const first = block.content.grow(bound);
        std::byte* at = heads.put(first, Major::array, attributes.size() + 1);
        at = heads.put(at, Major::tag, static_cast<std::uint64_t>(Element::event));
        at = heads.put(at, Major::array, 4);
        at = heads.put(at, number);
        at = heads.put(at, lane.generator);
        at = heads.put(at, start);
        at = heads.put(at, stop);
        for (const Attribute& attribute : attributes)
            at = put_attribute(at, heads, lane, record, attribute);
        const auto size = static_cast<std::size_t>(at - first);
        block.content.shrink(bound - size);

        block.last_arrival = ++arrivals_;
        if (offset == 1) block.first_arrival = arrivals_;
        block.start = std::min(block.start, start);
        if (block.by_end) {
            block.sorted = block.sorted && (block.places.empty() || stop >= block.places.back().end);
            block.places.push_back({stop, start, offset, static_cast<std::uint32_t>(size), record.track});
        }
        block.end = std::max(block.end, stop);
        waiting_ += size;
        if (block.content.size() > block_size) [[unlikely]]
            flush_block(block);
        else if (waiting_ > most_waiting) [[unlikely]]
            flush_blocks();
    }

    [[gnu::cold, gnu::noinline]] std::uint64_t make_number(const Lane& lane, const Record& record) {
        if (lane.states_numbers)
            losses_.count(Loss::type_changed, schema_.tracks()[record.track].name, [&] {
                return "the interval at " + std::to_string(record.time) + " has no number; it gets one";
            });
        return ++next_made_;
    }

    /// Times in ticks of the file; what it cannot say is counted, and told as nearly as it can.
    void convert_times(const Lane& lane, const Record& record, std::uint64_t& start, std::uint64_t& stop) {
        const std::uint64_t before_zero = record.time < 0 ? 0 - static_cast<std::uint64_t>(record.time) : 0;
        const Wide begin_tick = record.time < 0 ? 0 : static_cast<std::uint64_t>(record.time);
        const Wide end_tick = begin_tick + (record.value > before_zero ? record.value - before_zero : 0);
        bool exact = record.time >= 0;
        start = in_file(begin_tick, lane.ticks, latest, exact);
        stop = in_file(end_tick, lane.ticks, latest, exact);
        if (!exact)
            losses_.count(Loss::time_rounded, schema_.tracks()[record.track].name, [&] {
                return "at " + std::to_string(record.time) + ": no whole tick of 10^" + std::to_string(exponent_) +
                       " s, or none that the file can state";
            });
    }

    static std::uint64_t in_file(Wide tick, Ratio ticks, std::uint64_t most, bool& exact) {
        // A tick may have 65 bits (a begin and a duration), the ratio 64.
        if (ticks.num != 0 && tick > ~Wide{0} / ticks.num) {
            exact = false;
            return most;
        }
        const Wide scaled = tick * ticks.num;
        const Wide value = scaled / ticks.den;
        exact = exact && scaled % ticks.den == 0 && value <= most;
        return static_cast<std::uint64_t>(std::min(value, Wide{most}));
    }

    std::byte* put_attribute(std::byte* at, Heads heads, Lane& lane, const Record& record, const Attribute& attribute) {
        if (attribute.field >= lane.codes.size() || lane.codes[attribute.field].size == 0) [[unlikely]]
            prepare(lane, record, attribute.field);
        const Code& code = lane.codes[attribute.field];
        std::memcpy(at, code.front.data(), sizeof code.front);
        at += code.size;
        switch (code.form) {
            case Form::natural:
                return heads.put(at, attribute.value);
            case Form::text:
                return heads.put(at, dictionary_.number(static_cast<StringId>(attribute.value)));
            case Form::integer:
                return heads.put_signed(at, static_cast<std::int64_t>(attribute.value));
            case Form::boolean:
                *at = attribute.value != 0 ? true_value : false_value;
                return at + 1;
            case Form::floating:
                return put_double(at, attribute.value, record, attribute.field);
            case Form::single:
                return Heads::put_binary32(at, static_cast<std::uint32_t>(attribute.value));
            case Form::label:
                return heads.put(at, label(record, attribute));
            case Form::time:
                return heads.put(at, time(lane, record, attribute));
        }
        return at;
    }

    /// What stands in front of the values of the track's field.
    [[gnu::cold, gnu::noinline]] void prepare(Lane& lane, const Record& record, std::uint32_t index) {
        const Track& track = schema_.tracks()[record.track];
        const Field& field = track.fields.at(index);
        if (index >= lane.codes.size()) lane.codes.resize(track.fields.size());
        Code& code = lane.codes[index];
        std::array<std::byte, 4 * longest_head> front;
        std::byte* at = heads_.put(front.data(), Major::tag, static_cast<std::uint64_t>(element_of(field.phase)));
        at = heads_.put(at, Major::array, 3);
        at = heads_.put(at, dictionary_.number_of_name(field.name));
        at = heads_.put(at, transaction_type_of(field.type).number);
        code.size = static_cast<std::uint8_t>(at - front.data());  // at most 1 + 1 + 9 + 1
        std::copy_n(front.begin(), code.size, code.front.begin());
        code.form = form_of(field);
        lane.fields.follow(track.fields, lane.states_numbers ? 1 : 0);  // numbers are no attributes in a file
        if (lane.fields.find(field) < index)
            losses_.count(Loss::type_changed, field_name(record, index), [&] {
                return "at " + std::to_string(record.time) + ": another attribute of that name is stored as it is";
            });
        if (lane.states_numbers && index == 0)
            losses_.count(Loss::type_changed, track.name,
                          [&] { return "the interval at " + std::to_string(record.time) + " has two numbers"; });
    }

    static Form form_of(const Field& field) noexcept {
        switch (field.type) {
            case Type::u8:
            case Type::u16:
            case Type::u32:
            case Type::u64:
            case Type::blob:
            case Type::pointer:
                return Form::natural;
            case Type::i8:
            case Type::i16:
            case Type::i32:
            case Type::i64:
                return Form::integer;
            case Type::f32:
                return Form::single;
            case Type::f64:
            case Type::fixed:
            case Type::ufixed:
                return Form::floating;
            case Type::boolean:
                return Form::boolean;
            case Type::enumeration:
                return Form::label;
            case Type::text:
            case Type::label:
            case Type::bits:
            case Type::logic:
                return Form::text;
            case Type::time:
                return Form::time;
        }
        return Form::natural;
    }

    std::byte* put_double(std::byte* at, std::uint64_t bits, const Record& record, std::uint32_t field) {
        if (doubles_ == Doubles::binary64) return Heads::put_binary64(at, bits);
        const auto value = std::bit_cast<double>(bits);
        constexpr double largest = std::numeric_limits<float>::max();
        if (std::isnan(value)) {
            // Its upper bits are the smaller form, where it is a quiet one: others come back as another NaN.
            constexpr std::uint64_t quiet = std::uint64_t{1} << 51, lower = (std::uint64_t{1} << 29) - 1;
            const auto single =
                static_cast<std::uint32_t>((bits >> 63 << 31) | 0x7F80'0000u | (bits >> 29 & 0x7F'FFFFu));
            if ((bits & quiet) != 0 && (bits & lower) == 0) return Heads::put_binary32(at, single);
            if (doubles_ == Doubles::smallest) return Heads::put_binary64(at, bits);
            count_narrowed(record, field);
            return Heads::put_binary32(at, single | 0x40'0000u);
        }
        const float nearest = std::fabs(value) <= largest ? static_cast<float>(value)
                                                          : std::copysign(std::numeric_limits<float>::infinity(),
                                                                          std::signbit(value) ? -1.0f : 1.0f);
        if (static_cast<double>(nearest) != value) [[unlikely]] {
            if (doubles_ == Doubles::smallest) return Heads::put_binary64(at, bits);
            count_narrowed(record, field);
        }
        return Heads::put_binary32(at, std::bit_cast<std::uint32_t>(nearest));
    }

    std::string field_name(const Record& record, std::uint32_t field) const {
        const Track& track = schema_.tracks()[record.track];
        return track.name + '.' + track.fields[field].name;
    }

    [[gnu::cold, gnu::noinline]] void count_narrowed(const Record& record, std::uint32_t field) {
        losses_.count(Loss::value_narrowed, field_name(record, field),
                      [&] { return "at " + std::to_string(record.time) + ": binary32 has no such number"; });
    }

    std::uint64_t label(const Record& record, const Attribute& attribute) {
        const EnumId id = schema_.tracks()[record.track].fields[attribute.field].enumeration;
        const bool known = id < schema_.enums().size();
        const std::size_t slot = known ? id + std::size_t{1} : 0;
        if (slot >= labels_.size()) labels_.resize(slot + 1);
        const LabelNumbers::Label found =
            labels_[slot].of(attribute.value, known ? schema_.enums()[id] : without_labels_, dictionary_);
        if (!found.leads_back)
            losses_.count(Loss::type_changed, field_name(record, attribute.field), [&] {
                return "at " + std::to_string(record.time) + ": no label stands for " +
                       std::to_string(attribute.value) + " alone";
            });
        return found.number;
    }

    std::uint64_t time(const Lane& lane, const Record& record, const Attribute& attribute) {
        if (lane.direct) return attribute.value;
        bool exact = true;
        const std::uint64_t ticks = in_file(attribute.value, lane.ticks, greatest, exact);
        if (!exact)
            losses_.count(Loss::time_rounded, field_name(record, attribute.field),
                          [&] { return "at " + std::to_string(record.time); });
        return ticks;
    }

    // --- blocks ---

    static constexpr std::uint32_t relations_open = none - 1;

    /// Of a source with chunks of its own: what comes now stands in another one, so the last one is whole.
    void turn_to(std::uint32_t chunk) {
        if (open_ == relations_open)
            flush_relations();
        else if (open_ != none)
            flush_block(blocks_[open_]);
        open_ = chunk;
    }

    void flush_blocks() {
        std::vector<Block*> waiting;
        for (Block& block : blocks_)
            if (!block.content.empty()) waiting.push_back(&block);
        std::sort(waiting.begin(), waiting.end(), [](const Block* a, const Block* b) { return a->number < b->number; });
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (loses_turns_ && i + 1 < waiting.size() && waiting[i + 1]->first_arrival < waiting[i]->last_arrival)
                count_turn(*waiting[i]);
            put_block(*waiting[i]);
        }
    }

    void flush_block(Block& block) {
        if (block.content.empty()) return;
        const bool overtakes =
            loses_turns_ && std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& other) {
                return &other != &block && !other.content.empty() && other.first_arrival < block.last_arrival;
            });
        if (overtakes) count_turn(block);
        put_block(block);
    }

    void put_block(Block& block) {
        dictionary_.take_source();
        dictionary_.flush(chunks_, heads_);
        waiting_ -= block.content.size() - 1;
        if (!block.sorted) sort_block(block);
        *block.content.grow(1) = end_of_array;
        block.stream_start = std::min(block.stream_start, block.start);
        block.stream_end = std::max(block.stream_end, block.end);
        const std::array<std::uint64_t, 3> parameters{block.number, stream_times_ ? block.stream_start : block.start,
                                                      stream_times_ ? block.stream_end : block.end};
        chunks_.put(Chunk::block, parameters, block.content.span());
        block.content.clear();
        if (blocks_.size() > most_kept_buffers) block.content = Appender();
        block.places.clear();
        block.sorted = true;
        block.start = greatest;
        block.end = 0;
    }

    [[gnu::cold, gnu::noinline]] void count_turn(const Block& block) {
        losses_.count(Loss::order_changed, turns, [&] {
            return "a block of stream " + std::to_string(block.number) + " stands in front of what came before";
        });
    }

    void sort_block(Block& block) {
        order_of_places_.resize(block.places.size());
        for (std::uint32_t i = 0; i < order_of_places_.size(); ++i)
            order_of_places_[i] = i;
        const auto& places = block.places;
        std::sort(order_of_places_.begin(), order_of_places_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return places[a].end != places[b].end ? places[a].end < places[b].end : a < b;
        });
        if (!numbers_tell_order_) count_reordered(block);
        sorted_.clear();
        *sorted_.grow(1) = begin_of_array;
        for (const std::uint32_t i : order_of_places_)
            sorted_.bytes(block.content.span().subspan(places[i].offset, places[i].size));
        std::swap(sorted_, block.content);
    }

    /// The order of intervals of a track counts where they begin at one time.
    void count_reordered(const Block& block) {
        const auto& places = block.places;
        // By track and begin, then as they stand now: the source's order must ascend.
        std::vector<std::uint32_t>& ranks = ranks_;
        ranks.resize(places.size());
        for (std::uint32_t rank = 0; rank < order_of_places_.size(); ++rank)
            ranks[order_of_places_[rank]] = rank;
        by_begin_ = order_of_places_;
        std::sort(by_begin_.begin(), by_begin_.end(), [&](std::uint32_t a, std::uint32_t b) {
            if (places[a].track != places[b].track) return places[a].track < places[b].track;
            if (places[a].start != places[b].start) return places[a].start < places[b].start;
            return ranks[a] < ranks[b];
        });
        for (std::size_t i = 1; i < by_begin_.size(); ++i) {
            const Place& before = places[by_begin_[i - 1]];
            const Place& here = places[by_begin_[i]];
            if (before.track == here.track && before.start == here.start && by_begin_[i - 1] > by_begin_[i])
                losses_.count(Loss::order_changed, schema_.tracks()[here.track].name, [&] {
                    return "at " + std::to_string(here.start) + ": the one that ends first is first";
                });
        }
    }

    // --- relations ---

    void relation(const Batch& batch, const Record& record) {
        if (keeps_chunks_ && open_ != relations_open) [[unlikely]]
            turn_to(relations_open);
        if (record.track >= relation_lanes_.size()) relation_lanes_.resize(schema_.tracks().size());
        RelationLane& lane = relation_lanes_[record.track];
        const Track& track = schema_.tracks()[record.track];
        if (!lane.known) {
            lane.known = true;
            lane.name = dictionary_.number_of_name(track.name);
            lane.streams = streams_field(track);
            lane.ambiguous = first_relation_like(track) < record.track;
        }
        if (lane.ambiguous)
            losses_.count(Loss::scope_flattened, track.name, [&] {
                return "at " + std::to_string(record.time) + ": relations have no scope, and another one has this name";
            });
        const std::span<const std::uint64_t> cells = batch.cells(record);
        if (cells.size() < 2) return drop_relation(record.track, "it has no ends");
        for (std::size_t i = 2; i < std::min(cells.size(), track.fields.size()); ++i)
            if (lane.streams == none || (i != lane.streams && i != lane.streams + 1))
                losses_.count(Loss::field_dropped, track.name + '.' + track.fields[i].name,
                              [&] { return "of " + std::to_string(cells[0]) + " to " + std::to_string(cells[1]); });
        const bool is_timed = last_track_ == none
                                  ? record.time != 0
                                  : record.time != last_time_ && schema_.tracks()[last_track_].time == track.time;
        if (keeps_chunks_ && is_timed)
            losses_.count(Loss::time_rounded, track.name, [&] {
                return "of " + std::to_string(cells[0]) + " to " + std::to_string(cells[1]) + " at " +
                       std::to_string(record.time) + ": its time is that of what stands before it";
            });
        if (places_relations_)
            losses_.count(Loss::order_changed, track.name, [&] {
                return "of " + std::to_string(cells[0]) + " to " + std::to_string(cells[1]) +
                       ": its place among transactions";
            });
        if (lane.streams != none && lane.streams + 1 < cells.size()) {
            put_relation(lane.name, cells[0], cells[1], std::pair(cells[lane.streams], cells[lane.streams + 1]));
        } else if (!looks_up_streams_) {
            put_relation(lane.name, cells[0], cells[1], std::nullopt);
        } else if (const auto streams = streams_of(cells[0], cells[1])) {
            put_relation(lane.name, cells[0], cells[1], streams);
        } else {
            held_.push_back({lane.name, cells[0], cells[1], record.track});
            check_limit(held_.size() * sizeof(Held), limits_.block, "relations in front of their transactions",
                        "max-block");
        }
    }

    /// The first track whose relations look like those of this one in a file.
    TrackId first_relation_like(const Track& relation) {
        const auto key = [](const Track& track) {
            return std::string(streams_field(track) == none ? "3" : "5").append(track.name);
        };
        for (; known_relations_ < schema_.tracks().size(); ++known_relations_) {
            const Track& track = schema_.tracks()[known_relations_];
            if (track.kind == Track::Kind::relation_type) first_relations_.try_emplace(key(track), known_relations_);
        }
        return first_relations_.at(key(relation));
    }

    using Streams = std::optional<std::pair<std::uint64_t, std::uint64_t>>;

    Streams streams_of(std::uint64_t from, std::uint64_t to) const {
        const std::uint32_t source = table_.find(from), sink = table_.find(to);
        if (source == none || sink == none) return std::nullopt;
        return std::pair(blocks_[source].number, blocks_[sink].number);
    }

    void put_relation(std::uint64_t name, std::uint64_t from, std::uint64_t to, const Streams& streams) {
        if (relations_.empty()) *relations_.grow(1) = begin_of_array;
        constexpr std::size_t bound = 6 * longest_head;
        std::byte* const first = relations_.grow(bound);
        std::byte* at = heads_.put(first, Major::array, streams ? relation_elements : old_relation_elements);
        at = heads_.put(at, name);
        at = heads_.put(at, from);
        at = heads_.put(at, to);
        if (streams) at = heads_.put(heads_.put(at, streams->first), streams->second);
        relations_.shrink(bound - static_cast<std::size_t>(at - first));
        if (relations_.size() > block_size) flush_relations();
    }

    void resolve_relations() {
        for (const Held& held : held_) {
            if (const auto streams = streams_of(held.from, held.to))
                put_relation(held.name, held.from, held.to, streams);
            else
                drop_relation(held.track, "of " + std::to_string(held.from) + " to " + std::to_string(held.to) +
                                              ": an end is not in the trace");
        }
        held_.clear();
    }

    void drop_relation(TrackId track, std::string_view why) {
        losses_.count(Loss::relation_dropped, schema_.tracks()[track].name, [&] { return std::string(why); });
    }

    void flush_relations() {
        if (relations_.empty()) return;
        dictionary_.take_source();
        dictionary_.flush(chunks_, heads_);
        *relations_.grow(1) = end_of_array;
        chunks_.put(Chunk::relations, {}, relations_.span());
        relations_.clear();
    }

    // --- what is no transaction ---

    void write_metadata() {
        if (const auto mark = mark_of(schema_, directory_.generators(), exponent_)) {
            const std::string text = mark->text();
            for (std::size_t at = 0; at < text.size(); at += mark_piece)
                put_metadata(schema_mark_key, std::string_view(text).substr(at, mark_piece));
        }
        for (const Metadata& entry : schema_.metadata())
            if (entry.key != names::ftr_epoch || epoch_is_fact_) put_metadata(entry.key, entry.value);
        if (!marks_) return;
        *marks_content_.grow(1) = end_of_array;
        dictionary_.flush(chunks_, heads_);
        const std::array<std::uint64_t, 3> parameters{marks_->stream, 0, 0};
        chunks_.put(Chunk::block, parameters, marks_content_.span());
    }

    void put_metadata(std::string_view key, std::string_view value) {
        if (!marks_) {
            marks_ = directory_.add(marks_stream, marks_stream, marks_generator, chunks_);
            *marks_content_.grow(1) = begin_of_array;
        }
        heads_.append(marks_content_, Major::array, 3);
        heads_.append(marks_content_, Major::tag, static_cast<std::uint64_t>(Element::event));
        heads_.append(marks_content_, Major::array, 4);
        heads_.append(marks_content_, ++greatest_number_);
        heads_.append(marks_content_, marks_->generator);
        heads_.append(marks_content_, 0);
        heads_.append(marks_content_, 0);
        put_mark(marks_key, key);
        if (is_utf8(value)) {
            put_mark(marks_value, value);
        } else {
            std::string digits;
            put_hex_digits(as_bytes(value), digits);
            put_mark(marks_hex, digits);
        }
    }

    void put_mark(std::string_view name, std::string_view value) {
        heads_.append(marks_content_, Major::tag, static_cast<std::uint64_t>(Element::begin));
        heads_.append(marks_content_, Major::array, 3);
        heads_.append(marks_content_, dictionary_.number_of_name(name));
        heads_.append(marks_content_, static_cast<std::uint64_t>(Value::string));
        heads_.append(marks_content_, dictionary_.number_of_name(value));
    }

    /// More streams than this give the memory of a block back when it has been written.
    static constexpr std::size_t most_kept_buffers = 256;

    const Schema& schema_;
    Losses& losses_;
    const Limits limits_;
    const Heads heads_;
    const Doubles doubles_;
    const std::string order_;
    const bool stream_times_;
    const bool looks_up_streams_;
    const bool keeps_chunks_;      ///< a chunk ends where the source's does
    const bool counts_turns_;      ///< streams that take turns lose something by standing one after the other
    const bool places_relations_;  ///< the source gives relations a place, which a file has not
    ChunkWriter chunks_;
    DictionaryWriter dictionary_;
    DirectoryWriter directory_;
    StreamTable table_;
    std::string epoch_;
    bool epoch_is_fact_ = false;  ///< the source's is none that the info chunk can state

    bool begun_ = false;
    bool numbers_tell_order_ = false, loses_turns_ = false;
    std::uint64_t arrivals_ = 0;
    int exponent_ = static_cast<int>(default_exponent);
    std::size_t known_scopes_ = 0, known_tracks_ = 0;
    std::vector<Lane> lanes_;  ///< by track
    std::vector<RelationLane> relation_lanes_;
    Tick last_time_ = 0;  ///< of the record that came last
    TrackId last_track_ = none;
    std::unordered_map<std::string, TrackId> first_relations_;  ///< see first_relation_like()
    TrackId known_relations_ = 0;                               ///< tracks that it has looked at
    std::vector<LabelNumbers> labels_;  ///< by enumeration, behind one for fields that have none
    const Enum without_labels_;
    std::deque<Block> blocks_;   ///< by stream
    std::uint32_t open_ = none;  ///< the chunk that is being filled, where the source's are kept
    std::size_t waiting_ = 0;    ///< bytes in blocks
    std::uint64_t next_made_ = 0, greatest_number_ = 0;
    Appender relations_, sorted_, marks_content_;
    std::optional<DirectoryWriter::Added> marks_;
    std::vector<Held> held_;
    std::vector<std::uint32_t> order_of_places_, ranks_, by_begin_;
};

}  // namespace

void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) {
    const auto foretell = [&](Loss loss, std::string_view subject, std::string_view why) {
        losses.push_back({loss, std::string(subject), std::string(why)});
    };
    if (is_chosen(settings, text_option, "utf8")) {
        foretell(Loss::value_narrowed, DictionaryWriter::subject, "texts that are not UTF-8");
        foretell(Loss::name_changed, DictionaryWriter::subject, "names that are not UTF-8");
    }
    if (is_chosen(settings, doubles_option, "binary32"))
        foretell(Loss::value_narrowed, "*", "numbers that binary32 does not have");
    if (is_chosen(settings, relations_option, "streams"))
        foretell(Loss::relation_dropped, "*", "relations whose ends are not both in the trace");
    if (is_chosen(settings, order_option, "end") || !is_of_ftr(schema))
        foretell(Loss::order_changed, "*", "transactions of a stream stand in order of their end");
    if (is_of_ftr(schema)) {
        foretell(Loss::time_rounded, "*",
                 "times above 2^63-1, and relations at another time than what stands before them");
        return;
    }
    if (is_chosen(settings, blocks_option, "source"))
        foretell(Loss::order_changed, turns, "streams stand one after the other, in blocks");
    foretell(Loss::name_changed, "*", "of two streams, or generators, with one number one gets another");
    foretell(Loss::time_rounded, "*", "times that are no whole ticks of the file, or lie before 0");
    foretell(Loss::order_changed, "*", "relations have no place among transactions");
    foretell(Loss::type_changed, "*",
             "intervals without a number get one; attributes of one name that are stored alike; values that no label "
             "stands for alone");
    foretell(Loss::scope_flattened, "*", "relations of one name in several scopes");
    foretell(Loss::relation_dropped, "*", "relations without ends");
    const int exponent = choose_exponent(schema.tracks());
    for (const Track& track : schema.tracks()) {
        if (track.kind == Track::Kind::relation_type)
            for (std::size_t i = 2; i < track.fields.size(); ++i)
                foretell(Loss::field_dropped, track.name + '.' + track.fields[i].name,
                         "a relation has nothing but its ends");
        if (track.kind != Track::Kind::stream) continue;
        if (!is_exact(track.time, exponent))
            foretell(Loss::time_rounded, track.name, "its ticks are no whole ones of the file");
    }
}

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<FileWriter>(output, schema, settings, losses);
}

}  // namespace hwtrace::ftr

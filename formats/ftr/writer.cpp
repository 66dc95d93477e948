#include "writer.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "attribute_writer.hpp"
#include "block_writer.hpp"
#include "chunk_writer.hpp"
#include "codec.hpp"
#include "creation_time.hpp"
#include "dictionary_writer.hpp"
#include "digits.hpp"
#include "directory_writer.hpp"
#include "domain/conventions.hpp"
#include "domain/interval_identity.hpp"
#include "fact_writer.hpp"
#include "io/counted.hpp"
#include "io/error.hpp"
#include "options.hpp"
#include "relation_writer.hpp"
#include "schema_mark.hpp"
#include "source.hpp"
#include "timescale.hpp"
#include "transaction_numbers.hpp"
#include "wire.hpp"

namespace hwtrace::ftr {

namespace {

namespace names = conventions;

/// Readers store times in 63 bits.
constexpr std::uint64_t latest_tick = std::numeric_limits<Tick>::max();

Doubles chosen_doubles(const Settings& settings) {
    const std::string text = settings.text(options, doubles_option);
    return text == "binary32" ? Doubles::binary32 : text == "binary64" ? Doubles::binary64 : Doubles::marked;
}

Compression chosen_compression(const Settings& settings) {
    const std::string text = settings.text(options, compression_option);
    const bool keeps = text == "source" && settings.source_compression.starts_with("LZ4");
    return text == "lz4" || keeps ? Compression::lz4 : Compression::off;
}

/// Returns true if relations get the streams that the source does not state. The relations of an FTR source without a
/// schema mark are declared later, but the source states their form.
bool adds_streams(const Schema& schema, const Settings& settings) {
    const std::string text = settings.text(options, relations_option);
    const auto has_no_streams = [](const Track& track) {
        return track.kind == Track::Kind::relation_type && streams_field(track) == none;
    };
    return text == "streams" ||
           (text == "auto" && (!is_of_ftr(schema, settings) || settings.source_relations == old_relations_text ||
                               std::ranges::any_of(schema.tracks(), has_no_streams)));
}

/// Returns true if attributes of the track become known when they occur, as in FTR files without a schema mark.
bool is_undeclared(const Track& track) {
    return track.kind == Track::Kind::stream && track.fields.size() == 1;
}

class FileWriter final : public Writer {
public:
    FileWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
        : schema_(schema),
          losses_(losses),
          limits_(settings.limits),
          heads_(is_chosen(settings, ints_option, "upstream")),
          order_(settings.text(options, order_option)),
          looks_up_streams_(adds_streams(schema, settings)),
          restores_relations_(!is_chosen(settings, relations_option, "streams")),
          names_relations_(settings.source_format == "ftr" && settings.source_relations == old_relations_text &&
                           is_of_ftr(schema, settings)),
          keeps_chunks_(is_chosen(settings, blocks_option, "source") && is_of_ftr(schema, settings)),
          grows_with_chunks_(keeps_chunks_ && std::ranges::all_of(schema.tracks(), is_undeclared)),
          counts_turns_(is_chosen(settings, blocks_option, "source") &&
                        settings.source_format != names::merged_source &&
                        schema.metadata(names::record_source) == nullptr),
          chunks_(output, heads_, chosen_compression(settings)),
          dictionary_(schema, is_chosen(settings, dictionary_option, "used") ? Texts::used : Texts::source,
                      is_chosen(settings, text_option, "bytes") ? NotUtf8::kept : NotUtf8::replaced, settings.limits,
                      losses),
          directory_(schema, dictionary_, heads_, losses),
          numbers_(limits_),
          attributes_(schema, dictionary_, heads_, chosen_doubles(settings), losses),
          blocks_(schema, chunks_, dictionary_, heads_, is_chosen(settings, times_option, "stream"), losses),
          relations_(
              schema, chunks_, dictionary_, blocks_, heads_,
              {.looks_up_streams = looks_up_streams_,
               .waits = settings.source_format != "ftr" || is_chosen(settings, relations_option, "streams"),
               .needs_streams = is_chosen(settings, relations_option, "streams"),
               .has_times = keeps_chunks_,
               .counts_places = counts_turns_ && !is_of_ftr(schema, settings) && settings.source_format != "ftr"},
              limits_, losses),
          facts_(chunks_, dictionary_, directory_, heads_, [this] { return numbers_.make_last(); }),
          unused_(schema, settings),
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
        const std::span<const Record> records = batch.records();
        // The first record may end a chunk of the source. Strings that follow this chunk belong to the next one.
        const std::size_t first = grows_with_chunks_ && !records.empty() ? 1 : 0;
        put(batch, records.first(first));
        dictionary_.see_source();
        put(batch, records.subspan(first));
    }

    void checkpoint() override {
        begin();
        dictionary_.see_source();
        blocks_.flush();
        relations_.flush();
        open_ = none;
    }

    void finish() override {
        begin();
        dictionary_.see_source();
        dictionary_.take_source();
        dictionary_.flush(chunks_, heads_);
        blocks_.flush();
        relations_.resolve();
        relations_.flush();
        write_facts();
        chunks_.finish();
        warn();
    }

private:
    /// The state of a track of transactions.
    struct Lane {
        bool known = false;
        bool direct = false;          ///< a tick of the track is a tick of the file
        std::uint32_t stream = none;  ///< index of the stream
        std::uint64_t generator = 0;
        AttributeWriter::Columns columns = {};
    };

    /// Finds declared attributes that no record uses and that a directory cannot state: begin and end attributes.
    /// (Attributes with the phase `record` are never declared.)
    class Unused {
    public:
        /// If an FTR source is sliced, declarations may be used outside the slice. Only declarations made before the
        /// first record, by the schema mark, are therefore checked.
        Unused(const Schema& schema, const Settings& settings)
            : schema_(schema), all_(settings.source_format != "ftr") {
            for (const Track& track : schema.tracks())
                declared_.push_back(all_ ? 0 : track.fields.size());
        }
        bool any(const std::vector<Lane>& lanes) const {
            for (TrackId id = 0; id < (all_ ? schema_.tracks().size() : declared_.size()); ++id) {
                const Track& track = schema_.tracks()[id];
                if (track.kind != Track::Kind::stream) continue;
                for (std::size_t field = states_numbers(track) ? 1 : 0;
                     field < (all_ ? track.fields.size() : declared_[id]); ++field)
                    if (is_declared(track.fields[field]) && !lanes[id].columns.has_met(field)) return true;
            }
            return false;
        }

    private:
        static bool is_declared(const Field& field) noexcept {
            return field.phase == Phase::begin || field.phase == Phase::end;
        }

        const Schema& schema_;
        const bool all_;
        std::vector<std::size_t> declared_;  ///< attributes by track before the first record
    };

    void put(const Batch& batch, std::span<const Record> records) {
        for (const Record& record : records) {
            if (record.kind == Kind::interval) [[likely]]
                transaction(batch, record);
            else if (record.kind == Kind::relation)
                relation(batch, record);
            else
                losses_.count(Loss::kind_dropped, schema_.tracks()[record.track].name,
                              [&] { return "at " + std::to_string(record.time); });
            last_ = {record.track, record.time};
        }
    }

    // --- info chunk and directory ---

    void begin() {
        if (!begun_) {
            begun_ = true;
            exponent_ = choose_exponent(schema_.tracks());
            write_info();
            numbers_.decide(schema_);
            // New transaction ids preserve the order of records. Without them, the order of alternating streams is
            // lost.
            const bool made = numbers_.all_are_made();
            blocks_.set_order({.numbers_tell_it = made, .counts_turns = !made && !keeps_chunks_ && counts_turns_});
        }
        if (known_scopes_ == schema_.scopes().size() && lanes_.size() == schema_.tracks().size()) return;
        known_scopes_ = schema_.scopes().size();
        directory_.update(chunks_);
        lanes_.resize(schema_.tracks().size());
        for (std::size_t i = blocks_.streams(); i < directory_.streams().size(); ++i) {
            const DirectoryWriter::Stream& stream = directory_.streams()[i];
            const bool has_number = stream.scope != none && schema_.scopes()[stream.scope].native_id;
            blocks_.add_stream(stream.number, order_ == "end" || (order_ == "auto" && !has_number));
        }
    }

    void write_info() {
        Appender info;
        heads_.append(info, Major::array, 2);
        heads_.append_signed(info, exponent_);
        heads_.append(info, Major::tag, epoch_tag);
        append_creation_time(epoch_, heads_, info);
        chunks_.put(Chunk::info, {}, info.span());
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
        lane.stream = directory_.generators()[id].stream;
        lane.generator = directory_.generators()[id].number;
        lane.columns.states_numbers = states_numbers(track);
        const std::optional<Ratio> ticks = ticks_in(track.time, exponent_);
        if (!ticks)
            fail(Failure::input, "the ticks of '" + track.name + "' are too long for this format; write another one");
        lane.columns.ticks = *ticks;
        lane.direct = *ticks == Ratio{1, 1};
        return lane;
    }

    // --- transactions ---

    void transaction(const Batch& batch, const Record& record) {
        Lane& lane = lane_of(record.track);
        if (keeps_chunks_ && open_ != lane.stream) [[unlikely]]
            turn_to(lane.stream);

        std::span<const Attribute> attributes = batch.attributes(record);
        std::uint64_t number = 0;
        if (lane.columns.states_numbers && !attributes.empty() && attributes.front().field == 0) [[likely]] {
            number = attributes.front().value;
            attributes = attributes.subspan(1);
            if (!numbers_.take(number)) [[unlikely]]
                number = make_other_number(number, record);
        } else {
            number = make_number(lane, record);
        }
        if (looks_up_streams_) relations_.note_transaction(number, lane.stream);

        auto start = static_cast<std::uint64_t>(record.time);
        std::uint64_t stop = start + record.value;
        if (record.time < 0 || stop < start || stop > latest_tick || !lane.direct) [[unlikely]]
            convert_times(lane, record, start, stop);

        constexpr std::size_t most_front = longest_head + 2 + 4 * longest_head;
        const Track& track = schema_.tracks()[record.track];
        const AttributeWriter::Marks marks = attributes_.marks(lane.columns, track, attributes);
        if (marks.count != 0 && !has_stated_digits_) [[unlikely]]
            state_digits();
        const std::size_t most =
            most_front + attributes.size() * AttributeWriter::most + marks.count * AttributeWriter::most_digits;
        blocks_.append(lane.stream, record.track, start, stop, most, [&](std::byte* at) {
            const Heads heads = heads_;
            at = heads.put(at, Major::array, attributes.size() + marks.count + 1);
            at = heads.put(at, Major::tag, static_cast<std::uint64_t>(Element::event));
            at = heads.put(at, Major::array, 4);
            at = heads.put(at, number);
            at = heads.put(at, lane.generator);
            at = heads.put(at, start);
            at = heads.put(at, stop);
            for (std::size_t i = 0; i < attributes.size(); ++i) {
                if (marks.has_empty && attributes_.needs_empty_mark(track, attributes, i)) [[unlikely]]
                    at = attributes_.put_mark(at, 0);
                at = attributes_.put(at, heads, lane.columns, record, attributes[i]);
            }
            return at;
        });
    }

    [[gnu::cold, gnu::noinline]] std::uint64_t make_number(const Lane& lane, const Record& record) {
        if (lane.columns.states_numbers)
            losses_.count(Loss::type_changed, schema_.tracks()[record.track].name,
                          [&] { return "the interval at " + std::to_string(record.time) + " has no id; it gets one"; });
        return numbers_.make();
    }

    [[gnu::cold, gnu::noinline]] std::uint64_t make_other_number(std::uint64_t stated, const Record& record) {
        const std::uint64_t other = numbers_.make();
        losses_.count(Loss::name_changed, schema_.tracks()[record.track].name, [&] {
            return "id " + std::to_string(stated) + " is taken; the new id is " + std::to_string(other);
        });
        return other;
    }

    /// Converts times to ticks of the file. Inexact times are rounded and counted.
    void convert_times(const Lane& lane, const Record& record, std::uint64_t& start, std::uint64_t& stop) {
        const std::uint64_t before_zero = record.time < 0 ? 0 - static_cast<std::uint64_t>(record.time) : 0;
        const Wide begin_tick = record.time < 0 ? 0 : static_cast<std::uint64_t>(record.time);
        const Wide end_tick = begin_tick + (record.value > before_zero ? record.value - before_zero : 0);
        bool exact = record.time >= 0;
        start = whole_ticks(begin_tick, lane.columns.ticks, latest_tick, exact);
        stop = whole_ticks(end_tick, lane.columns.ticks, latest_tick, exact);
        if (!exact)
            losses_.count(Loss::time_rounded, schema_.tracks()[record.track].name, [&] {
                return "at " + std::to_string(record.time) + ": its begin or end is not a whole tick of 10^" +
                       std::to_string(exponent_) + " s, or is out of range";
            });
    }

    // --- chunks of the source ---

    static constexpr std::uint32_t relations_open = none - 1;

    /// Writes the open chunk, because the next record belongs to a different chunk.
    void turn_to(std::uint32_t chunk) {
        if (open_ == relations_open)
            relations_.flush();
        else if (open_ != none)
            blocks_.flush(open_);
        open_ = chunk;
    }

    void relation(const Batch& batch, const Record& record) {
        if (names_relations_ && restores_relations_ && relations_.begins_to_add(batch, record)) [[unlikely]]
            facts_.put_early(relation_fact, schema_.tracks()[record.track].name);
        if (keeps_chunks_ && open_ != relations_open) [[unlikely]]
            turn_to(relations_open);
        relations_.append(batch, record, last_);
    }

    // --- metadata and schema mark ---

    /// Warns about everything that viewers cannot read.
    void warn() {
        if (attributes_.wide() != 0)
            losses_.warn(counted(attributes_.wide(), "number") +
                         " in binary64: SCViewer and Surfer lose the rest of each block; leave out --ftr-doubles to "
                         "write a form that they read");
        if (relations_.without_streams() != 0)
            losses_.warn(counted(relations_.without_streams(), "relation") +
                         " without streams: SCViewer may crash; --ftr-relations streams adds them");
        if (!is_whole_creation_time(epoch_))
            losses_.warn("the time of creation, " + epoch_ +
                         ", is not an integer: SCViewer and Surfer refuse the file; --ftr-epoch sets another one");
        if (is_misread(exponent_))
            losses_.warn("a tick lasts 10^" + std::to_string(exponent_) + " s: SCViewer shows other times");
    }

    /// States that the file has marks with digits, before the block with the first one.
    [[gnu::cold, gnu::noinline]] void state_digits() {
        has_stated_digits_ = true;
        facts_.put_early(digits_fact, digits_are_marks);
    }

    /// States that attributes with the name of marks are none, if the other metadata could make a reader assume so.
    void deny_digits(bool has_mark) {
        const auto& entries = schema_.metadata();
        const bool has_facts =
            has_mark || std::ranges::any_of(entries, [&](const Metadata& entry) { return is_stored(entry); });
        if (has_stated_digits_ || !has_facts) return;
        if (attributes_.has_met_namesakes() || schema_.metadata(digits_fact) != nullptr)
            facts_.put(digits_fact, digits_are_attributes);
    }

    bool is_stored(const Metadata& entry) const { return entry.key != names::ftr_epoch || epoch_is_fact_; }

    void write_facts() {
        const bool states_attributes =
            unused_.any(lanes_) || std::any_of(lanes_.begin(), lanes_.end(),
                                               [](const Lane& lane) { return lane.columns.met_in_another_order; });
        const bool restores_streams = restores_relations_ && relations_.has_added_streams() && !names_relations_;
        const MarkUse use{.says_more = states_attributes || restores_streams,
                          .restores_relations = restores_relations_,
                          .occurs = [&](TrackId track) { return relations_.has_met(track); }};
        const auto mark = mark_of(schema_, directory_.generators(), exponent_, use);
        deny_digits(mark.has_value());
        if (mark) {
            const std::string text = mark->text();
            for (std::size_t at = 0; at < text.size(); at += mark_piece)
                facts_.put(schema_mark_key, std::string_view(text).substr(at, mark_piece));
        } else {
            count_unused_relations();
        }
        for (const Metadata& entry : schema_.metadata())
            if (is_stored(entry)) facts_.put(entry.key, entry.value);
        facts_.finish();
    }

    /// Counts the relation tracks without relations, which only a mark can state.
    void count_unused_relations() {
        for (TrackId id = 0; id < schema_.tracks().size(); ++id)
            if (const Track& track = schema_.tracks()[id];
                track.kind == Track::Kind::relation_type && !relations_.has_met(id))
                losses_.count(Loss::relation_dropped, Subject::unused(track.name),
                              [] { return std::string("the track has no relation"); });
    }

    const Schema& schema_;
    Losses& losses_;
    const Limits limits_;
    const Heads heads_;
    const std::string order_;
    const bool looks_up_streams_;
    const bool restores_relations_;  ///< streams that the file adds to relations are not part of the trace
    const bool names_relations_;     ///< the file states which relations got streams, and needs no schema mark for it
    const bool keeps_chunks_;        ///< a chunk ends where a chunk of the source ends
    const bool grows_with_chunks_;   ///< strings become known where the chunks of the source define them
    /// counts a loss if streams alternate and no mark preserves their order
    const bool counts_turns_;
    ChunkWriter chunks_;
    DictionaryWriter dictionary_;
    DirectoryWriter directory_;
    TransactionNumbers numbers_;
    AttributeWriter attributes_;
    BlockWriter blocks_;
    RelationWriter relations_;
    FactWriter facts_;
    Unused unused_;
    std::string epoch_;
    bool epoch_is_fact_ = false;  ///< the source's value does not fit the info chunk

    bool begun_ = false;
    bool has_stated_digits_ = false;  ///< the file states that it has marks with digits
    int exponent_ = static_cast<int>(default_exponent);
    std::size_t known_scopes_ = 0;
    std::vector<Lane> lanes_;  ///< by track
    RelationWriter::Before last_;
    std::uint32_t open_ = none;  ///< the chunk being filled; used only if the source's chunks are kept
};

}  // namespace

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<FileWriter>(output, schema, settings, losses);
}

}  // namespace hwtrace::ftr

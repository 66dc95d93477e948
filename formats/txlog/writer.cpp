// formats/txlog/writer.cpp - writes transactions and relations as a log of SCV, sorted by time
// (formats/txlog/README.md#conversion-to-logs).
#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "codec.hpp"
#include "codec/record_sorter.hpp"
#include "declarations.hpp"
#include "domain/value_text.hpp"
#include "log_text.hpp"
#include "model/id_set.hpp"
#include "statement.hpp"
#include "values.hpp"

namespace hwtrace::txlog {
namespace {

constexpr std::size_t most_in_moment = std::size_t{1} << 16;

/// New ids start here. They replace ids of the source that another transaction already uses.
constexpr std::uint64_t first_own_id = std::uint64_t{1} << 48;

/// The subject of losses that concern the order of transactions and relations.
constexpr Subject records = Subject::general("records");

/// The two entries of a transaction in the sorter.
enum Half : std::uint64_t { its_begin, its_end };

Lose counting(Losses& losses) {
    return [&losses](Loss loss, Subject subject, std::string_view what) {
        losses.count(loss, subject, [&] { return std::string(what); });
    };
}

class TxlogWriter final : public Writer {
public:
    TxlogWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses);

    void write(const Batch& batch) override;
    bool has_threads() const noexcept override { return log_.has_thread(); }
    void finish() override;

private:
    struct Begin {
        std::uint64_t id;
        std::uint32_t record;  ///< index in moment_
    };

    std::uint64_t unit_of(Tick time, TrackId track);
    void note_place(std::uint64_t unit, TrackId track);
    std::uint64_t own_id(std::uint64_t id, TrackId track);
    void add_interval(const Batch& batch, const Record& record);
    void add_relation(const Batch& batch, const Record& record);
    void note_order(const Record& record, std::span<const Attribute> attributes);
    void note_use(TrackId track, std::uint32_t field);
    void count_unused();
    void count(Loss loss, TrackId track, std::string_view what);

    void write_moment();
    void begin_up_to(std::uint64_t id);
    void begin_next();
    void declare_until(std::size_t track);
    void declare_free();
    void append_generator(const DeclaredTrack& declared);
    void append_columns(const DeclaredTrack& track, std::span<const std::uint32_t> fields, std::string_view word,
                        std::uint64_t& number);
    void append_given(std::span<const std::uint32_t> declared, const Record& record,
                      std::span<const Attribute> attributes);
    void append_begin(const Record& record);
    void append_end(const Record& record);
    void append_relation(const Record& record);
    void append_moment(std::string_view word, std::uint64_t id, const Record& record, std::uint64_t unit);
    void append_value(const Record& record, const Attribute& attribute);
    void append_text(TrackId track, std::string_view text);

    const Schema& schema_;
    Losses& losses_;
    Declarations made_;
    RecordSorter sorter_;
    LogText log_;
    std::uint64_t next_id_ = 1;  ///< next id for transactions without an id
    IdSet ids_;
    std::uint64_t next_own_id_ = first_own_id;
    std::uint64_t last_unit_ = 0;  ///< time of the latest end or relation

    Batch half_;  // the start or the end of a transaction, for the sorter; reused
    std::vector<Attribute> begin_half_, end_half_;
    std::vector<std::vector<bool>>
        used_;                // by track: used attributes; a relation track is used if its entry is not empty
    std::vector<bool> seen_;  ///< by field: used in the current transaction

    Batch moment_;                ///< all records of one time
    std::vector<Half> halves_;    ///< by record of moment_: begin or end
    std::uint64_t unit_ = 0;      ///< the time of moment_, in units of the log
    std::vector<Begin> begins_;   ///< the transactions that begin in moment_, sorted by id
    std::size_t next_begin_ = 0;  ///< index in begins_ of the next transaction to write
    std::uint64_t stated_ = 0;    ///< the latest time in the log, in units
    bool any_stated_ = false;
    bool needs_femtoseconds_ = false;
    std::size_t next_track_ = 0;        ///< next track to declare
    std::vector<bool> related_;         ///< by track: true if the log contains a relation of the track
    std::vector<std::uint32_t> given_;  ///< by field: index of the attribute + 1; 0: no attribute
};

TxlogWriter::TxlogWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
    : schema_(schema),
      losses_(losses),
      made_(declare(schema, counting(losses))),
      sorter_(settings.temporary_folder),
      log_(output, chosen_container(settings, options, container_option)),
      related_(schema.tracks().size()) {
    if (made_.is_clock_assumed) losses.assume("the trace does not state the length of a tick: assumed 1000 ps");
}

void TxlogWriter::count(Loss loss, TrackId track, std::string_view what) {
    losses_.count(loss, schema_.tracks()[track].name, [&] { return std::string(what); });
}

// --- in the source's order -------------------------------------------------------------------------------------------

/// Converts a tick to units of the log. Clamps the result to the range from 0 to 2^63 - 1.
std::uint64_t TxlogWriter::unit_of(Tick time, TrackId track) {
    const Scaled scaled = scale(time, made_.scales[made_.tracks[track].scale]);
    const Tick unit = std::max<Tick>(scaled.value, 0);
    const char* const name = made_.exponent == femtoseconds ? " fs" : " ps";
    if (scaled.saturated || scaled.value < 0) [[unlikely]]
        count(Loss::time_rounded, track,
              "tick " + std::to_string(time) + " is clamped to " + std::to_string(unit) + name);
    else if (!scaled.exact) [[unlikely]]
        count(Loss::time_rounded, track, "tick " + std::to_string(time) + " is not a whole number of" + name);
    return static_cast<std::uint64_t>(unit);
}

/// Counts changes of record order as losses. A log is sorted by time, but a reader of the log delivers transactions
/// sorted by their ends.
void TxlogWriter::note_place(std::uint64_t unit, TrackId track) {
    if (unit < last_unit_)
        losses_.count(Loss::order_changed, records,
                      [&] { return schema_.tracks()[track].name + " after a later record"; });
    last_unit_ = unit;
}

void TxlogWriter::write(const Batch& batch) {
    for (const Record& record : batch.records()) {
        if (record.kind == Kind::interval)
            add_interval(batch, record);
        else
            add_relation(batch, record);
    }
}

/// Counts changes of attribute order as losses. The reader delivers declared attributes in the order of the generator,
/// with recorded attributes between the begin and the end attributes.
void TxlogWriter::note_order(const Record& record, std::span<const Attribute> attributes) {
    const std::vector<Column>& columns = made_.tracks[record.track].columns;
    const auto rank = [&](const Attribute& attribute) {
        const Phase phase = columns[attribute.field].phase;
        return phase == Phase::begin ? std::uint64_t{attribute.field}
               : phase == Phase::end ? std::uint64_t{attribute.field} + (std::uint64_t{2} << 32)
                                     : std::uint64_t{1} << 32;
    };
    if (!std::is_sorted(attributes.begin(), attributes.end(),
                        [&](const Attribute& a, const Attribute& b) { return rank(a) < rank(b); }))
        count(Loss::order_changed, record.track, "attributes that are not in the order of their generator");
}

/// Returns the id of a transaction in the log. If another transaction has `id`, returns a new id.
std::uint64_t TxlogWriter::own_id(std::uint64_t id, TrackId track) {
    if (ids_.insert(id)) [[likely]]
        return id;
    count(Loss::name_changed, track, "transaction " + std::to_string(id) + ": another transaction has this id");
    while (!ids_.insert(next_own_id_))
        ++next_own_id_;
    return next_own_id_;
}

void TxlogWriter::note_use(TrackId track, std::uint32_t field) {
    if (used_.size() <= track) used_.resize(track + std::size_t{1});
    if (used_[track].size() <= field) used_[track].resize(made_.tracks[track].columns.size());
    used_[track][field] = true;
}

/// Counts unused attributes and relation tracks as losses. A log declares only begin and end attributes.
void TxlogWriter::count_unused() {
    used_.resize(schema_.tracks().size());
    for (TrackId id = 0; id < schema_.tracks().size(); ++id) {
        const Track& track = schema_.tracks()[id];
        if (track.kind == Track::Kind::relation_type && used_[id].empty())
            losses_.count(Loss::relation_dropped, Subject::unused(track.name),
                          [] { return std::string("the track has no relation"); });
        if (track.kind != Track::Kind::stream) continue;
        const std::vector<Column>& columns = made_.tracks[id].columns;
        used_[id].resize(columns.size());
        for (std::size_t i = 0; i < std::min(columns.size(), track.fields.size()); ++i)
            if (columns[i].phase == Phase::record && !used_[id][i] && !(made_.has_ids && i == 0))
                losses_.count(Loss::field_dropped, Subject::unused(track.name + '.' + track.fields[i].name),
                              [] { return std::string("no transaction has the attribute"); });
    }
}

void TxlogWriter::add_interval(const Batch& batch, const Record& record) {
    const DeclaredTrack& track = made_.tracks[record.track];
    std::span<const Attribute> attributes = batch.attributes(record);
    std::uint64_t id = 0;
    if (made_.has_ids && !attributes.empty() && attributes.front().field == 0) {
        id = attributes.front().value;
        attributes = attributes.subspan(1);
    } else {
        id = next_id_;
        if (made_.has_ids) count(Loss::type_changed, record.track, "a transaction without an id gets one");
    }
    ++next_id_;
    if (made_.has_ids) id = own_id(id, record.track);
    note_order(record, attributes);
    begin_half_.assign(1, {0, id});
    end_half_.assign(1, {0, id});
    seen_.assign(track.columns.size(), false);
    for (const Attribute& attribute : attributes) {
        const Phase phase = track.columns[attribute.field].phase;
        const bool is_again = phase != Phase::record && seen_[attribute.field];
        seen_[attribute.field] = true;
        note_use(record.track, attribute.field);
        if (is_again) count(Loss::type_changed, record.track, "a repeated attribute becomes a recorded one");
        (phase == Phase::end && !is_again ? end_half_ : begin_half_).push_back(attribute);
    }
    Tick end = 0;
    if (record.value > static_cast<std::uint64_t>(std::numeric_limits<Tick>::max()) ||
        __builtin_add_overflow(record.time, static_cast<Tick>(record.value), &end)) {
        count(Loss::time_rounded, record.track, "an end above 2^63 - 1 ticks is clamped");
        end = std::numeric_limits<Tick>::max();
    }
    half_.clear();
    const std::uint64_t begin_unit = unit_of(record.time, record.track);
    sorter_.add(begin_unit, its_begin, half_, half_.interval(record.track, record.time, record.value, begin_half_));
    const std::uint64_t end_unit = std::max(begin_unit, unit_of(end, record.track));
    note_place(end_unit, record.track);
    sorter_.add(end_unit, its_end, half_, half_.interval(record.track, record.time, record.value, end_half_));
}

void TxlogWriter::add_relation(const Batch& batch, const Record& record) {
    if (!made_.has_ids || record.count < 2)
        return count(Loss::relation_dropped, record.track, "relations of transactions without ids");
    const std::uint64_t unit = unit_of(record.time, record.track);
    note_place(unit, record.track);
    if (used_.size() <= record.track) used_.resize(record.track + std::size_t{1});
    used_[record.track].assign(1, true);
    sorter_.add(unit, its_begin, batch, record);
}

// --- sorted by time --------------------------------------------------------------------------------------------------

void TxlogWriter::finish() {
    for (const DeclaredStream& stream : made_.streams) {
        Appender& text = log_.text();
        text.text(magic);
        text.text(" (ID ");
        append_number(stream.id, text);
        text.text(", name \"");
        text.text(stream.name);
        text.text("\", kind \"");
        text.text(stream.kind);
        text.text("\")");
        log_.end_line();
    }
    declare_free();
    std::vector<RecordSorter::Place> places;
    Batch given;
    for (bool more = true; more; given.clear(), places.clear()) {
        more = sorter_.give(given, places);
        for (std::size_t at = 0; at < places.size(); ++at) {
            if (places[at].key != unit_ || halves_.size() >= most_in_moment) write_moment();
            unit_ = places[at].key;
            const Record& record = given.records()[at];
            moment_.copy(given, record, record.track);
            halves_.push_back(static_cast<Half>(places[at].tag));
        }
    }
    write_moment();
    declare_until(schema_.tracks().size());
    log_.finish();
    count_unused();
    if (made_.is_in_femtoseconds && !needs_femtoseconds_)
        counting(losses_)(Loss::part_dropped, timescale, "no time needs femtoseconds");
}

/// Writes all records of one time. Ends and relations keep their order. Starts are sorted by id. Each start precedes
/// the statements that refer to its transaction.
void TxlogWriter::write_moment() {
    begins_.clear();
    next_begin_ = 0;
    const std::span<const Record> all = moment_.records();
    for (std::uint32_t at = 0; at < all.size(); ++at)
        if (all[at].kind == Kind::interval && halves_[at] == its_begin)
            begins_.push_back({moment_.attributes(all[at]).front().value, at});
    std::stable_sort(begins_.begin(), begins_.end(), [](const Begin& a, const Begin& b) { return a.id < b.id; });
    for (std::uint32_t at = 0; at < all.size(); ++at) {
        const Record& record = all[at];
        if (record.kind == Kind::relation) {
            begin_up_to(moment_.cells(record)[0]);
            begin_up_to(moment_.cells(record)[1]);
            if ((!any_stated_ || stated_ != unit_) && next_begin_ < begins_.size()) begin_next();
            append_relation(record);
        } else if (halves_[at] == its_end) {
            begin_up_to(moment_.attributes(record).front().value);
            append_end(record);
        }
    }
    while (next_begin_ < begins_.size())
        begin_next();
    moment_.clear();
    halves_.clear();
}

/// Writes the start of a transaction, and all starts before it, if the transaction begins at this time.
void TxlogWriter::begin_up_to(std::uint64_t id) {
    const auto behind = std::upper_bound(begins_.begin(), begins_.end(), id,
                                         [](std::uint64_t value, const Begin& begin) { return value < begin.id; });
    if (behind == begins_.begin() || std::prev(behind)->id != id) return;
    while (next_begin_ < static_cast<std::size_t>(behind - begins_.begin()))
        begin_next();
}

void TxlogWriter::begin_next() {
    append_begin(moment_.records()[begins_[next_begin_++].record]);
}

/// Declares the next generators in the schema's order. Skips relation tracks that already have a relation in the log.
/// Stops at any other relation track, because its first relation declares it.
void TxlogWriter::declare_free() {
    while (next_track_ < schema_.tracks().size() &&
           (schema_.tracks()[next_track_].kind != Track::Kind::relation_type || related_[next_track_]))
        declare_until(next_track_ + 1);
}

void TxlogWriter::declare_until(std::size_t track) {
    for (; next_track_ < track; ++next_track_)
        if (schema_.tracks()[next_track_].kind == Track::Kind::stream) append_generator(made_.tracks[next_track_]);
}

void TxlogWriter::append_generator(const DeclaredTrack& declared) {
    Appender& text = log_.text();
    text.text("scv_tr_generator (ID ");
    append_number(declared.id, text);
    text.text(", name \"");
    text.text(declared.name);
    text.text("\", scv_tr_stream ");
    append_number(declared.stream, text);
    text.text(",");
    log_.end_line();
    std::uint64_t number = 0;
    append_columns(declared, declared.begin, "begin_attribute", number);
    append_columns(declared, declared.end, "end_attribute", number);
    log_.text().text(")");
    log_.end_line();
}

void TxlogWriter::append_columns(const DeclaredTrack& track, std::span<const std::uint32_t> fields,
                                 std::string_view word, std::uint64_t& number) {
    for (const std::uint32_t field : fields) {
        Appender& text = log_.text();
        text.text(word);
        text.text(" (ID ");
        append_number(number++, text);
        text.text(", name \"");
        text.text(track.columns[field].name);
        text.text("\", type \"");
        text.text(track.columns[field].type->name);
        text.text("\")");
        log_.end_line();
    }
}

void TxlogWriter::append_moment(std::string_view word, std::uint64_t id, const Record& record, std::uint64_t unit) {
    Appender& text = log_.text();
    text.text(word);
    append_number(id, text);
    text.text(" ");
    append_number(made_.tracks[record.track].id, text);
    text.text(" ");
    append_time(unit, made_.exponent, text);
    log_.end_line();
    stated_ = unit;
    any_stated_ = true;
    needs_femtoseconds_ = needs_femtoseconds_ || (made_.exponent == femtoseconds && unit % 1000 != 0);
}

/// Writes a value for each declared attribute. The value is `undefined` if given_[field] is 0, otherwise the value of
/// the attribute at index given_[field] - 1.
void TxlogWriter::append_given(std::span<const std::uint32_t> declared, const Record& record,
                               std::span<const Attribute> attributes) {
    for (const std::uint32_t field : declared) {
        log_.text().text("a ");
        if (given_[field] == 0)
            log_.text().text(undefined);
        else
            append_value(record, attributes[given_[field] - 1]);
        log_.end_line();
    }
}

void TxlogWriter::append_begin(const Record& record) {
    if (record.track >= next_track_) declare_until(record.track + std::size_t{1});
    const DeclaredTrack& track = made_.tracks[record.track];
    const std::span<const Attribute> attributes = moment_.attributes(record);
    append_moment("tx_begin ", attributes.front().value, record, unit_);
    given_.assign(track.columns.size(), 0);
    for (std::uint32_t at = 1; at < attributes.size(); ++at) {
        const std::uint32_t field = attributes[at].field;
        if (track.columns[field].phase == Phase::begin && given_[field] == 0) given_[field] = at + 1;
    }
    append_given(track.begin, record, attributes);
    for (std::uint32_t at = 1; at < attributes.size(); ++at) {
        const Column& column = track.columns[attributes[at].field];
        if (column.phase == Phase::begin && given_[attributes[at].field] == at + 1) continue;
        Appender& text = log_.text();
        text.text("tx_record_attribute ");
        append_number(attributes.front().value, text);
        text.text(" \"");
        text.text(column.name);
        text.text("\" ");
        text.text(column.type->name);
        text.text(" = ");
        append_value(record, attributes[at]);
        log_.end_line();
    }
}

void TxlogWriter::append_end(const Record& record) {
    const DeclaredTrack& track = made_.tracks[record.track];
    const std::span<const Attribute> attributes = moment_.attributes(record);
    append_moment("tx_end ", attributes.front().value, record, unit_);
    given_.assign(track.columns.size(), 0);
    for (std::uint32_t at = 1; at < attributes.size(); ++at)
        given_[attributes[at].field] = at + 1;
    append_given(track.end, record, attributes);
}

void TxlogWriter::append_relation(const Record& record) {
    if (any_stated_ ? stated_ != unit_ : unit_ != 0)
        count(Loss::time_rounded, record.track, "a relation at a time without a begin or end");
    Appender& text = log_.text();
    text.text("tx_relation \"");
    text.text(made_.tracks[record.track].name);
    text.text("\" ");
    append_number(moment_.cells(record)[1], text);
    text.text(" ");
    append_number(moment_.cells(record)[0], text);
    log_.end_line();
    related_[record.track] = true;
    declare_free();
}

/// Appends a string. Replaces line breaks by blanks, because a line break would end the string.
void TxlogWriter::append_text(TrackId track, std::string_view value) {
    Appender& text = log_.text();
    text.text("\"");
    while (true) {
        const std::size_t end = value.find_first_of("\r\n");
        text.text(value.substr(0, end));
        if (end == std::string_view::npos) break;
        count(Loss::value_narrowed, track, "a string with a line break");
        text.text(" ");
        value.remove_prefix(end + 1);
    }
    text.text("\"");
}

void TxlogWriter::append_value(const Record& record, const Attribute& attribute) {
    const Field& field = schema_.tracks()[record.track].fields[attribute.field];
    const TransactionType& type = *made_.tracks[record.track].columns[attribute.field].type;
    std::uint64_t cell = attribute.value;
    if (holds_text(field.type)) return append_text(record.track, schema_.text(static_cast<StringId>(cell)));
    if (field.type == Type::enumeration) {
        const std::string* label = schema_.label(field.enumeration, cell);
        return append_text(record.track, label != nullptr ? *label : std::to_string(cell));
    }
    if (field.type == Type::time) {
        log_.text().text("\"");
        constexpr std::uint64_t latest = std::numeric_limits<Tick>::max();
        if (cell > latest)
            count(Loss::time_rounded, record.track,
                  "an attribute of " + counted(cell, "tick") + " is clamped to 2^63 - 1");
        append_time(unit_of(static_cast<Tick>(std::min(cell, latest)), record.track), made_.exponent, log_.text());
        log_.text().text("\"");
        return;
    }
    if (field.type == Type::f32)
        cell = std::bit_cast<std::uint64_t>(double{std::bit_cast<float>(static_cast<std::uint32_t>(cell))});
    if (!txlog::append_value(type, cell, log_.text()))
        count(Loss::value_narrowed, record.track,
              type.type == Type::boolean ? "a boolean above 1" : "a NaN with a payload");
}

}  // namespace

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<TxlogWriter>(output, schema, settings, losses);
}

void foresee_losses(const Schema& schema, const Settings&, std::vector<ExpectedLoss>& losses) {
    const auto foretell = [&](Loss loss, Subject subject, std::string_view why) {
        losses.push_back({loss, std::string(subject.text()), std::string(why), subject.is_general()});
    };
    const Declarations made = declare(schema, foretell);
    if (!made.has_ids) foretell(Loss::relation_dropped, "*", "relations of transactions without ids");
    if (made.is_in_femtoseconds)
        foretell(Loss::part_dropped, timescale, "a log of whole picoseconds is read in picoseconds");
    foretell(Loss::relation_dropped, "*", "relation tracks without relations");
    foretell(Loss::field_dropped, "*", "recorded attributes that no transaction has");
    foretell(Loss::value_narrowed, "*", "line breaks in strings, booleans above 1, and NaNs with a payload");
    if (made.has_ids) foretell(Loss::name_changed, "*", "ids that several transactions have");
    foretell(Loss::type_changed, "*", "repeated attributes of one phase, and transactions without an id");
    foretell(Loss::order_changed, "*",
             "records that are not sorted by time; attributes that are not in the order of their generator");
    foretell(Loss::time_rounded, "*",
             "times below 0, above 2^63 - 1, or between two units; relations at a time without a begin or end");
}

}  // namespace hwtrace::txlog

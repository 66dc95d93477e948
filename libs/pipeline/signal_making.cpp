#include "pipeline/signal_making.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "io/text_cursor.hpp"
#include "model/conventions.hpp"
#include "pipeline/schema_text.hpp"
#include "pipeline/signal_mark.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

// Behind the format's name, where records are counted and where they are not.
constexpr char counted_separator = '#', separator = ' ';

/// What the fields of a track are called where no two may have one name, and none that of an interval's duration or of
/// the count.
std::vector<std::string> member_names(const Track& track) {
    std::unordered_set<std::string> taken;
    taken.emplace(names::attribute_order);
    if (track.kind == Track::Kind::stream) taken.emplace(names::interval_duration);
    std::vector<std::string> members;
    for (std::size_t i = 0; i < track.fields.size(); ++i) {
        std::string name = track.fields[i].name;
        while (name.empty() || !taken.insert(name).second)
            name.append("#").append(std::to_string(i));
        members.push_back(std::move(name));
    }
    if (track.kind == Track::Kind::notes) members.emplace_back(names::note_text);
    return members;
}

/// How many ticks of `to` one of `from` is.
std::optional<Ratio> ticks_in(const TimeBase& from, const TimeBase& to) noexcept {
    const bool timed = from.kind != TimeBase::Kind::ordinal && to.kind != TimeBase::Kind::ordinal;
    if (!timed || from.den == 0 || to.den == 0) return Ratio{1, 1};
    Ratio ratio{1, 1};
    const Ratio a = Ratio{from.num, to.num}.reduced(), b = Ratio{to.den, from.den}.reduced();
    if (__builtin_mul_overflow(a.num, b.num, &ratio.num) || __builtin_mul_overflow(a.den, b.den, &ratio.den))
        return std::nullopt;
    return ratio.reduced();
}

bool has_ends(const Track& track) noexcept {
    return track.kind != Track::Kind::relation_type || track.fixed_fields() >= 2;
}

/// What SignalMaking noted.
struct Mark {
    std::string_view format;
    bool counted = false;

    /// Declares the objects that it speaks of in `objects`, which has none. None where it cannot be read.
    static std::optional<Mark> read(const Schema& schema, Schema& objects) {
        const std::string* const text = schema.metadata(names::record_source);
        if (text == nullptr) return std::nullopt;
        const std::size_t end = text->find_first_of(std::string{separator, counted_separator});
        if (end == std::string::npos) return std::nullopt;
        TextCursor at(std::string_view(*text).substr(end + 1));
        if (!read_objects(at, objects) || !std::ranges::all_of(objects.tracks(), has_ends)) return std::nullopt;
        return Mark{std::string_view(*text).substr(0, end), (*text)[end] == counted_separator};
    }
};

bool is_signal(const Track& track) noexcept {
    return track.kind == Track::Kind::signal;
}

}  // namespace

// --- signals of records ----------------------------------------------------------------------------------------------

bool SignalMaking::takes(const Track& track) noexcept {
    switch (track.kind) {
        case Track::Kind::event_type:
        case Track::Kind::relation_type:
        case Track::Kind::stream:
        case Track::Kind::notes:
        case Track::Kind::signal:
            return true;
        case Track::Kind::storage:
        case Track::Kind::hart:
        case Track::Kind::native:
            break;
    }
    return false;
}

SignalMaking::SignalMaking(const Schema& source, const Format& to, bool time_ordered, Losses& losses)
    : source_(source), losses_(losses), counts_(!time_ordered), translate_(source, schema_) {
    declare_objects(source, schema_);
    for (const Metadata& fact : source.metadata())
        schema_.describe(fact.key, fact.value);
    Schema kept;
    declare_objects(source, kept);
    for (const Track& track : source.tracks()) {
        declare(track, to.name);
        if (!origins_.back().passes) kept.declare(track);
    }
    schema_.describe(std::string(names::record_source),
                     std::string(to.name) + (counts_ ? counted_separator : separator) + objects_text(kept));
}

void SignalMaking::declare(const Track& track, std::string_view format) {
    Origin& origin = origins_.emplace_back();
    origin.text = text_fields(track.fields);
    origin.passes = !is_signal(track) && belongs_to(track, format);
    if (origin.passes) {
        origin.target = schema_.declare(track);
        return;
    }
    if (!takes(track)) return;
    if (is_signal(track)) {
        origin.target = schema_.declare(track);
        return;
    }
    const std::vector<std::string> members = member_names(track);
    Track signal = make_track(Track::Kind::signal, track.scope, track.name, track.time);
    signal.native_id = track.native_id;
    if (track.kind == Track::Kind::stream) {
        signal.fields.push_back(Field{std::string(names::interval_duration), Type::u64});
        origin.first = 1;
    }
    for (std::size_t i = 0; i < track.fields.size(); ++i) {
        Field& field = signal.fields.emplace_back(track.fields[i]);
        field.name = members[i];
        field.phase = Phase::unknown;
    }
    if (track.kind == Track::Kind::notes) signal.fields.push_back(Field{members.front(), Type::text});
    if (counts_) {
        origin.order = static_cast<std::uint32_t>(signal.fields.size());
        signal.fields.push_back(Field{std::string(names::attribute_order), Type::u64});
    }
    origin.fixed = track.fixed_fields();
    origin.row = track.fields.size() - origin.fixed;
    origin.target = schema_.declare(std::move(signal));
}

void SignalMaking::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records())
        put(in, record, out);
}

void SignalMaking::add(const Origin& origin, std::size_t field, std::uint64_t cell) {
    const bool text = field < origin.text.size() && origin.text[field];
    values_.push_back({origin.first + static_cast<std::uint32_t>(field),
                       text ? std::uint64_t{translate_(static_cast<StringId>(cell))} : cell});
}

void SignalMaking::pass(const Batch& in, const Record& record, const Origin& origin, Batch& out) {
    const Record& copy = out.copy(in, record, origin.target);
    if (record.kind != Kind::event) return;
    const std::span<std::uint64_t> cells = out.mutable_cells(copy);
    for (std::size_t i = 0; i < std::min(cells.size(), origin.text.size()); ++i)
        if (origin.text[i]) cells[i] = translate_(static_cast<StringId>(cells[i]));
}

void SignalMaking::put(const Batch& in, const Record& record, Batch& out) {
    const Origin& origin = origins_[record.track];
    if (origin.passes) return pass(in, record, origin, out);
    if (origin.target == none) {
        const Track& track = source_.tracks()[record.track];
        losses_.count(record.kind == Kind::native ? Loss::native_dropped : Loss::kind_dropped, track.name, [&] {
            return std::string(name_of(record.kind)).append(" at ").append(std::to_string(record.time));
        });
        return;
    }
    values_.clear();
    std::uint64_t mark = (record.flags & record_first_of_frame) != 0 ? frame_mark : change_unmarked;
    switch (record.kind) {
        case Kind::event:
        case Kind::relation: {
            const std::span<const std::uint64_t> cells = in.cells(record);
            const std::size_t fixed = std::min(origin.fixed, cells.size());
            for (std::size_t i = 0; i < fixed; ++i)
                add(origin, i, cells[i]);
            for (std::size_t column = 0; column < origin.row; ++column)
                for (std::size_t at = fixed + column; at < cells.size(); at += origin.row)
                    add(origin, fixed + column, cells[at]);
            break;
        }
        case Kind::interval:
            values_.push_back({0, record.value});
            for (const Attribute& attribute : in.attributes(record))
                add(origin, attribute.field, attribute.value);
            break;
        case Kind::note:
            values_.push_back({0, schema_.intern(in.text(record))});
            break;
        case Kind::change:
            for (const Attribute& attribute : in.attributes(record))
                add(origin, attribute.field, attribute.value);
            mark = record.value;
            break;
        default:
            return;
    }
    if (counts_) {
        ++count_;
        if (origin.order != none) values_.push_back({origin.order, count_});
    }
    out.change(origin.target, record.time, values_, mark).flags =
        static_cast<std::uint8_t>(record.flags & (record_no_value | record_restated));
}

// --- records of signals ----------------------------------------------------------------------------------------------

bool RecordsOfSignals::is_made(const Schema& schema) {
    Schema objects;
    if (!Mark::read(schema, objects)) return false;
    return std::ranges::count_if(schema.tracks(), is_signal) ==
           std::ranges::count_if(objects.tracks(), SignalMaking::takes);
}

bool RecordsOfSignals::reorders(const Schema& schema) {
    Schema objects;
    const auto mark = Mark::read(schema, objects);
    return mark && mark->counted;
}

RecordsOfSignals::RecordsOfSignals(const Schema& source, std::string folder, Losses& losses)
    : source_(source),
      losses_(losses),
      translate_(source, schema_),
      reorders_(reorders(source)),
      sorter_(std::move(folder)) {
    const std::string_view format = Mark::read(source, schema_).value_or(Mark{}).format;
    const std::string own = std::string(format) + '.';
    // What that format says of the stream that it was in is no fact of the trace.
    for (const Metadata& fact : source.metadata())
        if (fact.key != names::record_source && !fact.key.starts_with(own)) schema_.describe(fact.key, fact.value);
    for (const Track& track : schema_.tracks())
        members_.push_back(member_names(track));
    TrackId next = 0;
    for (const Track& track : source.tracks()) {
        Origin& origin = origins_.emplace_back();
        if (!is_signal(track)) continue;
        while (next < schema_.tracks().size() && !SignalMaking::takes(schema_.tracks()[next]))
            ++next;  // it became none
        origin.target = next++;
        origin.ticks = ticks_in(track.time, schema_.tracks()[origin.target].time).value_or(Ratio{1, 1});
    }
}

/// Fields that the source has got since.
void RecordsOfSignals::meet_fields(TrackId source) {
    Origin& origin = origins_[source];
    const std::vector<Field>& fields = source_.tracks()[source].fields;
    const Track& target = schema_.tracks()[origin.target];
    const std::vector<std::string>& members = members_[origin.target];
    for (std::size_t i = origin.fields.size(); i < fields.size(); ++i) {
        if (is_signal(target)) {
            const auto same = std::ranges::find(target.fields, fields[i]);
            const bool known = i < target.fields.size() && same != target.fields.end();
            const auto index = known ? static_cast<std::uint32_t>(same - target.fields.begin())
                                     : schema_.add_attribute(origin.target, fields[i]);
            origin.fields.push_back(index);
        } else {
            const auto member = std::ranges::find(members, fields[i].name);
            const bool known = member != members.end();
            const auto index = static_cast<std::size_t>(member - members.begin());
            const bool is_text = index >= target.fields.size() || holds_text(target.fields[index].type);
            const bool fits = known && is_text == holds_text(fields[i].type);
            const bool is_duration = target.kind == Track::Kind::stream && fields[i].name == names::interval_duration;
            const bool is_order = fields[i].name == names::attribute_order;
            origin.fields.push_back(fits          ? static_cast<std::uint32_t>(index)
                                    : known       ? none
                                    : is_duration ? duration_field
                                    : is_order    ? order_field
                                                  : none);
        }
        origin.text.push_back(holds_text(fields[i].type));
    }
}

std::uint64_t RecordsOfSignals::cell(const Origin& origin, const Attribute& value) {
    return origin.text[value.field] ? translate_(static_cast<StringId>(value.value)) : value.value;
}

void RecordsOfSignals::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        if (!reorders_) {
            put(in, record, out);
            continue;
        }
        held_.clear();
        put(in, record, held_);
        greatest_order_ = std::max(greatest_order_, order_);
        for (const Record& made : held_.records())
            sorter_.add(made.kind == Kind::change ? greatest_order_ : order_, 0, held_, made);
    }
}

bool RecordsOfSignals::finish(Batch& out) {
    places_.clear();
    return reorders_ && sorter_.give(out, places_);
}

void RecordsOfSignals::put(const Batch& in, const Record& record, Batch& out) {
    Origin& origin = origins_[record.track];
    const auto lost = [&](std::string_view why) {
        losses_.count(Loss::kind_dropped, source_.tracks()[record.track].name,
                      [&] { return std::string(why).append(" at ").append(std::to_string(record.time)); });
    };
    if (origin.target == none || record.kind != Kind::change) return lost(name_of(record.kind));
    if (origin.fields.size() != source_.tracks()[record.track].fields.size()) meet_fields(record.track);
    const Track& target = schema_.tracks()[origin.target];
    const Tick time = origin.ticks == Ratio{1, 1} ? record.time : scale(record.time, origin.ticks).value;
    values_.clear();
    std::optional<std::uint64_t> duration;
    for (const Attribute& value : in.attributes(record)) {
        const std::uint32_t field = origin.fields[value.field];
        if (field == none) return lost("a member that is not the trace's");
        if (field == duration_field)
            duration = value.value;
        else if (field == order_field)
            order_ = value.value;
        else
            values_.push_back({field, cell(origin, value)});
    }
    Record* made = nullptr;
    switch (target.kind) {
        case Track::Kind::signal:
            out.change(origin.target, time, values_, record.value).flags = record.flags;
            return;
        case Track::Kind::stream:
            if (!duration) return lost("no duration");
            made = &out.interval(origin.target, time, *duration, values_);
            break;
        case Track::Kind::notes:
            if (values_.size() != 1) return lost("no text");
            made = &out.note(origin.target, time, schema_.text(static_cast<StringId>(values_.front().value)));
            break;
        default:
            if (!put_event(in, record, origin, time, out)) return lost("fields are missing");
            made = &out.mutable_records().back();
            break;
    }
    if (record.value == SignalMaking::frame_mark) made->flags |= record_first_of_frame;
    made->flags |= record.flags & record_restated;
}

/// Of an event or a relation: `values_` as cells, arrays as rows.
bool RecordsOfSignals::put_event(const Batch&, const Record&, const Origin& origin, Tick time, Batch& out) {
    const Track& target = schema_.tracks()[origin.target];
    const std::size_t fixed = target.fixed_fields(), row = target.fields.size() - fixed;
    if (columns_.size() < row) columns_.resize(row);
    for (std::size_t i = 0; i < row; ++i)
        columns_[i].clear();
    cells_.assign(fixed, 0);
    seen_.assign(fixed, false);
    std::size_t known = 0;
    for (const Attribute& value : values_) {
        if (value.field >= fixed) {
            columns_[value.field - fixed].push_back(value.value);
            continue;
        }
        if (seen_[value.field]) return false;
        cells_[value.field] = value.value;
        seen_[value.field] = true;
        ++known;
    }
    if (known != fixed) return false;
    const std::size_t rows = row == 0 ? 0 : columns_.front().size();
    for (std::size_t i = 0; i < row; ++i)
        if (columns_[i].size() != rows) return false;
    for (std::size_t at = 0; at < rows; ++at)
        for (std::size_t i = 0; i < row; ++i)
            cells_.push_back(columns_[i][at]);
    if (target.kind == Track::Kind::relation_type)
        out.relation(origin.target, time, cells_);
    else
        out.event(origin.target, time, cells_);
    return true;
}

}  // namespace hwtrace

#include "restoring.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "timescale.hpp"

namespace hwtrace::ftr {

namespace {

constexpr std::uint64_t latest = std::numeric_limits<Tick>::max();

/// Returns the bits of the binary32 number that equals a binary64 number, or nothing if there is none. Works on bits,
/// because a conversion makes signalling NaNs quiet.
std::optional<std::uint64_t> single_of(std::uint64_t bits) {
    const auto wide = std::bit_cast<double>(bits);
    if (std::isnan(wide)) {
        constexpr std::uint64_t lower = (std::uint64_t{1} << 29) - 1;
        if ((bits & lower) != 0) return std::nullopt;
        return bits >> 63 << 31 | 0x7F80'0000u | (bits >> 29 & 0x7F'FFFFu);
    }
    if (std::isfinite(wide) && std::fabs(wide) > std::numeric_limits<float>::max()) return std::nullopt;
    const auto narrow = static_cast<float>(wide);
    if (std::bit_cast<std::uint64_t>(static_cast<double>(narrow)) != bits) return std::nullopt;
    return std::bit_cast<std::uint32_t>(narrow);
}

std::size_t states_streams(const Track& relation) noexcept {
    return streams_field(relation) == none ? 0 : 1;
}

}  // namespace

Restoring::Restoring(const Schema& plain, SchemaMark mark, std::int64_t exponent) : plain_(plain), exponent_(exponent) {
    numbers_tell_order_ = mark.all_numbers_made();
    for (Clock& clock : mark.clocks)
        schema_.declare(std::move(clock));
    for (Enum& enumeration : mark.enums)
        schema_.declare(std::move(enumeration));
    for (Scope& scope : mark.scopes)
        schema_.declare(std::move(scope));
    for (SchemaMark::MarkedTrack& marked : mark.tracks) {
        const bool stream = marked.track.kind == Track::Kind::stream;
        const TrackId id = schema_.declare(std::move(marked.track));
        made_numbers_.push_back(marked.made_numbers);
        if (stream && marked.generator)
            by_generator_.try_emplace(*marked.generator, id);
        else if (!stream)
            by_relation_[states_streams(schema_.tracks()[id])].try_emplace(schema_.tracks()[id].name, id);
    }
    scopes_.assign(plain.scopes().size(), none);
    for (std::size_t id = 0; id < plain.tracks().size(); ++id)  // includes generators without transactions
        lane_of(static_cast<TrackId>(id));
    uses_.clear();
}

void Restoring::save(Appender& out) const {
    out.leb128(uses_.size());
    for (const Use& use : uses_) {
        out.le(static_cast<std::uint8_t>(use.what));
        out.leb128(use.track);
        out.leb128(use.field);
    }
}

void Restoring::restore(Cursor& in) {
    for (std::uint64_t left = in.leb128(); left > 0; --left) {
        const auto what = in.le<std::uint8_t>();
        const std::uint64_t track = in.leb128(), field = in.leb128();
        const bool is_lane = what == static_cast<std::uint8_t>(Use::What::lane);
        if (what > static_cast<std::uint8_t>(Use::What::as_it_is) || track >= plain_.tracks().size() ||
            (!is_lane && field >= plain_.tracks()[static_cast<TrackId>(track)].fields.size()))
            fail(Failure::input, "the state states attributes that the file lacks");
        Lane& lane = lane_of(static_cast<TrackId>(track));
        if (is_lane) continue;
        const auto index = static_cast<std::uint32_t>(field);
        column_of(lane, static_cast<TrackId>(track), index);
        if (what == static_cast<std::uint8_t>(Use::What::as_it_is))
            keep_as_it_is(lane, static_cast<TrackId>(track), index);
    }
}

/// Adds a field for the values of a column that its own field cannot hold, unless there is one.
void Restoring::keep_as_it_is(Lane& lane, TrackId track, std::uint32_t field) {
    Column& column = lane.columns[field];
    if (column.as_it_is != none) return;
    uses_.push_back({Use::What::as_it_is, track, field});
    column.as_it_is = add_attribute(lane, plain_.tracks()[track].fields[field]);
}

Restoring::Lane& Restoring::lane_of(TrackId track) {
    if (track >= lanes_.size()) lanes_.resize(plain_.tracks().size());
    Lane& lane = lanes_[track];
    if (!lane.known) make_lane(track, lane);
    return lane;
}

void Restoring::make_lane(TrackId id, Lane& lane) {
    const Track& track = plain_.tracks()[id];
    lane.known = true;
    uses_.push_back({Use::What::lane, id, 0});
    if (track.kind == Track::Kind::stream && track.native_id) {
        if (const auto found = by_generator_.find(*track.native_id); found != by_generator_.end())
            lane.target = found->second;
    } else if (track.kind == Track::Kind::relation_type) {
        // The writer may have added the streams of a relation.
        for (std::size_t states = states_streams(track) + 1; states-- > 0 && lane.target == none;)
            if (const auto found = by_relation_[states].find(track.name); found != by_relation_[states].end())
                lane.target = found->second;
    }
    if (lane.target != none) {
        lane.made_numbers = made_numbers_[lane.target];
        const Track& target = schema_.tracks()[lane.target];
        lane.ticks = ticks_in(target.time, static_cast<int>(exponent_)).value_or(Ratio{1, 1});
        return;
    }
    Track copy = track;
    if (copy.kind == Track::Kind::stream) copy.fields.resize(1);  // further attributes are added when they occur
    if (track.scope != none) {
        if (track.scope >= scopes_.size()) scopes_.resize(plain_.scopes().size(), none);
        ScopeId& scope = scopes_[track.scope];
        if (scope == none) scope = schema_.declare(plain_.scopes()[track.scope]);
        copy.scope = scope;
    }
    lane.target = schema_.declare(std::move(copy));
}

/// Adds an attribute that is not in the mark.
std::uint32_t Restoring::add_attribute(Lane& lane, Field field) {
    const std::vector<Field>& fields = schema_.tracks()[lane.target].fields;
    field.repeated = !fields.empty() && fields.back().repeated;  // only repeated fields may follow a repeated one
    return schema_.add_attribute(lane.target, std::move(field));
}

Restoring::Column& Restoring::column_of(Lane& lane, TrackId track, std::uint32_t field) {
    if (field >= lane.columns.size()) lane.columns.resize(field + std::size_t{1});
    Column& column = lane.columns[field];
    if (column.known) return column;
    column.known = true;
    uses_.push_back({Use::What::column, track, field});
    const Field& plain = plain_.tracks()[track].fields[field];
    if (field == 0) {  // the transaction's id
        column.field = lane.made_numbers ? none : 0;
        return column;
    }
    const std::vector<Field>& fields = schema_.tracks()[lane.target].fields;
    lane.fields.follow(fields, lane.made_numbers ? 0 : 1);
    std::uint32_t found = lane.fields.find(plain);
    if (found == none && plain.type == Type::u64) {  // booleans above 1 are stored as numbers
        Field boolean = plain;
        boolean.type = Type::boolean;
        found = lane.fields.find(boolean);
    }
    if (found != none) {
        column.field = found;
        column.type = fields[found].type;
        column.enumeration = fields[found].enumeration;
        return column;
    }
    column.field = column.as_it_is = add_attribute(lane, plain);
    column.type = plain.type;
    return column;
}

StringId Restoring::text(StringId id) {
    if (id >= texts_.size()) texts_.resize(plain_.string_count(), none);
    if (texts_[id] == none) texts_[id] = schema_.intern(plain_.text(id));
    return texts_[id];
}

/// Returns the first value with this label. If there is none, returns the number that the label itself states, or
/// nullopt if the label is not a number.
std::optional<std::uint64_t> Restoring::value_of(EnumId enumeration, StringId label) {
    if (enumeration >= labels_.size()) labels_.resize(schema_.enums().size());
    if (!labels_[enumeration]) {
        labels_[enumeration].emplace();
        for (const EnumValue& value : schema_.enums()[enumeration].values)
            labels_[enumeration]->by_name.try_emplace(value.name, value.value);
    }
    Labels& labels = *labels_[enumeration];
    const auto [entry, fresh] = labels.by_text.try_emplace(label);
    if (!fresh) return entry->second;
    const std::string_view name = plain_.text(label);
    if (const auto found = labels.by_name.find(name); found != labels.by_name.end())
        entry->second = found->second;
    else
        entry->second = parse_digits(name);
    return entry->second;
}

/// Converts a value to the target's field. Returns nothing if it does not fit.
std::optional<std::uint64_t> Restoring::cell(const Lane& lane, const Column& column, std::uint64_t value) {
    switch (column.type) {
        case Type::text:
        case Type::label:
        case Type::bits:
        case Type::logic:
        case Type::blob:
            return text(static_cast<StringId>(value));
        case Type::enumeration:
            if (column.enumeration == none) return std::nullopt;
            return value_of(column.enumeration, static_cast<StringId>(value));
        case Type::f32:
            return single_of(value);
        case Type::time:
            return lane.ticks == Ratio{1, 1}
                       ? value
                       : first_tick_at(value, lane.ticks, std::numeric_limits<std::uint64_t>::max());
        case Type::u8:
        case Type::u16:
        case Type::u32: {
            const unsigned bits = column.type == Type::u8 ? 8 : column.type == Type::u16 ? 16 : 32;
            return value >> bits == 0 ? std::optional(value) : std::nullopt;
        }
        case Type::i8:
        case Type::i16:
        case Type::i32: {
            const unsigned bits = column.type == Type::i8 ? 8 : column.type == Type::i16 ? 16 : 32;
            const auto number = static_cast<std::int64_t>(value);
            const std::int64_t most = (std::int64_t{1} << (bits - 1)) - 1;
            return number >= -most - 1 && number <= most ? std::optional(value) : std::nullopt;
        }
        case Type::u64:
        case Type::i64:
        case Type::f64:
        case Type::boolean:
        case Type::fixed:
        case Type::ufixed:
        case Type::pointer:
            break;
    }
    return value;
}

Tick Restoring::tick(const Lane& lane, std::uint64_t time) noexcept {
    return static_cast<Tick>(lane.ticks == Ratio{1, 1} ? std::min(time, latest)
                                                       : first_tick_at(std::min(time, latest), lane.ticks, latest));
}

void Restoring::interval(TrackId track, std::uint64_t start, std::uint64_t end, std::span<const Attribute> attributes,
                         Batch& batch) {
    Lane& lane = lane_of(track);
    attributes_.clear();
    for (const Attribute& attribute : attributes) {
        Column& column = column_of(lane, track, attribute.field);
        if (column.field == none) continue;
        if (const auto value = cell(lane, column, attribute.value)) {
            attributes_.push_back({column.field, *value});
            continue;
        }
        const Field& plain = plain_.tracks()[track].fields[attribute.field];
        keep_as_it_is(lane, track, attribute.field);
        attributes_.push_back(
            {column.as_it_is, holds_text(plain.type) ? text(static_cast<StringId>(attribute.value)) : attribute.value});
    }
    const Tick begin = tick(lane, start);
    const std::uint64_t duration =
        lane.ticks == Ratio{1, 1}
            ? (end < start ? 0 : end - start)
            : static_cast<std::uint64_t>(std::max(tick(lane, end), begin)) - static_cast<std::uint64_t>(begin);
    batch.interval(lane.target, begin, duration, attributes_);
}

void Restoring::relation(TrackId track, Tick time, std::span<const std::uint64_t> cells, Batch& batch) {
    Lane& lane = lane_of(track);
    cells_.assign(cells.begin(), cells.end());
    cells_.resize(schema_.tracks()[lane.target].fields.size());
    batch.relation(lane.target, tick(lane, static_cast<std::uint64_t>(time)), cells_);
}

}  // namespace hwtrace::ftr

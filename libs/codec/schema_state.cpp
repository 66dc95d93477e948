#include "codec/schema_state.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/error.hpp"

namespace hwtrace {

namespace {

constexpr std::uint8_t last_kind = static_cast<std::uint8_t>(Track::Kind::native);
constexpr std::uint8_t last_type = static_cast<std::uint8_t>(Type::blob);
constexpr std::uint8_t last_phase = static_cast<std::uint8_t>(Phase::end);
constexpr std::uint8_t last_base = static_cast<std::uint8_t>(TimeBase::Kind::ordinal);

[[noreturn]] void refuse_schema() {
    fail(Failure::input, "the state states no schema");
}

// --- writing ---------------------------------------------------------------------------------------------------------

void append_text(std::string_view text, Appender& out) {
    out.leb128(text.size());
    out.text(text);
}

/// Appends an id, or 0 for `none`.
void append_id(std::uint32_t id, Appender& out) {
    out.leb128(id == none ? 0 : std::uint64_t{id} + 1);
}

void append_native_id(const std::optional<std::uint64_t>& id, Appender& out) {
    out.le(static_cast<std::uint8_t>(id ? 1 : 0));
    if (id) out.leb128(*id);
}

void append_field(const Field& field, Appender& out) {
    append_text(field.name, out);
    append_id(field.enumeration, out);
    for (const std::uint8_t part :
         {static_cast<std::uint8_t>(field.type), static_cast<std::uint8_t>(field.repeated ? 1 : 0), field.role,
          field.pair, static_cast<std::uint8_t>(field.phase), field.width})
        out.le(part);
}

void append_fields(const std::vector<Field>& fields, Appender& out) {
    out.leb128(fields.size());
    for (const Field& field : fields)
        append_field(field, out);
}

void append_track(const Track& track, Appender& out) {
    out.le(static_cast<std::uint8_t>(track.kind));
    append_id(track.scope, out);
    append_text(track.name, out);
    out.le(static_cast<std::uint8_t>(track.time.kind));
    out.leb128(track.time.num);
    out.leb128(track.time.den);
    append_fields(track.fields, out);
    append_fields(track.properties, out);
    out.leb128(track.slots);
    out.le(static_cast<std::uint8_t>((track.sparse ? 1u : 0u) | (track.buffer ? 2u : 0u)));
    append_native_id(track.native_id, out);
}

// --- reading ---------------------------------------------------------------------------------------------------------

std::string text_at(Cursor& in) {
    const std::uint64_t size = in.leb128();
    if (size > in.left()) refuse_schema();
    return std::string(as_text(in.take(static_cast<std::size_t>(size))));
}

/// Returns an id below `end`, or `none`.
std::uint32_t id_at(Cursor& in, std::size_t end) {
    const std::uint64_t id = in.leb128();
    if (id > end) refuse_schema();
    return id == 0 ? none : static_cast<std::uint32_t>(id - 1);
}

std::uint8_t byte_at(Cursor& in, std::uint8_t most) {
    const auto byte = in.le<std::uint8_t>();
    if (byte > most) refuse_schema();
    return byte;
}

/// Returns a number of objects, each of which takes at least a byte.
std::uint64_t count_at(Cursor& in) {
    const std::uint64_t count = in.leb128();
    if (count > in.left()) refuse_schema();
    return count;
}

std::optional<std::uint64_t> native_id_at(Cursor& in) {
    return byte_at(in, 1) == 0 ? std::nullopt : std::optional(in.leb128());
}

Field field_at(Cursor& in, const Schema& schema) {
    Field field;
    field.name = text_at(in);
    field.enumeration = id_at(in, schema.enums().size());
    field.type = static_cast<Type>(byte_at(in, last_type));
    field.repeated = byte_at(in, 1) != 0;
    field.role = in.le<std::uint8_t>();
    field.pair = in.le<std::uint8_t>();
    field.phase = static_cast<Phase>(byte_at(in, last_phase));
    field.width = byte_at(in, 64);
    return field;
}

std::vector<Field> fields_at(Cursor& in, const Schema& schema) {
    std::vector<Field> fields;
    for (std::uint64_t left = count_at(in); left > 0; --left)
        fields.push_back(field_at(in, schema));
    return fields;
}

Track track_at(Cursor& in, const Schema& schema) {
    Track track;
    track.kind = static_cast<Track::Kind>(byte_at(in, last_kind));
    track.scope = id_at(in, schema.scopes().size());
    track.name = text_at(in);
    track.time.kind = static_cast<TimeBase::Kind>(byte_at(in, last_base));
    track.time.num = in.leb128();
    track.time.den = in.leb128();
    track.fields = fields_at(in, schema);
    track.properties = fields_at(in, schema);
    const std::uint64_t slots = in.leb128();
    if (slots >= none) refuse_schema();
    track.slots = static_cast<std::uint32_t>(slots);
    const std::uint8_t flags = byte_at(in, 3);
    track.sparse = (flags & 1u) != 0;
    track.buffer = (flags & 2u) != 0;
    track.native_id = native_id_at(in);
    return track;
}

// --- comparing -------------------------------------------------------------------------------------------------------

/// Returns true if the list begins with the elements of `part`.
template <typename List>
bool list_begins_with(const List& whole, const List& part) {
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

bool is_same_but_for_fields(const Track& a, const Track& b) {
    return a.kind == b.kind && a.scope == b.scope && a.name == b.name && a.time == b.time &&
           a.properties == b.properties && a.slots == b.slots && a.sparse == b.sparse && a.buffer == b.buffer &&
           a.native_id == b.native_id;
}

/// Returns true if `whole` can be what `part` becomes.
bool begins_with(const Enum& whole, const Enum& part) {
    return whole.name == part.name && list_begins_with(whole.values, part.values);
}
bool begins_with(const Track& whole, const Track& part) {
    return is_same_but_for_fields(whole, part) && list_begins_with(whole.fields, part.fields);
}

/// Returns true if the elements of `part` from `first` on are those of `whole`, and sets `first` to the number of
/// elements of `part`.
template <typename List, typename Fits>
bool rest_fits(const List& whole, const List& part, std::size_t& first, Fits&& fits) {
    if (part.size() > whole.size()) return false;
    for (; first < part.size(); ++first)
        if (!fits(whole[first], part[first])) return false;
    return true;
}
template <typename List>
bool rest_is_same(const List& whole, const List& part, std::size_t& first) {
    return rest_fits(whole, part, first, [](const auto& a, const auto& b) { return a == b; });
}

}  // namespace

void append_schema(const Schema& schema, Appender& out) {
    out.leb128(schema.clocks().size());
    for (const Clock& clock : schema.clocks()) {
        append_text(clock.name, out);
        out.leb128(clock.period_ps);
    }
    out.leb128(schema.scopes().size());
    for (const Scope& scope : schema.scopes()) {
        append_text(scope.name, out);
        append_text(scope.protocol, out);
        append_id(scope.parent, out);
        append_id(scope.clock, out);
        append_native_id(scope.native_id, out);
    }
    out.leb128(schema.enums().size());
    for (const Enum& enumeration : schema.enums()) {
        append_text(enumeration.name, out);
        out.leb128(enumeration.values.size());
        for (const EnumValue& value : enumeration.values) {
            out.leb128(value.value);
            append_text(value.name, out);
        }
    }
    out.leb128(schema.tracks().size());
    for (const Track& track : schema.tracks())
        append_track(track, out);
    out.leb128(schema.metadata().size());
    for (const Metadata& fact : schema.metadata()) {
        append_text(fact.key, out);
        append_text(fact.value, out);
    }
}

Schema restore_schema(Cursor& in) {
    Schema schema;
    for (std::uint64_t left = count_at(in); left > 0; --left) {
        std::string name = text_at(in);
        schema.declare(Clock{std::move(name), in.leb128()});
    }
    const std::uint64_t scopes = count_at(in);
    for (std::uint64_t left = scopes; left > 0; --left) {
        Scope scope;
        scope.name = text_at(in);
        scope.protocol = text_at(in);
        scope.parent = id_at(in, static_cast<std::size_t>(scopes));
        scope.clock = id_at(in, schema.clocks().size());
        scope.native_id = native_id_at(in);
        schema.declare(std::move(scope));
    }
    for (std::uint64_t left = count_at(in); left > 0; --left) {
        Enum enumeration;
        enumeration.name = text_at(in);
        for (std::uint64_t values = count_at(in); values > 0; --values) {
            const std::uint64_t value = in.leb128();
            enumeration.values.push_back({value, text_at(in)});
        }
        schema.declare(std::move(enumeration));
    }
    for (std::uint64_t left = count_at(in); left > 0; --left)
        schema.declare(track_at(in, schema));
    for (std::uint64_t left = count_at(in); left > 0; --left) {
        std::string key = text_at(in);
        schema.describe(std::move(key), text_at(in));
    }
    return schema;
}

void append_attributes(const Schema& schema, std::size_t first, Appender& out) {
    const auto& added = schema.added_attributes();
    out.leb128(added.size() - first);
    for (std::size_t at = first; at < added.size(); ++at) {
        out.leb128(added[at].track);
        append_field(schema.tracks()[added[at].track].fields[added[at].index], out);
    }
}

void restore_attributes(Schema& schema, Cursor& in) {
    for (std::uint64_t left = count_at(in); left > 0; --left) {
        const std::uint64_t track = in.leb128();
        if (track >= schema.tracks().size()) refuse_schema();
        schema.add_attribute(static_cast<TrackId>(track), field_at(in, schema));
    }
}

void OutlineMeter::add(const Batch& batch) noexcept {
    for (const Record& record : batch.records()) {
        shapes_.add(carrier_of(record.kind));
        is_ordered_ = is_ordered_ && record.time >= last_;
        last_ = record.time;
        latest_ = std::max(latest_, last_);
        lateness_ = std::max(lateness_, static_cast<std::uint64_t>(latest_) - static_cast<std::uint64_t>(last_));
        has_frames_ = has_frames_ || (record.flags & record_first_of_frame) != 0;
    }
}

TraceOutline OutlineMeter::outline() const {
    TraceOutline outline;
    outline.time_ordered = is_ordered_;
    if (!has_frames_) outline.lateness = lateness_;
    outline.shapes = shapes_;
    return outline;
}

void append_outline(const TraceOutline& outline, const Schema& schema, Appender& out) {
    out.le(static_cast<std::uint8_t>((outline.time_ordered ? 1u : 0u) | (outline.lateness ? 2u : 0u)));
    out.le(outline.lateness.value_or(0));
    for (const Shape shape : all_shapes)
        out.le(static_cast<std::uint8_t>(outline.shapes.has(shape) ? 1 : 0));
    append_schema(schema, out);
}

TraceOutline restore_outline(Cursor& in) {
    TraceOutline outline;
    const std::uint8_t flags = byte_at(in, 3);
    outline.time_ordered = (flags & 1u) != 0;
    const auto lateness = in.le<std::uint64_t>();
    if ((flags & 2u) != 0) outline.lateness = lateness;
    for (const Shape shape : all_shapes)
        if (byte_at(in, 1) != 0) outline.shapes.add(shape);
    outline.schema = restore_schema(in);
    return outline;
}

SchemaCompletion::SchemaCompletion(const Schema& growing, Schema& complete) : growing_(growing), complete_(complete) {}

bool SchemaCompletion::follow() {
    for (std::size_t id = complete_.string_count(); id < growing_.string_count(); ++id)
        complete_.append(growing_.text(static_cast<StringId>(id)));
    const auto grows = [](const auto& whole, const auto& part) { return begins_with(whole, part); };
    if (!rest_is_same(complete_.clocks(), growing_.clocks(), clocks_) ||
        !rest_is_same(complete_.scopes(), growing_.scopes(), scopes_) ||
        !rest_is_same(complete_.metadata(), growing_.metadata(), metadata_) ||
        !rest_fits(complete_.enums(), growing_.enums(), enums_, grows) ||
        !rest_fits(complete_.tracks(), growing_.tracks(), tracks_, grows))
        return false;
    for (; labels_ < growing_.added_labels().size(); ++labels_) {
        const auto [id, index] = growing_.added_labels()[labels_];
        const auto& values = complete_.enums()[id].values;
        if (index >= values.size() || values[index] != growing_.enums()[id].values[index]) return false;
    }
    for (; attributes_ < growing_.added_attributes().size(); ++attributes_) {
        const auto [id, index] = growing_.added_attributes()[attributes_];
        const auto& fields = complete_.tracks()[id].fields;
        if (index >= fields.size() || fields[index] != growing_.tracks()[id].fields[index]) return false;
    }
    return true;
}

}  // namespace hwtrace

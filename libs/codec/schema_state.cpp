#include "codec/schema_state.hpp"

#include <algorithm>

#include "domain/saved_schema.hpp"
#include "io/limits.hpp"
#include "io/saved_state.hpp"

namespace hwtrace {

namespace {

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
    StateOut state(out);
    save_schema(schema, state);
}

Schema restore_schema(Cursor& in) {
    Schema schema;
    StateIn state(in, Limits::unlimited());
    restore_schema(state, schema);
    return schema;
}

void append_attributes(const Schema& schema, std::size_t first, Appender& out) {
    const auto& added = schema.added_attributes();
    StateOut state(out);
    state(added.size() - first);
    for (std::size_t at = first; at < added.size(); ++at) {
        state(added[at].track);
        save_field(schema.tracks()[added[at].track].fields[added[at].index], state);
    }
}

void restore_attributes(Schema& schema, Cursor& in) {
    StateIn state(in, Limits::unlimited());
    for (std::size_t left = state.count(); left > 0; --left) {
        const auto track = static_cast<TrackId>(state.below(schema.tracks().size()));
        schema.add_attribute(track, restore_field(state, schema));
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
    StateOut state(out);
    state(outline.time_ordered, outline.lateness);
    for (const Shape shape : all_shapes)
        state(outline.shapes.has(shape));
    save_schema(schema, state);
}

TraceOutline restore_outline(Cursor& in) {
    TraceOutline outline;
    StateIn state(in, Limits::unlimited());
    state(outline.time_ordered, outline.lateness);
    for (const Shape shape : all_shapes)
        if (state.get<bool>()) outline.shapes.add(shape);
    restore_schema(state, outline.schema);
    return outline;
}

SchemaCompletion::SchemaCompletion(const Schema& growing, Schema& complete) : growing_(growing), complete_(complete) {}

bool SchemaCompletion::follow() {
    for (std::size_t id = complete_.string_count(); id < growing_.string_count(); ++id)
        complete_.append(growing_.text(static_cast<StringId>(id)));
    const auto grows = [](const auto& whole, const auto& part) { return extends(whole, part); };
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

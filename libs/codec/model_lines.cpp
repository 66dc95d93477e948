#include "codec/model_lines.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace hwtrace {

namespace {

/// Calls `visit` for each string id of a record, in the order in which they are written.
template <typename Visit>
void for_each_text(const Schema& schema, const Batch& batch, const Record& record, Visit&& visit) {
    const Track& track = schema.tracks()[record.track];
    switch (record.kind) {
        case Kind::event:
        case Kind::relation: {
            const std::size_t fixed = track.fixed_fields();
            const std::size_t width = std::max<std::size_t>(track.fields.size() - fixed, 1);
            const std::span<const std::uint64_t> cells = batch.cells(record);
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const std::size_t field = i < fixed ? i : fixed + (i - fixed) % width;
                if (field < track.fields.size() && holds_text(track.fields[field].type)) visit(cells[i]);
            }
            return;
        }
        case Kind::interval:
        case Kind::change:
            for (const Attribute& attribute : batch.attributes(record))
                if (holds_text(track.fields[attribute.field].type)) visit(attribute.value);
            return;
        case Kind::set:
        case Kind::add: {
            const std::vector<Field>& fields = is_property(record) ? track.properties : track.fields;
            if (record.field < fields.size() && holds_text(fields[record.field].type)) visit(record.value);
            return;
        }
        case Kind::clear:
        case Kind::instruction:
        case Kind::note:
        case Kind::native:
            return;
    }
}

}  // namespace

ModelLines::ModelLines(const Schema& schema, TextIds texts, JsonIntegers integers, TextOutput& out)
    : schema_(schema), texts_(texts), json_(schema, integers, "\n", out), news_(schema) {}

/// Declares all strings with an id below `end` that a reader of the lines does not have yet.
void ModelLines::append_texts_up_to(std::size_t end) {
    for (; known_texts_ < end; ++known_texts_) {
        const auto id = static_cast<StringId>(known_texts_);
        if (schema_.find_text(schema_.text(id)) != id) json_.write_by_id(id);
        json_.text(id);
    }
}

/// Declares the strings of a record if a reader of the lines would assign other ids to them. A reader numbers new
/// strings consecutively.
void ModelLines::append_texts(const Batch& batch, const Record& record) {
    std::size_t next = known_texts_, end = known_texts_;
    bool in_turn = true;
    for_each_text(schema_, batch, record, [&](std::uint64_t cell) {
        if (cell < next || cell >= schema_.string_count()) return;
        const auto id = static_cast<StringId>(cell);
        in_turn = in_turn && id == next && schema_.find_text(schema_.text(id)) == id;
        next = in_turn ? next + 1 : next;
        end = std::max(end, std::size_t{id} + 1);
    });
    if (in_turn)
        known_texts_ = next;
    else
        append_texts_up_to(end);
}

void ModelLines::write(const Batch& batch) {
    news_.report(batch, json_);
    for (const Record& record : batch.records()) {
        if (texts_ == TextIds::kept && known_texts_ < schema_.string_count()) append_texts(batch, record);
        json_.record(batch, record);
    }
}

void ModelLines::finish() {
    news_.report(json_);
    if (texts_ == TextIds::kept) append_texts_up_to(schema_.string_count());
}

}  // namespace hwtrace

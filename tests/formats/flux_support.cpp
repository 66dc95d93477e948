#include "formats/flux_support.hpp"

#include <algorithm>
#include <utility>

#include "codec/writer.hpp"
#include "flux/options.hpp"
#include "io/cursor.hpp"
#include "io/hex_digits.hpp"
#include "io/output.hpp"

namespace hwtrace::test {

namespace {

std::string cell_text(const Schema& schema, const Field& field, std::uint64_t cell) {
    switch (field.type) {
        case Type::i64:
            return std::to_string(static_cast<std::int64_t>(cell));
        case Type::enumeration: {
            const std::string* const label = schema.enums()[field.enumeration].label(cell);
            return std::to_string(cell) + (label == nullptr ? "" : "(" + *label + ")");
        }
        case Type::text:
        case Type::logic:
            return std::string(schema.text(static_cast<StringId>(cell)));
        case Type::blob:
            return hex_of(as_bytes(schema.text(static_cast<StringId>(cell))));
        default:
            return std::to_string(cell);
    }
}

std::string record_text(const Schema& schema, const Batch& batch, const Record& record) {
    const Track& track = schema.tracks()[record.track];
    if (record.kind == Kind::native)
        return std::string(schema.tracks()[record.track].name == "flux.opening" ? "opening " : "control ") +
               hex_of(batch.bytes(record));
    std::string line = std::to_string(flux_trace_of(schema, track.scope));
    if (record.kind == Kind::event) {
        line += " @" + std::to_string(record.time) + ' ' + track.name;
        const auto cells = batch.cells(record);
        for (std::size_t i = 0; i < cells.size(); ++i)
            line += ' ' + track.fields[i].name + '=' + cell_text(schema, track.fields[i], cells[i]);
        return line;
    }
    line += '/' + (track.native_id ? std::to_string(*track.native_id) : "?") + " @" + std::to_string(record.time);
    if (record.value != 0) line += " mark " + std::to_string(record.value);
    if ((record.flags & record_no_value) != 0) return line + " none";
    line += ':';
    for (const Attribute& value : batch.attributes(record))
        line += ' ' + flux_value(schema, track, value);
    return line;
}

}  // namespace

FluxReading::FluxReading(std::vector<std::byte> stream, CheckLevel level, Limits limits)
    : bytes(std::move(stream)), input(Input::memory("stream", bytes)) {
    settings.check = level;
    settings.limits = limits;
    try {
        reader = flux_format.open(input, settings, findings);
        Batch batch;
        while (reader->read(batch)) {
            for (const Record& record : batch.records())
                records.push_back(record_text(reader->schema(), batch, record));
            largest_batch = std::max(largest_batch, batch.records().size());
            batch.clear();
        }
    } catch (const Error& error) {
        failure = error.failure();
    }
    for (const Finding& finding : findings.kept())
        rules.push_back(std::string(finding.rule->id) + "@" + std::to_string(finding.offset));
}

std::string FluxReading::fact(std::string_view key) const {
    for (const Fact& fact : reader->facts())
        if (fact.key == key) return text_of(fact);
    return "(none)";
}

std::string FluxReading::metadata(std::string_view key) const {
    const std::string* const value = reader->schema().metadata(key);
    return value == nullptr ? "(none)" : *value;
}

std::vector<std::string> FluxReading::records_of(std::string_view front) const {
    std::vector<std::string> found;
    std::ranges::copy_if(records, std::back_inserter(found),
                         [&](const std::string& line) { return line.starts_with(front); });
    return found;
}

std::uint64_t flux_trace_of(const Schema& schema, ScopeId scope) {
    while (schema.scopes()[scope].parent != none)
        scope = schema.scopes()[scope].parent;
    return schema.scopes()[scope].native_id.value_or(0);
}

std::string flux_path(const Schema& schema, const Track& track) {
    std::string path = '/' + track.name;
    for (ScopeId scope = track.scope; schema.scopes()[scope].parent != none; scope = schema.scopes()[scope].parent)
        path = '/' + schema.scopes()[scope].name + path;
    return path;
}

std::string hex_of(std::span<const std::byte> bytes) {
    std::string text;
    append_hex_digits(bytes, text);
    return text;
}

std::string flux_value(const Schema& schema, const Track& track, const Attribute& value) {
    const Field& field = track.fields.at(value.field);
    std::string text = field.name + ' ' + std::string(name_of(field.type));
    if (field.width != 0) text += '/' + std::to_string(field.width);
    return text + '=' + cell_text(schema, field, value.value);
}

std::vector<std::byte> flux_rewritten(std::vector<std::byte> stream, Losses& losses, std::string_view layout) {
    Settings settings;
    settings.set(*std::ranges::find(flux::options, flux::layout_option, &Option::key), std::string(layout));
    Input input = Input::memory("stream", stream);
    Findings findings;
    const auto reader = flux_format.open(input, settings, findings);
    Batch all;
    for (Batch batch; reader->read(batch); batch.clear())
        for (const Record& record : batch.records())
            all.copy(batch, record, record.track);
    std::vector<std::byte> bytes;
    const auto output = open_memory_output("made", [&](std::vector<std::byte> made) { bytes = std::move(made); });
    const auto writer = flux_format.create(*output, reader->schema(), settings, losses);
    writer->write(all);
    writer->finish();
    output->commit();
    return bytes;
}

}  // namespace hwtrace::test

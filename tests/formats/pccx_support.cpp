#include "pccx_support.hpp"

#include <doctest/doctest.h>

#include "domain/conventions.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"

namespace hwtrace::test {

namespace {

Bytes bytes_of(const Appender& bytes) {
    return {bytes.span().begin(), bytes.span().end()};
}

TracedEvent event_of(const Schema& schema, const Batch& batch, const Record& record) {
    const Track& track = schema.tracks()[record.track];
    const std::string& core = schema.scopes()[track.scope].name;
    REQUIRE(core.starts_with("core"));
    TracedEvent event{std::stoull(core.substr(4)), static_cast<std::uint64_t>(record.time), record.value, track.name,
                      std::nullopt};
    for (const Attribute& attribute : batch.attributes(record)) {
        const Field& field = track.fields.at(attribute.field);
        if (field.name == conventions::start_cycle)
            event.start = attribute.value;
        else if (field.name == "api_name")
            event.name = std::string(schema.text(static_cast<StringId>(attribute.value)));
        else
            FAIL("unknown attribute");
    }
    return event;
}

}  // namespace

std::string shown(const TracedEvent& event) {
    return std::to_string(event.core) + ' ' + std::to_string(event.start) + ' ' + std::to_string(event.duration) + ' ' +
           event.type.substr(0, 60) + ' ' + event.name.value_or("(none)").substr(0, 60);
}

std::string PccxTrace::fact(const std::string& key) const {
    for (const Fact& fact : facts)
        if (fact.key == key) return text_of(fact);
    return {};
}

PccxTrace read_pccx(const Bytes& file, const Settings& settings) {
    PccxTrace trace;
    Findings findings;
    try {
        Input input = Input::memory("trace", file);
        const auto reader = pccx_format.open(input, settings, findings);
        Batch batch;
        for (; reader->read(batch); batch.clear()) {
            for (const Record& record : batch.records()) {
                if (record.kind == Kind::native) {
                    const auto piece = batch.bytes(record);
                    trace.opaque.insert(trace.opaque.end(), piece.begin(), piece.end());
                } else {
                    trace.events.push_back(event_of(reader->schema(), batch, record));
                }
            }
        }
        for (const Metadata& entry : reader->schema().metadata())
            trace.metadata.emplace(entry.key, entry.value);
        trace.facts = reader->facts();
    } catch (const Error& error) {
        trace.failure = error.failure();
    }
    for (const auto& [rule, count] : findings.totals())
        trace.rules.emplace(std::string(rule), count);
    for (const Finding& finding : findings.kept())
        trace.findings.push_back(std::string(finding.rule->id) + '@' + std::to_string(finding.offset));
    trace.broken =
        trace.failure || findings.effect() != Effect::harmless || findings.total_at_least(Severity::error) > 0;
    return trace;
}

Settings pccx_settings(const std::vector<std::pair<std::string_view, std::string>>& chosen) {
    Settings settings;
    for (const auto& [key, value] : chosen)
        for (const Option& option : pccx_format.options)
            if (option.key == key) settings.set(option, value);
    return settings;
}

Bytes rewrite_pccx(const Bytes& file, const Settings& settings, Losses& losses) {
    Bytes bytes;
    Findings findings;
    Input input = Input::memory("trace", file);
    const auto reader = pccx_format.open(input, settings, findings);
    const auto output = open_memory_output("again", [&](Bytes all) { bytes = std::move(all); });
    const auto writer = pccx_format.create(*output, reader->schema(), settings, losses);
    Batch batch;
    for (; reader->read(batch); batch.clear())
        writer->write(batch);
    writer->finish();
    output->commit();
    return bytes;
}

Bytes rewrite_pccx(const Bytes& file) {
    Losses losses;
    Bytes bytes = rewrite_pccx(file, {}, losses);
    CHECK(losses.none());
    return bytes;
}

Bytes pccx_file(std::string header, std::span<const std::byte> payload, std::uint8_t minor) {
    if (const std::size_t length = header.find("%L"); length != std::string::npos)
        header.replace(length, 2, std::to_string(payload.size()));
    Appender file;
    file.text("PCCX");
    file.le(std::uint8_t{1});
    file.le(minor);
    file.le(std::uint16_t{0});
    file.le(static_cast<std::uint64_t>(header.size()));
    file.text(header);
    file.bytes(payload);
    return bytes_of(file);
}

std::string plain_header(std::string_view encoding) {
    return std::string(R"({"pccx_lab_version":"t","arch":{"mac_dims":[4,4],"isa_version":"1","peak_tops":1.0},)")
        .append(R"("trace":{"cycles":1000,"cores":16,"clock_mhz":1000},"payload":{"encoding":")")
        .append(encoding)
        .append(R"(","byte_length":%L,"checksum_fnv64":null},"format_minor":1})");
}

Bytes bincode(const std::vector<TracedEvent>& events, unsigned fields, std::uint64_t total) {
    Appender payload;
    payload.le(total);
    payload.le(static_cast<std::uint64_t>(events.size()));
    for (const TracedEvent& event : events) {
        payload.le(static_cast<std::uint32_t>(event.core));
        payload.le(event.start);
        payload.le(event.duration);
        payload.le(static_cast<std::uint64_t>(event.type.size()));
        payload.text(event.type);
        if (fields == 4) continue;
        payload.le(static_cast<std::uint8_t>(event.name ? 1 : 0));
        if (!event.name) continue;
        payload.le(static_cast<std::uint64_t>(event.name->size()));
        payload.text(*event.name);
    }
    return bytes_of(payload);
}

Bytes flat(const std::vector<FlatEvent>& events) {
    Appender payload;
    for (const FlatEvent& event : events) {
        payload.le(event.core);
        payload.le(event.start);
        payload.le(event.duration);
        payload.le(event.type);
    }
    return bytes_of(payload);
}

void append_names(Bytes& payload, const std::vector<FlatName>& names) {
    Appender table;
    table.text("PCC2");
    table.le(static_cast<std::uint32_t>(names.size()));
    for (const FlatName& name : names) {
        table.le(name.event);
        table.le(static_cast<std::uint16_t>(name.text.size()));
        table.text(name.text);
    }
    payload.insert(payload.end(), table.span().begin(), table.span().end());
}

}  // namespace hwtrace::test

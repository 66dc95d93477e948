#include "formats/flux_lanes_support.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "flux/scan.hpp"
#include "io/error.hpp"
#include "io/input.hpp"

namespace hwtrace::test {

using namespace hwtrace::flux;

namespace {

/// A listener that ignores what it hears. A scan with a listener uses no lanes.
class Deaf final : public EntryListener {
public:
    void made(const Entries&, std::uint64_t, const Entry&, std::size_t) override {}
};

struct Reading {
    std::string records, schema, findings, end;
};

std::string schema_of(const Schema& schema) {
    std::ostringstream out;
    for (const Scope& scope : schema.scopes())
        out << "scope " << scope.name << ' ' << scope.parent << '\n';
    for (const Track& track : schema.tracks()) {
        out << "track " << track.name << ' ' << track.scope << ' ' << static_cast<int>(track.time.kind);
        for (const Field& field : track.fields)
            out << ' ' << field.name << ':' << name_of(field.type) << int{field.width} << field.repeated
                << field.enumeration;
        out << '\n';
    }
    for (const Enum& enumeration : schema.enums())
        out << "enum " << enumeration.name << ' ' << enumeration.values.size() << '\n';
    for (const Metadata& entry : schema.metadata())
        out << entry.key << '=' << entry.value << '\n';
    for (StringId id = 0; id < schema.string_count(); ++id)
        out << "string " << schema.text(id) << '\n';
    return out.str();
}

void append_records(std::ostringstream& out, const Batch& batch) {
    out << "batch\n";
    for (const Record& record : batch.records()) {
        out << static_cast<int>(record.kind) << ' ' << int{record.flags} << ' ' << record.track << ' ' << record.time
            << ' ' << record.value;
        if (record.kind == Kind::change)
            for (const Attribute& value : batch.attributes(record))
                out << ' ' << value.field << '=' << value.value;
        else if (record.kind == Kind::event)
            for (const std::uint64_t cell : batch.cells(record))
                out << ' ' << cell;
        else
            for (const std::byte byte : batch.bytes(record))
                out << ' ' << std::to_integer<int>(byte);
        out << '\n';
    }
}

Reading read(const std::vector<std::byte>& bytes, bool lanes, const Settings& settings) {
    Reading reading;
    Input input = Input::memory("stream", bytes);
    Findings findings(1'000'000);
    Schema schema;
    Deaf listener;
    std::ostringstream records;
    try {
        Scan scan(input, settings, findings, schema, lanes ? nullptr : &listener);
        for (Batch batch; scan.read(batch); batch.clear())
            append_records(records, batch);
        for (const Fact& fact : scan.facts())
            reading.end += fact.key + '=' + text_of(fact) + ' ';
    } catch (const Error& error) {
        reading.end = error.what();
    }
    reading.records = records.str();
    reading.schema = schema_of(schema);
    for (const Finding& f : findings.kept())
        reading.findings += std::string(f.rule->id) + '@' + std::to_string(f.offset) + '+' + std::to_string(f.length) +
                            '/' + std::to_string(f.inner_offset.value_or(0)) + ' ' + f.where + ' ' + f.expected + ' ' +
                            f.got + '\n';
    return reading;
}

}  // namespace

void check_lanes(const std::vector<std::byte>& bytes, const Settings& settings) {
    const Reading fast = read(bytes, true, settings), tolerant = read(bytes, false, settings);
    CHECK(fast.findings == tolerant.findings);
    CHECK(fast.end == tolerant.end);
    CHECK(fast.records == tolerant.records);
    CHECK(fast.schema == tolerant.schema);
}

}  // namespace hwtrace::test

#include "uscope_support.hpp"

#include <algorithm>

#include "io/input.hpp"
#include "io/output.hpp"

namespace hwtrace::test {

namespace {

void add_fields(const std::vector<Field>& fields, std::string& line) {
    for (const Field& field : fields) {
        line += ' ' + field.name + ':' + std::string(name_of(field.type));
        if (field.enumeration != none) line += '/' + std::to_string(field.enumeration);
        if (field.role != 0) line += " role " + std::to_string(field.role) + ' ' + std::to_string(field.pair);
    }
}

std::string id_text(std::uint32_t id) {
    return id == none ? "-" : std::to_string(id);
}

std::vector<std::string> schema_lines(const Schema& schema) {
    std::vector<std::string> lines;
    for (const Clock& clock : schema.clocks())
        lines.push_back("clock " + clock.name + ' ' + std::to_string(clock.period_ps));
    for (const Scope& scope : schema.scopes())
        lines.push_back("scope " + scope.name + ' ' + id_text(scope.parent) + ' ' + scope.protocol + ' ' +
                        id_text(scope.clock));
    for (const Enum& enumeration : schema.enums()) {
        std::string line = "enum " + enumeration.name;
        for (const EnumValue& value : enumeration.values)
            line += ' ' + std::to_string(value.value) + '=' + value.name;
        lines.push_back(line);
    }
    for (const Track& track : schema.tracks())
        lines.push_back(schema_line(track));
    for (const Metadata& fact : schema.metadata())
        lines.push_back("fact " + fact.key + '=' + fact.value);
    return lines;
}

std::string cell_text(const Schema& schema, const Field& field, std::uint64_t cell) {
    if (field.type == Type::text) return '"' + std::string(schema.text(static_cast<StringId>(cell))) + '"';
    return std::to_string(cell);
}

Bytes collect(const std::function<void(Output&)>& write) {
    Bytes bytes;
    const auto output = open_memory_output("memory", [&](Bytes whole) { bytes = std::move(whole); });
    write(*output);
    output->commit();
    return bytes;
}

}  // namespace

std::string schema_line(const Track& track) {
    std::string line = std::string(name_of(track.kind)) + ' ' + track.name + " scope " + id_text(track.scope);
    add_fields(track.fields, line);
    line += " |";
    add_fields(track.properties, line);
    line += " slots " + std::to_string(track.slots);
    if (track.sparse) line += " sparse";
    if (track.buffer) line += " buffer";
    if (!(track.time == picoseconds)) line += " not in picoseconds";
    return line;
}

std::string record_line(const Schema& schema, const Batch& batch, const Record& record) {
    const Track& track = schema.tracks()[record.track];
    std::string line = (record.flags & record_first_of_frame) != 0 ? "@" : " ";
    line += std::to_string(record.time) + ' ' + track.name + ' ' + std::string(name_of(record.kind));
    const bool is_property = (record.flags & record_property) != 0;
    switch (record.kind) {
        case Kind::set:
        case Kind::add: {
            const Field& field = is_property ? track.properties.at(record.field) : track.fields.at(record.field);
            line += is_property ? " property" : " [" + std::to_string(record.ref) + ']';
            line += '.' + field.name + ' ' + cell_text(schema, field, record.value);
            break;
        }
        case Kind::clear:
            line += " [" + std::to_string(record.ref) + ']';
            break;
        case Kind::event: {
            const auto cells = batch.cells(record);
            for (std::size_t i = 0; i < cells.size(); ++i)
                line += ' ' + cell_text(schema, track.fields.at(i), cells[i]);
            break;
        }
        default:
            for (const std::byte byte : batch.bytes(record))
                line += ' ' + std::to_string(std::to_integer<int>(byte));
    }
    return line;
}

std::vector<std::string> Trace::rule_ids() const {
    std::vector<std::string> ids;
    for (const std::string& finding : findings)
        if (const std::string id = finding.substr(0, 6); std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    return ids;
}

bool Trace::has(const std::string& rule_id) const {
    const auto ids = rule_ids();
    return std::ranges::find(ids, rule_id) != ids.end();
}

std::string Trace::fact(const std::string& key) const {
    const auto found = std::ranges::find(facts, key, &Fact::key);
    return found == facts.end() ? "" : text_of(*found);
}

Settings settings_of(const Chosen& options, bool verify, unsigned jobs) {
    Settings settings;
    settings.check = verify ? CheckLevel::semantic : CheckLevel::delivery;
    settings.jobs = jobs;
    for (const auto& [key, value] : options) {
        const auto option = std::ranges::find(uscope_format.options, std::string_view(key), &Option::key);
        settings.set(*option, value);
    }
    return settings;
}

Trace read_trace(const Bytes& file, bool verify) {
    Trace trace;
    Findings findings;
    findings.listen([&](const Finding& f) { trace.findings.push_back(std::string(f.rule->id) + ' ' + describe(f)); });
    const Settings settings = settings_of({}, verify);
    Input input = Input::memory("memory", file);
    const auto reader = uscope_format.open(input, settings, findings);
    Batch batch;
    while (reader->read(batch)) {
        for (const Record& record : batch.records())
            trace.records.push_back(record_line(reader->schema(), batch, record));
        batch.clear();
    }
    trace.schema = schema_lines(reader->schema());
    trace.facts = reader->facts();
    trace.effect = findings.effect();
    return trace;
}

Bytes rewritten(const Bytes& file, const Chosen& options, unsigned jobs) {
    return collect([&](Output& output) {
        Findings findings;
        Losses losses;
        const Settings settings = settings_of(options, false, jobs);
        Input input = Input::memory("memory", file);
        const auto reader = uscope_format.open(input, settings, findings);
        const auto writer = uscope_format.create(output, reader->schema(), settings, losses);
        Batch batch;
        while (reader->read(batch)) {
            writer->write(batch);
            batch.clear();
        }
        writer->finish();
    });
}

Bytes written(const Schema& schema, const std::vector<Batch>& batches, const Chosen& options, unsigned jobs,
              Losses* losses) {
    return collect([&](Output& output) {
        Losses own;
        const Settings settings = settings_of(options, false, jobs);
        const auto writer = uscope_format.create(output, schema, settings, losses != nullptr ? *losses : own);
        for (const Batch& batch : batches)
            writer->write(batch);
        writer->finish();
    });
}

Model::Model() {
    const ClockId clock = schema.declare(Clock{"core_clk", 1000});
    const ScopeId root = schema.declare(Scope{"/", none, "", none});
    const ScopeId core = schema.declare(Scope{"core0", root, "generic", clock});
    const EnumId stages = schema.declare(Enum{"pipeline_stage", {{0, "fetch"}, {1, "decode"}, {7, "commit"}}});

    Track track;
    track.kind = Track::Kind::storage;
    track.scope = core;
    track.time = picoseconds;
    track.name = "entities";
    track.fields = {{"entity_id", Type::u32}, {"pc", Type::u64}, {"inst_bits", Type::u32}};
    track.slots = 64;
    track.sparse = true;
    entities = schema.declare(track);
    track.name = "committed";
    track.fields = {{"count", Type::u64}};
    track.slots = 1;
    track.sparse = false;
    counter = schema.declare(track);
    track.name = "dense";
    track.fields = {{"a", Type::i8}, {"label", Type::text}, {"stage", Type::enumeration, stages}};
    track.properties = {{"head", Type::u16, none, false, 1, 0}, {"tail", Type::u16, none, false, 2, 0}};
    track.slots = 5;
    dense = schema.declare(track);

    Track event;
    event.kind = Track::Kind::event_type;
    event.scope = core;
    event.time = picoseconds;
    event.name = "stage_transition";
    event.fields = {{"entity_id", Type::u32}, {"stage", Type::enumeration, stages}};
    stage = schema.declare(event);
    event.name = "note";
    event.fields = {{"text", Type::text}, {"delta", Type::i16}, {"flag", Type::boolean}, {"big", Type::i64}};
    note = schema.declare(event);

    Track native;
    native.kind = Track::Kind::native;
    native.time = picoseconds;
    native.name = "uscope.item";
    item = schema.declare(native);
    native.name = "uscope.frame";
    frame = schema.declare(native);
    schema.describe("dut_name", "model");
}

const std::vector<std::string>& corpus_files() {
    static const std::vector<std::string> names = {
        "c_multiseg_v03",
        "c_test_write_v01",
        "c_test_write_v02_endckpt",
        "c_test_write_v02_startckpt_tsum",
        "c_test_write_v03",
        "gen_small_v02",
        "gen_small_v03",
        "gen_wide_v03",
        "konata_kanata-basic_v01",
        "konata_kanata-basic_v02",
        "konata_kanata-basic_v03",
        "konata_kanata-sample-2_v03",
        "konata_uscope-sample_v01",
        "konata_uscope-sample_v02",
        "konata_uscope-sample_v03",
        "ref_empty_v03",
        "ref_emptyframes_v03",
        "ref_open_v03",
        "ref_props_v03",
        "reflex_sample_v01",
    };
    return names;
}

}  // namespace hwtrace::test

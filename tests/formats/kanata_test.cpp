// Tests reading and writing Kanata logs: the records of each command, and logs made from traces of other formats.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "codec/disassembler.hpp"
#include "codec/format.hpp"
#include "domain/conventions.hpp"
#include "domain/in_flight.hpp"
#include "domain/protocols.hpp"
#include "formats.hpp"
#include "formats/uscope_support.hpp"
#include "io/error.hpp"
#include "kanata/tracks.hpp"
#include "support/corpus.hpp"
#include "support/hex.hpp"
#include "support/lines.hpp"

namespace kanata_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;

Bytes bytes_of(std::string_view text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

std::string text_of(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

const Format& kanata_format() {
    return *find_format(formats(), "kanata");
}

/// Returns "Kanata 0004" and the lines. Blanks in `lines` become the tabs between columns, and "\t" becomes a tab
/// inside a text.
std::string log(const Lines& lines) {
    std::string text = "Kanata\t0004\n";
    for (const std::string& line : lines)
        text.append(line).append("\n");
    std::replace(text.begin() + 12, text.end(), ' ', '\t');
    return text;
}

/// Reads a whole log. The input is consumed, so use the reader only for its schema and metadata.
struct LogReading {
    Bytes bytes;
    Input input;
    Findings findings;
    Settings settings;
    std::unique_ptr<Reader> reader;
    Lines records, rules;

    explicit LogReading(std::string_view text, Limits limits = {})
        : bytes(bytes_of(text)), input(Input::memory("log", bytes)) {
        settings.limits = limits;
        reader = kanata_format().open(input, settings, findings);
        Batch batch;
        while (reader->read(batch)) {
            for (const Record& record : batch.records())
                records.push_back(record_line(reader->schema(), batch, record));
            batch.clear();
        }
        for (const Finding& finding : findings.kept())
            rules.push_back(std::string(finding.rule->id) + "@" + std::to_string(finding.offset));
    }
    std::string fact(std::string_view key) const {
        for (const Fact& fact : reader->facts())
            if (fact.key == key) return text_of(fact);
        return "(none)";
    }
};

const Settings default_settings;

std::string rewritten_log(std::string_view text, Losses* counted = nullptr) {
    const Bytes bytes = bytes_of(text);
    Input input = Input::memory("log", bytes);
    Findings findings;
    Losses losses;
    const Settings settings;
    const auto reader = kanata_format().open(input, settings, findings);
    Bytes made;
    const auto output = open_memory_output("made", [&](Bytes all) { made = std::move(all); });
    const auto writer = kanata_format().create(*output, reader->schema(), settings, losses);
    Batch batch;
    while (reader->read(batch)) {
        writer->write(batch);
        batch.clear();
    }
    writer->finish();
    output->commit();
    if (counted != nullptr) *counted = losses;
    return text_of(made);
}

Settings labels_by(const std::string& value) {
    Settings settings;
    for (const Option& option : kanata_format().options)
        if (option.key == "kanata-labels") settings.set(option, value);
    return settings;
}

std::string log_of(const Schema& schema, const Batch& batch, Losses& losses,
                   const Settings& settings = default_settings) {
    Bytes made;
    const auto output = open_memory_output("made", [&](Bytes all) { made = std::move(all); });
    const auto writer = kanata_format().create(*output, schema, settings, losses);
    writer->write(batch);
    writer->finish();
    output->commit();
    return text_of(made);
}

Lines codes(const Losses& losses) {
    Lines lines;
    for (const auto& [key, entry] : losses.entries())
        lines.push_back(std::string(name_of(key.first)) + " " + key.second + " " + std::to_string(entry.count));
    return lines;
}

/// A `cpu` scope made by another tool, without the tracks that only logs have.
struct PlainCore {
    TrackId entities, stage_transition, annotate, dependency, flush, registers;

    PlainCore(Schema& schema, const std::string& name, std::uint64_t period_ps) {
        const ClockId clock = schema.declare(Clock{name + "_clk", period_ps});
        const ScopeId scope = schema.declare(Scope{name, none, "cpu", clock});
        const EnumId stages = schema.declare(Enum{"pipeline_stage", {{0, "IF"}, {1, "EX"}}});
        const auto declare = [&](Track::Kind kind, std::string track_name, std::vector<Field> fields) {
            Track track;
            track.kind = kind;
            track.scope = scope;
            track.name = std::move(track_name);
            track.time = picoseconds;
            track.fields = std::move(fields);
            track.slots = kind == Track::Kind::storage ? 16 : 0;
            track.sparse = track.slots != 0;
            return schema.declare(std::move(track));
        };
        const Field entity{"entity_id", Type::u32};
        entities = declare(Track::Kind::storage, "entities", {entity, {"pc", Type::u64}, {"inst_bits", Type::u32}});
        registers = declare(Track::Kind::storage, "x", {{"value", Type::u64}});
        stage_transition =
            declare(Track::Kind::event_type, "stage_transition", {entity, {"stage", Type::enumeration, stages}});
        annotate = declare(Track::Kind::event_type, "annotate", {entity, {"text", Type::text}});
        dependency = declare(Track::Kind::event_type, "dependency",
                             {{"src", Type::u32}, {"dst", Type::u32}, {"type", Type::u8}});
        flush = declare(Track::Kind::event_type, "flush", {entity, {"reason", Type::u8}});
    }
};

void event(Batch& batch, TrackId track, Tick time, std::initializer_list<std::uint64_t> cells) {
    batch.event(track, time, std::span(cells.begin(), cells.size()));
}

}  // namespace

TEST_CASE("each Kanata command becomes the records of the cpu protocol") {
    const LogReading read(log({"C= 7", "I 3 9 2", "L 3 0 8000:", "L 3 2 a\\nb", "C 2", "S 3 0 F", "S 3 1 stl",
                               "E 3 0 F", "W 3 3 1", "R 3 5 0", "I 4 10 0", "C 1", "R 4 6 1"}));
    CHECK(read.records == Lines{"@7 entities set [3].entity_id 3",
                                " 7 entities set [3].simulator_id 9",
                                " 7 entities set [3].thread_id 2",
                                " 7 entities set [3].pc 32768",
                                " 7 annotate event 3 \"8000:\"",
                                " 7 label_type event 3 2",
                                " 7 annotate event 3 \"a\nb\"",
                                "@9 stage_transition event 3 0",
                                " 9 lane_stage event 3 1 1",
                                " 9 stage_end event 3 0 0",
                                " 9 dependency event 3 3 1",
                                " 9 retire event 3 5 0",
                                " 9 entities clear [3]",
                                " 9 committed_insns add [0].count 1",
                                " 9 entities set [4].entity_id 4",
                                " 9 entities set [4].simulator_id 10",
                                " 9 entities set [4].thread_id 0",
                                "@10 retire event 4 6 1",
                                " 10 flush event 4 0",
                                " 10 entities clear [4]"});
    CHECK(read.rules == Lines{});
    CHECK(read.fact("retired") == "1");
    CHECK(read.fact("flushed") == "1");
    CHECK(*read.reader->schema().metadata("kanata.first_cycle") == "7");
}

TEST_CASE("other tools find the tracks of a Kanata log by name, order and fields") {
    const LogReading read(log({"I 0 0 0", "S 0 0 F", "R 0 0 0"}));
    const Schema& schema = read.reader->schema();
    Lines names;
    for (const Track& track : schema.tracks())
        names.push_back(track.name);
    CHECK(names == Lines{"entities", "committed_insns", "stage_transition", "annotate", "dependency", "flush", "stall",
                         "label_type", "lane_stage", "stage_end", "retire"});
    const std::vector<CpuScope> cores = cpu_scopes(schema);
    REQUIRE(cores.size() == 1);
    CHECK(cores[0].stages == Lines{"F"});
    CHECK(cores[0].inst_bits == no_field);
    CHECK(is_counter(schema.tracks()[1]));
    CHECK(schema.tracks()[0].slots == 16);
}

TEST_CASE("a Kanata log that begins below cycle 0 counts from its first cycle and is rewritten unchanged") {
    const std::string text = log({"C= -3", "C 1", "I 0 0 0", "C 4", "R 0 0 0", "C 9"});
    const LogReading read(text);
    CHECK(read.records.front() == "@1 entities set [0].entity_id 0");
    CHECK(*read.reader->schema().metadata("kanata.first_cycle") == "-3");
    CHECK(*read.reader->schema().metadata("kanata.last_cycle") == "11");
    CHECK(rewritten_log(text) == text);
}

TEST_CASE("the last line of a Kanata log counts as cut if it could become a command, otherwise as invalid") {
    const std::string begun = log({"C= 0", "I 0 0 0", "S 0 0 F"});
    const std::string end = log({"C 1", "L 0 0 label", "E 0 0 F", "W 0 0 0", "R 0 0 0"}).substr(log(Lines{}).size());
    for (std::size_t size = 0; size < end.size(); ++size) {
        CAPTURE(size);
        const LogReading read(begun + end.substr(0, size));
        CHECK(read.findings.verdict() != Verdict::invalid);
    }
    using Wrong = std::pair<std::string, std::string>;
    for (const Wrong& wrong : {Wrong{"Zgarbage", "KAN003"}, Wrong{"I\tx", "KAN005"}, Wrong{"R\t0\t0x", "KAN005"}}) {
        CAPTURE(wrong.first);
        const LogReading read(begun + wrong.first);
        CHECK(read.findings.total(wrong.second) == 1);
        CHECK(read.findings.total("KAN010") == 1);
        CHECK(read.findings.total("KAN011") == 0);
    }
}

TEST_CASE("lines of a Kanata log that are not commands stay in place") {
    const std::string text = log({"#before", "C= -2", "I 0 0 0", "X 1", "S 0", "C 1", "S 0 0 F", "#after", "R 0 0 0"});
    Losses losses;
    const std::string again = rewritten_log(text, &losses);
    CHECK(losses.none());
    CHECK(again == log({"C= -2", "#before", "I 0 0 0", "X 1", "S 0", "C 1", "S 0 0 F", "#after", "R 0 0 0"}));
    CHECK(rewritten_log(again) == again);
}

TEST_CASE("each invalid Kanata sample has exactly its findings, at the offset of the line") {
    // Each place is the text at the finding's offset in the sample. In a gzip file, the offset counts compressed bytes.
    const std::map<std::string, Lines> places{
        {"before_begin", {"KAN015 S\t0\t0\tF", "KAN007 L\t0\t1\tlate"}},
        {"begins_again", {"KAN008 I\t0\t0\t0"}},
        {"columns_missing", {"KAN005 S\t0\t0", "KAN005 L\t0\t0"}},
        {"comment", {"KAN004 # made by hand"}},
        {"cut_command", {"KAN011 R\t0"}},
        {"cycle_back", {"KAN006 C=\t5", "KAN006 C\t-3"}},
        {"cycles_too_large", {"KAN005 C=\t4611686018427387905", "KAN005 C\t1000"}},
        {"gzip_cut", {"KAN013 "}},
        {"gzip_damaged", {"KAN014 "}},
        {"many_in_flight", {"KAN016 I\t32769\t0\t0"}},
        {"many_stages", {"KAN017 E\t0\t1\tlast"}},
        {"no_line_end", {"KAN010 R\t0\t0\t0"}},
        {"no_magic", {"KAN001 Konata\t0004"}},
        {"no_number", {"KAN005 S\tx\t0\tF", "KAN005 S\t0z\t0\tF", "KAN005 S\t4294967296\t0\tF", "KAN005 W\t0\t0\t-1"}},
        {"no_version", {"KAN002 Kanata"}},
        {"rest", {"KAN012 I\t0\t0\t0 # first", "KAN012 R\t0\t0\t0\tlast"}},
        {"retires_again", {"KAN009 R\t0\t0\t0"}},
        {"unknown_command", {"KAN003 X\t0\t0"}},
        {"version", {"KAN002 Kanata\t0005"}},
    };
    std::size_t samples = 0;
    for (const auto& entry : std::filesystem::directory_iterator(testdata("kanata/invalid"))) {
        const std::string name = entry.path().stem().string();
        CAPTURE(name);
        const Assembled sample = load_sample(entry.path());
        Input input = Input::memory("log", sample.bytes);
        Findings findings;
        const Settings settings;
        try {
            const auto reader = kanata_format().open(input, settings, findings);
            Batch batch;
            while (reader->read(batch))
                batch.clear();
        } catch (const Error& error) {
            CHECK(error.failure() == Failure::input);
        }
        const std::string text = text_of(sample.bytes);
        Lines found;
        std::vector<Expectation> offsets;
        for (const Finding& finding : findings.kept()) {
            offsets.push_back({std::string(finding.rule->id), finding.offset, finding.length_in(sample.bytes.size())});
            const bool is_text = text.starts_with("K");
            const auto at = static_cast<std::size_t>(finding.offset);
            found.push_back(std::string(finding.rule->id) + " " +
                            (is_text ? text.substr(at, text.find('\n', at) - at) : std::string{}));
        }
        CHECK(offsets == sample.expected);
        const auto place = places.find(name);
        REQUIRE(place != places.end());
        CHECK(found == place->second);
        ++samples;
    }
    CHECK(samples == places.size());
}

TEST_CASE("a record with a decreased cycle gets the latest cycle, and this is reported") {
    const LogReading read(log({"C= 5", "I 0 0 0", "C= 2", "S 0 0 F", "C -1", "R 0 0 0"}));
    CHECK(read.rules == Lines{"KAN006@25", "KAN006@38"});
    CHECK(read.records.back().starts_with(" 5 committed_insns add"));
}

TEST_CASE("stage names that do not fit in a list are kept") {
    SUBCASE("commas and blanks") {
        std::string text = "Kanata\t0004\nC=\t0\nI\t0\t0\t0\nS\t0\t0\ta, b\nS\t0\t0\t c\nS\t0\t0\t\nR\t0\t0\t0\n";
        CHECK(rewritten_log(text) == text);
        const LogReading read(text);
        CHECK(read.reader->schema().metadata("cpu.pipeline_stages") == nullptr);
        CHECK(cpu_scopes(read.reader->schema())[0].stages == Lines{"a, b", " c", ""});
    }
    for (const bool commas : {false, true}) {
        CAPTURE(commas);
        std::string text = "Kanata\t0004\nC=\t0\nI\t0\t0\t0\n";
        for (int stage = 0; stage < 300; ++stage)
            text.append("S\t0\t0\tstage").append(commas ? "," : "").append(std::to_string(stage)).append("\n");
        text += "R\t0\t0\t0\n";
        Losses losses;
        CHECK(rewritten_log(text, &losses) == text);
        CHECK(losses.none());
        const LogReading read(text);
        CHECK((read.reader->schema().metadata("cpu.pipeline_stages") != nullptr) == !commas);
        REQUIRE(read.findings.kept().size() == 1);
        const Finding& finding = read.findings.kept().front();
        CHECK(finding.rule->id == "KAN017");
        CHECK(text.substr(finding.offset).starts_with(commas ? "S\t0\t0\tstage,255\n" : "S\t0\t0\tstage255\n"));
        CHECK(finding.got == "300");
    }
}

TEST_CASE("a dependency type above 255 and the largest ids are rewritten unchanged") {
    const std::string text =
        log({"C= 0", "I 4294967295 18446744073709551615 4294967295", "W 4294967295 0 4294967295",
             "S 4294967295 4294967295 X", "L 4294967295 4294967295 t", "R 4294967295 18446744073709551615 4294967295"});
    CHECK(rewritten_log(text) == text);
}

TEST_CASE("instructions in flight never share a slot, however many there are") {
    Lines lines{"C= 0"};
    for (int id = 0; id < 40; ++id)  // slot 0 is the home slot of all these ids
        lines.push_back("I " + std::to_string(id * 64) + " 0 0");
    for (int id = 39; id >= 0; --id)
        lines.push_back("R " + std::to_string(id * 64) + " 0 0");
    const LogReading read(log(lines));
    CHECK(read.reader->schema().tracks()[0].slots == 64);
    std::vector<bool> used(64);
    for (const std::string& record : read.records) {
        if (record.find(".entity_id ") == std::string::npos) continue;
        const auto slot = static_cast<std::size_t>(std::stoul(record.substr(record.find('[') + 1)));
        REQUIRE(slot < used.size());
        CHECK_FALSE(used[slot]);
        used[slot] = true;
    }
    CHECK(read.fact("not_in_table") == "(none)");
    CHECK(rewritten_log(log(lines)) == log(lines));
}

TEST_CASE("with more instructions in flight than slots, the table loses rows and the log loses nothing") {
    Lines lines{"C= 0"};
    constexpr int many = 40'000;
    for (int id = 0; id < many; ++id)
        lines.push_back("I " + std::to_string(id) + " 0 0");
    lines.push_back("C 1");
    for (int id = 0; id < many; ++id)
        lines.push_back("R " + std::to_string(id) + " 0 0");
    const std::string text = log(lines);
    const LogReading read(text);
    CHECK(read.reader->schema().tracks()[0].slots == 32'768);
    CHECK(read.fact("not_in_table") == std::to_string(many - 32'768));
    REQUIRE(read.findings.kept().size() == 1);
    const Finding& finding = read.findings.kept().front();
    CHECK(finding.rule->id == "KAN016");
    CHECK(text.substr(finding.offset).starts_with("I\t32768\t"));
    CHECK(finding.got == "40000");
    // An instruction that lost its slot is still known. It retires and is counted.
    CHECK(read.fact("retired") == std::to_string(many));
    CHECK(read.fact("in_flight_at_end") == "0");
    CHECK(std::ranges::count_if(read.records, [](const std::string& line) {
              return line.find("committed_insns add") != std::string::npos;
          }) == many);
    Losses losses;
    CHECK(rewritten_log(text, &losses) == text);
    CHECK(losses.none());
}

TEST_CASE("the slots of instructions agree with a plain map") {
    std::mt19937 random(7);
    InFlight in_flight(64, 64);
    std::map<std::uint32_t, std::uint32_t> slots;  // by id
    for (int step = 0; step < 20'000; ++step) {
        const auto id = static_cast<std::uint32_t>(random() % 500);
        if (random() % 2 == 0) {
            bool evicts = false;
            const std::uint32_t slot = in_flight.take(id, evicts);
            CHECK(slot < 64);
            CHECK(evicts == (slots.size() == 64 && !slots.contains(id)));
            std::erase_if(slots, [&](const auto& entry) { return entry.second == slot; });
            slots[id] = slot;
        } else if (const auto found = slots.find(id); found != slots.end()) {
            in_flight.release(found->second);
            slots.erase(found);
        }
        CHECK(in_flight.size() == slots.size());
        const auto other = static_cast<std::uint32_t>(random() % 500);
        const auto known = slots.find(other);
        REQUIRE(in_flight.find(other) == (known == slots.end() ? no_slot : known->second));
    }
}

TEST_CASE("ids are found, whatever the order in which they were added") {
    std::mt19937 random(3);
    SeenIds seen;
    std::set<std::uint32_t> plain;
    for (int step = 0; step < 5000; ++step) {
        const auto id = static_cast<std::uint32_t>(random() % 3000) + (step % 7 == 0 ? 0xFFFF'F447u : 0u);
        if (step % 2 == 0) {
            seen.add(id);
            plain.insert(id);
        }
        REQUIRE(seen.has(id) == plain.contains(id));
    }
}

TEST_CASE("a line above the limit is refused after the lines before it") {
    Limits limits;
    limits.string = 1000;
    const std::string text = log({"I 0 0 0"}) + "L\t0\t0\t" + std::string(5000, 'x') + "\n";
    const Bytes bytes = bytes_of(text);
    Input input = Input::memory("log", bytes);
    Findings findings;
    Settings settings;
    settings.limits = limits;
    const auto reader = kanata_format().open(input, settings, findings);
    Batch batch;
    CHECK(reader->read(batch));
    CHECK(batch.records().size() == 3);
    batch.clear();
    CHECK_THROWS_AS(reader->read(batch), Error);
}

TEST_CASE("carriage returns and blank lines are ignored") {
    const std::string unix_text = log({"I 0 0 0", "L 0 0 text", "R 0 0 0"});
    std::string text = unix_text;
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 5)
        text.replace(at, 1, "\r\n \r\n");
    CHECK(LogReading(text).records == LogReading(unix_text).records);
}

TEST_CASE("instructions from another tool get labels, ids and retire commands, and these changes are counted") {
    Schema schema;
    const PlainCore core(schema, "cpu0", 500);
    Batch batch;
    batch.set(core.entities, 1000, 0, 0, 0);
    batch.set(core.entities, 1000, 0, 1, 0x80000000);
    batch.set(core.entities, 1000, 0, 2, 0x13);
    event(batch, core.stage_transition, 1000, {0, 0});
    batch.set(core.entities, 1500, 1, 0, 1);
    batch.set(core.entities, 1500, 1, 1, 0x80000004);
    event(batch, core.annotate, 1500, {1, schema.intern("0x80000004: nop")});
    event(batch, core.stage_transition, 1500, {0, 1});
    event(batch, core.dependency, 1500, {0, 1, 2});
    batch.set(core.registers, 1500, 3, 0, 77);
    batch.clear_slot(core.entities, 2000, 0);
    event(batch, core.flush, 2000, {1, 0});
    batch.clear_slot(core.entities, 2000, 1);
    Losses losses;
    CHECK(log_of(schema, batch, losses) ==
          "Kanata\t0004\t#hwtrace: clock_ps 500\nC=\t0\nC\t2\nI\t0\t0\t0\nL\t0\t0\t80000000: 00000013 "
          "\nS\t0\t0\tIF\nC\t1\n"
          "I\t1\t1\t0\nL\t1\t0\t0x80000004: nop\nS\t0\t0\tEX\nW\t1\t0\t2\nC\t1\nR\t0\t0\t0\nR\t1\t1\t1\n");
    CHECK(codes(losses) == Lines{"kind-dropped x 1", "type-changed dependency 1", "type-changed entities 5",
                                 "type-changed flush 2", "name-changed cpu0_clk 1", "scope-flattened cpu0 1"});
    std::vector<ExpectedLoss> foretold;
    kanata_format().writes.foresee(schema, {}, foretold);
    CHECK(std::any_of(foretold.begin(), foretold.end(),
                      [](const ExpectedLoss& loss) { return loss.loss == Loss::kind_dropped && loss.subject == "x"; }));
}

TEST_CASE("an instruction is flushed even if its clear record precedes the flush in the same frame") {
    Schema schema;
    const PlainCore core(schema, "cpu0", 1000);
    Batch batch;
    const auto begin = [&](Tick time, std::uint32_t slot, std::uint64_t entity) {
        batch.set(core.entities, time, slot, 0, entity);
    };
    begin(0, 0, 0);
    begin(0, 1, 1);
    begin(0, 2, 2);
    // Frames of µScope 0.1 have operations before events.
    batch.clear_slot(core.entities, 1000, 1);
    batch.clear_slot(core.entities, 1000, 0);
    begin(1000, 0, 16);  // uses the slot that has just become free
    event(batch, core.stage_transition, 1000, {0, 1});
    event(batch, core.flush, 1000, {0, 0});
    event(batch, core.flush, 2000, {1, 0});  // this flush is one cycle after the clear, which is too late
    // The same id begins again after the previous instruction has left.
    batch.clear_slot(core.entities, 2000, 2);
    begin(2000, 3, 2);
    event(batch, core.flush, 2000, {2, 0});
    batch.clear_slot(core.entities, 3000, 3);
    batch.clear_slot(core.entities, 3000, 0);
    Losses losses;
    CHECK(log_of(schema, batch, losses) ==
          "Kanata\t0004\t#hwtrace: clock_ps 1000\nC=\t0\nI\t0\t0\t0\nI\t1\t1\t0\nI\t2\t2\t0\nC\t1\n"
          "I\t16\t3\t0\nS\t0\t0\tEX\nR\t1\t0\t0\nR\t0\t1\t1\n"
          "C\t1\nR\t2\t2\t0\nI\t3\t4\t0\nR\t3\t3\t1\nC\t1\nR\t16\t4\t0\n");
    CHECK(codes(losses) == Lines{"kind-dropped flush 1", "type-changed dependency 1", "type-changed entities 11",
                                 "type-changed flush 2", "name-changed cpu0_clk 1", "scope-flattened cpu0 1",
                                 "part-dropped cpu.pipeline_stages 1", "part-dropped entities 2"});
}

TEST_CASE("cores with different clocks share a log with a common cycle") {
    Schema schema;
    const PlainCore big(schema, "big", 400), small(schema, "small", 600);
    Batch batch;
    batch.set(big.entities, 400, 0, 0, 0);
    batch.set(small.entities, 600, 0, 0, 0);
    event(batch, big.stage_transition, 800, {0, 1});
    event(batch, small.stage_transition, 900, {0, 1});
    batch.clear_slot(small.entities, 1200, 0);
    Losses losses;
    CHECK(log_of(schema, batch, losses) ==
          "Kanata\t0004\t#hwtrace: clock_ps "
          "200\nC=\t0\nC\t2\nI\t0\t0\t0\nC\t1\nI\t1\t0\t1\nC\t1\nS\t0\t0\tEX\nS\t1\t0\tEX\n"
          "C\t2\nR\t1\t0\t0\n");
    CHECK(losses.entries().contains({Loss::time_rounded, "stage_transition"}));
}

TEST_CASE("texts that do not fit in a line are counted as losses") {
    Schema schema;
    const PlainCore core(schema, "cpu0", 1000);
    Batch batch;
    batch.set(core.entities, 0, 0, 0, 0);
    event(batch, core.annotate, 0, {0, schema.intern("C:\\new")});
    event(batch, core.annotate, 0, {0, schema.intern("two\nlines")});
    event(batch, core.stage_transition, 0, {0, 9});
    Losses losses;
    const std::string text = log_of(schema, batch, losses);
    CHECK(text.find("L\t0\t0\ttwo\\nlines\n") != std::string::npos);
    CHECK(text.find("S\t0\t0\t9\n") != std::string::npos);
    CHECK(losses.entries().at({Loss::value_narrowed, "annotate"}).count == 1);
    CHECK(losses.entries().at({Loss::name_changed, "stage_transition"}).count == 1);
}

TEST_CASE("data that a reader would derive differently from the log is counted and predicted as a loss") {
    kanata::Survey survey;
    survey.clock_ps = 1000;
    for (const char* const stage : {"F", "D", "X"})
        survey.stages.add(stage);
    Schema of_log;
    const kanata::Tracks tracks = kanata::declare_tracks(survey, of_log);

    struct Lifetime {
        std::string clock = "core_clk";
        std::uint32_t slots = 16, slot = 5;
        std::vector<std::uint64_t> stages = {0, 1, 2};
        Tick stays = 0;  ///< ticks between retirement and clear
        bool summary = false;
    };
    const auto lost = [&](const Lifetime& life) {
        Schema schema;
        for (Clock clock : of_log.clocks()) {
            clock.name = life.clock;
            schema.declare(clock);
        }
        for (const Scope& scope : of_log.scopes())
            schema.declare(scope);
        for (const Enum& enumeration : of_log.enums())
            schema.declare(enumeration);
        for (Track track : of_log.tracks()) {
            if (track.name == "entities") track.slots = life.slots;
            schema.declare(std::move(track));
        }
        if (life.summary) schema.describe("uscope.summary_field", "1 0 busy");
        schema.describe("uscope.checkpoint_interval_ps", "10000");
        Batch batch;
        batch.set(tracks.entities, 0, life.slot, kanata::Tracks::entity_id, 5);
        batch.set(tracks.entities, 0, life.slot, kanata::Tracks::simulator_id, 5);
        batch.set(tracks.entities, 0, life.slot, kanata::Tracks::thread_id, 0);
        for (const std::uint64_t stage : life.stages)
            event(batch, tracks.stage_transition, 0, {5, stage});
        event(batch, tracks.retire, 2, {5, 0, 0});
        batch.clear_slot(tracks.entities, 2 + life.stays, life.slot);
        batch.add(tracks.committed, 2 + life.stays, 0, 0, 1);
        Losses losses;
        log_of(schema, batch, losses);
        std::vector<ExpectedLoss> foretold;
        kanata_format().writes.foresee(schema, {}, foretold);
        for (const auto& entry : losses.entries()) {
            const Losses::Key& key = entry.first;
            CAPTURE(key.second);
            CHECK(std::ranges::any_of(foretold, [&](const ExpectedLoss& loss) {
                return loss.loss == key.first && (loss.subject == key.second || loss.subject == "*");
            }));
        }
        return codes(losses);
    };
    CHECK(lost({}) == Lines{});
    CHECK(lost({.clock = "clk"}) == Lines{"name-changed clk 1"});
    CHECK(lost({.slot = 0}) == Lines{"part-dropped entities 1"});
    CHECK(lost({.slots = 8}) == Lines{"part-dropped entities 1"});
    CHECK(lost({.stages = {0, 2}}) == Lines{"part-dropped cpu.pipeline_stages 1"});
    CHECK(lost({.stages = {2, 1, 0}}) == Lines{"order-changed cpu.pipeline_stages 1"});
    CHECK(lost({.stays = 1}) ==
          Lines{"order-changed committed_insns 1", "order-changed entities 1", "order-changed retire 1"});
    CHECK(lost({.summary = true}) == Lines{"metadata-dropped uscope.summary_field 1"});
}

TEST_CASE("a trace without commands becomes a log without commands") {
    Schema schema;
    const PlainCore core(schema, "cpu0", 1000);
    Losses losses;
    const std::string text = log_of(schema, Batch{}, losses);
    CHECK(text == "Kanata\t0004\t#hwtrace: clock_ps 1000\nC=\t0\n");
    CHECK(LogReading(text).rules == Lines{});
}

TEST_CASE("a label has the values that the slot stores, truncated to the types of its fields") {
    Schema schema;
    const PlainCore core(schema, "cpu0", 500);
    Batch batch;
    batch.set(core.entities, 1000, 0, 0, 0);
    batch.set(core.entities, 1000, 0, 1, 0x80000000);
    batch.set(core.entities, 1000, 0, 2, 0x7'0000'0013);
    event(batch, core.stage_transition, 1000, {0, 0});
    Losses losses;
    CHECK(log_of(schema, batch, losses).find("L\t0\t0\t80000000: 00000013 \n") != std::string::npos);
}

namespace {

/// What Konata shows of a log. Written from the behaviour of its parser, without code of this suite.
struct Konata {
    struct Instruction {
        long cycle = 0;
        std::string label = {};
        bool gone = false;
        std::set<std::string> lanes = {};
    };
    std::map<std::string, Instruction> instructions;  ///< by id
    Lines complaints;

    explicit Konata(const std::string& text) {
        long cycle = 0;
        if (!text.starts_with("Kanata")) complaints.push_back("not a log");
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            Lines columns(1);
            for (const char c : line) {
                if (c == '\t')
                    columns.emplace_back();
                else
                    columns.back() += c;
            }
            const std::string& command = columns.front();
            if (command == "Kanata" || command == "C=") continue;
            const std::size_t needed = command == "C" ? 2 : 4;
            if (std::string("CILSERW").find(command) == std::string::npos || columns.size() < needed) {
                complaints.push_back("unknown or short: " + line);
                continue;
            }
            if (command == "C") {
                cycle += std::stol(columns[1]);
                continue;
            }
            const auto found = instructions.find(columns[1]);
            if ((found == instructions.end()) != (command == "I")) {
                complaints.push_back("undefined or defined twice: " + line);
                continue;
            }
            Instruction& instruction = instructions[columns[1]];
            if (instruction.gone) complaints.push_back("after its R: " + line);
            if (command == "I") instruction.cycle = cycle;
            if (command == "L" && columns[2] == "0") instruction.label += columns[3];
            if (command == "S") instruction.lanes.insert(columns[2]);
            if (command == "E" && !instruction.lanes.contains(columns[2])) complaints.push_back("no lane: " + line);
            if (command == "R") instruction.gone = true;
            if (command == "W" && !instructions.contains(columns[2])) complaints.push_back("no producer: " + line);
        }
    }
};

}  // namespace

TEST_CASE("Konata takes every line of a written log, and shows the cycles of the trace") {
    Schema schema;
    const PlainCore core(schema, "cpu0", 500);
    Batch batch;
    for (std::uint32_t i = 0; i < 3; ++i) {
        const Tick time = 2'500'000 + 500 * Tick{i};  // a slice: its first record is in cycle 5000
        batch.set(core.entities, time, i, 0, i % 2);  // the id 0 begins twice
        batch.set(core.entities, time, i, 1, 0x80000000 + 4 * i);
        event(batch, core.stage_transition, time, {i % 2, 0});
        if (i == 1) event(batch, core.dependency, time, {0, 1, 0});
        if (i != 1) batch.clear_slot(core.entities, time + 500, i);
    }
    Losses losses;
    const std::string text = log_of(schema, batch, losses);
    const Konata shown(text);
    CHECK(shown.complaints == Lines{});
    REQUIRE(shown.instructions.size() == 3);
    CHECK(shown.instructions.at("0").cycle == 5000);
    CHECK(shown.instructions.at("1").cycle == 5001);
    CHECK(shown.instructions.at("2").cycle == 5002);
    CHECK(shown.instructions.at("2").label == "80000008: ");
    CHECK(losses.entries().contains({Loss::type_changed, "entities"}));

    // The way back restores the clock, and a second log is the same.
    CHECK(LogReading(text).reader->schema().clocks().front().period_ps == 500);
    CHECK(LogReading(text).rules == Lines{});
    CHECK(rewritten_log(text) == text);
    CHECK(LogReading("Kanata\t0004\n#hwtrace: clock_ps 400\n").reader->schema().clocks().front().period_ps == 400);
    CHECK(LogReading("Kanata\t\t#hwtrace: clock_ps 400\n").fact("version") != "#hwtrace: clock_ps 400");
}

namespace {

/// Writes one instruction at 0x80000000. `isa`: the metadata cpu.isa, if any.
std::string label_of_instruction(std::uint64_t encoding, const char* isa, const Settings& settings, Losses& losses) {
    Schema schema;
    const PlainCore core(schema, "cpu0", 500);
    if (isa != nullptr) schema.describe(std::string(conventions::cpu_isa), isa);
    Batch batch;
    batch.set(core.entities, 0, 0, 0, 0);
    batch.set(core.entities, 0, 0, 1, 0x80000000);
    batch.set(core.entities, 0, 0, 2, encoding);
    return Konata(log_of(schema, batch, losses, settings)).instructions.at("0").label;
}

struct LabelSample {
    std::uint64_t encoding;
    std::string digits, assembly;
};
const LabelSample label_samples[] = {{0x13, "00000013", "nop"},
                                     {0xFE010113, "fe010113", "addi sp,sp,-32"},
                                     {0x4501, "4501", "li a0,0"},
                                     {0x1, "0001", "nop"},
                                     {0x63, "00000063", "beqz zero,0x80000000"}};

}  // namespace

TEST_CASE("labels have the address and the encoding in its own width, whether LLVM is installed or not") {
    const Settings settings;
    for (const LabelSample& sample : label_samples) {
        Losses losses;
        CHECK(label_of_instruction(sample.encoding, "RV64", settings, losses) == "80000000: " + sample.digits + " ");
        CHECK(losses.assumptions().empty());
    }
    // The trace's own disassembly is not repeated.
    Schema schema;
    const PlainCore core(schema, "cpu0", 500);
    Batch batch;
    batch.set(core.entities, 0, 0, 0, 0);
    batch.set(core.entities, 0, 0, 1, 0x80000000);
    batch.set(core.entities, 0, 0, 2, 0x13);
    event(batch, core.annotate, 0, {0, schema.intern("0x80000000: own text")});
    Losses own;
    CHECK(Konata(log_of(schema, batch, own)).instructions.at("0").label == "0x80000000: own text");
    CHECK(own.entries().contains({Loss::field_dropped, "entities"}));
}

TEST_CASE("disassembly in labels needs LLVM and a RISC-V ISA, and is reported as an assumption") {
    const Settings settings = labels_by("disassembly");
    for (const LabelSample& sample : label_samples) {
        const std::string digits = "80000000: " + sample.digits + " ";
        Losses riscv, unknown, other;
        const std::string label = label_of_instruction(sample.encoding, "RV64", settings, riscv);
        CHECK(label == (Decoding::available() ? "80000000: " + sample.assembly + " " : digits));
        REQUIRE(riscv.assumptions().size() == 1);
        CHECK(riscv.assumptions().front().find(Decoding::available()
                                                   ? "LLVM " + Decoding::version()
                                                   : Decoding::reason_of_absence()) != std::string::npos);
        CHECK(label_of_instruction(sample.encoding, nullptr, settings, unknown) == digits);
        CHECK(unknown.assumptions() ==
              Lines{"labels have encodings: the trace does not state its instruction set (cpu.isa)"});
        label_of_instruction(sample.encoding, "AArch64", settings, other);
        CHECK(other.assumptions() == Lines{"labels have encodings: the instruction set is AArch64, not RISC-V"});
    }
    // A trace without encodings has no label that depends on LLVM.
    Losses none;
    label_of_instruction(0, "RV64", settings, none);
    CHECK(none.assumptions().empty());
}

}  // namespace kanata_test

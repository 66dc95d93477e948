#include "support/testdata.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "convert/convert.hpp"
#include "convert/model_dump.hpp"
#include "convert/prescan.hpp"
#include "convert/stage_run.hpp"
#include "formats.hpp"
#include "io/output.hpp"
#include "io/text_output.hpp"
#include "support/corpus.hpp"
#include "support/npu_trace.hpp"
#include "support/out_of_order.hpp"
#include "support/program.hpp"
#include "support/traffic.hpp"

namespace hwtrace::test {

namespace fs = std::filesystem;

namespace {

using Bytes = std::vector<std::byte>;
using Chosen = std::vector<std::pair<std::string_view, std::string>>;

Settings settings_of(const Format& format, const Chosen& chosen) {
    Settings settings;
    for (const auto& [key, value] : chosen)
        for (const Option& option : format.options)
            if (option.key == key) settings.set(option, value);
    return settings;
}

template <typename Fill>
Bytes written(const Format& format, const Schema& schema, const Chosen& chosen, Fill&& fill) {
    Bytes bytes;
    Losses losses;
    const Settings settings = settings_of(format, chosen);
    const auto output = open_memory_output("made", [&](Bytes all) { bytes = std::move(all); });
    const auto writer = format.create(*output, schema, settings, losses);
    fill(*writer);
    writer->finish();
    output->commit();
    return bytes;
}

Bytes program(unsigned elements, const Chosen& chosen) {
    const RecordedSchema recorded;
    return written(*find_format(formats(), "stf"), recorded.schema, chosen,
                   [&](Writer& writer) { record_program(recorded, elements, writer); });
}

Bytes traffic(unsigned misses, const Chosen& chosen) {
    const Traffic trace(misses);
    return written(*find_format(formats(), "stf"), trace.schema, chosen, [&](Writer& writer) {
        for (const Batch& batch : trace.batches)
            writer.write(batch);
    });
}

Bytes converted(const Bytes& file, const Format& from, const Format& to, const TimeModel& time, const Chosen& chosen) {
    Input input = Input::memory("made", file);
    Findings findings;
    Losses losses;
    const Settings reading;
    PreparedSource source(input, from, to, reading, findings);
    Plan plan =
        make_plan(source.schema(), source.format(), to, Choices{time, std::nullopt, settings_of(to, chosen)}, losses);
    return written(to, plan.target_schema(source.schema()), chosen, [&](Writer& writer) {
        Batch batch;
        StageRun stages(plan);
        const auto write = [&](const Batch& made) {
            if (!made.empty()) writer.write(made);
        };
        while (source.reader().read(batch)) {
            write(stages.apply(batch));
            batch.clear();
        }
        stages.finish(write);
    });
}

Bytes npu(unsigned tiles, const Chosen& chosen) {
    const NpuTrace trace(tiles);
    return written(*find_format(formats(), "pccx"), trace.schema, chosen, [&](Writer& writer) {
        for (const Batch& batch : trace.batches)
            writer.write(batch);
    });
}

/// Returns a trace of a queue: head and tail pointers, an enum, a counter, and events with every field type.
Bytes queue(const Chosen& chosen) {
    Schema schema;
    const ClockId clock = schema.declare(Clock{"clk", 2000});
    const ScopeId root = schema.declare(Scope{"/", none, {}, clock});
    const ScopeId unit = schema.declare(Scope{"queue", root, {}, none});
    const EnumId states = schema.declare(Enum{"state", {{0, "free"}, {1, "waiting"}, {2, "done"}}});
    const auto declare = [&](Track::Kind kind, std::string name, std::vector<Field> fields) {
        Track track;
        track.kind = kind;
        track.scope = unit;
        track.name = std::move(name);
        track.time = picoseconds;
        track.fields = std::move(fields);
        return track;
    };
    Track table = declare(Track::Kind::storage, "slots", {{"state", Type::enumeration, states}, {"value", Type::i32}});
    table.slots = 8;
    table.sparse = true;
    table.buffer = true;
    table.properties = {{"head", Type::u16, none, false, 1, 0}, {"tail", Type::u16, none, false, 2, 0}};
    const TrackId slots = schema.declare(table);
    Track total = declare(Track::Kind::storage, "total", {{"count", Type::u64}});
    total.slots = 1;
    const TrackId counter = schema.declare(total);
    const TrackId note = schema.declare(declare(
        Track::Kind::event_type, "note",
        {{"text", Type::text}, {"u8", Type::u8}, {"i16", Type::i16}, {"i64", Type::i64}, {"flag", Type::boolean}}));
    schema.describe("dut_name", "queue");

    return written(*find_format(formats(), "uscope"), schema, chosen, [&](Writer& writer) {
        Batch batch;
        for (Tick cycle = 0; cycle < 200; ++cycle) {
            const Tick time = cycle * 2000;
            const auto slot = static_cast<std::uint32_t>(cycle % 8);
            if (cycle >= 8) batch.clear_slot(slots, time, slot).flags = record_first_of_frame;
            Record& first = batch.set(slots, time, slot, 0, static_cast<std::uint64_t>(cycle % 3));
            if (cycle < 8) first.flags = record_first_of_frame;
            batch.set(slots, time, slot, 1, static_cast<std::uint64_t>(100 - cycle * 3));
            batch.set_property(slots, time, 0, slot);
            batch.set_property(slots, time, 1, static_cast<std::uint64_t>((cycle + 4) % 8));
            batch.add(counter, time, 0, 0, static_cast<std::uint64_t>(cycle));
            if (cycle % 20 == 7) {
                const std::array<std::uint64_t, 5> cells{
                    schema.intern("cycle " + std::to_string(cycle)), static_cast<std::uint64_t>(cycle),
                    static_cast<std::uint64_t>(-cycle), static_cast<std::uint64_t>(cycle * -1'000'000'007),
                    cycle % 40 == 7 ? 1u : 0u};
                batch.event(note, time, cells);
            }
            if (batch.full()) {
                writer.write(batch);
                batch.clear();
            }
        }
        writer.write(batch);
    });
}

Bytes bytes_of(std::string_view text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

/// A log in our writer's form. It begins below cycle 0 and has overlay lanes, every type of label and retirement, and a
/// dependency whose type exceeds a byte.
constexpr std::string_view pipeline_log =
    "Kanata\t0004\n"
    "C=\t-2\n"
    "I\t0\t10\t0\n"
    "L\t0\t0\t80000000: addi x1, x0, 1\n"
    "S\t0\t0\tF\n"
    "C\t1\n"
    "S\t0\t1\tstl\n"
    "L\t0\t1\ti-cache miss\\nat 80000000\n"
    "I\t1\t11\t1\n"
    "L\t1\t0\t0x80000004 lw\tx2, 0(x1)\n"
    "S\t1\t0\tF\n"
    "C\t12\n"
    "E\t0\t1\tstl\n"
    "E\t0\t0\tF\n"
    "S\t0\t0\tX\n"
    "L\t0\t2\tadder\n"
    "W\t1\t0\t0\n"
    "S\t1\t0\tX\n"
    "C\t1\n"
    "R\t0\t7\t0\n"
    "I\t2\t12\t0\n"
    "L\t2\t0\tnot an address\n"
    "W\t2\t1\t300\n"
    "S\t2\t0\tF\n"
    "I\t20\t13\t0\n"
    "C\t2\n"
    "R\t2\t8\t1\n"
    "R\t1\t9\t2\n"
    "R\t20\t10\t0\n";

/// A log with a clock, stage names that a comma-separated list cannot hold, and cycles after its last command.
constexpr std::string_view names_log =
    "Kanata\t0004\n"
    "#hwtrace: clock_ps 400\n"
    "C=\t5\n"
    "I\t4000000000\t18446744073709551615\t7\n"
    "S\t4000000000\t0\tload, store\n"
    "S\t4000000000\t0\t padded \n"
    "S\t4000000000\t0\t\n"
    "C\t3\n"
    "R\t4000000000\t0\t0\n"
    "C\t100\n";

/// A log in our writer's form, with every type and phase, missing values, and related transactions. Some transactions
/// overlap, begin and end together, or take no time.
constexpr std::string_view bus_log =
    "scv_tr_stream (ID 1, name \"top.bus\", kind \"transactor\")\n"
    "scv_tr_stream (ID 2, name \"top.memory\", kind \"<no_stream_kind>\")\n"
    "scv_tr_generator (ID 3, name \"read\", scv_tr_stream 1,\n"
    "begin_attribute (ID 0, name \"addr\", type \"UNSIGNED\")\n"
    "begin_attribute (ID 1, name \"burst\", type \"ENUMERATION\")\n"
    "begin_attribute (ID 2, name \"<anonymous>\", type \"BIT_VECTOR\")\n"
    "end_attribute (ID 3, name \"data\", type \"LOGIC_VECTOR\")\n"
    "end_attribute (ID 4, name \"ok\", type \"BOOLEAN\")\n"
    ")\n"
    "scv_tr_generator (ID 4, name \"access\", scv_tr_stream 2,\n"
    ")\n"
    "tx_begin 1 3 0 s\n"
    "a 18446744073709551615\n"
    "a \"INCR\"\n"
    "a \"0101\"\n"
    "tx_record_attribute 1 \"size\" INTEGER = -24\n"
    "tx_record_attribute 1 \"note\" STRING = \"two  words, 100%s\"\n"
    "tx_begin 2 4 0 s\n"
    "tx_record_attribute 2 \"load\" FLOATING_POINT_NUMBER = 0.1\n"
    "tx_record_attribute 2 \"gain\" FIXED_POINT_INTEGER = -1.5\n"
    "tx_record_attribute 2 \"level\" UNSIGNED_FIXED_POINT_INTEGER = 2.25\n"
    "tx_relation \"part_of\" 2 1\n"
    "tx_end 2 4 1500 ps\n"
    "tx_begin 3 4 1500 ps\n"
    "tx_record_attribute 3 \"at\" POINTER = 0xffff800000001000\n"
    "tx_record_attribute 3 \"load\" FLOATING_POINT_NUMBER = inf\n"
    "tx_relation \"part_of\" 3 1\n"
    "tx_relation \"after\" 3 2\n"
    "tx_begin 4 3 1500 ps\n"
    "a 0\n"
    "a UNDEFINED\n"
    "a UNDEFINED\n"
    "tx_end 3 4 3 us\n"
    "tx_end 1 3 3 us\n"
    "a \"01XZ\"\n"
    "a true\n"
    "tx_begin 5 4 3 us\n"
    "tx_end 5 4 3 us\n"
    "tx_end 4 3 40 us\n"
    "a UNDEFINED\n"
    "a false\n";

/// A log in the form of LWTR4SC's text back end. It has no declarations, end attributes that precede `tx_end`, and a
/// time with femtoseconds.
constexpr std::string_view recorder_log =
    "scv_tr_stream (ID 1, name \"core\", kind \"pipeline\")\n"
    "scv_tr_generator (ID 2, name \"instruction\", scv_tr_stream 1,\n"
    ")\n"
    "scv_tr_generator (ID 3, name \"instruction.events\", scv_tr_stream 1,\n"
    ")\n"
    "tx_begin 1 2 0 s\n"
    "tx_record_attribute 1 \"mnemonic\" STRING = \"ADD\"\n"
    "tx_begin 2 3 0 s\n"
    "tx_record_attribute 2 \"name\" STRING = \"IF\"\n"
    "tx_relation \"parent_of\" 2 1\n"
    "tx_end 2 3 0 s\n"
    "tx_begin 3 3 1333 fs\n"
    "tx_record_attribute 3 \"name\" STRING = \"EX\"\n"
    "tx_relation \"parent_of\" 3 1\n"
    "tx_end 3 3 1333 fs\n"
    "tx_record_attribute 1 \"mnemonic\" STRING = \"ok\"\n"
    "tx_end 1 2 4 ps\n";

/// A core that fetches a wrong path, and a bus. The transactions can be raised to instructions and accesses.
constexpr std::string_view soc_log =
    "scv_tr_stream (ID 1, name \"soc.core0\", kind \"pipeline\")\n"
    "scv_tr_stream (ID 2, name \"soc.bus\", kind \"transactor\")\n"
    "scv_tr_generator (ID 3, name \"instruction\", scv_tr_stream 1,\n"
    "begin_attribute (ID 0, name \"pc\", type \"UNSIGNED\")\n"
    "begin_attribute (ID 1, name \"encoding\", type \"UNSIGNED\")\n"
    "end_attribute (ID 2, name \"flushed\", type \"BOOLEAN\")\n"
    ")\n"
    "scv_tr_generator (ID 4, name \"read\", scv_tr_stream 2,\n"
    "begin_attribute (ID 0, name \"addr\", type \"UNSIGNED\")\n"
    "begin_attribute (ID 1, name \"size\", type \"UNSIGNED\")\n"
    "end_attribute (ID 2, name \"data\", type \"UNSIGNED\")\n"
    ")\n"
    "scv_tr_generator (ID 5, name \"transfer\", scv_tr_stream 2,\n"
    "begin_attribute (ID 0, name \"address\", type \"POINTER\")\n"
    "begin_attribute (ID 1, name \"bytes\", type \"UNSIGNED\")\n"
    "begin_attribute (ID 2, name \"command\", type \"ENUMERATION\")\n"
    "begin_attribute (ID 3, name \"master\", type \"STRING\")\n"
    ")\n"
    "tx_begin 1 3 0 s\na 4096\na 11929395\n"
    "tx_begin 2 3 1 ns\na 4100\na 33554543\n"
    "tx_begin 3 4 1 ns\na 2147483648\na 8\n"
    "tx_begin 4 3 2 ns\na 4104\na 11929395\n"
    "tx_end 1 3 3 ns\na false\n"
    "tx_end 3 4 4 ns\na 1311768467463790320\n"
    "tx_begin 5 3 4 ns\na 4132\na 17665\n"
    "tx_begin 6 5 4 ns\na 0x80000040\na 64\na \"WRITE\"\na \"dma\"\n"
    "tx_end 2 3 5 ns\na false\n"
    "tx_end 4 3 5 ns\na true\n"
    "tx_end 6 5 6 ns\n"
    "tx_end 5 3 7 ns\na false\n";

Bytes bytes_of(const TextOutput& text) {
    return bytes_of(text.text());
}

Bytes view_of(const Bytes& file, const Format& format) {
    Input input = Input::memory("made", file);
    TextOutput text(-1);
    Findings findings;
    format.views.front().render(input, text, {}, findings);
    return bytes_of(text);
}

Bytes model_of(const Bytes& file, const Format& format) {
    Input input = Input::memory("made", file);
    TextOutput text(-1);
    Findings findings;
    const Settings settings;
    const auto reader = format.open(input, settings, findings);
    dump_model(*reader, text);
    return bytes_of(text);
}

void collect(const fs::path& folder, const std::string& prefix, std::uint64_t limit, const Format* format, bool valid,
             std::vector<Sample>& samples, std::string_view extension = ".hex") {
    if (!fs::exists(folder)) return;
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        // Empty files are not samples.
        if (entry.is_regular_file() && entry.file_size() <= limit && entry.file_size() != 0)
            paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) {
        // These small compressed files have millions of instructions. Only the tests of single formats use them.
        if (path.filename().string().starts_with("dhry")) continue;
        const bool mine = path.extension() == extension ||
                          std::any_of(format->extensions.begin(), format->extensions.end(),
                                      [&](std::string_view e) { return path.filename().string().ends_with(e); });
        if (mine) samples.push_back({prefix + path.filename().string(), format, load_sample(path), valid});
    }
}

/// Two threads on one core, from another rate and clock; a nop retires without issue.
constexpr std::string_view threads_text =
    "#hwtrace: ticks_per_second 1000000000\n"
    "#hwtrace: ticks_per_cycle 4\n"
    "O3PipeView:fetch:8:0xffffffff80000000:0:4294967296:nop\n"
    "O3PipeView:thread:8:1\n"
    "O3PipeView:decode:12\n"
    "O3PipeView:rename:16\n"
    "O3PipeView:dispatch:20\n"
    "O3PipeView:issue:0\n"
    "O3PipeView:complete:0\n"
    "O3PipeView:retire:24\n"
    "O3PipeView:fetch:8:0x00001000:1:4294967297:  mov : ld rax, DS:[rbx]\n"
    "O3PipeView:decode:16\n"
    "O3PipeView:retire:0:store:0\n"
    "O3PipeView:fetch:12:0x00001000:0:4294967298:\n"
    "O3PipeView:thread:12:1\n"
    "O3PipeView:decode:16\n"
    "O3PipeView:issue:20\n"
    "O3PipeView:complete:24\n"
    "O3PipeView:retire:28:store:30\n";

/// Two cores take turns in writing to one file.
std::string two_cores() {
    std::array<std::vector<std::string>, 2> cores;
    for (unsigned core = 0; core < 2; ++core)
        run_out_of_order({.instructions = 8, .seed = core + 1, .cpu = "system.cpu" + std::to_string(core)},
                         [&](std::string_view lines) { cores[core].emplace_back(lines); });
    std::string text;
    for (std::size_t at = 0; at < cores[0].size() || at < cores[1].size(); ++at)
        for (const std::vector<std::string>& core : cores)
            if (at < core.size()) text.append(core[at]);
    return text;
}

}  // namespace

std::map<std::string, Bytes> made_testdata() {
    const Format& stf = *find_format(formats(), "stf");
    const Format& uscope = *find_format(formats(), "uscope");
    const Format& pccx = *find_format(formats(), "pccx");
    const Format& kanata = *find_format(formats(), "kanata");
    const Bytes small = program(6, {});
    const Bytes npu_bincode = npu(16, {{"pccx-checksum", "number"}});
    TimeModel gigahertz;
    gigahertz.period_ps = 1000;
    gigahertz.instructions_per_cycle = Ratio{1, 1};
    TimeModel uneven;
    uneven.period_ps = 400;
    uneven.instructions_per_cycle = Ratio{3, 2};

    std::map<std::string, Bytes> files;
    files["stf/valid/sum.zstf"] = program(140, {{"stf-container", "zstf"}, {"stf-chunk", "500"}});
    files["stf/valid/sum_small.stf"] = small;
    files["stf/valid/sum_small.zstf"] = program(6, {{"stf-container", "zstf"}, {"stf-chunk", "20"}});
    files["stf/valid/sum_small.stf.gz"] = program(6, {{"stf-container", "gz"}});
    files["stf/valid/sum_small.stf.xz"] = program(6, {{"stf-container", "xz"}});
    files["stf/valid/sum_small.stf.zst"] = program(6, {{"stf-container", "zst"}});
    const Bytes tilelink = traffic(12, {});
    files["stf/valid/traffic.stf"] = tilelink;
    files["stf/valid/traffic.zstf"] = traffic(12, {{"stf-container", "zstf"}, {"stf-chunk", "7"}});
    files["uscope/valid/traffic.uscope"] =
        converted(tilelink, stf, uscope, gigahertz, {{"uscope-compression", "none"}});
    files["golden/traffic.records.txt"] = view_of(tilelink, stf);
    files["golden/traffic.model.txt"] = model_of(tilelink, stf);
    files["uscope/valid/queue.uscope"] = queue({{"uscope-compression", "none"}, {"uscope-checkpoint", "100ns"}});
    files["uscope/valid/queue_zstd.uscope"] = queue({{"uscope-compression", "zstd"}, {"uscope-checkpoint", "50ns"}});
    files["uscope/valid/sum_small.uscope"] =
        converted(small, stf, uscope, gigahertz, {{"uscope-compression", "none"}, {"uscope-checkpoint", "40ns"}});
    files["uscope/valid/sum_small_lz4.uscope"] = converted(small, stf, uscope, uneven, {});
    files["golden/sum_small.records.txt"] = view_of(small, stf);
    files["golden/sum_small.model.txt"] = model_of(small, stf);
    files["golden/queue.frames.txt"] = view_of(files["uscope/valid/queue.uscope"], uscope);
    files["pccx/valid/npu.pccx"] = npu_bincode;
    files["pccx/valid/npu_flat.pccx"] = converted(npu_bincode, pccx, pccx, {}, {{"pccx-layout", "flatbuf"}});
    files["uscope/valid/npu.uscope"] = converted(npu_bincode, pccx, uscope, {}, {{"uscope-compression", "none"}});
    files["golden/npu.events.txt"] = view_of(npu_bincode, pccx);
    files["golden/npu.model.txt"] = model_of(npu_bincode, pccx);
    const Bytes pipeline = bytes_of(pipeline_log);
    files["kanata/valid/pipeline.kanata"] = pipeline;
    files["kanata/valid/pipeline.kanata.gz"] = converted(pipeline, kanata, kanata, {}, {{"kanata-container", "gz"}});
    files["kanata/valid/names.kanata"] = bytes_of(names_log);
    files["kanata/valid/sum_small.kanata"] = converted(small, stf, kanata, gigahertz, {});
    files["uscope/valid/pipeline.uscope"] = converted(pipeline, kanata, uscope, {}, {{"uscope-compression", "none"}});
    files["golden/pipeline.log.txt"] = view_of(pipeline, kanata);
    files["golden/pipeline.model.txt"] = model_of(pipeline, kanata);
    const Format& o3pipeview = *find_format(formats(), "o3pipeview");
    const Bytes branch = bytes_of(out_of_order_text({.instructions = 30, .seed = 49}));
    files["o3pipeview/valid/branch.o3pipeview"] = branch;
    files["o3pipeview/valid/branch.o3pipeview.gz"] =
        converted(branch, o3pipeview, o3pipeview, {}, {{"o3pipeview-container", "gz"}});
    files["o3pipeview/valid/cores.o3pipeview"] = bytes_of(two_cores());
    files["o3pipeview/valid/threads.o3pipeview"] = bytes_of(threads_text);
    files["o3pipeview/valid/sum_small.o3pipeview"] = converted(small, stf, o3pipeview, gigahertz, {});
    files["o3pipeview/valid/pipeline.o3pipeview"] = converted(pipeline, kanata, o3pipeview, {}, {});
    files["golden/branch.instructions.txt"] = view_of(branch, o3pipeview);
    files["golden/branch.model.txt"] = model_of(branch, o3pipeview);
    const Format& txlog = *find_format(formats(), "txlog");
    const Bytes bus = bytes_of(bus_log);
    files["txlog/valid/bus.txlog"] = bus;
    files["txlog/valid/bus.txlog.gz"] = converted(bus, txlog, txlog, {}, {{"txlog-container", "gz"}});
    files["txlog/valid/bus.txlog.lz4"] = converted(bus, txlog, txlog, {}, {{"txlog-container", "lz4"}});
    files["txlog/valid/recorder.lwtrt"] = bytes_of(recorder_log);
    files["txlog/valid/traffic.txlog"] = converted(tilelink, stf, txlog, {}, {});
    files["golden/bus.log.txt"] = view_of(bus, txlog);
    files["golden/bus.model.txt"] = model_of(bus, txlog);
    const Format& ftr = *find_format(formats(), "ftr");
    files["txlog/valid/soc.txlog"] = bytes_of(soc_log);
    files["ftr/valid/soc.ftr"] = converted(bytes_of(soc_log), txlog, ftr, {}, {});
    files["stf/valid/soc.stf"] = converted(files["ftr/valid/soc.ftr"], ftr, stf, {}, {});
    files["ftr/valid/sum_small.ftr"] = converted(small, stf, ftr, gigahertz, {});
    const Format& jsonl = *find_format(formats(), "jsonl");
    files["jsonl/valid/sum_small.jsonl.gz"] = converted(small, stf, jsonl, {}, {{"jsonl-container", "gz"}});
    files["jsonl/valid/queue.jsonl.gz"] =
        converted(files["uscope/valid/queue.uscope"], uscope, jsonl, {}, {{"jsonl-container", "gz"}});
    files["jsonl/valid/bus.jsonl"] = converted(bus, txlog, jsonl, {}, {});
    files["golden/queue.model.txt"] = model_of(files["uscope/valid/queue.uscope"], uscope);
    return files;
}

std::vector<Sample> testdata_samples() {
    constexpr std::uint64_t no_limit = ~std::uint64_t{0};
    std::vector<Sample> samples;
    for (const Format* format : formats()) {
        const std::string name(format->name);
        collect(source_file("testdata") / name / "valid", name + "/valid/", no_limit, format, true, samples);
        collect(source_file("testdata") / name / "invalid", name + "/invalid/", no_limit, format, false, samples);
    }
    return samples;
}

std::vector<Sample> picture_samples() {
    constexpr std::uint64_t no_limit = ~std::uint64_t{0}, small = 1u << 15;
    std::vector<Sample> samples;
    for (const Format* format : targets()) {
        const bool is_written = !format->writes.is_picture && format->can_write();
        if (is_written || !format->can_read()) continue;
        const std::string name(format->name);
        collect(source_file("testdata") / name / "valid", name + "/valid/", no_limit, format, true, samples);
        collect(source_file("testdata") / name / "invalid", name + "/invalid/", no_limit, format, false, samples);
        if (const auto folder = corpus("waveform")) collect(*folder, "corpus/waveform/", small, format, true, samples);
    }
    return samples;
}

std::vector<const Format*> read_only_formats() {
    std::vector<const Format*> read;
    std::ranges::copy_if(targets(), std::back_inserter(read),
                         [](const Format* format) { return !format->make_writer; });
    return read;
}

std::vector<Sample> read_only_samples() {
    std::vector<Sample> samples = picture_samples();
    std::erase_if(samples, [](const Sample& sample) { return sample.format->can_write(); });
    return samples;
}

std::vector<const Format*> readable_formats() {
    std::vector<const Format*> readable;
    std::ranges::copy_if(targets(), std::back_inserter(readable), &Format::can_read);
    return readable;
}

std::vector<Sample> corpus_samples(std::uint64_t limit) {
    std::vector<Sample> samples;
    for (const Format* format : formats()) {
        const std::string name(format->name);
        if (name == "jsonl") continue;  // no other tool writes such files
        if (name == "kanata") {         // the logs are beside the traces that another tool made from them
            if (const auto logs = corpus("uscope/logs"))
                collect(*logs, "corpus/uscope/logs/", limit, format, true, samples, ".log");
            continue;
        }
        if (name == "o3pipeview") {
            if (const auto traces = corpus("gem5"))
                collect(*traces, "corpus/gem5/", limit, format, true, samples, ".trace");
            continue;
        }
        if (name == "txlog" || name == "ftr") {  // the logs are beside the binary recordings of the same runs
            for (const std::string part : {"alltypes", "edge", "ftr_parser", "lwtr4sc", "scviewer", "variants"})
                if (const auto recordings = corpus("ftr/" + part))
                    collect(*recordings, "corpus/ftr/" + part + '/', limit, format, true, samples);
            continue;
        }
        const auto folder = corpus(name);
        if (!folder) continue;
        collect(*folder, "corpus/" + name + "/", limit, format, true, samples);
        for (const char* const part :
             {"made", "made/check", "samples", "gen", "gen_g1", "hand", "v4", "v6", "v6java", "examples_v4", "control"})
            collect(*folder / part, "corpus/" + name + '/' + part + '/', limit, format, true, samples);
    }
    return samples;
}

}  // namespace hwtrace::test

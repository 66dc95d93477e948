#include "pccx_bench.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convert/convert.hpp"
#include "convert/prescan.hpp"
#include "formats.hpp"
#include "io/fnv1a.hpp"
#include "measure.hpp"
#include "nowhere.hpp"
#include "operate/scan.hpp"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

using Chosen = std::vector<std::pair<std::string_view, std::string_view>>;

const Format& format(std::string_view name) {
    return *find_format(formats(), name);
}

Settings settings_of(const Format& chosen_format, const Chosen& chosen) {
    Settings settings;
    for (const auto& [key, value] : chosen)
        for (const Option& option : chosen_format.options)
            if (option.key == key) settings.set(option, std::string(value));
    return settings;
}

/// Generates tiles. In each tile, every core reads, computes, writes back and stalls; then all cores synchronise.
void generate(const std::string& path, std::uint64_t events, const Chosen& chosen) {
    constexpr std::uint32_t cores = 32;
    constexpr std::array<std::string_view, 5> types{"DMA_READ", "MAC_COMPUTE", "DMA_WRITE", "SYSTOLIC_STALL",
                                                    "BARRIER_SYNC"};
    constexpr std::array<std::uint64_t, 5> durations{31'744, 16'384, 7'936, 62, 8};
    Schema schema;
    schema.describe("pccx.version", "1.1");
    schema.describe("pccx.pccx_lab_version", "generated for the benchmark");
    schema.describe("pccx.trace.cycles", std::to_string((events / (cores * types.size()) + 1) * 60'000));
    schema.describe("pccx.trace.cores", std::to_string(cores));
    schema.describe("pccx.trace.clock_mhz", "1000");
    schema.describe("pccx.format_minor", "1");
    const ScopeId root = schema.declare(Scope{"npu", none, {}, none});
    std::vector<TrackId> tracks;
    for (std::uint32_t core = 0; core < cores; ++core) {
        const ScopeId scope = schema.declare(Scope{"core" + std::to_string(core), root, {}, none});
        for (const std::string_view type : types) {
            Track track;
            track.kind = Track::Kind::stream;
            track.scope = scope;
            track.name = type;
            track.time = {TimeBase::Kind::cycles, 1, 1'000'000'000};
            tracks.push_back(schema.declare(std::move(track)));
        }
    }
    const Settings settings = settings_of(format("pccx"), chosen);
    Losses losses;
    const auto output = open_file_output(path, Existing::replace);
    const auto writer = format("pccx").create(*output, schema, settings, losses);
    Batch batch;
    std::uint64_t left = events;
    for (Tick tile = 0; left > 0; ++tile) {
        for (std::uint32_t core = 0; core < cores; ++core) {
            Tick start = tile * 60'000 + core * 16;
            for (std::size_t type = 0; type < types.size() && left > 0; ++type, --left) {
                batch.interval(tracks[core * types.size() + type], start, durations[type]);
                start += static_cast<Tick>(durations[type]);
                if (!batch.full()) continue;
                writer->write(batch);
                batch.clear();
            }
        }
    }
    writer->write(batch);
    writer->finish();
    output->commit();
}

Work copy_bytes(const std::string& path) {
    Input input = Input::open(path);
    std::vector<std::byte> block(256u << 10);
    std::uint64_t total = 0;
    while (const std::size_t count = input.read(block))
        total += count;
    return {0, total};
}

Work hash_bytes(const std::string& path, const Fnv1aMethod& method) {
    Input input = Input::open(path);
    std::vector<std::byte> block(256u << 10);
    std::uint64_t total = 0;
    std::uint64_t state = Fnv1a64::basis;
    while (const std::size_t count = input.read(block)) {
        state = method.run(state, std::span(block).first(count));
        total += count;
    }
    return {state == 0 ? 1u : 0u, total};
}

/// Reads and writes the trace. Subtract the cost of reading to get the cost of writing.
Work write_nowhere(const std::string& path) {
    Input input = Input::open(path);
    Findings findings;
    Losses losses;
    const Settings settings;
    const auto reader = format("pccx").open(input, settings, findings);
    Nowhere output;
    const auto writer = format("pccx").create(output, reader->schema(), settings, losses);
    Plan nothing;
    const ConversionCounts counts = convert(*reader, nothing, *writer);
    return {counts.records_read, output.size()};
}

/// Copies a file and syncs it to disk: the minimum cost of writing.
Work copy_file(const std::string& from, const std::string& to) {
    Input input = Input::open(from);
    const auto output = open_file_output(to, Existing::replace);
    std::vector<std::byte> block(256u << 10);
    while (const std::size_t count = input.read(block))
        output->append(std::span(block).first(count));
    const std::uint64_t size = output->size();
    output->commit();
    return {0, size};
}

Work read(const Format& from, const std::string& path, unsigned jobs = 1) {
    Input input = Input::open(path);
    Findings findings;
    Settings settings;
    settings.jobs = jobs;
    const auto reader = from.open(input, settings, findings);
    const ScanCounts counts = scan(*reader);
    return {counts.records, fs::file_size(path)};
}

Work dump(const std::string& path, std::uint64_t events) {
    Input input = Input::open(path);
    Findings findings;
    const Settings settings;
    TextOutput out(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    format("pccx").views.front().render(input, out, settings, findings);
    out.flush();
    return {events, fs::file_size(path)};
}

/// Converts a file. With `range`, only some records are converted, so that the writer's estimates are wrong.
Work convert_file(const std::string& from_path, const std::string& to_path, const Format& from, const Format& to,
                  const Chosen& chosen, std::optional<Range> range = std::nullopt) {
    Input input = Input::open(from_path);
    Findings findings;
    Losses losses;
    const Settings settings = settings_of(to, chosen);
    PreparedSource source(input, from, to, settings, findings);
    Plan plan = make_plan(source.schema(), source.format(), to, Choices{{}, range, settings}, losses);
    const auto output = open_file_output(to_path, Existing::replace);
    const auto writer = to.create(*output, plan.target_schema(source.schema()), settings, losses);
    const ConversionCounts counts = convert(source.reader(), plan, *writer);
    output->commit();
    return {counts.records_read, fs::file_size(&from == &to ? to_path : from_path)};
}

void print_event_row(const char* name, const Cost& cost, double copy_ms, double hash_ms) {
    const auto records = static_cast<double>(cost.work.records);
    const auto megabytes = static_cast<double>(cost.work.bytes) / 1e6;
    std::printf("  %-46s %8.1f %8.0f %8.0f %8.0f %8.1f", name, records < 2 ? 0 : cost.cpu_ms * 1e6 / records,
                megabytes / cost.cpu_ms * 1e3, cost.cpu_ms, cost.wall_ms, cost.peak_mib);
    if (copy_ms > 0) std::printf(" %8.1f %8.2f", cost.cpu_ms / copy_ms, cost.cpu_ms / hash_ms);
    std::printf("\n");
    std::fflush(stdout);
}

/// Measures reading and writing of one file. `plain` is the same file without a checksum.
void measure_layout(const std::string& path, const std::string& plain, const fs::path& folder, std::uint64_t events,
                    int runs) {
    const std::string again = (folder / "again.pccx").string();
    const Format& pccx = format("pccx");
    const Cost copied = measure(runs, [&] { return copy_bytes(path); });
    print_event_row("floor: the file's bytes, copied", copied, 0, 0);
    double fastest_ms = 0;
    double definition_ms = 0;
    for (const Fnv1aMethod& method : fnv1a_methods()) {
        const Cost hashed = measure(runs, [&] { return hash_bytes(path, method); });
        const std::string name = "floor: copied and hashed, " + std::string(method.name);
        print_event_row(name.c_str(), hashed, 0, 0);
        if (definition_ms == 0) definition_ms = hashed.cpu_ms;
        fastest_ms = hashed.cpu_ms;
    }
    const auto row = [&](const char* name, const Cost& cost) {
        print_event_row(name, cost, copied.cpu_ms, fastest_ms);
    };
    row("read, no checksum", measure(runs, [&] { return read(pccx, plain); }));
    row("read, checksum", measure(runs, [&] { return read(pccx, path); }));
    row("read, checksum, -j 2", measure(runs, [&] { return read(pccx, path, 2); }));
    row("dump events", measure(runs, [&] { return dump(path, events); }));
    row("read and write to nowhere, no checksum", measure(runs, [&] { return write_nowhere(plain); }));
    row("read and write to nowhere, checksum", measure(runs, [&] { return write_nowhere(path); }));
    row("floor: the file's bytes, copied to a file", measure(runs, [&] { return copy_file(path, again); }));
    row("read and write, no checksum", measure(runs, [&] { return convert_file(plain, again, pccx, pccx, {}); }));
    row("read and write, checksum", measure(runs, [&] { return convert_file(path, again, pccx, pccx, {}); }));
    row("read and write --range #1:, checksum", measure(runs, [&] {
            return convert_file(path, again, pccx, pccx, {}, Range{Range::Unit::record, 1, std::nullopt});
        }));
    std::printf("  checksum computed by its definition: %.0f ms, %.2f x the fastest method\n", definition_ms,
                definition_ms / fastest_ms);
}

}  // namespace

void measure_pccx(const fs::path& folder, std::uint64_t events, int runs) {
    constexpr const char* head = "%s\n  %-46s %8s %8s %8s %8s %8s %8s %8s\n";
    const std::string bincode = (folder / "bincode.pccx").string();
    for (const char* const layout : {"bincode", "flatbuf"}) {
        const std::string path = (folder / (std::string(layout) + ".pccx")).string();
        const std::string plain = (folder / (std::string(layout) + "_plain.pccx")).string();
        measure(1, [&] {
            generate(path, events, {{"pccx-layout", layout}, {"pccx-checksum", "number"}});
            generate(plain, events, {{"pccx-layout", layout}, {"pccx-checksum", "none"}});
            return Work{events, 0};
        });
        const std::string title = "pccx " + std::string(layout) + ", " + std::to_string(events) + " events, " +
                                  std::to_string(fs::file_size(path) / 1'000'000) + " MB";
        std::printf(head, title.c_str(), "", "ns/event", "MB/s", "cpu ms", "wall ms", "peak MiB", "x copied",
                    "x hashed");
        measure_layout(path, plain, folder, events, runs);
    }
    const std::string uscope = (folder / "intervals.uscope").string();
    const std::string again = (folder / "again.pccx").string();
    std::printf(head, "pccx and others", "", "ns/event", "MB/s", "cpu ms", "wall ms", "peak MiB", "", "");
    const auto row = [](const char* name, const Cost& cost) { print_event_row(name, cost, 0, 0); };
    row("bincode -> flatbuf, sorted by start", measure(runs, [&] {
            return convert_file(bincode, again, format("pccx"), format("pccx"), {{"pccx-layout", "flatbuf"}});
        }));
    row("bincode -> µScope",
        measure(runs, [&] { return convert_file(bincode, uscope, format("pccx"), format("uscope"), {}); }));
    row("µScope -> bincode",
        measure(runs, [&] { return convert_file(uscope, again, format("uscope"), format("pccx"), {}); }));
    std::printf("\n");
}

void generate_pccx(const std::string& path, std::uint64_t events) {
    generate(path, events, {});
}

}  // namespace hwtrace::bench

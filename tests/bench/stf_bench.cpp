#include "stf_bench.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convert/convert.hpp"
#include "formats.hpp"
#include "generated_trace.hpp"
#include "io/compression.hpp"
#include "measure.hpp"
#include "operate/scan.hpp"
#include "select/selection.hpp"
#include "stf/chunk_index.hpp"
#include "stf/scanner.hpp"
#include "views/model_views.hpp"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

const Format& stf() {
    return *find_format(formats(), "stf");
}
const Format& uscope() {
    return *find_format(formats(), "uscope");
}

const Option& option(const Format& format, std::string_view key) {
    return *std::find_if(format.options.begin(), format.options.end(), [&](const Option& o) { return o.key == key; });
}

Settings with_compression(std::string compression, unsigned jobs) {
    Settings settings;
    settings.jobs = jobs;
    settings.set(option(uscope(), "uscope-compression"), std::move(compression));
    return settings;
}

// --- the work ------------------------------------------------------------------------------------------------------

std::uint64_t fact(const Reader& reader, std::string_view wanted) {
    for (const Fact& known : reader.facts())
        if (const auto* const number = std::get_if<std::uint64_t>(&known.value);
            known.key == wanted && number != nullptr)
            return *number;
    return 0;
}

Work read_trace(const Format& format, const std::string& path, std::uint64_t payload) {
    Input input = Input::open(path);
    Findings findings;
    const Settings settings;
    const auto reader = format.open(input, settings, findings);
    const ScanCounts counts = scan(*reader);
    const std::uint64_t records = &format == &stf() ? fact(*reader, "records") : counts.records;
    return {records, payload};
}

std::uint64_t count_instructions(const std::string& path) {
    Input input = Input::open(path);
    Findings findings;
    const Settings settings;
    const auto reader = stf().open(input, settings, findings);
    scan(*reader);
    return fact(*reader, "instructions");
}

/// Renders a view. `count` is the number of records or instructions that the view shows.
Work show_view(std::string_view name, const std::string& path, std::uint64_t count, Disassembly disassembly,
               const std::optional<TraceWindow>& window = {}) {
    Input input = Input::open(path);
    Findings findings;
    Settings settings;
    settings.disassembly = disassembly;
    settings.window = window;
    TextOutput out(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    for (const View& view : stf().views)
        if (view.name == name) view.render(input, out, settings, findings);
    out.flush();
    return {count, 0};
}

Work convert_trace(const std::string& from, const std::string& to, const Settings& settings, std::uint64_t payload) {
    Input input = Input::open(from);
    Findings findings;
    Losses losses;
    const auto reader = stf().open(input, settings, findings);
    Plan plan = make_plan(reader->schema(), stf(), uscope(), {}, losses);
    const auto output = open_file_output(to, Existing::replace);
    const auto writer = uscope().create(*output, plan.target_schema(reader->schema()), settings, losses);
    const ConversionCounts counts = convert(*reader, plan, *writer);
    output->commit();
    return {counts.records_written, payload};
}

/// Reads and rewrites a µScope trace. Subtract the cost of reading to get the cost of writing.
Work rewrite_uscope(const std::string& from, const std::string& to, const Settings& settings, std::uint64_t payload) {
    Input input = Input::open(from);
    Findings findings;
    Losses losses;
    const auto reader = uscope().open(input, settings, findings);
    const auto output = open_file_output(to, Existing::replace);
    const auto writer = uscope().create(*output, reader->schema(), settings, losses);
    Plan nothing;
    const ConversionCounts counts = convert(*reader, nothing, *writer);
    output->commit();
    return {counts.records_written, payload};
}

// --- the minimum cost for these bytes -------------------------------------------------------------------------------

std::uint64_t decompress_zstf(const std::string& path) {
    Input input = Input::open(path);
    input.seek(20);
    const Limits limits;
    ZstdSource source(input, 20, 0, limits);
    std::vector<std::byte> block(512u << 10);
    std::uint64_t total = 0;
    while (const std::size_t count = source.read(block))
        total += count;
    return total;
}

/// Compresses every `block` bytes of a file of uncompressed segments with LZ4. The bytes come from the page cache, so
/// the cost includes one memcpy.
std::uint64_t compress_blocks(const std::string& path, std::size_t block) {
    Input input = Input::open(path);
    std::vector<std::byte> raw(block);
    Appender compressed;
    Lz4 lz4;
    std::uint64_t total = 0;
    for (std::size_t filled = 0;;) {
        const std::size_t count = input.read(std::span(raw).subspan(filled));
        filled += count;
        if (filled < block && count != 0) continue;
        if (filled == 0) return total;
        compressed.clear();
        lz4.compress(std::span(raw).first(filled), compressed);
        total += filled;
        filled = 0;
    }
}

// --- the table ------------------------------------------------------------------------------------------------------

void print_trace_row(const char* name, const Cost& cost, double floor_cpu_ms) {
    const double records = static_cast<double>(cost.work.records);
    std::printf("  %-34s %12llu %9.1f %9.1f %9.0f %9.0f %8.1f", name,
                static_cast<unsigned long long>(cost.work.records), records == 0 ? 0 : cost.cpu_ms * 1e6 / records,
                cost.cpu_ms == 0 ? 0 : static_cast<double>(cost.work.bytes) / 1e3 / cost.cpu_ms, cost.cpu_ms,
                cost.wall_ms, cost.peak_mib);
    if (floor_cpu_ms > 0) std::printf(" %8.2f", cost.cpu_ms / floor_cpu_ms);
    std::printf("\n");
    std::fflush(stdout);
}

/// Measures all operations on one trace. Outputs are written to `folder`.
void measure_trace(const char* title, const std::string& trace, const fs::path& folder, int runs) {
    const std::string plain = (folder / "uncompressed.uscope").string();
    const std::string lz4 = (folder / "lz4.uscope").string();
    const std::string again = (folder / "again.uscope").string();
    constexpr std::size_t segment = 2u << 20;

    std::printf("%s\n  %-34s %12s %9s %9s %9s %9s %8s %8s\n", title, "", "records", "ns/record", "MB/s", "cpu ms",
                "wall ms", "peak MiB", "x floor");
    const Cost decode = measure(runs, [&] { return Work{0, decompress_zstf(trace)}; });
    const std::uint64_t stf_bytes = decode.work.bytes;
    measure(1, [&] { return convert_trace(trace, plain, with_compression("none", 1), stf_bytes); });
    const std::uint64_t raw = fs::file_size(plain);
    const Cost encode = measure(runs, [&] { return Work{0, compress_blocks(plain, segment)}; });
    const double floor = decode.cpu_ms + encode.cpu_ms;
    print_trace_row("floor: zstd decode of the input", decode, 0);
    print_trace_row("floor: memcpy and LZ4 encode", encode, 0);

    const Cost read = measure(runs, [&] { return read_trace(stf(), trace, stf_bytes); });
    print_trace_row("STF read", read, decode.cpu_ms);
    const auto show = [&](const char* title_of_row, std::string_view view, std::uint64_t count, Disassembly how) {
        print_trace_row(title_of_row, measure(runs, [&] { return show_view(view, trace, count, how); }), 0);
    };
    const std::uint64_t instructions = count_instructions(trace);
    show("STF dump --view records", "records", read.work.records, Disassembly::off);
    show("STF dump --view instructions", "instructions", instructions, Disassembly::off);
    show("the same, disassembled", "instructions", instructions, Disassembly::automatic);
    print_trace_row("STF -> µScope, not compressed",
                    measure(runs, [&] { return convert_trace(trace, again, with_compression("none", 1), raw); }), 0);
    print_trace_row("STF -> µScope, LZ4, -j 1",
                    measure(runs, [&] { return convert_trace(trace, lz4, with_compression("lz4", 1), raw); }), floor);
    print_trace_row("STF -> µScope, LZ4, -j 2",
                    measure(runs, [&] { return convert_trace(trace, again, with_compression("lz4", 2), raw); }), floor);
    print_trace_row("µScope read, LZ4", measure(runs, [&] { return read_trace(uscope(), lz4, raw); }), 0);
    print_trace_row("µScope read, not compressed", measure(runs, [&] { return read_trace(uscope(), plain, raw); }), 0);
    print_trace_row("µScope read and write, LZ4",
                    measure(runs, [&] { return rewrite_uscope(lz4, again, with_compression("lz4", 1), raw); }), 0);
    print_trace_row("µScope read and write, not compr.",
                    measure(runs, [&] { return rewrite_uscope(plain, again, with_compression("none", 1), raw); }), 0);
    std::printf("  input %.1f MB of %.1f MB payload; output %.1f MB of %.1f MB\n\n",
                static_cast<double>(fs::file_size(trace)) / 1e6, static_cast<double>(stf_bytes) / 1e6,
                static_cast<double>(fs::file_size(lz4)) / 1e6, static_cast<double>(raw) / 1e6);
}

}  // namespace

void measure_stf(const fs::path& folder, std::uint64_t instructions, int runs) {
    if (const char* corpus = std::getenv("HWTRACE_CORPUS"); corpus != nullptr && *corpus != '\0')
        measure_trace("dhry_riscv.zstf", (fs::path(corpus) / "stf" / "dhry_riscv.zstf").string(), folder, runs);
    else
        std::printf("dhry_riscv.zstf: skipped, HWTRACE_CORPUS is not set\n\n");
    for (const std::uint64_t count : {instructions / 10, instructions}) {
        const std::string trace = (folder / "generated.zstf").string();
        measure(1, [&] {
            generate_trace(TraceShape::with_registers, count, trace);
            return Work{count, 0};
        });
        const std::string title = "generated, " + std::to_string(count) + " instructions with registers";
        measure_trace(title.c_str(), trace, folder, runs);
    }
}

// --- aims -----------------------------------------------------------------------------------------------------------

namespace {

constexpr double largest_mib = 64;

/// Reads the records of the whole stream, header included.
Work scan_records(const std::string& path, unsigned jobs) {
    Input input = Input::open(path);
    Findings findings;
    const Limits limits;
    stf::Scanner scanner(input, limits, findings, jobs);
    scanner.read_header();
    stf::RawRecord record;
    while (scanner.next(record))
        continue;
    return {scanner.records(), 0};
}

Work read_model(const std::string& path, unsigned jobs) {
    Input input = Input::open(path);
    Findings findings;
    Settings settings;
    settings.jobs = jobs;
    const auto reader = stf().open(input, settings, findings);
    scan(*reader);
    return {fact(*reader, "instructions"), 0};
}

struct Aim {
    const char* what;
    double millions = 0;  ///< aim in millions per second; 0: none
};

void print_aim_header(const std::string& title) {
    std::printf("%s\n  %-34s %12s %9s %9s %9s %9s %8s %10s  %s\n", title.c_str(), "", "records", "M/s cpu", "M/s wall",
                "cpu ms", "wall ms", "peak MiB", "x decode", "aim");
}

/// Prints a result next to its aim. A run with one thread is judged by CPU time, which other load affects less than
/// wall time.
void print_aim(const Aim& aim, const Cost& cost, const Cost& decode, unsigned jobs) {
    const auto count = static_cast<double>(cost.work.records);
    const double by_cpu = count / cost.cpu_ms / 1e3, by_wall = count / cost.wall_ms / 1e3;
    std::printf("  %-34s %12.0f %9.1f %9.1f %9.0f %9.0f %8.1f %10.2f", aim.what, count, by_cpu, by_wall, cost.cpu_ms,
                cost.wall_ms, cost.peak_mib, cost.cpu_ms / decode.cpu_ms);
    if (aim.millions > 0) {
        const double reached = jobs == 1 ? by_cpu : by_wall;
        std::printf("  %.0f M/s: %s", aim.millions, reached >= aim.millions ? "reached" : "missed");
        if (const double floor = count / decode.cpu_ms / 1e3; floor < aim.millions)
            std::printf(" (decompressing alone allows %.0f)", floor);
    }
    if (cost.peak_mib > largest_mib) std::printf("  more than %.0f MiB", largest_mib);
    std::printf("\n");
    std::fflush(stdout);
}

void measure_aims(const std::string& trace, TraceShape shape, std::uint64_t instructions, int runs) {
    measure(1, [&] {
        generate_trace(shape, instructions, trace);
        return Work{};
    });
    const Cost decode = measure(runs, [&] { return Work{0, decompress_zstf(trace)}; });
    print_aim_header(std::to_string(instructions) +
                     (shape == TraceShape::bare ? " bare instructions" : " instructions with three registers") + ", " +
                     std::to_string(decode.work.bytes / 1'000'000) + " MB in a file of " +
                     std::to_string(fs::file_size(trace) / 1'000'000) + " MB");
    const auto row = [&](const Aim& aim, unsigned jobs, const std::function<Work()>& task) {
        const Cost cost = measure(runs, task);
        print_aim(aim, cost, decode, jobs);
        return cost.work.records;
    };
    print_aim({"zstd decode"}, decode, decode, 1);
    const std::uint64_t records = row({"records, scanned", 120}, 1, [&] { return scan_records(trace, 1); });
    row({"records, scanned, -j 2"}, 2, [&] { return scan_records(trace, 2); });
    row({"instructions, model", 35}, 1, [&] { return read_model(trace, 1); });
    row({"instructions, model, -j 2"}, 2, [&] { return read_model(trace, 2); });
    row({"records, --view records", 20}, 1, [&] { return show_view("records", trace, records, Disassembly::off); });
    row({"instructions, --view instructions", 8}, 1,
        [&] { return show_view("instructions", trace, instructions, Disassembly::off); });
}

}  // namespace

void measure_stf_aims(const fs::path& folder, std::uint64_t instructions, int runs) {
    const std::string trace = (folder / "aims.zstf").string();
    measure_aims(trace, TraceShape::bare, instructions, runs);
    measure_aims(trace, TraceShape::with_registers, instructions * 35 / 100, runs);
    std::printf("\n");
    fs::remove(trace);
}

// --- seeking ---------------------------------------------------------------------------------------------------------

namespace {

constexpr std::uint64_t wanted_instructions = 200;
constexpr double longest_seek_ms = 100;

stf::ChunkIndex index_of(const std::string& trace) {
    const Input input = Input::open(trace);
    std::array<std::byte, 8> place{};
    input.read_at(stf::zstf_index_at, place);
    Finding fault;
    return *stf::ChunkIndex::read(input, load_le<std::uint64_t>(place.data()), Limits{}, fault);
}

Work decompress_chunk(const std::string& trace, const stf::ChunkIndex& index, std::size_t chunk) {
    Input input = Input::open(trace);
    input.seek(index[chunk].file_offset);
    const Limits limits;
    ZstdSource source(input, index[chunk].file_offset, index[chunk + 1].file_offset, limits);
    std::vector<std::byte> block(512u << 10);
    std::uint64_t total = 0;
    while (const std::size_t count = source.read(block))
        total += count;
    return {0, total};
}

void dump_model_part(const std::string& trace, const TraceWindow& window) {
    Input input = Input::open(trace);
    Findings findings;
    const Settings settings;
    const auto reader = stf().open(input, settings, findings);
    const ModelView& view = model_views().front();
    RangedReader part(*reader, {Range::Unit::record, window.begin, window.end},
                      {std::nullopt, view.earlier, settings.limits, {}});
    TextOutput out(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    view.render(part, TextForm::text, {}, settings, out, {});
    out.flush();
}

}  // namespace

void measure_stf_seek(const fs::path& folder, std::uint64_t instructions, int runs) {
    const std::string trace = (folder / "places.zstf").string();
    const Cost made = measure(1, [&] {
        generate_trace(TraceShape::bare, instructions, trace);
        return Work{};
    });
    const stf::ChunkIndex index = index_of(trace);
    const std::size_t chunk = index.size() / 2;
    const std::uint64_t chunk_size = instructions / index.size() + (instructions % index.size() == 0 ? 0 : 1);
    const TraceWindow window{TraceWindow::Unit::records, chunk * chunk_size + chunk_size / 2,
                             chunk * chunk_size + chunk_size / 2 + wanted_instructions};
    std::printf(
        "%llu of %llu instructions, from %llu on; %zu chunks in %.0f MB, made in %.0f s\n  %-34s %9s %9s %8s %14s\n",
        static_cast<unsigned long long>(wanted_instructions), static_cast<unsigned long long>(instructions),
        static_cast<unsigned long long>(window.begin), index.size(), static_cast<double>(fs::file_size(trace)) / 1e6,
        made.wall_ms / 1e3, "", "cpu ms", "wall ms", "peak MiB", "beyond decode");
    const Cost decode = measure(runs, [&] { return decompress_chunk(trace, index, chunk); });
    std::printf("  %-34s %9.1f %9.1f %8.1f\n", "zstd decode of that chunk", decode.cpu_ms, decode.wall_ms,
                decode.peak_mib);
    const auto row = [&](const char* what, const std::function<void()>& task) {
        const Cost cost = measure(runs, [&] {
            task();
            return Work{wanted_instructions, 0};
        });
        const double beyond = cost.cpu_ms - decode.cpu_ms;
        std::printf("  %-34s %9.1f %9.1f %8.1f %11.1f ms  %.0f ms: %s\n", what, cost.cpu_ms, cost.wall_ms,
                    cost.peak_mib, beyond, longest_seek_ms, beyond <= longest_seek_ms ? "reached" : "missed");
    };
    const auto show = [&](std::string_view view, Disassembly how) {
        return [&trace, &window, view, how] { show_view(view, trace, wanted_instructions, how, window); };
    };
    row("--view records", show("records", Disassembly::off));
    row("--view instructions", show("instructions", Disassembly::off));
    row("the same, disassembled", show("instructions", Disassembly::automatic));
    row("--view model", [&] { dump_model_part(trace, window); });
    std::printf("\n");
    fs::remove(trace);
}

}  // namespace hwtrace::bench

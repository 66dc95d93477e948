// tests/bench/bench.cpp - what reading, writing, converting and dumping cost, beside the floor that the machine allows.
//
// hwtrace_bench [stf|stf-write|pccx|uscope|kanata|ftr|all [RECORDS [RUNS]]]: what is measured (default all), how many
// instructions, events, items or lines the generated traces have (default 10000000), and the runs of each row (default
// 5, medians). dhry_riscv of the corpus is measured too where HWTRACE_CORPUS names one.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "formats.hpp"
#include "ftr_bench.hpp"
#include "generated_trace.hpp"
#include "io/compression.hpp"
#include "kanata_bench.hpp"
#include "measure.hpp"
#include "pccx_bench.hpp"
#include "pipeline/convert.hpp"
#include "pipeline/model_dump.hpp"
#include "pipeline/scan.hpp"
#include "stf_write_bench.hpp"
#include "uscope_bench.hpp"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view everything = "all";
constexpr std::array<std::string_view, 7> parts{"stf", "stf-write", "pccx", "uscope", "kanata", "ftr", everything};

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
    for (const auto& [key, value] : reader.facts())
        if (key == wanted) return std::strtoull(value.c_str(), nullptr, 10);
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

/// `count` records or instructions, which the view shows.
Work show_view(std::string_view name, const std::string& path, std::uint64_t count, Disassembly disassembly) {
    Input input = Input::open(path);
    Findings findings;
    Settings settings;
    settings.disassembly = disassembly;
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

/// A µScope trace read and written again: what writing costs is this less what reading costs.
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

// --- the floor: what no converter of these bytes can avoid
// --------------------------------------------------------------

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

/// LZ4 of every `block` bytes of the file, which holds uncompressed segments. Its bytes come out of the page cache:
/// that is the floor's one memcpy.
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

// --- the table
// -----------------------------------------------------------------------------------------------------------

void print_row(const char* name, const Cost& cost, double floor_cpu_ms) {
    const double records = static_cast<double>(cost.work.records);
    std::printf("  %-34s %12llu %9.1f %9.1f %9.0f %9.0f %8.1f", name,
                static_cast<unsigned long long>(cost.work.records), records == 0 ? 0 : cost.cpu_ms * 1e6 / records,
                cost.cpu_ms == 0 ? 0 : static_cast<double>(cost.work.bytes) / 1e3 / cost.cpu_ms, cost.cpu_ms,
                cost.wall_ms, cost.peak_mib);
    if (floor_cpu_ms > 0) std::printf(" %8.2f", cost.cpu_ms / floor_cpu_ms);
    std::printf("\n");
    std::fflush(stdout);
}

/// One trace through everything. `folder` is for the outputs.
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
    print_row("floor: zstd decode of the input", decode, 0);
    print_row("floor: memcpy and LZ4 encode", encode, 0);

    const Cost read = measure(runs, [&] { return read_trace(stf(), trace, stf_bytes); });
    print_row("STF read", read, decode.cpu_ms);
    const auto show = [&](const char* title_of_row, std::string_view view, std::uint64_t count, Disassembly how) {
        print_row(title_of_row, measure(runs, [&] { return show_view(view, trace, count, how); }), 0);
    };
    const std::uint64_t instructions = count_instructions(trace);
    show("STF dump --view records", "records", read.work.records, Disassembly::off);
    show("STF dump --view instructions", "instructions", instructions, Disassembly::off);
    show("the same, disassembled", "instructions", instructions, Disassembly::automatic);
    print_row("STF -> µScope, not compressed",
              measure(runs, [&] { return convert_trace(trace, again, with_compression("none", 1), raw); }), 0);
    print_row("STF -> µScope, LZ4, -j 1",
              measure(runs, [&] { return convert_trace(trace, lz4, with_compression("lz4", 1), raw); }), floor);
    print_row("STF -> µScope, LZ4, -j 2",
              measure(runs, [&] { return convert_trace(trace, again, with_compression("lz4", 2), raw); }), floor);
    print_row("µScope read, LZ4", measure(runs, [&] { return read_trace(uscope(), lz4, raw); }), 0);
    print_row("µScope read, not compressed", measure(runs, [&] { return read_trace(uscope(), plain, raw); }), 0);
    print_row("µScope read and write, LZ4",
              measure(runs, [&] { return rewrite_uscope(lz4, again, with_compression("lz4", 1), raw); }), 0);
    print_row("µScope read and write, not compr.",
              measure(runs, [&] { return rewrite_uscope(plain, again, with_compression("none", 1), raw); }), 0);
    std::printf("  input %.1f MB of %.1f MB payload; output %.1f MB of %.1f MB\n\n",
                static_cast<double>(fs::file_size(trace)) / 1e6, static_cast<double>(stf_bytes) / 1e6,
                static_cast<double>(fs::file_size(lz4)) / 1e6, static_cast<double>(raw) / 1e6);
}

void measure_stf(const fs::path& folder, std::uint64_t instructions, int runs) {
    if (const char* corpus = std::getenv("HWTRACE_CORPUS"); corpus != nullptr && *corpus != '\0')
        measure_trace("dhry_riscv.zstf", (fs::path(corpus) / "stf" / "dhry_riscv.zstf").string(), folder, runs);
    else
        std::printf("dhry_riscv.zstf: skipped, HWTRACE_CORPUS is not set\n\n");
    for (const std::uint64_t count : {instructions / 10, instructions}) {
        const std::string trace = (folder / "generated.zstf").string();
        measure(1, [&] {
            generate_trace(trace, count);
            return Work{count, 0};
        });
        const std::string title = "generated, " + std::to_string(count) + " instructions with registers";
        measure_trace(title.c_str(), trace, folder, runs);
    }
}

int run(std::string_view what, std::uint64_t records, int runs) {
    std::string folder_name = (fs::temp_directory_path() / "hwtrace-bench-XXXXXX").string();
    if (::mkdtemp(folder_name.data()) == nullptr) {
        std::fprintf(stderr, "hwtrace_bench: cannot make a temporary folder\n");
        return 1;
    }
    const fs::path folder = folder_name;
    const auto wanted = [&](std::string_view part) { return what == part || what == everything; };
    if (wanted("stf")) measure_stf(folder, records, runs);
    if (wanted("stf-write")) measure_stf_writing(folder, records, runs);
    if (wanted("pccx")) measure_pccx(folder, records, runs);
    if (wanted("uscope")) measure_uscope(folder, records, runs);
    if (wanted("kanata")) measure_kanata(folder, records, runs);
    if (wanted("ftr")) measure_ftr(folder, records, runs);
    fs::remove_all(folder);
    return 0;
}

}  // namespace

}  // namespace hwtrace::bench

int main(int argc, char** argv) {
    using namespace hwtrace::bench;
    const std::string_view what = argc > 1 ? argv[1] : everything;
    const std::uint64_t records = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 10'000'000;
    const int runs = argc > 3 ? std::atoi(argv[3]) : 5;
    if (std::ranges::find(parts, what) == parts.end() || records < 100 || runs < 1) {
        std::fprintf(stderr, "usage: hwtrace_bench [stf|stf-write|pccx|uscope|kanata|ftr|all [RECORDS [RUNS]]]\n");
        return 2;
    }
    try {
        return run(what, records, runs);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hwtrace_bench: %s\n", error.what());
        return 1;
    }
}

#include "stf_write_bench.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "formats.hpp"
#include "generated_trace.hpp"
#include "io/compression.hpp"
#include "measure.hpp"
#include "nowhere.hpp"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece = 1u << 20;
constexpr std::uint64_t chunk = 100'000;  // instructions per chunk, the default

const Format& stf() {
    return *find_format(formats(), "stf");
}

/// Counts STF records: one per instruction, one per part, and one per word of data.
std::uint64_t count_records(TraceShape shape, std::uint64_t instructions) {
    std::uint64_t records = 0;
    generate_instructions(shape, instructions, [&](const Batch& batch) {
        for (const Record& record : batch.records()) {
            const Instruction& instruction = batch.instruction(record);
            records += 1 + (instruction.has_target ? 1 : 0) + instruction.operands.count + instruction.accesses.count;
            for (const Access& access : batch.accesses(instruction))
                records += access.data.count;
        }
    });
    return records;
}

struct Trace {
    TraceShape shape;
    std::uint64_t instructions, records;
};

/// Writes the trace. `name` determines the container.
Work write(const Trace& trace, Output& output, const std::string& name, unsigned jobs) {
    const Schema schema = generated_schema();
    Settings settings;
    settings.output_name = name;
    settings.jobs = jobs;
    Losses losses;
    const auto writer = stf().create(output, schema, settings, losses);
    generate_instructions(trace.shape, trace.instructions, [&](const Batch& batch) { writer->write(batch); });
    writer->finish();
    output.commit();
    return {trace.records, output.size()};
}

Work write_nowhere(const Trace& trace, const std::string& name, unsigned jobs = 1) {
    Nowhere output;
    return write(trace, output, name, jobs);
}

Work write_file(const Trace& trace, const fs::path& path, unsigned jobs = 1) {
    const auto output = open_file_output(path.string(), Existing::replace);
    return write(trace, *output, path.string(), jobs);
}

/// Copies a file from the page cache: one memcpy.
Work copy(const std::string& path) {
    Input input = Input::open(path);
    std::vector<std::byte> bytes(piece);
    std::uint64_t total = 0;
    while (const std::size_t count = input.read(bytes))
        total += count;
    return {0, total};
}

/// Copies the file and compresses it in frames of `frame` bytes.
Work compress(const std::string& path, std::uint64_t frame) {
    Input input = Input::open(path);
    std::vector<std::byte> bytes(piece);
    Appender packed;
    ZstdBlock zstd;
    std::uint64_t total = 0, left = frame;
    while (const std::size_t count =
               input.read(std::span(bytes).first(static_cast<std::size_t>(std::min<std::uint64_t>(piece, left))))) {
        zstd.stream(std::span(bytes).first(count), packed);
        total += count;
        left -= count;
        if (left > 0) continue;
        zstd.end_stream(packed);
        packed.clear();
        left = frame;
    }
    zstd.end_stream(packed);
    return {0, total};
}

void print_row(const char* name, const Cost& cost, std::uint64_t records, double making_ms, double floor_ms) {
    const double ns = (cost.cpu_ms - making_ms) * 1e6 / static_cast<double>(records);
    std::printf("  %-34s %9.1f %9.1f %9.0f %9.0f %8.1f", name, ns, ns > 0 ? 1e3 / ns : 0, cost.cpu_ms, cost.wall_ms,
                cost.peak_mib);
    if (floor_ms > 0) std::printf(" %8.2f", (cost.cpu_ms - making_ms) / floor_ms);
    std::printf("\n");
    std::fflush(stdout);
}

void measure_shape(const char* title, TraceShape shape, const fs::path& folder, std::uint64_t instructions, int runs) {
    Trace trace{shape, instructions, 0};
    trace.records = measure(1, [&] { return Work{count_records(shape, instructions), 0}; }).work.records;
    const fs::path plain = folder / "written.stf", zstf = folder / "written.zstf";
    const std::uint64_t payload = measure(1, [&] { return write_file(trace, plain); }).work.bytes;
    std::printf(
        "STF written, %s: %llu instructions, %llu records, %.0f MB; without the cost of generating them\n"
        "  %-34s %9s %9s %9s %9s %8s %8s\n",
        title, static_cast<unsigned long long>(instructions), static_cast<unsigned long long>(trace.records),
        static_cast<double>(payload) / 1e6, "", "ns/record", "M rec/s", "cpu ms", "wall ms", "peak MiB", "x floor");
    const auto row = [&](const char* name, const Cost& cost, double making_ms, double floor_ms) {
        print_row(name, cost, trace.records, making_ms, floor_ms);
    };
    const Cost copied = measure(runs, [&] { return copy(plain.string()); });
    const std::uint64_t frame = std::max<std::uint64_t>(1, payload * chunk / std::max(chunk, instructions));
    const Cost compressed = measure(runs, [&] { return compress(plain.string(), frame); });
    row("floor: memcpy of the bytes", copied, 0, 0);
    row("floor: memcpy and zstd, level 3", compressed, 0, 0);
    const Cost made = measure(runs, [&] {
        generate_instructions(shape, instructions, [](const Batch&) {});
        return Work{};
    });
    row("generating the instructions only", made, 0, 0);
    const double making = made.cpu_ms;
    row("plain, to nowhere", measure(runs, [&] { return write_nowhere(trace, "x.stf"); }), making, copied.cpu_ms);
    row("plain, to a file", measure(runs, [&] { return write_file(trace, plain); }), making, copied.cpu_ms);
    row("ZSTF, to nowhere", measure(runs, [&] { return write_nowhere(trace, "x.zstf"); }), making, compressed.cpu_ms);
    row("ZSTF, to nowhere, -j 2", measure(runs, [&] { return write_nowhere(trace, "x.zstf", 2); }), making,
        compressed.cpu_ms);
    const Cost stored = measure(runs, [&] { return write_file(trace, zstf); });
    row("ZSTF, to a file", stored, making, compressed.cpu_ms);
    std::printf("  ZSTF file: %.1f MB\n\n", static_cast<double>(stored.work.bytes) / 1e6);
}

}  // namespace

void measure_stf_writing(const fs::path& folder, std::uint64_t instructions, int runs) {
    measure_shape("bare", TraceShape::bare, folder, instructions, runs);
    measure_shape("with registers", TraceShape::with_registers, folder, instructions, runs);
}

}  // namespace hwtrace::bench

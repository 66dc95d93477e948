#include "ftr_bench.hpp"

#include <fcntl.h>

#include <cstdio>
#include <string>
#include <vector>

#include "formats.hpp"
#include "ftr/chunks.hpp"
#include "generated_ftr.hpp"
#include "measure.hpp"
#include "pipeline/scan.hpp"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

const Format& format() {
    return *find_format(formats(), "ftr");
}

/// The floor: every content fetched, and decompressed where it is compressed; none of it is looked at.
Work fetch_contents(const std::string& path) {
    Input input = Input::open(path);
    Findings findings;
    const Limits limits;
    ftr::ChunkWalk walk(input, limits, nullptr);
    ftr::ContentSource contents(input, limits, findings);
    ftr::ChunkHead chunk;
    ftr::Content content;
    std::uint64_t total = 0;
    if (!walk.begin()) return {};
    while (walk.next(chunk))
        if (contents.fetch(chunk, content)) total += content.bytes.size();
    return {0, total};
}

Work read(const std::string& path, CheckLevel level, std::uint64_t transactions, std::uint64_t payload) {
    Input input = Input::open(path);
    Findings findings;
    Settings settings;
    settings.check = level;
    const auto reader = format().open(input, settings, findings);
    scan(*reader);
    return {transactions, payload};
}

Work dump(const std::string& path, std::uint64_t transactions, std::uint64_t payload) {
    Input input = Input::open(path);
    Findings findings;
    const Settings settings;
    TextOutput out(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    format().views.front().render(input, out, settings, findings);
    out.flush();
    return {transactions, payload};
}

void print_row(const char* name, const Cost& cost, double floor_ms) {
    const auto records = static_cast<double>(cost.work.records);
    const auto megabytes = static_cast<double>(cost.work.bytes) / 1e6;
    std::printf("  %-46s %8.1f %8.0f %8.0f %8.0f %8.1f", name, records < 2 ? 0 : cost.cpu_ms * 1e6 / records,
                megabytes / cost.cpu_ms * 1e3, cost.cpu_ms, cost.wall_ms, cost.peak_mib);
    if (floor_ms > 0) std::printf(" %8.2f", cost.cpu_ms / floor_ms);
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace

void measure_ftr(const fs::path& folder, std::uint64_t transactions, int runs) {
    for (const bool compressed : {false, true}) {
        const std::string path = (folder / (compressed ? "lz4.ftr" : "plain.ftr")).string();
        measure(1, [&] {
            generate_ftr(path, transactions, compressed);
            return Work{transactions, 0};
        });
        const std::string title = std::string("FTR, ") + (compressed ? "LZ4" : "plain") + ", " +
                                  std::to_string(transactions) + " transactions, " +
                                  std::to_string(fs::file_size(path) / 1'000'000) + " MB";
        std::printf("%s\n  %-46s %8s %8s %8s %8s %8s %8s\n", title.c_str(), "", "ns/tx", "MB/s", "cpu ms", "wall ms",
                    "peak MiB", "x floor");
        const Cost floor = measure(runs, [&] { return fetch_contents(path); });
        const std::uint64_t payload = floor.work.bytes;
        print_row(compressed ? "floor: contents decompressed" : "floor: contents copied", floor, 0);
        const auto row = [&](const char* name, const Cost& cost) { print_row(name, cost, floor.cpu_ms); };
        row("read", measure(runs, [&] { return read(path, CheckLevel::delivery, transactions, payload); }));
        row("read, --level full", measure(runs, [&] { return read(path, CheckLevel::full, transactions, payload); }));
        row("dump transactions", measure(runs, [&] { return dump(path, transactions, payload); }));
    }
    std::printf("\n");
}

}  // namespace hwtrace::bench

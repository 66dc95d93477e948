#include "ftr_bench.hpp"

#include <fcntl.h>

#include <array>
#include <cstdio>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "direct_ftr.hpp"
#include "formats.hpp"
#include "ftr/chunks.hpp"
#include "generated_ftr.hpp"
#include "hwtrace/recording.hpp"
#include "io/compression.hpp"
#include "measure.hpp"
#include "nowhere.hpp"
#include "operate/scan.hpp"
#include "select/relation_ends.hpp"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

const Format& format() {
    return *find_format(formats(), "ftr");
}

/// Passes the content of every chunk to `take`, decompressed if needed. Returns the total size of the contents.
Work each_content(const std::string& path, const std::function<void(std::span<const std::byte>)>& take) {
    Input input = Input::open(path);
    Findings findings;
    const Limits limits;
    ftr::ChunkWalk walk(input, limits, nullptr);
    ftr::ContentSource contents(input, limits, findings);
    ftr::ChunkHead chunk;
    ftr::Content content;
    std::uint64_t total = 0;
    if (!walk.begin()) return {};
    while (walk.next(chunk)) {
        if (!contents.fetch(chunk, content)) continue;
        total += content.bytes.size();
        take(content.bytes);
    }
    return {0, total};
}

/// Reads the contents without decoding them: the minimum cost of reading.
Work fetch_contents(const std::string& path) {
    return each_content(path, [](std::span<const std::byte>) {});
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

/// Compresses the contents in the same blocks: the minimum cost of writing a compressed file.
Work compress_contents(const std::string& path) {
    Lz4 lz4;
    Appender compressed;
    return each_content(path, [&](std::span<const std::byte> content) {
        compressed.clear();
        lz4.compress(content, compressed);
    });
}

/// Reads at least the first `wanted` records of a file into memory and writes them `rounds` times.
Work write(const std::string& path, std::size_t wanted, std::uint64_t rounds, std::string_view compression) {
    Input input = Input::open(path);
    Findings findings;
    Losses losses;
    Settings settings;
    for (const Option& option : format().options)
        if (option.key == "ftr-compression") settings.set(option, std::string(compression));
    const auto reader = format().open(input, settings, findings);
    std::deque<Batch> batches;
    std::uint64_t transactions = 0;
    for (std::size_t records = 0; records < wanted; records += batches.back().records().size()) {
        if (!reader->read(batches.emplace_back())) break;
        for (const Record& record : batches.back().records())
            transactions += record.kind == Kind::interval ? 1 : 0;
    }
    Nowhere output;
    const auto writer = format().create(output, reader->schema(), settings, losses);
    for (std::uint64_t round = 0; round < rounds; ++round)
        for (const Batch& batch : batches)
            writer->write(batch);
    writer->finish();
    return {transactions * rounds, output.size()};
}

/// Records transactions with eight attributes to a file, or to nothing if `path` is empty, call by call.
Work record(const std::string& path, std::uint64_t transactions, recording::Options options) {
    recording::Database db =
        path.empty() ? recording::Database(std::move(options)) : recording::Database(path, std::move(options));
    const auto reads = db.stream("bus").generator<std::uint64_t, std::uint32_t>("read", "addr", "status");
    const std::array<std::string, 4> masters{"cpu0", "cpu1", "dma", "gpu"};
    for (std::uint64_t i = 0; i < transactions; ++i) {
        auto read = reads.begin_at(10 * i, 64 * i);
        read.record("length", std::uint32_t{64}).record("master", masters[i % masters.size()]);
        read.record("cached", i % 3 == 0).record("burst", recording::Label{"INCR"}).record("id", i & 0xFF);
        read.record("latency", 0.5 * static_cast<double>(i % 100));
        read.end_at(10 * i + 7, 0u);
    }
    db.close();
    return {transactions, path.empty() ? 0 : fs::file_size(path)};
}

/// Writes the transactions of record() with a plain writer.
Work write_directly(const std::string& path, std::uint64_t transactions, bool compressed) {
    using Phase = DirectFtr::Phase;
    constexpr std::uint64_t label = 1, natural = 3, text = 10;  // the types of attributes
    DirectFtr file(path, compressed);
    const std::array<std::string, 4> masters{"cpu0", "cpu1", "dma", "gpu"};
    for (std::uint64_t i = 0; i < transactions; ++i) {
        const std::uint64_t id = i + 1;
        file.begin(id, 10 * i);
        file.number(id, Phase::begin, "addr", natural, 64 * i);
        file.number(id, Phase::record, "length", natural, 64);
        file.text(id, Phase::record, "master", text, masters[i % masters.size()]);
        file.boolean(id, Phase::record, "cached", i % 3 == 0);
        file.text(id, Phase::record, "burst", label, "INCR");
        file.number(id, Phase::record, "id", natural, i & 0xFF);
        file.real(id, Phase::record, "latency", 0.5 * static_cast<double>(i % 100));
        file.number(id, Phase::end, "status", natural, 0);
        file.end(id, 10 * i + 7);
    }
    file.close();
    return {transactions, fs::file_size(path)};
}

void print_transaction_row(const char* name, const Cost& cost, double floor_ms) {
    const auto records = static_cast<double>(cost.work.records);
    const auto megabytes = static_cast<double>(cost.work.bytes) / 1e6;
    std::printf("  %-46s %8.1f %8.0f %8.0f %8.0f %8.1f", name, records < 2 ? 0 : cost.cpu_ms * 1e6 / records,
                megabytes / cost.cpu_ms * 1e3, cost.cpu_ms, cost.wall_ms, cost.peak_mib);
    if (floor_ms > 0) std::printf(" %8.2f", cost.cpu_ms / floor_ms);
    std::printf("\n");
    std::fflush(stdout);
}

/// Returns the cost of the writer alone: `all` minus the cost of reading the records.
Cost less(Cost all, const Cost& reading) {
    all.cpu_ms -= reading.cpu_ms;
    all.wall_ms -= reading.wall_ms;
    return all;
}

/// Measures the cost of writing about `transactions` transactions, which is the number in the file `path`.
void measure_writing(const std::string& path, std::uint64_t transactions, int runs) {
    constexpr std::size_t in_memory = 200'000;
    const std::uint64_t rounds = transactions / in_memory + 1;
    std::printf("FTR, written\n  %-46s %8s %8s %8s %8s %8s %8s\n", "", "ns/tx", "MB/s", "cpu ms", "wall ms", "peak MiB",
                "x floor");
    const Cost reading = measure(runs, [&] { return write(path, in_memory, 0, "none"); });
    const Cost copied = measure(runs, [&] { return fetch_contents(path); });
    const Cost compressed = measure(runs, [&] { return compress_contents(path); });
    print_transaction_row("floor: contents copied", copied, 0);
    print_transaction_row("floor: contents copied and compressed", compressed, 0);
    print_transaction_row("write, plain",
                          less(measure(runs, [&] { return write(path, in_memory, rounds, "none"); }), reading),
                          copied.cpu_ms);
    print_transaction_row("write, LZ4",
                          less(measure(runs, [&] { return write(path, in_memory, rounds, "lz4"); }), reading),
                          compressed.cpu_ms);
}

/// Measures the cost for a program that records: the calls alone, and the calls with writing the file. The floor is a
/// plain writer of the same transactions.
void measure_recording(const fs::path& folder, std::uint64_t transactions, int runs) {
    std::printf("FTR, recorded, %llu transactions with 8 attributes\n  %-46s %8s %8s %8s %8s %8s %8s\n",
                static_cast<unsigned long long>(transactions), "", "ns/tx", "MB/s", "cpu ms", "wall ms", "peak MiB",
                "x floor");
    const std::string path = (folder / "recorded.ftr").string();
    print_transaction_row("calls, no file", measure(runs, [&] { return record({}, transactions, {}); }), 0);
    for (const bool compressed : {false, true}) {
        const Cost direct = measure(runs, [&] { return write_directly(path, transactions, compressed); });
        print_transaction_row(compressed ? "floor: plain writer, LZ4" : "floor: plain writer", direct, 0);
        const auto recorded = [&] {
            recording::Options options;
            options.format_options["ftr-compression"] = compressed ? "lz4" : "none";
            return record(path, transactions, options);
        };
        print_transaction_row(compressed ? "record, LZ4" : "record", measure(runs, recorded), direct.cpu_ms);
    }
}

/// Finds both ends of every relation, as a slice of a trace requires.
Work attach(const std::string& path, std::uint64_t relations) {
    Input input = Input::open(path);
    Findings findings;
    Losses losses;
    const Settings settings;
    const auto reader = format().open(input, settings, findings);
    RelationEnds stage(reader->schema(), RelationEnds::Keep::leading_in, RelationPlace::timeless, settings.limits,
                       &losses);
    Batch in, out;
    for (; reader->read(in); in.clear(), out.clear())
        stage.apply(in, out);
    stage.finish(out);
    return {relations, 0};
}

void print_aim(const char* what, double measured, const char* unit, const char* aim) {
    std::printf("  %-46s %10.1f %-8s %s\n", what, measured, unit, aim);
    std::fflush(stdout);
}

}  // namespace

void measure_ftr_aims(const fs::path& folder, std::uint64_t transactions, int runs) {
    const std::string path = (folder / "aims.ftr").string();
    const auto generate = [&](std::uint64_t relations, bool compressed) {
        measure(1, [&] {
            generate_ftr(path, transactions, relations, compressed);
            return Work{};
        });
    };
    const auto million = [](std::uint64_t count) { return static_cast<double>(count) / 1e6; };
    std::printf("FTR, %.2f M transactions, %.2f M attributes, %.2f M relations\n", million(transactions),
                million(5 * transactions), million(transactions / 4));
    generate(transactions / 4, true);
    const double lz4_mb = million(fs::file_size(path));
    const Cost unpacked = measure(runs, [&] { return fetch_contents(path); });
    const Cost lz4 = measure(runs, [&] { return read(path, CheckLevel::delivery, transactions, 0); });
    generate(transactions / 4, false);
    const double mb = million(fs::file_size(path));
    const Cost copied = measure(runs, [&] { return fetch_contents(path); });
    const Cost plain = measure(runs, [&] { return read(path, CheckLevel::delivery, transactions, 0); });
    print_aim("plain file", mb, "MB", "");
    print_aim("read, plain: CPU", plain.cpu_ms, "ms", "at most 1000 for 250 MB");
    print_aim("read, plain: memory", plain.peak_mib, "MiB", "at most 256");
    print_aim("read, plain / memcpy of the contents", plain.cpu_ms / copied.cpu_ms, "x", "");
    print_aim("LZ4 file", lz4_mb, "MB", "");
    print_aim("read, LZ4: CPU", lz4.cpu_ms, "ms", "");
    print_aim("read, LZ4 / LZ4 of the contents", lz4.cpu_ms / unpacked.cpu_ms, "x", "");
    constexpr std::size_t in_memory = 200'000;
    const std::uint64_t rounds = transactions / in_memory + 1;
    const Cost reading = measure(runs, [&] { return write(path, in_memory, 0, "none"); });
    const Cost compressed = measure(runs, [&] { return compress_contents(path); });
    for (const bool as_lz4 : {false, true}) {
        const char* const compression = as_lz4 ? "lz4" : "none";
        const Cost written = less(measure(runs, [&] { return write(path, in_memory, rounds, compression); }), reading);
        print_aim(as_lz4 ? "written, LZ4" : "written, plain",
                  static_cast<double>(written.work.records) / written.cpu_ms / 1e3, "M tx/s",
                  as_lz4 ? "" : "at least 5");
        print_aim(as_lz4 ? "written, LZ4 / LZ4 of the contents" : "written, plain / memcpy of the contents",
                  written.cpu_ms / (as_lz4 ? compressed : copied).cpu_ms, "x", "");
    }
    for (const std::uint64_t part : {16u, 8u, 4u}) {
        const std::uint64_t relations = transactions / part;
        generate(relations, false);
        const Cost whole = measure(runs, [&] { return read(path, CheckLevel::delivery, transactions, 0); });
        const Cost attached = measure(runs, [&] { return attach(path, relations); });
        char row[64];
        std::snprintf(row, sizeof row, "%.2f M relations attached to both ends", million(relations));
        print_aim(row, attached.cpu_ms - whole.cpu_ms, "ms", "linear: twice as many take at most twice the time");
    }
    std::printf("\n");
}

void measure_ftr(const fs::path& folder, std::uint64_t transactions, int runs) {
    for (const bool compressed : {false, true}) {
        const std::string path = (folder / (compressed ? "lz4.ftr" : "plain.ftr")).string();
        measure(1, [&] {
            generate_ftr(path, transactions, transactions / 4, compressed);
            return Work{transactions, 0};
        });
        const std::string title = std::string("FTR, ") + (compressed ? "LZ4" : "plain") + ", " +
                                  std::to_string(transactions) + " transactions, " +
                                  std::to_string(fs::file_size(path) / 1'000'000) + " MB";
        std::printf("%s\n  %-46s %8s %8s %8s %8s %8s %8s\n", title.c_str(), "", "ns/tx", "MB/s", "cpu ms", "wall ms",
                    "peak MiB", "x floor");
        const Cost floor = measure(runs, [&] { return fetch_contents(path); });
        const std::uint64_t payload = floor.work.bytes;
        print_transaction_row(compressed ? "floor: contents decompressed" : "floor: contents copied", floor, 0);
        const auto row = [&](const char* name, const Cost& cost) { print_transaction_row(name, cost, floor.cpu_ms); };
        row("read", measure(runs, [&] { return read(path, CheckLevel::delivery, transactions, payload); }));
        row("read, --level full", measure(runs, [&] { return read(path, CheckLevel::full, transactions, payload); }));
        row("dump transactions", measure(runs, [&] { return dump(path, transactions, payload); }));
    }
    measure_writing((folder / "plain.ftr").string(), transactions, runs);
    measure_recording(folder, transactions, runs);
    std::printf("\n");
}

}  // namespace hwtrace::bench

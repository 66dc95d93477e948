#include "uscope_bench.hpp"

#include <hwtrace/uscope.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "codec/state_at.hpp"
#include "formats.hpp"
#include "io/compression.hpp"
#include "io/error.hpp"
#include "measure.hpp"
#include "model/state.hpp"
#include "nowhere.hpp"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t items_of_cycle = 21;
constexpr std::uint64_t period_ps = 1000;
// Size of an uncompressed segment of 10,000 cycles. The minimum cost is LZ4 on blocks of this size.
constexpr std::size_t segment_bytes = 3'300'000;

const Format& uscope() {
    return *find_format(formats(), "uscope");
}

Settings with_compression(std::string_view compression) {
    Settings settings;
    const auto set = [&](std::string_view key, std::string_view value) {
        settings.set(*std::ranges::find(uscope().options, key, &Option::key), std::string(value));
    };
    set("uscope-compression", compression);
    set("uscope-checkpoint", "10us");
    return settings;
}

/// A core that fetches two instructions per cycle into a reorder buffer and retires two.
class Core {
public:
    Core() {
        const ClockId clock = schema.declare(Clock{"core_clk", period_ps});
        const ScopeId root = schema.declare(Scope{"/", none, "", none});
        const ScopeId scope = schema.declare(Scope{"core0", root, "cpu", clock});
        const auto track = [&](Track::Kind kind, std::string name, std::vector<Field> fields) {
            Track made;
            made.kind = kind;
            made.scope = scope;
            made.name = std::move(name);
            made.time = picoseconds;
            made.fields = std::move(fields);
            return made;
        };
        const auto field = [](std::string name, Type type) { return Field{std::move(name), type}; };
        Track made = track(Track::Kind::storage, "entities",
                           {field("entity_id", Type::u32), field("pc", Type::u64), field("inst_bits", Type::u32)});
        made.sparse = true;
        made.slots = slots;
        entities_ = schema.declare(std::move(made));
        made = track(Track::Kind::storage, "rob", {field("entity_id", Type::u32), field("ready", Type::boolean)});
        made.sparse = made.buffer = true;
        made.slots = slots;
        made.properties = {field("head", Type::u16), field("tail", Type::u16)};
        rob_ = schema.declare(std::move(made));
        made = track(Track::Kind::storage, "committed_insns", {field("count", Type::u64)});
        made.slots = 1;
        committed_ = schema.declare(std::move(made));
        stage_ = schema.declare(track(Track::Kind::event_type, "stage_transition",
                                      {field("entity_id", Type::u32), field("stage", Type::u8)}));
    }

    /// Adds one frame of items_of_cycle records.
    void step(Batch& batch) {
        const Tick now = static_cast<Tick>(cycle_ * period_ps);
        for (std::uint64_t i = 0; i < 2; ++i) {
            const std::uint64_t id = cycle_ * 2 + i;
            const auto slot = static_cast<std::uint32_t>(id % slots);
            Record& first = batch.set(entities_, now, slot, 0, id & 0xFFFF'FFFF);
            if (i == 0) first.flags |= record_first_of_frame;
            batch.set(entities_, now, slot, 1, 0x8000'0000 + (id * 4) % 65'536);
            batch.set(entities_, now, slot, 2, (id * 0x9E37'79B9u) & 0xFFFF'FFFF);
            batch.set(rob_, now, slot, 0, id & 0xFFFF'FFFF);
            batch.set(rob_, now, slot, 1, 0);
            const std::uint64_t cells[] = {id & 0xFFFF'FFFF, 0};
            batch.event(stage_, now, cells);
            // An older instruction completes, and a still older one retires.
            const std::uint64_t done = id < slots / 2 ? id : id - slots / 2;
            batch.set(rob_, now, static_cast<std::uint32_t>(done % slots), 1, 1);
            const std::uint64_t left = id < slots - 4 ? id : id - (slots - 4);
            batch.clear_slot(rob_, now, static_cast<std::uint32_t>(left % slots));
            batch.clear_slot(entities_, now, static_cast<std::uint32_t>(left % slots));
        }
        batch.set_property(rob_, now, 0, cycle_ * 2 % slots);
        batch.set_property(rob_, now, 1, (cycle_ * 2 + slots - 4) % slots);
        batch.add(committed_, now, 0, 0, 2);
        ++cycle_;
    }

    Schema schema;

private:
    static constexpr std::uint32_t slots = 128;
    TrackId entities_ = none, rob_ = none, committed_ = none, stage_ = none;
    std::uint64_t cycle_ = 0;
};

/// Generates the records of the trace and passes each batch to `use`.
template <typename Use>
std::uint64_t make_records(Core& core, std::uint64_t items, Use use) {
    Batch batch;
    std::uint64_t made = 0;
    for (std::uint64_t cycle = 0; cycle < items / items_of_cycle; ++cycle) {
        core.step(batch);
        if (!batch.full()) continue;
        made += batch.records().size();
        use(batch);
        batch.clear();
    }
    made += batch.records().size();
    use(batch);
    return made;
}

Work write_items(Output& output, std::uint64_t items, std::string_view compression) {
    Core core;
    Losses losses;
    const Settings settings = with_compression(compression);
    const auto writer = uscope().create(output, core.schema, settings, losses);
    const std::uint64_t made = make_records(core, items, [&](const Batch& batch) { writer->write(batch); });
    writer->finish();
    output.commit();
    return {made, output.size()};
}

Work write_file(const std::string& path, std::uint64_t items, std::string_view compression) {
    const auto output = open_file_output(path, Existing::replace);
    return write_items(*output, items, compression);
}

Work write_nowhere(std::uint64_t items, std::string_view compression) {
    Nowhere output;
    return write_items(output, items, compression);
}

/// Records the same trace through the C interface, call by call.
Work record_in_c(const std::string& path, std::uint64_t items, uscope_compression_t compression, unsigned threads) {
    const uscope_clock_t clock{"core_clk", period_ps};
    const uscope_field_t entity[] = {
        {"entity_id", USCOPE_U32, 0, 0, 0}, {"pc", USCOPE_U64, 0, 0, 0}, {"inst_bits", USCOPE_U32, 0, 0, 0}};
    const uscope_field_t entry[] = {{"entity_id", USCOPE_U32, 0, 0, 0}, {"ready", USCOPE_BOOL, 0, 0, 0}};
    const uscope_field_t pointers[] = {{"head", USCOPE_U16, 0, 0, 0}, {"tail", USCOPE_U16, 0, 0, 0}};
    const uscope_field_t count{"count", USCOPE_U64, 0, 0, 0};
    const uscope_field_t transition[] = {{"entity_id", USCOPE_U32, 0, 0, 0}, {"stage", USCOPE_U8, 0, 0, 0}};
    constexpr std::uint16_t slots = 128;
    const uscope_storage_t storages[] = {{"entities", slots, USCOPE_SPARSE, 0, entity, 3, nullptr, 0},
                                         {"rob", slots, USCOPE_SPARSE | USCOPE_BUFFER, 0, entry, 2, pointers, 2},
                                         {"committed_insns", 1, 0, 0, &count, 1, nullptr, 0}};
    const uscope_event_type_t stage{"stage_transition", 0, transition, 2};
    const uscope_schema_t schema{&clock, 1, nullptr, 0, nullptr, 0, storages, 3, &stage, 1, nullptr, 0};
    uscope_writer_options_t options{};
    options.compression = static_cast<std::uint8_t>(compression);
    options.threads = threads;
    uscope_writer_t* w = uscope_writer_open_with(path.c_str(), nullptr, &schema, 10'000 * period_ps, &options);
    std::uint64_t made = 0;
    const auto slot_of = [](std::uint64_t id) { return static_cast<std::uint16_t>(id % slots); };
    for (std::uint64_t cycle = 0; cycle < items / items_of_cycle; ++cycle) {
        uscope_begin_cycle(w, cycle * period_ps);
        for (std::uint64_t id = cycle * 2; id < cycle * 2 + 2; ++id) {
            uscope_slot_set(w, 0, slot_of(id), 0, id);
            uscope_slot_set(w, 0, slot_of(id), 1, 0x8000'0000 + (id * 4) % 65'536);
            uscope_slot_set(w, 0, slot_of(id), 2, (id * 0x9E37'79B9u) & 0xFFFF'FFFF);
            uscope_slot_set(w, 1, slot_of(id), 0, id);
            uscope_slot_set(w, 1, slot_of(id), 1, 0);
            const std::uint64_t values[] = {id, 0};
            uscope_event_values(w, 0, values, 2);
            uscope_slot_set(w, 1, slot_of(id < slots / 2 ? id : id - slots / 2), 1, 1);
            const std::uint16_t left = slot_of(id < slots - 4 ? id : id - (slots - 4));
            uscope_slot_clear(w, 1, left);
            uscope_slot_clear(w, 0, left);
        }
        uscope_prop_set(w, 1, 0, cycle * 2 % slots);
        uscope_prop_set(w, 1, 1, (cycle * 2 + slots - 4) % slots);
        uscope_slot_add(w, 2, 0, 0, 2);
        uscope_end_cycle(w);
        made += items_of_cycle;
    }
    if (uscope_writer_close(w) != USCOPE_OK) fail(Failure::internal, uscope_last_error());
    return {made, fs::file_size(path)};
}

/// Reads all items. With `replay`, also applies them to the state of all storages.
Work read_items(const std::string& path, bool replay) {
    Input input = Input::open(path);
    Findings findings;
    const Settings settings;
    const auto reader = uscope().open(input, settings, findings);
    StateTable state(reader->schema());
    Batch batch;
    std::uint64_t records = 0;
    while (reader->read(batch)) {
        records += batch.records().size();
        if (replay)
            for (const Record& record : batch.records())
                state.apply(record);
        batch.clear();
    }
    return {records, fs::file_size(path)};
}

/// Compresses a file of uncompressed segments with LZ4, segment by segment. With `decompress`, also decompresses it.
Work lz4_of(const std::string& path, bool decompress) {
    Input input = Input::open(path);
    std::vector<std::byte> raw(segment_bytes), again(segment_bytes);
    Appender compressed;
    Lz4 lz4;
    std::uint64_t total = 0;
    while (const std::size_t count = input.read(raw)) {
        compressed.clear();
        lz4.compress(std::span(raw).first(count), compressed);
        total += decompress && !Lz4::decompress(compressed.span(), std::span(again).first(count)) ? 0 : count;
    }
    return {0, total};
}

/// Calls `step` repeatedly and returns the time per call in ns: the median in `records`, the 95th percentile in
/// `bytes`.
template <typename Step>
Work time_of(std::size_t calls, Step step) {
    std::vector<std::uint64_t> times;
    for (std::size_t i = 0; i < calls; ++i) {
        const auto start = std::chrono::steady_clock::now();
        step();
        times.push_back(static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count()));
    }
    std::ranges::sort(times);
    return {times[times.size() / 2], times[times.size() * 95 / 100]};
}

/// Opens the file and reads the state at `queries` random times. If `queries` is 0, only opens the file.
Work ask_for_states(const std::string& path, std::uint64_t items, std::size_t queries) {
    Input input = Input::open(path);
    Findings findings;
    const Settings settings;
    const auto reader = uscope().open(input, settings, findings);
    std::mt19937_64 random(1);
    const std::uint64_t last = items / items_of_cycle * period_ps;
    if (queries == 0) return {};
    state_at(*reader, 0, settings.limits);  // determines once which state the checkpoints hold
    return time_of(queries, [&] { state_at(*reader, static_cast<Tick>(random() % last), settings.limits); });
}

/// Decompresses the payload of one segment repeatedly.
Work decompress_segment(const std::string& plain, std::size_t calls) {
    Input input = Input::open(plain);
    std::vector<std::byte> raw(segment_bytes);
    raw.resize(input.read(raw));
    Appender compressed;
    Lz4 lz4;
    lz4.compress(raw, compressed);
    return time_of(calls, [&] {
        if (!Lz4::decompress(compressed.span(), raw)) raw.clear();
    });
}

void measure_states(const std::string& lz4, const std::string& plain, std::uint64_t items) {
    constexpr std::size_t queries = 300;
    constexpr double ns_per_ms = 1e6;
    const Cost open = measure(1, [&] { return ask_for_states(lz4, items, 0); });
    const Cost states = measure(1, [&] { return ask_for_states(lz4, items, queries); });
    const Work floor = measure(1, [&] { return decompress_segment(plain, queries); }).work;
    const auto median = static_cast<double>(states.work.records);
    std::printf(
        "  state at random times, %zu queries: median %.2f ms, p95 %.2f ms, peak %.1f MiB (opened only: %.1f MiB)\n"
        "  floor: LZ4 back to one segment: %.2f ms; a state takes %.2f times as long\n",
        queries, median / ns_per_ms, static_cast<double>(states.work.bytes) / ns_per_ms, states.peak_mib, open.peak_mib,
        static_cast<double>(floor.records) / ns_per_ms, median / static_cast<double>(floor.records));
    std::fflush(stdout);
}

}  // namespace

void measure_uscope(const fs::path& folder, std::uint64_t items, int runs) {
    const std::string lz4 = (folder / "dense_lz4.uscope").string();
    const std::string plain = (folder / "dense_plain.uscope").string();
    measure(1, [&] { return write_file(plain, items, "none"); });
    measure(1, [&] { return write_file(lz4, items, "lz4"); });
    std::printf("µScope, %llu items, %.0f MB of %.0f MB\n  %-46s %8s %9s %8s %8s %8s %8s %8s\n",
                static_cast<unsigned long long>(items), static_cast<double>(fs::file_size(lz4)) / 1e6,
                static_cast<double>(fs::file_size(plain)) / 1e6, "", "ns/item", "M items/s", "MB/s", "cpu ms",
                "wall ms", "peak MiB", "x floor");
    const auto row = [](const char* name, const Cost& cost, double floor_ms) { print_row(name, cost, floor_ms); };

    const Cost compress = measure(runs, [&] { return lz4_of(plain, false); });
    const double both_ms = measure(runs, [&] { return lz4_of(plain, true); }).cpu_ms;
    row("floor: LZ4 of the payload", compress, 0);
    const Cost made = measure(runs, [&] {
        Core core;
        return Work{make_records(core, items, [](const Batch&) {}), 0};
    });
    row("generating the records, no output", made, compress.cpu_ms);
    row("write to nowhere, not compressed", measure(runs, [&] { return write_nowhere(items, "none"); }),
        compress.cpu_ms);
    row("write to nowhere, LZ4", measure(runs, [&] { return write_nowhere(items, "lz4"); }), compress.cpu_ms);
    row("write a file, LZ4", measure(runs, [&] { return write_file(lz4, items, "lz4"); }), compress.cpu_ms);

    const std::string in_c = (folder / "dense_c.uscope").string();
    row("record in C, not compressed", measure(runs, [&] { return record_in_c(in_c, items, USCOPE_UNCOMPRESSED, 1); }),
        compress.cpu_ms);
    row("record in C, LZ4", measure(runs, [&] { return record_in_c(in_c, items, USCOPE_LZ4, 1); }), compress.cpu_ms);
    row("record in C, LZ4, two threads", measure(runs, [&] { return record_in_c(in_c, items, USCOPE_LZ4, 2); }),
        compress.cpu_ms);

    const double decompress_ms = std::max(1.0, both_ms - compress.cpu_ms);
    std::printf("  floor: LZ4 back to the payload: %.0f ms\n", decompress_ms);
    row("read, not compressed", measure(runs, [&] { return read_items(plain, false); }), decompress_ms);
    row("read, LZ4", measure(runs, [&] { return read_items(lz4, false); }), decompress_ms);
    row("read and replay into the state, LZ4", measure(runs, [&] { return read_items(lz4, true); }), decompress_ms);
    measure_states(lz4, plain, items);
    std::printf("\n");
}

void generate_uscope(const std::string& path, std::uint64_t items) {
    write_file(path, items, "lz4");
}

}  // namespace hwtrace::bench

#include "tables_bench.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "formats.hpp"
#include "measure.hpp"

namespace hwtrace::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t columns = 6;  // time, time_ns, pc, address, size, type

Schema memory_accesses() {
    Schema schema;
    const ScopeId core = schema.declare(Scope{"core0", none, "", none});
    Enum types{"type", {{0, "read"}, {1, "write"}, {2, "prefetch"}}};
    const EnumId type = schema.declare(std::move(types));
    const auto field = [](std::string_view name, Type of, EnumId enumeration = none) {
        Field made;
        made.name = name;
        made.type = of;
        made.enumeration = enumeration;
        return made;
    };
    schema.declare(make_track(Track::Kind::event_type, core, "memory_access", picoseconds,
                              {field("pc", Type::u64), field("address", Type::pointer), field("size", Type::u8),
                               field("type", Type::enumeration, type)}));
    return schema;
}

/// Makes the accesses of loops over arrays.
class Accesses {
public:
    void fill(Batch& batch, std::uint64_t rows) {
        batch.clear();
        for (; rows > 0; --rows) {
            seed_ = seed_ * 6364136223846793005U + 1442695040888963407U;
            const std::uint64_t luck = seed_ >> 33;
            time_ += static_cast<Tick>(500 * (1 + luck % 7));
            pc_ = luck % 97 == 0 ? 0x8000'0000 + luck % 512 * 64 : pc_ + 4;
            address_ = luck % 31 == 0 ? 0x1'0000'0000 + luck % 65536 * 8 : address_ + 8;
            const std::array<std::uint64_t, 4> cells{pc_, address_, std::uint64_t{1} << luck % 4, luck % 3};
            batch.event(0, time_, cells);
        }
    }

private:
    std::uint64_t seed_ = 1, pc_ = 0x8000'0000, address_ = 0x1'0000'0000;
    Tick time_ = 0;
};

Work write_table(const Format& format, const std::string& path, std::uint64_t rows) {
    const Schema schema = memory_accesses();
    const Settings settings;
    Losses losses;
    const auto output = open_target(format, settings, path, Existing::replace);
    const auto writer = format.create(*output, schema, settings, losses);
    Accesses accesses;
    Batch batch;
    for (std::uint64_t done = 0; done < rows; done += Batch::target_records) {
        accesses.fill(batch, std::min<std::uint64_t>(rows - done, Batch::target_records));
        writer->write(batch);
    }
    writer->finish();
    output->commit();
    return {rows, output->size()};
}

/// Makes the batches only.
Work make_batches(std::uint64_t rows) {
    Accesses accesses;
    Batch batch;
    for (std::uint64_t done = 0; done < rows; done += Batch::target_records)
        accesses.fill(batch, std::min<std::uint64_t>(rows - done, Batch::target_records));
    return {rows, rows * columns * sizeof(std::uint64_t)};
}

}  // namespace

void measure_tables(const fs::path& folder, std::uint64_t rows, int runs) {
    std::printf("tables, %llu rows of %zu columns\n", static_cast<unsigned long long>(rows), columns);
    const Cost batches = measure(runs, [&] { return make_batches(rows); });
    print_row("batches only", batches, 0);
    const char* const keep = std::getenv("HWTRACE_BENCH_KEEP");
    for (const std::string_view name : {"parquet", "csv"}) {
        const Format& format = *find_format(targets(), name);
        const fs::path path =
            fs::path(keep != nullptr ? keep : folder.c_str()) / ("out" + std::string(format.extensions.front()));
        const Cost cost = measure(runs, [&] { return write_table(format, path.string(), rows); });
        print_row(std::string(name).c_str(), cost, batches.cpu_ms);
        std::printf("  %s: %.1f MB, %.1f CPU ms without the batches\n", std::string(name).c_str(),
                    static_cast<double>(cost.work.bytes) / 1e6, cost.cpu_ms - batches.cpu_ms);
        if (keep == nullptr) fs::remove_all(path);
    }
}

}  // namespace hwtrace::bench

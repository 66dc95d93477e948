#include "pairs_bench.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convert/convert.hpp"
#include "convert/prescan.hpp"
#include "flux_bench.hpp"
#include "formats.hpp"
#include "generated_ftr.hpp"
#include "generated_trace.hpp"
#include "io/error.hpp"
#include "io/output.hpp"
#include "measure.hpp"
#include "pccx_bench.hpp"
#include "picture_floors.hpp"
#include "uscope_bench.hpp"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

struct Source {
    std::string_view format;
    std::string_view what;
    std::string path;
};
using Sources = std::array<Source, 5>;

Sources generate_sources(const fs::path& folder, std::uint64_t records) {
    const auto at = [&](std::string_view name) { return (folder / name).string(); };
    const Sources sources{
        Source{"stf", "instructions", at("pairs.zstf")}, Source{"uscope", "items", at("pairs.uscope")},
        Source{"pccx", "events", at("pairs.pccx")},      Source{"ftr", "transactions and relations", at("pairs.ftr")},
        Source{"flux", "samples", at("pairs.flux")},
    };
    measure(1, [&] {  // in a separate process, so that its memory is not measured
        generate_trace(TraceShape::with_registers, records, sources[0].path);
        generate_uscope(sources[1].path, records);
        generate_pccx(sources[2].path, records);
        generate_ftr(sources[3].path, records / 4 * 3, records / 4, false);
        generate_flux(sources[4].path, records);
        return Work{};
    });
    return sources;
}

Work convert_file(const Source& source, const Format& to, const std::string& path) {
    const Format& from = *find_format(formats(), source.format);
    Input input = Input::open(source.path);
    Findings findings;
    Losses losses;
    const Choices choices;
    PreparedSource prepared(input, from, to, choices.settings, findings);
    Plan plan = make_plan(prepared.schema(), prepared.format(), to, choices, losses);
    const auto output = open_target(to, choices.settings, path, Existing::replace);
    const auto writer = to.create(*output, plan.target_schema(prepared.schema()), choices.settings, losses);
    const ConversionCounts counts = convert(prepared.reader(), plan, *writer);
    output->commit();
    return {counts.records_read, output->size()};
}

/// Measures a conversion. Returns nullopt if the target format cannot hold the trace.
std::optional<Cost> measure_pair(const Source& source, const Format& to, const std::string& path, int runs) {
    const Cost first = measure(1, [&] {
        try {
            return convert_file(source, to, path);
        } catch (const Error& error) {
            std::printf("%-8s %-8s refused: %s\n", std::string(source.format).c_str(), std::string(to.name).c_str(),
                        error.what());
            std::fflush(stdout);
            return Work{};
        }
    });
    if (first.work.records == 0) return std::nullopt;
    return measure(runs, [&] { return convert_file(source, to, path); });
}

/// Prints the cost of converting each source to each target.
void print_conversions(const Sources& sources, std::span<const Format* const> targets, const fs::path& folder,
                       int runs) {
    std::printf("%-8s %-8s %10s %10s %10s %10s  %s\n", "from", "to", "ns/record", "cpu ms", "peak MiB", "MB",
                "records");
    std::fflush(stdout);
    for (const Source& source : sources) {
        for (const Format* const to : targets) {
            const std::string path = (folder / ("out" + std::string(to->extensions.back()))).string();
            const std::optional<Cost> cost = measure_pair(source, *to, path, runs);
            if (!cost) continue;
            std::printf("%-8s %-8s %10.1f %10.0f %10.0f %10.1f  %llu %s\n", std::string(source.format).c_str(),
                        std::string(to->name).c_str(), cost->cpu_ms * 1e6 / static_cast<double>(cost->work.records),
                        cost->cpu_ms, cost->peak_mib, static_cast<double>(cost->work.bytes) / 1e6,
                        static_cast<unsigned long long>(cost->work.records), std::string(source.what).c_str());
            std::fflush(stdout);
            fs::remove_all(path);
        }
    }
}

}  // namespace

void measure_pairs(const fs::path& folder, std::uint64_t records, int runs) {
    const Sources sources = generate_sources(folder, records);
    std::vector<const Format*> targets;
    for (const Source& source : sources)
        targets.push_back(find_format(formats(), source.format));
    std::printf("conversions, %llu records a trace\n", static_cast<unsigned long long>(records));
    print_conversions(sources, targets, folder, runs);
}

void measure_pictures(const fs::path& folder, std::uint64_t records, int runs) {
    const Sources sources = generate_sources(folder, records);
    std::printf("pictures, %llu records a trace\n", static_cast<unsigned long long>(records));
    print_picture_floors(folder, records, runs);
    std::vector<const Format*> pictures;
    std::ranges::copy_if(targets(), std::back_inserter(pictures),
                         [](const Format* format) { return format->writes.is_picture; });
    print_conversions(sources, pictures, folder, runs);
}

}  // namespace hwtrace::bench

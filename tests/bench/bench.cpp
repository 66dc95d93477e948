// tests/bench/bench.cpp - measures reading, writing, converting and dumping, and compares the cost with the minimum on
// this machine.
//
// hwtrace_bench [stf|stf-aims|stf-seek|stf-write|pccx|uscope|kanata|o3pipeview|ftr|ftr-aims|txlog|flux|flux-read|
//               flux-emit|pairs|pictures|tables|all [RECORDS [RUNS]]]
//
// The first argument selects the measurement (default all). RECORDS is the number of instructions, events, items, lines
// or samples in the generated traces (default 10000000). stf-seek uses ten times as many, ftr-aims two fifths, txlog,
// pairs and pictures a tenth. RUNS is the number of runs per row (default 5); rows show minima, which other load on the
// machine disturbs least. If HWTRACE_CORPUS names the corpus, dhry_riscv is measured too.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include "flux_bench.hpp"
#include "flux_emit_bench.hpp"
#include "flux_read_bench.hpp"
#include "ftr_bench.hpp"
#include "kanata_bench.hpp"
#include "o3pipeview_bench.hpp"
#include "pairs_bench.hpp"
#include "pccx_bench.hpp"
#include "stf_bench.hpp"
#include "stf_write_bench.hpp"
#include "tables_bench.hpp"
#include "txlog_bench.hpp"
#include "uscope_bench.hpp"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view everything = "all";
constexpr std::array<std::string_view, 18> parts{
    "stf",      "stf-aims", "stf-seek", "stf-write", "pccx",      "uscope", "kanata",   "o3pipeview", "ftr",
    "ftr-aims", "txlog",    "flux",     "flux-read", "flux-emit", "pairs",  "pictures", "tables",     everything};

int run(std::string_view what, std::uint64_t records, int runs) {
    std::string folder_name = (fs::temp_directory_path() / "hwtrace-bench-XXXXXX").string();
    if (::mkdtemp(folder_name.data()) == nullptr) {
        std::fprintf(stderr, "hwtrace_bench: cannot make a temporary folder\n");
        return 1;
    }
    const fs::path folder = folder_name;
    const auto wanted = [&](std::string_view part) { return what == part || what == everything; };
    if (wanted("stf")) measure_stf(folder, records, runs);
    if (wanted("stf-aims")) measure_stf_aims(folder, records, runs);
    if (wanted("stf-seek")) measure_stf_seek(folder, 10 * records, runs);
    if (wanted("stf-write")) measure_stf_writing(folder, records, runs);
    if (wanted("pccx")) measure_pccx(folder, records, runs);
    if (wanted("uscope")) measure_uscope(folder, records, runs);
    if (wanted("kanata")) measure_kanata(folder, records, runs);
    if (wanted("o3pipeview")) measure_o3pipeview(folder, records, runs);
    if (wanted("ftr")) measure_ftr(folder, records, runs);
    if (wanted("ftr-aims")) measure_ftr_aims(folder, records / 5 * 2, runs);
    if (wanted("txlog")) measure_txlog(folder, records / 10, runs);
    if (wanted("flux")) measure_flux(folder, records, runs);
    if (wanted("flux-read")) measure_flux_read(folder, records, runs);
    if (wanted("flux-emit")) measure_flux_emit(records, runs);
    if (wanted("pairs")) measure_pairs(folder, records / 10, runs);
    if (wanted("tables")) measure_tables(folder, records, runs);
    if (wanted("pictures")) measure_pictures(folder, records / 10, runs);
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
        std::fprintf(stderr,
                     "usage: hwtrace_bench "
                     "[stf|stf-aims|stf-seek|stf-write|pccx|uscope|kanata|o3pipeview|ftr|ftr-aims|txlog|flux|flux-read|"
                     "flux-emit|pairs|pictures|tables|all "
                     "[RECORDS [RUNS]]]\n");
        return 2;
    }
    try {
        return run(what, records, runs);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hwtrace_bench: %s\n", error.what());
        return 1;
    }
}

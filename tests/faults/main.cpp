// tests/faults/main.cpp - hwtrace_faults BINARIES PIECES KIND [MOST [SEED]]: disturbs the programs and reports wrong
// reactions. MOST limits the tries per command (default: all tries). SEED selects the tries at random.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>

#include "faults/disturbances.hpp"

using namespace hwtrace::test;

int main(int count, char** arguments) {
    static const std::map<std::string, Tally (*)(const Extent&)> kinds{
        {"failing", fail_calls}, {"interrupted", interrupt_calls}, {"short", cut_transfers},
        {"full", fill_disk},     {"sigint", interrupt_runs},       {"sigint-at-calls", interrupt_between_calls},
        {"sigkill", kill_runs},  {"bombs", refuse_bombs},          {"streams", pour_streams},
    };
    constexpr int skipped = 77;  // CTest's exit code for a skipped test
    if (count < 4 || !kinds.contains(arguments[3])) {
        std::fprintf(stderr, "hwtrace_faults BINARIES PIECES KIND [MOST [SEED]], where KIND is one of\n");
        for (const auto& [name, function] : kinds)
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    Extent extent{std::filesystem::absolute(arguments[1]), std::filesystem::absolute(arguments[2])};
    if (count > 4) extent.most = static_cast<std::size_t>(std::strtoul(arguments[4], nullptr, 10));
    if (count > 5) extent.seed = static_cast<std::uint32_t>(std::strtoul(arguments[5], nullptr, 10));
    try {
        const Tally tally = kinds.at(arguments[3])(extent);
        if (!tally.skipped.empty()) {
            std::printf("skipped: %s: %s\n", tally.what.c_str(), tally.skipped.c_str());
            return skipped;
        }
        for (const std::string& fault : tally.faults)
            std::printf("FAILED: %s\n", fault.c_str());
        std::printf("%s: %llu", tally.what.c_str(), static_cast<unsigned long long>(tally.tries));
        if (tally.done > 0)
            std::printf(", of which %llu succeeded nevertheless", static_cast<unsigned long long>(tally.done));
        std::printf("; %zu faults\n", tally.faults.size());
        return tally.tries > 0 && tally.faults.empty() ? 0 : 1;
    } catch (const std::exception& error) {
        std::printf("FAILED: %s\n", error.what());
        return 1;
    }
}

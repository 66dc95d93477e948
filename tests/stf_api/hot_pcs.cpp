// hot_pcs TRACE - prints the most frequent pcs of a trace.
#include <algorithm>
#include <cstdio>
#include <hwtrace/stf.hpp>
#include <map>
#include <vector>

int main(int count, char** arguments) try {
    if (count != 2) return 2;
    hwtrace::stf::InstructionReader trace(arguments[1]);
    std::map<std::uint64_t, std::uint64_t> times;
    hwtrace::stf::Instruction instruction;
    while (trace.next(instruction))
        ++times[instruction.pc];
    std::vector<std::pair<std::uint64_t, std::uint64_t>> hot(times.begin(), times.end());
    std::stable_sort(hot.begin(), hot.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    hot.resize(std::min<std::size_t>(hot.size(), 3));
    for (const auto& [pc, executed] : hot)
        std::printf("%016llx %llu\n", static_cast<unsigned long long>(pc), static_cast<unsigned long long>(executed));
    return trace.sound() ? 0 : 1;
} catch (const hwtrace::stf::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}

#include "measure.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>

namespace hwtrace::bench {

namespace {

struct Sample {
    Work work;
    double cpu_ms, wall_ms, peak_mib;
};

double milliseconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

[[noreturn]] void give_up(const char* what) {
    std::fprintf(stderr, "hwtrace_bench: %s\n", what);
    std::exit(1);
}

[[noreturn]] void run_child(int to_parent, const std::function<Work()>& task) {
    Work work;
    try {
        work = task();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hwtrace_bench: %s\n", error.what());
        ::_exit(1);
    }
    const bool sent = ::write(to_parent, &work, sizeof work) == static_cast<ssize_t>(sizeof work);
    ::_exit(sent ? 0 : 1);
}

Sample run_once(const std::function<Work()>& task) {
    int ends[2];
    if (::pipe(ends) != 0) give_up("no pipe");
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = ::fork();
    if (child < 0) give_up("no process");
    if (child == 0) run_child(ends[1], task);
    ::close(ends[1]);
    Sample sample{};
    const bool received = ::read(ends[0], &sample.work, sizeof sample.work) == static_cast<ssize_t>(sizeof sample.work);
    ::close(ends[0]);
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    if (!received || status != 0) give_up("a task failed");
    sample.wall_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    sample.cpu_ms = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
    sample.peak_mib = static_cast<double>(usage.ru_maxrss) / 1024;
    return sample;
}

}  // namespace

Cost measure(int runs, const std::function<Work()>& task) {
    Cost cost;
    cost.cpu_ms = cost.wall_ms = std::numeric_limits<double>::infinity();
    for (int i = 0; i < runs; ++i) {
        const Sample sample = run_once(task);
        cost.cpu_ms = std::min(cost.cpu_ms, sample.cpu_ms);
        cost.wall_ms = std::min(cost.wall_ms, sample.wall_ms);
        cost.work = sample.work;
        cost.peak_mib = std::max(cost.peak_mib, sample.peak_mib);
    }
    return cost;
}

void print_row(const char* name, const Cost& cost, double floor_ms) {
    const auto records = static_cast<double>(cost.work.records);
    std::printf("  %-46s %8.1f %9.1f %8.0f %8.0f %8.0f %8.1f", name, records < 1 ? 0 : cost.cpu_ms * 1e6 / records,
                records / cost.cpu_ms / 1e3, static_cast<double>(cost.work.bytes) / 1e3 / cost.cpu_ms, cost.cpu_ms,
                cost.wall_ms, cost.peak_mib);
    if (floor_ms > 0) std::printf(" %8.2f", cost.cpu_ms / floor_ms);
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace hwtrace::bench

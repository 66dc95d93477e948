// tests/fuzz/mutate.cpp - hwtrace_fuzz_mutate TARGET NUMBER SECONDS RUNS FOLDER: runs a target on inputs determined by
// NUMBER. It stops after SECONDS or after RUNS inputs and prints their count. An input that crashes the process or
// takes 20 seconds is stored in FOLDER.
#include <sanitizer/common_interface_defs.h>

#include <fcntl.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>
#include <string>

#include "fuzz/mutations.hpp"

namespace {

std::span<const std::byte> input;
std::string kept_as;

// Stores the input. Makes only async-signal-safe calls.
void keep_input() {
    const int file = ::open(kept_as.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || ::write(file, input.data(), input.size()) < 0) ::_exit(3);
    ::close(file);
}

extern "C" void end_by_signal(int) {
    keep_input();
    ::_exit(1);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 6) {
        std::cerr << "hwtrace_fuzz_mutate TARGET NUMBER SECONDS RUNS FOLDER\n";
        return 2;
    }
    const hwtrace::fuzz::Target* const target = hwtrace::fuzz::find_target(argv[1]);
    if (target == nullptr) {
        std::cerr << argv[1] << " is not a target (hwtrace_fuzz_replay --list)\n";
        return 2;
    }
    const std::uint64_t number = std::strtoull(argv[2], nullptr, 10);
    const std::chrono::seconds patience(std::strtol(argv[3], nullptr, 10));
    const std::uint64_t most = std::strtoull(argv[4], nullptr, 10);
    kept_as = std::string(argv[5]).append("/").append(target->name).append("-").append(argv[2]);

    std::signal(SIGABRT, end_by_signal);
    std::signal(SIGALRM, end_by_signal);
    __sanitizer_set_death_callback(keep_input);
    hwtrace::fuzz::Mutations mutations(hwtrace::fuzz::seeds_of(*target), number);
    const auto end = std::chrono::steady_clock::now() + patience;
    std::uint64_t runs = 0;
    for (; runs < most && std::chrono::steady_clock::now() < end; ++runs) {
        input = mutations.next();
        ::alarm(20);
        target->run(input, input.size() % target->parts);
    }
    std::cout << runs << " executions\n";
    return 0;
}

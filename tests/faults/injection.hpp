// tests/faults/injection.hpp - lists the system calls of a command, and lets strace answer one of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "faults/verdict.hpp"

namespace hwtrace::test {

/// The nth call of that name in the first thread, counted from the start of the process.
struct Call {
    std::string name;
    unsigned number;
};

/// Returns the reason why strace cannot be used here; empty if it can.
std::string strace_missing();

/// Returns the calls among `names` that the program itself makes, without those of the loader and of sanitizers before
/// it.
std::vector<Call> calls_of(const Stage& stage, const Scenario& scenario, const std::vector<std::string>& names);

/// Runs the scenario with an answer to one call: "error=EIO" or "signal=SIGINT". Returns none if the call was not made.
std::optional<Aftermath> run_with(const Stage& stage, const Scenario& scenario, const Call& call,
                                  const std::string& answer);

/// Returns the names of the calls whose failure matters.
const std::vector<std::string>& calls_that_matter();

}  // namespace hwtrace::test

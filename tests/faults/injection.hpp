// tests/faults/injection.hpp - lists the system calls of a command, and makes one of them fail with strace.
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

/// Returns the reason why strace cannot be used here, or an empty string if it can be used.
std::string strace_missing();

/// Returns the calls of `names` that the program makes. Earlier calls by the loader and by sanitizers are left out.
std::vector<Call> calls_of(const Stage& stage, const Scenario& scenario, const std::vector<std::string>& names);

/// Runs the scenario and replaces the result of one call: "error=EIO" or "signal=SIGINT". Returns nullopt if the call
/// was not made.
std::optional<Aftermath> run_with(const Stage& stage, const Scenario& scenario, const Call& call,
                                  const std::string& answer);

/// Returns the names of the system calls that are tested.
const std::vector<std::string>& calls_that_matter();

}  // namespace hwtrace::test

// tests/faults/injection.hpp - system calls of a command, and one of them answered by strace in the system's place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "faults/verdict.hpp"

namespace hwtrace::test {

/// The nth call of that name of the first thread, counted from the start of the process.
struct Call {
    std::string name;
    unsigned number;
};

/// Why strace cannot be used here; empty: it can.
std::string strace_missing();

/// The calls among `names` that the program itself makes: the loader and sanitizers, in front of it, are left out.
std::vector<Call> calls_of(const Stage& stage, const Scenario& scenario, const std::vector<std::string>& names);

/// Runs it with an answer to one call: "error=EIO", "signal=SIGINT". None where the call was not made.
std::optional<Aftermath> run_with(const Stage& stage, const Scenario& scenario, const Call& call,
                                  const std::string& answer);

/// The calls whose failure matters.
const std::vector<std::string>& calls_that_matter();

}  // namespace hwtrace::test

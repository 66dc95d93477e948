// tests/faults/verdict.hpp - whether a disturbed run left what it may leave.
#pragma once

#include <string>

#include "faults/scenarios.hpp"

namespace hwtrace::test {

/// A run and what stands in its folders behind it.
struct Aftermath {
    Ended ended;
    Content output, left;
};

/// Runs it in fresh folders.
Aftermath run_in(const Stage& stage, const Scenario& scenario, const Command& command,
                 std::optional<Blow> blow = std::nullopt);

/// The names that no user chose: files that were to become others.
bool is_temporary(const std::string& name);
/// Whether it did what the undisturbed one did.
bool same_end(const Aftermath& run, const Aftermath& undisturbed);
/// "out/new.stf appeared, ..." where out/ is not as it was before; empty where it is.
std::string changes(const Content& before, const Content& after);

}  // namespace hwtrace::test

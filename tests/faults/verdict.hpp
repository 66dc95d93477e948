// tests/faults/verdict.hpp - checks the results of a disturbed run.
#pragma once

#include <string>

#include "faults/scenarios.hpp"

namespace hwtrace::test {

/// A run and the contents of its folders afterwards.
struct Aftermath {
    Ended ended;
    Content output, left;
};

/// Runs a command in fresh folders.
Aftermath run_in(const Stage& stage, const Scenario& scenario, const Command& command,
                 std::optional<Blow> blow = std::nullopt);

/// Returns true if this is the name of a temporary file.
bool is_temporary(const std::string& name);
/// Returns true if the run had the same result as the undisturbed run.
bool same_end(const Aftermath& run, const Aftermath& undisturbed);
/// Returns `output`, the contents of out/ after a run that failed, with the old contents of reports: a report must be
/// unchanged or complete. Leaves reports that are neither.
Content without_whole_reports(const Scenario& scenario, Content output);
/// Describes the changes in out/, as in "out/new.stf appeared, ...". Returns an empty string if nothing changed.
std::string changes(const Content& before, const Content& after);

}  // namespace hwtrace::test

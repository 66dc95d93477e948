// tests/faults/scenarios.hpp - the commands that are disturbed, and their input files.
#pragma once

#include <string>
#include <vector>

#include "faults/child.hpp"

namespace hwtrace::test {

/// A command that reads files in in/ and writes files in out/.
struct Scenario {
    std::string name;
    std::vector<std::string> arguments;  ///< the first one is the verb; empty: hwtrace itself
    int status = 0;                      ///< exit code when undisturbed
    Content old = {};                    ///< contents of out/ before
    std::string input = {};              ///< standard input
    bool piped = false;
    std::vector<std::string> reports = {};  ///< files that are written even on failure
    bool goes_on = false;  ///< standard output also counts as one: the other inputs are still processed
};

/// The folders of scenarios: in/ with the inputs, out/ and tmp/ renewed for each run.
class Stage {
public:
    /// `binaries` is the folder of hwtrace-convert and the other commands. More doublings make runs longer.
    Stage(std::filesystem::path binaries, unsigned doublings);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    /// Returns the command itself, preceded by `before`.
    Command command(const Scenario& scenario, const std::vector<std::string>& before = {}) const;
    /// Restores out/ for the scenario and empties tmp/.
    void prepare(const Scenario& scenario) const;
    Content output() const { return content_of(folder_ / "out"); }
    /// The contents of the folder for temporary files.
    Content left() const { return content_of(folder_ / "tmp"); }
    const std::filesystem::path& folder() const noexcept { return folder_; }

private:
    std::filesystem::path binaries_, folder_;
};

/// Returns at least one scenario for each command.
std::vector<Scenario> every_binary();
/// Returns the scenarios that write traces: new files, replaced files, several files.
std::vector<Scenario> writing();

/// The header of an STF trace, and one instruction.
extern const std::string stf_header, stf_instruction;
/// Returns an STF trace of 2 to the power of `doublings` instructions.
std::string stf_of(unsigned doublings);

}  // namespace hwtrace::test

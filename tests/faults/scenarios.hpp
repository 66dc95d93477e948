// tests/faults/scenarios.hpp - the commands to disturb, and their input files.
#pragma once

#include <string>
#include <vector>

#include "faults/child.hpp"

namespace hwtrace::test {

/// A command that reads files in in/ and writes files in out/.
struct Scenario {
    std::string name;
    std::vector<std::string> arguments;  ///< the first one is the verb; if empty, hwtrace itself runs
    int status = 0;                      ///< exit code of an undisturbed run
    Content old = {};                    ///< contents of out/ before the run
    std::string input = {};              ///< data on standard input
    bool piped = false;
    std::vector<std::string> reports = {};  ///< files that are written even if the command fails
    bool goes_on = false;  ///< the command continues with the next input after an error, so standard output counts as a
                           ///< report, too
};

/// The folders of scenarios: in/ has the inputs, out/ and tmp/ are renewed for each run.
class Stage {
public:
    /// `binaries` is the folder of hwtrace-convert and the other commands. A larger `doublings` makes runs longer.
    Stage(std::filesystem::path binaries, unsigned doublings);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    /// Returns the command line of the scenario, preceded by `before`.
    Command command(const Scenario& scenario, const std::vector<std::string>& before = {}) const;
    /// Restores out/ for the scenario and empties tmp/.
    void prepare(const Scenario& scenario) const;
    Content output() const { return content_of(folder_ / "out"); }
    /// Returns the contents of the folder for temporary files.
    Content left() const { return content_of(folder_ / "tmp"); }
    const std::filesystem::path& folder() const noexcept { return folder_; }

private:
    std::filesystem::path binaries_, folder_;
};

/// Returns scenarios that cover each command at least once.
std::vector<Scenario> every_binary();
/// Returns the scenarios that write traces: to a new file, over an old file, to several files.
std::vector<Scenario> writing();

/// The header of an STF trace, and a single instruction.
extern const std::string stf_header, stf_instruction;
/// Returns an STF trace of 2 to the power of `doublings` instructions.
std::string stf_of(unsigned doublings);

}  // namespace hwtrace::test

// tests/faults/scenarios.hpp - the commands that are disturbed, and what stands in their folders.
#pragma once

#include <string>
#include <vector>

#include "faults/child.hpp"

namespace hwtrace::test {

/// A command that writes into the folder out/, from files in in/.
struct Scenario {
    std::string name;
    std::vector<std::string> arguments;  ///< the first is the verb; empty: hwtrace itself
    int status = 0;                      ///< how it ends when nothing disturbs it
    Content old = {};                    ///< what stands in out/ before
    std::string input = {};              ///< standard input
    bool piped = false;
    std::vector<std::string> reports = {};  ///< those files tell what came of it, also where it fails
    bool goes_on = false;                   ///< standard output, too: other inputs are still looked at
};

/// Where the scenarios run: in/ with what they read, out/ and tmp/ that each run finds fresh.
class Stage {
public:
    /// `binaries` is the folder of hwtrace-convert and the others. A run that is larger takes longer.
    Stage(std::filesystem::path binaries, unsigned doublings);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    /// The command itself, behind `before`.
    Command command(const Scenario& scenario, const std::vector<std::string>& before = {}) const;
    /// out/ as the scenario finds it, tmp/ empty.
    void prepare(const Scenario& scenario) const;
    Content output() const { return content_of(folder_ / "out"); }
    /// What was left in the folder of temporary files.
    Content left() const { return content_of(folder_ / "tmp"); }
    const std::filesystem::path& folder() const noexcept { return folder_; }

private:
    std::filesystem::path binaries_, folder_;
};

/// One or more for each binary.
std::vector<Scenario> every_binary();
/// Those that write traces: into new files, over old ones, several.
std::vector<Scenario> writing();

/// A trace of STF begins with this, and goes on with that.
extern const std::string stf_header, stf_instruction;
/// A trace of STF with 2 to the power of `doublings` instructions.
std::string stf_of(unsigned doublings);

}  // namespace hwtrace::test

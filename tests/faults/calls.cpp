#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>

#include "faults/disturbances.hpp"
#include "faults/injection.hpp"

namespace hwtrace::test {

namespace {

constexpr unsigned doublings = 12;  // makes output larger than one buffer, and runs still short

struct Try {
    Call call;
    std::string error;
};

const std::map<std::string, int> numbers{{"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EMFILE", EMFILE}, {"EINTR", EINTR}};

/// Returns the errors with which a system call can fail.
std::vector<std::string> errors_of(const std::string& name) {
    if (name == "openat") return {"EMFILE", "EIO", "ENOSPC"};
    if (name == "read" || name == "pread64" || name == "lseek" || name == "newfstatat" || name == "fcntl")
        return {"EIO"};
    return {"EIO", "ENOSPC"};
}

std::vector<Try> chosen(std::vector<Try> tries, std::size_t most, std::mt19937& random) {
    if (most == 0 || tries.size() <= most) return tries;
    std::shuffle(tries.begin(), tries.end(), random);
    tries.resize(most);
    return tries;
}

/// Describes what is wrong with a run in which a call failed. Returns an empty string if nothing is.
std::string fault_of(const Scenario& scenario, const Aftermath& run, const Aftermath& undisturbed, int error) {
    constexpr int system_says_no = 5;
    std::string fault;
    const auto add = [&](const std::string& text) { fault.append(fault.empty() ? "" : "; ").append(text); };
    if (run.ended.status != system_says_no) add(run.ended.text());
    if (run.ended.errors.find(std::strerror(error)) == std::string::npos) add("the message does not state the reason");
    if (!run.left.empty()) add("in the folder of temporary files, " + changes({}, run.left));
    if (!scenario.goes_on && !undisturbed.ended.output.starts_with(run.ended.output)) add("unexpected output");
    const Content output = without_whole_reports(scenario, run.output);
    if (output != scenario.old)
        add(run.output == undisturbed.output ? "but the output appeared" : changes(scenario.old, output));
    return fault;
}

/// Returns true if a sanitizer ended the process. Sanitizers query memory by system calls, and end the process if these
/// fail.
bool is_of_sanitizer(const Aftermath& run) {
    return run.ended.errors.find("SanitizerTool: CHECK failed: sanitizer_") != std::string::npos;
}

}  // namespace

Tally fail_calls(const Extent& extent) {
    Tally tally{"system calls that failed", 0, 0, {}, strace_missing()};
    if (!tally.skipped.empty()) return tally;
    const Stage stage(extent.binaries, doublings);
    std::mt19937 random(extent.seed);
    std::uint64_t of_sanitizer = 0;
    for (const Scenario& scenario : every_binary()) {
        const Aftermath undisturbed = run_in(stage, scenario, stage.command(scenario));
        if (undisturbed.ended.status != scenario.status)
            tally.faults.push_back(scenario.name + ": " + undisturbed.ended.text() +
                                   " undisturbed: " + undisturbed.ended.errors);
        std::vector<Try> tries;
        for (const Call& call : calls_of(stage, scenario, calls_that_matter()))
            for (const std::string& error : errors_of(call.name))
                tries.push_back({call, error});
        if (tries.empty()) tally.faults.push_back(scenario.name + ": no system call was seen");
        for (const Try& attempt : chosen(std::move(tries), extent.most, random)) {
            const auto run = run_with(stage, scenario, attempt.call, "error=" + attempt.error);
            if (!run) continue;
            if (is_of_sanitizer(*run)) {
                ++of_sanitizer;
                continue;
            }
            ++tally.tries;
            if (same_end(*run, undisturbed)) {
                ++tally.done;
                continue;
            }
            const std::string fault = fault_of(scenario, *run, undisturbed, numbers.at(attempt.error));
            if (!fault.empty())
                tally.faults.push_back(scenario.name + ", " + attempt.error + " of " + attempt.call.name + " " +
                                       std::to_string(attempt.call.number) + ": " + fault + "\n" + run->ended.errors);
        }
    }
    if (of_sanitizer != 0) tally.what += ", without " + std::to_string(of_sanitizer) + " of the sanitizer itself";
    return tally;
}

Tally interrupt_calls(const Extent& extent) {
    Tally tally{"system calls that were interrupted", 0, 0, {}, strace_missing()};
    if (!tally.skipped.empty()) return tally;
    const std::vector<std::string> names{"openat", "read",  "pread64",   "write",    "pwrite64",
                                         "fsync",  "close", "fdatasync", "ftruncate"};
    const Stage stage(extent.binaries, doublings);
    std::mt19937 random(extent.seed);
    for (const Scenario& scenario : every_binary()) {
        const Aftermath undisturbed = run_in(stage, scenario, stage.command(scenario));
        std::vector<Try> tries;
        for (const Call& call : calls_of(stage, scenario, names))
            tries.push_back({call, "EINTR"});
        for (const Try& attempt : chosen(std::move(tries), extent.most, random)) {
            const auto run = run_with(stage, scenario, attempt.call, "error=EINTR");
            if (!run) continue;
            ++tally.tries;
            if (same_end(*run, undisturbed)) {
                ++tally.done;
                continue;
            }
            tally.faults.push_back(scenario.name + ", EINTR of " + attempt.call.name + " " +
                                   std::to_string(attempt.call.number) + ": " + run->ended.text() + "\n" +
                                   run->ended.errors);
        }
    }
    return tally;
}

}  // namespace hwtrace::test

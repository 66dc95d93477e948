#include <algorithm>
#include <csignal>
#include <random>

#include "faults/disturbances.hpp"
#include "faults/injection.hpp"

namespace hwtrace::test {

namespace {

constexpr unsigned doublings = 15;          // makes a run long enough to be hit
constexpr std::size_t default_tries = 200;  // per command and signal

/// Returns the content without temporary files.
Content visible(const Content& content) {
    Content rest = content;
    std::erase_if(rest, [](const auto& entry) { return is_temporary(entry.first); });
    return rest;
}

/// Describes what is wrong with a run that was interrupted by SIGINT. Returns an empty string if nothing is.
std::string fault_of_interrupted(const Scenario& scenario, const Aftermath& run, const Aftermath& undisturbed) {
    if (run.ended.signal != SIGINT && !same_end(run, undisturbed)) return run.ended.text() + "; " + run.ended.errors;
    if (!run.left.empty()) return "in the folder of temporary files, " + changes({}, run.left);
    // The signal may arrive after the work is done.
    if (run.output != scenario.old && run.output != undisturbed.output) return changes(scenario.old, run.output);
    return {};
}

/// Describes what is wrong with a killed run. Returns an empty string if nothing is. Each file must be complete or
/// unchanged. If the command writes several files, some may already have their final names.
std::string fault_of_killed(const Scenario& scenario, const Aftermath& run, const Aftermath& undisturbed) {
    if (run.ended.signal != SIGKILL && !same_end(run, undisturbed)) return run.ended.text() + "; " + run.ended.errors;
    const auto holds = [](const Content& content, const auto& entry) {
        const auto found = content.find(entry.first);
        return found != content.end() && found->second == entry.second;
    };
    const Content found = visible(run.output);
    std::string fault;
    for (const auto& entry : found)
        if (!holds(scenario.old, entry) && !holds(undisturbed.output, entry)) fault += entry.first + " is another; ";
    for (const auto& entry : scenario.old)
        if (!found.contains(entry.first)) fault += entry.first + " is gone; ";
    return fault;
}

/// Sends the signal at random times during each scenario.
Tally strike(const Extent& extent, int signal, const std::string& what,
             std::string (*fault_of)(const Scenario&, const Aftermath&, const Aftermath&)) {
    Tally tally{what};
    const Stage stage(extent.binaries, doublings);
    std::mt19937 random(extent.seed);
    for (const Scenario& scenario : writing()) {
        const Command command = stage.command(scenario);
        const Aftermath undisturbed = run_in(stage, scenario, command);
        std::uniform_real_distribution<double> moments(0, 1.1 * undisturbed.ended.seconds);
        for (std::size_t i = 0; i < (extent.most == 0 ? default_tries : extent.most); ++i) {
            const double moment = moments(random);
            const Aftermath run = run_in(stage, scenario, command, Blow{signal, moment});
            ++tally.tries;
            tally.done += run.ended.signal == 0 ? 1u : 0u;
            const std::string fault = fault_of(scenario, run, undisturbed);
            if (!fault.empty())
                tally.faults.push_back(scenario.name + ", after " + std::to_string(moment * 1000) + " ms: " + fault);
        }
    }
    return tally;
}

}  // namespace

Tally interrupt_runs(const Extent& extent) {
    return strike(extent, SIGINT, "runs that were interrupted", fault_of_interrupted);
}

Tally kill_runs(const Extent& extent) {
    return strike(extent, SIGKILL, "runs that were killed", fault_of_killed);
}

Tally interrupt_between_calls(const Extent& extent) {
    Tally tally{"runs that were interrupted at a system call", 0, 0, {}, strace_missing()};
    if (!tally.skipped.empty()) return tally;
    const Stage stage(extent.binaries, doublings - 3);
    std::mt19937 random(extent.seed);
    std::vector<std::string> names = calls_that_matter();
    names.insert(names.end(), {"unlink", "rmdir", "munmap", "rt_sigaction", "rt_sigprocmask"});
    for (const Scenario& scenario : writing()) {
        const Aftermath undisturbed = run_in(stage, scenario, stage.command(scenario));
        std::vector<Call> calls = calls_of(stage, scenario, names);
        // Before the signal handler is installed, there is nothing to clean up.
        if (extent.most != 0 && calls.size() > extent.most) {
            std::shuffle(calls.begin(), calls.end(), random);
            calls.resize(extent.most);
        }
        for (const Call& call : calls) {
            const auto run = run_with(stage, scenario, call, "signal=SIGINT");
            ++tally.tries;
            tally.done += run->ended.signal == 0 ? 1u : 0u;
            const std::string fault = fault_of_interrupted(scenario, *run, undisturbed);
            if (!fault.empty())
                tally.faults.push_back(scenario.name + ", at " + call.name + " " + std::to_string(call.number) + ": " +
                                       fault);
        }
    }
    return tally;
}

}  // namespace hwtrace::test

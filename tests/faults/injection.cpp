#include "faults/injection.hpp"

#include <algorithm>
#include <map>
#include <sstream>

namespace hwtrace::test {

namespace {

/// Returns the names as a list for strace. strace ignores names that this machine does not have.
std::string list_of(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names)
        list.append(list.empty() ? "?" : ",?").append(name);
    return list;
}

}  // namespace

const std::vector<std::string>& calls_that_matter() {
    static const std::vector<std::string> names{"openat", "read",       "pread64",   "write",   "pwrite64",
                                                "fsync",  "fdatasync",  "ftruncate", "rename",  "renameat",
                                                "close",  "renameat2",  "mkdir",     "mkdirat", "fchmod",
                                                "lseek",  "newfstatat", "link",      "fcntl"};
    return names;
}

std::string strace_missing() {
    const Ended ended = run({{"strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "trace=close", "-e",
                              "inject=close:error=EIO:when=60000", "true"},
                             "/"});
    if (ended.status == 0) return {};
    if (ended.status == 127) return "strace is not installed";
    return "strace cannot trace here: " + ended.errors.substr(0, ended.errors.find('\n'));
}

std::vector<Call> calls_of(const Stage& stage, const Scenario& scenario, const std::vector<std::string>& names) {
    const std::string log = (stage.folder() / "calls").string();
    std::vector<std::string> all = names;
    all.push_back("fcntl");
    run_in(stage, scenario,
           stage.command(scenario,
                         {"strace", "-f", "-qq", "-o", log, "-e", "trace=" + list_of(all), "-e", "signal=none"}));
    std::istringstream lines(read_content(log));
    std::vector<Call> calls;
    std::map<std::string, unsigned> made;
    std::string first_thread;
    for (std::string thread, rest; lines >> thread && std::getline(lines, rest);) {
        if (first_thread.empty()) first_thread = thread;
        const std::size_t begin = rest.find_first_not_of(' '), end = rest.find('(');
        if (thread != first_thread || end == std::string::npos || rest[begin] == '<') continue;
        const std::string name = rest.substr(begin, end - begin);
        const unsigned number = ++made[name];
        // Each program first checks that its standard streams are open. Calls before that check belong to the loader.
        // hwtrace executes another program, which has a loader and a check as well.
        if (rest.find("fcntl(0, F_GETFD") != std::string::npos) calls.clear();
        if (std::find(names.begin(), names.end(), name) != names.end()) calls.push_back({name, number});
    }
    return calls;
}

std::optional<Aftermath> run_with(const Stage& stage, const Scenario& scenario, const Call& call,
                                  const std::string& answer) {
    const std::string log = (stage.folder() / "calls").string();
    const std::string injected = "inject=" + call.name + ":" + answer + ":when=" + std::to_string(call.number);
    // It is fast to trace only this call, but then signals get lost.
    const bool signals = answer.starts_with("signal=");
    std::vector<std::string> tracer{"strace", "-f", "-qq", "-o", log, "-e", "trace=" + call.name, "-e", injected};
    if (!signals) tracer.insert(tracer.begin() + 1, "--seccomp-bpf");
    Aftermath after = run_in(stage, scenario, stage.command(scenario, tracer));
    if (!signals && read_content(log).find("(INJECTED)") == std::string::npos) return std::nullopt;
    return after;
}

}  // namespace hwtrace::test

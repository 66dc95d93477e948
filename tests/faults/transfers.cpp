#include <sched.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstring>

#include "faults/disturbances.hpp"
#include "faults/verdict.hpp"

namespace hwtrace::test {

namespace {

constexpr unsigned doublings = 12;

/// A file system of limited size, mounted for its lifetime.
class TinyDisk {
public:
    TinyDisk(std::filesystem::path folder, std::uint64_t bytes) : folder_(std::move(folder)) {
        const std::string size = "size=" + std::to_string(bytes);
        mounted_ = ::mount("none", folder_.c_str(), "tmpfs", 0, size.c_str()) == 0;
        if (!mounted_) why_ = std::strerror(errno);
    }
    TinyDisk(const TinyDisk&) = delete;
    TinyDisk& operator=(const TinyDisk&) = delete;
    ~TinyDisk() {
        if (mounted_) ::umount(folder_.c_str());
    }
    /// Returns the reason why the file system could not be mounted, or an empty string if it was mounted.
    const std::string& why() const noexcept { return why_; }

private:
    std::filesystem::path folder_;
    bool mounted_ = false;
    std::string why_;
};

}  // namespace

Tally cut_transfers(const Extent& extent) {
    Tally tally{"runs with short reads and writes"};
    const Stage stage(extent.binaries, doublings);
    for (const Scenario& scenario : every_binary()) {
        Command command = stage.command(scenario);
        const Aftermath undisturbed = run_in(stage, scenario, command);
        command.environment["LD_PRELOAD"] = extent.pieces.string();
        const Aftermath run = run_in(stage, scenario, command);
        ++tally.tries;
        if (same_end(run, undisturbed) && run.ended.errors == undisturbed.ended.errors)
            ++tally.done;
        else
            tally.faults.push_back(scenario.name + ": " + run.ended.text() + ", " +
                                   changes(undisturbed.output, run.output) + "\n" + run.ended.errors);
    }
    return tally;
}

Tally fill_disk(const Extent& extent) {
    Tally tally{"runs on a full disk"};
    // Only this process and its children see the mount. The mount vanishes with these processes.
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
        tally.skipped = std::string("no file system can be mounted here: ") + std::strerror(errno);
        return tally;
    }
    const Stage stage(extent.binaries, doublings);
    for (const Scenario& scenario : every_binary()) {
        const Command command = stage.command(scenario);
        const Aftermath undisturbed = run_in(stage, scenario, command);
        // Starts with room for the old files and a part of the output, and adds more until everything fits.
        constexpr std::uint64_t page = 4096;
        const std::uint64_t step = extent.most == 0 ? 1 : 4;
        for (std::uint64_t pages = 4 + scenario.old.size(); pages < 1024;
             pages += pages < 16 ? step : pages / 4 * step) {
            stage.prepare({});
            const TinyDisk disk(stage.folder() / "out", pages * page);
            if (!disk.why().empty()) {
                tally.skipped = "no file system can be mounted here: " + disk.why();
                return tally;
            }
            for (const auto& [name, bytes] : scenario.old)
                write_content(stage.folder() / "out" / name, bytes);
            const Ended ended = run(command);
            const Content all = stage.output();
            ++tally.tries;
            if (ended.status == undisturbed.ended.status && all == undisturbed.output) {
                ++tally.done;
                break;
            }
            const Content output = without_whole_reports(scenario, all);
            std::string fault;
            if (ended.status != 5) fault = ended.text();
            if (output != scenario.old) fault += " " + changes(scenario.old, output);
            if (ended.errors.find(std::strerror(ENOSPC)) == std::string::npos)
                fault += " the message does not state the reason";
            if (!fault.empty())
                tally.faults.push_back(scenario.name + ", " + std::to_string(pages) + " pages: " + fault + "\n" +
                                       ended.errors);
        }
    }
    return tally;
}

}  // namespace hwtrace::test

#include "faults/scenarios.hpp"

#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace hwtrace::test {

namespace fs = std::filesystem;

namespace {

template <std::size_t size>
std::string bytes(const char (&text)[size]) {
    return std::string(text, size - 1);
}

}  // namespace

// VERSION, ISA, INST_IEM, TRACE_INFO, features, FORCE_PC, END_HEADER.
const std::string stf_header = bytes(
    "\001STF\002\001\000\000\000\006\000\000\000\004\001\000\005\002\000"
    "\006\001\001\000\000\004\000hand\007\000\000\010\000\000\000\000\000"
    "\011\000\000\000\200\000\000\000\000\023");
const std::string stf_instruction = bytes("\360\063\007\266\000");  // add a4, a2, a1

std::string stf_of(unsigned doublings) {
    std::string trace = stf_header;
    for (std::size_t left = std::size_t{1} << doublings; left > 0; --left)
        trace.append(stf_instruction);
    return trace;
}

Stage::Stage(fs::path binaries, unsigned doublings) : binaries_(fs::absolute(binaries)) {
    std::string pattern = (fs::temp_directory_path() / "hwtrace-faults-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder for the tests");
    folder_ = pattern;
    fs::create_directories(folder_ / "in");
    for (const char* const name : {"out", "tmp"})
        fs::create_directories(folder_ / name);
    const std::string large = stf_of(doublings);
    write_content(folder_ / "in/small.stf", stf_of(3));
    write_content(folder_ / "in/piped.stf", stf_of(10));
    write_content(folder_ / "in/large.stf", large);
    write_content(folder_ / "in/cut.stf", large.substr(0, large.size() - 3));
    for (const char* const name : {"large.uscope", "large.zstf", "large.flux", "large.ftr"})
        if (run({{(binaries_ / "hwtrace-convert").string(), "-q", "--allow-loss", "in/large.stf",
                  std::string("in/") + name},
                 folder_})
                .status != 0)
            throw std::runtime_error(std::string("in/") + name + " cannot be made");
    write_content(folder_ / "in/cut.uscope", [&] {
        const std::string whole = read_content(folder_ / "in/large.uscope");
        return whole.substr(0, whole.size() - 100);
    }());
}

Stage::~Stage() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

Command Stage::command(const Scenario& scenario, const std::vector<std::string>& before) const {
    Command command{before, folder_, scenario.input, scenario.piped, {}};
    const std::string& verb = scenario.arguments.front();
    command.arguments.push_back((binaries_ / (verb.empty() ? "hwtrace" : "hwtrace-" + verb)).string());
    command.arguments.insert(command.arguments.end(), scenario.arguments.begin() + 1, scenario.arguments.end());
    command.environment["TMPDIR"] = (folder_ / "tmp").string();
    // LeakSanitizer does not work in a traced process.
    const char* const options = std::getenv("ASAN_OPTIONS");
    command.environment["ASAN_OPTIONS"] =
        std::string(options == nullptr ? "" : options) + ":detect_leaks=0:verify_asan_link_order=0";
    return command;
}

void Stage::prepare(const Scenario& scenario) const {
    make_folder(folder_ / "out", scenario.old);
    make_folder(folder_ / "tmp", {});
}

std::vector<Scenario> writing() {
    const Content old{{"old.uscope", "old"}, {"old.stf", "old"}};
    return {
        {"convert", {"convert", "in/large.stf", "out/new.uscope"}, 0, old},
        {"convert --force", {"convert", "in/large.stf", "out/old.uscope", "--force"}, 0, old},
        {"merge", {"merge", "in/large.uscope", "in/large.ftr", "-o", "out/old.uscope", "-f", "--allow-loss"}, 0, old},
        {"split", {"split", "in/large.stf", "--every", "1500#", "-o", "out/part-{}.stf"}, 0, old},
        {"split --force",
         {"split", "in/large.stf", "--every", "3000#", "-o", "out/part-{}.stf", "-f"},
         0,
         {{"part-0000.stf", "old"}, {"part-0001.stf", "old"}, {"other", "old"}}},
        {"recover", {"recover", "in/cut.stf", "out/old.stf", "--force"}, 3, old},
    };
}

std::vector<Scenario> every_binary() {
    std::vector<Scenario> all = writing();
    const Content old{{"old", "old"}, {"losses.json", "old"}};
    for (const char* const name : {"stf", "zstf", "stf.gz", "stf.xz", "stf.zst", "flux", "ftr", "pccx", "jsonl",
                                   "jsonl.gz", "kanata", "o3pipeview", "txlog"})
        all.push_back({.name = std::string("convert to ") + name,
                       .arguments = {"convert", "in/large.uscope", std::string("out/new.") + name, "--allow-loss"},
                       .old = old});
    const std::vector<std::string> losses{"losses.json"};
    const std::vector<Scenario> others{
        {.name = "convert --verify",
         .arguments = {"convert", "in/large.stf", "out/new.uscope", "--verify", "--loss-report", "out/losses.json"},
         .reports = losses},
        {.name = "convert, -j 2", .arguments = {"convert", "in/large.zstf", "out/new.zstf", "-j", "2"}},
        {.name = "convert with losses",
         .arguments = {"convert", "in/large.flux", "out/new.pccx", "--loss-report", "out/losses.json"},
         .status = 3,
         .reports = losses},
        {.name = "convert of a range",
         .arguments = {"convert", "in/large.stf", "out/new.uscope", "--range", "#100:#200"}},
        {.name = "convert of pipes",
         .arguments = {"convert", "-", "-", "--to", "uscope"},
         .input = "in/piped.stf",
         .piped = true},
        {.name = "dump", .arguments = {"dump", "in/large.stf"}},
        {.name = "dump of the model", .arguments = {"dump", "in/large.uscope", "--view", "model", "--format", "jsonl"}},
        {.name = "dump of a pipe", .arguments = {"dump", "-"}, .input = "in/piped.stf", .piped = true},
        {.name = "validate",
         .arguments = {"validate", "in/large.stf", "in/cut.stf", "-j", "1", "--report", "text", "--report",
                       "json=out/new.json", "--report", "jsonl=out/old", "--report", "junit=out/new.xml", "--report",
                       "sarif=out/new.sarif", "--write-baseline", "out/base.json"},
         .reports = {"new.json", "old", "new.xml", "new.sarif", "base.json"},
         .goes_on = true},
        {.name = "validate, -j 2",
         .arguments = {"validate", "in/large.stf", "in/cut.stf", "-j", "2", "--report", "junit=out/new.xml"},
         .status = 3,
         .reports = {"new.xml"},
         .goes_on = true},
        {.name = "info", .arguments = {"info", "in/large.stf", "in/large.ftr"}, .goes_on = true},
        {.name = "diff", .arguments = {"diff", "in/large.stf", "in/large.uscope"}},
        {.name = "diff of others", .arguments = {"diff", "in/large.stf", "in/small.stf"}, .status = 1},
        {.name = "split by scope",
         .arguments = {"split", "in/large.uscope", "--by", "scope", "-o", "out/{}.uscope", "--loss-report",
                       "out/losses.json", "--allow-loss"},
         .reports = losses},
        {.name = "recover of a table format", .arguments = {"recover", "in/cut.uscope", "out/new.uscope"}, .status = 3},
        {.name = "one program for all", .arguments = {"", "convert", "in/large.stf", "out/new.uscope"}},
    };
    for (Scenario other : others) {
        other.old = old;
        all.push_back(std::move(other));
    }
    return all;
}

}  // namespace hwtrace::test

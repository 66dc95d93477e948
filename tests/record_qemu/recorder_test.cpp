#include "record-qemu/recorder.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>

namespace recorder_test {

using namespace hwtrace::record_qemu;
namespace stf = hwtrace::stf;

constexpr std::uint32_t add = 0x00b50533, jump_back_8 = 0xff9ff06f, branch_8 = 0x00b50463, load = 0x00053503,
                        jump_to_register = 0x00008067, store_conditional = 0x18b5352f;

/// A trace in a folder of its own.
struct File {
    std::filesystem::path folder;
    std::string path;

    File() {
        std::string name = (std::filesystem::temp_directory_path() / "hwtrace-recorder-XXXXXX").string();
        folder = ::mkdtemp(name.data());
        path = (folder / "trace.stf").string();
    }
    ~File() { std::filesystem::remove_all(folder); }

    /// Returns "pc>target r8@address=data thread" of each instruction.
    std::string text() const {
        std::ostringstream out;
        out << std::hex;
        stf::InstructionReader reader(path);
        stf::Instruction one;
        while (reader.next(one)) {
            out << (one.index == 0 ? "" : " ") << one.pc;
            if (one.target) out << '>' << *one.target;
            for (const stf::MemoryAccess& access : one.accesses)
                out << (access.kind == stf::AccessKind::read ? 'r' : 'w') << access.size << '@' << access.address << '='
                    << access.data[0];
            for (const stf::Event& event : one.events)
                if (event.type == stf::RecordType::process_id) out << '#' << event.values[0];
        }
        CHECK(reader.faults().empty());
        return out.str();
    }
};

/// Executes instructions of threads; the last instruction of a thread is complete when it ends.
struct Run {
    File file;
    Recorder recorder;
    Thread first{0}, second{1};

    explicit Run(Region region = {}) : recorder(file.path, stf::Header(), {}, std::move(region)) {}
    void execute(Thread& thread, std::uint64_t pc, std::uint32_t encoding, const char* symbol = nullptr) {
        thread.execute(recorder.code(pc, encoding, 4, symbol));
    }
    std::string end() {
        recorder.take(first, true);
        recorder.take(second, true);
        recorder.finish();
        return file.text();
    }
};

TEST_CASE("recorder: control transfers get their targets from what follows") {
    Run run;
    run.execute(run.first, 0x100, add);
    run.execute(run.first, 0x104, branch_8);  // not taken
    run.execute(run.first, 0x108, branch_8);
    run.execute(run.first, 0x110, jump_back_8);
    run.execute(run.first, 0x108, branch_8);
    run.execute(run.first, 0x500, add);  // a signal handler: the branch is not known to be taken
    run.execute(run.first, 0x504, jump_to_register);
    run.execute(run.first, 0x110, jump_back_8);
    CHECK(run.end() == "100 104 108>110 110>108 108 500 504>110 110");
}

TEST_CASE("recorder: the last instruction of a buffer waits for its successor, with its accesses") {
    Run run;
    run.execute(run.first, 0x100, load);
    run.first.touch({.address = 0x10, .data = 1, .size = 8, .is_store = false});
    run.execute(run.first, 0x104, branch_8);
    run.recorder.take(run.first, false);
    run.recorder.take(run.first, false);
    run.execute(run.first, 0x10c, load);
    run.first.touch({.address = 0x20, .data = 2, .size = 4, .is_store = false});
    run.recorder.take(run.first, false);
    run.first.touch({.address = 0x24, .data = 3, .size = 4, .is_store = true});
    CHECK(run.end() == "100r8@10=1 104>10c 10cr4@20=2w4@24=3");
}

TEST_CASE("recorder: a change of the thread is stated") {
    Run run;
    run.execute(run.first, 0x100, add);
    run.execute(run.first, 0x104, add);
    run.recorder.take(run.first, false);
    run.execute(run.second, 0x200, add);
    run.recorder.take(run.second, true);
    CHECK(run.end() == "100 200#1 104#0");
}

TEST_CASE("recorder: a region is chosen by symbols, addresses and counts") {
    const auto record = [](Region region) {
        Run run(std::move(region));
        for (std::uint64_t pc = 0x100; pc < 0x120; pc += 4)
            run.execute(run.first, pc, add, pc < 0x108 ? "start" : pc < 0x110 ? "kernel" : "after");
        return run.end();
    };
    CHECK(record({.from = "kernel", .to = "after", .skip = 0, .limit = {}}) == "108 10c");
    CHECK(record({.from = "0x10c", .to = "0x114", .skip = 0, .limit = {}}) == "10c 110");
    CHECK(record({.from = "kernel", .to = {}, .skip = 1, .limit = 2}) == "10c 110");
    CHECK(record({.from = {}, .to = {}, .skip = 7, .limit = {}}) == "11c");
    CHECK(record({.from = {}, .to = "0x100", .skip = 0, .limit = 1}) == "100");  // a region has an instruction
    CHECK(record({.from = "nothing", .to = {}, .skip = 0, .limit = {}}).empty());
}

TEST_CASE("recorder: one place may hold different instructions") {
    Run run;
    const Code& before = run.recorder.code(0x100, add, 4, nullptr);
    const Code& after = run.recorder.code(0x100, store_conditional, 4, nullptr);
    CHECK(&before != &after);
    CHECK(&before == &run.recorder.code(0x100, add, 4, nullptr));
    CHECK(after.is_store_conditional);
    CHECK_FALSE(before.is_store_conditional);
    run.end();
}

}  // namespace recorder_test

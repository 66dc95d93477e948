// tests/io/output_test.cpp - tests that outputs appear complete or not at all.
#include "io/output.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/text_output.hpp"
#include "support/corpus.hpp"

namespace hwtrace::output_test {
namespace {

using test::read_text;
using test::TemporaryFolder;

std::size_t entries(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

void write_output(const std::filesystem::path& path, Existing existing, std::string_view text) {
    const auto output = open_file_output(path.string(), existing);
    output->append(as_bytes(text));
    output->commit();
}

Failure failure_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.failure();
    }
    FAIL("nothing was thrown");
    return Failure::internal;
}

mode_t mode_of(const std::filesystem::path& path) {
    struct stat status {};
    REQUIRE(stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

/// Runs `child` in a separate process and returns its wait status.
int in_child(const std::function<int()>& child) {
    const pid_t pid = fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
        int code = 99;
        try {
            code = child();
        } catch (...) {
        }
        _exit(code);
    }
    int status = 0;
    REQUIRE(waitpid(pid, &status, 0) == pid);
    return status;
}

TEST_CASE("a file appears under its name only on commit") {
    const TemporaryFolder folder;
    const auto path = folder / "out";
    auto output = open_file_output(path.string(), Existing::refuse);
    output->append(as_bytes("hello"));
    output->sync();
    CHECK_FALSE(std::filesystem::exists(path));
    CHECK(entries(folder.path()) == 1);
    const auto temporary = std::filesystem::directory_iterator(folder.path())->path().filename().string();
    CHECK(temporary.starts_with(".out.hwtrace-"));
    output->commit();
    CHECK(read_text(path) == "hello");
    output.reset();
    CHECK(read_text(path) == "hello");
    CHECK(entries(folder.path()) == 1);
}

TEST_CASE("outputs of several threads do not disturb each other, and abandoned outputs leave no files") {
    constexpr int threads = 8, each = 20;
    const TemporaryFolder folder;
    {
        std::vector<std::jthread> writers;
        for (int number = 0; number < threads; ++number)
            writers.emplace_back([&folder, number] {
                for (int i = 0; i < each; ++i) {
                    const std::string name = std::to_string(number) + "." + std::to_string(i);
                    const auto output = open_file_output((folder / name).string(), Existing::refuse);
                    output->append(as_bytes(name));
                    if (i % 2 == 0) output->commit();
                }
            });
    }
    CHECK(entries(folder.path()) == threads * each / 2);
    for (int number = 0; number < threads; ++number)
        for (int i = 0; i < each; i += 2) {
            const std::string name = std::to_string(number) + "." + std::to_string(i);
            CHECK(read_text(folder / name) == name);
        }
}

TEST_CASE("without commit no file is left, and an old file is untouched") {
    const TemporaryFolder folder;
    const auto path = folder / "out";
    write_output(path, Existing::refuse, "old");
    {
        const auto output = open_file_output(path.string(), Existing::replace);
        output->append(as_bytes("new"));
        output->sync();
    }
    CHECK(read_text(path) == "old");
    CHECK(entries(folder.path()) == 1);
}

TEST_CASE("an existing file is refused, or replaced with its permissions") {
    const TemporaryFolder folder;
    const auto path = folder / "out";
    write_output(path, Existing::refuse, "old");
    CHECK(failure_of([&] { open_file_output(path.string(), Existing::refuse); }) == Failure::usage);
    CHECK(read_text(path) == "old");
    for (const mode_t mode : {0640u, 0600u, 0444u}) {
        REQUIRE(chmod(path.c_str(), mode) == 0);
        write_output(path, Existing::replace, "new");
        CHECK(mode_of(path) == mode);
    }
    CHECK(read_text(path) == "new");
    CHECK(entries(folder.path()) == 1);
}

TEST_CASE("a new file has the permissions of the umask") {
    const TemporaryFolder folder;
    const mode_t before = umask(027);
    write_output(folder / "out", Existing::refuse, "x");
    umask(before);
    CHECK(mode_of(folder / "out") == 0640);
}

TEST_CASE("a file that appeared meanwhile is not overwritten") {
    const TemporaryFolder folder;
    const auto path = folder / "out";
    auto first = open_file_output(path.string(), Existing::refuse);
    first->append(as_bytes("first"));
    write_output(path, Existing::refuse, "second");
    CHECK(failure_of([&] { first->commit(); }) == Failure::usage);
    first.reset();
    CHECK(read_text(path) == "second");
    CHECK(entries(folder.path()) == 1);
}

TEST_CASE("the input is refused as output under any of its names, even when replacing") {
    const TemporaryFolder folder;
    write_output(folder / "in", Existing::refuse, "data");
    std::filesystem::create_hard_link(folder / "in", folder / "hard");
    std::filesystem::create_symlink("in", folder / "soft");
    const Input input = Input::open((folder / "in").string());
    for (const char* name : {"in", "hard", "soft"}) {
        CAPTURE(name);
        CHECK(failure_of([&] { open_file_output((folder / name).string(), Existing::replace, {input.identity()}); }) ==
              Failure::usage);
    }
    CHECK(read_text(folder / "in") == "data");
    CHECK_NOTHROW(open_file_output((folder / "other").string(), Existing::refuse, {input.identity()}));
}

TEST_CASE("a symbolic link stays and its target is replaced") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "deep");
    write_output(folder / "deep/target", Existing::refuse, "old");
    std::filesystem::create_symlink("deep/target", folder / "link");
    write_output(folder / "link", Existing::replace, "new");
    CHECK(std::filesystem::is_symlink(folder / "link"));
    CHECK(read_text(folder / "deep/target") == "new");
    CHECK(entries(folder / "deep") == 1);
}

TEST_CASE("a dangling symbolic link stays, and its target is created") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "deep");
    std::filesystem::create_symlink("deep/second", folder / "first");
    std::filesystem::create_symlink("target", folder / "deep/second");
    for (const Existing existing : {Existing::refuse, Existing::replace}) {
        write_output(folder / "first", existing, "new");
        CHECK(std::filesystem::is_symlink(folder / "first"));
        CHECK(std::filesystem::is_symlink(folder / "deep/second"));
        CHECK(read_text(folder / "deep/target") == "new");
        CHECK(entries(folder / "deep") == 2);
        std::filesystem::remove(folder / "deep/target");
    }
    {
        const auto output = open_visible_output((folder / "first").string(), Existing::refuse);
        output->append(as_bytes("live"));
        output->sync();
        CHECK(read_text(folder / "deep/target") == "live");
        output->commit();
    }
    CHECK(std::filesystem::is_symlink(folder / "first"));
    std::filesystem::create_symlink("loop", folder / "loop");
    std::filesystem::create_symlink("no/such/folder", folder / "lost");
    for (const char* const name : {"loop", "lost"}) {
        CAPTURE(name);
        CHECK(failure_of([&] { open_file_output((folder / name).string(), Existing::replace); }) == Failure::io);
        CHECK(std::filesystem::is_symlink(folder / name));
    }
}

TEST_CASE("folders, devices and paths in missing folders are refused as outputs") {
    const TemporaryFolder folder;
    CHECK(failure_of([&] { open_file_output(folder.path().string(), Existing::replace); }) == Failure::io);
    CHECK(failure_of([&] { open_file_output((folder / "no/out").string(), Existing::refuse); }) == Failure::io);
    CHECK(failure_of([&] { open_file_output("", Existing::refuse); }) == Failure::io);
    CHECK(failure_of([&] { open_file_output("/dev/null", Existing::replace); }) == Failure::usage);
    CHECK(failure_of([&] { open_file_output((folder / std::string(300, 'x')).string(), Existing::refuse); }) ==
          Failure::io);
}

TEST_CASE("an output may have the longest name that the file system allows") {
    const TemporaryFolder folder;
    const auto path = folder / std::string(255, 'x');
    write_output(path, Existing::refuse, "x");
    CHECK(read_text(path) == "x");
}

TEST_CASE("patches are applied in the buffer, in the file, and across both") {
    const TemporaryFolder folder;
    constexpr std::size_t piece = 256u << 10;
    for (const std::size_t size : {piece - 1, piece, piece + 1, 3 * piece}) {
        CAPTURE(size);
        const auto path = folder / std::to_string(size);
        const auto output = open_file_output(path.string(), Existing::refuse);
        std::string expected(size, 'a');
        output->append(as_bytes(expected));
        output->append(as_bytes("tail of the file"));
        expected += "tail of the file";
        CHECK(output->size() == expected.size());
        for (const std::size_t at : {std::size_t{0}, size - 2, size + 12}) {
            output->patch(at, as_bytes("1234"));
            expected.replace(at, 4, "1234");
        }
        CHECK(failure_of([&] { output->patch(expected.size() - 3, as_bytes("1234")); }) == Failure::internal);
        CHECK(failure_of([&] { output->patch(~0ull, as_bytes("1234")); }) == Failure::internal);
        Input back = *output->reopen();
        const auto bytes = back.read_all_at(0, expected.size());
        CHECK(as_text(bytes) == expected);
        CHECK(back.size() == expected.size());
        output->commit();
        CHECK(read_text(path) == expected);
    }
}

TEST_CASE("patches of the first bytes reach the file with the bytes appended after them") {
    const TemporaryFolder folder;
    constexpr std::size_t head = 4096, piece = 300u << 10;
    for (const bool visible : {false, true}) {
        CAPTURE(visible);
        const auto path = folder / (visible ? "visible" : "file");
        const auto output = visible ? open_visible_output(path.string(), Existing::refuse)
                                    : open_file_output(path.string(), Existing::refuse);
        std::string expected;
        const auto append = [&](std::size_t size) {
            const std::string bytes(size, static_cast<char>('a' + expected.size() % 26));
            output->append(as_bytes(bytes));
            expected += bytes;
        };
        const auto patch = [&](std::size_t at, std::string_view bytes) {
            output->patch(at, as_bytes(bytes));
            expected.replace(at, bytes.size(), bytes);
        };
        append(head - 96);
        output->sync();
        append(piece);  // the first bytes are written in two pieces
        patch(40, "0123");
        patch(8, "4567");
        patch(head - 2, "across");
        if (visible) CHECK(read_text(path).substr(0, head + piece) == expected);
        append(piece);
        patch(head - 100, "89");
        Input back = *output->reopen();
        CHECK(as_text(back.read_all_at(0, expected.size())) == expected);
        patch(0, "ab");
        append(10);
        output->commit();
        CHECK(read_text(path) == expected);
    }
}

TEST_CASE("the contents of a memory output can be read before commit, which hands them over") {
    std::vector<std::byte> got;
    const auto output = open_memory_output("here", [&](std::vector<std::byte> bytes) { got = std::move(bytes); });
    output->append(as_bytes("abcd"));
    output->patch(1, as_bytes("xy"));
    CHECK(as_text(output->reopen()->read_all_at(0, 4)) == "axyd");
    CHECK(failure_of([&] { output->patch(3, as_bytes("zz")); }) == Failure::internal);
    output->commit();
    CHECK(as_text(got) == "axyd");
}

/// Returns the result of shift(from, to) on `text`, with the gap filled by `filling`.
std::string shifted(std::string text, std::size_t from, std::size_t to, std::string_view filling) {
    if (to < from) return text.erase(to, from - to);
    return text.insert(from, filling.substr(0, to - from));
}

std::string numbered_text(std::size_t size) {
    std::string text;
    for (std::size_t i = 0; text.size() < size; ++i)
        text.append(std::to_string(i)).append(" ");
    text.resize(size);
    return text;
}

/// Shifts, patches the gap and the bytes around its end, appends, and shifts again. Returns the expected contents.
std::string shift_patch_append(Output& output, std::size_t size, std::size_t from, std::size_t to,
                               std::size_t append_size) {
    const std::string text = numbered_text(size);
    const std::string room(to > from ? to - from : 0, '#');
    output.append(as_bytes(text));
    output.shift(from, to);
    if (!room.empty()) output.patch(from, as_bytes(room));
    std::string expected = shifted(text, from, to, room);
    if (output.size() != expected.size()) return "another size";

    const std::string tail = numbered_text(append_size);
    output.append(as_bytes(tail));
    expected += tail;
    const std::size_t across = std::min(to, expected.size() - 2);
    output.patch(across, as_bytes("<>"));
    expected.replace(across, 2, "<>");

    output.shift(across, across + 3);
    output.patch(across, as_bytes("and"));
    output.shift(1, 0);
    return shifted(shifted(expected, across, across + 3, "and"), 1, 0, "");
}

struct Shift {
    std::size_t size, from, to, append_size;
};

constexpr std::size_t moved_at_a_time = 4u << 20;

// Shifts inside the buffer (256 KiB), inside the file, and across both. Sizes and distances are below, at and above the
// size of one move. Shifts move everything, a part, or nothing.
const std::vector<Shift> shifts{
    {100, 20, 25, 10},
    {100, 20, 15, 10},
    {100, 0, 7, 10},
    {100, 7, 0, 10},
    {100, 100, 130, 10},
    {100, 100, 60, 10},
    {100, 100, 0, 10},
    {100, 40, 40, 10},
    {0, 0, 5, 10},
    {256u << 10, 1, 2, 10},
    {300'000, 299'990, 299'970, 300'000},
    {300'000, 16, 290'000, 5},
    {300'000, 290'000, 16, 5},
    {moved_at_a_time + 16, 16, 17, 5},
    {moved_at_a_time + 17, 16, 15, 5},
    {2 * moved_at_a_time + 12'345, 300, 350, 5},
    {2 * moved_at_a_time + 12'345, 350, 300, 300'000},
    {2 * moved_at_a_time + 12'345, 10, moved_at_a_time + 20, 5},
    {2 * moved_at_a_time + 12'345, moved_at_a_time + 20, 10, 5},
};

std::string text_of(const Shift& shift) {
    return std::to_string(shift.size) + " bytes from " + std::to_string(shift.from) + " to " + std::to_string(shift.to);
}

// Compares whole strings, because doctest would print megabytes.
bool same(std::string_view one, std::string_view other) {
    return one == other;
}

TEST_CASE("a file can be shifted, patched and appended to") {
    const TemporaryFolder folder;
    const auto path = folder / "out";
    for (const Shift& shift : shifts) {
        CAPTURE(text_of(shift));
        const auto output = open_file_output(path.string(), Existing::replace);
        const std::string expected = shift_patch_append(*output, shift.size, shift.from, shift.to, shift.append_size);
        CHECK(output->size() == expected.size());
        {
            Input back = *output->reopen();
            CHECK(back.size() == expected.size());
            CHECK(same(as_text(back.read_all_at(0, expected.size())), expected));
        }
        output->commit();
        CHECK(same(read_text(path), expected));
    }
}

TEST_CASE("memory can be shifted, patched and appended to") {
    for (const Shift& shift : shifts) {
        CAPTURE(text_of(shift));
        std::vector<std::byte> got;
        const auto output = open_memory_output("here", [&](std::vector<std::byte> bytes) { got = std::move(bytes); });
        const std::string expected = shift_patch_append(*output, shift.size, shift.from, shift.to, shift.append_size);
        CHECK(output->size() == expected.size());
        output->commit();
        CHECK(same(as_text(got), expected));
    }
}

TEST_CASE("a shift past the end extends the file even if nothing is written there") {
    const TemporaryFolder folder;
    const auto path = folder / "out";
    const auto output = open_file_output(path.string(), Existing::refuse);
    output->append(as_bytes("abc"));
    output->shift(3, 7);
    CHECK(output->size() == 7);
    CHECK(output->reopen()->size() == 7);
    output->shift(1, 0);  // reads back bytes that were never written
    output->commit();
    CHECK(read_text(path) == std::string("bc\0\0\0\0", 6));
}

TEST_CASE("a shift that starts after the end is an internal error and has no effect") {
    const TemporaryFolder folder;
    std::vector<std::byte> got;
    const auto file = open_file_output((folder / "out").string(), Existing::refuse);
    const auto memory = open_memory_output("here", [&](std::vector<std::byte> bytes) { got = std::move(bytes); });
    for (Output* const output : {file.get(), memory.get()}) {
        output->append(as_bytes("abc"));
        for (const std::uint64_t from : {std::uint64_t{4}, ~std::uint64_t{0}})
            for (const std::uint64_t to : {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{8}})
                CHECK(failure_of([&] { output->shift(from, to); }) == Failure::internal);
        CHECK(output->size() == 3);
        output->commit();
    }
    CHECK(read_text(folder / "out") == "abc");
    CHECK(as_text(got) == "abc");
}

TEST_CASE("a killed process leaves no temporary file") {
    const TemporaryFolder folder;
    const int status = in_child([&] {
        std::signal(SIGTERM, [](int signal) {
            remove_open_temporaries();
            std::signal(signal, SIG_DFL);
            std::raise(signal);
        });
        const auto one = open_file_output((folder / "one").string(), Existing::refuse);
        const auto two = open_file_output((folder / "two").string(), Existing::refuse);
        one->append(as_bytes("x"));
        two->sync();
        if (entries(folder.path()) != 2) return 1;
        std::raise(SIGTERM);
        return 2;
    });
    CHECK(WIFSIGNALED(status));
    CHECK(entries(folder.path()) == 0);
}

TEST_CASE("committed files are no longer removed by a signal") {
    const TemporaryFolder folder;
    write_output(folder / "out", Existing::refuse, "x");
    remove_open_temporaries();
    CHECK(read_text(folder / "out") == "x");
}

TEST_CASE("any number of outputs is possible in sequence, but only a limited number at once") {
    const TemporaryFolder folder;
    for (int i = 0; i < 200; ++i)
        open_file_output((folder / "out").string(), Existing::refuse);
    std::vector<std::unique_ptr<Output>> open;
    CHECK(failure_of([&] {
              for (int i = 0; i < 200; ++i)
                  open.push_back(open_file_output((folder / ("out" + std::to_string(i))).string(), Existing::refuse));
          }) == Failure::usage);
    CHECK(open.size() >= 32);
    open.clear();
    CHECK(entries(folder.path()) == 0);
}

TEST_CASE("a full disk is a system error and leaves no files") {
    const TemporaryFolder folder;
    constexpr int cannot_mount = 77;
    const int status = in_child([&] {
        if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            mount("none", folder.path().c_str(), "tmpfs", 0, "size=256k") != 0)
            return cannot_mount;
        const std::string text(1u << 20, 'x');
        try {
            const auto output = open_file_output((folder / "out").string(), Existing::refuse);
            output->append(as_bytes(text));
            output->commit();
            return 1;
        } catch (const Error& error) {
            if (error.failure() != Failure::io) return 2;
            if (std::string_view(error.what()).find("No space left on device") == std::string_view::npos) return 3;
        }
        if (entries(folder.path()) != 0) return 4;
        {
            // The content fits into the buffer, so only commit can fail.
            const auto filler = open_file_output((folder / "filler").string(), Existing::refuse);
            filler->append(as_bytes(text).first(200u << 10));
            filler->commit();
        }
        try {
            const auto output = open_file_output((folder / "out").string(), Existing::refuse);
            output->append(as_bytes(text).first(100u << 10));
            output->commit();
            return 5;
        } catch (const Error& error) {
            if (error.failure() != Failure::io) return 6;
        }
        return entries(folder.path()) == 1 ? 0 : 7;
    });
    REQUIRE(WIFEXITED(status));
    if (WEXITSTATUS(status) == cannot_mount)
        MESSAGE("skipped: a file system cannot be mounted here");
    else
        CHECK(WEXITSTATUS(status) == 0);
}

/// Runs `child` with `descriptor` as its standard output.
int with_stdout(int descriptor, const std::function<int()>& child) {
    return in_child([&] {
        dup2(descriptor, STDOUT_FILENO);
        close(descriptor);
        return child();
    });
}

TEST_CASE("standard output receives everything, streamed or spooled and patched") {
    const TemporaryFolder folder;
    const std::string large(300'000, 'b');
    for (const bool patchable : {false, true}) {
        CAPTURE(patchable);
        const auto path = folder / (patchable ? "spooled" : "streamed");
        const int file = open(path.c_str(), O_CREAT | O_WRONLY, 0600);
        REQUIRE(file >= 0);
        const int status = with_stdout(file, [&] {
            const auto output = open_stdout_output(patchable, folder.path().string());
            output->append(as_bytes("aaaa"));
            output->append(as_bytes(large));
            if (output->size() != 300'004) return 1;
            if (patchable) {
                output->patch(1, as_bytes("xy"));
                if (as_text(output->reopen()->read_all_at(0, 4)) != "axya") return 2;
            } else {
                if (output->reopen()) return 3;
                if (failure_of([&] { output->patch(0, as_bytes("x")); }) != Failure::internal) return 4;
            }
            output->commit();
            return 0;
        });
        close(file);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
        CHECK(read_text(path) == (patchable ? "axya" : "aaaa") + large);
    }
}

TEST_CASE("spooled standard output can be shifted, streamed output cannot") {
    const TemporaryFolder folder;
    const auto path = folder / "spooled";
    for (const Shift& shift : shifts) {
        CAPTURE(text_of(shift));
        const int file = open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR, 0600);
        REQUIRE(file >= 0);
        const int status = with_stdout(file, [&] {
            const auto output = open_stdout_output(true, folder.path().string());
            const std::string expected =
                shift_patch_append(*output, shift.size, shift.from, shift.to, shift.append_size);
            output->commit();
            return same(read_text(path), expected) ? 0 : 1;
        });
        close(file);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
    const int file = open(path.c_str(), O_CREAT | O_TRUNC | O_RDWR, 0600);
    REQUIRE(file >= 0);
    const int status = with_stdout(file, [&] {
        const auto spooled = open_stdout_output(true, folder.path().string());
        spooled->append(as_bytes("abc"));
        if (failure_of([&] { spooled->shift(4, 0); }) != Failure::internal) return 1;
        const auto streamed = open_stdout_output(false, folder.path().string());
        streamed->append(as_bytes("abc"));
        return failure_of([&] { streamed->shift(1, 0); }) == Failure::internal ? 0 : 2;
    });
    close(file);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a broken pipe ends the process quietly, even where SIGPIPE was ignored") {
    for (const bool text : {false, true}) {
        CAPTURE(text);
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        close(ends[0]);
        const int status = with_stdout(ends[1], [&] {
            std::signal(SIGPIPE, SIG_IGN);
            if (text) {
                TextOutput out(STDOUT_FILENO);
                out.put("x");
                out.flush();
            } else {
                const auto output = open_stdout_output(false, "/tmp");
                output->append(as_bytes("x"));
                output->commit();
            }
            return 1;
        });
        close(ends[1]);
        CHECK(WIFSIGNALED(status));
        CHECK(WTERMSIG(status) == SIGPIPE);
    }
}

TEST_CASE("text on a terminal has no control characters, even if they are split between two writes") {
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        MESSAGE("skipped: there are no pseudo-terminals here");
        return;
    }
    const int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    REQUIRE(terminal >= 0);
    for (const bool patchable : {false, true}) {
        CAPTURE(patchable);
        const int status = with_stdout(terminal, [&] {
            const auto output = open_stdout_output(patchable, "/tmp", Content::text);
            output->append(as_bytes("a\x1b[2J\tb\x7f\xc2"));
            output->sync();
            output->append(as_bytes("\x9b\xc3\xa9\xc2\xa0\n"));
            output->commit();
            return 0;
        });
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
        std::string text(256, '\0');
        const ssize_t count = read(master, text.data(), text.size());
        text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        CHECK(text == "a\\x1b[2J\tb\\x7f\\xc2\\x9b\xc3\xa9\xc2\xa0\r\n");
    }
    close(terminal);
    close(master);
}

TEST_CASE("binary data is not written to a terminal") {
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        MESSAGE("skipped: there are no pseudo-terminals here");
        return;
    }
    const int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    REQUIRE(terminal >= 0);
    const int status = with_stdout(
        terminal, [] { return failure_of([] { open_stdout_output(false, "/tmp"); }) == Failure::usage ? 0 : 1; });
    close(terminal);
    close(master);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("hexadecimal numbers are printed as by the standard library, with any number of digits") {
    std::uint64_t value = 0x0123'4567'89ab'cdef;
    for (int round = 0; round < 200; ++round) {
        value = value * 0x9E37'79B9'7F4A'7C15 + 1;
        for (unsigned digits = 1; digits <= 16; ++digits) {
            TextOutput out(-1, 1);
            out.hex(value, digits);
            char expected[17];
            std::snprintf(expected, sizeof expected, "%016llx", static_cast<unsigned long long>(value));
            CHECK(out.text() == std::string_view(expected).substr(16 - digits));
        }
    }
}

TEST_CASE("text and numbers keep their order across buffers") {
    TextOutput out(-1, 4);
    out.hex(0xDEADBEEF, 8);
    out.put(' ');
    out.hex(0xABC, 3);
    out.put(' ');
    out.hex(0x5, 1);
    out.put(' ');
    out.hex(~0ull, 16);
    out.put(' ');
    out.hex(7, 5);
    out.put(' ');
    out.decimal(~0ull);
    out.put(' ');
    out.decimal_signed(INT64_MIN);
    out.put(' ');
    out.decimal(0);
    CHECK(out.text() == "deadbeef abc 5 ffffffffffffffff 00007 18446744073709551615 -9223372036854775808 0");
}

TEST_CASE("text reaches its descriptor completely, however it is divided") {
    const TemporaryFolder folder;
    const auto path = folder / "text";
    const int file = open(path.c_str(), O_CREAT | O_WRONLY, 0600);
    REQUIRE(file >= 0);
    std::string expected;
    TextOutput out(file, 16);
    for (std::size_t size = 0; size < 100; ++size) {
        const std::string line(size, static_cast<char>('a' + size % 26));
        out.put(line);
        out.put('\n');
        expected += line + '\n';
    }
    out.flush();
    close(file);
    CHECK(read_text(path) == expected);
}

TEST_CASE("text that cannot be written is a system error") {
    TextOutput out(1'000'000);
    out.put("x");
    CHECK(failure_of([&] { out.flush(); }) == Failure::io);
}

TEST_CASE("a visible file has all bytes appended before each patch, and is kept without commit") {
    const TemporaryFolder folder;
    const auto path = folder / "live";
    {
        const auto output = open_visible_output(path.string(), Existing::refuse);
        output->append(as_bytes("0000"));
        CHECK_FALSE(std::filesystem::exists(path));
        output->sync();
        CHECK(read_text(path) == "0000");
        output->append(as_bytes("first"));
        CHECK(read_text(path) == "0000");
        output->patch(0, as_bytes("0001"));
        CHECK(read_text(path) == "0001first");
        output->append(as_bytes("second"));
        output->patch(0, as_bytes("0002"));
        CHECK(read_text(path) == "0002firstsecond");
        output->append(as_bytes("third"));
        output->sync();
        CHECK(read_text(path) == "0002firstsecondthird");
        CHECK(failure_of([&] { output->shift(4, 8); }) == Failure::internal);
        output->append(as_bytes("lost"));
    }
    CHECK(read_text(path) == "0002firstsecondthird");
    CHECK(entries(folder.path()) == 1);

    CHECK(failure_of([&] { open_visible_output(path.string(), Existing::refuse); }) == Failure::usage);
    CHECK(failure_of([&] { open_visible_output(folder.path().string(), Existing::replace); }) == Failure::io);
    CHECK(failure_of([&] { open_visible_output("/dev/null", Existing::replace); }) == Failure::usage);
}

TEST_CASE("a visible file that replaces another one leaves the old file to its readers") {
    const TemporaryFolder folder;
    const auto path = folder / "live";
    write_output(path, Existing::refuse, "old");
    REQUIRE(chmod(path.c_str(), 0640) == 0);
    Input reader = Input::open(path.string());
    {
        const auto failed = open_visible_output(path.string(), Existing::replace);
        failed->append(as_bytes("cut short"));
        CHECK(read_text(path) == "old");
    }
    CHECK(read_text(path) == "old");
    CHECK(entries(folder.path()) == 1);
    const auto output = open_visible_output(path.string(), Existing::replace);
    output->append(as_bytes("ne"));
    output->sync();
    CHECK(read_text(path) == "ne");
    output->append(as_bytes("w"));
    output->commit();
    CHECK(read_text(path) == "new");
    CHECK(mode_of(path) == 0640);
    CHECK(as_text(reader.read_all_at(0, 3)) == "old");
    CHECK(entries(folder.path()) == 1);
}

}  // namespace
}  // namespace hwtrace::output_test

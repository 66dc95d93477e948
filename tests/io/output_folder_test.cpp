// tests/io/output_folder_test.cpp - tests that folders appear complete or not at all.
#include "io/output_folder.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/temporary_path.hpp"
#include "support/corpus.hpp"

namespace hwtrace::output_folder_test {
namespace {

using test::read_text;
using test::TemporaryFolder;
namespace fs = std::filesystem;

std::size_t entries(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
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

void write_folder(const fs::path& path, Existing existing, std::string_view text) {
    OutputFolder folder(path.string() + "/", existing, ".csv", {});
    const OutputFolder::FileId first = folder.add_file("a.csv"), second = folder.add_file("b.csv");
    folder.append_to(first, as_bytes(text));
    folder.append_to(second, as_bytes("second"));
    folder.append_to(first, as_bytes("!"));
    CHECK(folder.size() == text.size() + 7);
    CHECK(folder.size_of(first) == text.size() + 1);
    folder.commit();
}

}  // namespace

// A build with ThreadSanitizer notices if the size is not safe to read: the progress line does so during a conversion.
TEST_CASE("outputs of several threads: one thread may ask for the size of a folder that another one writes") {
    const TemporaryFolder place;
    OutputFolder folder((place.path() / "out").string(), Existing::refuse, ".csv", {});
    const OutputFolder::FileId file = folder.add_file("a.csv");
    constexpr std::uint64_t pieces = 1000;
    std::atomic<bool> has_written = false;
    std::thread writer([&] {
        for (std::uint64_t i = 0; i < pieces; ++i)
            folder.append_to(file, as_bytes("text"));
        has_written = true;
    });
    std::uint64_t last = 0;
    bool grows = true;
    while (!has_written) {
        const std::uint64_t size = folder.size();
        grows = grows && size >= last;
        last = size;
    }
    writer.join();
    CHECK(grows);
    CHECK(folder.size() == pieces * 4);
}

TEST_CASE("a folder appears with all its files when it is committed") {
    const TemporaryFolder place;
    const fs::path path = place.path() / "out";
    {
        OutputFolder folder(path.string(), Existing::refuse, ".csv", {});
        folder.append_to(folder.add_file("a.csv"), as_bytes("text"));
        CHECK(!fs::exists(path));
        CHECK(entries(place.path()) == 1);
    }
    CHECK(entries(place.path()) == 0);
    write_folder(path, Existing::refuse, "text");
    CHECK(entries(place.path()) == 1);
    CHECK(entries(path) == 2);
    CHECK(read_text(path / "a.csv") == "text!");
    CHECK(read_text(path / "b.csv") == "second");
    OutputFolder((place.path() / "empty").string(), Existing::refuse, ".csv", {}).commit();
    CHECK(entries(place.path() / "empty") == 0);
}

TEST_CASE("an existing folder is replaced only on demand, and only if it holds nothing but tables") {
    const TemporaryFolder place;
    const fs::path path = place.path() / "out";
    write_folder(path, Existing::refuse, "old");
    CHECK(failure_of([&] { write_folder(path, Existing::refuse, "new"); }) == Failure::usage);
    CHECK(read_text(path / "a.csv") == "old!");
    fs::permissions(path, fs::perms{0750});
    write_folder(path, Existing::replace, "new");
    CHECK(fs::status(path).permissions() == fs::perms{0750});
    CHECK(read_text(path / "a.csv") == "new!");
    CHECK(entries(path) == 2);
    CHECK(entries(place.path()) == 1);

    fs::create_directory(path / "c.csv");
    CHECK(failure_of([&] { write_folder(path, Existing::replace, "newer"); }) == Failure::usage);
    fs::remove(path / "c.csv");
    fs::copy(path / "a.csv", path / "notes.txt");
    CHECK(failure_of([&] { write_folder(path, Existing::replace, "newer"); }) == Failure::usage);
    CHECK(entries(path) == 3);
    fs::remove(path / "notes.txt");
    const auto input = Input::open((path / "a.csv").string()).identity();
    CHECK(failure_of([&] { OutputFolder(path.string(), Existing::replace, ".csv", {input}); }) == Failure::usage);
    CHECK(entries(place.path()) == 1);

    const fs::path file = place.path() / "file";
    fs::copy(path / "a.csv", file);
    write_folder(file, Existing::replace, "a folder instead of a file");
    CHECK(fs::is_directory(file));
    const fs::path link = place.path() / "link";
    fs::create_directory_symlink(path, link);
    write_folder(link, Existing::replace, "through a link");
    CHECK(fs::is_symlink(link));
    CHECK(read_text(path / "a.csv") == "through a link!");
}

TEST_CASE("files that appear in a folder while it is written again are kept") {
    const TemporaryFolder place;
    const fs::path path = place.path() / "out";
    write_folder(path, Existing::refuse, "old");
    {
        OutputFolder folder(path.string(), Existing::replace, ".csv", {});
        folder.append_to(folder.add_file("a.csv"), as_bytes("new"));
        fs::copy(path / "a.csv", path / "notes.txt");
        CHECK(failure_of([&] { folder.commit(); }) == Failure::usage);
    }
    CHECK(read_text(path / "notes.txt") == "old!");
    CHECK(read_text(path / "a.csv") == "old!");
    CHECK(entries(path) == 3);
    CHECK(entries(place.path()) == 1);
}

TEST_CASE("folders are exchanged by renames where the file system cannot exchange them") {
    const TemporaryFolder place;
    const std::string a = (place.path() / "a").string(), b = (place.path() / "b").string();
    write_folder(a, Existing::refuse, "first");
    write_folder(b, Existing::refuse, "second");
    CHECK(exchange_paths_by_renames(a, b) == 0);
    CHECK(read_text(place.path() / "a" / "a.csv") == "second!");
    CHECK(read_text(place.path() / "b" / "a.csv") == "first!");
    CHECK(exchange_paths(a, b) == 0);
    CHECK(read_text(place.path() / "a" / "a.csv") == "first!");
    CHECK(exchange_paths_by_renames((place.path() / "none").string(), b) == ENOENT);
    CHECK(read_text(place.path() / "b" / "a.csv") == "second!");
    CHECK(entries(place.path()) == 2);
}

TEST_CASE("a signal removes the temporary folder with all its files") {
    const TemporaryFolder place;
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGTERM, [](int) {
            remove_open_temporaries();
            _exit(7);
        });
        OutputFolder folder((place.path() / "out").string(), Existing::refuse, ".csv", {});
        for (int i = 0; i < 100; ++i)
            folder.append_to(folder.add_file(std::to_string(1000 + i) + ".csv"), as_bytes("text"));
        ::raise(SIGTERM);
        _exit(8);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 7);
    CHECK(entries(place.path()) == 0);
}

TEST_CASE("names of tables become safe names of files") {
    CHECK(file_name_of("core0.active", ".csv") == "core0.active.csv");
    CHECK(file_name_of("a/b\\c d\n", ".csv") == "a_b_c_d_.csv");
    CHECK(file_name_of("..", ".csv") == "_...csv");
    CHECK(file_name_of("", ".csv") == "_.csv");
    CHECK(file_name_of("NUL.x", ".csv") == "_NUL.x.csv");
    CHECK(file_name_of("com1", ".csv") == "_com1.csv");
    CHECK(file_name_of("null", ".csv") == "null.csv");
    CHECK(file_name_of(std::string(199, 'a') + "\xC3\xA4", ".csv") == std::string(199, 'a') + ".csv");
    FileNames names(".csv");
    CHECK(names.add("a/b") == "a_b.csv");
    CHECK(names.add("A\\b") == "A_b_2.csv");
    CHECK(names.add("a_b") == "a_b_3.csv");
    CHECK(names.add("a_b_4") == "a_b_4.csv");
    CHECK(names.add("a_b") == "a_b_5.csv");
    const std::string longest(300, 'x');
    CHECK(names.add(longest) == std::string(200, 'x') + ".csv");
    CHECK(names.add(longest) == std::string(200, 'x') + "_2.csv");
}

TEST_CASE("many tables with one name get file names without trying all numbers each time") {
    constexpr int many = 30'000;  // takes minutes if each number is tried
    FileNames names(".csv");
    std::string last;
    for (int i = 0; i < many; ++i)
        last = names.add(i % 2 == 0 ? "t?" : "T*");
    CHECK(last == "T__30000.csv");
}

}  // namespace hwtrace::output_folder_test

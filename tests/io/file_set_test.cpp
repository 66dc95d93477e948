// tests/io/file_set_test.cpp - tests that the files of a set appear all together or not at all.
#include "io/file_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "io/cursor.hpp"
#include "io/error.hpp"
#include "support/corpus.hpp"

namespace hwtrace::file_set_test {
namespace {

using test::read_text;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

/// A folder, and a set of files in it.
struct Pieces {
    TemporaryFolder folder;

    std::string path(const std::string& name) const { return (folder.path() / name).string(); }
    void put(const std::string& name, std::string_view text) const {
        const auto output = open_file_output(path(name), Existing::replace);
        output->append(as_bytes(text));
        output->commit();
    }
    /// Returns the names in the folder, hidden ones included.
    Names names() const {
        Names names;
        for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
            names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        return names;
    }
    /// Writes a set of files that contain their names. Calls `before` just before the files appear.
    void write(const Names& files, Existing existing, const std::function<void()>& before = {}) const {
        std::vector<std::string> paths;
        for (const std::string& name : files)
            paths.push_back(path(name));
        FileSet set(paths, existing, {});
        for (std::size_t i = 0; i < files.size(); ++i) {
            const auto output = set.open(i);
            output->append(as_bytes(files[i]));
            output->commit();
        }
        if (before) before();
        set.commit();
    }
    Failure failure_of(const Names& files, Existing existing, const std::function<void()>& before) const {
        try {
            write(files, existing, before);
        } catch (const Error& error) {
            return error.failure();
        }
        FAIL("nothing was thrown");
        return Failure::internal;
    }
};

}  // namespace

TEST_CASE("the files of a set appear together") {
    const Pieces pieces;
    pieces.write({"a", "b", "c"}, Existing::refuse, [&] {
        CHECK(pieces.names().size() == 1);  // the folder has only a hidden folder
        CHECK(pieces.names().front().starts_with("."));
    });
    CHECK(pieces.names() == Names{"a", "b", "c"});
    CHECK(read_text(pieces.folder.path() / "b") == "b");
}

TEST_CASE("if the last file cannot be moved into place, no file appears") {
    const Pieces pieces;
    const auto take_name = [&] { std::filesystem::create_directory(pieces.path("c")); };
    CHECK(pieces.failure_of({"a", "b", "c"}, Existing::refuse, take_name) == Failure::usage);
    CHECK(pieces.names() == Names{"c"});
    std::filesystem::remove(pieces.path("c"));
    CHECK(pieces.failure_of({"a", "b", "c"}, Existing::replace, take_name) == Failure::io);
    CHECK(pieces.names() == Names{"c"});
}

TEST_CASE("a file that appears meanwhile stays, and no file of the set appears") {
    const Pieces pieces;
    CHECK(pieces.failure_of({"a", "b", "c"}, Existing::refuse, [&] { pieces.put("b", "mine"); }) == Failure::usage);
    CHECK(pieces.names() == Names{"b"});
    CHECK(read_text(pieces.folder.path() / "b") == "mine");
}

TEST_CASE("a failed set restores the files that it replaced") {
    const Pieces pieces;
    pieces.put("a", "old a");
    pieces.put("c", "old c");
    const auto take_name = [&] { std::filesystem::create_directory(pieces.path("d")); };
    CHECK(pieces.failure_of({"a", "b", "c", "d"}, Existing::replace, take_name) == Failure::io);
    CHECK(pieces.names() == Names{"a", "c", "d"});
    CHECK(read_text(pieces.folder.path() / "a") == "old a");
    CHECK(read_text(pieces.folder.path() / "c") == "old c");
    std::filesystem::remove(pieces.path("d"));
    pieces.write({"a", "b", "c", "d"}, Existing::replace, [&] { std::filesystem::remove(pieces.path("c")); });
    CHECK(pieces.names() == Names{"a", "b", "c", "d"});
    CHECK(read_text(pieces.folder.path() / "a") == "a");
    CHECK(read_text(pieces.folder.path() / "c") == "c");
}

TEST_CASE("a set that is not committed leaves no files") {
    const Pieces pieces;
    pieces.put("a", "old");
    {
        FileSet set({pieces.path("a"), pieces.path("b")}, Existing::replace, {});
        const auto output = set.open(0);
        output->append(as_bytes("new"));
        output->commit();
    }
    CHECK(pieces.names() == Names{"a"});
    CHECK(read_text(pieces.folder.path() / "a") == "old");
}

}  // namespace hwtrace::file_set_test

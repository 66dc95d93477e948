// tests/io/input_test.cpp - tests files, pipes, memory, and the window over them.
#include "io/input.hpp"

#include <doctest/doctest.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>

#include "io/cursor.hpp"
#include "support/corpus.hpp"
#include "support/payload.hpp"

namespace hwtrace::input_test {
namespace {

using test::drain;

std::vector<std::byte> pattern(std::size_t size) {
    std::vector<std::byte> bytes(size);
    std::uint32_t state = 12345;
    for (std::byte& byte : bytes) {
        state = state * 1664525u + 1013904223u;
        byte = static_cast<std::byte>(state >> 24);
    }
    return bytes;
}

void save(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    REQUIRE(out.good());
}

/// A named pipe to which a thread writes `bytes`, a few at a time.
class SlowPipe {
public:
    SlowPipe(std::vector<std::byte> bytes, std::size_t piece) : path_(folder_ / "pipe") {
        REQUIRE(mkfifo(path_.c_str(), 0600) == 0);
        writer_ = std::thread([this, bytes = std::move(bytes), piece] {
            sigset_t broken_pipe;  // a reader that stops early must not end the test program
            sigemptyset(&broken_pipe);
            sigaddset(&broken_pipe, SIGPIPE);
            pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
            std::ofstream out(path_, std::ios::binary);
            for (std::size_t at = 0; at < bytes.size(); at += piece) {
                const std::size_t count = std::min(piece, bytes.size() - at);
                out.write(reinterpret_cast<const char*>(bytes.data() + at), static_cast<std::streamsize>(count));
                out.flush();
                if (at % (64 * piece) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        });
    }
    ~SlowPipe() { writer_.join(); }
    std::string path() const { return path_.string(); }

private:
    test::TemporaryFolder folder_;
    std::filesystem::path path_;
    std::thread writer_;
};

/// A source that delivers one byte per call.
class Trickle final : public Source {
public:
    explicit Trickle(std::span<const std::byte> bytes) : bytes_(bytes) {}
    std::size_t read(std::span<std::byte> into) override {
        if (bytes_.empty() || into.empty()) return 0;
        into[0] = bytes_[0];
        bytes_ = bytes_.subspan(1);
        return 1;
    }

private:
    std::span<const std::byte> bytes_;
};

TEST_CASE("a file that cannot be opened fails with the system's reason") {
    const test::TemporaryFolder folder;
    const auto message = [](const std::string& path) {
        try {
            Input::open(path);
        } catch (const Error& error) {
            CHECK(error.failure() == Failure::io);
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message((folder / "absent").string()).find("No such file or directory") != std::string::npos);
    CHECK(message(folder.path().string()).find(": is a folder; give one of the files in it") != std::string::npos);
    if (geteuid() == 0) {
        MESSAGE("skipped: root reads files without permission");
    } else {
        save(folder / "locked", pattern(1));
        std::filesystem::permissions(folder / "locked", std::filesystem::perms::none);
        CHECK(message((folder / "locked").string()).find("Permission denied") != std::string::npos);
    }
}

TEST_CASE("files around the size of the head are read in order and at any offset") {
    const test::TemporaryFolder folder;
    for (const std::size_t size : {0u, 1u, 4095u, 4096u, 4097u, 300'000u}) {
        CAPTURE(size);
        const auto bytes = pattern(size);
        const auto path = folder / std::to_string(size);
        save(path, bytes);
        Input input = Input::open(path.string());
        CHECK(input.seekable());
        CHECK(input.size() == size);
        CHECK(input.head().size() == std::min<std::size_t>(size, 4096));
        CHECK(input.head(3).size() == std::min<std::size_t>(size, 3));
        CHECK(input.position() == 0);
        CHECK(drain(input, 1000) == bytes);
        CHECK(input.position() == size);

        std::array<std::byte, 8> tail{};
        CHECK(input.read_at(size, tail) == 0);
        CHECK(input.read_at(size + 1000, tail) == 0);
        if (size >= 4) CHECK(input.read_at(size - 4, tail) == 4);
        CHECK(input.read_all_at(0, size) == bytes);
        CHECK_THROWS_AS(input.read_all_at(0, size + 1), Truncated);
        CHECK_THROWS_AS(input.read_all_at(size + 1, 1), Truncated);
        CHECK_THROWS_AS(input.read_all_at(~0ull, 2), Truncated);
        CHECK_THROWS_AS(input.read_all_at(0, ~std::size_t{0}), Truncated);

        input.seek(size / 2);
        CHECK(drain(input, 77).size() == size - size / 2);
    }
}

TEST_CASE("memory can be read like a file") {
    const auto bytes = pattern(5000);
    Input input = Input::memory("here", bytes);
    CHECK(input.name() == "here");
    CHECK(input.seekable());
    CHECK_FALSE(input.identity());
    CHECK(input.head().size() == 4096);
    CHECK(drain(input, 4096) == bytes);
    input.seek(4999);
    CHECK(drain(input, 10).size() == 1);
    input.seek(6000);
    CHECK(drain(input, 10).empty());
}

TEST_CASE("a pipe gives its head first and then everything, in pieces of any size") {
    for (const std::size_t size : {0u, 1u, 4096u, 4097u, 70'000u}) {
        CAPTURE(size);
        const auto bytes = pattern(size);
        const SlowPipe pipe(bytes, 777);
        Input input = Input::open(pipe.path());
        CHECK_FALSE(input.seekable());
        CHECK_FALSE(input.size());
        const auto head = input.head();
        CHECK(std::equal(head.begin(), head.end(), bytes.begin(),
                         bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(size, 4096))));
        CHECK(drain(input, 300) == bytes);
        CHECK(input.position() == size);
        CHECK(input.head(16).size() == std::min<std::size_t>(size, 16));
        CHECK_THROWS_AS(input.seek(0), Error);
    }
}

TEST_CASE("a spooled pipe is seekable and loses nothing") {
    for (const std::size_t first : {0u, 100u, 4096u}) {
        CAPTURE(first);
        const auto bytes = pattern(600'000);
        const SlowPipe pipe(bytes, 10'000);
        Input input = Input::open(pipe.path());
        std::vector<std::byte> begin(first);
        for (std::size_t at = 0; at < first;)
            at += input.read(std::span(begin).subspan(at));
        const test::TemporaryFolder folder;
        input.spool(folder.path().string());
        CHECK(std::filesystem::is_empty(folder.path()));
        CHECK(input.seekable());
        CHECK(input.size() == bytes.size());
        CHECK(input.position() == first);
        CHECK(input.read_all_at(599'990, 10).back() == bytes.back());
        input.seek(0);
        CHECK(drain(input, 65'536) == bytes);
    }
}

TEST_CASE("the error for a pipe that cannot be spooled names the folder") {
    const SlowPipe pipe(pattern(10), 10);
    Input input = Input::open(pipe.path());
    try {
        input.spool("/absent/folder");
        FAIL("nothing was thrown");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::io);
        CHECK(std::string(error.what()).find("/absent/folder") != std::string::npos);
    }
}

TEST_CASE("a file has the same identity under each of its names") {
    const test::TemporaryFolder folder;
    save(folder / "a", pattern(3));
    save(folder / "b", pattern(3));
    std::filesystem::create_hard_link(folder / "a", folder / "link");
    const auto identity = [&](const char* name) { return Input::open((folder / name).string()).identity(); };
    CHECK(identity("a") == identity("link"));
    CHECK(identity("a") != identity("b"));
}

void ignore_signal(int) {}

TEST_CASE("a signal during a read only delays the read") {
    struct sigaction action {
    }, before{};
    action.sa_handler = ignore_signal;  // without SA_RESTART: read(2) returns EINTR
    REQUIRE(sigaction(SIGUSR1, &action, &before) == 0);
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const auto path = "/dev/fd/" + std::to_string(ends[0]);
    Input input = Input::open(path);
    close(ends[0]);
    const pthread_t reader = pthread_self();
    std::thread other([&] {
        for (int i = 0; i < 5; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            pthread_kill(reader, SIGUSR1);
        }
        CHECK(write(ends[1], "whole", 5) == 5);
        close(ends[1]);
    });
    std::array<std::byte, 16> buffer{};
    const std::size_t count = input.read(buffer);
    other.join();
    CHECK(as_text(std::span(buffer).first(count)) == "whole");
    sigaction(SIGUSR1, &before, nullptr);
}

TEST_CASE("a window returns at least the requested bytes until the source ends") {
    const auto bytes = pattern(10'000);
    for (const std::size_t capacity : {1u, 7u, 4096u, 20'000u}) {
        for (const std::size_t step : {1u, 7u, 1000u, 4096u, 9'999u, 10'000u, 10'001u}) {
            CAPTURE(capacity);
            CAPTURE(step);
            Input input = Input::memory("here", bytes);
            Window window(input, capacity);
            std::vector<std::byte> seen;
            for (;;) {
                CHECK(window.offset() == seen.size());
                const auto view = window.peek(step);
                if (view.empty()) break;
                if (view.size() < step) CHECK(seen.size() + view.size() == bytes.size());
                const auto taken = view.first(std::min(step, view.size()));
                seen.insert(seen.end(), taken.begin(), taken.end());
                window.consume(taken.size());
            }
            CHECK(seen == bytes);
            CHECK(window.peek(1).empty());
        }
    }
}

TEST_CASE("a window has the same contents after short reads and after long reads") {
    const auto bytes = pattern(3000);
    Trickle source(bytes);
    Window window(source, 64);
    std::size_t at = 0;
    for (std::size_t step = 1; at < bytes.size(); step = step % 97 + 1) {
        const auto view = window.peek(step);
        REQUIRE(view.size() >= std::min(step, bytes.size() - at));
        const std::size_t count = std::min(step, view.size());
        CHECK(std::memcmp(view.data(), bytes.data() + at, count) == 0);
        window.consume(count);
        at += count;
    }
}

TEST_CASE("a window reads little at first, then up to its capacity") {
    class Endless final : public Source {
    public:
        std::size_t read(std::span<std::byte> into) override {
            reads.push_back(into.size());
            std::fill(into.begin(), into.end(), std::byte{1});
            return into.size();
        }
        std::vector<std::size_t> reads;
    } source;
    constexpr std::size_t capacity = 512u << 10;
    Window window(source, capacity);
    for (int i = 0; i < 8; ++i)
        window.consume(window.peek(1).size());
    REQUIRE(source.reads.size() == 8);
    CHECK(source.reads.front() <= capacity / 16);
    CHECK(std::is_sorted(source.reads.begin(), source.reads.end()));
    CHECK(source.reads.back() == capacity);
}

TEST_CASE("a window allocates memory only as bytes arrive") {
    const auto bytes = pattern(100);
    Input input = Input::memory("here", bytes);
    Window window(input, 64);
    CHECK(window.peek(std::size_t{1} << 60).size() == 100);
}

}  // namespace
}  // namespace hwtrace::input_test

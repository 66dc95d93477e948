// tests/io/write_behind_test.cpp - tests that large files leave the page cache while they are written.
#include "io/write_behind.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "io/descriptor.hpp"
#include "support/corpus.hpp"

namespace hwtrace::write_behind_test {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

/// Returns how many of the bytes from `begin` on are in the page cache.
std::uint64_t cached(int descriptor, std::uint64_t begin, std::uint64_t size) {
    void* const place = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, static_cast<off_t>(begin));
    REQUIRE(place != MAP_FAILED);
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> pages(size / page);
    REQUIRE(::mincore(place, size, pages.data()) == 0);
    ::munmap(place, size);
    return page *
           static_cast<std::uint64_t>(std::ranges::count_if(pages, [](unsigned char p) { return (p & 1) != 0; }));
}

TEST_CASE("write behind: a large file leaves the page cache, its start stays") {
    const test::TemporaryFolder folder;
    const std::string path = (folder.path() / "large").string();
    const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    REQUIRE(file);
    const std::vector<std::byte> block(mib, std::byte{7});
    write_whole_at(file.get(), 0, block, path);
    REQUIRE(::fsync(file.get()) == 0);
    REQUIRE(::posix_fadvise(file.get(), 0, mib, POSIX_FADV_DONTNEED) == 0);
    if (cached(file.get(), 0, mib) != 0) {
        MESSAGE("skipped: files of the temporary folder do not leave the page cache");
        return;
    }
    constexpr std::uint64_t keeps = 16 * mib, size = 160 * mib;
    WriteBehind write_behind(keeps);
    for (std::uint64_t at = 0; at < size; at += mib) {
        write_whole_at(file.get(), at, block, path);
        REQUIRE(write_behind.advance(file.get(), at + mib) == 0);
    }
    CHECK(cached(file.get(), 0, keeps) != 0);
    CHECK(cached(file.get(), keeps, size - keeps) <= WriteBehind::distance + WriteBehind::step);
}

TEST_CASE("write behind: errors are returned, files without a page cache are none") {
    CHECK(WriteBehind().advance(-1, WriteBehind::step) == EBADF);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const Descriptor read_end(ends[0]), write_end(ends[1]);
    CHECK(WriteBehind().advance(write_end.get(), WriteBehind::step) == 0);
}

}  // namespace
}  // namespace hwtrace::write_behind_test

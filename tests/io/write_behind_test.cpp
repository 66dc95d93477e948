// tests/io/write_behind_test.cpp - tests that large files leave the page cache while they are written.
#include "io/write_behind.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/descriptor.hpp"
#include "support/corpus.hpp"

namespace hwtrace::write_behind_test {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

bool is_in_memory(int descriptor) {
    struct statfs status {};
    REQUIRE(::fstatfs(descriptor, &status) == 0);
    constexpr auto tmpfs = 0x01021994;
    return status.f_type == tmpfs;
}

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
    if (is_in_memory(file.get())) {
        MESSAGE("skipped: the temporary folder is in memory");
        return;
    }
    constexpr std::uint64_t keeps = 16 * mib, size = 160 * mib;
    WriteBehind write_behind(keeps);
    const std::vector<std::byte> block(mib, std::byte{7});
    for (std::uint64_t at = 0; at < size; at += mib) {
        write_whole_at(file.get(), at, block, path);
        write_behind.advance(file.get(), at + mib);
    }
    CHECK(cached(file.get(), 0, keeps) == keeps);
    CHECK(cached(file.get(), keeps, size - keeps) <= WriteBehind::distance + WriteBehind::step);
    write_behind.advance(file.get(), mib);  // the file became shorter
    std::vector<std::byte> read(mib);
    REQUIRE(read_whole_at(file.get(), 100 * mib, read, path) == mib);
    CHECK(read == block);
}

}  // namespace
}  // namespace hwtrace::write_behind_test

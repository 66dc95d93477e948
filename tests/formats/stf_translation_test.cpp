// Tests address translation by the page table walks of a trace.
#include "stf/translation.hpp"

#include "formats/stf_support.hpp"

namespace stf_translation_test {

using namespace hwtrace;
using namespace hwtrace::stf;
using hwtrace::test::Bytes;
using hwtrace::test::hex;
using hwtrace::test::operator+;

namespace {

constexpr std::uint64_t with_page_tables = 0x100;
constexpr std::uint64_t most_pages = 1000;

template <typename T>
Bytes le(T value) {
    Bytes bytes;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
    return bytes;
}

void give(Translation& translation, const Bytes& bytes) {
    translation.record({static_cast<Descriptor>(bytes[0]), bytes.data(), bytes.size()}, true);
}

void satp(Translation& translation, std::uint64_t value, unsigned role = operand_state) {
    give(translation, hex("28 8001") + le(static_cast<std::uint8_t>(role << 4 | register_csr)) + le(value));
}

void mode(Translation& translation, std::uint64_t value) {
    give(translation, hex("64 0000000000000040 01") + le(value));
}

void nop(Translation& translation) {
    give(translation, hex("f1 0100"));
}

struct Entry {
    std::uint64_t address, value;
};

Translation::WalkFault walk(Translation& translation, std::uint64_t address, std::uint32_t page_size,
                            std::initializer_list<Entry> entries, std::uint64_t first_access = 0) {
    Bytes bytes =
        hex("32") + le(address) + le(first_access) + le(page_size) + le(static_cast<std::uint8_t>(entries.size()));
    for (const Entry& entry : entries)
        bytes = bytes + le(entry.address) + le(entry.value);
    give(translation, bytes);
    return translation.walk_fault();
}

/// Returns an entry that points to the table or page at `address`.
constexpr std::uint64_t table_at(std::uint64_t address) {
    return address >> 2 | 1;
}
constexpr std::uint64_t page_at(std::uint64_t address) {
    return address >> 2 | 0xCF;
}

constexpr auto nothing = Translation::WalkFault::nothing;
constexpr auto entries_fault = Translation::WalkFault::entries;
constexpr auto page_fault = Translation::WalkFault::page;

/// Returns a translation in supervisor mode.
Translation supervisor(bool rv64, std::uint64_t satp_value) {
    Translation translation(rv64, with_page_tables, most_pages);
    satp(translation, satp_value);
    mode(translation, 1);
    nop(translation);
    return translation;
}

}  // namespace

TEST_CASE("stf: Sv39 translates pages of three sizes") {
    Translation sv39 = supervisor(true, std::uint64_t{8} << 60 | 0x80000);
    CHECK(sv39.translates());
    CHECK(sv39.physical(0x1234) == std::nullopt);
    CHECK(walk(sv39, 0x1000, 4096,
               {{0x80000000, table_at(0x80001000)},
                {0x80001000, table_at(0x80002000)},
                {0x80002008, page_at(0x90000000)}}) == nothing);
    CHECK(sv39.physical(0x1234) == 0x90000234);
    CHECK(sv39.physical(0x2234) == std::nullopt);
    CHECK(walk(sv39, 0x40200000, 2u << 20, {{0x80000008, table_at(0x80003000)}, {0x80003008, page_at(0xA0000000)}}) ==
          nothing);
    CHECK(sv39.physical(0x40312345) == 0xA0112345);
    CHECK(walk(sv39, 0xFFFFFFC000000000, 1u << 30, {{0x80000800, page_at(0xC0000000)}}) == nothing);
    CHECK(sv39.physical(0xFFFFFFC012345678) == 0xD2345678);
    // The walk is shortened by a cache of upper-level entries.
    CHECK(walk(sv39, 0x3000, 4096, {{0x80002018, page_at(0x91000000)}}) == nothing);
    CHECK(sv39.physical(0x3008) == 0x91000008);
}

TEST_CASE("stf: the other schemes have different numbers of levels") {
    Translation sv32 = supervisor(false, 0x80080000);
    CHECK(walk(sv32, 0xC0401000, 4096, {{0x80000C04, table_at(0x80001000)}, {0x80001004, page_at(0x90000000)}}) ==
          nothing);
    CHECK(sv32.physical(0xC0401ABC) == 0x90000ABC);
    CHECK(walk(sv32, 0x400000, 4u << 20, {{0x80000004, page_at(0x90400000)}}) == nothing);
    CHECK(sv32.physical(0x7FFFFF) == 0x907FFFFF);

    Translation sv48 = supervisor(true, std::uint64_t{9} << 60 | 0x80000);
    CHECK(walk(sv48, 0x8000001000, 4096,
               {{0x80000008, table_at(0x80001000)},
                {0x80001000, table_at(0x80002000)},
                {0x80002000, table_at(0x80003000)},
                {0x80003008, page_at(0x90000000)}}) == nothing);
    CHECK(sv48.physical(0x8000001008) == 0x90000008);

    Translation sv57 = supervisor(true, std::uint64_t{10} << 60 | 0x80000);
    CHECK(walk(sv57, 0x1000000000000, 4096,
               {{0x80000008, table_at(0x80001000)},
                {0x80001000, table_at(0x80002000)},
                {0x80002000, table_at(0x80003000)},
                {0x80003000, table_at(0x80004000)},
                {0x80004000, page_at(0x90000000)}}) == nothing);
    CHECK(sv57.physical(0x1000000000010) == 0x90000010);

    Translation bare = supervisor(true, 0x80000);
    CHECK_FALSE(bare.translates());
    CHECK(bare.physical(0x1234) == 0x1234);
}

TEST_CASE("stf: an encoding mode in the body changes the interpretation of SATP") {
    Translation translation = supervisor(true, 0x80080000);  // the scheme does not exist in RV64
    CHECK_FALSE(translation.translates());
    give(translation, hex("05 0100"));
    CHECK(translation.translates());
    CHECK(walk(translation, 0x10000, 0x1000, {{0x80000000, table_at(0x80001000)}, {0x80001040, page_at(0x90002000)}}) ==
          nothing);
    CHECK(translation.physical(0x10008) == 0x90002008);
    give(translation, hex("05 0200"));
    CHECK_FALSE(translation.translates());
    give(translation, hex("05 0700"));  // an invalid mode
    CHECK_FALSE(translation.translates());
}

TEST_CASE("stf: 64 KiB of contiguous pages form one page") {
    Translation sv39 = supervisor(true, std::uint64_t{8} << 60 | 0x80000);
    const std::uint64_t napot = page_at(0x90008000) | std::uint64_t{1} << 63;
    CHECK(walk(sv39, 0x13000, 65'536, {{0x80002098, napot}}) == nothing);
    CHECK(sv39.physical(0x1ABCD) == 0x9000ABCD);
    CHECK(sv39.physical(0x20000) == std::nullopt);
}

TEST_CASE("stf: machine mode does not translate, and changes apply after each instruction") {
    Translation translation(true, with_page_tables, most_pages);
    satp(translation, std::uint64_t{8} << 60 | 0x80000);
    CHECK_FALSE(translation.translates());
    nop(translation);
    mode(translation, 0);
    CHECK(translation.physical(0x1000) == 0x1000);
    CHECK(translation.physical_next(0x1000) == std::nullopt);
    CHECK_FALSE(translation.translates());  // an instruction that changes the mode still runs in the old mode
    nop(translation);
    CHECK(translation.translates());
    walk(translation, 0x1000, 4096, {{0x80002008, page_at(0x90000000)}});
    satp(translation, std::uint64_t{8} << 60 | 0x70000, operand_destination);
    CHECK(translation.physical(0x1000) == 0x90000000);
    nop(translation);
    CHECK(translation.physical(0x1000) == std::nullopt);
    // If the first access of a walk used the old tables, the walk does not apply to the new tables.
    walk(translation, 0x5000, 4096, {{0x80002028, page_at(0x95000000)}}, 2);
    CHECK(translation.physical(0x5000) == std::nullopt);
    satp(translation, std::uint64_t{8} << 60 | 0x80000);
    CHECK(translation.physical(0x5000) == 0x95000000);
}

TEST_CASE("stf: a trace that begins with a MODE_CHANGE begins in its mode") {
    Translation translation(true, with_page_tables, most_pages);
    satp(translation, std::uint64_t{8} << 60 | 0x80000);
    mode(translation, 0);
    CHECK(translation.translates());
}

TEST_CASE(
    "stf: the first MODE_CHANGE states the first instruction's mode, even after accesses; the second is a change") {
    Translation translation(true, with_page_tables, most_pages);
    CHECK(translation.awaits_mode());
    satp(translation, std::uint64_t{8} << 60 | 0x80000);
    CHECK(translation.awaits_mode());
    mode(translation, 1);
    CHECK_FALSE(translation.awaits_mode());
    mode(translation, 3);
    CHECK(translation.mode() == 1);
    CHECK(translation.physical(0x1000) == std::nullopt);
    CHECK(translation.physical_next(0x1000) == 0x1000);
    nop(translation);
    CHECK(translation.mode() == 3);

    Translation silent(true, with_page_tables, most_pages);
    nop(silent);
    CHECK_FALSE(silent.awaits_mode());
    CHECK_FALSE(Translation(true, 0, most_pages).awaits_mode());
}

TEST_CASE("stf: each kind of impossible walk has a separate fault") {
    Translation sv39 = supervisor(true, std::uint64_t{8} << 60 | 0x80000);
    const Entry root{0x80000000, table_at(0x80001000)}, middle{0x80001000, table_at(0x80002000)};
    const Entry leaf{0x80002008, page_at(0x90000000)};
    CHECK(walk(sv39, 0x1000, 4096, {{0x70000000, root.value}, middle, leaf}) == entries_fault);
    CHECK(walk(sv39, 0x1000, 4096, {root, {0x80011000, middle.value}, leaf}) == entries_fault);
    CHECK(walk(sv39, 0x1000, 4096, {root, middle, {0x80002010, leaf.value}}) == entries_fault);
    CHECK(walk(sv39, 0x1000, 4096, {{0x80000000, page_at(0x80001000)}, middle, leaf}) == entries_fault);
    CHECK(walk(sv39, 0x1000, 4096, {root, root, middle, leaf}) == entries_fault);
    CHECK(walk(sv39, 0x1000, 2048, {root, middle, leaf}) == page_fault);
    CHECK(walk(sv39, 0x200000, 2u << 20, {root, {0x80001008, page_at(0x90001000)}}) == page_fault);
    CHECK(walk(sv39, 0x7000, 4096, {root, middle, {0x80002038, 0}}) == nothing);  // the walk ends in a page fault
    CHECK(sv39.physical(0x7000) == std::nullopt);

    Translation early(true, with_page_tables, most_pages);
    CHECK(walk(early, 0x1000, 4096, {root, middle, leaf}) == Translation::WalkFault::no_satp);
    Translation without_feature(true, 0, most_pages);
    CHECK(walk(without_feature, 0x1000, 4096, {root, middle, leaf}) == nothing);
    CHECK_FALSE(without_feature.translates());
}

TEST_CASE("stf: the number of pages is limited") {
    Translation translation(true, with_page_tables, 1);
    satp(translation, std::uint64_t{8} << 60 | 0x80000);
    mode(translation, 1);
    nop(translation);
    walk(translation, 0x1000, 4096, {{0x80002008, page_at(0x90000000)}});
    walk(translation, 0x2000, 4096, {{0x80002010, page_at(0x91000000)}});
    CHECK(translation.physical(0x1000) == 0x90000000);
    CHECK(translation.physical(0x2000) == std::nullopt);
    walk(translation, 0x1000, 4096, {{0x80002008, page_at(0x92000000)}});
    CHECK(translation.physical(0x1000) == 0x92000000);
}

}  // namespace stf_translation_test

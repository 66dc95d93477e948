#include "model/state.hpp"

#include <doctest/doctest.h>

#include <random>

namespace state_test {

using namespace hwtrace;

namespace {

Track storage(std::string name, std::vector<Field> fields, std::uint32_t slots, bool sparse) {
    Track track;
    track.kind = Track::Kind::storage;
    track.name = std::move(name);
    track.fields = std::move(fields);
    track.slots = slots;
    track.sparse = sparse;
    return track;
}

Schema two_storages() {
    Schema schema;
    schema.declare(storage("sparse", {{"id", Type::u32}, {"flag", Type::boolean}, {"wide", Type::u64}}, 10, true));
    Track dense = storage("dense", {{"small", Type::i8}, {"half", Type::i16}}, 3, false);
    dense.properties = {{"head", Type::u16}, {"balance", Type::i32}};
    schema.declare(dense);
    return schema;
}

}  // namespace

TEST_CASE(
    "a set record truncates the value to the field's width and makes the slot valid, with zero in its other fields") {
    StateTable state(two_storages());
    CHECK_FALSE(state.valid(0, 7));
    state.set(0, 7, 0, 0x1'2345'6789);
    CHECK(state.valid(0, 7));
    CHECK(state.value(0, 7, 0) == 0x2345'6789);
    CHECK(state.value(0, 7, 1) == 0);
    state.set(0, 7, 2, ~std::uint64_t{0});
    CHECK(state.value(0, 7, 2) == ~std::uint64_t{0});
    CHECK(state.value(0, 7, 0) == 0x2345'6789);
    CHECK(state.value(0, 7, 1) == 0);
}

TEST_CASE("signed fields and properties read back sign-extended") {
    StateTable state(two_storages());
    state.set(1, 2, 0, static_cast<std::uint64_t>(-3));
    state.set(1, 2, 1, 0xFFFE);
    state.set_property(1, 1, 0xFFFF'FFFF);
    CHECK(static_cast<std::int64_t>(state.value(1, 2, 0)) == -3);
    CHECK(static_cast<std::int64_t>(state.value(1, 2, 1)) == -2);
    CHECK(static_cast<std::int64_t>(state.property(1, 1)) == -1);
}

TEST_CASE("an add record wraps at the field's width and starts an invalid slot from zero") {
    StateTable state(two_storages());
    state.add(0, 3, 1, 255);
    CHECK(state.valid(0, 3));
    state.add(0, 3, 1, 2);
    CHECK(state.value(0, 3, 1) == 1);
    CHECK(state.value(0, 3, 2) == 0);
}

TEST_CASE("a clear record zeroes the slot, and makes it invalid only in a sparse storage") {
    StateTable state(two_storages());
    state.set(0, 9, 2, 5);
    state.clear(0, 9);
    CHECK_FALSE(state.valid(0, 9));
    state.set(0, 9, 0, 1);
    CHECK(state.value(0, 9, 2) == 0);
    state.set(1, 0, 1, 5);
    state.clear(1, 0);
    CHECK(state.valid(1, 0));
    CHECK(state.value(1, 0, 1) == 0);
}

TEST_CASE("slots without fields have no bytes and can be cleared") {
    for (const bool sparse : {false, true}) {
        Schema schema;
        const TrackId id = schema.declare(storage("empty", {}, 3, sparse));
        StateTable state(schema);
        state.clear(id, 2);
        CHECK(state.slots(id).empty());
        CHECK(state.valid(id, 2) == !sparse);
        CHECK(state.is_empty());
    }
}

TEST_CASE("slots, fields, properties and storages that do not exist are ignored") {
    StateTable state(two_storages());
    const StateTable fresh = state;
    state.set(0, 10, 0, 1);
    state.set(0, 0, 3, 1);
    state.set(2, 0, 0, 1);
    state.add(1, 65535, 0, 1);
    state.clear(7, 0);
    state.set_property(1, 2, 1);
    state.set_property(9, 0, 1);
    CHECK(state == fresh);
    CHECK(state.value(5, 0, 0) == 0);
    CHECK_FALSE(state.valid(5, 0));
}

TEST_CASE("the packed bytes have the layout of a checkpoint") {
    StateTable state(two_storages());
    state.set(0, 9, 0, 0x04030201);
    state.set(0, 9, 2, 0x0807060504030201);
    state.set(1, 1, 1, 0x0B0A);
    state.set_property(1, 0, 0x0102);
    CHECK(state.slot_size(0) == 13);
    REQUIRE(state.mask(0).size() == 2);
    CHECK(state.mask(0)[1] == std::byte{0x02});
    CHECK(state.mask(1).empty());
    REQUIRE(state.slots(0).size() == 130);
    CHECK(state.slots(0)[9 * 13] == std::byte{1});
    CHECK(state.slots(0)[9 * 13 + 5] == std::byte{1});
    REQUIRE(state.slots(1).size() == 9);
    CHECK(state.slots(1)[4] == std::byte{0x0A});
    REQUIRE(state.properties(1).size() == 6);
    CHECK(state.properties(1)[0] == std::byte{0x02});
}

TEST_CASE("replaying records is the same as calling the operations") {
    Batch batch;
    batch.set(0, 0, 4, 0, 77);
    batch.add(0, 0, 4, 2, 5);
    batch.add(0, 0, 4, 2, 6);
    batch.set(0, 0, 5, 0, 78);
    batch.clear_slot(0, 0, 5);
    batch.set_property(1, 0, 1, 9);
    batch.note(0, 0, "no effect");
    StateTable state(two_storages());
    for (const Record& record : batch.records())
        state.apply(record);
    CHECK(state.value(0, 4, 0) == 77);
    CHECK(state.value(0, 4, 2) == 11);
    CHECK_FALSE(state.valid(0, 5));
    CHECK(state.property(1, 1) == 9);
    state.reset();
    CHECK(state == StateTable(two_storages()));
}

TEST_CASE("the memory of a state is known before it is allocated, and saturates") {
    CHECK(StateTable::bytes_needed(two_storages()) == 2 + 130 + 9 + 6);
    Schema huge;
    huge.declare(storage("huge", std::vector<Field>(8, {"x", Type::u64}), 0xFFFF'FFFF, false));
    CHECK(StateTable::bytes_needed(huge) == 64 * std::uint64_t{0xFFFF'FFFF});
}

TEST_CASE("a slot truncates values to its width and sign-extends signed ones") {
    CHECK(stored(Type::u32, 0x1'8000'0000) == 0x8000'0000);
    CHECK(stored(Type::u8, 0x103) == 3);
    CHECK(stored(Type::boolean, 0x100) == 0);
    CHECK(static_cast<std::int64_t>(stored(Type::i8, 0xFF)) == -1);
    CHECK(static_cast<std::int64_t>(stored(Type::i32, 0x7'FFFF'FFFE)) == -2);
    CHECK(stored(Type::i16, 0x1'7FFF) == 0x7FFF);
    CHECK(stored(Type::u64, ~std::uint64_t{0}) == ~std::uint64_t{0});
    CHECK(stored(Type::i64, ~std::uint64_t{0}) == ~std::uint64_t{0});
}

}  // namespace state_test

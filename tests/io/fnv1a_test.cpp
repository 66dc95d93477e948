// tests/io/fnv1a_test.cpp - tests every implementation of FNV-1a 64 against the definition.
#include "io/fnv1a.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "io/cursor.hpp"

namespace hwtrace::fnv1a_test {
namespace {

using Random = std::mt19937_64;

std::uint64_t definition(std::uint64_t state, std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) {
        state ^= static_cast<std::uint64_t>(byte);
        state *= 0x100000001B3;
    }
    return state;
}

std::uint64_t checksum(std::string_view text) {
    Fnv1a64 sum;
    sum.add(as_bytes(text));
    return sum.value();
}

std::size_t below(Random& random, std::size_t bound) {
    return static_cast<std::size_t>(random() % bound);
}

/// Returns a random length; small and large magnitudes are equally likely.
std::size_t random_length(Random& random, std::size_t most) {
    return below(random, std::min(most, std::size_t{1} << below(random, 16)) + 1);
}

struct Content {
    const char* name;
    std::vector<std::byte> bytes;
};

std::vector<Content> contents(std::size_t size) {
    Random random(1);
    std::vector<Content> all{{"zeros", std::vector<std::byte>(size, std::byte{0})},
                             {"ones", std::vector<std::byte>(size, std::byte{0xFF})},
                             {"any", std::vector<std::byte>(size)},
                             {"letters", std::vector<std::byte>(size)},
                             {"the lowest byte of the state", std::vector<std::byte>(size)}};
    for (std::byte& byte : all[2].bytes)
        byte = static_cast<std::byte>(random());
    for (std::byte& byte : all[3].bytes)
        byte = static_cast<std::byte>(' ' + random() % 95);
    // Each byte equals the lowest byte of the state, so the XOR always clears that byte.
    std::uint64_t state = Fnv1a64::basis;
    for (std::byte& byte : all[4].bytes) {
        byte = static_cast<std::byte>(state);
        state = definition(state, std::span(&byte, 1));
    }
    return all;
}

TEST_CASE("FNV-1a 64 has its published values") {
    CHECK(checksum("") == 0xCBF29CE484222325);
    CHECK(checksum("a") == 0xAF63DC4C8601EC8C);
    CHECK(checksum("foobar") == 0x85944171F73967E8);
}

TEST_CASE("the first method is the definition, and no method is listed twice") {
    const auto methods = fnv1a_methods();
    REQUIRE_FALSE(methods.empty());
    CHECK(methods.front().name == "scalar");
    std::vector<std::string> names;
    for (const Fnv1aMethod& method : methods) {
        CHECK(method.run(Fnv1a64::basis, as_bytes("foobar")) == 0x85944171F73967E8);
        names.emplace_back(method.name);
    }
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("every method agrees with the definition for every length up to a few blocks") {
    constexpr std::size_t most = 5000;
    for (const Content& content : contents(most)) {
        std::vector<std::uint64_t> expected{Fnv1a64::basis};
        for (const std::byte& byte : content.bytes)
            expected.push_back(definition(expected.back(), std::span(&byte, 1)));
        for (const Fnv1aMethod& method : fnv1a_methods()) {
            // All lengths share one check, which reports the first wrong length.
            std::size_t wrong = most + 1;
            for (std::size_t size = most + 1; size-- > 0;)
                if (method.run(Fnv1a64::basis, std::span(content.bytes).first(size)) != expected[size]) wrong = size;
            CAPTURE(content.name);
            CAPTURE(method.name);
            CHECK(wrong == most + 1);
        }
    }
}

TEST_CASE("every method agrees with the definition from any state and at any address") {
    constexpr std::size_t most = 40'000;
    constexpr std::size_t most_skipped = 130;
    Random random(2);
    for (const Content& content : contents(most + most_skipped)) {
        CAPTURE(content.name);
        for (int round = 0; round < 800; ++round) {
            const std::size_t skipped = below(random, most_skipped + 1);
            const auto bytes = std::span(content.bytes).subspan(skipped, random_length(random, most));
            const std::uint64_t state = round % 4 == 0 ? below(random, 256) : random();
            const std::uint64_t expected = definition(state, bytes);
            for (const Fnv1aMethod& method : fnv1a_methods()) {
                if (method.run(state, bytes) == expected) continue;
                CAPTURE(method.name);
                CAPTURE(skipped);
                CAPTURE(bytes.size());
                CAPTURE(state);
                FAIL_CHECK("the value differs from the definition's");
            }
        }
    }
}

TEST_CASE("the methods give the right value if the lowest byte changes as much as possible") {
    // Each byte is chosen so that the lowest byte of (state ^ byte) alternates between the two values of a pair. The
    // multiplication changes the lowest byte `to_ff` to 0xFF and keeps 0, so each byte must flip all of its bits.
    unsigned to_ff = 0;
    while ((to_ff * 0xB3 & 0xFF) != 0xFF)
        ++to_ff;
    const unsigned pairs[2][2] = {{0x00, 0xFF}, {to_ff, 0x00}};
    for (const auto& pair : pairs)
        for (const std::size_t phase : {std::size_t{0}, std::size_t{1}}) {
            std::vector<std::byte> bytes(64u << 10);
            std::uint64_t state = Fnv1a64::basis;
            for (std::size_t i = 0; i < bytes.size(); ++i) {
                bytes[i] = static_cast<std::byte>(pair[(i + phase) % 2] ^ (state & 0xFF));
                state = definition(state, std::span(&bytes[i], 1));
            }
            for (const Fnv1aMethod& method : fnv1a_methods()) {
                CAPTURE(method.name);
                CAPTURE(phase);
                CHECK(method.run(Fnv1a64::basis, bytes) == state);
            }
        }
}

TEST_CASE("the checksum does not depend on how the bytes are divided") {
    constexpr std::size_t size = 100'000;
    Random random(3);
    for (const Content& content : contents(size)) {
        CAPTURE(content.name);
        const std::uint64_t expected = definition(Fnv1a64::basis, content.bytes);
        for (int round = 0; round < 20; ++round) {
            Fnv1a64 sum;
            std::span<const std::byte> rest(content.bytes);
            while (!rest.empty()) {
                const std::size_t piece = random_length(random, rest.size());
                sum.add(rest.first(piece));
                rest = rest.subspan(piece);
            }
            REQUIRE(sum.value() == expected);
        }
    }
}

}  // namespace
}  // namespace hwtrace::fnv1a_test

// Tests random valid and invalid calls. The result must be a readable stream with exactly the accepted samples.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "call_log.hpp"
#include "flux_stream.hpp"
#include "hwtrace/flux_emitter.h"

namespace random_test {

using namespace hwtrace::test;

namespace {

class Caller {
public:
    explicit Caller(std::uint32_t seed) : random_(seed) {}

    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
    /// Returns a random integer. Its number of bits is random, too.
    std::int64_t number() {
        const auto bits = static_cast<std::int64_t>(std::uint64_t{random_()} << 32 | random_());
        return bits >> below(64);
    }
    std::string text() {
        return std::string(below(4) == 0 ? below(200) : below(8), static_cast<char>('a' + below(26)));
    }
    flux_when when() {
        const flux_when at =
            below(4) == 0 ? flux_at(number()) : flux_after(below(8) == 0 ? number() >> 24 : below(100));
        return flux_tagged(at, static_cast<std::uint8_t>(below(3) == 0 ? below(256) : 0));
    }

    /// Writes a sample of a random kind.
    flux_result sample(flux_trace* trace, std::uint32_t item) {
        const std::string words = text();
        const auto size = static_cast<std::uint32_t>(words.size());
        switch (below(11)) {
            case 0:
                return flux_write_none(trace, item, when());
            case 1:
                return flux_write_event(trace, item, when(), static_cast<std::uint32_t>(number()));
            case 2:
                return flux_write_integer(trace, item, when(), number());
            case 3:
                return flux_write_unsigned(trace, item, when(), static_cast<std::uint64_t>(number()));
            case 4:
                return flux_write_big_integer(trace, item, when(), words.data(), size, below(2) == 0);
            case 5:
                return flux_write_double(trace, item, when(), 0.5);
            case 6:
                return flux_write_text(trace, item, when(), words.c_str());
            case 7: {
                std::string states(below(300), '0');
                for (char& state : states)
                    state = "01ZXLHUW-#"[below(below(3) == 0 ? 10 : 2)];
                return flux_write_logic(trace, item, when(), "01ZX#"[below(5)], below(2) * below(300), states.c_str());
            }
            case 8: {
                std::array<std::uint64_t, 40> values{};
                for (std::uint64_t& value : values)
                    value = static_cast<std::uint64_t>(number());
                const flux_array array{values.data(), below(41), static_cast<flux_element>(below(7)), below(2) == 0};
                return flux_write_array(trace, item, when(), &array);
            }
            case 9: {
                const std::array<const char*, 3> all{words.c_str(), nullptr, "x"};
                const flux_array array{all.data(), below(4), FLUX_TEXTS, below(2) == 0};
                return flux_write_array(trace, item, when(), &array);
            }
            default:
                return structure(trace, item);
        }
    }

private:
    flux_result structure(flux_trace* trace, std::uint32_t item) {
        const std::string words = text();
        const std::array<std::uint32_t, 3> values{below(9), 0xFFFFFFFF, 0};
        const flux_array array{values.data(), below(4), static_cast<flux_element>(below(2)), false};
        std::array<flux_member, 4> inner{
            flux_member_integer64(below(300), number()),
            flux_member_unsigned(1, static_cast<std::uint32_t>(number())),
            flux_member_text(2, words.c_str()),
            flux_member_float(3, 1.5F),
        };
        inner[0].type = static_cast<std::uint8_t>(below(5) == 0 ? below(256) : 3U);
        if (inner[0].type % 16 != FLUX_MEMBER_INTEGER) inner[0] = flux_member_flags(inner[3], FLUX_MEMBER_HIDDEN);
        const std::array<flux_member, 3> members{flux_member_struct(7, inner.data(), below(5)),
                                                 flux_member_array(8, &array), flux_member_unsigned64(9, UINT64_MAX)};
        return below(2) == 0 ? flux_write_struct(trace, item, when(), members.data(), below(4))
                             : flux_write_struct(trace, item, when(), inner.data(), below(5));
    }

    std::mt19937 random_;
};

TEST_CASE("a stream of random calls has only whole entries, and exactly the accepted samples") {
    std::size_t all_samples = 0;
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        CAPTURE(seed);
        Caller caller(seed);
        Sink sink(16 + caller.below(600));
        std::vector<flux_item> items(9);
        flux_trace trace;
        const std::uint8_t version = caller.below(3) == 0 ? FLUX_VERSION_4 : FLUX_VERSION_6;
        REQUIRE(flux_trace_init(&trace, seed, version, 8, 64, items.data()) == FLUX_OK);
        REQUIRE(flux_trace_attach(&trace, &sink.buffer) == FLUX_OK);
        bool has_head = false;
        std::size_t samples = 0;
        for (int call = 0; call < 300; ++call) {
            const std::uint32_t item = caller.below(10);
            const std::string name = caller.text();
            switch (caller.below(has_head ? 14 : 1)) {
                case 0:
                    has_head = flux_write_head(&trace, name.c_str(), nullptr) == FLUX_OK || has_head;
                    break;
                case 1:
                    flux_add_scope(&trace, item, caller.below(9), name.c_str(), "scope");
                    break;
                case 2:
                    flux_add_signal(&trace, item, caller.below(9), name.c_str(), nullptr, FLUX_INTEGER, "default<>");
                    break;
                case 3:
                    flux_open(&trace, caller.below(2) * item, "ns", caller.number() >> 20, caller.below(5));
                    break;
                case 4:
                    if (caller.below(4) == 0) flux_close(&trace, item, caller.number());
                    break;
                case 5:
                    if (caller.below(4) == 0) flux_set_current(&trace, item, caller.number() >> 8);
                    break;
                case 6:
                    flux_define_enum(&trace, item, caller.below(20), name.c_str(), caller.below(1000));
                    break;
                case 7:
                    flux_define_member(&trace, item, caller.below(200), static_cast<std::int64_t>(caller.below(3)) - 1,
                                       name.c_str(), static_cast<std::uint8_t>(caller.below(256)), nullptr);
                    break;
                case 8:
                    flux_write_relation(&trace, item, static_cast<flux_relation>(caller.below(4)), 1, 2,
                                        caller.number(), caller.below(2));
                    break;
                default:
                    if (caller.sample(&trace, item) == FLUX_OK) ++samples;
            }
        }
        REQUIRE(flux_flush(&sink.buffer) == FLUX_OK);
        FluxStream stream;
        REQUIRE_NOTHROW(stream = read_flux(sink.received));
        CHECK(stream.samples.size() == samples);
        all_samples += samples;
    }
    CHECK(all_samples > 1000);
}

TEST_CASE("a ring keeps the newest of many random samples, at their positions") {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        Caller caller(seed);
        const std::uint32_t size = 300 + caller.below(2000);
        const auto memory = std::make_unique<std::uint8_t[]>(size);
        flux_buffer ring;
        REQUIRE(flux_buffer_init(&ring, memory.get(), size, nullptr) == FLUX_OK);
        flux_trace trace;
        REQUIRE(flux_trace_init(&trace, 0, FLUX_VERSION_6, 2, 64, nullptr) == FLUX_OK);
        REQUIRE(flux_trace_attach(&trace, &ring) == FLUX_OK);
        REQUIRE(flux_write_head(&trace, "ring", nullptr) == FLUX_OK);
        REQUIRE(flux_open(&trace, 0, "ns", 0, 0) == FLUX_OK);
        REQUIRE(flux_buffer_divide(&ring, 1 + caller.below(4)) == FLUX_OK);
        std::vector<std::int64_t> positions;
        for (int call = 0; call < 400; ++call)
            if (caller.sample(&trace, 1 + caller.below(2)) == FLUX_OK) positions.push_back(trace.single.position);
        REQUIRE(!positions.empty());
        FluxStream stream;
        REQUIRE_NOTHROW(stream = read_flux(Bytes(memory.get(), memory.get() + size)));
        REQUIRE(stream.samples.size() <= positions.size());
        const std::size_t lost = positions.size() - stream.samples.size();
        for (std::size_t i = 0; i < stream.samples.size(); ++i)
            REQUIRE(stream.samples[i].position == positions[lost + i]);
    }
}

}  // namespace

}  // namespace random_test

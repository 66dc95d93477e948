#include "codec/trace_index.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <utility>
#include <vector>

#include "io/appender.hpp"
#include "io/fnv1a.hpp"

namespace trace_index_test {

using namespace hwtrace;

namespace {

using Bytes = std::vector<std::byte>;
using Fault = TraceIndex::Fault;

Bytes trace_bytes(std::size_t size) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<std::byte>(i * 7 + i / 251);
    return bytes;
}

TraceIdentity identity_of(const Bytes& trace) {
    const Input input = Input::memory("trace", trace);
    return {trace.size(), samples_of(input), 0};
}

/// Returns an index of `trace` with three checkpoints.
Bytes index_of(const Bytes& trace, std::string_view format = "stf") {
    Bytes made;
    const auto output = open_memory_output("index", [&](Bytes bytes) { made = std::move(bytes); });
    TraceIndexWriter writer(*output);
    for (std::uint64_t i = 1; i <= 3; ++i) {
        Checkpoint checkpoint;
        checkpoint.position = 10 * i;
        checkpoint.records = 20 * i;
        checkpoint.latest = static_cast<Tick>(100 * i);
        checkpoint.ids_below = 5 * i;
        writer.add(checkpoint, trace_bytes(5 * i), trace_bytes(7 * i));
    }
    writer.add(IndexExtra::outline, trace_bytes(50));
    IndexTotals totals;
    totals.positions = 40;
    totals.records = 80;
    totals.first_time = -5;
    totals.last_time = 500;
    totals.has_one_time = true;
    totals.every = 10;
    writer.finish(identity_of(trace), format, totals);
    output->commit();
    return made;
}

std::optional<Fault> fault_of(Bytes index, const Bytes& trace) {
    const Input input = Input::memory("trace", trace);
    Fault fault{};
    return TraceIndex::open(std::move(index), input, "stf", fault) ? std::nullopt : std::optional(fault);
}

std::shared_ptr<TraceIndex> opened(Bytes index, const Bytes& trace) {
    const Input input = Input::memory("trace", trace);
    Fault fault{};
    return TraceIndex::open(std::move(index), input, "stf", fault);
}

}  // namespace

TEST_CASE("an index gives back its totals, checkpoints and states") {
    const Bytes trace = trace_bytes(300'000);
    const auto index = opened(index_of(trace), trace);
    REQUIRE(index != nullptr);
    CHECK(index->totals().positions == 40);
    CHECK(index->totals().records == 80);
    CHECK(index->totals().first_time == -5);
    CHECK(index->totals().last_time == 500);
    CHECK(index->totals().every == 10);
    CHECK(index->identity() == identity_of(trace));
    REQUIRE(index->checkpoints().size() == 3);
    const auto state = index->state_of(index->checkpoints()[1]);
    REQUIRE(state.has_value());
    CHECK(Bytes(state->reader().begin(), state->reader().end()) == trace_bytes(10));
    CHECK(Bytes(state->stage().begin(), state->stage().end()) == trace_bytes(14));
    CHECK(index->extra(IndexExtra::outline) == trace_bytes(50));
    CHECK(index->extra(IndexExtra::survey) == std::nullopt);
}

TEST_CASE("an index finds the last checkpoint before a position or a time") {
    const Bytes trace = trace_bytes(1000);
    const auto index = opened(index_of(trace), trace);
    REQUIRE(index != nullptr);
    const auto at = [&](std::uint64_t position) -> std::uint64_t {
        const Checkpoint* const found = index->before_position(position);
        return found == nullptr ? 0 : found->position;
    };
    CHECK(at(9) == 0);
    CHECK(at(10) == 10);
    CHECK(at(29) == 20);
    CHECK(at(1'000'000) == 30);
    CHECK(index->before_time(100) == nullptr);  // a record before the checkpoint may have this time
    REQUIRE(index->before_time(101) != nullptr);
    CHECK(index->before_time(101)->position == 10);
    CHECK(index->before_time(5000)->position == 30);
    CHECK(index->before_id(4) == nullptr);
    REQUIRE(index->before_id(5) != nullptr);  // all ids before the first checkpoint are less
    CHECK(index->before_id(5)->position == 10);
    CHECK(index->before_id(1000)->position == 30);
    CHECK(index->before_id(~std::uint64_t{0}) == nullptr);
}

TEST_CASE("an index is not used for another trace or format") {
    const Bytes trace = trace_bytes(300'000);
    CHECK(fault_of(index_of(trace), trace) == std::nullopt);
    Bytes longer = trace;
    longer.push_back(std::byte{0});
    CHECK(fault_of(index_of(trace), longer) == Fault::other_trace);
    for (const std::size_t at : {std::size_t{0}, std::size_t{40'000}, trace.size() - 1}) {
        Bytes changed = trace;
        changed[at] ^= std::byte{1};
        CHECK(fault_of(index_of(trace), changed) == Fault::other_trace);
    }
    CHECK(fault_of(index_of(trace, "uscope"), trace) == Fault::other_format);
}

TEST_CASE("a newer index is not used") {
    const Bytes trace = trace_bytes(100);
    Bytes newer = index_of(trace);
    newer[8] = static_cast<std::byte>(TraceIndex::newest_version + 1);
    CHECK(fault_of(newer, trace) == Fault::newer);
    newer[8] = static_cast<std::byte>(TraceIndex::newest_version - 1);
    CHECK(fault_of(newer, trace) == Fault::older);
    newer[8] = std::byte{0};
    CHECK(fault_of(newer, trace) == Fault::damaged);
}

TEST_CASE("every damaged byte and every cut of an index is noticed") {
    const Bytes trace = trace_bytes(100);
    const Bytes whole = index_of(trace);
    for (std::size_t at = 0; at < whole.size(); ++at) {
        CAPTURE(at);
        Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(at));
        CHECK(fault_of(cut, trace) == Fault::damaged);
        Bytes damaged = whole;
        damaged[at] ^= std::byte{0x40};
        const auto index = opened(damaged, trace);
        if (!index) continue;
        unsigned told = 0;
        index->on_damage = [&](std::string_view) { ++told; };
        unsigned bad = 0;
        for (const Checkpoint& checkpoint : index->checkpoints())
            bad += index->state_of(checkpoint) ? 0 : 1;
        bad += index->extra(IndexExtra::outline) ? 0 : 1;
        const bool is_padding = at >= 12 && at < 16;  // reserved bytes of the head
        CHECK(bad == (is_padding ? 0 : 1));
        CHECK(told == bad);
    }
}

TEST_CASE("a directory with wrong numbers and a right checksum is refused") {
    const Bytes trace = trace_bytes(100);
    const Bytes whole = index_of(trace);
    constexpr std::size_t tail = 32, entry = 56, extras = 48;
    const std::size_t end = whole.size() - tail;
    const auto forged = [&](std::size_t at, std::uint64_t value) {
        Bytes index = whole;
        store_le(index.data() + at, value);
        const std::uint64_t offset = load_le<std::uint64_t>(index.data() + end);
        Fnv1a64 sum;
        sum.add(std::span(index).subspan(static_cast<std::size_t>(offset), end - static_cast<std::size_t>(offset)));
        store_le(index.data() + end + 16, sum.value());
        return fault_of(index, trace);
    };
    const std::size_t last = end - extras - entry;
    CHECK(forged(last - entry, 20) == std::nullopt);                    // the true position of the second checkpoint
    CHECK(forged(last, 5) == Fault::damaged);                           // positions must not decrease
    CHECK(forged(last + 32, 1'000'000) == Fault::damaged);              // a state behind the end
    CHECK(forged(last + 24, 1) == Fault::damaged);                      // ids must not decrease
    CHECK(forged(last + entry, 1'000'000) == std::nullopt);             // a survey that the index lacks
    CHECK(forged(last + entry + 24, 1'000'000) == Fault::damaged);      // an outline behind the end
    CHECK(forged(last + 40, 0xFFFF'FFFF'0000'0001) == Fault::damaged);  // a state of 4 GiB
    CHECK(forged(last - 2 * entry + 48, 1) == std::nullopt);            // a checksum, which is checked on use
}

TEST_CASE("an index without checkpoints keeps the counts") {
    const Bytes trace = trace_bytes(10);
    Bytes made;
    const auto output = open_memory_output("index", [&](Bytes bytes) { made = std::move(bytes); });
    TraceIndexWriter writer(*output);
    writer.add({}, {}, {});
    writer.drop_checkpoints();
    IndexTotals totals;
    totals.positions = 7;
    writer.finish(identity_of(trace), "stf", totals);
    output->commit();
    const auto index = opened(made, trace);
    REQUIRE(index != nullptr);
    CHECK(index->checkpoints().empty());
    CHECK(index->totals().positions == 7);
    CHECK(index->totals().first_time == std::nullopt);
    CHECK(index->before_position(100) == nullptr);
}

}  // namespace trace_index_test

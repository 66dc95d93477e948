// Tests damaged and hostile flux streams: only the damaged data is lost, and time and memory stay
// proportional to the size of the stream.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "flux/codec.hpp"
#include "flux/entries.hpp"
#include "flux/rules.hpp"
#include "formats/flux_support.hpp"
#include "io/packed_output.hpp"
#include "io/text_output.hpp"
#include "support/corpus.hpp"
#include "support/hex.hpp"
#include "support/lines.hpp"

namespace flux_damage_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;
using Lines = std::vector<std::string>;

struct Named {
    std::string name;
    Bytes bytes;
};

/// Returns all valid samples, and the corpus files of at most `limit` bytes.
std::vector<Named> small_streams(std::uintmax_t limit) {
    std::vector<Named> streams;
    for (const auto& entry : fs::directory_iterator(testdata("flux/valid")))
        streams.push_back({entry.path().filename().string(), load_sample(entry.path()).bytes});
    if (const auto folder = corpus("flux"))
        for (const char* const part : {"v4", "v6", "v6java", "control"})
            for (const auto& entry : fs::directory_iterator(*folder / part)) {
                const std::string extension = entry.path().extension().string();
                if ((extension == ".flux" || extension == ".recTr") && entry.file_size() <= limit)
                    streams.push_back({entry.path().filename().string(), read_file(entry.path())});
            }
    std::ranges::sort(streams, {}, &Named::name);
    return streams;
}

/// Builds the bytes of a stream.
class Stream {
public:
    Stream& byte(unsigned value) {
        bytes_.push_back(static_cast<std::byte>(value));
        return *this;
    }
    Stream& bytes(std::initializer_list<unsigned> values) {
        for (const unsigned value : values)
            byte(value);
        return *this;
    }
    Stream& number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            byte(static_cast<unsigned>(value & 0x7F) | 0x80);
        return byte(static_cast<unsigned>(value));
    }
    Stream& text(std::string_view text) {
        number(text.size());
        for (const char c : text)
            byte(static_cast<unsigned char>(c));
        return *this;
    }
    Stream& add(const Bytes& more) {
        bytes_.insert(bytes_.end(), more.begin(), more.end());
        return *this;
    }
    Stream& head(std::uint64_t greatest) {
        return bytes({0, 1, 'f', 'l', 'u', 'x', 6, 0, 0, 0, 0}).number(greatest).number(0);
    }
    Stream& scope(std::uint64_t item, std::uint64_t parent) {
        return bytes({0, 0x10}).number(item).number(parent).text("s").byte(0);
    }
    Stream& signal(std::uint64_t item, std::uint64_t parent, unsigned type, std::string_view descriptor = {}) {
        return bytes({0, 0x11}).number(item).number(parent).text("i").byte(0).byte(type).text(descriptor);
    }
    Stream& open(std::uint64_t item = 0) { return bytes({0, 0x20}).number(item).text("ns").bytes({0, 0}); }
    Stream& close(unsigned end = 0) { return end == 0 ? bytes({0, 0x21, 0, 0}) : bytes({0, 0x21, 0, 1, end}); }
    Stream& current(std::uint64_t item, unsigned position) {
        return bytes({0, 0x23}).number(item).bytes({1, position});
    }
    /// Appends an integer sample. `value` must be below 128.
    Stream& integer(std::uint64_t item, unsigned value) { return number(item << 3 | 2).bytes({1, 0x11, value}); }
    /// Appends an LZ4 block that states an original size of `size` bytes.
    Stream& block(const Bytes& packed, std::uint64_t size) {
        return bytes({0, 5, 0}).number(size).number(packed.size()).add(packed);
    }
    const Bytes& get() const { return bytes_; }

private:
    Bytes bytes_;
};

/// Returns an LZ4 block without matches.
Bytes stored(const Bytes& raw) {
    Stream block;
    block.byte(raw.size() < 15 ? static_cast<unsigned>(raw.size()) << 4 : 0xF0);
    if (raw.size() >= 15) {
        std::size_t rest = raw.size() - 15;
        for (; rest >= 255; rest -= 255)
            block.byte(255);
        block.byte(static_cast<unsigned>(rest));
    }
    return block.add(raw).get();
}

Bytes packed(const Bytes& bytes, Packing packing) {
    Bytes result;
    const auto output = open_memory_output("packed", [&](Bytes written) { result = std::move(written); });
    PackedOutput file(*output, {packing});
    file.write(bytes);
    file.finish();
    output->commit();
    return result;
}

/// Returns a FastLZ block without matches.
Bytes fastlz_runs(const Bytes& raw) {
    constexpr std::size_t longest = 32;
    Stream block;
    for (std::size_t at = 0; at < raw.size(); at += longest) {
        const std::size_t count = std::min(longest, raw.size() - at);
        block.byte(static_cast<unsigned>(count) - 1);
        for (std::size_t i = 0; i < count; ++i)
            block.byte(std::to_integer<unsigned>(raw[at + i]));
    }
    return block.get();
}

/// Returns an LZ4 block of `front` followed by `zeros` zero bytes.
Bytes with_zeros(const Bytes& front, std::size_t zeros) {
    Bytes raw = front;
    raw.push_back(std::byte{0});
    Bytes packed = stored(raw);
    // After the literals, there is a very long match at distance 1.
    std::size_t rest = zeros - 1 - 4 - 15 - 5;
    packed.front() |= std::byte{0x0F};
    Stream block;
    block.add(packed).bytes({1, 0});
    for (; rest >= 255; rest -= 255)
        block.byte(255);
    block.byte(static_cast<unsigned>(rest));
    return block.add(stored(Bytes(5))).get();
}

std::string in_front(const Lines& got, const Lines& whole) {
    for (std::size_t i = 0; i < got.size(); ++i)
        if (i >= whole.size() || got[i] != whole[i])
            return std::to_string(i) + ": " + got[i] + "\n  wanted " + (i < whole.size() ? whole[i] : "(nothing)");
    return {};
}

/// Returns the offsets of all entries outside blocks. A block counts as an entry.
std::set<std::size_t> ends_of_entries(const Bytes& bytes) {
    Input input = Input::memory("stream", bytes);
    Findings findings;
    const Settings settings;
    flux::Entries entries(input, settings, findings);
    flux::Entry entry;
    std::set<std::size_t> ends;
    while (entries.next(entry)) {
        ends.insert(static_cast<std::size_t>(entries.depth() == 0 ? entries.offset() : entries.block_offset()));
    }
    return ends;
}

void read_views(const Bytes& bytes) {
    const Settings settings;
    for (const auto render : {flux::render_tree, flux::render_entries}) {
        Input input = Input::memory("stream", bytes);
        Findings findings;
        TextOutput out(-1, 4096);
        try {
            render(input, out, settings, findings);
        } catch (const Error&) {
        }
    }
}

}  // namespace

TEST_CASE("flux: a cut stream delivers everything before the cut, and the cut is reported") {
    std::size_t cuts = 0;
    for (const Named& stream : small_streams(700)) {
        CAPTURE(stream.name);
        const FluxReading whole(stream.bytes, CheckLevel::delivery);
        const bool ring = whole.fact("sections") != "(none)";
        const std::set<std::size_t> ends = ends_of_entries(stream.bytes);
        const bool corrupt = whole.findings.effect() != Effect::harmless;
        for (std::size_t size = 1; size < stream.bytes.size(); ++size, ++cuts) {
            CAPTURE(size);
            const FluxReading cut(Bytes(stream.bytes.begin(), stream.bytes.begin() + static_cast<std::ptrdiff_t>(size)),
                                  CheckLevel::delivery);
            CHECK((!cut.failure || *cut.failure == Failure::input));
            if (!ring) CHECK(in_front(cut.records, whole.records) == "");
            // Only a cut between two entries may have no finding.
            if (!ring && !corrupt && !cut.failure && cut.findings.effect() == Effect::harmless)
                CHECK(ends.contains(size));
        }
    }
    CHECK(cuts > 2'000);  // the real streams double this count
}

TEST_CASE("flux: a cut compressed stream is incomplete, not another format") {
    for (const char* const name : {"minimal.hex", "packed_head.hex"})
        for (const Packing packing : {Packing::gzip, Packing::lz4, Packing::zstd, Packing::xz}) {
            const Bytes whole = packed(load_sample(testdata("flux/valid") / name).bytes, packing);
            REQUIRE(FluxReading(whole).findings.effect() == Effect::harmless);
            const std::size_t first = 6;  // fewer bytes do not identify the compression
            for (std::size_t size = first; size < whole.size(); ++size) {
                CAPTURE(name);
                CAPTURE(name_of(packing));
                CAPTURE(size);
                const FluxReading cut(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
                CHECK(cut.total("FLX001") == 0);
                CHECK(cut.findings.effect() == Effect::incomplete);
                if (cut.failure) CHECK(*cut.failure == Failure::input);
            }
        }
}

TEST_CASE("flux: a cut inside a block whose literals contain a HEAD is reported as a cut, not as a wrong size") {
    Bytes raw = Stream().head(4).signal(1, 0, 2).open().get();
    for (unsigned i = 0; i < 60; ++i) {
        const Bytes more = i == 30 ? Stream().head(4).get() : Stream().integer(1, i).get();
        raw.insert(raw.end(), more.begin(), more.end());
    }
    for (const bool fastlz : {false, true}) {
        Stream stream;
        if (fastlz)
            stream.bytes({0, 5, 1}).number(raw.size()).number(fastlz_runs(raw).size()).add(fastlz_runs(raw));
        else
            stream.block(stored(raw), raw.size());
        const Bytes& whole = stream.get();
        for (std::size_t size = 3; size < whole.size(); ++size) {
            CAPTURE(fastlz);
            CAPTURE(size);
            const FluxReading cut(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
            CHECK(cut.findings.effect() == Effect::incomplete);
        }
    }
}

TEST_CASE("flux: the next HEAD after a block with a wrong size is found") {
    const Bytes raw = Stream().head(4).signal(1, 0, 2).open().integer(1, 1).get();
    const Bytes next = Stream().head(4).signal(1, 0, 2).open().integer(1, 3).close().get();
    for (const bool fastlz : {false, true}) {
        CAPTURE(fastlz);
        Stream stream;
        stream.bytes({0, 5, fastlz ? 1u : 0u}).number(raw.size()).number(100'000);
        const FluxReading reading(stream.add(fastlz ? fastlz_runs(raw) : stored(raw)).add(next).get());
        CHECK(reading.total("FLX003") == 1);
        CHECK(reading.records_of("0/1 @1: value i64=3").size() == 1);
    }
}

TEST_CASE("flux: a cut stream is recognised as cut even if the rule for cuts is off") {
    Bytes bytes = Stream().head(300).get();
    bytes.resize(bytes.size() - 1);
    Input input = Input::memory("stream", bytes);
    Findings findings;
    findings.set_severity("FLX002", Severity::off);
    const Settings settings;
    CHECK_THROWS_WITH(flux_format.open(input, settings, findings), "stream: the stream ends inside its first entry");
    CHECK(findings.total("FLX001") == 0);
}

TEST_CASE("flux: 10,000 flipped bytes cause no crash, and memory use stays proportional to the file size") {
    std::mt19937_64 random(7);
    const std::vector<Named> streams = small_streams(3'000);
    std::size_t told = 0;
    for (int i = 0; i < 10'000; ++i) {
        const Named& stream = streams[random() % streams.size()];
        Bytes bytes = stream.bytes;
        const std::size_t at = random() % bytes.size();
        bytes[at] ^= static_cast<std::byte>(1 + random() % 255);
        CAPTURE(stream.name);
        CAPTURE(at);
        const FluxReading reading(bytes, i % 2 == 0 ? CheckLevel::delivery : CheckLevel::full);
        CHECK((!reading.failure || *reading.failure == Failure::input || *reading.failure == Failure::limit));
        if (!reading.rules.empty()) ++told;
        if (i % 10 == 0) read_views(bytes);
    }
    CHECK(told > 2'000);
}

TEST_CASE("flux: samples after a damaged block are omitted and counted until a position is stated") {
    Stream stream;
    stream.head(4).signal(1, 0, 2).signal(2, 0, 2).open().integer(1, 1);
    const std::size_t block = stream.get().size();
    stream.block(stored(Stream().integer(1, 2).integer(1, 3).get()), 9);  // the block holds 8 bytes
    stream.integer(1, 4).integer(2, 5).current(0, 50).integer(1, 6).close();
    const FluxReading reading(stream.get());
    CHECK(reading.records == Lines{"0/1 @1: value i64=1", "0/1 @51: value i64=6"});
    CHECK(reading.total("FLX039") == 2);
    CHECK(reading.rules.front() == "FLX005@" + std::to_string(block));
    CHECK(reading.fact("samples_without_position") == "2");
    CHECK(reading.findings.effect() == Effect::damaged);
}

TEST_CASE("flux: a block after damage loses nothing if it begins with its position") {
    Stream stream;
    stream.head(4).signal(1, 0, 2).open();
    stream.block(Bytes(7, std::byte{0xAA}), 8);
    const Bytes second = Stream().current(0, 20).integer(1, 2).integer(1, 3).get();
    stream.block(stored(second), second.size()).close();
    const FluxReading reading(stream.get());
    CHECK(reading.records == Lines{"0/1 @21: value i64=2", "0/1 @22: value i64=3"});
    CHECK(reading.total("FLX039") == 0);
}

TEST_CASE("flux: after an invalid entry, reading continues at the next block or HEAD") {
    const Bytes block = Stream().current(0, 20).integer(1, 2).get();
    Stream stream;
    stream.head(4).signal(1, 0, 2).open().integer(1, 1).bytes({0, 0x7F}).integer(1, 9).integer(1, 9);
    stream.block(stored(block), block.size()).bytes({0, 0x0F}).integer(1, 9);
    stream.head(4).signal(1, 0, 2).open().integer(1, 3).close();
    const FluxReading reading(stream.get());
    CHECK(reading.records == Lines{"0/1 @1: value i64=1", "0/1 @21: value i64=2", "opening 0001666c757806000000000400",
                                   "opening 001101000169000200", "opening 002000026e730000", "0/1 @1: value i64=3"});
    CHECK(reading.total("FLX003") == 2);
}

TEST_CASE("flux: an entry whose size exceeds the file loses all data up to the next block") {
    const Bytes block = Stream().current(0, 20).integer(1, 2).get();
    Stream stream;
    stream.head(4).signal(1, 0, 5).open();
    const std::size_t at = stream.get().size();
    stream.byte(8).number(std::uint64_t{1} << 40).integer(1, 9);
    stream.signal(2, 0, 2).block(stored(block), block.size()).close();
    const FluxReading reading(stream.get());
    CHECK(reading.rules.front() == "FLX003@" + std::to_string(at));
    CHECK(reading.records.size() == 1);
    CHECK_FALSE(reading.failure.has_value());
}

TEST_CASE("flux: bombs are refused before they are expanded") {
    Limits limits;
    limits.block = 1u << 20;
    const auto failure = [&](const Stream& stream) {
        return FluxReading(stream.get(), CheckLevel::full, limits).failure;
    };
    const auto begin = [] { return Stream().head(4).signal(1, 0, 2).open(); };

    SUBCASE("a block with a huge stated size") {
        CHECK(failure(begin().block(Bytes(5000, std::byte{1}), 4u << 20)) == Failure::limit);
    }
    SUBCASE("a block with an impossible expansion") {
        const FluxReading reading(begin().block(Bytes(5, std::byte{1}), 1u << 19).close().get(), CheckLevel::full,
                                  limits);
        CHECK(reading.total("FLX005") == 1);
        CHECK_FALSE(reading.failure.has_value());
    }
    SUBCASE("nested blocks with a large total") {
        Bytes inner = Stream().integer(1, 1).get();
        std::size_t size = inner.size();
        inner = stored(inner);
        for (int i = 0; i < 4; ++i) {
            const Bytes block = Stream().block(inner, size).get();
            size = 300'000;
            inner = with_zeros(block, size - block.size());
        }
        CHECK(failure(begin().block(inner, size)) == Failure::limit);
    }
    SUBCASE("sections with a large total") {
        Stream stream = begin();
        for (int i = 0; i < 20; ++i)
            stream.bytes({0, 6, 1, 0xFF, 0xFF, 0xFF, 0xFF}).add(Bytes(65535, std::byte{0x5A}));
        CHECK(failure(stream) == Failure::limit);
    }
    SUBCASE("sections inside sections") {
        Bytes inner;
        for (unsigned size = 0; size < 60'000; size += 7)
            inner.insert(inner.begin(), {std::byte{0}, std::byte{6}, std::byte{0x81},
                                         static_cast<std::byte>(size & 0xFF), static_cast<std::byte>(size >> 8),
                                         static_cast<std::byte>(size & 0xFF), static_cast<std::byte>(size >> 8)});
        const FluxReading reading(begin().add(inner).close().get());
        CHECK(reading.total("FLX007") == 1);
        CHECK_FALSE(reading.failure.has_value());
    }
    SUBCASE("more signals in one definition than allowed") {
        CHECK(failure(begin().bytes({0, 0x12, 1}).number(std::uint64_t{1} << 29).bytes({0, 0, 0, 2, 0})) ==
              Failure::limit);
        CHECK(failure(begin().bytes({0, 0x12, 1}).number(~std::uint64_t{0}).bytes({0, 0, 0, 2, 0})) == Failure::limit);
    }
    SUBCASE("many signals with a long name") {
        const std::string name(100'000, 'n');
        CHECK(failure(begin().bytes({0, 0x12, 2}).number(100'000).byte(0).text(name).bytes({0, 2, 0})) ==
              Failure::limit);
    }
    SUBCASE("vectors much wider than their stored states") {
        Stream stream;
        stream.head(4).signal(1, 0, 3, "default<bits=1000000>").open();
        for (unsigned i = 0; i < 20; ++i)
            stream.bytes({10, 1, 0x29, i, 0x55});
        CHECK(failure(stream) == Failure::limit);
        limits.string = 1000;
        CHECK(failure(stream) == Failure::limit);
    }
    SUBCASE("an array of more elements than fit") {
        Stream stream;
        stream.head(4).signal(1, 0, 9).open().byte(8).number(std::uint64_t{100'000} << 4 | 5).add(Bytes(100'000));
        CHECK(failure(stream) == Failure::limit);
    }
    SUBCASE("structs nested too deeply") {
        Bytes inner;
        for (int i = 0; i < 1000; ++i)
            inner = Stream().bytes({1, 9}).number(inner.size()).add(inner).get();
        const FluxReading reading(
            Stream().head(4).signal(1, 0, 7).open().byte(8).number(inner.size() << 4 | 1).add(inner).close().get());
        CHECK(reading.total("FLX029") == 1);
    }
}

TEST_CASE("flux: the time for many elements of any kind is proportional to their number") {
    constexpr unsigned many = 50'000;
    Stream stream;
    stream.head(many + 10);
    SUBCASE("items opened individually") {
        for (unsigned i = 1; i <= many; ++i)
            stream.signal(i, 0, 2).open(i).integer(i, 1);
        CHECK(FluxReading(stream.get()).records.size() == many);
    }
    SUBCASE("all members of a struct in each sample") {
        stream.signal(1, 0, 7).open();
        Stream all;
        for (unsigned i = 0; i < many; ++i) {
            stream.bytes({0, 0x31, 1}).number(i).byte(0).text("m" + std::to_string(i)).bytes({3, 0});
            all.number(i).bytes({3, 1, 7});
        }
        for (int i = 0; i < 2; ++i)
            stream.byte(8).number(all.get().size() << 4 | 1).add(all.get());
        const FluxReading reading(stream.get());
        CHECK(reading.records.size() == 2);
        CHECK(reading.records.front().ends_with(" m49999 i64=7"));
    }
    SUBCASE("undefined members") {
        stream.signal(1, 0, 7).open();
        Stream all;
        for (unsigned i = 0; i < many; ++i)
            all.number(i).bytes({3, 1, 7});
        stream.byte(8).number(all.get().size() << 4 | 1).add(all.get());
        CHECK(FluxReading(stream.get()).records.size() == 1);
    }
    SUBCASE("labels") {
        stream.signal(1, 0, 1).open();
        for (unsigned i = 0; i < many; ++i)
            stream.bytes({0, 0x30, 1, 0}).text("l" + std::to_string(i)).number(i);
        stream.bytes({8, 0x32, 0x4F, 0xC3, 0x00});
        CHECK(FluxReading(stream.get()).records == Lines{"0/1 @0: value enum=49999(l49999)"});
    }
    SUBCASE("labels between the samples") {
        stream.signal(1, 0, 1).open();
        for (unsigned i = 0; i < many; ++i) {
            stream.bytes({0, 0x30, 1, 0}).text("l" + std::to_string(i)).number(i);
            stream.bytes({8, 0x42}).bytes({std::uint8_t(i), std::uint8_t(i >> 8), 0, 0});
        }
        Limits limits;
        limits.schema_objects = 2 * many;
        const FluxReading reading(stream.get(), CheckLevel::full, limits);
        CHECK(reading.records.size() == many);
        CHECK(reading.records.back() == "0/1 @0: value enum=49999(l49999)");
        CHECK(reading.schema().enums().size() == 1);
        CHECK(reading.schema().tracks()[0].fields.size() == 1);
    }
    SUBCASE("nested scopes, with a sample after each") {
        for (unsigned i = 1; i <= many / 20; ++i)
            stream.scope(i, i - 1);
        stream.signal(many, many / 20, 2).open();
        for (unsigned i = 0; i < many / 20; ++i)
            stream.signal(many / 10 + i, 1, 2).integer(many, 1);
        CHECK(FluxReading(stream.get()).records.size() == many / 20);
    }
    SUBCASE("parts of a scattered signal") {
        for (unsigned i = 1; i <= many; ++i)
            stream.bytes({0, 0x14}).number(i).byte(0).text("bus").bytes({0, 3, 0}).number(i).number(i);
        stream.open();
        for (unsigned i = 1; i <= many; ++i)
            stream.number(i << 3 | 2).bytes({1, 5});
        CHECK(FluxReading(stream.get()).records.size() == many);
    }
    SUBCASE("traces, and switches between them") {
        for (unsigned i = 0; i < many; ++i)
            stream.bytes({0, 4}).number(i % 1000);
        CHECK(FluxReading(stream.get()).fact("traces") == "1000");
    }
    SUBCASE("repeated damage") {
        stream.signal(1, 0, 2).open();
        for (unsigned i = 0; i < many; ++i)
            stream.bytes({0, 5, 9, 0, 0}).integer(1, 1);
        const FluxReading reading(stream.get());
        CHECK(reading.total("FLX004") == many);
        CHECK(reading.total("FLX039") == many);
    }
    SUBCASE("repeatedly lost positions") {
        for (unsigned i = 1; i <= many; ++i)
            stream.current(i, 1);
        for (unsigned i = 1; i <= many; ++i)
            stream.bytes({0, 5, 9, 0, 0}).integer(i, 1);
        CHECK(FluxReading(stream.get()).total("FLX039") == many);
    }
    SUBCASE("positions and repeated HEADs") {
        for (unsigned i = 1; i <= many; ++i)
            stream.current(i, 1);
        for (unsigned i = 1; i <= many; ++i)
            stream.head(0);
        CHECK(FluxReading(stream.get()).fact("traces") == "1");
    }
    SUBCASE("invalid entries that look like blocks") {
        stream.signal(1, 0, 2).open();
        for (unsigned i = 0; i < many; ++i)
            stream.bytes({0, 7, 0, 5, 0, 0x80, 0x80, 4, 0x80, 1});
        CHECK(FluxReading(stream.get()).total("FLX003") != 0);
    }
}

TEST_CASE("flux: an OPEN is applied at every check level, even after samples that follow a sync HEAD") {
    Stream stream;
    stream.head(4).signal(1, 0, 2).open().integer(1, 1);
    stream.bytes({0, 1, 'f', 'l', 'u', 'x', 6, 0, 0, 0, 1, 4, 0}).signal(1, 0, 2).open().integer(1, 2);
    stream.close(2).bytes({0, 0x20, 0, 2, 'u', 's', 1, 100, 0}).integer(1, 3).close(101);
    for (const CheckLevel level : {CheckLevel::delivery, CheckLevel::full}) {
        const FluxReading reading(stream.get(), level);
        CHECK(reading.records == Lines{"0/1 @1: value i64=1", "0/1 @2: value i64=2", "opening 0021000102",
                                       "opening 002000027573016400", "0/1 @101: value i64=3"});
        CHECK(reading.rules == Lines{});
    }
}

TEST_CASE("flux: ambiguous numbers of version 4 are all reported at the full check level, otherwise once per signal") {
    Stream stream;
    stream.bytes({0, 1, 'f', 'l', 'u', 'x', 4, 0, 0, 0, 0, 4, 0}).signal(1, 0, 2).signal(2, 0, 2).open();
    stream.integer(1, 0xC8).integer(1, 0xC9).integer(2, 0xCA).close();
    CHECK(FluxReading(stream.get(), CheckLevel::full).total("FLX022") == 3);
    const FluxReading delivered(stream.get(), CheckLevel::delivery);
    CHECK(delivered.total("FLX022") == 2);
    CHECK(delivered.records.front() == "0/1 @1: value i64=-56");
}

TEST_CASE("flux: a trace that only a switch selects is shown as a trace") {
    const Bytes bytes = Stream().head(4).signal(1, 0, 2).bytes({0, 4, 7}).get();
    Input input = Input::memory("stream", bytes);
    Findings findings;
    const Settings settings;
    TextOutput out(-1, 4096);
    flux::render_tree(input, out, settings, findings);
    CHECK(out.text() == "trace 0, version 6\n  1 i: integer\ntrace 7\n");
}

TEST_CASE("flux: no position is invented if damage destroys OPEN too") {
    Stream stream;
    stream.head(4).signal(1, 0, 2).block(Bytes(7, std::byte{0xAA}), 8).integer(1, 4).current(0, 50).integer(1, 5);
    const FluxReading reading(stream.get());
    CHECK(reading.records == Lines{"0/1 @51: value i64=5"});
    CHECK(reading.total("FLX039") == 1);
}

TEST_CASE("flux: a relation or label of a lost sample is not attached to the previous sample") {
    const auto label = [](Stream& stream) { stream.bytes({0, 0x41, 1, 1, 0, 0}); };
    Stream stream;
    stream.head(4).signal(1, 0, 2).open().bytes({0, 0x30, 1, 3}).text("A").number(1);
    stream.integer(1, 1);
    label(stream);
    stream.block(Bytes(7, std::byte{0xAA}), 8);
    label(stream);
    stream.current(0, 50);
    label(stream);
    stream.integer(1, 2);
    label(stream);
    const FluxReading reading(stream.get());
    CHECK(reading.records == Lines{"0/1 @1: value i64=1", "0 @1 flux.label item=1 style=A x=0 y=0",
                                   "0/1 @51: value i64=2", "0 @51 flux.label item=1 style=A x=0 y=0"});
    CHECK(reading.total("FLX039") == 2);
}

TEST_CASE("flux: a ring that ends between two sections is reported as cut") {
    const Bytes ring = load_sample(testdata("flux/valid/ring.hex")).bytes;
    Stream one;
    one.head(4).signal(1, 0, 2).open();
    const std::size_t front = one.get().size();
    one.bytes({0, 6, 1, 8, 0, 8, 0}).current(0, 9).bytes({8, 0x11, 1});
    const FluxReading cut(one.get());
    CHECK(cut.records == Lines{"0/1 @9: value i64=1"});
    CHECK(cut.total("FLX002") == 1);
    CHECK(cut.findings.effect() == Effect::incomplete);
    const FluxReading followed(Stream().add(one.get()).integer(1, 2).get());
    CHECK(followed.rules.front() == "FLX007@" + std::to_string(front));
    CHECK(FluxReading(ring).rules == Lines{});
}

TEST_CASE("flux: an item that is opened and closed again ends at its last CLOS") {
    Stream stream;
    stream.head(4).signal(1, 0, 2).open(1).integer(1, 1).bytes({0, 0x21, 1, 1, 5}).open(1).integer(1, 2);
    const FluxReading reading(stream.bytes({0, 0x21, 1, 1, 7}).get());
    CHECK(reading.metadata("flux.0.close.1") == "7");
    CHECK(std::ranges::count(reading.schema().metadata(), "flux.0.close.1", &Metadata::key) == 1);
}

}  // namespace flux_damage_test

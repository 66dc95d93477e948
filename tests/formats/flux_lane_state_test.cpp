// Tests that lanes (formats/flux/lanes.hpp) respect what stands between samples: entries that change the state of the
// trace, damage, and values at the limits. Random traces (flux_lanes_test.cpp) rarely meet these cases.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flux/encode.hpp"
#include "formats/flux_lanes_support.hpp"
#include "io/appender.hpp"

namespace flux_lane_state_test {

using namespace hwtrace;
using namespace hwtrace::flux;
using hwtrace::test::check_lanes;

namespace {

constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();
constexpr std::uint8_t begun = 0, joined_late = 1;  ///< modes of a HEAD
constexpr std::nullopt_t without_head = std::nullopt;
constexpr std::uint64_t event = 1, text = 2, structure = 3, filler = 4;

/// A trace with a signal of each kind. Its samples have a distance of 1 unless stated otherwise.
class Stream {
public:
    explicit Stream(std::optional<std::uint8_t> mode = begun) {
        if (mode) head(*mode);
        define(event, SignalType::event);
        define(text, SignalType::text);
        define(structure, SignalType::structure);
        define(filler, SignalType::event);
    }

    Stream& head(std::uint8_t mode) {
        append_tag(out_, Tag::head);
        out_.text(magic);
        out_.le(version_6);
        out_.leb128(0);
        append_text(out_, "trace");
        append_text(out_, "");
        out_.le(mode);
        out_.leb128(0);
        out_.leb128(0);
        return *this;
    }
    Stream& open(std::string_view domain, std::int64_t position) {
        append_tag(out_, Tag::open);
        out_.leb128(0);
        append_text(out_, domain);
        append_signed(out_, position);
        append_unsigned(out_, 0);
        return *this;
    }
    Stream& current(std::int64_t position) {
        append_tag(out_, Tag::current);
        out_.leb128(0);
        append_signed(out_, position);
        return *this;
    }
    Stream& label(std::uint64_t item) {
        append_tag(out_, Tag::label);
        out_.leb128(item);
        for (unsigned field = 0; field < 3; ++field)
            out_.leb128(0);
        return *this;
    }
    Stream& events(unsigned count, std::uint64_t distance = 1, std::uint64_t item = event) {
        for (unsigned i = 0; i < count; ++i)
            sample(item, distance, Nibble::event, "e");
        return *this;
    }
    Stream& texts(unsigned count, std::size_t size, std::uint64_t distance = 1) {
        for (unsigned i = 0; i < count; ++i)
            sample(text, distance, Nibble::value, std::string(size, static_cast<char>('a' + i % 26)));
        return *this;
    }
    /// Appends structs with one text as their member.
    Stream& structs(unsigned count, std::size_t size) {
        Appender member;
        member.leb128(0);
        member.le(static_cast<std::uint8_t>(MemberType::text));
        append_text(member, std::string(size, 'm'));
        for (unsigned i = 0; i < count; ++i)
            sample(structure, 1, Nibble::value, as_text(member.span()));
        return *this;
    }
    /// Appends a packed block that cannot be unpacked.
    Stream& damage() {
        append_tag(out_, Tag::packed);
        out_.le(static_cast<std::uint8_t>(Pack::lz4));
        out_.leb128(10);
        append_text(out_, "\xFF\xFF\xFF");
        return *this;
    }
    /// Returns the stream, with samples at its end: lanes need some bytes after a sample.
    std::vector<std::byte> bytes() {
        events(100, 1, filler);
        return {out_.span().begin(), out_.span().end()};
    }

private:
    void define(std::uint64_t item, SignalType type) {
        const std::string name = "item" + std::to_string(item);
        Entry entry;
        entry.tag = Tag::signal;
        entry.item = item;
        entry.name = name;
        entry.type = static_cast<std::uint8_t>(type);
        append_definition(out_, Layout::emitters_6, entry);
    }
    void sample(std::uint64_t item, std::uint64_t distance, Nibble nibble, std::string_view value) {
        out_.leb128(item << item_shift | flag_delta);
        out_.leb128(distance);
        out_.leb128(value.size() << size_shift | static_cast<std::uint64_t>(nibble));
        out_.text(value);
    }

    Appender out_;
};

}  // namespace

TEST_CASE("flux: lanes leave the first sample after a repeated HEAD to the scan, so that the next OPEN counts") {
    check_lanes(
        Stream().open("ns", 0).events(5).head(joined_late).open("ns", 0).events(1).open("us", 1000).events(5).bytes());
    check_lanes(Stream().open("ns", 0).texts(5, 3).head(joined_late).texts(1, 3).open("us", 1000).texts(5, 3).bytes());
}

TEST_CASE("flux: lanes leave the first sample of a trace that is joined late to the scan, which reports it") {
    check_lanes(Stream(joined_late).events(5).open("us", 1000).events(5).bytes());
    check_lanes(Stream(without_head).open("ns", 0).events(5).head(joined_late).events(5).bytes());
    check_lanes(Stream(without_head).open("ns", 0).events(5).head(joined_late).current(100).events(5).bytes());
}

TEST_CASE("flux: lanes respect the limit of texts") {
    Settings settings;
    settings.limits.string = 100;
    for (const std::size_t size : {99u, 100u, 101u, 150u}) {
        CAPTURE(size);
        check_lanes(Stream().open("ns", 0).texts(5, 10).texts(1, size).bytes(), settings);
        check_lanes(Stream().open("ns", 0).structs(5, 10).structs(1, size).bytes(), settings);
    }
}

TEST_CASE("flux: no lane is prepared for a sample beyond the latest position, whose track has an earlier time base") {
    check_lanes(Stream().open("ns", 0).events(5).open("us", latest - 5).events(1, 100).current(7).events(5).bytes());
    check_lanes(
        Stream().open("ns", 0).texts(5, 3).open("us", latest - 5).texts(1, 3, 100).current(7).texts(5, 3).bytes());
}

TEST_CASE("flux: lanes are prepared anew after damage, and labels belong to the sample after it") {
    check_lanes(Stream().open("ns", 0).events(5).damage().events(5).bytes());
    check_lanes(Stream().open("ns", 0).events(5).damage().current(100).events(5).label(event).bytes());
    check_lanes(Stream().open("ns", 0).events(5).damage().events(1).current(100).events(1).label(event).bytes());
    check_lanes(Stream().open("ns", 0).texts(5, 3).damage().texts(1, 3).current(100).texts(1, 3).label(text).bytes());
}

TEST_CASE("flux: lanes stop at a sample beyond the latest position") {
    check_lanes(Stream().open("ns", latest - 50).events(5, 5).events(1, 100).events(5).bytes());
    check_lanes(Stream().open("ns", latest - 50).events(5, 5).events(1, 25).events(1).bytes());
    check_lanes(Stream().open("ns", latest - 50).texts(5, 3, 5).texts(1, 3, 100).texts(5, 3).bytes());
    check_lanes(Stream().open("ns", -50).events(5, 5).events(1, 100).events(5).bytes());
}

TEST_CASE("flux: a label after samples that lanes decoded has the position of the last one") {
    for (unsigned count = 1; count < 8; ++count) {
        CAPTURE(count);
        check_lanes(Stream().open("ns", 0).events(count).label(event).bytes());
        check_lanes(Stream().open("ns", 0).texts(count, 3).label(text).bytes());
        check_lanes(Stream().open("ns", 0).events(count).texts(2, 3).label(event).label(text).bytes());
    }
}

}  // namespace flux_lane_state_test

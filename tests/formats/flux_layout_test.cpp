// Tests the layout of impulse 3: its sample files, and how it is told from the layout of the emitters.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "flux/display.hpp"
#include "flux/encode.hpp"
#include "flux/layout.hpp"
#include "formats/flux_support.hpp"
#include "hwtrace/flux_emitter.h"
#include "io/appender.hpp"
#include "io/compression.hpp"
#include "support/corpus.hpp"
#include "support/lines.hpp"

namespace flux_layout_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Bytes = std::vector<std::byte>;

/// Writes a stream with the C emitter.
class Stream {
public:
    explicit Stream(std::uint8_t version) : memory_(1 << 16) {
        REQUIRE(flux_buffer_init(&buffer_, memory_.data(), static_cast<std::uint32_t>(memory_.size()), nullptr) ==
                FLUX_OK);
        REQUIRE(flux_trace_init(&trace_, 0, version, 63, 1024, items_.data()) == FLUX_OK);
        REQUIRE(flux_trace_attach(&trace_, &buffer_) == FLUX_OK);
    }
    flux_trace* trace() { return &trace_; }
    Bytes bytes() const {
        std::uint32_t size = 0;
        const std::uint8_t* const at = flux_buffer_bytes(&buffer_, &size);
        const auto all = std::as_bytes(std::span(at, size));
        return {all.begin(), all.end()};
    }

private:
    std::vector<std::uint8_t> memory_;
    std::vector<flux_item> items_ = std::vector<flux_item>(64);
    flux_buffer buffer_{};
    flux_trace trace_{};
};

/// A signal of a sample file: its item, its number of samples, and its last value.
struct Signal {
    std::uint64_t item = 0;
    std::size_t samples = 0;
    std::string type;
};

struct Sample {
    std::string file;
    std::vector<Signal> signals;
    Tick last = 0;
    std::string end;
};

const std::array samples{
    Sample{"trace01", {{1, 50'000, "integer"}, {2, 50'000, "float"}}, 499'990, "500000"},
    Sample{"trace03",
           {{2, 50'000, "integer"},
            {3, 50'000, "integer"},
            {4, 50'000, "integer"},
            {5, 50'000, "integer"},
            {12, 50'000, "float"},
            {13, 50'000, "float"}},
           499'995,
           "500000"},
    Sample{"trace04", {{2, 50'000, "text"}, {3, 50'000, "event"}, {4, 50'000, "binary"}}, 499'990, "500000"},
    Sample{"trace06",
           {{2, 50'000, "integer array"}, {3, 50'000, "float array"}, {4, 50'000, "event array"}},
           499'990,
           "500000"},
    Sample{"trace10", {{2, 50'000, "text"}, {3, 50'000, "event"}, {4, 50'000, "binary"}}, 499'990, "500000"}};

}  // namespace

TEST_CASE("flux: the sample files of impulse 3 have the published numbers of samples and end where they state") {
    for (const Sample& sample : samples) {
        const auto path = corpus("flux/impulse3/" + sample.file + ".recTr");
        if (!path) return;
        CAPTURE(sample.file);
        const FluxReading reading(read_file(*path));
        CHECK(reading.rules.empty());
        CHECK(reading.fact("layout") == "impulse 3");
        std::size_t all = 0;
        for (const Signal& signal : sample.signals) {
            const std::string item = "0/" + std::to_string(signal.item);
            CHECK(reading.records_of(item + ' ').size() == signal.samples);
            CHECK(reading.metadata("flux.0." + std::to_string(signal.item) + ".type") == signal.type);
            all += signal.samples;
        }
        CHECK(reading.records.size() == all);
        REQUIRE(!reading.records.empty());
        CHECK(reading.records.back().find('@' + std::to_string(sample.last) + ':') != std::string::npos);
        CHECK(reading.metadata("flux.0.close.0") == sample.end);
    }
}

TEST_CASE("flux: the values of the first sample file of impulse 3 follow its formula") {
    const auto path = corpus("flux/impulse3/trace01.recTr");
    if (!path) return;
    Input input = Input::open(path->string());
    Findings findings;
    const Settings settings;  // the reader refers to them
    const auto reader = flux_format.open(input, settings, findings);
    std::uint64_t integers = 0, floats = 0;
    for (Batch batch; reader->read(batch); batch.clear())
        for (const Record& record : batch.records()) {
            const std::uint64_t value = batch.attributes(record).front().value;
            if (reader->schema().tracks()[record.track].name == "integer")
                CHECK(value == integers++ % 444);
            else
                CHECK(std::bit_cast<double>(value) == doctest::Approx(static_cast<double>(floats++) / 1000));
        }
    CHECK(integers == 50'000);
    CHECK(floats == 50'000);
}

TEST_CASE("flux: the definitions of a stream show its layout") {
    std::size_t streams = 0;
    for (const bool is_impulse : {false, true})
        for (const bool has_scope : {false, true})
            for (int type = FLUX_EVENT; type <= FLUX_TEXT_ARRAY; ++type)
                for (const char* const description : {"", "what it is"})
                    for (const char* const descriptor : {"", "default<df=Hex>", "default<bits=16>", "gantt<>"})
                        for (const char* const tags : {"", "a", "tag1,tag2"}) {
                            if (!is_impulse && *tags != 0) continue;
                            Stream stream(is_impulse ? FLUX_IMPULSE_3 : FLUX_VERSION_6);
                            REQUIRE(flux_write_head(stream.trace(), "t", "") == FLUX_OK);
                            const std::size_t head = stream.bytes().size();
                            if (has_scope) REQUIRE(flux_add_scope(stream.trace(), 2, 0, "scope", "") == FLUX_OK);
                            if (*tags != 0) REQUIRE(flux_tag_next(stream.trace(), tags) == FLUX_OK);
                            REQUIRE(flux_add_signal(stream.trace(), 1, has_scope ? 2 : 0, "s", description,
                                                    static_cast<flux_type>(type), descriptor) == FLUX_OK);
                            REQUIRE(flux_open(stream.trace(), 0, "ns", 0, 0) == FLUX_OK);
                            REQUIRE(flux_write_none(stream.trace(), 1, flux_at(5)) == FLUX_OK);
                            REQUIRE(flux_close(stream.trace(), 0, 10) == FLUX_OK);
                            const Bytes bytes = stream.bytes();
                            const std::span<const std::byte> rest = std::span(bytes).subspan(head);
                            const auto right = is_impulse ? flux::Layout::impulse_3 : flux::Layout::emitters_6;
                            CAPTURE(hex_of(rest));
                            CHECK(flux::find_layout(rest, flux::Rest::nothing).layout == right);
                            // While the stream arrives, no prefix leads to the other layout.
                            for (std::size_t size = 0; size < rest.size(); ++size) {
                                const auto found = flux::find_layout(rest.first(size), flux::Rest::arriving);
                                CHECK(found.layout.value_or(right) == right);
                            }
                            ++streams;
                        }
    CHECK(streams == 704);
}

TEST_CASE("flux: a stream in the layout of impulse 3 has all types, members, widths and tags") {
    Stream stream(FLUX_IMPULSE_3);
    flux_trace* const trace = stream.trace();
    REQUIRE(flux_write_head(trace, "all", "") == FLUX_OK);
    REQUIRE(flux_tag_next(trace, "top,bus") == FLUX_OK);
    REQUIRE(flux_add_scope(trace, 1, 0, "scope", "of all") == FLUX_OK);
    REQUIRE(flux_add_signal(trace, 2, 1, "bus", "", FLUX_LOGIC, "default<df=Hex,bits=12>") == FLUX_OK);
    REQUIRE(flux_add_signal(trace, 3, 1, "level", "", FLUX_FLOAT, "") == FLUX_OK);
    REQUIRE(flux_add_signal(trace, 4, 1, "name", "", FLUX_TEXT, "") == FLUX_OK);
    REQUIRE(flux_add_signal(trace, 5, 1, "request", "", FLUX_STRUCT, "") == FLUX_OK);
    REQUIRE(flux_open(trace, 0, "ns", 0, 0) == FLUX_OK);
    REQUIRE(flux_tag_next(trace, "m") == FLUX_OK);
    REQUIRE(flux_define_member(trace, 5, 0, FLUX_NO_PARENT, "kind", FLUX_MEMBER_LOCAL_ENUM, "") == FLUX_OK);
    REQUIRE(flux_define_member(trace, 5, 1, FLUX_NO_PARENT, "size", FLUX_MEMBER_INTEGER, "default<df=Hex>") == FLUX_OK);
    REQUIRE(flux_define_member(trace, 5, 2, FLUX_NO_PARENT, "sub", FLUX_MEMBER_STRUCT, "") == FLUX_OK);
    REQUIRE(flux_define_member(trace, 5, 3, 2, "note", FLUX_MEMBER_TEXT, "") == FLUX_OK);
    REQUIRE(flux_define_enum(trace, 5, FLUX_ENUM_MEMBER + 0, "read", 1) == FLUX_OK);
    REQUIRE(flux_write_logic(trace, 2, flux_at(0), '0', 12, "10") == FLUX_OK);
    REQUIRE(flux_write_double(trace, 3, flux_after(0), 0.5) == FLUX_OK);
    REQUIRE(flux_write_text(trace, 4, flux_after(0), "hello") == FLUX_OK);
    const flux_member note = flux_member_text(3, "deep");
    const std::array members{flux_member_enum(0, FLUX_MEMBER_LOCAL_ENUM, 1), flux_member_unsigned(1, 64),
                             flux_member_struct(2, &note, 1)};
    REQUIRE(flux_write_struct(trace, 5, flux_after(3), members.data(), 3) == FLUX_OK);
    REQUIRE(flux_close(trace, 0, 10) == FLUX_OK);
    const FluxReading reading(stream.bytes());
    CHECK(reading.rules.empty());
    const std::vector<std::string> expected{"0/2 @0: value u64/12=2", "0/3 @0: value f64=4602678819172646912",
                                            "0/4 @0: value text=hello",
                                            "0/5 @3: kind enum=1(read) size i64=64 sub.note text=deep"};
    REQUIRE(reading.records.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(reading.records[i] == expected[i]);
    CHECK(reading.metadata("flux.0.1.tags") == "top,bus");
    CHECK(reading.metadata("flux.0.2.type") == "logic");
    CHECK(reading.metadata("flux.0.2.scale") == "12");
    CHECK(reading.metadata("flux.0.2.descriptor") == "hex");
    CHECK(reading.metadata("flux.0.5.member_tags.kind") == "m");
    CHECK(reading.metadata("flux.0.5.member_descriptor.size") == "hex");
    CHECK(reading.metadata("flux.0.5.member.sub.note") == "text");
    for (const Track& track : reading.schema().tracks())
        if (track.name == "bus") CHECK(track.fields.front().width == 12);
}

/// Which definitions follow a HEAD that restarts a trace.
enum class Repeats : std::uint8_t { nothing, scope, all };
/// Writes a stream in which a second HEAD restarts the trace.
static Bytes restarted_stream(std::uint8_t version, Repeats repeats) {
    Stream stream(version);
    flux_trace* const trace = stream.trace();
    REQUIRE(flux_write_head(trace, "t", "") == FLUX_OK);
    const std::size_t scope = stream.bytes().size();
    REQUIRE(flux_add_scope(trace, 1, 0, "scope", "") == FLUX_OK);
    const std::size_t signals = stream.bytes().size();
    REQUIRE(flux_add_signal(trace, 2, 1, "bus", "", FLUX_LOGIC, "default<df=Hex,bits=12>") == FLUX_OK);
    REQUIRE(flux_add_signal(trace, 3, 0, "level", "of it", FLUX_FLOAT, "") == FLUX_OK);
    REQUIRE(flux_add_signal(trace, 4, 1, "request", "", FLUX_STRUCT, "") == FLUX_OK);
    const std::size_t open = stream.bytes().size();
    REQUIRE(flux_open(trace, 0, "ns", 0, 0) == FLUX_OK);
    const std::size_t members = stream.bytes().size();
    REQUIRE(flux_define_member(trace, 4, 0, FLUX_NO_PARENT, "size", FLUX_MEMBER_INTEGER, "default<df=Hex>") == FLUX_OK);
    REQUIRE(flux_define_member(trace, 4, 1, FLUX_NO_PARENT, "level", FLUX_MEMBER_FLOAT, "") == FLUX_OK);
    REQUIRE(flux_define_member(trace, 4, 2, FLUX_NO_PARENT, "note", FLUX_MEMBER_TEXT, "") == FLUX_OK);
    const std::size_t samples_at = stream.bytes().size();
    REQUIRE(flux_write_logic(trace, 2, flux_at(1), '0', 12, "10") == FLUX_OK);
    REQUIRE(flux_write_double(trace, 3, flux_after(0), 0.5) == FLUX_OK);
    const std::array values{flux_member_unsigned(0, 64), flux_member_double(1, 2.5), flux_member_text(2, "deep")};
    REQUIRE(flux_write_struct(trace, 4, flux_after(3), values.data(), 3) == FLUX_OK);
    REQUIRE(flux_close(trace, 0, 10) == FLUX_OK);
    const Bytes once = stream.bytes();
    Bytes all = once;
    const auto repeat = [&](std::size_t begin, std::size_t end) {
        all.insert(all.end(), once.begin() + static_cast<std::ptrdiff_t>(begin),
                   once.begin() + static_cast<std::ptrdiff_t>(end));
    };
    repeat(0, scope);
    if (repeats != Repeats::nothing) repeat(scope, signals);
    if (repeats == Repeats::all) repeat(signals, open);
    repeat(open, members);
    if (repeats == Repeats::all) repeat(members, samples_at);
    repeat(samples_at, once.size());
    return all;
}

TEST_CASE("flux: definitions behind a HEAD that restarts the trace are converted to the layout of the target") {
    const Bytes emitters = restarted_stream(FLUX_VERSION_6, Repeats::all),
                impulse = restarted_stream(FLUX_IMPULSE_3, Repeats::all);
    const FluxReading first(emitters), second(impulse);
    CHECK(first.rules.empty());
    CHECK(second.rules.empty());
    CHECK(first.records_of("0/4 ").size() == 2);
    CHECK(first.records_of("opening ").size() == 10);  // CLOS, HEAD, four items, OPEN, three members
    for (const auto& [from, to, layout] :
         {std::tuple(emitters, impulse, "impulse3"), std::tuple(impulse, emitters, "impulse2")}) {
        Losses losses;
        const FluxReading made(flux_rewritten(from, losses, layout));
        CHECK(made.rules.empty());
        const FluxReading right(to);
        CHECK(made.records == right.records);
        CHECK(made.metadata("flux.0.2.descriptor") == right.metadata("flux.0.2.descriptor"));
        CHECK(made.metadata("flux.0.2.scale") == right.metadata("flux.0.2.scale"));
    }
}

TEST_CASE("flux: a HEAD that restarts a trace keeps the layout of its items") {
    for (const std::uint8_t version : {FLUX_VERSION_6, FLUX_IMPULSE_3})
        for (const Repeats repeats : {Repeats::nothing, Repeats::scope, Repeats::all}) {
            const FluxReading reading(restarted_stream(version, repeats));
            CHECK(reading.rules.empty());
            CHECK(reading.fact("layout") == (version == FLUX_IMPULSE_3 ? "impulse 3" : "(none)"));
            const std::vector<std::string> structs = reading.records_of("0/4 ");
            REQUIRE(structs.size() == 2);
            CHECK(structs[0] == "0/4 @4: size i64=64 level f64=4612811918334230528 note text=deep");
            CHECK(structs[1] == structs[0]);
        }
}

TEST_CASE("flux: a trace that restarts in another version keeps one layout in its records") {
    Bytes both = restarted_stream(FLUX_VERSION_4, Repeats::all);
    const Bytes newer = restarted_stream(FLUX_VERSION_6, Repeats::all);
    both.insert(both.end(), newer.begin(), newer.end());
    const FluxReading source(both);
    Losses losses;
    const FluxReading made(flux_rewritten(both, losses));
    CHECK(made.rules == std::vector<std::string>{});
    CHECK(made.records_of("opening ").size() == source.records_of("opening ").size());
    CHECK(made.records_of("0/4 ") == source.records_of("0/4 "));
    CHECK(made.records_of("0/4 ").size() == 4);
}

TEST_CASE("flux: one definition shows the layout if its block ends behind it") {
    const auto bytes_of = [](std::uint8_t version) {
        Stream stream(version);
        REQUIRE(flux_add_scope(stream.trace(), 1, 0, "scope", "it") == FLUX_OK);
        return stream.bytes();
    };
    using enum flux::Layout;
    const Bytes emitters = bytes_of(FLUX_VERSION_6), impulse = bytes_of(FLUX_IMPULSE_3);
    REQUIRE(impulse.size() == emitters.size() + 1);
    CHECK(flux::find_layout(emitters, flux::Rest::block).layout == emitters_6);
    CHECK(flux::find_layout(impulse, flux::Rest::block).layout == impulse_3);
    // The last byte may begin an entry that arrives later, or that was cut.
    CHECK(flux::find_layout(impulse, flux::Rest::arriving).needs_more);
    CHECK(!flux::find_layout(impulse, flux::Rest::arriving).layout);
    CHECK(flux::find_layout(impulse, flux::Rest::nothing).layout == emitters_6);
    CHECK(flux::find_layout(impulse, flux::Rest::nothing, impulse_3).layout == impulse_3);
}

TEST_CASE("flux: a definition with an unknown type does not show the layout in which it looks cut") {
    const auto bytes = [](std::initializer_list<int> values) {
        Bytes result;
        for (const int value : values)
            result.push_back(static_cast<std::byte>(value));
        return result;
    };
    // SIGD: signal 1 "i" in the scope 0, type 13; then OPEN: "ns" from 0.
    const Bytes alone = bytes({0, 0x11, 1, 0, 1, 'i', 0, 13, 0});
    const Bytes opened = bytes({0, 0x11, 1, 0, 1, 'i', 0, 13, 0, 0, 0x20, 0, 2, 'n', 's', 0, 0});
    for (const Bytes& stream : {alone, opened})
        CHECK(flux::find_layout(stream, flux::Rest::nothing).layout.value_or(flux::Layout::emitters_6) ==
              flux::Layout::emitters_6);
}

TEST_CASE("flux: a damaged definition shows no layout, but the next one does") {
    Stream stream(FLUX_IMPULSE_3);
    REQUIRE(flux_write_head(stream.trace(), "t", "") == FLUX_OK);
    const std::size_t head = stream.bytes().size();
    REQUIRE(flux_add_scope(stream.trace(), 1, 0, "scope", "") == FLUX_OK);
    const std::size_t scope = stream.bytes().size();
    REQUIRE(flux_add_signal(stream.trace(), 2, 1, "s", "", FLUX_FLOAT, "") == FLUX_OK);
    REQUIRE(flux_open(stream.trace(), 0, "ns", 0, 0) == FLUX_OK);
    REQUIRE(flux_write_double(stream.trace(), 2, flux_at(5), 0.5) == FLUX_OK);
    REQUIRE(flux_close(stream.trace(), 0, 10) == FLUX_OK);
    const Bytes whole = stream.bytes();
    const auto bytes = std::span(whole);
    Appender made;
    made.bytes(bytes.first(head));
    for (const auto& block : {bytes.subspan(head, scope - head - 2), bytes.subspan(head)}) {  // the first one is cut
        Appender packed;
        Lz4().compress(block, packed);
        flux::append_tag(made, flux::Tag::packed);
        made.le(static_cast<std::uint8_t>(flux::Pack::lz4));
        made.leb128(block.size());
        made.leb128(packed.size());
        made.bytes(packed.span());
    }
    const FluxReading reading({made.span().begin(), made.span().end()});
    CHECK(reading.total("FLX003") == 1);
    CHECK(reading.fact("layout") == "impulse 3");
    CHECK(reading.records == FluxReading(whole).records);
}

TEST_CASE("flux: types and display formats are converted between the layouts without loss where both have them") {
    using enum flux::Layout;
    for (std::uint8_t type = 0; type < flux::signal_types; ++type)
        for (const flux::Layout layout : {emitters_4, emitters_6, impulse_3})
            CHECK(flux::signal_type_from(layout, flux::stored_signal_type(layout, type)) == type);
    for (std::uint8_t type = 0; type < flux::member_types; ++type) {
        const auto base = static_cast<flux::MemberType>(type);
        const bool is_enum = base == flux::MemberType::enumeration || base == flux::MemberType::merge_enumeration;
        const auto expected = is_enum ? static_cast<std::uint8_t>(flux::MemberType::own_enumeration) : type;
        const auto flags = static_cast<std::uint8_t>(0xC0u);
        CHECK(flux::member_type_from(impulse_3,
                                     flux::stored_member_type(impulse_3, static_cast<std::uint8_t>(type | flags))) ==
              (expected | flags));
    }
    for (const char* const descriptor : {"", "default<df=Hex>", "default<df=Bin>"})
        CHECK(flux::descriptor_of(flux::format_of(descriptor), 0) == descriptor);
    CHECK(flux::descriptor_of("hex", 16) == "default<df=Hex,bits=16>");
    CHECK(flux::descriptor_of("", 16) == "default<bits=16>");
    CHECK(flux::descriptor_of("", 1).empty());
}

}  // namespace flux_layout_test

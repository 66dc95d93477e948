// Replays logged calls of the first emitters. The bytes and codes must be the same, except for the defects of the first
// emitters.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "call_log.hpp"
#include "flux_stream.hpp"
#include "hwtrace/flux_emitter_hosted.h"
#include "support/corpus.hpp"

namespace replay_test {

using namespace hwtrace::test;

namespace {

namespace fs = std::filesystem;

/// A call whose result differs from the first emitter's
/// (formats/flux/emitter/README.md#differences-from-the-first-emitter).
struct Otherwise {
    std::string_view file;
    std::ptrdiff_t at;          ///< offset of the call's entry in the file
    flux_result result;         ///< result in this emitter
    Bytes ours;                 ///< bytes of this emitter, up to the point where both agree again
    std::ptrdiff_t theirs = 0;  ///< number of bytes that the first emitter writes up to that point
};

const std::vector<Otherwise>& otherwise() {
    static const std::vector<Otherwise> all{
        // The first emitter truncates deltas to 32 bits; this one states the position.
        {"v4_13_positions", 134, FLUX_OK, {0, 0x23, 0, 6, 1, 0x20, 0x4a, 0xa9, 0xd1, 1, 8, 0x11, 0x11}, 8},
        // In version 4, the first emitter drops the sign byte of large integers, so they are read as negative.
        {"v4_07_events_enums", 231, FLUX_OK, {0x0a, 1, 0x52, 0, 0, 0, 0x80, 0}, 7},
        {"v4_07_events_enums", 238, FLUX_OK, {0x0a, 1, 0x52, 0xff, 0xff, 0xff, 0xff, 0}, 7},
        {"v4_09b_arrays_unsigned_top",
         44,
         FLUX_OK,
         {8, 0x95, 2, 5, 0, 0, 0, 0x80, 0, 5, 0xff, 0xff, 0xff, 0xff, 0},
         13},
        {"v4_09b_arrays_unsigned_top",
         62,
         FLUX_OK,
         {16, 0x92, 2, 5, 0, 0, 0, 0x80, 0, 5, 0xff, 0xff, 0xff, 0xff, 0},
         13},
        // The first emitter of version 6 reserves too few bytes for the size: the file is unreadable.
        {"v6_x1_corrupt_struct_u32", 35, FLUX_OK, {0x1a, 1, 0x81, 1}, 3},
        {"v6_x2_corrupt_array_u32", 35, FLUX_OK, {8, 0x85, 0x99, 1}, 3},
        // The first emitter opens neither the item with the largest id nor closed items.
        {"v4_23_refused", 58, FLUX_OK, {0, 0x20, 5, 2, 'n', 's', 0, 0}},
        {"v6_23_refused", 58, FLUX_OK, {0, 0x20, 5, 2, 'n', 's', 0, 0}},
        {"v6_14_multi_domain", 306, FLUX_OK, {0, 0x20, 1, 2, 'n', 's', 2, 0xe8, 3, 0}},
    };
    return all;
}

const Otherwise* find_otherwise(std::string_view file, const Json& call) {
    for (const Otherwise& other : otherwise())
        if (other.file == file && other.at == call.at("at").get<std::ptrdiff_t>() &&
            (other.theirs != 0 || (call.at("ret") != 0 && call.at("fn") == "flxOpen")))
            return &other;
    return nullptr;
}

bool is_about(std::string_view name, std::string_view part) {
    return name.find(part) != std::string_view::npos;
}

/// Returns the corpus files whose names contain one of `parts`, without extension.
std::vector<fs::path> stems(std::initializer_list<std::string_view> parts, bool others = false) {
    std::vector<fs::path> found;
    for (const char* const version : {"flux/v4", "flux/v6"}) {
        const auto folder = corpus(version);
        if (!folder) return {};
        for (const auto& entry : fs::directory_iterator(*folder)) {
            const std::string name = entry.path().stem().string();
            const bool wanted = std::ranges::any_of(parts, [&](std::string_view part) { return is_about(name, part); });
            if (entry.path().extension() == ".flux" && wanted != others) found.push_back(*folder / name);
        }
    }
    std::ranges::sort(found);
    return found;
}

std::uint8_t version_of(const fs::path& stem) {
    return stem.filename().string().starts_with("v4") ? FLUX_VERSION_4 : FLUX_VERSION_6;
}

Bytes file_of(const fs::path& stem) {
    fs::path path = stem;
    path += ".flux";
    return bytes_of(path);
}

/// Returns the bytes that a call wrote to its stream.
Bytes part_of(const Bytes& file, const Json& call) {
    const auto at = file.begin() + call.at("at").get<std::ptrdiff_t>();
    return Bytes(at, at + call.at("n").get<std::ptrdiff_t>());
}

Bytes held_by(const flux_buffer& buffer) {
    std::uint32_t size = 0;
    const std::uint8_t* const bytes = flux_buffer_bytes(&buffer, &size);
    return Bytes(bytes, bytes + size);
}

TEST_CASE("calls write the bytes and return the codes of the first emitter") {
    std::size_t calls = 0;
    std::size_t others = 0;
    for (const fs::path& stem : stems({"_17_", "_18_", "_19_", "_20_", "16_switch"}, true)) {
        const std::string name = stem.filename().string();
        CAPTURE(name);
        const Bytes file = file_of(stem);
        const Json log = call_log(stem);
        Sink sink(1u << 22);
        Replay replay(version_of(stem), is_about(name, "_14_") || is_about(name, "_23_"));
        replay.write_into(sink.buffer);
        for (const Json& call : log.at("calls")) {
            if (call.contains("note")) continue;
            CAPTURE(call.dump());
            bool can_say = true;
            flux_buffer_clear(&sink.buffer);
            const flux_result result = replay.perform(call, can_say);
            if (!can_say) {
                CHECK(call.at("ret") == FLUX_ERROR_SIZE);  // this interface lacks the call
                continue;
            }
            Bytes expected = part_of(file, call);
            if (call.at("fn") == "flxFlush") expected.clear();
            flux_result code = static_cast<flux_result>(call.at("ret").get<int>());
            if (const Otherwise* other = find_otherwise(name, call)) {
                expected.erase(expected.begin(), expected.begin() + other->theirs);
                expected.insert(expected.begin(), other->ours.begin(), other->ours.end());
                code = other->result;
                ++others;
            }
            CHECK(result == code);
            CHECK(held_by(sink.buffer) == expected);
            ++calls;
        }
    }
    if (calls == 0) return;
    CHECK(calls > 1800);
    CHECK(others == otherwise().size());
}

TEST_CASE("with several traces in one buffer, switches are written where the first emitter's user wrote them") {
    for (const fs::path& stem : stems({"16_switch_raw"})) {
        CAPTURE(stem.string());
        Sink sink(1u << 16);
        Replay replay(version_of(stem), false);
        replay.write_into(sink.buffer);
        const Json log = call_log(stem);
        for (const Json& call : log.at("calls")) {
            bool can_say = true;
            CHECK(replay.perform(call, can_say) == (call.at("fn") == "flxWriteSwitchEntry" ? FLUX_EXIT : FLUX_OK));
        }
        CHECK(sink.received == file_of(stem));
    }
}

TEST_CASE(
    "traces that write through separate buffers into a common one produce the bytes that the first emitter's user "
    "wrote") {
    for (const fs::path& stem : stems({"16_switch"})) {
        const std::string name = stem.filename().string();
        if (is_about(name, "raw")) continue;
        CAPTURE(name);
        Sink sink(4096);
        const flux_handler copy = flux_copy_into(&sink.buffer);
        std::array<std::array<std::uint8_t, 200>, 2> memory{};
        std::array<flux_buffer, 2> buffers{};
        for (std::size_t i = 0; i < 2; ++i)
            REQUIRE(flux_buffer_init(&buffers[i], memory[i].data(), 200, &copy) == FLUX_OK);
        Replay first(version_of(stem), false);
        Replay second(version_of(stem), false);
        first.write_into(buffers[0]);
        second.write_into(buffers[1]);
        const Json log = call_log(stem);
        std::array<std::ptrdiff_t, 2> at{0, 0};
        for (const Json& call : log.at("calls")) {
            if (call.contains("note") || call.at("fn") == "flxFlush") continue;
            CAPTURE(call.dump());
            // The offset of a logged call's entry in its stream shows to which trace the call belongs.
            const bool of_first = call.at("at").get<std::ptrdiff_t>() == at[0] &&
                                  !(call.at("fn") == "flxAddHead" && call.at("traceId") == 300);
            at[of_first ? 0 : 1] += call.at("n").get<std::ptrdiff_t>();
            bool can_say = true;
            REQUIRE((of_first ? first : second).perform(call, can_say) == FLUX_OK);
        }
        REQUIRE(flux_flush(&buffers[0]) == FLUX_OK);
        REQUIRE(flux_flush(&buffers[1]) == FLUX_OK);
        REQUIRE(flux_flush(&sink.buffer) == FLUX_OK);
        const auto samples_of = [](const FluxStream& stream, std::uint64_t trace) {
            std::vector<FluxSample> found;
            std::ranges::copy_if(stream.samples, std::back_inserter(found),
                                 [&](const FluxSample& sample) { return sample.trace == trace; });
            return found;
        };
        // The first emitter states the trace of every chunk. This emitter states it only if it changes.
        const FluxStream ours = read_flux(sink.received);
        const FluxStream theirs = read_flux(file_of(stem));
        CHECK(!samples_of(ours, 300).empty());
        CHECK(samples_of(ours, 0) == samples_of(theirs, 0));
        CHECK(samples_of(ours, 300) == samples_of(theirs, 300));
        CHECK(ours.switches.size() <= theirs.switches.size());
    }
}

/// Returns the used parts of a ring's memory: the head, then the header and the used bytes of each section.
std::vector<Bytes> parts_of_ring(const Bytes& ring, std::size_t ahead) {
    constexpr std::size_t header = 7;
    std::vector<Bytes> parts{Bytes(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(ahead))};
    for (std::size_t at = ahead; at + header <= ring.size();) {
        const std::size_t size = ring[at + 3] | static_cast<std::size_t>(ring[at + 4]) << 8;
        const std::size_t used = ring[at + 5] | static_cast<std::size_t>(ring[at + 6]) << 8;
        const auto begin = ring.begin() + static_cast<std::ptrdiff_t>(at);
        parts.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(header + used));
        at += header + size;
    }
    return parts;
}

TEST_CASE("rings equal the first emitter's rings in each state") {
    for (const fs::path& stem : stems({"_20_"})) {
        const std::string name = stem.filename().string();
        if (is_about(name, "noinit")) continue;  // this emitter always states the position in a section
        CAPTURE(name);
        const Json log = call_log(stem);
        std::array<std::uint8_t, 2048> memory{};
        flux_buffer buffer;
        REQUIRE(flux_buffer_init(&buffer, memory.data(), memory.size(), nullptr) == FLUX_OK);
        flux_trace trace;
        REQUIRE(flux_trace_init(&trace, 0, version_of(stem), 4, 64, nullptr) == FLUX_OK);
        REQUIRE(flux_trace_attach(&trace, &buffer) == FLUX_OK);
        REQUIRE(flux_write_head(&trace, "ring", nullptr) == FLUX_OK);
        REQUIRE(flux_add_signal(&trace, 1, 0, "i", nullptr, FLUX_INTEGER, nullptr) == FLUX_OK);
        REQUIRE(flux_open(&trace, 0, "ns", 0, 0) == FLUX_OK);
        const auto ahead = static_cast<std::size_t>(buffer.at - buffer.memory);
        REQUIRE(flux_buffer_divide(&buffer, log.at("calls")[3].at("noOfSections").get<std::uint32_t>()) == FLUX_OK);
        for (std::int64_t i = 0; i < log.at("calls")[4].at("n").get<std::int64_t>(); ++i)
            REQUIRE(flux_write_integer(&trace, 1, flux_at(i * 10), i) == FLUX_OK);
        CHECK(parts_of_ring(held_by(buffer), ahead) == parts_of_ring(file_of(stem), ahead));
    }
}

TEST_CASE("FastLZ blocks equal the first emitter's blocks") {
    for (const fs::path& stem : stems({"_18_"})) {
        const std::string name = stem.filename().string();
        CAPTURE(name);
        const Json log = call_log(stem);
        std::vector<std::uint32_t> table(1u << 13);
        flux_fastlz fastlz{table.data(), 13, 0};
        Sink out(1u << 20);
        flux_packer packer{&out.buffer, FLUX_FASTLZ, flux_fastlz_compress, &fastlz};
        const flux_handler into_blocks = flux_pack_into(&packer);
        Bytes memory(is_about(name, "level2") ? 200'000 : 4096);
        flux_buffer buffer;
        REQUIRE(flux_buffer_init(&buffer, memory.data(), static_cast<std::uint32_t>(memory.size()), &into_blocks) ==
                FLUX_OK);
        Replay replay(version_of(stem), false);
        replay.write_into(out.buffer);
        for (const Json& call : log.at("calls")) {
            if (call.contains("note")) continue;
            CAPTURE(call.dump());
            bool can_say = true;
            REQUIRE(replay.perform(call, can_say) == FLUX_OK);
            if (call.at("fn") == "flxAddHead") replay.write_into(buffer);
        }
        REQUIRE(flux_deep_flush(&buffer) == FLUX_OK);
        CHECK(out.received == file_of(stem));
    }
}

TEST_CASE("LZ4 blocks and nested FastLZ blocks hold the same entries as the first emitter's blocks") {
    for (const fs::path& stem : stems({"_17_", "_19_"})) {
        const std::string name = stem.filename().string();
        CAPTURE(name);
        const Json log = call_log(stem);
        Sink out(1u << 20);
        flux_packer lz4{&out.buffer, FLUX_LZ4, flux_lz4_compress, nullptr};
        const flux_handler into_lz4 = flux_pack_into(&lz4);
        const std::uint32_t size = is_about(name, "big_block") ? 300'000 : is_about(name, "flz_in_lz4") ? 8192 : 4096;
        Bytes memory(size);
        flux_buffer buffer;
        REQUIRE(flux_buffer_init(&buffer, memory.data(), size, &into_lz4) == FLUX_OK);
        std::vector<std::uint32_t> table(1u << 13);
        flux_fastlz fastlz{table.data(), 13, 0};
        flux_packer packer{&buffer, FLUX_FASTLZ, flux_fastlz_compress, &fastlz};
        const flux_handler into_fastlz = flux_pack_into(&packer);
        Bytes inner_memory(4096);
        flux_buffer inner;
        REQUIRE(flux_buffer_init(&inner, inner_memory.data(), 4096, &into_fastlz) == FLUX_OK);
        flux_buffer& first = is_about(name, "flz_in_lz4") ? inner : buffer;
        Replay replay(version_of(stem), false);
        replay.write_into(is_about(name, "head_inside") ? first : out.buffer);
        for (const Json& call : log.at("calls")) {
            if (call.contains("note")) continue;
            CAPTURE(call.dump());
            bool can_say = true;
            REQUIRE(replay.perform(call, can_say) == FLUX_OK);
            if (call.at("fn") == "flxAddHead") replay.write_into(first);
        }
        REQUIRE(flux_deep_flush(&first) == FLUX_OK);
        // The LZ4 bytes depend on the version of the LZ4 library.
        const FluxStream ours = read_flux(out.received);
        const FluxStream theirs = read_flux(file_of(stem));
        CHECK(ours.blocks == theirs.blocks);
        CHECK(ours.plain == theirs.plain);
    }
}

TEST_CASE("FastLZ of levels 1 and 2 compresses to the same bytes as the original compressor") {
    const auto folder = corpus("flux/fastlz");
    if (!folder) return;
    std::vector<std::uint32_t> table(1u << 13);
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(*folder)) {
        if (entry.path().extension() != ".raw") continue;
        CAPTURE(entry.path().string());
        const Bytes raw = bytes_of(entry.path());
        Bytes out(raw.size() + raw.size() / 16 + 66);
        for (std::uint8_t level = 1; level <= 2; ++level) {
            flux_fastlz fastlz{table.data(), 13, level};
            const std::uint32_t size = flux_fastlz_compress(&fastlz, raw.data(), static_cast<std::uint32_t>(raw.size()),
                                                            out.data(), static_cast<std::uint32_t>(out.size()));
            const Bytes expected = bytes_of(fs::path(entry.path()).replace_extension(".flz" + std::to_string(level)));
            CHECK(Bytes(out.begin(), out.begin() + size) == expected);
            // With one byte less, the call fails and writes nothing outside the buffer.
            Bytes tight(expected.empty() ? 0 : expected.size() - 1);
            if (!expected.empty())
                CHECK(flux_fastlz_compress(&fastlz, raw.data(), static_cast<std::uint32_t>(raw.size()), tight.data(),
                                           static_cast<std::uint32_t>(tight.size())) == 0);
        }
        ++files;
    }
    CHECK(files == 13);
}

/// A trace of version 6 with its own buffer, as in the Java emitter.
struct JavaTrace {
    JavaTrace(const char* name, std::uint32_t max_item) {
        flux_trace_init(&trace, 0, FLUX_VERSION_6, max_item, 4096, nullptr);
        flux_trace_attach(&trace, &sink.buffer);
        CHECK(flux_write_head(&trace, name, nullptr) == FLUX_OK);
    }
    void check(const char* file) {
        flux_flush(&sink.buffer);
        if (const auto path = corpus(std::string("flux/v6java/") + file)) CHECK(sink.received == bytes_of(*path));
    }

    Sink sink{1u << 16};
    flux_trace trace{};
};

TEST_CASE("tags of samples equal the Java emitter's tags") {
    JavaTrace java("tags", 32);
    flux_trace* const trace = &java.trace;
    constexpr std::array<const char*, 7> names{"event", "integer", "logic", "float", "text", "binary", "struct"};
    for (std::uint32_t type = 1; type <= names.size(); ++type)
        CHECK(flux_add_signal(trace, type, 0, names[type - 1], nullptr, static_cast<flux_type>(type), nullptr) ==
              FLUX_OK);
    CHECK(flux_open(trace, 0, "ns", 0, 0) == FLUX_OK);
    std::int64_t position = 0;
    for (const std::uint8_t tag : std::array<std::uint8_t, 8>{0, 1, 2, 3, 7, 127, 128, 255}) {
        const auto marked = [&](flux_when when) { return flux_tagged(when, tag); };
        const flux_member nine = flux_member_integer(0, 9);
        CHECK(flux_write_event(trace, 1, marked(flux_at(position += 10)), 3) == FLUX_OK);
        CHECK(flux_write_integer(trace, 2, marked(flux_after(0)), -7) == FLUX_OK);
        CHECK(flux_write_logic(trace, 3, marked(flux_after(1)), '0', 2, "1x") == FLUX_OK);
        CHECK(flux_write_float(trace, 4, marked(flux_after(0)), 1.5F) == FLUX_OK);
        CHECK(flux_write_text(trace, 5, marked(flux_after(2)), "hi") == FLUX_OK);
        const std::array<std::uint8_t, 2> bytes{1, 2};
        CHECK(flux_write_binary(trace, 6, marked(flux_after(0)), bytes.data(), 2) == FLUX_OK);
        CHECK(flux_write_struct(trace, 7, marked(flux_after(0)), &nine, 1) == FLUX_OK);
        CHECK(flux_write_none(trace, 2, marked(flux_after(1))) == FLUX_OK);
    }
    CHECK(flux_close(trace, 0, 1000) == FLUX_OK);
    java.check("j6_01_tags.flux");
}

TEST_CASE("arrays of texts equal the Java emitter's arrays") {
    JavaTrace java("ta", 8);
    flux_trace* const trace = &java.trace;
    CHECK(flux_add_signal(trace, 1, 0, "ta", nullptr, FLUX_TEXT_ARRAY, "default<dim=3>") == FLUX_OK);
    CHECK(flux_open(trace, 0, "ns", 0, 0) == FLUX_OK);
    const std::string many(134, 'z');
    const std::vector<std::vector<const char*>> all{{}, {nullptr}, {"a"}, {"a", "bb", "ccc"}, {"ü€", "", many.c_str()}};
    std::int64_t position = 0;
    for (const auto& texts : all) {
        for (const bool dynamic : {false, true}) {
            const flux_array array{texts.data(), static_cast<std::uint32_t>(texts.size()), FLUX_TEXTS, dynamic};
            CHECK(flux_write_array(trace, 1, flux_at(++position), &array) == FLUX_OK);
        }
    }
    CHECK(flux_close(trace, 0, 100) == FLUX_OK);
    java.check("j6_02_text_arrays.flux");
}

TEST_CASE("nested structs and their arrays are encoded as by the Java emitter") {
    JavaTrace java("ns", 8);
    flux_trace* const trace = &java.trace;
    CHECK(flux_add_signal(trace, 1, 0, "s", nullptr, FLUX_STRUCT, nullptr) == FLUX_OK);
    CHECK(flux_open(trace, 0, "ns", 0, 0) == FLUX_OK);
    const auto define = [&](std::uint32_t id, std::int64_t parent, const char* label, int type) {
        CHECK(flux_define_member(trace, 1, id, parent, label, static_cast<std::uint8_t>(type), nullptr) == FLUX_OK);
    };
    constexpr int both = FLUX_MEMBER_UNTIL_CHANGE | FLUX_MEMBER_HIDDEN;
    define(0, FLUX_NO_PARENT, "id", FLUX_MEMBER_INTEGER);
    define(1, FLUX_NO_PARENT, "hid", FLUX_MEMBER_INTEGER | both);
    define(3, FLUX_NO_PARENT, "sub", FLUX_MEMBER_STRUCT);
    define(10, 3, "i0", FLUX_MEMBER_LOCAL_ENUM);
    define(11, 3, "i1", FLUX_MEMBER_FLOAT);
    define(12, 3, "i2", FLUX_MEMBER_FLOAT_ARRAY);
    define(13, 3, "i3", FLUX_MEMBER_INTEGER_ARRAY);
    define(14, 3, "i4", FLUX_MEMBER_ENUM_ARRAY);
    define(15, 3, "i5", FLUX_MEMBER_TEXT_ARRAY);
    define(16, 3, "i6", FLUX_MEMBER_BINARY);
    define(17, 3, "i7", FLUX_MEMBER_TEXT);
    for (const bool second : {false, true}) {
        const std::array<float, 2> floats{1, 2};
        const std::array<double, 3> doubles{1, 2, 3};
        const std::array<std::int32_t, 2> narrow{-1, 300};
        const std::array<std::int64_t, 2> wide{1'099'511'627'776, -1};
        const std::array<std::uint32_t, 2> values{1, 2};
        const std::array<const char*, 2> texts{"x", "yy"};
        const std::uint8_t nine = 9;
        const flux_array reals = second ? flux_array{doubles.data(), 3, FLUX_FLOAT64, false}
                                        : flux_array{floats.data(), 2, FLUX_FLOAT32, false};
        const flux_array integers =
            second ? flux_array{wide.data(), 2, FLUX_INT64, false} : flux_array{narrow.data(), 2, FLUX_INT32, false};
        const flux_array enums{values.data(), second ? 0U : 2U, FLUX_EVENTS, false};
        const flux_array names{texts.data(), second ? 0U : 2U, FLUX_TEXTS, false};
        const std::array<flux_member, 8> inner{
            flux_member_enum(10, FLUX_MEMBER_LOCAL_ENUM, second ? 2 : 1),
            second ? flux_member_double(11, 2.5) : flux_member_float(11, 1.5F),
            flux_member_array(12, &reals),
            flux_member_array(13, &integers),
            flux_member_array(14, &enums),
            flux_member_array(15, &names),
            flux_member_binary(16, &nine, second ? 0 : 1),
            flux_member_text(17, second ? "" : "t"),
        };
        const std::array<flux_member, 3> members{
            flux_member_integer(0, second ? 1 : 0),
            flux_member_flags(flux_member_integer(1, second ? -1 : 0), both),
            flux_member_struct(3, inner.data(), inner.size()),
        };
        CHECK(flux_write_struct(trace, 1, flux_at(second ? 10 : 0), members.data(), members.size()) == FLUX_OK);
    }
    CHECK(flux_close(trace, 0, 100) == FLUX_OK);
    java.check("j6_03_struct_nested.flux");
}

TEST_CASE("relations of all types are encoded as by the Java emitter") {
    JavaTrace java("rl", 8);
    flux_trace* const trace = &java.trace;
    CHECK(flux_add_signal(trace, 1, 0, "e", nullptr, FLUX_EVENT, nullptr) == FLUX_OK);
    CHECK(flux_add_signal(trace, 2, 0, "e2", nullptr, FLUX_EVENT, nullptr) == FLUX_OK);
    CHECK(flux_open(trace, 0, "ns", 0, 0) == FLUX_OK);
    CHECK(flux_define_enum(trace, 1, FLUX_ENUM_RELATION_TARGET, "\\e2", 1) == FLUX_OK);
    CHECK(flux_define_enum(trace, 1, FLUX_ENUM_RELATION_STYLE, "Trigger/444444/line/no", 1) == FLUX_OK);
    CHECK(flux_define_enum(trace, 1, FLUX_ENUM_RELATION_DOMAIN, "us", 1) == FLUX_OK);
    for (std::uint32_t i = 0; i < 4; ++i) {
        CHECK(flux_write_event(trace, 1, flux_at(i * 100), 1) == FLUX_OK);
        CHECK(flux_write_relation(trace, 1, static_cast<flux_relation>(i), 1, 1, i == 0 ? -5 : i * 1'000'000'000'000,
                                  i / 2) == FLUX_OK);
        CHECK(flux_write_label(trace, 1, i, 0, 0) == FLUX_OK);
    }
    CHECK(flux_close(trace, 0, 1000) == FLUX_OK);
    java.check("j6_08_relations.flux");
}

}  // namespace

}  // namespace replay_test

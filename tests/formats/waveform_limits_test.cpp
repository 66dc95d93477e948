// Tests of the memory and the time that small VCD and FST files may cost.
#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "formats/waveform_support.hpp"
#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/error.hpp"

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// Reads a VCD file with at most `block` bytes of values. Returns the number of its changes.
std::size_t changes_within(std::uint64_t block, std::string_view file) {
    Input input = Input::memory("vcd", as_bytes(file));
    Findings findings;
    Settings settings;
    settings.limits.block = block;
    const auto reader = vcd_format.open(input, settings, findings);
    std::size_t changes = 0;
    for (Batch batch; reader->read(batch); batch.clear())
        changes += batch.records().size();
    return changes;
}

}  // namespace

TEST_CASE("short values of a very wide variable have a limit on their memory") {
    constexpr std::uint64_t width = 65536, changes = 64;
    std::string file = "$timescale 1 ns $end $var wire 65536 ! a $end $enddefinitions $end\n";
    std::string repeated = file;
    for (std::uint64_t value = 0; value < changes; ++value) {
        std::string line = "#" + std::to_string(value) + " b";
        repeated += line + (value % 2 == 0 ? "0 !\n" : "1 !\n");
        for (unsigned bit = 6; bit-- != 0;)
            line += (value >> bit & 1u) != 0 ? '1' : '0';
        file += line + " !\n";
    }
    CHECK(changes_within(changes * width, file) == changes);
    CHECK(changes_within(2 * width, repeated) == changes);
    try {
        changes_within(changes * width - 1, file);
        FAIL("the limit was exceeded");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::limit);
        CHECK(std::string(error.what()).find("--max-block") != std::string::npos);
    }
}

TEST_CASE("the names of deeply nested scopes are made only for variables that change") {
    constexpr std::size_t depth = 20'000;
    std::string file = "$timescale 1 ns $end\n";
    for (std::size_t i = 0; i < depth; ++i)
        file += "$scope module s $end $var wire 1 ! a $end\n";
    std::string path;
    for (std::size_t i = 0; i < depth; ++i)
        path += "s.";
    file += "$var wire 1 \" b $end\n$enddefinitions $end\n";
    for (int i = 0; i < 3; ++i)
        file += "#" + std::to_string(i) + " 1\"\n";
    const auto begin = std::chrono::steady_clock::now();
    const std::string view = view_of(vcd_format, file);
    CHECK(view.substr(view.find('\n') + 1) == "0 " + path + "b 1\n1 " + path + "b 1\n2 " + path + "b 1\n");
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

TEST_CASE("an FST file in gzip is unpacked no further than its stated size, and the excess is damage") {
    Schema schema;
    schema.declare(make_track(Track::Kind::signal, none, "a", nanoseconds, {{.name = "value", .type = Type::u8}}));
    const WrittenWaveform plain = write_waveform(fst_format, schema, Batch());
    const auto findings_of_wrapped = [&](std::size_t excess) {
        std::vector<std::byte> inner = plain.bytes;
        inner.resize(inner.size() + excess);
        Appender packed, file;
        deflate_whole(inner, Deflate::gzip, packed);
        file.le(std::uint8_t{254});
        file.le(__builtin_bswap64(std::uint64_t{16} + packed.size()));
        file.le(__builtin_bswap64(std::uint64_t{plain.bytes.size()}));
        file.bytes(packed.span());
        Input input = Input::memory("fst", file.span());
        Findings findings;
        const Settings settings;
        const auto reader = fst_format.open(input, settings, findings);
        CHECK(reader->schema().tracks().size() == 1);
        CHECK(findings.kept().size() == findings.total("FST021"));  // the excess is not read as blocks
        return findings.total("FST021");
    };
    CHECK(findings_of_wrapped(0) == 0);
    CHECK(findings_of_wrapped(1) == 1);
    CHECK(findings_of_wrapped(8u << 20) == 1);
}

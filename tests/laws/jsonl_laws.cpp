// Laws of JSON lines: they represent the model exactly.
#include <doctest/doctest.h>

#include <filesystem>
#include <optional>
#include <sstream>

#include "formats.hpp"
#include "io/error.hpp"
#include "laws/law_support.hpp"
#include "support/corpus.hpp"
#include "support/lines.hpp"

namespace jsonl_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

const Format& jsonl() {
    return *find_format(formats(), "jsonl");
}

Bytes bytes_of(std::string_view text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

std::string text_of(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Returns the lines as the writer writes them.
std::string exact(const std::string& lines) {
    return text_of(convert_bytes(bytes_of(lines), jsonl(), jsonl()).bytes);
}

const std::string head = "{\"schema\":\"hwtrace-jsonl/1\"}\n";

/// Returns the model dump of a head followed by `lines`.
Story story_of(const std::string& lines) {
    return read_story(bytes_of(head + lines), jsonl(), CheckLevel::full);
}

/// Returns the code blocks of README.md that contain JSON lines.
std::vector<std::string> examples() {
    std::istringstream readme(read_text(source_file("formats/jsonl/README.md")));
    std::vector<std::string> blocks;
    bool inside = false;
    for (std::string line; std::getline(readme, line);) {
        if (line.starts_with("```")) {
            inside = line == "```jsonl";
            if (inside) blocks.emplace_back();
        } else if (inside) {
            blocks.back().append(line).append("\n");
        }
    }
    return blocks;
}

}  // namespace

TEST_CASE("law 8: a trace converted to JSON Lines and back is the same trace, and the same file") {
    std::size_t checked = 0;
    // The order of unused strings at the end of an FTR dictionary depends on when the source's strings appear.
    // JSON Lines do not state the compression, nor that relations have three elements.
    Choices choices;
    for (const Option& option : find_format(formats(), "ftr")->options) {
        if (option.key == "ftr-dictionary") choices.settings.set(option, "used");
        if (option.key == "ftr-compression") choices.settings.set(option, "none");
        if (option.key == "ftr-relations") choices.settings.set(option, "source");
    }
    for (const Sample& sample : good_samples()) {
        if (sample.format == &jsonl()) continue;
        CAPTURE(sample.name);
        const Bytes& file = sample.content.bytes;
        const Rewritten there = convert_bytes(file, *sample.format, jsonl());
        CHECK(there.losses.none());
        CHECK(there.foretold.empty());
        const Story lines = read_story(there.bytes, jsonl(), CheckLevel::full),
                    trace = read_story(file, *sample.format);
        CHECK(lines.findings == std::vector<std::string>{});
        CHECK(difference(trace.records, lines.records) == "");
        CHECK(difference(trace.schema, lines.schema) == "");
        CHECK(convert_bytes(there.bytes, jsonl(), jsonl()).bytes == there.bytes);
        const Rewritten back = convert_bytes(there.bytes, jsonl(), *sample.format, choices);
        const Rewritten own = convert_bytes(file, *sample.format, *sample.format, choices);
        CHECK(back.losses.none());
        CHECK(back.bytes == own.bytes);
        ++checked;
    }
    CHECK(checked >= at_least(30));
    MESSAGE(checked << " traces");
}

TEST_CASE("lines in exact form are rewritten unchanged") {
    for (const std::string name : {"everything", "instructions", "bus"}) {
        CAPTURE(name);
        const std::string lines = text_of(read_file(testdata("jsonl/valid/" + name + ".jsonl")));
        CHECK(difference(lines, exact(lines)) == "");
    }
    // The lines have rare contents: names and strings that are not UTF-8, the ends of types, vector words, every part
    // of an order, several time bases, and recurring values.
    const std::string odd = head +
                            R"({"type":"scope","id":0,"name":{"bytes":"ff00"}}
{"type":"enum","id":0,"name":"e","values":[{"value":7,"name":"a"},{"value":8,"name":"a"},{"value":9,"name":{"bytes":"fe"}}]}
{"type":"track","id":0,"kind":"event","name":"x","scope":0,"time":{"base":"ordinal","num":2,"den":3},"fields":[{"name":"f","type":"u8"},{"name":"f","key":"f#1","type":"text"},{"name":{"bytes":"80"},"key":"�#2","type":"enum","enum":0}]}
{"type":"track","id":1,"kind":"signal","name":"s","time":{"base":"cycles","num":400,"den":1000000000000},"fields":[{"name":"valid","type":"bool"},{"name":"data","type":"u64","width":40},{"name":"lane","type":"u8","repeated":true}]}
{"type":"track","id":2,"kind":"hart","name":"h","time":{"base":"ordinal"}}
{"type":"metadata","key":"k","value":{"bytes":"c328"}}
{"type":"event","time":-9223372036854775808,"scope":"�\u0000","track":"x","track_id":0,"fields":{"f":200,"f#1":{"bytes":"00ff80"},"�#2":"a"}}
{"type":"event","time":9223372036854775807,"scope":"�\u0000","track":"x","track_id":0,"fields":{"f":255,"f#1":"","�#2":8}}
{"type":"text","id":2,"text":""}
{"type":"event","time":1,"scope":"�\u0000","track":"x","track_id":0,"fields":{"f":0,"f#1":{"id":2},"�#2":9}}
{"type":"change","time":1,"track":"s","track_id":1,"values":[["lane",1],["valid",false],["lane",2]]}
{"type":"change","time":2,"track":"s","track_id":1,"no_value":true,"values":{"data":1099511627775},"mark":1}
{"type":"label","enum_id":0,"label":{"value":10,"name":"late"}}
{"type":"instruction","time":0,"track":"h","track_id":2,"pc":1,"encoding":2,"size":3,"operands":[{"role":"state","register":"v31","words":[1,18446744073709551615]},{"role":"destination","register":"csr768","value":1}],"accesses":[{"type":"invalid","address":0,"size":0,"data":[]}],"order":"otar"}
{"type":"attribute","track_id":1,"field":{"name":"late","type":"i8"}}
{"type":"change","time":3,"track":"s","track_id":1,"values":{"late":-128}}
{"type":"text","id":3,"text":"never used"}
)";
    CHECK(read_story(bytes_of(odd), jsonl(), CheckLevel::full).findings == std::vector<std::string>{});
    CHECK(difference(odd, exact(odd)) == "");
}

TEST_CASE("the examples of README.md are read without a finding and can be converted to other formats") {
    const std::vector<std::string> blocks = examples();
    REQUIRE(blocks.size() == 2);
    for (const std::string& block : blocks) {
        CAPTURE(block);
        CHECK(read_story(bytes_of(block), jsonl(), CheckLevel::full).findings == std::vector<std::string>{});
        const std::string lines = exact(block);
        CHECK(difference(lines, exact(lines)) == "");
        for (const std::string_view name : {"uscope", "ftr", "flux"}) {
            const Format& format = *find_format(formats(), name);
            CHECK(read_story(convert_bytes(bytes_of(block), jsonl(), format).bytes, format).good());
        }
    }
    CHECK(read_story(bytes_of(blocks[0]), jsonl()).records ==
          "12000 event core0/retire pc=0x80000000 op=\"addi\"\n"
          "13000 event core0/retire pc=0x80000004 op=\"lw\"\n"
          "20000 interval dma duration=2500 bytes=64\n"
          "22000 change soc/reset value=1\n"
          "25000 note notes \"the end\"\n");
    CHECK(read_story(bytes_of(blocks[1]), jsonl()).records ==
          "14 interval cache/fill duration=6 line=0x1000 by=core1 words=1 words=2\n"
          "40 event core0/retire pc=0x80000000 op=\"addi\"\n"
          "41 set soc/queue[0].id=0x7\n"
          "50 clear soc/queue[0]\n");
}

TEST_CASE("numbers, times and names in the forms that scripts write are understood") {
    CHECK(
        story_of("{\"time\":1,\"track\":\"e\",\"a\":1e3,\"b\":\"0xff\",\"c\":-0.5,\"d\":true,\"e\":\"x\\u00e9\\n\"}\n")
            .records == "1 event e a=1000 b=255 c=-0.5 d=1 e=\"xé\\n\"\n");
    const std::string track = "{\"type\":\"track\",\"name\":\"e\",\"time\":\"400ps\",\"fields\":{\"a\":\"u64\"}}\n";
    CHECK(story_of(track + "{\"time\":\"2ns\",\"track\":\"e\",\"a\":\"18446744073709551615\"}\n").records ==
          "5 event e a=18446744073709551615\n");
    CHECK(story_of(track + "{\"time\":\"-0.8ns\",\"track\":\"e\",\"a\":5.0}\n").records == "-2 event e a=5\n");
    CHECK(story_of(track + "{\"time\":1,\"track\":\"e\",\"a\":-1}\n").findings ==
          std::vector<std::string>{"JSL012@" + std::to_string(head.size() + track.size())});
    // Tracks with the same name are distinguished by scope or path. A record of another kind gets a separate track.
    const std::string two = "{\"time\":1,\"track\":\"a.e\",\"n\":1}\n{\"time\":2,\"track\":\"b.e\",\"n\":2}\n";
    CHECK(story_of(
              two +
              "{\"time\":3,\"scope\":\"b\",\"track\":\"e\",\"n\":3}\n{\"time\":4,\"duration\":1,\"track\":\"b.e\"}\n")
              .records == "1 event a/e n=1\n2 event b/e n=2\n3 event b/e n=3\n4 interval b/e duration=1\n");
    // A value that the field cannot hold declares another track of the same name.
    const Story grown = story_of("{\"time\":1,\"track\":\"e\",\"n\":1}\n{\"time\":2,\"track\":\"e\",\"n\":1.5}\n");
    CHECK(grown.records == "1 event e n=1\n2 event e n=1.5\n");
    CHECK(grown.good());
}

TEST_CASE("lines above the limits of length and depth are refused, lines within them are not") {
    const auto failure_of = [](const std::string& lines, const Limits& limits) {
        Settings settings;
        settings.limits = limits;
        Findings findings;
        const Bytes bytes = bytes_of(head + lines);
        Input input = Input::memory("lines", bytes);
        try {
            const auto reader = jsonl().open(input, settings, findings);
            Batch batch;
            for (; reader->read(batch); batch.clear()) {
            }
        } catch (const Error& error) {
            return std::optional(error.failure());
        }
        return std::optional<Failure>();
    };
    const auto nested = [](std::size_t depth) {
        return "{\"time\":1,\"track\":\"e\",\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}\n";
    };
    Limits small;
    small.record = 100;
    small.depth = 8;
    small.schema_objects = 3;
    CHECK(failure_of(nested(7), small) == std::nullopt);
    CHECK(failure_of(nested(8), small) == Failure::limit);
    CHECK(failure_of("{\"time\":1,\"track\":\"e\",\"a\":\"" + std::string(100, 'x') + "\"}\n", small) ==
          Failure::limit);
    CHECK(failure_of("{\"time\":1,\"track\":\"e\",\"a\":1,\"b\":2,\"c\":3}\n", small) == Failure::limit);
    CHECK(failure_of(nested(100'000), Limits::unlimited()) == std::nullopt);
}

}  // namespace jsonl_laws

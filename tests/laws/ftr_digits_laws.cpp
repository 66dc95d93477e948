// Laws of FTR files and marks with digits: an attribute of the source with the name of a mark remains an attribute.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "formats.hpp"
#include "laws/law_support.hpp"

namespace ftr_digits_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

const Format& format(std::string_view name) {
    return *find_format(formats(), name);
}

Bytes bytes_of(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

Choices with_doubles(std::string_view value) {
    Choices choices;
    for (const Option& option : format("ftr").options)
        if (option.key == "ftr-doubles") choices.settings.set(option, std::string(value));
    return choices;
}

constexpr std::string_view head = R"({"schema":"hwtrace-jsonl/1"}
)";
constexpr std::string_view metadata = R"({"type":"metadata","key":"other.fact","value":"7"}
)";
constexpr std::string_view track = R"({"type":"scope","id":0,"name":"s","native_id":1}
{"type":"track","id":0,"kind":"stream","name":"g","scope":0,"time":{"base":"seconds","num":1,"den":1000000000000},"native_id":2,"fields":[{"name":"id","type":"u64"},{"name":"d","type":"f64","phase":"record"},{"name":"hwtrace.digits","type":"i64","phase":"record"}]}
)";

std::string interval(int id, std::string_view attributes) {
    return R"({"type":"interval","time":0,"track":"g","track_id":0,"duration":1,"attributes":[["id",)" +
           std::to_string(id) + "]," + std::string(attributes) + "]}\n";
}

/// Numbers with and without an exact binary32 form, before attributes with the name of a mark.
std::string numbers(bool are_exact) {
    const std::string d = R"(["d",0.5])", other = are_exact ? R"(["d",2.5])" : R"(["d",0.1])";
    const std::string namesake = R"(["hwtrace.digits",7])", zero = R"(["hwtrace.digits",0])";
    std::string all;
    int id = 0;
    for (int round = 0; round < 2; ++round)  // the second round repeats known attributes
        for (const std::string& attributes :
             {d + "," + namesake, other + "," + namesake, d + "," + other + "," + namesake, d + "," + zero,
              d + "," + namesake + "," + zero, namesake + "," + d, other + "," + d + "," + namesake, other, namesake,
              other + "," + other + "," + zero + "," + namesake})
            all += interval(++id, attributes);
    return all;
}

Bytes replaced(const Bytes& file, std::string_view from, std::string_view to) {
    Bytes result = file;
    const Bytes wanted = bytes_of(from), other = bytes_of(to);
    const auto found = std::search(result.begin(), result.end(), wanted.begin(), wanted.end());
    REQUIRE(found != result.end());
    std::ranges::copy(other, found);
    return result;
}

std::string records_of(const Bytes& file, std::string_view name) {
    return read_story(file, format(name)).records;
}

}  // namespace

TEST_CASE("FTR: an attribute with the name of a mark with digits comes back as it was") {
    for (const std::string_view facts : {std::string_view(), metadata})
        for (const std::string_view doubles : {"auto", "binary64", "binary32"}) {
            CAPTURE(facts);
            CAPTURE(doubles);
            const Bytes source =
                bytes_of(std::string(head) + std::string(facts) + std::string(track) + numbers(doubles == "binary32"));
            const Rewritten file = convert_bytes(source, format("jsonl"), format("ftr"), with_doubles(doubles));
            CHECK(file.losses.none());
            const Story story = read_story(file.bytes, format("ftr"), CheckLevel::semantic);
            CHECK(difference(story.records, records_of(source, "jsonl")) == "");
            CHECK(story.schema.find("hwtrace.ftr") == std::string::npos);
            const Bytes second = convert_bytes(file.bytes, format("ftr"), format("ftr"), with_doubles(doubles)).bytes;
            CHECK(records_of(second, "ftr") == story.records);
            CHECK(convert_bytes(second, format("ftr"), format("ftr"), with_doubles(doubles)).bytes == second);
            if (facts.empty()) CHECK(second == file.bytes);
            // The way back to the source's format.
            const Bytes again = convert_bytes(file.bytes, format("ftr"), format("jsonl")).bytes;
            CHECK(difference(records_of(again, "jsonl"), records_of(source, "jsonl")) == "");
        }
}

TEST_CASE("FTR: each prefix of a file with marks has the exact digits") {
    const Bytes source = bytes_of(std::string(head) + std::string(metadata) + std::string(track) + numbers(false));
    const Bytes file = convert_bytes(source, format("jsonl"), format("ftr")).bytes;
    const std::string whole = records_of(file, "ftr");
    std::string longest;
    for (std::size_t size = 4; size < file.size(); ++size) {
        const std::string part =
            records_of(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)), "ftr");
        CAPTURE(size);
        REQUIRE(whole.starts_with(part));
        longest = std::max(longest, part, [](const auto& a, const auto& b) { return a.size() < b.size(); });
    }
    CHECK(longest == whole);
}

TEST_CASE("FTR: without the fact about marks, they are attributes, except in files of earlier versions") {
    const std::string records = numbers(false);
    const Bytes source =
        bytes_of(std::string(head) + std::string(metadata) + std::string(track) + interval(1, R"(["d",0.1])"));
    const Bytes file = convert_bytes(source, format("jsonl"), format("ftr")).bytes;
    REQUIRE(records_of(file, "ftr").find("d=0.1\n") != std::string::npos);
    // Other metadata tells that an earlier version wrote the file.
    const Bytes earlier = replaced(file, "hwtrace.ftr.digits", "hwtrace.ftr.others");
    CHECK(records_of(earlier, "ftr") == records_of(file, "ftr"));
    // A file of another program has no metadata stream.
    const Bytes other = replaced(file, "hwtrace", "foreign");
    CHECK(records_of(other, "ftr").find("hwtrace.digits=") != std::string::npos);
}

TEST_CASE("FTR: metadata with the key of the fact about marks comes back") {
    for (const std::string_view value : {"0", "1", "x"}) {
        const Bytes source = bytes_of(std::string(head) + R"({"type":"metadata","key":"hwtrace.ftr.digits","value":")" +
                                      std::string(value) + "\"}\n" + std::string(track) + numbers(false));
        const Bytes file = convert_bytes(source, format("jsonl"), format("ftr")).bytes;
        const Story story = read_story(file, format("ftr"));
        CHECK(story.records == records_of(source, "jsonl"));
        CHECK(story.schema.find("\"hwtrace.ftr.digits\" = \"" + std::string(value) + '"') != std::string::npos);
    }
}

}  // namespace ftr_digits_laws

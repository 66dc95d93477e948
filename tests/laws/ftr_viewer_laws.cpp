// Laws of FTR files and other programs: SCViewer and Surfer's parser can read what conversions write by default.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "formats.hpp"
#include "laws/law_support.hpp"
#include "support/corpus.hpp"

namespace ftr_viewer_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

const Format& format(std::string_view name) {
    return *find_format(formats(), name);
}

/// The contents of an uncompressed file as a viewer sees them. Decodes CBOR without the code of our reader.
class Viewer {
public:
    explicit Viewer(const Bytes& file) : bytes_(file) {
        at_ = 4;  // the frame
        while (bytes_.at(at_) != std::byte{0xFF}) {
            chunk_ = argument();
            item();
        }
    }

    std::size_t single = 0, wide = 0;              ///< floating-point numbers by width
    std::size_t relations = 0, old_relations = 0;  ///< relations of five elements, and others
    std::size_t compressed = 0;                    ///< compressed chunks
    std::vector<std::string> texts;

    bool has_text(std::string_view text) const { return std::ranges::find(texts, text) != texts.end(); }

private:
    std::uint64_t argument() {
        const auto info = std::to_integer<unsigned>(bytes_.at(at_++)) & 31u;
        if (info < 24) return info;
        std::uint64_t value = 0;
        for (unsigned left = 1u << (info - 24); left > 0; --left)
            value = value << 8 | std::to_integer<std::uint64_t>(bytes_.at(at_++));
        return value;
    }

    void items(std::uint64_t count, bool is_indefinite) {
        for (; is_indefinite ? bytes_.at(at_) != std::byte{0xFF} : count > 0; --count)
            item();
        if (is_indefinite) ++at_;
    }

    void item() {
        const auto first = std::to_integer<unsigned>(bytes_.at(at_));
        const unsigned major = first >> 5;
        const bool is_indefinite = (first & 31u) == 31;
        const std::size_t begin = at_;
        const std::uint64_t value = is_indefinite ? (++at_, 0) : argument();
        if (major == 2) {
            if (chunk_ % 2 != 0) {
                ++compressed;
                at_ += static_cast<std::size_t>(value);
            } else {
                ++depth_;
                item();
                --depth_;
            }
        } else if (major == 3) {
            texts.emplace_back(reinterpret_cast<const char*>(bytes_.data()) + at_, value);
            at_ += static_cast<std::size_t>(value);
        } else if (major == 4) {
            if (chunk_ == 14 && depth_ != 0 && !is_indefinite) ++(value == 5 ? relations : old_relations);
            items(value, is_indefinite);
        } else if (major == 5) {
            items(2 * value, is_indefinite);
        } else if (major == 6) {
            item();
        } else if (major == 7) {
            single += at_ - begin == 5 ? 1u : 0u;
            wide += at_ - begin == 9 ? 1u : 0u;
        }
    }

    const Bytes& bytes_;
    std::size_t at_ = 0;
    std::uint64_t chunk_ = 0;
    unsigned depth_ = 0;
};

Choices with(std::string_view key, std::string_view value) {
    Choices choices;
    for (const Option& option : format("ftr").options)
        if (option.key == key) choices.settings.set(option, std::string(value));
    return choices;
}

Bytes lines(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

Bytes bus() {
    return load_sample(testdata("jsonl/valid/bus.jsonl")).bytes;
}

/// Returns the records in any order, without the times of relations, which FTR does not state.
std::vector<std::string> records_of(const Bytes& file, std::string_view name) {
    std::istringstream records(read_story(file, format(name)).records);
    std::vector<std::string> all;
    for (std::string line; std::getline(records, line);) {
        const std::size_t relation = line.find(" relation ");
        all.push_back(relation == std::string::npos ? line : line.substr(relation));
    }
    std::ranges::sort(all);
    return all;
}

constexpr std::string_view head = R"({"schema":"hwtrace-jsonl/1"}
{"type":"scope","id":0,"name":"s","native_id":1}
)";
constexpr std::string_view two_generators =
    R"({"type":"track","id":0,"kind":"stream","name":"g","scope":0,"time":"ps","native_id":2,"fields":[{"name":"id","type":"u64"}]}
{"type":"track","id":1,"kind":"relation","name":"r","time":"ps","fields":[{"name":"from","type":"u64"},{"name":"to","type":"u64"}]}
)";
constexpr std::string_view two_transactions =
    R"({"type":"interval","time":0,"track":"g","duration":5,"attributes":{"id":1}}
{"type":"interval","time":1,"track":"g","duration":5,"attributes":{"id":2}}
)";

}  // namespace

TEST_CASE("FTR: numbers have the form that all viewers read, and the exact digits come back") {
    const Bytes source = bus();
    const Rewritten file = convert_bytes(source, format("jsonl"), format("ftr"));
    const Viewer viewer(file.bytes);
    CHECK(viewer.single > 2);
    CHECK(viewer.wide == 0);
    CHECK(file.losses.warnings().empty());
    CHECK(file.unexpected().empty());
    CHECK(read_story(file.bytes, format("ftr")).records.find("load=0.1 ") != std::string::npos);
    CHECK(records_of(file.bytes, "ftr") == records_of(source, "jsonl"));
    CHECK(viewer.has_text("hwtrace.digits"));
    // FTR to FTR keeps the digits.
    const Rewritten again = convert_bytes(file.bytes, format("ftr"), format("ftr"));
    CHECK(Viewer(again.bytes).wide == 0);
    CHECK(records_of(again.bytes, "ftr") == records_of(source, "jsonl"));

    const Rewritten narrow = convert_bytes(source, format("jsonl"), format("ftr"), with("ftr-doubles", "binary32"));
    CHECK(Viewer(narrow.bytes).wide == 0);
    CHECK_FALSE(Viewer(narrow.bytes).has_text("hwtrace.digits"));
    CHECK(narrow.losses.entries().contains({Loss::value_narrowed, "access.load"}));

    const Rewritten exact = convert_bytes(source, format("jsonl"), format("ftr"), with("ftr-doubles", "binary64"));
    CHECK(Viewer(exact.bytes).wide > 2);
    REQUIRE(exact.losses.warnings().size() == 1);
    CHECK(exact.losses.warnings().front().find("binary64") != std::string::npos);
}

TEST_CASE("FTR: relations have five elements by default, and come back as they were") {
    const Bytes source = bus();
    const Rewritten file = convert_bytes(source, format("jsonl"), format("ftr"));
    const Viewer viewer(file.bytes);
    CHECK(viewer.relations >= 3);
    CHECK(viewer.old_relations == 0);
    const Story story = read_story(file.bytes, format("ftr"), CheckLevel::semantic);
    CHECK(story.good());
    CHECK(story.records.find("source_stream") == std::string::npos);
    CHECK(records_of(file.bytes, "ftr") == records_of(source, "jsonl"));
    CHECK(Viewer(convert_bytes(file.bytes, format("ftr"), format("ftr")).bytes).old_relations == 0);

    const Rewritten old = convert_bytes(source, format("jsonl"), format("ftr"), with("ftr-relations", "source"));
    CHECK(Viewer(old.bytes).relations == 0);
    REQUIRE(old.losses.warnings().size() == 1);
    CHECK(old.losses.warnings().front().find("without streams") != std::string::npos);
}

TEST_CASE("FTR: relations of three elements in an FTR file get five if the streams are known") {
    const Rewritten file = convert_bytes(bus(), format("jsonl"), format("ftr"), with("ftr-relations", "source"));
    const std::size_t all = Viewer(file.bytes).old_relations;
    REQUIRE(all >= 3);
    // The transactions precede the relations here.
    const Bytes old = [] {
        const Bytes source = lines(std::string(head) + std::string(two_generators) + std::string(two_transactions) +
                                   R"({"type":"relation","time":1,"track":"r","fields":{"from":1,"to":2}}
{"type":"relation","time":1,"track":"r","fields":{"from":2,"to":99}}
)");
        return convert_bytes(source, format("jsonl"), format("ftr"), with("ftr-relations", "source")).bytes;
    }();
    REQUIRE(Viewer(old).old_relations == 2);
    const Rewritten made = convert_bytes(old, format("ftr"), format("ftr"));
    CHECK(made.losses.none());
    CHECK(Viewer(made.bytes).relations == 1);  // the end 99 is in no known stream
    CHECK(Viewer(made.bytes).old_relations == 1);
    CHECK(records_of(made.bytes, "ftr") == records_of(old, "ftr"));
    const Bytes second = convert_bytes(made.bytes, format("ftr"), format("ftr")).bytes;
    CHECK(second == made.bytes);
    CHECK(convert_bytes(second, format("ftr"), format("ftr")).bytes == second);
    CHECK(convert_bytes(old, format("ftr"), format("ftr"), with("ftr-relations", "source")).bytes == old);
    // Relations before their transactions keep their position.
    const Rewritten early = convert_bytes(file.bytes, format("ftr"), format("ftr"));
    CHECK(early.unexpected().empty());
    CHECK(Viewer(early.bytes).relations + Viewer(early.bytes).old_relations == all);
    CHECK(convert_bytes(early.bytes, format("ftr"), format("ftr")).bytes == early.bytes);
}

TEST_CASE("FTR: a relation with an end outside the trace keeps its ends") {
    const Bytes source = lines(
        std::string(head) +
        R"({"type":"track","id":0,"kind":"stream","name":"g","scope":0,"time":"ps","native_id":2,"fields":[{"name":"id","type":"u64"}]}
{"type":"track","id":1,"kind":"relation","name":"r","time":"ps","fields":[{"name":"from","type":"u64"},{"name":"to","type":"u64"}]}
{"type":"relation","time":0,"track":"r","fields":{"from":1,"to":2}}
{"type":"relation","time":0,"track":"r","fields":{"from":2,"to":99}}
{"type":"relation","time":0,"track":"r","fields":{"from":98,"to":99}}
{"type":"interval","time":0,"track":"g","duration":5,"attributes":{"id":1}}
{"type":"interval","time":1,"track":"g","duration":5,"attributes":{"id":2}}
)");
    const Rewritten file = convert_bytes(source, format("jsonl"), format("ftr"));
    CHECK(Viewer(file.bytes).relations == 3);
    CHECK(Viewer(file.bytes).old_relations == 0);
    const std::string records = read_story(file.bytes, format("ftr")).records;
    for (const char* const relation : {"from=1 to=2\n", "from=2 to=99\n", "from=98 to=99\n"})
        CHECK(records.find(relation) != std::string::npos);
}

TEST_CASE("FTR: an unused relation does not add a stream") {
    const Bytes source = lines(
        std::string(head) +
        R"({"type":"track","id":0,"kind":"stream","name":"g","scope":0,"time":"ps","native_id":2,"fields":[{"name":"id","type":"u64"}]}
{"type":"track","id":1,"kind":"relation","name":"never","time":"ps","fields":[{"name":"from","type":"u64"},{"name":"to","type":"u64"}]}
{"type":"interval","time":0,"track":"g","duration":5,"attributes":{"id":1}}
)");
    const Rewritten file = convert_bytes(source, format("jsonl"), format("ftr"));
    CHECK_FALSE(Viewer(file.bytes).has_text("hwtrace"));
    CHECK(file.losses.entries().contains({Loss::relation_dropped, "never"}));
    CHECK(file.unexpected().empty());
}

TEST_CASE("FTR: a file is written with the compression of its source") {
    const Bytes plain = convert_bytes(bus(), format("jsonl"), format("ftr")).bytes;
    const Bytes packed = convert_bytes(bus(), format("jsonl"), format("ftr"), with("ftr-compression", "lz4")).bytes;
    CHECK(Viewer(plain).compressed == 0);
    CHECK(Viewer(packed).compressed > 2);
    CHECK(Viewer(convert_bytes(plain, format("ftr"), format("ftr")).bytes).compressed == 0);
    const Bytes again = convert_bytes(packed, format("ftr"), format("ftr")).bytes;
    CHECK(Viewer(again).compressed >= Viewer(packed).compressed);
    const Bytes unpacked = convert_bytes(packed, format("ftr"), format("ftr"), with("ftr-compression", "none")).bytes;
    CHECK(Viewer(unpacked).compressed == 0);
    CHECK(records_of(again, "ftr") == records_of(plain, "ftr"));
    CHECK(records_of(unpacked, "ftr") == records_of(plain, "ftr"));
}

TEST_CASE("FTR: a time that SCViewer misreads is reported") {
    const auto file_of = [](std::string_view period, std::string_view epoch) {
        return convert_bytes(
            lines(std::string(head) + R"({"type":"track","id":0,"kind":"stream","name":"g","scope":0,"time":)" +
                  std::string(period) +
                  R"(,"native_id":2,"fields":[{"name":"id","type":"u64"}]}
{"type":"interval","time":0,"track":"g","duration":5,"attributes":{"id":1}}
)"),
            format("jsonl"), format("ftr"), with("ftr-epoch", epoch));
    };
    const auto rules = [](const Rewritten& file) {
        return read_story(file.bytes, format("ftr"), CheckLevel::full).findings;
    };
    const Rewritten good = file_of(R"("ps")", "7");
    CHECK(good.losses.warnings().empty());
    CHECK(rules(good).empty());
    const Rewritten fine = file_of(R"({"base":"seconds","num":1,"den":1000000000000000000})", "7");
    REQUIRE(fine.losses.warnings().size() == 1);
    CHECK(fine.losses.warnings().front().find("10^-18 s") != std::string::npos);
    REQUIRE(rules(fine).size() == 1);
    CHECK(rules(fine).front().starts_with("FTR051"));
    const Rewritten coarse = file_of(R"({"base":"seconds","num":10,"den":1})", "7");
    CHECK(coarse.losses.warnings().size() == 1);
    CHECK(rules(coarse).size() == 1);
    const Rewritten half = file_of(R"("ps")", "0.5");
    REQUIRE(half.losses.warnings().size() == 1);
    CHECK(half.losses.warnings().front().find("0.5") != std::string::npos);
    REQUIRE(rules(half).size() == 1);
    CHECK(rules(half).front().starts_with("FTR017"));
}

}  // namespace ftr_viewer_laws

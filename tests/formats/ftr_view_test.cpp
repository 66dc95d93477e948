// Tests the views of FTR files, as text and as data.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "formats.hpp"
#include "io/error.hpp"
#include "support/corpus.hpp"
#include "support/hex.hpp"

namespace ftr_view_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

const View& view(std::string_view name) {
    const Format& ftr = *find_format(formats(), "ftr");
    return *std::find_if(ftr.views.begin(), ftr.views.end(), [&](const View& v) { return v.name == name; });
}

std::string shown(std::string_view name, TextForm form, const std::vector<std::byte>& file, Findings& findings,
                  const Settings& settings = {}) {
    Input input = Input::memory("file", file);
    TextOutput out(-1);
    if (form == TextForm::text)
        view(name).render(input, out, settings, findings);
    else
        view(name).render_data(input, form, out, settings, findings);
    return std::string(out.text());
}

std::string shown(std::string_view name, TextForm form, const char* sample) {
    Findings findings;
    const std::string text =
        shown(name, form, load_sample(testdata(std::string("ftr/valid/") + sample)).bytes, findings);
    CHECK(findings.kept().empty());
    return text;
}

/// Counts the occurrences of `wanted` in `text`.
std::size_t count_of(std::string_view wanted, std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + 1))
        ++count;
    return count;
}

/// Returns a slice that contains the whole trace.
std::unique_ptr<Reader> all_of(Reader& whole) {
    class Through final : public Reader {
    public:
        explicit Through(Reader& from) : from_(from) {}
        Schema& schema() override { return from_.schema(); }
        bool read(Batch& batch) override { return from_.read(batch); }
        Facts facts() const override { return from_.facts(); }
        std::uint64_t position() const override { return from_.position(); }

    private:
        Reader& from_;
    };
    return std::make_unique<Through>(whole);
}

}  // namespace

TEST_CASE("FTR: transactions are printed as text") {
    CHECK(shown("transactions", TextForm::text, "small.hex") ==
          "# unit 10^-12 s\n"
          "# ftr.epoch 1700000000\n"
          "stream 1 top.bus port\n"
          "  generator 3 read\n"
          "stream 2 top.bus.mem port\n"
          "  generator 4 write\n"
          "tx 1 0..100 top.bus read begin addr=0x80 record size=-4 end status=\"OKAY\"\n"
          "tx 2 100..180 top.bus read begin addr=0x84\n"
          "tx 3 40..60 top.bus.mem write\n"
          "relation next 1 -> 3 streams 1 -> 2\n");
}

TEST_CASE("FTR: booleans are shown by name, texts in quotes, and numbers unchanged") {
    const std::string text = shown("transactions", TextForm::text, "types.hex");
    CHECK(text.find("=true") != std::string::npos);
    CHECK(text.find("addr=1") == std::string::npos);
}

TEST_CASE("FTR: the tree shows the counts of each generator") {
    CHECK(shown("tree", TextForm::text, "small.hex") ==
          "# unit 10^-12 s\n"
          "# ftr.epoch 1700000000\n"
          "stream 1 top.bus port\n"
          "  generator 3 read: 2 transactions, 0..180\n"
          "    begin addr u64\n"
          "    record size i64\n"
          "    end status label\n"
          "stream 2 top.bus.mem port\n"
          "  generator 4 write: 1 transaction, 40..60\n"
          "relation next: 1 time\n");
}

TEST_CASE("FTR: the tree can be printed as data") {
    const auto json = nlohmann::json::parse(shown("tree", TextForm::json, "small.hex"));
    CHECK(json["schema"] == "hwtrace-ftr-tree/1");
    CHECK(json["exponent"] == -12);
    REQUIRE(json["streams"].size() == 2);
    const auto& read = json["streams"][0]["generators"][0];
    CHECK(read["transactions"] == 2);
    CHECK(read["last"] == 180);
    CHECK(read["attributes"][2] == nlohmann::json{{"phase", "end"}, {"name", "status"}, {"type", "label"}});
    CHECK(json["relations"] == nlohmann::json::parse(R"([{"name": "next", "count": 1}])"));
    std::istringstream lines(shown("tree", TextForm::jsonl, "small.hex"));
    std::string types;
    for (std::string line; std::getline(lines, line);)
        types += nlohmann::json::parse(line).value("type", "head") + ' ';
    CHECK(types == "head stream generator stream generator relation ");
    CHECK(shown("tree", TextForm::csv, "small.hex") ==
          "kind,stream_id,stream,stream_kind,generator_id,generator,count,first,last,phase,attribute,type,relation\n"
          "stream,1,top.bus,port,,,,,,,,,\n"
          "generator,1,top.bus,port,3,read,2,0,180,,,,\n"
          "attribute,1,top.bus,port,3,read,,,,begin,addr,u64,\n"
          "attribute,1,top.bus,port,3,read,,,,record,size,i64,\n"
          "attribute,1,top.bus,port,3,read,,,,end,status,label,\n"
          "stream,2,top.bus.mem,port,,,,,,,,,\n"
          "generator,2,top.bus.mem,port,4,write,1,40,60,,,,\n"
          "relation,,,,,,1,,,,,,next\n");
}

TEST_CASE("FTR: transactions can be printed as data") {
    const auto json = nlohmann::json::parse(shown("transactions", TextForm::json, "small.hex"));
    CHECK(json["schema"] == "hwtrace-ftr-transactions/1");
    CHECK(json["exponent"] == -12);
    CHECK(json["streams"].size() == 2);
    CHECK(json["generators"][1]["stream"] == 2);
    REQUIRE(json["items"].size() == 4);
    const auto& first = json["items"][0];
    CHECK(first["id"] == 1);
    CHECK(first["end"] == 100);
    CHECK(first["attributes"][1]["value"] == -4);
    CHECK(first["attributes"][2]["phase"] == "end");
    CHECK(json["items"][3]["sink_stream"] == 2);

    std::istringstream lines(shown("transactions", TextForm::jsonl, "small.hex"));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count)
        CHECK(nlohmann::json::parse(line) == (count == 0 ? nlohmann::json::parse(line) : json["items"][count - 1]));
    CHECK(count == 5);
}

TEST_CASE("FTR: CSV has one row per transaction, with all attributes in one column") {
    CHECK(
        shown("transactions", TextForm::csv, "small.hex") ==
        "kind,id,stream,generator,generator_id,start,end,attributes,relation,source,sink,source_stream,sink_stream\n"
        "transaction,1,top.bus,read,3,0,100,\"[[\"\"begin\"\",\"\"addr\"\",\"\"u64\"\",128],"
        "[\"\"record\"\",\"\"size\"\",\"\"i64\"\",-4],[\"\"end\"\",\"\"status\"\",\"\"label\"\",\"\"OKAY\"\"]]\",,,,,\n"
        "transaction,2,top.bus,read,3,100,180,\"[[\"\"begin\"\",\"\"addr\"\",\"\"u64\"\",132]]\",,,,,\n"
        "transaction,3,top.bus.mem,write,4,40,60,[],,,,,\n"
        "relation,,,,,,,,next,1,3,1,2\n");
}

TEST_CASE("FTR: the metadata stream becomes facts, not transactions") {
    const std::string text = shown("transactions", TextForm::text, "marks.hex");
    CHECK(text.find("# uscope.dut_name core\n# hwtrace.lowered x-1\n") != std::string::npos);
    CHECK(text.find("metadata") == std::string::npos);
    CHECK(text.find("tx 4") == std::string::npos);
}

TEST_CASE("FTR: an undeclared generator is listed before its transactions") {
    const auto file = load_sample(testdata("ftr/invalid/generator_undefined.hex")).bytes;
    Findings findings;
    const std::string text = shown("transactions", TextForm::text, file, findings);
    CHECK(findings.total("FTR027") == 1);
    const std::size_t generator = text.find("stream 2 top.bus.mem port\n  generator 4 \"generator 4\"\ntx 3 40..60 ");
    REQUIRE(generator != std::string::npos);
    CHECK(generator > text.find("\ntx 2 "));
    const auto json = nlohmann::json::parse(shown("transactions", TextForm::json, file, findings));
    const auto& items = json["items"];
    const auto met =
        std::find_if(items.begin(), items.end(), [](const auto& item) { return item["type"] == "generator"; });
    REQUIRE(met != items.end());
    CHECK((*met)["id"] == 4);
    CHECK((*met)["stream"] == json["streams"][1]["id"]);
    CHECK((*std::next(met))["generator_id"] == 4);
    CHECK(count_of("\"type\":\"generator\"", shown("transactions", TextForm::jsonl, file, findings)) == 1);
}

TEST_CASE("FTR: an undeclared stream is listed once") {
    const auto file = load_sample(testdata("ftr/invalid/stream_undefined.hex")).bytes;
    Findings findings;
    const auto json = nlohmann::json::parse(shown("transactions", TextForm::json, file, findings));
    std::size_t streams = json["streams"].size(), generators = json["generators"].size();
    for (const auto& item : json["items"]) {
        streams += item["type"] == "stream" ? 1u : 0u;
        generators += item["type"] == "generator" ? 1u : 0u;
    }
    Input input = Input::memory("file", file);
    const Settings settings;
    const auto reader = find_format(formats(), "ftr")->open(input, settings, findings);
    for (Batch batch; reader->read(batch);)
        batch.clear();
    CHECK(streams == reader->schema().scopes().size());
    CHECK(generators == static_cast<std::size_t>(
                            std::count_if(reader->schema().tracks().begin(), reader->schema().tracks().end(),
                                          [](const Track& track) { return track.kind == Track::Kind::stream; })));
}

TEST_CASE("FTR: a slice shows the times and the order of the file") {
    for (const char* const name : {"end_before_start", "time_too_large"}) {
        CAPTURE(name);
        const auto file = load_sample(testdata(std::string("ftr/invalid/") + name + ".hex")).bytes;
        Settings part;
        part.part = all_of;
        for (const std::string_view which : {"transactions", "tree"}) {
            Findings findings;
            const std::string whole = shown(which, TextForm::text, file, findings);
            CHECK(shown(which, TextForm::text, file, findings, part) == whole);
            if (which == "transactions") CHECK(count_of("\ntx ", whole) >= 1);
        }
    }
}

TEST_CASE("FTR: the views show the size of a schema mark") {
    const auto file = load_sample(testdata("ftr/invalid/schema_mark.hex")).bytes;
    Findings findings;
    const std::string text = shown("transactions", TextForm::text, file, findings);
    CHECK(text.find("# hwtrace.ftr.schema \"a mark of ") != std::string::npos);
    CHECK(text.find("hwtrace-ftr-schema") == std::string::npos);
    const auto json = nlohmann::json::parse(shown("transactions", TextForm::json, file, findings));
    CHECK(json["metadata"].dump().find("a mark of ") != std::string::npos);
}

TEST_CASE("FTR: streams and generators count once among the objects of a schema") {
    const auto file = load_sample(testdata("ftr/valid/small.hex")).bytes;
    const auto reads = [&](std::uint64_t most) {
        Input input = Input::memory("file", file);
        Settings settings;
        settings.limits.schema_objects = most;
        Findings findings;
        try {
            const auto reader = find_format(formats(), "ftr")->open(input, settings, findings);
            for (Batch batch; reader->read(batch);)
                batch.clear();
        } catch (const Error& error) {
            CHECK(error.failure() == Failure::limit);
            return false;
        }
        return true;
    };
    CHECK(reads(8));  // two streams, two generators, three attributes, one relation
    CHECK_FALSE(reads(7));
}

}  // namespace ftr_view_test

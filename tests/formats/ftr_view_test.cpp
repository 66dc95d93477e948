// The views of transactions, as text and as data.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "formats.hpp"
#include "support/corpus.hpp"
#include "support/hex.hpp"

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

const View& view(std::string_view name) {
    const Format& ftr = *find_format(formats(), "ftr");
    return *std::find_if(ftr.views.begin(), ftr.views.end(), [&](const View& v) { return v.name == name; });
}

std::string shown(std::string_view name, TextForm form, const char* sample) {
    const Assembled file = load_sample(testdata(std::string("ftr/valid/") + sample));
    Input input = Input::memory("file", file.bytes);
    TextOutput out(-1);
    Findings findings;
    if (form == TextForm::text)
        view(name).render(input, out, {}, findings);
    else
        view(name).render_data(input, form, out, {}, findings);
    CHECK(findings.kept().empty());
    return std::string(out.text());
}

}  // namespace

TEST_CASE("FTR: the transactions as text") {
    CHECK(shown("transactions", TextForm::text, "small.hex") ==
          "# unit 10^-12 s\n"
          "# ftr.epoch 1700000000\n"
          "stream 1 top.bus port\n"
          "  generator 3 read\n"
          "stream 2 top.bus.mem port\n"
          "  generator 4 write\n"
          "tx 1 0..100 top.bus read\n"
          "  begin addr u64 0x80\n"
          "  record size i64 -4\n"
          "  end status label \"OKAY\"\n"
          "tx 2 100..180 top.bus read\n"
          "  begin addr u64 0x84\n"
          "tx 3 40..60 top.bus.mem write\n"
          "relation next 1 -> 3 streams 1 -> 2\n");
}

TEST_CASE("FTR: booleans are told by name, texts in quotes, numbers as they are") {
    const std::string text = shown("transactions", TextForm::text, "types.hex");
    CHECK(text.find(" bool true\n") != std::string::npos);
    CHECK(text.find(" bool 1\n") == std::string::npos);
}

TEST_CASE("FTR: the tree with what there is of each generator") {
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

TEST_CASE("FTR: the tree as data") {
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

TEST_CASE("FTR: the transactions as data") {
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

    CHECK(
        shown("transactions", TextForm::csv, "small.hex") ==
        "kind,id,stream,generator,start,end,phase,attribute,type,value,relation,source,sink,source_stream,sink_stream\n"
        "transaction,1,top.bus,read,0,100,begin,addr,u64,128,,,,,\n"
        "transaction,1,top.bus,read,0,100,record,size,i64,-4,,,,,\n"
        "transaction,1,top.bus,read,0,100,end,status,label,OKAY,,,,,\n"
        "transaction,2,top.bus,read,100,180,begin,addr,u64,132,,,,,\n"
        "transaction,3,top.bus.mem,write,40,60,,,,,,,,,\n"
        "relation,,,,,,,,,,next,1,3,1,2\n");
}

TEST_CASE("FTR: marks are facts, not transactions") {
    const std::string text = shown("transactions", TextForm::text, "marks.hex");
    CHECK(text.find("# uscope.dut_name core\n# hwtrace.lowered x-1\n") != std::string::npos);
    CHECK(text.find("metadata") == std::string::npos);
    CHECK(text.find("tx 4") == std::string::npos);
}

#include "views/schema_tree.hpp"

#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "views/core_trace.hpp"

namespace schema_tree_test {

using namespace hwtrace;
using namespace hwtrace::test;
using Json = nlohmann::json;

namespace {

std::string tree(const Schema& schema, TextForm form) {
    TextOutput out(-1);
    dump_schema_tree(schema, form, Settings{}, out);
    return std::string(out.text());
}

/// Returns a core with a table that uses every feature, an event, and a cycle of scopes.
Schema made() {
    Schema schema;
    schema.describe("dut_name", "a \"dut\"");
    const ClockId clock = schema.declare(Clock{"clk", 500});
    const EnumId stages = schema.declare(Enum{"pipeline_stage", {{0, "F"}, {1, "two words"}}});
    const ScopeId root = schema.declare(Scope{"root", none, {}, clock});
    const ScopeId core = schema.declare(Scope{"core0", root, "cpu", none});
    schema.declare(Scope{"lost", 2, {}, none});
    Track rob;
    rob.kind = Track::Kind::storage;
    rob.scope = core;
    rob.name = "rob";
    rob.time = picoseconds;
    rob.fields = {{"entity_id", Type::u32}, {"stage", Type::enumeration, stages}};
    rob.properties = {{"head", Type::u16, none, false, 1, 0}, {"tail", Type::u16, none, false, 2, 0}};
    rob.slots = 4;
    rob.sparse = true;
    rob.buffer = true;
    schema.declare(rob);
    Track flush;
    flush.scope = core;
    flush.name = "flush";
    flush.time = picoseconds;
    flush.fields = {{"entity_id", Type::u32}};
    schema.declare(flush);
    Track notes;
    notes.kind = Track::Kind::notes;
    notes.name = "notes";
    notes.time = picoseconds;
    schema.declare(notes);
    return schema;
}

}  // namespace

TEST_CASE("the schema tree has scopes with protocols and clocks, tracks with roles, and every scope once") {
    CHECK(tree(made(), TextForm::text) ==
          "time  ps\n"
          "metadata\n"
          "  dut_name = \"a \\\"dut\\\"\"\n"
          "clocks\n"
          "  clk (500 ps)\n"
          "enums\n"
          "  pipeline_stage: 0=F 1=\"two words\"\n"
          "scopes\n"
          "  root: clock clk (500 ps)\n"
          "    core0: protocol cpu, clock clk (500 ps) of a scope above\n"
          "      storage rob: sparse, 4 slots; buffer, a ring from head up to tail\n"
          "        entity_id  u32\n"
          "        stage      enum pipeline_stage\n"
          "        property head  u16, head of pair 0\n"
          "        property tail  u16, tail of pair 0\n"
          "      event flush: an instruction is thrown away\n"
          "        entity_id  u32\n"
          "  lost\n"
          "without a scope\n"
          "  notes notes\n");
}

TEST_CASE("the schema as JSON is one document; as JSON lines, it has the same objects") {
    const Schema schema = made();
    const Json document = Json::parse(tree(schema, TextForm::json));
    CHECK(document.at("schema") == "hwtrace-schema/1");
    CHECK(document.at("scopes").at(1) ==
          Json::parse(R"({"id":1,"name":"core0","path":"root/core0","parent":0,"protocol":"cpu","clock":"clk",
                          "period_ps":500})"));
    CHECK(document.at("tracks").at(0) ==
          Json::parse(R"({"id":0,"kind":"storage","name":"rob","scope":"root/core0","time":"ps","role":"buffer",
                          "slots":4,"sparse":true,"buffer":true,
                          "fields":[{"name":"entity_id","type":"u32"},
                                    {"name":"stage","type":"enum","enum":"pipeline_stage"}],
                          "properties":[{"name":"head","type":"u16","role":"head","pair":0},
                                        {"name":"tail","type":"u16","role":"tail","pair":0}]})"));
    std::istringstream lines(tree(schema, TextForm::jsonl));
    std::string line;
    std::getline(lines, line);
    CHECK(Json::parse(line).at("schema") == "hwtrace-schema/1");
    const std::map<std::string, std::string> sections{
        {"metadata", "metadata"}, {"clock", "clocks"}, {"enum", "enums"}, {"scope", "scopes"}, {"track", "tracks"}};
    std::map<std::string, Json> by_section;
    while (std::getline(lines, line)) {
        Json object = Json::parse(line);
        const std::string section = sections.at(object.at("type"));
        object.erase("type");
        by_section[section].push_back(object);
    }
    for (const auto& [type, section] : sections)
        CHECK(by_section[section] == document.at(section));
}

TEST_CASE("the schema as CSV has a row for each field and property") {
    CHECK(tree(made(), TextForm::csv) ==
          "scope,kind,track,track_id,role,slots,sparse,buffer,field,type,enum,property\n"
          "root/core0,storage,rob,0,buffer,4,true,true,entity_id,u32,,\n"
          "root/core0,storage,rob,0,buffer,4,true,true,stage,enum,pipeline_stage,\n"
          "root/core0,storage,rob,0,buffer,4,true,true,head,u16,,head\n"
          "root/core0,storage,rob,0,buffer,4,true,true,tail,u16,,tail\n"
          "root/core0,event,flush,1,an instruction is thrown away,,,,entity_id,u32,,\n"
          ",notes,notes,2,,,,,,,,\n");
}

TEST_CASE("a schema that grows while reading is shown completely") {
    Npu npu;
    Stepwise reader(npu.schema, {[&](Batch& batch) { batch.interval(npu.stream(0, "MAC"), 0, 1); }});
    TextOutput out(-1);
    ViewOptions options;
    options.schema_upfront = false;
    find_model_view("schema")->render(reader, TextForm::text, options, Settings{}, out, {});
    CHECK(std::string(out.text()).find("stream MAC") != std::string::npos);
}

}  // namespace schema_tree_test

#include "domain/protocols.hpp"

#include <doctest/doctest.h>

namespace protocols_test {

using namespace hwtrace;

namespace {

Track storage(ScopeId scope, std::string name, std::vector<Field> fields, std::uint32_t slots = 8) {
    Track track;
    track.kind = Track::Kind::storage;
    track.scope = scope;
    track.name = std::move(name);
    track.fields = std::move(fields);
    track.slots = slots;
    track.sparse = true;
    return track;
}

Track event(ScopeId scope, std::string name, std::vector<Field> fields) {
    Track track;
    track.scope = scope;
    track.name = std::move(name);
    track.fields = std::move(fields);
    return track;
}

}  // namespace

TEST_CASE("the path of a scope names its ancestors, and is finite even if scopes form a cycle") {
    Schema schema;
    const ScopeId slash = schema.declare(Scope{"/", none, {}, none});
    const ScopeId core = schema.declare(Scope{"core0", slash, {}, none});
    const ScopeId root = schema.declare(Scope{"root", none, {}, none});
    const ScopeId unit = schema.declare(Scope{"lsu", schema.declare(Scope{"core1", root, {}, none}), {}, none});
    const ScopeId circle = schema.declare(Scope{"o", static_cast<ScopeId>(schema.scopes().size()), {}, none});
    CHECK(path_of(schema, core) == "/core0");
    CHECK(path_of(schema, unit) == "root/core1/lsu");
    CHECK(path_of(schema, none).empty());
    CHECK(path_of(schema, circle).starts_with(".../o/o/"));
}

TEST_CASE("a scope without a clock inherits the clock of its nearest ancestor") {
    Schema schema;
    const ClockId clock = schema.declare(Clock{"clk", 250});
    const ScopeId root = schema.declare(Scope{"root", none, {}, clock});
    const ScopeId core = schema.declare(Scope{"core", root, {}, none});
    const ScopeId alone = schema.declare(Scope{"alone", none, {}, none});
    CHECK(period_of(schema, core) == 250);
    CHECK(period_of(schema, alone) == 0);
    CHECK(clock_of(schema, alone) == none);
}

TEST_CASE("a buffer is a table marked as a buffer, or a table of entities other than the catalogue") {
    Schema schema;
    const ScopeId cpu = schema.declare(Scope{"core0", none, "cpu", none});
    const ScopeId router = schema.declare(Scope{"r0", none, "noc.router", none});
    const ScopeId plain = schema.declare(Scope{"plain", none, {}, none});
    const std::vector<Field> entity{{"entity_id", Type::u32}}, wide{{"entity_id", Type::u64}},
        txn{{"txn_id", Type::u32}};
    CHECK_FALSE(is_buffer(schema, schema.declare(storage(cpu, "entities", entity))));
    CHECK(is_buffer(schema, schema.declare(storage(cpu, "rob", entity))));
    CHECK_FALSE(is_buffer(schema, schema.declare(storage(cpu, "log", wide))));
    CHECK_FALSE(is_buffer(schema, schema.declare(storage(cpu, "links", txn))));
    CHECK(is_buffer(schema, schema.declare(storage(router, "vc_buf_n", txn))));
    CHECK_FALSE(is_buffer(schema, schema.declare(storage(plain, "rob", entity))));
    Track marked = storage(plain, "queue", {{"value", Type::u8}});
    marked.buffer = true;
    CHECK(is_buffer(schema, schema.declare(marked)));
    CHECK_FALSE(is_buffer(schema, schema.declare(event(cpu, "rob", entity))));
}

TEST_CASE("stages have the names in the metadata, otherwise the enum's labels") {
    Schema schema;
    const EnumId stages = schema.declare(Enum{"pipeline_stage", {{0, "F"}, {2, "X"}, {1'000'000, "far"}}});
    const ScopeId scope = schema.declare(Scope{"core0", none, "cpu", none});
    schema.declare(event(scope, "stage_transition", {{"entity_id", Type::u32}, {"stage", Type::enumeration, stages}}));
    const CpuScope by_enum = cpu_scopes(schema).at(0);
    CHECK(by_enum.stage_name(0) == "F");
    CHECK(by_enum.stage_name(1) == "1");
    CHECK(by_enum.stage_name(2) == "X");
    CHECK(by_enum.stage_name(1'000'000) == "1000000");
    Schema other;
    const EnumId odd = other.declare(Enum{"pipeline_stage", {{0, "F"}, {1, ""}}});
    const ScopeId core = other.declare(Scope{"core0", none, "cpu", none});
    other.declare(event(core, "stage_transition", {{"entity_id", Type::u32}, {"stage", Type::enumeration, odd}}));
    CHECK(cpu_scopes(other).at(0).stage_name(1) == "");
    schema.describe("cpu.pipeline_stages", "Fetch, Decode\t,Commit");
    const CpuScope stated = cpu_scopes(schema).at(0);
    CHECK(stated.stages == std::vector<std::string>{"Fetch", "Decode", "Commit"});
    CHECK(stated.stage_name(3) == "3");
}

TEST_CASE("every track has the role that its protocol gives it") {
    Schema schema;
    const ScopeId cpu = schema.declare(Scope{"core0", none, "cpu", none});
    const ScopeId noc = schema.declare(Scope{"mesh", none, "noc", none});
    schema.declare(storage(cpu, "entities", {{"entity_id", Type::u32}, {"pc", Type::u64}}));
    schema.declare(event(cpu, "flush", {{"entity_id", Type::u32}, {"reason", Type::u8}}));
    Track counter = storage(cpu, "committed_insns", {{"count", Type::u64}}, 1);
    counter.sparse = false;
    schema.declare(counter);
    schema.declare(storage(cpu, "rob", {{"entity_id", Type::u32}}));
    schema.declare(event(noc, "flush", {{"entity_id", Type::u32}}));
    schema.declare(event(noc, "beat", {{"txn_id", Type::u32}}));
    CHECK(track_roles(schema) == std::vector<std::string_view>{"instructions in flight",
                                                               "an instruction is thrown away", "counter", "buffer", "",
                                                               "data is transferred"});
}

TEST_CASE("a ring extends from head to tail and wraps around; equal pointers mean full if every slot is occupied") {
    CHECK(ring_fill(4, 1, 3, 0) == 2u);
    CHECK(ring_fill(4, 3, 1, std::nullopt) == 2u);
    CHECK(ring_fill(4, 2, 2, 4) == 4u);
    CHECK(ring_fill(4, 2, 2, 3) == 0u);
    CHECK(ring_fill(4, 0, 0, 0) == 0u);
    CHECK_FALSE(ring_fill(4, 2, 2, std::nullopt).has_value());
    CHECK_FALSE(ring_fill(4, 4, 1, 2).has_value());
    CHECK_FALSE(ring_fill(4, 1, 4, 2).has_value());
    CHECK_FALSE(ring_fill(0, 0, 0, 0).has_value());
}

TEST_CASE("a name follows the path of its scope") {
    CHECK(name_in("root/core0", "rob") == "root/core0/rob");
    CHECK(name_in("/", "rob") == "/rob");
    CHECK(name_in("", "rob") == "rob");
}

TEST_CASE("each pair of a head and a tail is a ring; duplicates are ignored") {
    Track track = storage(none, "rob", {{"entity_id", Type::u32}});
    CHECK(ring_pointers(track).empty());
    const auto property = [](std::string name, std::uint8_t role, std::uint8_t pair) {
        return Field{std::move(name), Type::u16, none, false, role, pair};
    };
    track.properties = {property("mode", 0, 0), property("tail1", 2, 1), property("head0", 1, 0)};
    CHECK(ring_pointers(track).empty());
    track.properties.push_back(property("tail0", 2, 0));
    track.properties.push_back(property("again0", 1, 0));
    track.properties.push_back(property("head1", 1, 1));
    const auto rings = ring_pointers(track);
    REQUIRE(rings.size() == 2);
    CHECK(rings[0].head == 2);
    CHECK(rings[0].tail == 3);
    CHECK(rings[0].pair == 0);
    CHECK(rings[1].head == 5);
    CHECK(rings[1].tail == 1);
    CHECK(rings[1].pair == 1);
}

TEST_CASE("a root below another scope adds no slash to paths") {
    Schema schema;
    const auto scope = [&](std::string_view name, ScopeId parent) {
        return schema.declare(Scope{std::string(name), parent, {}, none});
    };
    const ScopeId rtl = scope("rtl", none), root = scope("/", rtl), bus = scope("bus", root);
    const ScopeId other = scope("/", none), core = scope("core0", other), deep = scope("alu", core);
    CHECK(path_of(schema, bus) == "rtl/bus");
    CHECK(path_of(schema, root) == "rtl/");
    CHECK(path_of(schema, core) == "/core0");
    CHECK(path_of(schema, deep) == "/core0/alu");
    CHECK(path_of(schema, scope("bus", scope("/", other))) == "/bus");
    CHECK(path_of(schema, none).empty());
}

}  // namespace protocols_test

#include "views/samples.hpp"

#include <doctest/doctest.h>

#include <string>

#include "domain/conventions.hpp"
#include "model/record.hpp"

namespace samples_test {

using namespace hwtrace;

namespace {

/// A trace of signals. The trace is a reader of itself.
struct Trace : Reader {
    Schema all;
    ScopeId top = all.declare(Scope{"top", none, {}, none});
    Batch batch;
    bool done = false;

    TrackId signal(std::string_view name, std::vector<Field> fields, TimeBase time = picoseconds) {
        return all.declare(make_track(Track::Kind::signal, top, name, time, std::move(fields)));
    }
    Schema& schema() override { return all; }
    bool read(Batch& into) override {
        if (done) return false;
        for (const Record& record : batch.records())
            into.copy(batch, record, record.track);
        done = true;
        return true;
    }
    Facts facts() const override { return {}; }
    std::uint64_t position() const override { return 0; }

    std::string shown(TextForm form) {
        done = false;
        TextOutput out(-1);
        notes = show_samples(*this, form, {}, settings, out, {});
        return std::string(out.text());
    }
    Settings settings;
    std::vector<std::string> notes;
};

/// A trace with one change of each shape.
struct Shapes : Trace {
    Shapes() {
        Field wide{"value", Type::u64};
        wide.width = 16;
        const TrackId data = signal("data", {wide, Field{"value", Type::logic}});
        const TrackId list = signal("list", {Field{"value", Type::i32, none, true}}, ordinals);
        const EnumId states = all.declare(Enum{"states", {{1, "a \"b\""}}});
        const TrackId pair = signal("pair", {Field{"state", Type::enumeration, states}, Field{"why", Type::text},
                                             Field{"more", Type::u8, none, true}});
        const StringId logic = all.intern("01XZ"), text = all.intern("x, y");
        batch.change(data, 1, Attribute{0, 0x16}).flags |= record_restated;
        batch.change(data, 2, Attribute{1, logic}, change_conflict);
        batch.change(data, 3, std::span<const Attribute>(), 7).flags |= record_no_value;
        const Attribute elements[] = {{0, 5}, {0, static_cast<std::uint64_t>(-6)}};
        batch.change(list, 4, elements);
        batch.change(list, 5, std::span<const Attribute>());
        const Attribute members[] = {{2, 9}, {0, 1}, {2, 8}, {1, text}};
        batch.change(pair, 6, members);
        batch.note(all.declare(make_track(Track::Kind::notes, top, "remarks", picoseconds)), 7, "no sample");
    }
};

}  // namespace

TEST_CASE("changes of signals are shown as text, with the unit of their time") {
    Shapes trace;
    CHECK(trace.shown(TextForm::text) ==
          "1 ps  top/data = 0x0016, since before\n"
          "2 ps  top/data = \"01XZ\", conflict\n"
          "3 ps  top/data = no value, tag 7\n"
          "4 (position)  top/list = [5, -6]\n"
          "5 (position)  top/list = []\n"
          "6 ps  top/pair = {state=\"a \\\"b\\\"\", why=\"x, y\", more=[9, 8]}\n");
    CHECK(trace.notes.empty());
}

TEST_CASE("members made from addresses of other records are shown in hexadecimal") {
    Trace trace;
    const TrackId hart = trace.signal("hart", {Field{"pc", Type::i64}, Field{"size", Type::i64}}, ordinals);
    const TrackId level = trace.signal("level", {Field{"value", Type::i64}}, ordinals);
    const Attribute instruction[] = {{0, 0x1000}, {1, 20}}, negative{0, static_cast<std::uint64_t>(-1)};
    trace.batch.change(hart, 1, instruction);
    trace.batch.change(hart, 2, negative);
    trace.batch.change(level, 3, Attribute{0, 20});
    CHECK(trace.shown(TextForm::text).find("{pc=4096, size=20}") != std::string::npos);
    trace.all.describe(std::string(conventions::record_source), "flux ");
    CHECK(trace.shown(TextForm::text) ==
          "1 (position)  top/hart = {pc=0x1000, size=20}\n"
          "2 (position)  top/hart = {pc=-1}\n"
          "3 (position)  top/level = 20\n");
}

TEST_CASE("changes of signals are shown as JSON") {
    Shapes trace;
    const std::string lines = trace.shown(TextForm::jsonl);
    const std::string objects = lines.substr(lines.find('\n') + 1);
    CHECK(lines.starts_with("{\"schema\":\"hwtrace-samples/1\""));
    CHECK(objects ==
          "{\"time\":1,\"unit\":\"ps\",\"scope\":\"top\",\"signal\":\"data\",\"value\":22,\"restated\":true}\n"
          "{\"time\":2,\"unit\":\"ps\",\"scope\":\"top\",\"signal\":\"data\",\"value\":\"01XZ\",\"conflict\":true}\n"
          "{\"time\":3,\"unit\":\"ps\",\"scope\":\"top\",\"signal\":\"data\",\"no_value\":true,\"tag\":7}\n"
          "{\"time\":4,\"unit\":\"(position)\",\"scope\":\"top\",\"signal\":\"list\",\"value\":[5,-6]}\n"
          "{\"time\":5,\"unit\":\"(position)\",\"scope\":\"top\",\"signal\":\"list\",\"value\":[]}\n"
          "{\"time\":6,\"unit\":\"ps\",\"scope\":\"top\",\"signal\":\"pair\",\"value\":"
          "{\"state\":\"a \\\"b\\\"\",\"why\":\"x, y\",\"more\":[9,8]}}\n");
    const std::string document = trace.shown(TextForm::json);
    CHECK(document.find("\"samples\":[\n{\"time\":1,") != std::string::npos);
    CHECK(document.ends_with("]}\n"));
}

TEST_CASE("changes of signals are shown as CSV, one row per value") {
    Shapes trace;
    CHECK(trace.shown(TextForm::csv) ==
          "time,unit,scope,signal,member,value,state\n"
          "1,ps,top,data,value,22,since before\n"
          "2,ps,top,data,value,01XZ,conflict\n"
          "3,ps,top,data,,,no value | tag 7\n"
          "4,(position),top,list,value,5,\n"
          "4,(position),top,list,value,-6,\n"
          "5,(position),top,list,,,\n"
          "6,ps,top,pair,state,\"a \"\"b\"\"\",\n"
          "6,ps,top,pair,why,\"x, y\",\n"
          "6,ps,top,pair,more,9,\n"
          "6,ps,top,pair,more,8,\n");
}

TEST_CASE("a trace without signals is reported as such") {
    Trace trace;
    CHECK(trace.shown(TextForm::text).empty());
    CHECK(trace.notes == std::vector<std::string>{"the trace has no signals"});
}

}  // namespace samples_test

// tests/views/core_trace.hpp - a small hand-made core and network that use the protocols cpu and noc.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "io/text_output.hpp"
#include "support/npu.hpp"
#include "views/model_views.hpp"

namespace hwtrace::test {

/// A scope of protocol `cpu` with 16 slots and the stages F D X. A cycle lasts 500 ps by default.
struct Core {
    Schema schema;
    ScopeId scope = none;
    TrackId entities = none, stage = none, annotate = none, dependency = none, flush = none;
    TrackId lane_stage = none, stage_end = none, label_type = none, retire = none;
    TrackId committed = none, rob = none, waiting = none;
    Batch batch;

    explicit Core(std::uint64_t period_ps = 500) {
        const ClockId clock = schema.declare(Clock{"clk", period_ps});
        const ScopeId root = schema.declare(Scope{"root", none, {}, none});
        scope = schema.declare(Scope{"core0", root, "cpu", clock});
        schema.describe("cpu.pipeline_stages", "F,D, X");
        const EnumId reasons = schema.declare(Enum{"flush_reason", {{0, "mispredict"}, {1, "exception"}}});
        const EnumId kinds = schema.declare(Enum{"dep_type", {{0, "raw"}, {1, "war"}}});
        entities = storage("entities", 16, {{"entity_id", Type::u32}, {"pc", Type::u64}, {"inst_bits", Type::u32}});
        stage = event("stage_transition", {{"entity_id", Type::u32}, {"stage", Type::u8}});
        annotate = event("annotate", {{"entity_id", Type::u32}, {"text", Type::text}});
        dependency =
            event("dependency", {{"src_id", Type::u32}, {"dst_id", Type::u32}, {"dep_type", Type::enumeration, kinds}});
        flush = event("flush", {{"entity_id", Type::u32}, {"reason", Type::enumeration, reasons}});
        lane_stage = event("lane_stage", {{"entity_id", Type::u32}, {"lane", Type::u32}, {"stage", Type::u8}});
        stage_end = event("stage_end", {{"entity_id", Type::u32}, {"lane", Type::u32}, {"stage", Type::u8}});
        label_type = event("label_type", {{"entity_id", Type::u32}, {"type", Type::u8}});
        retire = event("retire", {{"entity_id", Type::u32}, {"retire_id", Type::u64}, {"type", Type::u8}});
        committed = storage("committed_insns", 1, {{"count", Type::u64}}, false);
        rob = storage("rob", 4, {{"entity_id", Type::u32}}, true, true,
                      {{"head", Type::u16, none, false, 1}, {"tail", Type::u16, none, false, 2}});
        waiting = storage("waiting", 4, {{"entity_id", Type::u32}}, false);
    }

    TrackId storage(std::string name, std::uint32_t slots, std::vector<Field> fields, bool sparse = true,
                    bool buffer = false, std::vector<Field> properties = {}) {
        Track track;
        track.kind = Track::Kind::storage;
        track.scope = scope;
        track.name = std::move(name);
        track.time = picoseconds;
        track.fields = std::move(fields);
        track.properties = std::move(properties);
        track.slots = slots;
        track.sparse = sparse;
        track.buffer = buffer;
        return schema.declare(std::move(track));
    }
    TrackId event(std::string name, std::vector<Field> fields) {
        Track track;
        track.kind = Track::Kind::event_type;
        track.scope = scope;
        track.name = std::move(name);
        track.time = picoseconds;
        track.fields = std::move(fields);
        return schema.declare(std::move(track));
    }

    void say(TrackId track, Tick time, std::initializer_list<std::uint64_t> cells) {
        batch.event(track, time, std::span(cells.begin(), cells.size()));
    }
    void create(Tick time, std::uint32_t slot, std::uint64_t id, std::uint64_t pc = 0) {
        batch.set(entities, time, slot, 0, id);
        if (pc != 0) batch.set(entities, time, slot, 1, pc);
    }
    void note(Tick time, std::uint64_t id, std::string_view text) { say(annotate, time, {id, schema.intern(text)}); }
};

struct ShownView {
    std::string text;
    std::vector<std::string> notes;
};

/// Returns the output of a view for the batch.
inline ShownView show(Schema& schema, Batch& batch, std::string_view view, TextForm form = TextForm::text,
                      const ViewOptions& options = {}) {
    Stepwise reader(schema, {[&](Batch& into) {
                        for (const Record& record : batch.records())
                            into.copy(batch, record, record.track).flags = record.flags;
                    }});
    TextOutput out(-1);
    Settings settings;
    ShownView shown;
    shown.notes = find_model_view(view)->render(reader, form, options, settings, out, {});
    shown.text = out.text();
    return shown;
}

}  // namespace hwtrace::test

#include "support/instruction_support.hpp"

#include <sstream>

#include "convert/model_dump.hpp"
#include "convert/transforms/instruction_lowering.hpp"
#include "io/text_output.hpp"

namespace hwtrace::test {

Trace::Trace(unsigned vector_bits) {
    schema.describe("stf.version", "1.6");
    if (vector_bits != 0) schema.describe("stf.vlen", std::to_string(vector_bits));
    const ScopeId root = schema.declare(Scope{"/", none, {}, none});
    const ScopeId core = schema.declare(Scope{"core0", root, {}, none});
    const auto declare = [&](Track::Kind kind, std::string name, std::vector<Field> fields = {}) {
        Track track;
        track.kind = kind;
        track.scope = core;
        track.name = std::move(name);
        track.time = ordinals;
        track.fields = std::move(fields);
        return schema.declare(std::move(track));
    };
    hart = declare(Track::Kind::hart, "core0");
    event = declare(Track::Kind::event_type, "stf.event", {{"id", Type::u64}, {"field", Type::u64, none, true}});
    walk = declare(Track::Kind::event_type, "stf.page_table_walk",
                   {{"address", Type::u64}, {"pte_address", Type::u64, none, true}, {"pte", Type::u64, none, true}});
    text_event = declare(Track::Kind::event_type, "stf.named", {{"number", Type::u8}, {"name", Type::text}});
    notes = declare(Track::Kind::notes, "stf.comment");
    native = declare(Track::Kind::native, "stf.record");
}

namespace {

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> lines;
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

}  // namespace

std::vector<std::string> lines_after(Stage& stage, const std::vector<const Batch*>& batches) {
    TextOutput text(-1);
    Batch out;
    for (const Batch* batch : batches) {
        out.clear();
        stage.apply(*batch, out);
        dump_records(stage.schema(), out, text);
    }
    out.clear();
    stage.finish(out);
    dump_records(stage.schema(), out, text);
    return split(text.text());
}

std::vector<std::string> lines_of(const Schema& schema, const Batch& batch) {
    TextOutput text(-1);
    dump_records(schema, batch, text);
    return split(text.text());
}

std::vector<std::string> with(const std::vector<std::string>& lines, const std::string& part) {
    std::vector<std::string> found;
    for (const std::string& line : lines)
        if (line.find(part) != std::string::npos) found.push_back(line);
    return found;
}

std::vector<std::string> there_and_back(const Trace& trace, const Batch& batch, std::uint64_t period_ps,
                                        Ratio per_cycle, Losses& losses) {
    InstructionLowering lowering(trace.schema, trace.hart, period_ps, per_cycle, losses);
    InstructionRaising raising(lowering.schema(), losses);
    Batch lowered;
    lowering.apply(batch, lowered);
    Batch held_back;
    lowering.finish(held_back);
    return lines_after(raising, {&lowered, &held_back});
}

}  // namespace hwtrace::test

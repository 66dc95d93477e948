// formats/o3pipeview/views.cpp - the views "instructions" and "lines" (formats/o3pipeview/README.md#views).
#include <array>
#include <optional>
#include <string>

#include "codec.hpp"
#include "codec/line_findings.hpp"
#include "codec/rows.hpp"
#include "survey.hpp"
#include "timeline.hpp"
#include "trace.hpp"

namespace hwtrace::o3pipeview {
namespace {

using enum RowColumn::Text;
constexpr auto columns = columns_of(
    RowColumn{"sequence", bare}, RowColumn{"core"}, RowColumn{"thread"}, RowColumn{"pc", bare}, RowColumn{"upc"},
    RowColumn{"fetch"}, RowColumn{"F"}, RowColumn{"Dc"}, RowColumn{"Rn"}, RowColumn{"Ds"}, RowColumn{"Is"},
    RowColumn{"Cm"}, RowColumn{"Rt"}, RowColumn{"St"}, RowColumn{"state", bare}, RowColumn{"label", bare_quoted});
using InstructionRows = Rows<columns>;
constexpr std::size_t first_stage_column = 6;
static_assert(columns[first_stage_column].key == stage_names[0]);

/// The cycles of an instruction in each stage; nullopt: not reached.
struct Durations {
    std::array<std::optional<std::uint64_t>, stage_count> stages{};
    std::optional<std::uint64_t> store{};
};

/// Returns the cycles from each stage to the next one in order of time. The last stage takes a cycle.
Durations durations_of(Underway& underway, Tick cycle) {
    underway.plan(cycle);
    Durations durations;
    std::size_t last = stage_count;
    Tick begin = 0, store_begin = 0;
    const auto cycles_to = [&](Tick end) { return static_cast<std::uint64_t>((end - begin) / cycle); };
    for (std::size_t at = 0; at < underway.count; ++at) {
        const Underway::Place place = underway.places[at];
        const auto step = static_cast<std::size_t>(place.step);
        if (place.step == Step::store_begins) store_begin = place.tick;
        if (place.step == Step::store_ends)
            durations.store = static_cast<std::uint64_t>((place.tick - store_begin) / cycle);
        if (step >= stage_count && place.step != Step::retire_ends && place.step != Step::leave) continue;
        if (last < stage_count) durations.stages[last] = cycles_to(place.tick);
        last = step;
        begin = place.tick;
    }
    return durations;
}

void append_row(const Trace& trace, Underway& underway, Tick cycle, InstructionRows& rows) {
    const Instruction& instruction = underway.instruction;
    const bool is_text = rows.form() == TextForm::text;
    const Durations durations = durations_of(underway, cycle);
    rows.begin_row();
    rows.number("sequence", instruction.seq);
    if (!is_text || trace.cores().size() > 1) rows.text("core", trace.cores()[instruction.core]);
    if (!is_text || instruction.thread != 0) rows.number("thread", std::uint64_t{instruction.thread});
    rows.hex("pc", instruction.pc);
    if (!is_text || instruction.microop != 0) rows.number("upc", std::uint64_t{instruction.microop});
    rows.number("fetch", instruction.fetch());
    for (std::size_t stage = 0; stage < stage_count; ++stage)
        if (durations.stages[stage])
            rows.number(InstructionRows::At(first_stage_column + stage), *durations.stages[stage]);
    if (durations.store) rows.number("St", *durations.store);
    rows.text("state", instruction.is_retired() ? "retired" : "squashed");
    rows.text("label", trace.label());
    rows.end_row();
}

void append_instructions(Input& input, const Settings& settings, const Survey& found,
                         const std::optional<ChosenRows>& chosen, InstructionRows& rows, Findings& findings) {
    const auto cycle = static_cast<Tick>(found.cycle);
    Trace trace(input, settings.limits, findings, found.cores);
    for (Underway underway; trace.next(underway.instruction);)
        if (!chosen || chosen->has(underway.instruction.line)) append_row(trace, underway, cycle, rows);
}

void show_instructions(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    const Survey found = survey(input, settings, findings);
    const std::optional<ChosenRows> chosen = ChosenRows::of(input, settings, open_rows);
    InstructionRows rows(form, settings, out);
    if (form == TextForm::text) {
        out.put("# cycles of ");
        out.decimal(found.cycle);
        out.put(" ticks\n");
    } else {
        rows.begin("hwtrace-o3pipeview-instructions/1", settings);
        if (rows.is_json()) {
            rows.out().put(",\"ticks_per_cycle\":");
            rows.out().decimal(found.cycle);
        }
        rows.begin_rows(",\n\"instructions\":[");
    }
    append_instructions(input, settings, found, chosen, rows, findings);
    if (form != TextForm::text) rows.end();
}

void show_lines(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    const std::optional<ChosenRows> chosen = ChosenRows::of(input, settings, open_rows);
    Trace trace(input, settings.limits, findings);
    std::uint64_t instruction = 0;  // line 0: a line that belongs to no instruction
    for (Line line; trace.next_line(line);) {
        if (line.kind == LineKind::fetch) instruction = trace.lines();
        if (!chosen || chosen->has(instruction)) {
            out.put(trace.line());
            out.put('\n');
        }
        if (line.kind == LineKind::retire) instruction = 0;
    }
}

}  // namespace

void render_instructions(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    input.spool(settings.temporary_folder);
    show_and_check([&](Findings& unsaid) { show_instructions(input, TextForm::text, out, settings, unsaid); },
                   [&] { return open_reader(input, settings, findings); });
}

void render_instruction_data(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                             Findings& findings) {
    input.spool(settings.temporary_folder);
    show_and_check([&](Findings& unsaid) { show_instructions(input, form, out, settings, unsaid); },
                   [&] { return open_reader(input, settings, findings); });
}

void render_lines(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    input.spool(settings.temporary_folder);
    show_and_check([&](Findings& unsaid) { show_lines(input, out, settings, unsaid); },
                   [&] { return open_reader(input, settings, findings); });
}

}  // namespace hwtrace::o3pipeview

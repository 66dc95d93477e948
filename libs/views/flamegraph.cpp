#include "views/flamegraph.hpp"

#include <string>

#include "codec/rows.hpp"
#include "io/error.hpp"
#include "views/stack_counts.hpp"

namespace hwtrace {

namespace {

constexpr auto flamegraph_columns = columns_of("stack", "instructions");

}  // namespace

std::vector<std::string> show_flamegraph(Reader& reader, TextForm form, const ViewOptions&, const Settings& settings,
                                         TextOutput& out, const ProgressListener& progress) {
    if (!settings.symbols)
        fail(Failure::usage,
             "--view flamegraph: requires --elf FILE, the program that ran, for the names of functions");
    StackCounts counts(reader.schema(), settings.symbols);
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        counts.add(batch);
        if (progress) progress(reader.position());
    }
    Rows<flamegraph_columns> rows(form, settings, out);
    rows.begin("hwtrace-flamegraph/1", settings);
    rows.begin_rows(",\n\"stacks\":[");
    counts.each([&](const StackCounts::Stack& stack) {
        if (form == TextForm::text) {  // the format of folded stacks has no quotes
            out.put(stack.text);
            out.put(' ');
            out.decimal(stack.instructions);
            out.put('\n');
            return;
        }
        rows.begin_row();
        rows.text("stack", stack.text);
        rows.number("instructions", stack.instructions);
        rows.end_row();
    });
    rows.end();
    if (counts.instructions() == 0) return {"the trace has no instructions, so there are no stacks to show"};
    if (counts.omitted() == 0) return {};
    return {std::to_string(counts.omitted()) + " instructions are in other stacks than the first " +
            std::to_string(StackCounts::most_stacks) + "; they count as [other stacks]"};
}

}  // namespace hwtrace

// formats/jsonl/lines_view.cpp - the view "lines": each line of the file with its number and offset.
#include "codec.hpp"
#include "codec/utf8.hpp"
#include "codec/value_text.hpp"
#include "io/error.hpp"
#include "lines.hpp"

namespace hwtrace::jsonl {

void render_lines(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    Lines lines(input, settings.limits, findings);
    if (!lines.first()) {
        if (const std::string_view end = lines.end_in_first(); !end.empty())
            fail(Failure::input, std::string(input.name()).append(": ").append(end));
        lines.report(Check::no_head);
        fail(Failure::input, input.name() + ": not a JSON Lines file");
    }
    do {
        out.decimal(lines.number());
        out.put(" @");
        out.decimal(lines.offset());
        out.put(' ');
        append_json(lines.text(), out);  // a checked line has no other control characters except tabs
        out.put('\n');
    } while (lines.next());
}

}  // namespace hwtrace::jsonl

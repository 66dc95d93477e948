// formats/jsonl/lines_view.cpp - the view "lines": each line of the file with its number and offset.
#include "codec.hpp"
#include "decoder.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::jsonl {

void render_lines(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    Decoder decoder(input, settings.limits, findings);
    const Lines& lines = decoder.lines();
    const auto show = [&] {
        out.decimal(lines.number());
        out.put(" @");
        out.decimal(lines.offset());
        out.put(' ');
        append_json(lines.text(), out);  // a checked line has no other control characters except tabs
        out.put('\n');
    };
    show();
    // Decoding reports lines that are valid JSON, but no valid declaration or record.
    Batch batch;
    bool is_pending = decoder.version().empty();
    while (is_pending || decoder.next()) {
        if (!is_pending) show();
        is_pending = false;
        decoder.decode(decoder.type(), batch);
        batch.clear();
    }
}

}  // namespace hwtrace::jsonl

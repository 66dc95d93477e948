#include <algorithm>

#include "codec.hpp"
#include "domain/value_text.hpp"
#include "scan.hpp"

namespace hwtrace::pccx {

namespace {

/// Appends a word. Quotes it if it would be ambiguous otherwise.
void append_word(std::string_view text, TextOutput& out) {
    const bool bare = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.' || c == ':' || c == '/';
    });
    if (bare)
        out.put(text);
    else
        append_quoted(text, out);
}

void append_header(const Scan& scan, TextOutput& out) {
    Schema facts;
    describe(scan.header(), facts);
    for (const Metadata& fact : facts.metadata()) {
        out.put("# ");
        append_name(fact.key, out);
        out.put(' ');
        append_word(fact.value, out);
        out.put('\n');
    }
}

void append_number(std::string_view before, std::uint64_t number, TextOutput& out) {
    out.put(before);
    out.decimal(number);
}

void append_json_event(const Scan& scan, const Event& event, JsonIntegers integers, TextOutput& out) {
    append_number("{\"core_id\":", event.core, out);
    out.put(",\"start_cycle\":");
    append_json_integer(event.start, integers, out);
    out.put(",\"duration\":");
    append_json_integer(event.duration, integers, out);
    out.put(",\"event_type\":");
    append_json_string(scan.types().name(event.type), out);
    out.put(",\"api_name\":");
    if (event.has_name)
        append_json_string(event.name, out);
    else
        out.put("null");
    out.put('}');
}

void append_json_header(const Scan& scan, TextOutput& out) {
    out.put("\"header\":");
    append_json(header_text(scan.header()), out);
}

}  // namespace

void render_events(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    Scan scan(input, settings, findings);
    append_header(scan, out);
    Event event;
    if (scan.layout() == Layout::opaque) {
        constexpr std::size_t row = 32;
        for (std::span<const std::byte> piece = scan.next_bytes(); !piece.empty(); piece = scan.next_bytes()) {
            for (std::size_t at = 0; at < piece.size(); ++at) {
                out.hex(std::to_integer<std::uint64_t>(piece[at]), 2);
                out.put(at % row == row - 1 || at + 1 == piece.size() ? '\n' : ' ');
            }
        }
        return;
    }
    out.put("# core start duration type name\n");
    while (scan.next(event)) {
        out.decimal(event.core);
        append_number(" ", event.start, out);
        append_number(" ", event.duration, out);
        out.put(' ');
        append_word(scan.types().name(event.type), out);
        if (event.has_name) {
            out.put(' ');
            append_word(event.name, out);
        }
        out.put('\n');
    }
}

void render_event_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    Scan scan(input, settings, findings);
    Event event;
    if (form == TextForm::csv) {
        out.put("core,start,duration,type,name\n");
        while (scan.next(event)) {
            out.decimal(event.core);
            append_number(",", event.start, out);
            append_number(",", event.duration, out);
            out.put(',');
            append_csv(scan.types().name(event.type), out);
            out.put(',');
            if (event.has_name) append_csv(event.name, out);
            out.put("\n");
        }
        return;
    }
    const bool lines = form == TextForm::jsonl;
    out.put('{');
    append_json_head("hwtrace-pccx-events/1", settings, out);
    out.put(lines ? "," : ",\n");
    append_json_header(scan, out);
    if (scan.layout() == Layout::opaque) {  // its events cannot be read
        out.put(",\"events\":null}\n");
        return scan.skip();
    }
    out.put(lines ? "}\n" : ",\n\"events\":[");
    for (bool first = true; scan.next(event); first = false) {
        if (!lines) out.put(first ? "\n" : ",\n");
        append_json_event(scan, event, settings.json_integers, out);
        if (lines) out.put('\n');
    }
    if (!lines) out.put("\n]}\n");
}

}  // namespace hwtrace::pccx

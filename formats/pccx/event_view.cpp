#include <algorithm>
#include <memory>
#include <optional>

#include "codec.hpp"
#include "codec/chosen_records.hpp"
#include "codec/rows.hpp"
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

using enum RowColumn::Text;
constexpr auto event_columns =
    columns_of(RowColumn{"core_id", bare, "core"}, RowColumn{"start_cycle", bare, "start"}, RowColumn{"duration", bare},
               RowColumn{"event_type", bare, "type"}, RowColumn{"api_name", bare, "name"});

/// Returns the events of the slice in Settings::part, or nullopt for all events. The reader delivers a record per
/// event.
std::optional<ChosenRecords> chosen_events(Input& input, const Settings& settings) {
    if (!settings.part) return std::nullopt;
    input.spool(settings.temporary_folder);
    Findings reported_later(0);
    const std::unique_ptr<Reader> whole = open_reader(input, settings, reported_later);
    ChosenRecords chosen(*whole, settings);
    input.seek(0);
    return chosen;
}

/// Writes each event as a row. `chosen`: the events to write; nullopt: all.
void append_events(Scan& scan, const std::optional<ChosenRecords>& chosen, Rows<event_columns>& rows) {
    const bool is_text = rows.form() == TextForm::text;
    std::uint64_t next = 0;
    for (Event event; (!chosen || next < chosen->end()) && scan.next(event); ++next) {
        if (chosen && !chosen->has(next)) continue;
        rows.begin_row();
        rows.number("core_id", std::uint64_t{event.core});
        rows.number("start_cycle", event.start);
        rows.number("duration", event.duration);
        if (is_text) {
            append_word(scan.types().name(event.type), rows.cell("event_type"));
            if (event.has_name) append_word(event.name, rows.cell("api_name"));
        } else {
            rows.text("event_type", scan.types().name(event.type));
            if (event.has_name)
                rows.text("api_name", event.name);
            else if (rows.is_json())
                rows.cell("api_name").put("null");
        }
        rows.end_row();
    }
}

}  // namespace

void render_events(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    const std::optional<ChosenRecords> chosen = chosen_events(input, settings);
    Scan scan(input, settings, findings);
    append_header(scan, out);
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
    Rows<event_columns> rows(TextForm::text, settings, out);
    append_events(scan, chosen, rows);
}

void render_event_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    const std::optional<ChosenRecords> chosen = chosen_events(input, settings);
    Scan scan(input, settings, findings);
    Rows<event_columns> rows(form, settings, out);
    rows.begin("hwtrace-pccx-events/1", settings);
    if (rows.is_json()) {
        out.put(form == TextForm::jsonl ? ",\"header\":" : ",\n\"header\":");
        append_json(header_text(scan.header()), out);
        if (scan.layout() == Layout::opaque) {  // its events cannot be read
            out.put(",\"events\":null}\n");
            return scan.skip();
        }
    }
    rows.begin_rows(",\n\"events\":[");
    append_events(scan, chosen, rows);
    rows.end();
}

}  // namespace hwtrace::pccx

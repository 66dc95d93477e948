// formats/flux/entry_view.cpp - the view "entries": one line or object per entry, with its offset.
#include <algorithm>
#include <array>

#include "codec.hpp"
#include "codec/rows.hpp"
#include "domain/value_text.hpp"
#include "entries.hpp"
#include "items.hpp"
#include "shown_part.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::size_t most_shown = 64;  ///< maximum number of value bytes in a line

constexpr auto entry_columns =
    columns_of("block", RowColumn{"offset", RowColumn::Text::bare}, RowColumn{"entry", RowColumn::Text::bare}, "trace",
               "item", "last", "parent", "name", "description", "type", "descriptor", "from", "to", "domain", "start",
               "position", "rate", "of", "label", "value", "member", "in", "modifiers", "target", "style", "distance",
               "x", "y", "control", "message", "members", "magic", "version", "mode", "greatest_item", "longest_entry",
               "mark", "delta", "kind", "size", "bytes", "tags", "scale");

/// Writes each entry as a row.
class EntryRows {
public:
    EntryRows(TextForm form, const Settings& settings, TextOutput& out) : rows_(form, settings, out, CellOrder::any) {
        rows_.begin("hwtrace-flux-entries/1", settings);
        rows_.begin_rows(",\"items\":[");
    }

    void put(const Place& place, const Entry& entry) {
        begin(place, entry);
        switch (entry.tag) {
            case Tag::sample:
                sample(entry);
                break;
            case Tag::head:
                head(entry);
                break;
            case Tag::switch_trace:
                rows_.number("trace", entry.item);
                break;
            case Tag::scope:
            case Tag::signal:
            case Tag::signals:
            case Tag::reference:
            case Tag::scattered:
            case Tag::scattered_reference:
                definition(entry);
                break;
            case Tag::open:
                rows_.number("item", entry.item);
                text("domain", entry.name);
                rows_.number("start", entry.position);
                rows_.number("rate", entry.rate);
                break;
            case Tag::close:
            case Tag::current:
                rows_.number("item", entry.item);
                rows_.number("position", entry.position);
                break;
            case Tag::domain:
                text("domain", entry.name);
                break;
            case Tag::enumeration:
                rows_.number("item", entry.item);
                rows_.number("of", entry.domain);
                text("label", entry.name);
                rows_.number("value", entry.number);
                break;
            case Tag::member:
                member(entry);
                break;
            case Tag::relation:
                rows_.number("item", entry.item);
                rows_.number("type", std::uint64_t{entry.type});
                rows_.number("target", entry.target);
                rows_.number("style", entry.style);
                rows_.number("distance", entry.position);
                rows_.number("domain", entry.domain);
                break;
            case Tag::label:
                rows_.number("item", entry.item);
                rows_.number("style", entry.style);
                rows_.number("x", entry.position);
                rows_.number("y", entry.y);
                break;
            case Tag::request:
            case Tag::result:
                rows_.number("control", entry.item);
                rows_.number("message", entry.number);
                rows_.number("members", entry.members);
                bytes(entry.bytes);
                break;
            case Tag::packed:
            case Tag::section:
                break;
        }
        rows_.end_row();
    }
    void end() { rows_.end(); }

private:
    using At = Rows<entry_columns>::At;

    bool is_text() const noexcept { return rows_.form() == TextForm::text; }

    void begin(const Place& place, const Entry& entry) {
        rows_.begin_row();
        if (is_text()) {
            TextOutput& out = rows_.cell("offset");
            if (place.is_packed) {
                out.decimal(place.block);
                out.put(':');
            }
            out.decimal(place.offset);
        } else {
            if (place.is_packed) rows_.number("block", place.block);
            rows_.number("offset", place.offset);
        }
        rows_.text("entry", name_of(entry.tag));
    }
    void text(At at, std::string_view value) {
        if (!value.empty()) rows_.text(at, value);
    }
    void bytes(std::span<const std::byte> value) {
        if (value.empty()) return;
        TextOutput& out = rows_.cell("bytes");
        if (rows_.is_json()) out.put('"');
        append_hex_bytes(is_text() ? value.first(std::min(value.size(), most_shown)) : value, out);
        if (rows_.is_json()) out.put('"');
        if (is_text() && value.size() > most_shown) out.put("...");
    }
    void sample(const Entry& entry) {
        rows_.number("item", entry.item);
        if (entry.mark != 0) rows_.number("mark", std::uint64_t{entry.mark});
        if (entry.delta != 0) rows_.number("delta", entry.delta);
        rows_.number("kind", std::uint64_t{entry.nibble});
        rows_.number("size", std::uint64_t{entry.bytes.size()});
        bytes(entry.bytes);
    }
    void shown_as(const Entry& entry) {
        text("tags", entry.tags);
        if (entry.scale != no_scale) rows_.number("scale", entry.scale);
        text("descriptor", entry.descriptor);
    }
    void head(const Entry& entry) {
        rows_.number("trace", entry.item);
        text("magic", entry.magic);
        rows_.number("version", std::uint64_t{entry.version});
        text("name", entry.name);
        text("description", entry.description);
        rows_.number("mode", std::uint64_t{entry.type});
        rows_.number("greatest_item", entry.last);
        rows_.number("longest_entry", entry.number);
    }
    void member(const Entry& entry) {
        rows_.number("item", entry.item);
        rows_.number("member", entry.number);
        if (entry.parent != 0) rows_.number("in", entry.parent - 1);
        text("label", entry.name);
        text("description", entry.description);
        text("type", name_of(static_cast<MemberType>(entry.type & member_type_mask)));
        if ((entry.type & ~unsigned{member_type_mask}) != 0) rows_.number("modifiers", std::uint64_t{entry.type} >> 4);
        shown_as(entry);
    }
    void definition(const Entry& entry) {
        rows_.number("item", entry.item);
        if (entry.tag == Tag::signals) rows_.number("last", entry.last);
        rows_.number("parent", entry.parent);
        text("name", entry.name);
        text("description", entry.description);
        if (entry.tag != Tag::reference && entry.tag != Tag::scattered_reference && entry.tag != Tag::scope)
            text("type", name_of(static_cast<SignalType>(entry.type & signal_type_mask)));
        shown_as(entry);
        if (entry.tag == Tag::scattered || entry.tag == Tag::scattered_reference) {
            rows_.number("from", entry.from);
            rows_.number("to", entry.to);
        }
    }

    Rows<entry_columns> rows_;
};

void append_entries(Input& input, const Settings& settings, Findings& findings, EntryRows& rows) {
    if (settings.part) {
        show_part(input, settings, findings, [&](const Place& place, const Entry& entry) { rows.put(place, entry); });
        return;
    }
    if (input.seekable()) input.seek(0);
    Entries entries(input, settings, findings);
    Entry entry;
    bool any = false;
    while (entries.next(entry)) {
        any = true;
        rows.put({entries.depth() != 0, entries.block_offset(), entries.offset()}, entry);
    }
    if (!any && findings.effect() == Effect::harmless) entries.report(Check::not_flux, "a HEAD", "none");
}

}  // namespace

void render_entries_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    EntryRows rows(form, settings, out);
    append_entries(input, settings, findings, rows);
    rows.end();
}

void render_entries(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    render_entries_data(input, TextForm::text, out, settings, findings);
}

}  // namespace hwtrace::flux

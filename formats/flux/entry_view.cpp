// formats/flux/entry_view.cpp - the view "entries": one line or object per entry, with its offset.
#include <algorithm>
#include <array>

#include "codec.hpp"
#include "data_rows.hpp"
#include "domain/value_text.hpp"
#include "entries.hpp"
#include "items.hpp"
#include "model/hash.hpp"
#include "shown_part.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::size_t most_shown = 64;  ///< maximum number of value bytes in a line

/// Writes an entry as a line of text: " name=value" for each member.
class EntryLine {
public:
    explicit EntryLine(TextOutput& out) : out_(out) {}

    void begin(const Place& place, const Entry& entry) {
        if (place.is_packed) {
            out_.decimal(place.block);
            out_.put(':');
        }
        out_.decimal(place.offset);
        out_.put(' ');
        out_.put(name_of(entry.tag));
    }
    void number(std::string_view of, std::uint64_t value) {
        name(of);
        out_.decimal(value);
    }
    void number(std::string_view of, std::int64_t value) {
        name(of);
        out_.decimal_signed(value);
    }
    void text(std::string_view of, std::string_view value) {
        name(of);
        append_name(value, out_);
    }
    void bytes(std::string_view of, std::span<const std::byte> value) {
        name(of);
        append_hex_bytes(value.first(std::min(value.size(), most_shown)), out_);
        if (value.size() > most_shown) out_.put("...");
    }
    void end() { out_.put('\n'); }

private:
    void name(std::string_view name) {
        out_.put(' ');
        out_.put(name);
        out_.put('=');
    }

    TextOutput& out_;
};

constexpr std::array<std::string_view, 43> columns{
    "block", "offset",     "entry",   "trace",   "item",      "last",    "parent",   "name",          "description",
    "type",  "descriptor", "from",    "to",      "domain",    "start",   "position", "rate",          "of",
    "label", "value",      "member",  "in",      "modifiers", "target",  "style",    "distance",      "x",
    "y",     "control",    "message", "members", "magic",     "version", "mode",     "greatest_item", "longest_entry",
    "mark",  "delta",      "kind",    "size",    "bytes",     "tags",    "scale"};

/// Writes an entry as a JSON object or CSV row.
class EntryObject {
public:
    EntryObject(TextForm form, const Settings& settings, TextOutput& out)
        : rows_("hwtrace-flux-entries/1", columns, form, settings, out), digits_(-1) {}

    void begin(const Place& place, const Entry& entry) {
        rows_.begin();
        if (place.is_packed) rows_.number("block", place.block);
        rows_.number("offset", place.offset);
        rows_.text("entry", name_of(entry.tag));
    }
    void number(std::string_view of, std::uint64_t value) { rows_.number(of, value); }
    void number(std::string_view of, std::int64_t value) { rows_.number(of, value); }
    void text(std::string_view of, std::string_view value) { rows_.text(of, value); }
    void bytes(std::string_view of, std::span<const std::byte> value) {
        digits_.clear();
        append_hex_bytes(value, digits_);
        rows_.text(of, digits_.text());
    }
    void end() { rows_.end(); }
    void finish() { rows_.finish(); }

private:
    DataRows rows_;
    TextOutput digits_;
};

/// Passes the members of an entry to an EntryLine or EntryObject.
template <typename Out>
class EntryWords {
public:
    explicit EntryWords(Out& out) : out_(out) {}

    void put(const Place& place, const Entry& entry) {
        out_.begin(place, entry);
        switch (entry.tag) {
            case Tag::sample:
                sample(entry);
                break;
            case Tag::head:
                out_.number("trace", entry.item);
                text("magic", entry.magic);
                out_.number("version", std::uint64_t{entry.version});
                text("name", entry.name);
                text("description", entry.description);
                out_.number("mode", std::uint64_t{entry.type});
                out_.number("greatest_item", entry.last);
                out_.number("longest_entry", entry.number);
                break;
            case Tag::switch_trace:
                out_.number("trace", entry.item);
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
                out_.number("item", entry.item);
                text("domain", entry.name);
                out_.number("start", entry.position);
                out_.number("rate", entry.rate);
                break;
            case Tag::close:
            case Tag::current:
                out_.number("item", entry.item);
                out_.number("position", entry.position);
                break;
            case Tag::domain:
                text("domain", entry.name);
                break;
            case Tag::enumeration:
                out_.number("item", entry.item);
                out_.number("of", entry.domain);
                text("label", entry.name);
                out_.number("value", entry.number);
                break;
            case Tag::member:
                out_.number("item", entry.item);
                out_.number("member", entry.number);
                if (entry.parent != 0) out_.number("in", entry.parent - 1);
                text("label", entry.name);
                text("description", entry.description);
                text("type", name_of(static_cast<MemberType>(entry.type & member_type_mask)));
                if ((entry.type & ~unsigned{member_type_mask}) != 0)
                    out_.number("modifiers", std::uint64_t{entry.type} >> 4);
                shown_as(entry);
                break;
            case Tag::relation:
                out_.number("item", entry.item);
                out_.number("type", std::uint64_t{entry.type});
                out_.number("target", entry.target);
                out_.number("style", entry.style);
                out_.number("distance", entry.position);
                out_.number("domain", entry.domain);
                break;
            case Tag::label:
                out_.number("item", entry.item);
                out_.number("style", entry.style);
                out_.number("x", entry.position);
                out_.number("y", entry.y);
                break;
            case Tag::request:
            case Tag::result:
                out_.number("control", entry.item);
                out_.number("message", entry.number);
                out_.number("members", entry.members);
                bytes(entry.bytes);
                break;
            case Tag::packed:
            case Tag::section:
                break;
        }
        out_.end();
    }

private:
    void text(std::string_view of, std::string_view value) {
        if (!value.empty()) out_.text(of, value);
    }
    void bytes(std::span<const std::byte> value) {
        if (!value.empty()) out_.bytes("bytes", value);
    }
    void sample(const Entry& entry) {
        out_.number("item", entry.item);
        if (entry.mark != 0) out_.number("mark", std::uint64_t{entry.mark});
        if (entry.delta != 0) out_.number("delta", entry.delta);
        out_.number("kind", std::uint64_t{entry.nibble});
        out_.number("size", std::uint64_t{entry.bytes.size()});
        bytes(entry.bytes);
    }
    void shown_as(const Entry& entry) {
        text("tags", entry.tags);
        if (entry.scale != no_scale) out_.number("scale", entry.scale);
        text("descriptor", entry.descriptor);
    }
    void definition(const Entry& entry) {
        out_.number("item", entry.item);
        if (entry.tag == Tag::signals) out_.number("last", entry.last);
        out_.number("parent", entry.parent);
        text("name", entry.name);
        text("description", entry.description);
        if (entry.tag != Tag::reference && entry.tag != Tag::scattered_reference && entry.tag != Tag::scope)
            text("type", name_of(static_cast<SignalType>(entry.type & signal_type_mask)));
        shown_as(entry);
        if (entry.tag == Tag::scattered || entry.tag == Tag::scattered_reference) {
            out_.number("from", entry.from);
            out_.number("to", entry.to);
        }
    }

    Out& out_;
};

template <typename Out>
void append_entries(Input& input, const Settings& settings, Findings& findings, Out& out) {
    EntryWords words(out);
    if (settings.part) {
        show_part(input, settings, findings, [&](const Place& place, const Entry& entry) { words.put(place, entry); });
        return;
    }
    if (input.seekable()) input.seek(0);
    Entries entries(input, settings, findings);
    Entry entry;
    bool any = false;
    while (entries.next(entry)) {
        any = true;
        words.put({entries.depth() != 0, entries.block_offset(), entries.offset()}, entry);
    }
    if (!any && findings.effect() == Effect::harmless) entries.report(Check::not_flux, "a HEAD", "none");
}

}  // namespace

void render_entries(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    EntryLine line(out);
    append_entries(input, settings, findings, line);
}

void render_entries_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    EntryObject object(form, settings, out);
    append_entries(input, settings, findings, object);
    object.finish();
}

}  // namespace hwtrace::flux

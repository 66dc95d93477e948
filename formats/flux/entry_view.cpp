// The view "entries": one line an entry, with the place where it stands.
#include <algorithm>
#include <unordered_map>

#include "codec.hpp"
#include "codec/value_text.hpp"
#include "entries.hpp"
#include "items.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::size_t most_shown = 64;  ///< bytes of a value

class EntryLines {
public:
    explicit EntryLines(TextOutput& out) : out_(out) {}

    void put(const Entries& entries, const Entry& entry) {
        if (entries.depth() != 0) {
            out_.decimal(entries.block_offset());
            out_.put(':');
        }
        out_.decimal(entries.offset());
        out_.put(' ');
        out_.put(name_of(entry.tag));
        switch (entry.tag) {
            case Tag::sample:
                sample(entry);
                break;
            case Tag::head:
                number("trace", entry.item);
                text("magic", entry.magic);
                number("version", entry.version);
                text("name", entry.name);
                text("description", entry.description);
                number("mode", entry.type);
                number("greatest_item", entry.last);
                number("longest_entry", entry.number);
                break;
            case Tag::switch_trace:
                number("trace", entry.item);
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
                number("item", entry.item);
                text("domain", entry.name);
                signed_number("start", entry.position);
                number("rate", entry.rate);
                break;
            case Tag::close:
            case Tag::current:
                number("item", entry.item);
                signed_number("position", entry.position);
                break;
            case Tag::domain:
                text("domain", entry.name);
                break;
            case Tag::enumeration:
                number("item", entry.item);
                number("of", entry.domain);
                text("label", entry.name);
                number("value", entry.number);
                break;
            case Tag::member:
                number("item", entry.item);
                number("member", entry.number);
                if (entry.parent != 0) number("in", entry.parent - 1);
                text("label", entry.name);
                text("type", name_of(static_cast<MemberType>(entry.type & member_type_mask)));
                if ((entry.type & ~unsigned{member_type_mask}) != 0) number("modifiers", entry.type >> 4);
                text("descriptor", entry.descriptor);
                break;
            case Tag::relation:
                number("item", entry.item);
                number("type", entry.type);
                number("target", entry.target);
                number("style", entry.style);
                signed_number("distance", entry.position);
                number("domain", entry.domain);
                break;
            case Tag::label:
                number("item", entry.item);
                number("style", entry.style);
                signed_number("x", entry.position);
                signed_number("y", entry.y);
                break;
            case Tag::request:
            case Tag::result:
                number("control", entry.item);
                number("message", entry.number);
                number("members", entry.members);
                bytes(entry.bytes);
                break;
            case Tag::packed:
            case Tag::section:
                break;
        }
        out_.put('\n');
    }

private:
    void name(std::string_view name) {
        out_.put(' ');
        out_.put(name);
        out_.put('=');
    }
    void number(std::string_view of, std::uint64_t value) {
        name(of);
        out_.decimal(value);
    }
    void signed_number(std::string_view of, std::int64_t value) {
        name(of);
        out_.decimal_signed(value);
    }
    void text(std::string_view of, std::string_view value) {
        if (value.empty()) return;
        name(of);
        put_name(value, out_);
    }
    void bytes(std::span<const std::byte> value) {
        if (value.empty()) return;
        name("bytes");
        put_hex_bytes(value.first(std::min(value.size(), most_shown)), out_);
        if (value.size() > most_shown) out_.put("...");
    }
    void sample(const Entry& entry) {
        number("item", entry.item);
        if (entry.mark != 0) number("mark", entry.mark);
        if (entry.delta != 0) number("delta", entry.delta);
        number("kind", entry.nibble);
        number("size", entry.bytes.size());
        bytes(entry.bytes);
    }
    void definition(const Entry& entry) {
        number("item", entry.item);
        if (entry.tag == Tag::signals) number("last", entry.last);
        number("parent", entry.parent);
        text("name", entry.name);
        text("description", entry.description);
        if (entry.tag != Tag::reference && entry.tag != Tag::scattered_reference && entry.tag != Tag::scope)
            text("type", name_of(static_cast<SignalType>(entry.type & signal_type_mask)));
        text("descriptor", entry.descriptor);
        if (entry.tag == Tag::scattered || entry.tag == Tag::scattered_reference) {
            number("from", entry.from);
            number("to", entry.to);
        }
    }

    TextOutput& out_;
};

}  // namespace

void render_entries(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    if (input.seekable()) input.seek(0);
    Entries entries(input, settings, findings);
    EntryLines lines(out);
    Entry entry;
    std::unordered_map<std::uint64_t, std::uint8_t> versions;
    bool any = false;
    while (entries.next(entry)) {
        any = true;
        if (entry.tag == Tag::head) versions[entry.item] = entry.version;
        if (entry.tag == Tag::head || entry.tag == Tag::switch_trace) entries.set_version(versions[entry.item]);
        lines.put(entries, entry);
    }
    if (!any && findings.effect() == Effect::harmless) entries.report(Check::not_flux, "a HEAD", "no entry");
}

}  // namespace hwtrace::flux

#include "entry.hpp"

#include <algorithm>

#include "domain/value_text.hpp"
#include "io/hex_digits.hpp"
#include "io/zigzag.hpp"

namespace hwtrace::flux {

namespace {

std::string_view value_text(Cursor& cursor) {
    const std::uint64_t size = cursor.leb128();
    return as_text(cursor.take(static_cast<std::size_t>(size)));
}

/// Reads the fields of entries. Throws Truncated if a field is incomplete, Fault if it is invalid.
class Fields {
public:
    struct Fault {
        std::uint64_t offset;
        std::string expected, found;
    };

    explicit Fields(Cursor& cursor) noexcept : cursor_(cursor) {}

    std::uint64_t number() { return cursor_.leb128(); }
    /// Reads a signed number in zigzag encoding: 0, -1, 1, -2.
    std::int64_t zigzag() { return unzigzag(number()); }
    std::uint8_t byte() { return cursor_.le<std::uint8_t>(); }
    std::string_view text() { return value_text(cursor_); }
    std::span<const std::byte> bytes(std::uint64_t count) { return cursor_.take(static_cast<std::size_t>(count)); }

    std::int64_t position() {
        const std::uint64_t at = cursor_.offset();
        const std::span<const std::byte> stored = bytes(number());
        if (const auto value = signed_value(stored)) return *value;
        throw Fault{at, "a position of 64 bits", counted(stored.size(), "byte")};
    }
    std::uint64_t rate() {
        const std::uint64_t at = cursor_.offset();
        const std::span<const std::byte> stored = bytes(number());
        if (const auto value = unsigned_value(stored)) return *value;
        throw Fault{at, "a rate of 64 bits", counted(stored.size(), "byte")};
    }

private:
    Cursor& cursor_;
};

void parse_item(Fields& fields, Layout layout, Entry& entry) {
    entry.item = fields.number();
    if (entry.tag == Tag::signals) entry.last = fields.number();
    entry.parent = fields.number();
    entry.name = fields.text();
    entry.description = fields.text();
    if (layout == Layout::impulse_3) entry.tags = fields.text();
    if (entry.tag == Tag::signal || entry.tag == Tag::signals || entry.tag == Tag::scattered) {
        entry.type = signal_type_from(layout, fields.byte());
        if (layout == Layout::impulse_3) entry.scale = fields.zigzag();
        entry.descriptor = fields.text();
    }
    if (entry.tag == Tag::scattered || entry.tag == Tag::scattered_reference) {
        entry.from = fields.number();
        entry.to = fields.number();
    }
}

void parse_member_definition(Fields& fields, Layout layout, Entry& entry) {
    entry.item = fields.number();
    entry.number = fields.number();
    if (layout != Layout::emitters_4) entry.parent = fields.number();
    entry.name = fields.text();
    if (layout == Layout::impulse_3) {
        entry.description = fields.text();
        entry.tags = fields.text();
        entry.unknown = fields.byte();
    }
    entry.type = member_type_from(layout, fields.byte());
    if (layout == Layout::impulse_3) entry.scale = fields.zigzag();
    entry.descriptor = fields.text();
}

void parse_head(Fields& fields, Entry& entry) {
    entry.magic = as_text(fields.bytes(magic.size()));
    entry.version = fields.byte();
    entry.item = fields.number();
    entry.name = fields.text();
    entry.description = fields.text();
    entry.type = fields.byte();
    entry.last = fields.number();
    entry.number = fields.number();
}

void parse_relation(Fields& fields, Layout layout, Entry& entry) {
    const bool is_old = layout == Layout::emitters_4;
    entry.item = fields.number();
    if (!is_old) entry.type = fields.byte();
    entry.target = fields.number();
    entry.style = fields.number();
    entry.position = fields.position();
    if (!is_old) entry.domain = fields.number();
}

/// Parses a request or a result.
void parse_message(Cursor& cursor, Layout layout, Entry& entry) {
    entry.item = cursor.leb128();
    entry.number = cursor.leb128();
    entry.members = cursor.leb128();
    const std::span<const std::byte> rest = cursor.rest();
    Member member;
    EntryFault fault;
    for (std::uint64_t i = 0; i < entry.members; ++i)
        if (!parse_member(cursor, layout, member, fault))
            throw Fields::Fault{fault.offset, fault.expected, fault.found};
    entry.bytes = rest.first(rest.size() - cursor.left());
}

/// Parses the fields after the tag. Returns false if the tag is unknown.
bool parse_body(Cursor& cursor, Layout layout, Entry& entry) {
    Fields fields(cursor);
    switch (entry.tag) {
        case Tag::head:
            parse_head(fields, entry);
            return true;
        case Tag::switch_trace:
            entry.item = fields.number();
            return true;
        case Tag::packed:
            entry.type = fields.byte();
            entry.from = fields.number();
            entry.to = fields.number();
            entry.bytes = fields.bytes(entry.to);
            return true;
        case Tag::scope:
        case Tag::signal:
        case Tag::signals:
        case Tag::reference:
        case Tag::scattered:
        case Tag::scattered_reference:
            parse_item(fields, layout, entry);
            return true;
        case Tag::open:
            entry.item = fields.number();
            entry.name = fields.text();
            entry.position = fields.position();
            entry.rate = fields.rate();
            return true;
        case Tag::close:
        case Tag::current:
            entry.item = fields.number();
            entry.position = fields.position();
            return true;
        case Tag::domain:
            entry.name = fields.text();
            return true;
        case Tag::enumeration:
            entry.item = fields.number();
            entry.domain = fields.number();
            entry.name = fields.text();
            entry.number = fields.number();
            return true;
        case Tag::member:
            parse_member_definition(fields, layout, entry);
            return true;
        case Tag::relation:
            parse_relation(fields, layout, entry);
            return true;
        case Tag::label:
            entry.item = fields.number();
            entry.style = fields.number();
            entry.position = fields.position();
            entry.y = fields.position();
            return true;
        case Tag::request:
        case Tag::result:
            parse_message(cursor, layout, entry);
            return true;
        case Tag::sample:
        case Tag::section:
            break;
    }
    return false;
}

void parse_sample(Cursor& cursor, Entry& entry) {
    entry.tag = Tag::sample;
    const std::uint64_t front = cursor.leb128();
    entry.item = front >> item_shift;
    entry.flags = static_cast<std::uint8_t>(front & 7u);
    entry.mark = static_cast<std::uint8_t>(front & flag_marked);
    if ((front & flag_tag) != 0) entry.mark = cursor.le<std::uint8_t>();
    entry.delta = (front & flag_delta) != 0 ? cursor.leb128() : 0;
    const std::uint64_t header = cursor.leb128();
    entry.nibble = static_cast<std::uint8_t>(header & nibble_mask);
    entry.bytes = cursor.take(static_cast<std::size_t>(header >> size_shift));
}

}  // namespace

bool parse_entry(Cursor& cursor, Layout layout, Entry& entry, EntryFault& fault) {
    const Cursor start = cursor;
    const std::uint64_t at = cursor.offset();
    try {
        if (cursor.rest().front() != std::byte{0}) [[likely]] {
            parse_sample(cursor, entry);
            if (entry.item != 0) return true;
            fault = {at, "an item id of at least 1", "a sample of item 0"};
        } else {
            cursor.skip(1);
            entry = {};
            entry.tag = static_cast<Tag>(cursor.le<std::uint8_t>());
            if (parse_body(cursor, layout, entry)) {
                entry.whole = start.rest().first(start.left() - cursor.left());
                return true;
            }
            fault = {at, "a known tag", "tag "};
            append_hex_digits(start.rest().subspan(1, 1), fault.found);
        }
    } catch (const Fields::Fault& wrong) {
        fault = {wrong.offset, wrong.expected, wrong.found};
    } catch (const Truncated&) {
        cursor = start;
        throw;
    } catch (const Error& error) {  // a number of more than 64 bits
        fault = {at, "numbers of at most 64 bits", error.what()};
    }
    cursor = start;
    return false;
}

bool parse_member(Cursor& cursor, Layout layout, Member& member, EntryFault& fault) {
    const std::uint64_t at = cursor.offset();
    member.number = cursor.leb128();
    member.type = member_type_from(layout, cursor.le<std::uint8_t>());
    const auto type = static_cast<MemberType>(member.type & member_type_mask);
    // The C emitters write neither size nor value for these types, so the following bytes cannot be parsed.
    if (type == MemberType::unknown || type == MemberType::logic || type > MemberType::text_array) {
        fault = {at, "a member with a value",
                 "member " + std::to_string(member.number) + " of type " + std::to_string(static_cast<unsigned>(type))};
        return false;
    }
    member.bytes = cursor.take(static_cast<std::size_t>(cursor.leb128()));
    return true;
}

std::optional<std::uint64_t> unsigned_value(std::span<const std::byte> bytes) noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto byte = std::to_integer<std::uint64_t>(bytes[i]);
        if (i < sizeof value)
            value |= byte << (8 * i);
        else if (byte != 0)
            return std::nullopt;
    }
    return value;
}

std::optional<std::int64_t> signed_value(std::span<const std::byte> bytes) noexcept {
    if (bytes.empty()) return 0;
    const bool negative = (std::to_integer<unsigned>(bytes.back()) & 0x80u) != 0;
    std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
    const std::byte fill = negative ? std::byte{0xFF} : std::byte{0};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i < sizeof value) {
            value &= ~(std::uint64_t{0xFF} << (8 * i));
            value |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
        } else if (bytes[i] != fill) {
            return std::nullopt;
        }
    }
    // If a number is longer than 64 bits, its sign must equal the sign of the low 64 bits.
    if (bytes.size() > sizeof value && (value >> 63 != 0) != negative) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

std::string_view name_of(Tag tag) noexcept {
    switch (tag) {
        case Tag::sample:
            return "sample";
        case Tag::head:
            return "HEAD";
        case Tag::switch_trace:
            return "SWTH";
        case Tag::packed:
            return "PBLK";
        case Tag::section:
            return "SECT";
        case Tag::scope:
            return "SCPD";
        case Tag::signal:
            return "SIGD";
        case Tag::signals:
            return "MSGD";
        case Tag::reference:
            return "SIRD";
        case Tag::scattered:
            return "SSGD";
        case Tag::scattered_reference:
            return "SSRD";
        case Tag::open:
            return "OPEN";
        case Tag::close:
            return "CLOS";
        case Tag::domain:
            return "DOMD";
        case Tag::current:
            return "CURR";
        case Tag::enumeration:
            return "ENMD";
        case Tag::member:
            return "MEMD";
        case Tag::relation:
            return "ATRE";
        case Tag::label:
            return "ATLA";
        case Tag::request:
            return "CREQ";
        case Tag::result:
            return "CRES";
    }
    return "";
}

}  // namespace hwtrace::flux

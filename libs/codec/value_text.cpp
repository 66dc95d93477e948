#include "codec/value_text.hpp"

#include <bit>

#include "codec/utf8.hpp"
#include "model/conventions.hpp"

namespace hwtrace {

void put_quoted(std::string_view text, TextOutput& out) {
    out.put('"');
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"' || c == '\\') {
            out.put('\\');
            out.put(c);
        } else if (c == '\n') {
            out.put("\\n");
        } else if (c == '\t') {
            out.put("\\t");
        } else if (c >= ' ' && c <= '~') {
            out.put(c);
        } else if (const std::size_t length = utf8_length(text, at); length > 1) {
            out.put(text.substr(at, length));
            at += length - 1;
        } else {
            out.put("\\x");
            out.hex(static_cast<unsigned char>(c), 2);
        }
    }
    out.put('"');
}

void put_json_string(std::string_view text, TextOutput& out) {
    constexpr std::string_view escaped = "\"\\\b\f\n\r\t";
    constexpr std::string_view letters = "\"\\bfnrt";
    out.put('"');
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (const std::size_t escape = escaped.find(c); escape != std::string_view::npos) {
            out.put('\\');
            out.put(letters[escape]);
        } else if (static_cast<unsigned char>(c) < ' ') {
            out.put("\\u");
            out.hex(static_cast<unsigned char>(c), 4);
        } else if (const std::size_t length = utf8_length(text, at); length != 0) {
            out.put(text.substr(at, length));
            at += length - 1;
        } else {
            out.put("\xEF\xBF\xBD");
        }
    }
    out.put('"');
}

void put_csv(std::string_view text, TextOutput& out) {
    if (!text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos) {
        out.put(text);
        return;
    }
    out.put('"');
    for (const char c : text) {
        if (c == '"') out.put('"');
        out.put(c);
    }
    out.put('"');
}

void put_hex(std::uint64_t value, TextOutput& out) {
    out.put("0x");
    out.hex(value, value == 0 ? 1 : static_cast<unsigned>(std::bit_width(value) + 3) / 4);
}

void put_value(const Schema& schema, const Field& field, std::uint64_t cell, TextOutput& out) {
    switch (field.type) {
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
            out.decimal_signed(static_cast<std::int64_t>(cell));
            return;
        case Type::text:
            put_quoted(schema.text(static_cast<StringId>(cell)), out);
            return;
        case Type::enumeration:
            if (field.enumeration < schema.enums().size()) {
                if (const std::string* label = schema.enums()[field.enumeration].label(cell)) {
                    out.put(*label);
                    return;
                }
            }
            out.decimal(cell);
            return;
        case Type::f32:
        case Type::f64:
        case Type::bits:
        case Type::logic:
        case Type::fixed:
        case Type::pointer:
            put_hex(cell, out);
            return;
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
        case Type::boolean:
        case Type::time:
        case Type::blob:
            if (conventions::is_hexadecimal(field.name))
                put_hex(cell, out);
            else
                out.decimal(cell);
            return;
    }
}

}  // namespace hwtrace

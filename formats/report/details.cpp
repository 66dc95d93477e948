#include "details.hpp"

#include "domain/utf8.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::report {
namespace {

constexpr std::size_t most_value = 200, most_lines = 2000;

/// Appends "... 7 more".
void append_rest(std::size_t count, std::string& lines) {
    lines.append("\xE2\x80\xA6 ").append(std::to_string(count)).append(" more\n");
}

/// Removes the line feed at the end.
void end_lines(std::string& lines) {
    if (!lines.empty() && lines.back() == '\n') lines.pop_back();
}

}  // namespace

std::string short_text(std::string_view text, std::size_t most) {
    if (text.size() <= most) return as_utf8(text);
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    return as_utf8(text.substr(0, end)).append("\xE2\x80\xA6 (").append(std::to_string(text.size())).append(" bytes)");
}

void append_cell(const Schema& schema, const Field& field, std::uint64_t cell, std::string& text) {
    if (holds_text(field.type) && field.type != Type::blob) {
        text += short_text(schema.text(static_cast<StringId>(cell)), most_value);
    } else if (const std::string* label = schema.label(field.enumeration, cell);
               field.type == Type::enumeration && label != nullptr) {
        text += short_text(*label, most_value);
    } else {
        TextOutput out(-1, 64);
        append_value(schema, field, cell, out);
        text += short_text(out.text(), most_value);
    }
}

void append_line(std::string_view name, std::string_view value, std::string& lines) {
    if (!lines.empty() && lines.back() != '\n') lines += '\n';
    lines.append(short_text(name, most_value)).append(": ").append(short_text(value, most_value));
}

void append_line(std::string_view name, std::uint64_t value, std::string& lines) {
    append_line(name, std::string_view(std::to_string(value)), lines);
}

void append_attributes(const Schema& schema, const Track& track, std::span<const Attribute> attributes,
                       std::string& lines) {
    if (!lines.empty()) lines += '\n';
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        if (lines.size() > most_lines) {
            append_rest(attributes.size() - i, lines);
            break;
        }
        const Field& field = track.fields[attributes[i].field];
        lines.append(short_text(field.name, most_value)).append(": ");
        append_cell(schema, field, attributes[i].value, lines);
        lines += '\n';
    }
    end_lines(lines);
}

void append_cells(const Schema& schema, const Track& track, std::span<const std::uint64_t> cells, std::string& lines) {
    const std::size_t fixed = track.fixed_fields(), repeated = track.fields.size() - fixed;
    if (!lines.empty()) lines += '\n';
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i >= fixed && repeated == 0) break;
        if (lines.size() > most_lines) {
            append_rest(cells.size() - i, lines);
            break;
        }
        const Field& field = track.fields[i < fixed ? i : fixed + (i - fixed) % repeated];
        lines.append(short_text(field.name, most_value)).append(": ");
        append_cell(schema, field, cells[i], lines);
        lines += '\n';
    }
    end_lines(lines);
}

}  // namespace hwtrace::report

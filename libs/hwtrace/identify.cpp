#include "hwtrace/identify.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "io/advised_error.hpp"
#include "io/hex_digits.hpp"

namespace hwtrace {

namespace {

std::string because_of(const Format& content, const Format& name) {
    return std::string("is ")
        .append(content.name)
        .append(" by its content, ")
        .append(name.name)
        .append(" by its name; the content decides");
}

}  // namespace

const Format* identify(Input& input, FormatList formats, const NoteListener& note) {
    const Format* const by_content = sniff_format(formats, input);
    const Format* const by_name = format_by_extension(formats, input.name());
    if (by_content != nullptr) {
        if (note && by_name != nullptr && by_name != by_content) note(because_of(*by_content, *by_name));
        return by_content;
    }
    if (by_name == nullptr || !by_name->can_read() || input.head(1).empty()) return nullptr;
    if (note)
        note(std::string("its content matches no known format; read as ")
                 .append(by_name->name)
                 .append(" because of its name"));
    return by_name;
}

const Format& known_format(Input& input, FormatList formats, const NoteListener& note) {
    if (const Format* const format = identify(input, formats, note)) return *format;
    const std::string head = head_text(input);
    if (input.head(1).empty()) throw Error(Failure::input, input.name() + ": not a trace but " + head);
    std::string only_written = why_not_read(formats, input.name());
    if (!only_written.empty()) only_written += "; ";
    throw AdvisedError(
        Failure::input, input.name() + ": not a trace of a known format but " + head,
        only_written + "if it is a damaged trace, name its format with --from: " + format_names(readable(formats)));
}

std::string why_not_read(FormatList formats, std::string_view name) {
    const Format* const format = format_by_extension(formats, name);
    if (format == nullptr || format->can_read()) return {};
    return "hwtrace writes " + std::string(format->name) + ", but does not read it: give the trace that it was made of";
}

bool needs_spooling(const Input& input, const Format& format) noexcept {
    return !input.seekable() && !format.reads.streams;
}

std::string head_text(Input& input) {
    const auto head = input.head(8);
    if (head.empty()) return "an empty file";
    std::string text = "a file that begins with";
    for (std::size_t i = 0; i < head.size(); ++i) {
        text += ' ';
        append_hex_digits(head.subspan(i, 1), text);
    }
    return text;
}

std::string format_names(FormatList formats) {
    std::string names;
    for (const Format* const format : formats)
        names.append(names.empty() ? "" : ", ").append(format->name);
    return names;
}

std::vector<const Format*> readable(FormatList formats) {
    std::vector<const Format*> kept;
    std::ranges::copy_if(formats, std::back_inserter(kept), &Format::can_read);
    return kept;
}

std::vector<const Format*> writable(FormatList formats) {
    std::vector<const Format*> kept;
    std::ranges::copy_if(formats, std::back_inserter(kept), &Format::can_write);
    return kept;
}

}  // namespace hwtrace

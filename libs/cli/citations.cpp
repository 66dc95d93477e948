#include "cli/citations.hpp"

#include <fmt/format.h>

#include "formats.hpp"

namespace hwtrace::cli {

namespace {

/// Returns false for a format that a plug-in adds. Its page and its rules are not on our pages.
bool is_ours(const Format& format) {
    return find_format(targets(), format.name) != nullptr;
}

/// Returns the format that has the rule; nullptr for general_rules().
const Format* owner_of(FormatList formats, const Rule& rule) {
    for (const Format* const format : formats)
        for (const Rule& known : format->rules)
            if (known.id == rule.id) return format;
    return nullptr;
}

}  // namespace

std::string anchor_of(std::string_view heading) {
    std::string anchor;
    for (const char character : heading) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte >= 'A' && byte <= 'Z')
            anchor += static_cast<char>(byte - 'A' + 'a');
        else if (byte == ' ')
            anchor += '-';
        else if ((byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '-' || byte == '_' ||
                 byte > 127)
            anchor += character;
    }
    return anchor;
}

std::string rule_anchor(FormatList formats, const Rule& rule) {
    const Format* const owner = owner_of(formats, rule);
    if (owner != nullptr && !is_ours(*owner)) return {};
    return fmt::format("formats/RULES.md#{}", anchor_of(rule.id));
}

std::string citation_of(const Format& format, const Rule& rule) {
    std::string citation = is_ours(format)
                               ? fmt::format("formats/{}/README.md#{}", format.name, anchor_of(rule.section))
                               : fmt::format("{}: {}", format.name, rule.section);
    if (!rule.text.empty()) citation += fmt::format("; {}, {}", format.text_title, rule.text);
    return citation;
}

std::string citation_of(FormatList formats, const Rule& rule) {
    const Format* const owner = owner_of(formats, rule);
    return owner == nullptr ? std::string() : citation_of(*owner, rule);
}

}  // namespace hwtrace::cli

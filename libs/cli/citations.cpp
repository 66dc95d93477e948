#include "cli/citations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "formats.hpp"
#include "hwtrace/general_rules.hpp"

namespace hwtrace::cli {

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

std::string rule_anchor(const Rule& rule) {
    const std::vector<const Rule*> ours = all_rules(targets());
    if (std::ranges::find(ours, rule.id, &Rule::id) == ours.end()) return {};
    return fmt::format("formats/RULES.md#{}", anchor_of(rule.id));
}

std::string citation_of(const Format& format, const Rule& rule) {
    // The page of a format that a plug-in adds is not ours.
    const bool is_ours = find_format(targets(), format.name) != nullptr;
    std::string citation = is_ours ? fmt::format("formats/{}/README.md#{}", format.name, anchor_of(rule.section))
                                   : fmt::format("{}: {}", format.name, rule.section);
    if (!rule.text.empty()) citation += fmt::format("; {}, {}", format.text_title, rule.text);
    return citation;
}

std::string citation_of(FormatList formats, const Rule& rule) {
    for (const Format* const format : formats)
        for (const Rule& known : format->rules)
            if (known.id == rule.id) return citation_of(*format, known);
    return {};
}

}  // namespace hwtrace::cli

#include "stages.hpp"

#include <algorithm>

namespace hwtrace::o3pipeview {

namespace {

/// Names in lower case. A later name is used only if the trace has no stage with an earlier name of the same rank.
struct Name {
    std::string_view name;
    Stage stage;
    bool substitute = false;  ///< used only if no other name of the trace means the stage
};

constexpr std::array<Name, 41> known_names{{
    {"f", Stage::fetch},          {"if", Stage::fetch},          {"fetch", Stage::fetch},
    {"d", Stage::decode},         {"dc", Stage::decode},         {"de", Stage::decode},
    {"dec", Stage::decode},       {"id", Stage::decode},         {"decode", Stage::decode},
    {"r", Stage::rename},         {"rn", Stage::rename},         {"ren", Stage::rename},
    {"rename", Stage::rename},    {"ds", Stage::dispatch},       {"di", Stage::dispatch},
    {"dis", Stage::dispatch},     {"disp", Stage::dispatch},     {"dispatch", Stage::dispatch},
    {"i", Stage::issue},          {"is", Stage::issue},          {"iss", Stage::issue},
    {"issue", Stage::issue},      {"cm", Stage::complete},       {"cp", Stage::complete},
    {"cmp", Stage::complete},     {"complete", Stage::complete}, {"rt", Stage::retire},
    {"ret", Stage::retire},       {"retire", Stage::retire},     {"co", Stage::retire},
    {"commit", Stage::retire},    {"x", Stage::issue, true},     {"ex", Stage::issue, true},
    {"exe", Stage::issue, true},  {"exec", Stage::issue, true},  {"execute", Stage::issue, true},
    {"w", Stage::complete, true}, {"wb", Stage::complete, true}, {"writeback", Stage::complete, true},
    {"c", Stage::retire, true},   {"cmt", Stage::retire, true},
}};

std::string in_lower_case(std::string_view name) {
    std::string lower(name);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

}  // namespace

std::optional<Stage> stage_of_word(std::string_view word) noexcept {
    for (std::size_t at = 0; at < stage_count; ++at)
        if (stage_words[at] == word) return static_cast<Stage>(at);
    return std::nullopt;
}

std::vector<std::optional<Stage>> counterparts(const std::vector<std::string>& names) {
    std::vector<std::optional<Stage>> stages(names.size());
    std::array<bool, stage_count> taken{};
    for (const bool substitutes : {false, true}) {
        for (std::size_t at = 0; at < names.size(); ++at) {
            const std::string lower = in_lower_case(names[at]);
            const auto known = std::ranges::find_if(
                known_names, [&](const Name& name) { return name.substitute == substitutes && name.name == lower; });
            if (known == known_names.end() || taken[index_of(known->stage)]) continue;
            stages[at] = known->stage;
            taken[index_of(known->stage)] = true;
        }
    }
    return stages;
}

bool is_store_stage(std::string_view name) {
    const std::string lower = in_lower_case(name);
    return lower == "st" || lower == "store";
}

}  // namespace hwtrace::o3pipeview

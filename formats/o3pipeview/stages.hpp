// formats/o3pipeview/stages.hpp - the seven stages of gem5's out-of-order CPU, their words in a trace, and the names of
// stages of other traces that mean the same (formats/o3pipeview/README.md#stages).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hwtrace::o3pipeview {

enum class Stage : std::uint8_t { fetch, decode, rename, dispatch, issue, complete, retire };
constexpr std::size_t stage_count = 7;
constexpr std::size_t index_of(Stage stage) noexcept {
    return static_cast<std::size_t>(stage);
}

/// The words of the lines, and the names of the stages in the model, which are those of Konata.
constexpr std::array<std::string_view, stage_count> stage_words{"fetch", "decode",   "rename", "dispatch",
                                                                "issue", "complete", "retire"};
constexpr std::array<std::string_view, stage_count> stage_names{"F", "Dc", "Rn", "Ds", "Is", "Cm", "Rt"};
/// The stage on lane 1 from the retirement of a store to its completion.
constexpr std::string_view store_name = "St";
constexpr std::uint64_t store_lane = 1;

/// Returns the stage of a line, such as "decode".
std::optional<Stage> stage_of_word(std::string_view word) noexcept;
/// Returns the gem5 stage of each stage name of another trace. Nullopt: there is no counterpart.
std::vector<std::optional<Stage>> counterparts(const std::vector<std::string>& names);
/// Returns true if a name means the stage of waiting stores.
bool is_store_stage(std::string_view name);

}  // namespace hwtrace::o3pipeview

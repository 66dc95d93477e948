// codec/container.hpp - the option that selects the compression of an output file.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codec/settings.hpp"
#include "io/packed_output.hpp"

namespace hwtrace {

/// The values and the help text of the option, for writers that use PackedOutput. The first value is the default.
inline constexpr std::string_view container_values = "auto|plain|gz|lz4|zst|xz";
inline constexpr std::string_view container_help =
    "compression of the file (auto: by its extension .gz, .lz4, .lz, .zst or .xz, else plain)";

/// Returns the compression that `option` selects. For "auto", the extension of the output's name decides. `options`
/// must contain `option`.
inline Packing chosen_packing(const Settings& settings, std::span<const Option> options, std::string_view option) {
    using Named = std::pair<std::string_view, Packing>;
    // LWTR4SC uses the extension "lz" for LZ4 frames.
    constexpr std::array packings{Named{"gz", Packing::gzip}, Named{"lz4", Packing::lz4}, Named{"zst", Packing::zstd},
                                  Named{"xz", Packing::xz}, Named{"lz", Packing::lz4}};
    const std::string chosen = settings.text(options, option);
    const std::string_view name = settings.output_name;
    for (const auto& [ending, packing] : packings) {
        const bool is_named = name.ends_with(ending) && name.substr(0, name.size() - ending.size()).ends_with('.');
        if (chosen == ending || (chosen == "auto" && is_named)) return packing;
    }
    return Packing::plain;
}

/// Returns the compression that `option` selects, and the number of threads. The output of a trace that grows is
/// compressed in the calling thread, so that each checkpoint reaches it.
inline Container chosen_container(const Settings& settings, std::span<const Option> options, std::string_view option) {
    return {chosen_packing(settings, options, option), settings.wait_for_growth ? 1 : settings.jobs};
}

}  // namespace hwtrace

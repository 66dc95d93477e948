// codec/container.hpp - what a file as a whole is stored in, where a writer leaves that to its user.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codec/settings.hpp"
#include "io/unpacked.hpp"

namespace hwtrace {

/// The values and the meaning of an option of a writer that packs as a PackedOutput does; the first one is its default.
inline constexpr std::string_view container_values = "auto|plain|gz|lz4|zst|xz";
inline constexpr std::string_view container_help =
    "what the file is stored in (auto: what its name ends in, .gz, .lz4, .lz, .zst or .xz, else plain)";

/// What `option`, one of `options`, chooses; by itself, by the name of the output.
inline Packing chosen_packing(const Settings& settings, std::span<const Option> options, std::string_view option) {
    using Named = std::pair<std::string_view, Packing>;
    constexpr std::array packings{Named{"gz", Packing::gzip}, Named{"lz4", Packing::lz4}, Named{"zst", Packing::zstd},
                                  Named{"xz", Packing::xz}, Named{"lz", Packing::lz4}};  // as LWTR4SC names LZ4 frames
    const std::string chosen = settings.text(options, option);
    const std::string_view name = settings.output_name;
    for (const auto& [ending, packing] : packings) {
        const bool is_named = name.ends_with(ending) && name.substr(0, name.size() - ending.size()).ends_with('.');
        if (chosen == ending || (chosen == "auto" && is_named)) return packing;
    }
    return Packing::plain;
}

}  // namespace hwtrace

// formats/flux/options.hpp - how streams are written.
#pragma once

#include <array>
#include <string_view>

#include "codec/container.hpp"
#include "codec/settings.hpp"

namespace hwtrace::flux {

inline constexpr std::string_view version_option = "flux-version";
inline constexpr std::string_view pack_option = "flux-pack";
inline constexpr std::string_view block_option = "flux-block";
inline constexpr std::string_view container_option = "flux-container";
inline constexpr std::string_view ring_option = "flux-ring";

inline constexpr std::array options{
    Option{version_option,
           "source|6|4",
           "source",
           "the version of the stream; source: that of a flux source, else 6",
           {},
           true},
    Option{
        pack_option, "none|lz4|fastlz|zlib|gzip", "none",
        "how blocks of entries are packed; upstream's C emitters write lz4 and fastlz, its Java emitter zlib and gzip"},
    Option{block_option, "bytes", "64K", "bytes of entries in a packed block"},
    Option{ring_option,
           "bytes[:sections]",
           "",
           "only what a target's ring of so many bytes, in 4 sections or so many, would hold at the end",
           {},
           true},
    Option{container_option, container_values, "auto", container_help},
};

}  // namespace hwtrace::flux

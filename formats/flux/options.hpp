// formats/flux/options.hpp - the options of the flux writer.
#pragma once

#include <array>
#include <string_view>

#include "codec/container.hpp"
#include "codec/settings.hpp"

namespace hwtrace::flux {

inline constexpr std::string_view version_option = "flux-version";
inline constexpr std::string_view layout_option = "flux-layout";
inline constexpr std::string_view pack_option = "flux-pack";
inline constexpr std::string_view block_option = "flux-block";
inline constexpr std::string_view container_option = "flux-container";
inline constexpr std::string_view ring_option = "flux-ring";

inline constexpr std::array options{
    Option{version_option,
           "source|6|4",
           "source",
           "version of the stream; source: same as a flux source, otherwise 6",
           {},
           true},
    Option{layout_option,
           "source|impulse2|impulse3",
           "source",
           "layout of definitions; impulse2: as the public emitters write it; impulse3: as impulse 3 writes it "
           "(version 6); "
           "source: that of a flux source, else impulse2",
           {},
           true},
    Option{pack_option, "none|lz4|fastlz|zlib|gzip", "none",
           "packing of entry blocks; upstream's C emitters write lz4 and fastlz, its Java emitter zlib and gzip"},
    Option{block_option, "bytes", "64K", "bytes of entries in a packed block"},
    Option{ring_option,
           "bytes[:sections]",
           "",
           "writes only what a target's ring of this size would hold at the end; 4 sections by default",
           {},
           true},
    Option{container_option, container_values, "auto", container_help},
};

}  // namespace hwtrace::flux

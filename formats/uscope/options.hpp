// formats/uscope/options.hpp - the options of this format.
#pragma once

#include <array>

#include "codec/settings.hpp"

namespace hwtrace::uscope {

inline constexpr std::string_view compression_option = "uscope-compression";
inline constexpr std::string_view checkpoint_option = "uscope-checkpoint";
inline constexpr std::string_view protocol_option = "uscope-protocol";
inline constexpr std::string_view sync_option = "uscope-sync";

inline constexpr std::array options{
    Option{compression_option, "lz4|zstd|none", "lz4", "compression of the segments"},
    Option{checkpoint_option, "time", "",
           "time between checkpoints (default: as in the source, else 20,000 cycles of the first clock)"},
    Option{protocol_option, "none|cpu", "none",
           "cpu: intervals are also entities of this protocol, for viewers that open no other file"},
    Option{sync_option, "close|segment", "close",
           "when data is made durable: at the end, or before each segment becomes visible to live readers"},
};

}  // namespace hwtrace::uscope

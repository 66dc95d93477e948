// formats/ftr/options.hpp - how .ftr files are written.
#pragma once

#include <array>
#include <string_view>

#include "codec/settings.hpp"

namespace hwtrace::ftr {

inline constexpr std::string_view compression_option = "ftr-compression";
inline constexpr std::string_view doubles_option = "ftr-doubles";
inline constexpr std::string_view ints_option = "ftr-ints";
inline constexpr std::string_view order_option = "ftr-order";
inline constexpr std::string_view blocks_option = "ftr-blocks";
inline constexpr std::string_view times_option = "ftr-block-times";
inline constexpr std::string_view dictionary_option = "ftr-dictionary";
inline constexpr std::string_view relations_option = "ftr-relations";
inline constexpr std::string_view text_option = "ftr-text";
inline constexpr std::string_view epoch_option = "ftr-epoch";

inline constexpr std::array options{
    Option{compression_option, "none|lz4", "none", "how chunks are compressed"},
    Option{doubles_option, "auto|binary32|binary64", "auto",
           "how floating and fixed-point numbers are stored; auto: as binary32, the only form that viewers read, where "
           "nothing is lost by it, else as binary64"},
    Option{ints_option, "upstream|canonical", "upstream",
           "how wide integers are; upstream: as LWTR4SC writes them, 255, 65535 and 4294967295 one size wider than "
           "CBOR's shortest form"},
    Option{order_option,
           "auto|source|end",
           "auto",
           "order of transactions in a block; auto: by end time, but the source's in streams that have numbers there",
           {},
           true},
    Option{blocks_option,
           "source|stream",
           "source",
           "where a block ends; source: where it is full, and where a block of a FTR source ends, stream: where it is "
           "full, every stream having one of its own",
           {},
           true},
    Option{
        times_option, "block|stream", "block",
        "times in the head of a block; block: of its own transactions, stream: of all that its stream had so far, as "
        "LWTR4SC writes them"},
    Option{dictionary_option, "source|used", "source",
           "texts in the dictionary; source: those of the source, in its order, used: only those that something needs"},
    Option{relations_option,
           "source|streams",
           "source",
           "elements of a relation; source: three or five, as the source has them, streams: always five, with the "
           "streams of both ends",
           {},
           true},
    Option{text_option, "utf8|bytes", "utf8",
           "texts that are not UTF-8, with which Surfer reads nothing of a file; utf8: U+FFFD in place of each such "
           "byte, bytes: as they are"},
    Option{epoch_option, "text", "",
           "time of creation in seconds since 1970 (default: the source's, else that of the environment's "
           "SOURCE_DATE_EPOCH, else 0)"},
};

/// Whether that option has that value.
inline bool is_chosen(const Settings& settings, std::string_view key, std::string_view value) {
    return settings.text(options, key) == value;
}

}  // namespace hwtrace::ftr

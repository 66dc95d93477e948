// formats/ftr/options.hpp - the options of the FTR writer.
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
    Option{compression_option, "source|none|lz4", "source",
           "compression of the chunks; source: lz4 if the source is FTR with compressed chunks, else none"},
    Option{doubles_option, "auto|binary32|binary64", "auto",
           "encoding of floating-point and fixed-point numbers; auto: binary32, the only encoding that viewers read, "
           "and the exact digits in a mark; binary32: without marks; binary64: exact, but viewers lose the rest of a "
           "block"},
    Option{ints_option, "upstream|canonical", "upstream",
           "width of integers; upstream: as LWTR4SC writes them, with 255, 65535 and 4294967295 one size wider than "
           "CBOR's shortest form"},
    Option{order_option,
           "auto|source|end",
           "auto",
           "order of transactions in a block; auto: source order in streams that have an id in the source, else by end "
           "time",
           {},
           true},
    Option{blocks_option,
           "source|stream",
           "source",
           "when a block ends; source: when it is full, and at the end of each block of an FTR source; stream: only "
           "when it is full, with one open block for each stream",
           {},
           true},
    Option{times_option, "block|stream", "block",
           "times in the head of a block; block: times of the transactions in the block; stream: times of all "
           "transactions of the stream so far, as LWTR4SC writes them"},
    Option{dictionary_option, "source|used", "source",
           "strings in the dictionary; source: all strings of the source, in the same order; used: only strings that "
           "are referenced"},
    Option{relations_option,
           "auto|source|streams",
           "auto",
           "elements of a relation; source: three or five, as in the source; streams: always five, with the streams of "
           "both ends; auto: five if the streams of both ends are known, else as in the source",
           {},
           true},
    Option{text_option, "utf8|bytes", "utf8",
           "strings that are not UTF-8 (Surfer refuses a file with such strings); utf8: U+FFFD replaces each invalid "
           "byte; bytes: the bytes are kept"},
    Option{epoch_option, "text", "",
           "time of creation in seconds since 1970 (default: the time in the source, else the environment variable "
           "SOURCE_DATE_EPOCH, else 0)"},
};

/// Returns true if the option `key` has the value `value`.
inline bool is_chosen(const Settings& settings, std::string_view key, std::string_view value) {
    return settings.text(options, key) == value;
}

}  // namespace hwtrace::ftr

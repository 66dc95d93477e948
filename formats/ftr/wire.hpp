// formats/ftr/wire.hpp - the CBOR items of a .ftr file: frame, chunks, entries, transactions, attribute types
// (spec/ftr.txt; what real files have: README.md, Container).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hwtrace::ftr {

// --- frame: tag 55799 and an array without a length; chunks; the array's end ---
inline constexpr std::array<std::uint8_t, 4> frame_head{0xD9, 0xD9, 0xF7, 0x9F};
inline constexpr std::uint64_t self_described = 55'799;  ///< the tag of the first three bytes

// --- chunks: a tag, then a byte string with the content; compressed ones an array [size, LZ4 block] ---
enum class Chunk : std::uint8_t {
    info = 6,  ///< never compressed
    dictionary = 8,
    dictionary_lz4 = 9,
    directory = 10,
    directory_lz4 = 11,
    block = 12,      ///< [stream, start, end, content]
    block_lz4 = 13,  ///< [stream, start, end, size, LZ4 block]
    relations = 14,
    relations_lz4 = 15,
};

inline constexpr std::uint64_t epoch_tag = 1;  ///< in the info chunk: [exponent, epoch]
inline constexpr std::int64_t default_exponent = -12;

// --- entries of a directory ---
enum class Entry : std::uint8_t {
    stream = 16,     ///< [id, name, kind]
    generator = 17,  ///< [id, name, stream]
};

// --- elements of a transaction; the tags are those of chunks, but stand inside of one ---
enum class Element : std::uint8_t {
    event = 6,  ///< [transaction, generator, start, end]
    begin = 7,  ///< [name, type, value], as the other two
    record = 8,
    end = 9,
};

// --- relations: [name, source, sink, source stream, sink stream]; without streams in files older than 2023-03-18 ---
inline constexpr std::uint64_t relation_elements = 5;
inline constexpr std::uint64_t old_relation_elements = 3;

/// What the value of an attribute is.
enum class Value : std::uint8_t {
    boolean,      ///< true or false; 0 or 1 by the text of the format
    enumeration,  ///< key of the label
    integer,
    unsigned_integer,
    floating,
    bit_vector,    ///< key of a text of 0 and 1
    logic_vector,  ///< key of a text of 0, 1, X, Z
    fixed_point,   ///< as floating
    unsigned_fixed_point,
    pointer,
    string,   ///< key of the text
    time,     ///< in units of the info chunk's exponent
    nothing,  ///< no writer writes it
};
inline constexpr std::uint64_t known_values = 12;  ///< those before `nothing`

/// A block is written when its content is longer than this.
inline constexpr std::size_t block_size = 65'536;

// --- our own marks and the metadata of other formats: a stream that holds nothing else (README.md, The model) ---
inline constexpr std::string_view marks_stream = "hwtrace";  ///< its name and its kind
inline constexpr std::string_view marks_generator = "metadata";
inline constexpr std::string_view marks_key = "key";  ///< begin attributes of its transactions
inline constexpr std::string_view marks_value = "value";
inline constexpr std::string_view marks_hex = "value.hex";  ///< in place of it: bytes that are not UTF-8

}  // namespace hwtrace::ftr

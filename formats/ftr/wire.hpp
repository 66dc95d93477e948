// formats/ftr/wire.hpp - tags, types and constants of the CBOR items in a .ftr file (LWTR4SC - Lightweight transaction
// recording for SystemC, Fast Transaction Recording (FTR) format description; formats/ftr/README.md#chunks).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hwtrace::ftr {

// --- frame: tag 55799 and an array of indefinite length; chunks; the end of the array ---
inline constexpr std::array<std::uint8_t, 4> frame_head{0xD9, 0xD9, 0xF7, 0x9F};
inline constexpr std::uint64_t self_described = 55'799;  ///< the tag in the first three bytes

// --- chunks: a tag, then a byte string with the content, or an array [size, LZ4 block] if compressed ---
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

// --- elements of a transaction, which occur inside a chunk; chunks use some of these tags too ---
enum class Element : std::uint8_t {
    event = 6,  ///< [transaction, generator, start, end]
    begin = 7,  ///< [name, type, value]; the same for `record` and `end`
    record = 8,
    end = 9,
};

// --- relations: [name, source, sink, source stream, sink stream]; files older than 2023-03-18 lack the streams ---
inline constexpr std::uint64_t relation_elements = 5;
inline constexpr std::uint64_t old_relation_elements = 3;
inline constexpr std::string_view old_relations_text = "3";  ///< the same number in Settings::source_relations

/// The type of an attribute's value.
enum class Value : std::uint8_t {
    boolean,      ///< true or false; 0 or 1 in the format text
    enumeration,  ///< key of the label
    integer,
    unsigned_integer,
    floating,
    bit_vector,    ///< key of a string of 0 and 1
    logic_vector,  ///< key of a string of 0, 1, X, Z
    fixed_point,   ///< same as floating_point
    unsigned_fixed_point,
    pointer,
    string,   ///< key of the string
    time,     ///< in units of the info chunk's exponent
    nothing,  ///< written by no known writer
};
inline constexpr std::uint64_t known_values = 12;  ///< the types before `nothing`

/// A block is written when its content exceeds this number of bytes.
inline constexpr std::size_t block_size = 65'536;

// --- the stream for metadata of other formats and the schema mark (formats/ftr/README.md#metadata-stream) ---
inline constexpr std::string_view marks_stream = "hwtrace";  ///< name and kind of the stream
inline constexpr std::string_view marks_generator = "metadata";
inline constexpr std::string_view marks_key = "key";  ///< the begin attributes are "key" and "value"
inline constexpr std::string_view marks_value = "value";
/// Metadata key: the value is the name of relations whose streams are not part of the trace. Precedes the relations, so
/// that a cut file has it too.
inline constexpr std::string_view relation_fact = "hwtrace.ftr.relation";
inline constexpr std::string_view marks_hex = "value.hex";  ///< replaces "value" if the value is not UTF-8

}  // namespace hwtrace::ftr

// formats/tables/parquet_wire.hpp - constants of Apache Parquet's format (parquet.thrift), and Thrift's compact
// protocol.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "io/appender.hpp"
#include "io/zigzag.hpp"

namespace hwtrace::tables {

constexpr std::string_view parquet_magic = "PAR1";

enum class Physical : std::uint8_t { boolean = 0, int32 = 1, int64 = 2, float32 = 4, float64 = 5, bytes = 6 };
enum class Encoding : std::uint8_t {
    plain = 0,
    rle = 3,
    delta_binary_packed = 5,
    rle_dictionary = 8,
    byte_stream_split = 9,
};
enum class Codec : std::uint8_t { none = 0, zstd = 6 };
enum class Repetition : std::uint8_t { required = 0, optional = 1, repeated = 2 };
enum class PageType : std::uint8_t { data = 0, dictionary = 2 };
/// The older form of logical types, which all readers know.
enum class Converted : std::uint8_t { utf8 = 0, list = 3, uint8 = 11, int8 = 15 };
/// The number of a logical type in the union LogicalType.
enum class Logical : std::int16_t { none = 0, string = 1, list = 3, integer = 10 };

/// Writes structures in Thrift's compact protocol.
class ThriftWriter {
public:
    explicit ThriftWriter(Appender& out) : out_(out) { last_.push_back(0); }

    void boolean(std::int16_t id, bool value) { field(id, value ? 1 : 2); }
    void i8(std::int16_t id, std::int8_t value) {
        field(id, 3);
        out_.le(value);
    }
    void i16(std::int16_t id, std::int16_t value) {
        field(id, 4);
        zigzag(value);
    }
    void i32(std::int16_t id, std::int32_t value) {
        field(id, 5);
        zigzag(value);
    }
    void i64(std::int16_t id, std::int64_t value) {
        field(id, 6);
        zigzag(value);
    }
    void text(std::int16_t id, std::string_view value) {
        field(id, 8);
        text_element(value);
    }
    /// Begins a structure; end() ends it.
    void begin(std::int16_t id) {
        field(id, 12);
        last_.push_back(0);
    }
    /// Begins a list. The elements follow.
    void list_of_i32(std::int16_t id, std::size_t count) { list(id, 5, count); }
    void list_of_text(std::int16_t id, std::size_t count) { list(id, 8, count); }
    void list_of_structures(std::int16_t id, std::size_t count) { list(id, 12, count); }
    void i32_element(std::int32_t value) { zigzag(value); }
    void text_element(std::string_view value) {
        out_.leb128(value.size());
        out_.text(value);
    }
    void begin_element() { last_.push_back(0); }
    /// Ends a structure: a field, an element, or the whole.
    void end() {
        out_.le(std::uint8_t{0});
        last_.pop_back();
    }

private:
    void field(std::int16_t id, std::uint8_t type) {
        const int step = id - last_.back();
        last_.back() = id;
        if (step > 0 && step <= 15) return out_.le(static_cast<std::uint8_t>(step << 4 | type));
        out_.le(type);
        zigzag(id);
    }
    void list(std::int16_t id, std::uint8_t type, std::size_t count) {
        field(id, 9);
        if (count < 15) return out_.le(static_cast<std::uint8_t>(count << 4 | type));
        out_.le(static_cast<std::uint8_t>(0xF0 | type));
        out_.leb128(count);
    }
    void zigzag(std::int64_t value) { out_.leb128(hwtrace::zigzag(value)); }

    Appender& out_;
    std::vector<std::int16_t> last_;  ///< the last field of each open structure
};

}  // namespace hwtrace::tables

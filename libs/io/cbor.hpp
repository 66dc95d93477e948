// io/cbor.hpp - iterates over CBOR items (RFC 8949) without a tree, recursion or exceptions.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hwtrace {

enum class CborMajor : std::uint8_t { unsigned_integer, negative_integer, bytes, text, array, map, tag, simple };

/// The head of an item: the type and one argument.
struct CborHead {
    static constexpr std::uint8_t indefinite_info = 31;
    static constexpr std::uint8_t false_info = 20, true_info = 21, half_info = 25, single_info = 26, double_info = 27;

    CborMajor major = CborMajor::unsigned_integer;
    std::uint8_t info = 0;       ///< the low five bits of the first byte
    std::uint64_t argument = 0;  ///< the value, the length, the tag number, or the bits of a float; 0 if indefinite

    /// Returns true for a string or container that ends with a break. For CborMajor::simple, returns true for the break
    /// itself.
    bool indefinite() const noexcept { return info == indefinite_info; }
    bool is_break() const noexcept { return major == CborMajor::simple && indefinite(); }
    /// Returns true for a float of any width.
    bool is_float() const noexcept { return major == CborMajor::simple && info >= half_info && info <= double_info; }
    bool is_boolean() const noexcept { return major == CborMajor::simple && (info == false_info || info == true_info); }
};

/// Converts a half-, single- or double-precision float to a double of the same value. Requires `head.is_float()`.
double cbor_float(const CborHead& head) noexcept;

/// A fault: its place, the expected item and the item found.
struct CborFault {
    std::uint64_t offset = 0;
    std::string expected;
    std::string found;
    bool at_end = false;  ///< the bytes end inside the item
};

/// The number of remaining elements of an array, or of remaining pairs of a map.
struct CborItems {
    std::uint64_t left = 0;
    bool indefinite = false;
};

/// An integer of either sign. The value is `magnitude`, or -1 - `magnitude` if `negative` is set.
struct CborInteger {
    std::uint64_t magnitude = 0;
    bool negative = false;
};

/// Parses a span of bytes. Each function reads one item of the type in its name and returns true. On any other content,
/// the function stores a fault and returns false. All later calls then return false, too.
class CborCursor {
public:
    /// `base` is the offset of `bytes[0]`; faults state absolute offsets.
    explicit CborCursor(std::span<const std::byte> bytes, std::uint64_t base = 0) noexcept
        : begin_(bytes.data()), at_(bytes.data()), end_(bytes.data() + bytes.size()), base_(base) {}

    std::uint64_t offset() const noexcept { return base_ + static_cast<std::uint64_t>(at_ - begin_); }
    std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
    bool at_end() const noexcept { return at_ == end_; }
    const std::byte* at() const noexcept { return at_; }
    /// Advances by `count` bytes to the start of an item. The bytes must exist.
    void advance(std::size_t count) noexcept { at_ += count; }

    /// Reads the next head without consuming it.
    bool peek(CborHead& head) {
        if (failed_) [[unlikely]]
            return false;
        std::size_t size = 0;
        return parse(head, size);
    }
    /// Reads the next head of any type except a break. The bytes of a string or the elements of a container follow the
    /// head.
    bool head(CborHead& head);
    bool tag(std::uint64_t& number) { return argument(CborMajor::tag, "a tag", number); }
    bool unsigned_integer(std::uint64_t& value) {
        return argument(CborMajor::unsigned_integer, "an unsigned integer", value);
    }
    bool integer(CborInteger& value);
    bool array(CborItems& items) { return container(CborMajor::array, "an array", items); }
    bool map(CborItems& items) { return container(CborMajor::map, "a map", items); }
    /// If another element follows, counts that element as read and returns true. At the end, consumes the break, if
    /// there is one, and returns false. After a fault, returns false.
    bool more(CborItems& items);
    /// Reads a byte string (CborMajor::bytes) or a text string. The chunks of a chunked string are joined in `store`,
    /// and `bytes` is then valid until `store` changes. Otherwise, `bytes` is valid for the lifetime of the input span.
    bool string(CborMajor major, std::vector<std::byte>& store, std::span<const std::byte>& bytes);
    /// Skips one complete item. Containers may be nested at most `depth` levels deep.
    bool skip(std::uint64_t depth);

    /// Returns a description of the next item for messages: "an array of 3", "the end".
    std::string describe() const;

    bool failed() const noexcept { return failed_; }
    /// Returns the fault of the first call that returned false.
    CborFault fault() const;
    /// Stores a fault at `offset` and returns false.
    bool fail_at(std::uint64_t offset, std::string_view expected) noexcept;

private:
    bool parse(CborHead& head, std::size_t& size) noexcept {
        if (at_ == end_) [[unlikely]]
            return fail(expected_any, true);
        const auto first = std::to_integer<std::uint8_t>(*at_);
        head.major = static_cast<CborMajor>(first >> 5);
        head.info = first & 31u;
        head.argument = head.info;
        size = 1;
        if (head.info < 24) [[likely]]
            return true;
        return parse_long(head, size);
    }
    bool parse_long(CborHead& head, std::size_t& size) noexcept;
    bool argument(CborMajor major, std::string_view expected, std::uint64_t& value);
    bool pieces(CborMajor major, std::vector<std::byte>* store);
    bool container(CborMajor major, std::string_view expected, CborItems& items);
    [[gnu::cold]] bool fail(std::string_view expected, bool at_end) noexcept;

    static constexpr std::string_view expected_any = "an item";

    const std::byte* begin_;
    const std::byte* at_;
    const std::byte* end_;
    std::uint64_t base_;
    bool failed_ = false;
    bool fault_at_end_ = false;
    std::string_view fault_expected_;
    std::vector<std::uint64_t> open_;  // skip(): elements left in each open container
};

/// The layout of heads with one info value. `shift` extracts the argument from the eight bytes after the first byte.
struct CborArgumentShape {
    std::uint8_t size = 0;  ///< bytes of the head; 0: heads with this info value have no argument
    std::uint8_t shift = 0;
};
inline constexpr std::array<CborArgumentShape, 32> cbor_argument_shapes = [] {
    std::array<CborArgumentShape, 32> shapes{};
    for (std::size_t info = 0; info < 24; ++info)
        shapes[info] = {1, 0};
    shapes[24] = {2, 56};
    shapes[25] = {3, 48};
    shapes[26] = {5, 32};
    shapes[27] = {9, 0};
    return shapes;
}();

/// Reads the argument of a head. Meant for hot loops. Nine bytes must be readable at `at`. Returns the size of the
/// head, or 0 if the head has no argument.
inline std::size_t cbor_argument(const std::byte* at, std::uint64_t& argument) noexcept {
    const unsigned info = std::to_integer<unsigned>(*at) & 31u;
    std::uint64_t word = 0;
    std::memcpy(&word, at + 1, sizeof word);
    if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
    const CborArgumentShape shape = cbor_argument_shapes[info];
    argument = info < 24 ? info : word >> shape.shift;
    return shape.size;
}

}  // namespace hwtrace

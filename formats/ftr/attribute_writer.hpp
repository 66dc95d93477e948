// formats/ftr/attribute_writer.hpp - writes the attributes of transactions.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "codec/losses.hpp"
#include "dictionary_writer.hpp"
#include "encode.hpp"
#include "field_index.hpp"
#include "label_numbers.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// The encoding of floating-point and fixed-point numbers. `marked` is binary32; if that is not exact, a mark with the
/// exact digits follows (formats/ftr/README.md#digits).
enum class Doubles : std::uint8_t { marked, binary32, binary64 };

/// Writes attributes and counts the values that cannot be stored unchanged. The bytes before a value are prepared once
/// for each field.
class AttributeWriter {
private:
    /// Selects how a value is stored.
    enum class Form : std::uint8_t { boolean, label, integer, natural, floating, single, text, time };
    /// The bytes before the values of a field.
    struct Code {
        std::array<std::byte, 16> front{};
        std::uint8_t size = 0;  ///< 0: the field has not occurred yet
        Form form = Form::natural;
    };

public:
    /// The state of a track's attributes.
    struct Columns {
        Ratio ticks{1, 1};            ///< length of the track's tick in ticks of the file
        bool states_numbers = false;  ///< field 0 is the transaction's id, not an attribute
        /// True if attributes of one phase occurred in a different order than their fields.
        bool met_in_another_order = false;
        std::size_t known_fields = 0;  ///< fields that `has_doubles` and `has_namesakes` cover
        bool has_doubles = false;
        bool has_namesakes = false;  ///< attributes of the source have the name and form of marks with digits
        std::vector<Code> codes = {};
        FieldIndex fields = {};
        std::array<std::uint32_t, 4> last_met = {};  ///< index: phase; the last field that occurred

        bool has_met(std::size_t field) const noexcept { return field < codes.size() && codes[field].size != 0; }
    };

    /// `schema`, `dictionary` and `losses` must outlive the writer.
    AttributeWriter(const Schema& schema, DictionaryWriter& dictionary, Heads heads, Doubles doubles, Losses& losses)
        : schema_(schema), dictionary_(dictionary), heads_(heads), doubles_(doubles), losses_(losses) {}

    /// The maximum number of bytes that put() writes, without a mark.
    static constexpr std::size_t most = sizeof(Code::front) + longest_head;
    /// The maximum number of bytes of a mark with digits: tag, array, name, type, value.
    static constexpr std::size_t most_digits = 1 + 1 + longest_head + 1 + longest_head;

    /// The number of marks with digits in a transaction.
    struct Marks {
        std::size_t count = 0;
        /// True if empty marks are among them. Such a mark precedes an attribute of the source that a reader would
        /// otherwise take for the mark of the number before it.
        bool has_empty = false;
    };
    /// Returns how many marks are needed for these attributes. put() writes all but the empty ones.
    Marks marks(Columns& columns, const Track& track, std::span<const Attribute> attributes) {
        if (columns.known_fields != track.fields.size()) [[unlikely]]
            look_at_fields(columns, track);
        Marks marks;
        if (columns.has_namesakes) [[unlikely]]
            marks = empty_marks(track, attributes);
        if (doubles_ != Doubles::marked || !columns.has_doubles) return marks;
        for (const Attribute& attribute : attributes)
            if (is_double(track.fields[attribute.field].type) && !is_exact(attribute.value)) ++marks.count;
        return marks;
    }
    /// Returns true if an empty mark must precede attribute `index`.
    bool needs_empty_mark(const Track& track, std::span<const Attribute> attributes, std::size_t index) const noexcept;
    /// Writes a mark with these digits at `at` and returns the position after it.
    std::byte* put_mark(std::byte* at, std::int64_t digits);
    /// Returns true if the source has attributes with the name and form of marks.
    bool has_met_namesakes() const noexcept { return met_namesakes_; }
    /// Returns the number of values written as binary64.
    std::uint64_t wide() const noexcept { return wide_; }

    /// Writes one attribute of an interval at `at` and returns the position after it. `heads` must equal the argument
    /// of the constructor. Inlined, because a call for each attribute takes a sixth of the writing time.
    [[gnu::always_inline]] std::byte* put(std::byte* at, Heads heads, Columns& columns, const Record& record,
                                          const Attribute& attribute) {
        if (attribute.field >= columns.codes.size() || columns.codes[attribute.field].size == 0) [[unlikely]]
            prepare(columns, record, attribute.field);
        const Code& code = columns.codes[attribute.field];
        std::memcpy(at, code.front.data(), sizeof code.front);
        at += code.size;
        switch (code.form) {
            case Form::natural:
                return heads.put(at, attribute.value);
            case Form::text:
                return heads.put(at, dictionary_.number(static_cast<StringId>(attribute.value)));
            case Form::integer:
                return heads.write_signed(at, static_cast<std::int64_t>(attribute.value));
            case Form::boolean:
                if (attribute.value > 1) [[unlikely]]
                    return put_number(at - code.size, record, attribute);
                *at = attribute.value != 0 ? true_value : false_value;
                return at + 1;
            case Form::floating:
                return append_double(at, attribute.value, record, attribute.field);
            case Form::single:
                return Heads::append_binary32(at, static_cast<std::uint32_t>(attribute.value));
            case Form::label:
                return heads.put(at, label(record, attribute));
            case Form::time:
                return heads.put(at, time(columns, record, attribute));
        }
        return at;
    }

private:
    static Form form_of(const Field& field) noexcept;
    static bool is_double(Type type) noexcept {
        return type == Type::f64 || type == Type::fixed || type == Type::ufixed;
    }
    static bool is_namesake(const Field& field) noexcept;
    [[gnu::cold, gnu::noinline]] void look_at_fields(Columns& columns, const Track& track);
    [[gnu::cold, gnu::noinline]] Marks empty_marks(const Track& track, std::span<const Attribute> attributes);
    /// Returns true if a reader of binary32 gets the same bits.
    static bool is_exact(std::uint64_t bits) noexcept;
    [[gnu::cold, gnu::noinline]] void prepare(Columns& columns, const Record& record, std::uint32_t index);
    std::byte* append_double(std::byte* at, std::uint64_t bits, const Record& record, std::uint32_t field) {
        constexpr double largest = std::numeric_limits<float>::max();
        const auto value = std::bit_cast<double>(bits);
        if (doubles_ == Doubles::binary64) {
            ++wide_;
            return Heads::append_binary64(at, bits);
        }
        if (std::fabs(value) <= largest) [[likely]] {
            const auto nearest = static_cast<float>(value);
            if (static_cast<double>(nearest) == value)
                return Heads::append_binary32(at, std::bit_cast<std::uint32_t>(nearest));
        }
        return append_other_double(at, bits, record, field);
    }
    std::byte* append_other_double(std::byte* at, std::uint64_t bits, const Record& record, std::uint32_t field);
    /// Writes a value above 1 of a field of booleans as a number, and counts a loss. Restoring returns it to the field.
    std::byte* put_number(std::byte* at, const Record& record, const Attribute& attribute);
    std::uint64_t label(const Record& record, const Attribute& attribute);
    std::uint64_t time(const Columns& columns, const Record& record, const Attribute& attribute);
    std::string field_name(const Record& record, std::uint32_t field) const;
    [[gnu::cold, gnu::noinline]] void count_narrowed(const Record& record, std::uint32_t field);

    const Schema& schema_;
    DictionaryWriter& dictionary_;
    const Heads heads_;
    const Doubles doubles_;
    std::uint64_t wide_ = 0;
    Losses& losses_;
    std::vector<LabelNumbers> labels_;  ///< index: enumeration + 1; 0 for fields without an enumeration
    const Enum without_labels_;
    std::optional<std::uint64_t> digits_key_;  ///< key of digits_name in the dictionary
    bool met_namesakes_ = false;
};

}  // namespace hwtrace::ftr

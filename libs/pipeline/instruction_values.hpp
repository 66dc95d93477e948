// pipeline/instruction_values.hpp - an instruction as the values of a structure's members, and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// What an instruction is as a structure: pc, encoding and size; where it went, if anywhere; arrays with an element for
/// each register value and each access, with an element for each word of vectors and of data; and its parts in their
/// order, where that is not the canonical one. What an instruction does not have has no value.
class InstructionValues {
public:
    /// The members, in their order. `schema`, where there is one, gets the enumerations of some.
    static std::vector<Field> members(Schema* schema);

    /// Appends the values of an instruction, by member.
    static void put(const Batch& in, const Record& instruction, std::vector<Attribute>& values);

    /// Appends the instruction that has these values. False where they are none.
    bool instruction(TrackId track, Tick time, std::span<const Attribute> values, Batch& out);

private:
    enum Member : std::uint32_t {
        m_pc,
        m_encoding,
        m_size,
        m_target,
        m_register_class,
        m_register_role,
        m_register,
        m_value,
        m_words,
        m_word,
        m_access_type,
        m_address,
        m_access_size,
        m_attributes,
        m_data_words,
        m_data,
        m_order,
        member_count,
    };

    bool find_columns(std::span<const Attribute> values);
    bool has_registers() const noexcept;
    bool has_accesses() const noexcept;
    bool fits(Member member, std::uint64_t limit) const noexcept;
    std::span<const Attribute> column(Member member) const noexcept {
        return values_.subspan(columns_[member].first, columns_[member].count);
    }
    std::size_t count(Member member) const noexcept { return columns_[member].count; }
    std::uint64_t at(Member member, std::size_t index) const noexcept {
        return values_[columns_[member].first + index].value;
    }
    std::uint64_t sum(Member member) const noexcept;
    /// The next `words` ones of a member, in `words_`.
    std::span<const std::uint64_t> take(Member member, std::size_t first, std::uint64_t words);

    std::span<const Attribute> values_;
    std::array<Slice, member_count> columns_;  ///< where those of each member stand
    std::vector<std::uint64_t> words_;
    std::vector<Part> order_;
};

}  // namespace hwtrace

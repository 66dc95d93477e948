// domain/instruction_values.hpp - converts an instruction to the values of a structure's members, and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Represents an instruction as a structure. The structure has the pc, the encoding and its size, and the target of a
/// taken branch. Array members have one element per register value, per memory access, per vector word or per data
/// word. The last member has the order of the parts, unless the order is canonical. A member that does not apply has no
/// value.
class InstructionValues {
public:
    /// The number of leading members that every instruction has: pc, encoding and size.
    static constexpr std::uint32_t always_present = 3;

    /// Returns the members in order. Declares their enums in `schema`, unless `schema` is null.
    static std::vector<Field> members(Schema* schema);

    /// Appends the values of an instruction, ordered by member.
    static void put(const Batch& in, const Record& instruction, std::vector<Attribute>& values);

    /// Appends the instruction with these values. Returns false if the values are inconsistent.
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
    /// Returns `words` values of a member, from index `first` on. The result is stored in `words_`.
    std::span<const std::uint64_t> take(Member member, std::size_t first, std::uint64_t words);

    std::span<const Attribute> values_;
    std::array<Slice, member_count> columns_;  ///< positions of each member's values
    std::vector<std::uint64_t> words_;
    std::vector<Part> order_;
};

}  // namespace hwtrace

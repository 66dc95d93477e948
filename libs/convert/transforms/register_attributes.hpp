// convert/transforms/register_attributes.hpp - converts register values of instructions to attributes named after the
// registers, and back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

// The members of InstructionValues that describe registers (class, role, number, value) become one attribute per value,
// such as "x10". The attribute has phase begin for a source, end for a destination, and record for a state. A vector
// becomes an attribute with the number of words, followed by one attribute per word.

/// Converts the register values of an instruction track. The attribute of a register is declared when the register
/// first occurs.
class RegisterAttributes {
public:
    /// `members` are the members of InstructionValues, possibly followed by others.
    explicit RegisterAttributes(const std::vector<Field>& members);

    /// Appends the attributes for `values`, whose fields are members. Declares the attributes of new registers on
    /// `track` in `schema`.
    void put(std::span<const Attribute> values, Schema& schema, TrackId track, std::vector<Attribute>& attributes);

    /// Converts `attributes`, which are declared by `fields`, back to values of members and appends them to `values`.
    /// The first `known` fields are members. Passes attributes that are neither members nor registers to `unknown`.
    template <typename Unknown>
    void take(std::span<const Attribute> attributes, const std::vector<Field>& fields, std::uint32_t known,
              std::vector<Attribute>& values, Unknown&& unknown) {
        begin();
        for (const Attribute& attribute : attributes)
            if (!take(attribute, fields, known, values)) unknown(attribute);
        finish(values);
    }

private:
    struct Register {
        RegisterClass register_class = RegisterClass::integer;
        OperandRole role = OperandRole::state;
        std::uint16_t number = 0;
    };
    /// The members of InstructionValues that describe registers, in their order.
    enum Column : std::size_t { c_class, c_role, c_number, c_value, c_words, c_word, columns };

    static Field field_of(const Register& one);
    static std::optional<Register> register_of(const Field& field);
    std::uint32_t attribute_of(const Register& one, Schema& schema, TrackId track);
    bool can_put(const std::array<std::span<const Attribute>, columns>& all) const;
    void begin();
    bool take(const Attribute& attribute, const std::vector<Field>& fields, std::uint32_t known,
              std::vector<Attribute>& values);
    void take_register(const Register& one, std::uint64_t value);
    void finish(std::vector<Attribute>& values);

    std::array<std::uint32_t, columns> members_{};
    std::vector<std::uint32_t> attributes_;           ///< by register and role: the index of the attribute, or none
    std::vector<std::optional<Register>> registers_;  ///< by attribute after the members: its register
    std::array<std::vector<std::uint64_t>, columns> taken_;
    std::vector<Attribute> rest_;   ///< values of the members after the register members
    std::uint64_t words_left_ = 0;  ///< words of the current vector still expected
};

}  // namespace hwtrace

// pipeline/register_attributes.hpp - register values of an instruction as attributes of the registers' names, and back.
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

// Of the members that InstructionValues tell, those about registers (class, role, number and value of each) become one
// attribute for each value: "x10" as stated at the begin is the value of a source, at the end of a destination, and
// while it lasts one of the state. A vector has an attribute for each word, behind one that counts them.

/// The attributes of a track of instructions. Those of registers are declared as they are met.
class RegisterAttributes {
public:
    /// `members` are those of InstructionValues, and maybe others behind them.
    explicit RegisterAttributes(const std::vector<Field>& members);

    /// Appends what becomes of `values`, which are by member; attributes of registers are declared in `schema` for
    /// `track`.
    void put(std::span<const Attribute> values, Schema& schema, TrackId track, std::vector<Attribute>& attributes);

    /// Appends the values by member that became `attributes` of `fields`, of which the first `known` are members.
    /// Attributes that are neither are told to `unknown`.
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
    /// Members about registers, in their order.
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
    std::vector<std::uint32_t> attributes_;           ///< by register and role: the attribute; none
    std::vector<std::optional<Register>> registers_;  ///< by attribute behind the known ones
    std::array<std::vector<std::uint64_t>, columns> taken_;
    std::vector<Attribute> rest_;   ///< behind the registers
    std::uint64_t words_left_ = 0;  ///< of the vector that is being taken
};

}  // namespace hwtrace

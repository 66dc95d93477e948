#include "domain/instruction_values.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "domain/conventions.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::string_view target_name = "target";
constexpr std::uint64_t classes = 4, roles = 3, access_types = 3, parts = 4;
constexpr std::uint64_t bytes = std::uint64_t{std::numeric_limits<std::uint8_t>::max()} + 1;
constexpr std::uint64_t halves = std::uint64_t{std::numeric_limits<std::uint16_t>::max()} + 1;

template <typename Element>
std::vector<EnumValue> labels_of(std::uint64_t count) {
    std::vector<EnumValue> labels;
    for (std::uint64_t value = 0; value < count; ++value)
        labels.push_back({value, std::string(name_of(static_cast<Element>(value)))});
    return labels;
}

}  // namespace

std::vector<Field> InstructionValues::members(Schema* schema) {
    std::vector<Field> fields(member_count);
    const auto is = [&](Member member, std::string_view name, Type type) {
        fields[member].name = name;
        fields[member].type = type;
        fields[member].repeated = member >= m_register_class;
    };
    const auto is_one_of = [&](Member member, std::string_view name, std::vector<EnumValue> labels) {
        is(member, name, Type::enumeration);
        if (schema != nullptr) fields[member].enumeration = schema->declare(Enum{std::string(name), std::move(labels)});
    };
    is(m_pc, names::pc, Type::u64);
    is(m_encoding, names::inst_bits, Type::u64);
    is(m_size, names::inst_size, Type::u8);
    is(m_target, target_name, Type::u64);
    is_one_of(m_register_class, names::register_class, labels_of<RegisterClass>(classes));
    is_one_of(m_register_role, names::register_role, labels_of<OperandRole>(roles));
    is(m_register, names::register_number, Type::u16);
    is(m_value, names::register_value, Type::u64);
    is(m_words, names::vector_words, Type::u32);
    is(m_word, names::vector_word, Type::u64);
    is_one_of(m_access_type, names::access_type, labels_of<AccessType>(access_types));
    is(m_address, names::access_address, Type::u64);
    is(m_access_size, names::access_size, Type::u16);
    is(m_attributes, names::access_attributes, Type::u16);
    is(m_data_words, names::data_words, Type::u32);
    is(m_data, names::access_data, Type::u64);
    is_one_of(m_order, names::instruction_order, {{0, "record"}, {1, "target"}, {2, "operand"}, {3, "access"}});
    return fields;
}

// --- values of an instruction ----------------------------------------------------------------------------------------

void InstructionValues::put(const Batch& in, const Record& instruction, std::vector<Attribute>& values) {
    const Instruction& parts_of = in.instruction(instruction);
    const std::span<const Operand> operands = in.operands(parts_of);
    const std::span<const Access> accesses = in.accesses(parts_of);
    const auto is_vector = [](const Operand& operand) { return operand.register_class == RegisterClass::vector; };
    const auto append_all = [&](Member member, const auto& all, auto&& value_of) {
        for (const auto& one : all)
            values.push_back({member, std::uint64_t{value_of(one)}});
    };
    const auto append_cells = [&](Member member, Slice slice) {
        for (const std::uint64_t word : in.cells(slice))
            values.push_back({member, word});
    };
    values.push_back({m_pc, instruction.value});
    values.push_back({m_encoding, parts_of.encoding});
    values.push_back({m_size, parts_of.size});
    if (parts_of.has_target) values.push_back({m_target, parts_of.target});
    if (!operands.empty()) {
        append_all(m_register_class, operands,
                   [](const Operand& o) { return static_cast<unsigned>(o.register_class); });
        append_all(m_register_role, operands, [](const Operand& o) { return static_cast<unsigned>(o.role); });
        append_all(m_register, operands, [](const Operand& o) { return o.number; });
        for (const Operand& operand : operands)
            if (!is_vector(operand)) values.push_back({m_value, operand.value});
        for (const Operand& operand : operands)
            if (is_vector(operand)) values.push_back({m_words, operand.words.count});
        for (const Operand& operand : operands)
            if (is_vector(operand)) append_cells(m_word, operand.words);
    }
    if (!accesses.empty()) {
        append_all(m_access_type, accesses, [](const Access& a) { return static_cast<unsigned>(a.type); });
        append_all(m_address, accesses, [](const Access& a) { return a.address; });
        append_all(m_access_size, accesses, [](const Access& a) { return a.size; });
        if (std::ranges::any_of(accesses, [](const Access& a) { return a.attributes != 0; }))
            append_all(m_attributes, accesses, [](const Access& a) { return a.attributes; });
        append_all(m_data_words, accesses, [](const Access& a) { return a.data.count; });
        for (const Access& access : accesses)
            append_cells(m_data, access.data);
    }
    append_all(m_order, in.order(parts_of), [](Part part) { return static_cast<unsigned>(part); });
}

// --- an instruction from values --------------------------------------------------------------------------------------

/// Finds the values of each member. Returns false if the values of a member are not consecutive.
bool InstructionValues::find_columns(std::span<const Attribute> values) {
    values_ = values;
    columns_.fill({});
    for (std::size_t first = 0; first < values.size();) {
        const std::uint32_t member = values[first].field;
        std::size_t behind = first + 1;
        while (behind < values.size() && values[behind].field == member)
            ++behind;
        if (member >= member_count || columns_[member].count != 0) return false;
        columns_[member] = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(behind - first)};
        first = behind;
    }
    return true;
}

bool InstructionValues::fits(Member member, std::uint64_t limit) const noexcept {
    return std::ranges::all_of(column(member), [&](const Attribute& value) { return value.value < limit; });
}

/// Returns the sum of a member's values. It cannot overflow: there are fewer than 2^32 values, each below 2^32.
std::uint64_t InstructionValues::sum(Member member) const noexcept {
    std::uint64_t words = 0;
    for (const Attribute& value : column(member))
        words += value.value;
    return words;
}

bool InstructionValues::has_registers() const noexcept {
    const std::size_t operands = count(m_register);
    if (count(m_register_class) != operands || count(m_register_role) != operands) return false;
    if (!fits(m_register_class, classes) || !fits(m_register_role, roles) || !fits(m_register, halves)) return false;
    constexpr auto vector = static_cast<std::uint64_t>(RegisterClass::vector);
    const auto vectors =
        static_cast<std::size_t>(std::ranges::count(column(m_register_class), vector, &Attribute::value));
    return count(m_words) == vectors && count(m_value) == operands - vectors && fits(m_words, none) &&
           sum(m_words) == count(m_word);
}

bool InstructionValues::has_accesses() const noexcept {
    const std::size_t accesses = count(m_address);
    for (const Member member : {m_access_type, m_access_size, m_data_words})
        if (count(member) != accesses) return false;
    if (count(m_attributes) != 0 && count(m_attributes) != accesses) return false;
    return fits(m_access_type, access_types) && fits(m_access_size, halves) && fits(m_attributes, halves) &&
           fits(m_data_words, none) && sum(m_data_words) == count(m_data);
}

std::span<const std::uint64_t> InstructionValues::take(Member member, std::size_t first, std::uint64_t words) {
    words_.clear();
    for (std::size_t i = 0; i < words; ++i)
        words_.push_back(at(member, first + i));
    return words_;
}

bool InstructionValues::instruction(TrackId track, Tick time, std::span<const Attribute> values, Batch& out) {
    if (!find_columns(values)) return false;
    for (const Member member : {m_pc, m_encoding, m_size})
        if (count(member) != 1) return false;
    if (count(m_target) > 1 || !fits(m_size, bytes) || !fits(m_order, parts)) return false;
    if (!has_registers() || !has_accesses()) return false;
    std::size_t scalar = 0, vector = 0, word = 0;
    for (std::size_t i = 0; i < count(m_register); ++i) {
        const auto register_class = static_cast<RegisterClass>(at(m_register_class, i));
        const auto role = static_cast<OperandRole>(at(m_register_role, i));
        const auto number = static_cast<std::uint16_t>(at(m_register, i));
        if (register_class != RegisterClass::vector) {
            out.operand(number, register_class, role, at(m_value, scalar++));
            continue;
        }
        const std::uint64_t words = at(m_words, vector++);
        out.vector_operand(number, role, take(m_word, word, words));
        word += static_cast<std::size_t>(words);
    }
    std::size_t data = 0;
    for (std::size_t i = 0; i < count(m_address); ++i) {
        const std::uint64_t attributes = count(m_attributes) == 0 ? 0 : at(m_attributes, i);
        out.access(at(m_address, i), static_cast<std::uint16_t>(at(m_access_size, i)),
                   static_cast<std::uint16_t>(attributes), static_cast<AccessType>(at(m_access_type, i)));
        for (std::uint64_t words = at(m_data_words, i); words > 0; --words)
            out.access_data(at(m_data, data++));
    }
    Instruction& made = out.instruction(track, time, at(m_pc, 0));
    made.encoding = at(m_encoding, 0);
    made.size = static_cast<std::uint8_t>(at(m_size, 0));
    made.has_target = count(m_target) != 0;
    if (made.has_target) made.target = at(m_target, 0);
    if (count(m_order) == 0) return true;
    order_.clear();
    for (const Attribute& part : column(m_order))
        order_.push_back(static_cast<Part>(part.value));
    out.set_order(made, order_);
    return true;
}

}  // namespace hwtrace

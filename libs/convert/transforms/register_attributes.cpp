#include "convert/transforms/register_attributes.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "io/number_text.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::size_t most_registers = 4096;  // per class; the class of CSRs has the most
constexpr std::size_t role_count = 3;
constexpr std::array register_classes{RegisterClass::integer, RegisterClass::floating, RegisterClass::vector,
                                      RegisterClass::csr};
/// The phase of an attribute, by role.
constexpr std::array phases{Phase::record, Phase::begin, Phase::end};

std::uint32_t number_of_member(const std::vector<Field>& members, std::string_view name) {
    return static_cast<std::uint32_t>(std::ranges::find(members, name, &Field::name) - members.begin());
}

}  // namespace

RegisterAttributes::RegisterAttributes(const std::vector<Field>& members)
    : members_{number_of_member(members, names::register_class),  number_of_member(members, names::register_role),
               number_of_member(members, names::register_number), number_of_member(members, names::register_value),
               number_of_member(members, names::vector_words),    number_of_member(members, names::vector_word)},
      attributes_(register_classes.size() * most_registers * role_count, none) {}

Field RegisterAttributes::field_of(const Register& one) {
    Field field;
    field.name = name_of(one.register_class);
    if (one.register_class == RegisterClass::csr) {
        constexpr std::string_view digits = "0123456789abcdef";
        field.name.append("0x");
        for (int shift = 8; shift >= 0; shift -= 4)
            field.name += digits[one.number >> shift & 0xF];
    } else {
        field.name.append(std::to_string(one.number));
    }
    field.type = Type::u64;
    field.phase = phases[static_cast<std::size_t>(one.role)];
    field.repeated = true;
    return field;
}

std::optional<RegisterAttributes::Register> RegisterAttributes::register_of(const Field& field) {
    const auto phase = std::ranges::find(phases, field.phase);
    if (field.type != Type::u64 || phase == phases.end()) return std::nullopt;
    Register one;
    one.role = static_cast<OperandRole>(phase - phases.begin());
    std::string_view digits = field.name;
    // No class name is a prefix of another one.
    const auto named =
        std::ranges::find_if(register_classes, [&](RegisterClass c) { return digits.starts_with(name_of(c)); });
    if (named == register_classes.end()) return std::nullopt;
    one.register_class = *named;
    digits.remove_prefix(name_of(*named).size());
    const std::optional<std::uint64_t> number =
        *named == RegisterClass::csr ? parse_hexadecimal(digits) : parse_digits(digits);
    if (!number || *number >= most_registers) return std::nullopt;
    one.number = static_cast<std::uint16_t>(*number);
    return field_of(one).name == field.name ? std::optional(one) : std::nullopt;
}

// --- from members to register attributes -----------------------------------------------------------------------------

std::uint32_t RegisterAttributes::attribute_of(const Register& one, Schema& schema, TrackId track) {
    const std::size_t place =
        (static_cast<std::size_t>(one.register_class) * most_registers + one.number) * role_count +
        static_cast<std::size_t>(one.role);
    std::uint32_t& attribute = attributes_[place];
    if (attribute == none) attribute = schema.add_attribute(track, field_of(one));
    return attribute;
}

/// Returns false for a vector without words or an invalid register. Only the members can represent them.
bool RegisterAttributes::can_put(const std::array<std::span<const Attribute>, columns>& all) const {
    return std::ranges::all_of(all[c_number], [](const Attribute& one) { return one.value < most_registers; }) &&
           std::ranges::none_of(all[c_words], [](const Attribute& one) { return one.value == 0; });
}

void RegisterAttributes::put(std::span<const Attribute> values, Schema& schema, TrackId track,
                             std::vector<Attribute>& attributes) {
    std::array<std::span<const Attribute>, columns> all;
    std::size_t at = 0;
    while (at < values.size() && values[at].field < members_[c_class])
        attributes.push_back(values[at++]);
    const std::size_t first = at;
    for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t begin = at;
        while (at < values.size() && values[at].field == members_[column])
            ++at;
        all[column] = values.subspan(begin, at - begin);
    }
    if (!can_put(all)) {
        attributes.insert(attributes.end(), values.begin() + static_cast<std::ptrdiff_t>(first), values.end());
        return;
    }
    std::size_t scalar = 0, vector = 0, word = 0;
    for (std::size_t i = 0; i < all[c_number].size(); ++i) {
        const Register one{static_cast<RegisterClass>(all[c_class][i].value),
                           static_cast<OperandRole>(all[c_role][i].value),
                           static_cast<std::uint16_t>(all[c_number][i].value)};
        const std::uint32_t attribute = attribute_of(one, schema, track);
        if (one.register_class != RegisterClass::vector) {
            attributes.push_back({attribute, all[c_value][scalar++].value});
            continue;
        }
        const std::uint64_t words = all[c_words][vector++].value;
        attributes.push_back({members_[c_words], words});
        for (std::uint64_t left = words; left != 0; --left)
            attributes.push_back({attribute, all[c_word][word++].value});
    }
    attributes.insert(attributes.end(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
}

// --- from register attributes to members -----------------------------------------------------------------------------

void RegisterAttributes::begin() {
    for (std::vector<std::uint64_t>& column : taken_)
        column.clear();
    rest_.clear();
    words_left_ = 0;
}

bool RegisterAttributes::take(const Attribute& attribute, const std::vector<Field>& fields, std::uint32_t known,
                              std::vector<Attribute>& values) {
    if (attribute.field >= known) {
        const std::size_t place = attribute.field - known;
        for (std::size_t next = registers_.size(); next <= place; ++next)
            registers_.push_back(register_of(fields[known + next]));
        if (!registers_[place]) return false;
        take_register(*registers_[place], attribute.value);
    } else if (attribute.field < members_[c_class]) {
        values.push_back(attribute);
    } else if (attribute.field > members_[c_word]) {
        rest_.push_back(attribute);
    } else {
        const auto column = static_cast<std::size_t>(std::ranges::find(members_, attribute.field) - members_.begin());
        taken_[column].push_back(attribute.value);
        if (column == c_words) words_left_ = attribute.value;
    }
    return true;
}

void RegisterAttributes::take_register(const Register& one, std::uint64_t value) {
    const bool is_vector = one.register_class == RegisterClass::vector;
    // The first word of a vector also adds the class, role and number.
    taken_[is_vector ? c_word : c_value].push_back(value);
    if (is_vector && words_left_ != 0 && words_left_-- != taken_[c_words].back()) return;
    taken_[c_class].push_back(static_cast<std::uint64_t>(one.register_class));
    taken_[c_role].push_back(static_cast<std::uint64_t>(one.role));
    taken_[c_number].push_back(one.number);
}

void RegisterAttributes::finish(std::vector<Attribute>& values) {
    for (std::size_t column = 0; column < columns; ++column)
        for (const std::uint64_t value : taken_[column])
            values.push_back({members_[column], value});
    values.insert(values.end(), rest_.begin(), rest_.end());
}

}  // namespace hwtrace

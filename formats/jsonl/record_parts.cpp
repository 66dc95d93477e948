// formats/jsonl/record_parts.cpp - the functions of Records for operations on tables and for instructions.
#include <limits>

#include "domain/conventions.hpp"
#include "io/number_text.hpp"
#include "records.hpp"

namespace hwtrace::jsonl {

namespace {

constexpr std::array register_classes{RegisterClass::csr, RegisterClass::integer, RegisterClass::floating,
                                      RegisterClass::vector};
constexpr std::array roles{OperandRole::state, OperandRole::source, OperandRole::destination};
constexpr std::array access_types{AccessType::invalid, AccessType::read, AccessType::write};

}  // namespace

// --- tables ----------------------------------------------------------------------------------------------------------

bool Records::slot(TrackId id, Tick time, Kind kind, Batch& batch) {
    const JsonValue* slot = nullptr;
    const JsonValue* field = nullptr;
    const JsonValue* property = nullptr;
    const JsonValue* value = nullptr;
    for (const JsonMember& member : rest_) {
        if (member.key == "slot")
            slot = &member.value;
        else if (member.key == "field")
            field = &member.value;
        else if (member.key == "property")
            property = &member.value;
        else if (member.key == "value")
            value = &member.value;
        else
            unknown_member(member.key);
    }
    std::uint32_t place = 0;
    if (property == nullptr) {
        const auto number = slot == nullptr ? std::nullopt : small_number<std::uint32_t>(*slot);
        if (!number) {
            wrong("slot", slot);
            return false;
        }
        place = *number;
    }
    if (kind == Kind::clear) {
        batch.clear_slot(id, time, place);
        return true;
    }
    const JsonValue* const which = property == nullptr ? field : property;
    const std::string_view member = property == nullptr ? "field" : "property";
    if (which == nullptr || value == nullptr) {
        wrong(which == nullptr ? member : "value", nullptr);
        return false;
    }
    const Track& track = schema_.tracks()[id];
    const std::vector<Field>& fields = property == nullptr ? track.fields : track.properties;
    const FieldKeys& keys = property == nullptr ? tracks_.facts(id).fields : tracks_.facts(id).properties;
    std::optional<std::uint16_t> number;
    if (which->is_string()) {
        const std::uint32_t found = keys.find(text_of(*which, key_scratch_));
        if (found <= std::numeric_limits<std::uint16_t>::max()) number = static_cast<std::uint16_t>(found);
        if (!number) {
            lines_.report(Check::field_unknown, {}, shown(which->raw));
            return false;
        }
    } else {
        number = small_number<std::uint16_t>(*which);
        if (!number) {
            wrong(member, which);
            return false;
        }
    }
    std::uint64_t cell = 0;
    const Field plain;
    const Field& type = *number < fields.size() ? fields[*number] : plain;
    const Fit fit = convert(type, *value, cell);
    if (fit != Fit::good) {
        lines_.report(Check::value_wrong, std::string(name_of(type.type)), shown(value->raw));
        cell = values_.nothing(type);
    }
    Record& record =
        kind == Kind::add ? batch.add(id, time, place, *number, cell) : batch.set(id, time, place, *number, cell);
    if (property != nullptr) record.flags |= record_property;
    return true;
}

// --- instructions ----------------------------------------------------------------------------------------------------

bool Records::words(JsonValue list) {
    cells_.clear();
    if (!list.is_array()) return false;
    JsonWalk walk(list);
    for (JsonValue element; walk.next(element);) {
        const auto word = whole_number(element);
        if (!word) return false;
        cells_.push_back(*word);
    }
    return true;
}

bool Records::operand(JsonValue object, Batch& batch) {
    if (!object.is_object()) return false;
    std::optional<OperandRole> role;
    std::optional<RegisterClass> register_class;
    std::uint16_t number = 0;
    std::optional<std::uint64_t> value;
    bool has_words = false;
    JsonWalk walk(object);
    for (JsonMember member; walk.next(member);) {
        if (member.key == "role" && member.value.is_string()) {
            role = find_named(roles, text_of(member.value, scratch_));
        } else if (member.key == "register" && member.value.is_string()) {
            const std::string_view name = text_of(member.value, scratch_);
            for (const RegisterClass candidate : register_classes) {
                if (!name.starts_with(name_of(candidate))) continue;
                const auto read = parse_digits(name.substr(name_of(candidate).size()));
                if (!read || *read > std::numeric_limits<std::uint16_t>::max()) return false;
                number = static_cast<std::uint16_t>(*read);
                register_class = candidate;
                break;
            }
        } else if (member.key == "value") {
            value = whole_number(member.value);
            if (!value) return false;
        } else if (member.key == "words") {
            has_words = words(member.value);
            if (!has_words) return false;
        } else {
            unknown_member(member.key);
        }
    }
    if (!role || !register_class || has_words != (*register_class == RegisterClass::vector)) return false;
    if (has_words)
        batch.vector_operand(number, *role, cells_);
    else
        batch.operand(number, *register_class, *role, value.value_or(0));
    return true;
}

bool Records::access(JsonValue object, Batch& batch) {
    if (!object.is_object()) return false;
    std::optional<AccessType> type;
    std::optional<std::uint64_t> address;
    std::optional<std::uint16_t> size{0}, attributes{0};
    cells_.clear();
    JsonWalk walk(object);
    for (JsonMember member; walk.next(member);) {
        if (member.key == "type" && member.value.is_string())
            type = find_named(access_types, text_of(member.value, scratch_));
        else if (member.key == "address")
            address = whole_number(member.value);
        else if (member.key == "size")
            size = small_number<std::uint16_t>(member.value);
        else if (member.key == "attributes")
            attributes = small_number<std::uint16_t>(member.value);
        else if (member.key != "data")
            unknown_member(member.key);
        else if (!words(member.value))
            return false;
    }
    if (!type || !address || !size || !attributes) return false;
    batch.access(*address, *size, *attributes, *type);
    for (const std::uint64_t word : cells_)
        batch.access_data(word);
    return true;
}

bool Records::order(JsonValue letters) {
    parts_.clear();
    if (!letters.is_string()) return false;
    for (const char letter : text_of(letters, scratch_)) {
        const std::size_t part = conventions::part_letters.find(letter);
        if (part == std::string_view::npos) return false;
        parts_.push_back(static_cast<Part>(part));
    }
    return true;
}

bool Records::instruction(TrackId id, Tick time, Batch& batch) {
    Instruction made;
    std::optional<std::uint64_t> pc;
    parts_.clear();
    const JsonValue* pc_value = nullptr;
    for (const JsonMember& member : rest_) {
        const JsonValue value = member.value;
        bool good = true;
        if (member.key == "pc") {
            pc_value = &member.value;
            pc = whole_number(value);
        } else if (member.key == "encoding" || member.key == "target") {
            const auto number = whole_number(value);
            good = number.has_value();
            (member.key == "target" ? made.target : made.encoding) = number.value_or(0);
            if (member.key == "target" && good) made.has_target = true;
        } else if (member.key == "size") {
            const auto size = small_number<std::uint8_t>(value);
            good = size.has_value();
            made.size = size.value_or(0);
        } else if (member.key == "operands" || member.key == "accesses") {
            good = value.is_array();
            JsonWalk walk(value);
            for (JsonValue element; good && walk.next(element);)
                if (!(member.key == "operands" ? operand(element, batch) : access(element, batch)))
                    wrong(member.key, &element);
        } else if (member.key == "order") {
            good = order(value);
            if (!good) parts_.clear();
        } else {
            unknown_member(member.key);
        }
        if (!good) wrong(member.key, &member.value);
    }
    if (!pc) {
        wrong("pc", pc_value);
        batch.drop_open_parts();
        return false;
    }
    Instruction& instruction = batch.instruction(id, time, *pc);
    instruction.encoding = made.encoding;
    instruction.target = made.target;
    instruction.has_target = made.has_target;
    instruction.size = made.size;
    if (!parts_.empty()) batch.set_order(instruction, parts_);
    return true;
}

}  // namespace hwtrace::jsonl

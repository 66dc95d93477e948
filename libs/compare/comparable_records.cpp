#include "compare/comparable_records.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <string>

#include "domain/conventions.hpp"

namespace hwtrace {

namespace {

/// Converts the bits of a 32-bit float to the bits of the equal 64-bit float. Infinities and NaNs keep sign and
/// mantissa.
std::uint64_t widened(std::uint32_t bits) noexcept {
    constexpr std::uint32_t exponent = 0x7F80'0000;
    if ((bits & exponent) != exponent)
        return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(bits)));
    const std::uint64_t sign = bits >> 31, mantissa = bits & 0x007F'FFFF;
    return sign << 63 | std::uint64_t{0x7FF} << 52 | mantissa << 29;
}

const std::string* label_of(const Schema& schema, const Field& field, std::uint64_t cell) noexcept {
    return field.enumeration < schema.enums().size() ? schema.enums()[field.enumeration].label(cell) : nullptr;
}

WideTick distance(WideTick a, WideTick b) noexcept {
    return a < b ? b - a : a - b;
}

bool same_time(const CommonTrack& track, WideTick first, WideTick second) noexcept {
    return distance(first * static_cast<WideTick>(track.factor[0]), second * static_cast<WideTick>(track.factor[1])) <=
           track.tolerance;
}

}  // namespace

bool same_times(const Correspondence& correspondence, const CommonTrack& track, const ComparableRecord& first,
                const ComparableRecord& second) noexcept {
    if (correspondence.ignored().time || !track.comparable) return true;
    return same_time(track, first.time, second.time) &&
           same_time(track, static_cast<WideTick>(first.duration), static_cast<WideTick>(second.duration));
}

std::vector<std::string> differing_parts(const Correspondence& correspondence, const ComparableRecord& first,
                                         const ComparableRecord& second) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    const CommonTrack& track = correspondence.track(first.track);
    if (!correspondence.ignored().time && track.comparable) {
        if (!same_time(track, first.time, second.time)) add("time");
        if (!same_time(track, static_cast<WideTick>(first.duration), static_cast<WideTick>(second.duration)))
            add("duration");
    }
    // For each name: the values of each record, concatenated in order of occurrence.
    std::map<std::uint32_t, std::array<std::string, 2>> values;
    std::vector<std::uint32_t> order;
    std::array<std::vector<std::uint32_t>, 2> names_of;
    for (const std::size_t side : both_sides) {
        for_each_part(side == 0 ? first : second, [&](std::uint32_t name, std::string_view bytes) {
            if (!values.contains(name)) order.push_back(name);
            values[name][side].append(std::to_string(bytes.size())).append(":").append(bytes);
            names_of[side].push_back(name);
        });
    }
    for (const std::uint32_t name : order)
        if (values[name][0] != values[name][1]) add(correspondence.name(name));
    if (names.empty() && names_of[0] != names_of[1]) add("order");
    return names;
}

std::uint32_t ComparableRecords::number_of(std::string_view name, std::string_view more) {
    if (correspondence_.ignored().has_field(name)) return left_out;
    return correspondence_.name(more.empty() ? std::string(name) : std::string(name).append(" ").append(more));
}

std::uint32_t ComparableRecords::number_of(const Operand& operand) {
    constexpr std::uint32_t unknown = left_out - 1;
    const std::size_t place =
        static_cast<std::size_t>(operand.role) * 4 + static_cast<std::size_t>(operand.register_class);
    std::vector<std::uint32_t>& numbers = operand_names_[place];
    if (numbers.size() <= operand.number) numbers.resize(operand.number + std::size_t{1}, unknown);
    std::uint32_t& number = numbers[operand.number];
    if (number == unknown) {
        std::string name(name_of(operand.role));
        name.append(":").append(name_of(operand.register_class)).append(std::to_string(operand.number));
        number = number_of(name);
        if (number == left_out) correspondence_.meet_field(std::move(name));
    }
    return number;
}

ComparableRecords::Columns& ComparableRecords::columns_of(const Track& track, TrackId id) {
    if (columns_.size() <= id) columns_.resize(schema().tracks().size());
    Columns& columns = columns_[id];
    const auto catch_up = [&](const std::vector<Field>& fields, std::vector<std::uint32_t>& numbers) {
        while (numbers.size() < fields.size()) {
            const Field& field = fields[numbers.size()];
            numbers.push_back(number_of(field.name, name_of(field.phase)));
        }
    };
    catch_up(track.fields, columns.fields);
    catch_up(track.properties, columns.properties);
    return columns;
}

void ComparableRecords::put(std::uint32_t name, std::string_view bytes, char form) {
    if (name == left_out) return;
    const auto size = static_cast<std::uint32_t>(bytes.size() + 1);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof name + sizeof size + size);
    std::byte* const to = bytes_.data() + at;
    std::memcpy(to, &name, sizeof name);
    std::memcpy(to + sizeof name, &size, sizeof size);
    to[sizeof name + sizeof size] = static_cast<std::byte>(form);
    if (!bytes.empty()) std::memcpy(to + sizeof name + sizeof size + 1, bytes.data(), bytes.size());
}

void ComparableRecords::append_number(std::uint32_t name, std::uint64_t value, char form) {
    put(name, {reinterpret_cast<const char*>(&value), sizeof value}, form);
}

void ComparableRecords::append_cell(std::uint32_t name, const Field& field, std::uint64_t cell) {
    if (name == left_out) return;
    switch (field.type) {
        case Type::text:
        case Type::label:
        case Type::bits:
        case Type::logic:
        case Type::blob:
            put(name, schema().text(static_cast<StringId>(cell)));
            return;
        case Type::enumeration:
            if (const std::string* label = label_of(schema(), field, cell))
                put(name, *label);
            else
                append_number(name, cell);
            return;
        case Type::f32:
            append_number(name, widened(static_cast<std::uint32_t>(cell)), '.');
            return;
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            append_number(name, cell, '.');
            return;
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
            append_number(name, cell, static_cast<std::int64_t>(cell) < 0 ? '-' : '+');
            return;
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
        case Type::boolean:
        case Type::pointer:
        case Type::time:
            append_number(name, cell);
            return;
    }
}

void ComparableRecords::append_cells(const Batch& batch, const Record& record, const Track& track) {
    const std::vector<std::uint32_t>& names = columns_of(track, record.track).fields;
    const std::span<const std::uint64_t> cells = batch.cells(record);
    const std::size_t fixed = track.fixed_fields();
    const std::size_t width = std::max(track.fields.size() - fixed, std::size_t{1});
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t number = i < fixed ? i : fixed + (i - fixed) % width;
        if (number >= track.fields.size()) return;
        append_cell(names[number], track.fields[number], cells[i]);
    }
}

void ComparableRecords::append_attributes(const Batch& batch, const Record& record, const Track& track) {
    const std::vector<std::uint32_t>& names = columns_of(track, record.track).fields;
    for (const Attribute& attribute : batch.attributes(record))
        if (attribute.field < names.size())
            append_cell(names[attribute.field], track.fields[attribute.field], attribute.value);
}

void ComparableRecords::append_words(const Batch& batch, Slice words) {
    for (const std::uint64_t word : batch.cells(words)) {
        const std::size_t at = words_.size();
        words_.resize(at + sizeof word);
        std::memcpy(words_.data() + at, &word, sizeof word);
    }
}

void ComparableRecords::append_instruction(const Batch& batch, const Record& record) {
    const Instruction& instruction = batch.instruction(record);
    append_number(names_.pc, record.value);
    append_number(names_.encoding, instruction.encoding);
    append_number(names_.size, instruction.size);
    if (instruction.has_target) append_number(names_.target, instruction.target);
    for (const Operand& operand : batch.operands(instruction)) {
        if (operand.register_class != RegisterClass::vector) {
            append_number(number_of(operand), operand.value);
            continue;
        }
        words_.clear();
        append_words(batch, operand.words);
        put(number_of(operand), {words_.data(), words_.size()});
    }
    for (const Access& access : batch.accesses(instruction)) {
        words_.clear();
        for (const std::uint64_t fact : {access.address, std::uint64_t{access.size}, std::uint64_t{access.attributes}})
            words_.insert(words_.end(), reinterpret_cast<const char*>(&fact),
                          reinterpret_cast<const char*>(&fact) + sizeof fact);
        append_words(batch, access.data);
        put(names_.access[static_cast<std::size_t>(access.type)], {words_.data(), words_.size()});
    }
    const std::span<const Part> order = batch.order(instruction);
    if (!order.empty() && !correspondence_.ignored().order)
        put(names_.order, {reinterpret_cast<const char*>(order.data()), order.size()});
}

bool ComparableRecords::make(const Batch& batch, const Record& record, ComparableRecord& made) {
    if (!names_.known) {
        // The kind and the slot identify a record, so they are never ignored. The blanks in their names avoid clashes
        // with field names.
        names_ = {true,
                  correspondence_.name("the kind"),
                  correspondence_.name("the slot"),
                  number_of("mark"),
                  correspondence_.name("no value"),
                  number_of("pc"),
                  number_of("encoding"),
                  number_of("size"),
                  number_of("target"),
                  number_of("order"),
                  correspondence_.name("the text"),
                  correspondence_.name("the bytes"),
                  number_of("duration"),
                  {number_of(name_of(AccessType::invalid)), number_of(name_of(AccessType::read)),
                   number_of(name_of(AccessType::write))}};
    }
    made.track = correspondence_.number_of(side_, record.track);
    const CommonTrack& common = correspondence_.track(made.track);
    if (common.ignored) return false;
    if (correspondence_.ignored().has_kind(record.kind)) {
        const std::uint32_t bit = std::uint32_t{1} << static_cast<unsigned>(record.kind);
        if ((met_kinds_ & bit) == 0) correspondence_.meet(record.kind);
        met_kinds_ |= bit;
        return false;
    }
    const Track& track = schema().tracks()[record.track];
    made.time = exact_begin(schema(), batch, record);
    made.duration = 0;
    bytes_.clear();
    const char kind = static_cast<char>(record.kind);
    put(names_.kind, {&kind, 1});
    switch (record.kind) {
        case Kind::event:
        case Kind::relation:
            append_cells(batch, record, track);
            break;
        case Kind::set:
        case Kind::add: {
            const bool property = is_property(record);
            const Columns& columns = columns_of(track, record.track);
            const std::vector<Field>& fields = property ? track.properties : track.fields;
            if (!property) append_number(names_.slot, record.ref);
            if (record.field >= fields.size()) break;
            const std::uint32_t name = (property ? columns.properties : columns.fields)[record.field];
            if (name == left_out) return false;  // the whole record is ignored
            append_cell(name, fields[record.field], record.value);
            break;
        }
        case Kind::clear:
            append_number(names_.slot, record.ref);
            break;
        case Kind::instruction:
            append_instruction(batch, record);
            break;
        case Kind::note:
            put(names_.text, batch.text(record));
            break;
        case Kind::native: {
            const std::span<const std::byte> bytes = batch.bytes(record);
            put(names_.bytes, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
            break;
        }
        case Kind::interval:
            if (names_.duration != left_out) made.duration = record.value;
            append_attributes(batch, record, track);
            break;
        case Kind::change:
            if ((record.flags & record_no_value) != 0) put(names_.no_value, {});
            if (record.value != change_unmarked) append_number(names_.mark, record.value);
            append_attributes(batch, record, track);
            break;
    }
    made.parts = bytes_;
    return true;
}

}  // namespace hwtrace

#include "select/field_match.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "codec/settings.hpp"
#include "domain/durations.hpp"
#include "domain/protocols.hpp"
#include "io/cursor.hpp"
#include "io/hex_digits.hpp"
#include "io/number_text.hpp"
#include "io/similar_text.hpp"

namespace hwtrace {

namespace {

__extension__ using Wide = unsigned __int128;

const Field ticks_field{"duration", Type::time};
const Field number_field{"number", Type::u64};
const Field text_field{"text", Type::text};

bool holds(Operator comparison, std::partial_ordering order) noexcept {
    switch (comparison) {
        case Operator::equal:
            return std::is_eq(order);
        case Operator::unequal:
            return std::is_neq(order);
        case Operator::less:
            return std::is_lt(order);
        case Operator::at_most:
            return std::is_lteq(order);
        case Operator::greater:
            return std::is_gt(order);
        case Operator::at_least:
            return std::is_gteq(order);
    }
    return false;
}

bool is_equality(Operator comparison) noexcept {
    return comparison == Operator::equal || comparison == Operator::unequal;
}

/// Returns equivalent if the text matches the pattern, else unordered, because texts have no order.
std::partial_ordering compare_text(std::string_view text, std::string_view pattern) noexcept {
    return fits_pattern(text, pattern) ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
}

std::string hex_text(std::string_view bytes) {
    std::string digits;
    append_hex_digits(as_bytes(bytes), digits);
    return digits;
}

/// Compares a * b with c * d. A product that exceeds 128 bits is greater than any product that fits. Two products that
/// exceed 128 bits are unordered.
std::partial_ordering compare_products(Wide a, Wide b, Wide c, Wide d) noexcept {
    Wide left = 0, right = 0;
    const bool left_over = __builtin_mul_overflow(a, b, &left), right_over = __builtin_mul_overflow(c, d, &right);
    if (left_over || right_over)
        return left_over && right_over ? std::partial_ordering::unordered : left_over <=> right_over;
    return left <=> right;
}

}  // namespace

FieldMatch::FieldMatch(const Schema& schema, const std::vector<FieldCriterion>& criteria,
                       std::optional<std::uint64_t> period_ps)
    : schema_(schema), period_ps_(period_ps) {
    for (const FieldCriterion& criterion : criteria) {
        const auto is_known = [&](const Name& name) { return name.name == criterion.field; };
        auto name = std::ranges::find_if(names_, is_known);
        if (name == names_.end()) {
            name = names_.insert(names_.end(), Name{criterion.field, {}});
            find_part(*name);
        }
        name->asked.push_back(asked(criterion));
    }
    asks_accesses_ = std::ranges::any_of(names_, &Name::is_of_access);
}

FieldMatch::Asked FieldMatch::asked(const FieldCriterion& criterion) {
    Asked asked;
    asked.comparison = criterion.comparison;
    asked.text = criterion.value;
    const std::string_view text = criterion.value;
    const bool negative = text.starts_with('-');
    if (const auto whole = parse_number(negative ? text.substr(1) : text))
        asked.whole = negative ? -static_cast<Number>(*whole) : static_cast<Number>(*whole);
    if (const auto real = parse_decimal<double>(text); real && !std::isnan(*real)) asked.real = real;
    if (!asked.real && asked.whole) asked.real = static_cast<double>(*asked.whole);
    if (text == "true" || text == "false") asked.truth = text == "true";
    asked.time_ps = parse_time_ps(text);
    constexpr std::string_view cycles = "cyc";
    if (text.ends_with(cycles)) asked.cycles = parse_digits(text.substr(0, text.size() - cycles.size()));
    return asked;
}

void FieldMatch::find_part(Name& name) {
    constexpr std::array<std::pair<std::string_view, Part>, 10> parts{{{"pc", Part::pc},
                                                                       {"encoding", Part::encoding},
                                                                       {"size", Part::size},
                                                                       {"target", Part::target},
                                                                       {"address", Part::address},
                                                                       {"read", Part::read_address},
                                                                       {"write", Part::write_address},
                                                                       {"access_size", Part::access_size},
                                                                       {"attributes", Part::attributes},
                                                                       {"data", Part::data}}};
    for (const auto& [known, part] : parts)
        if (known == name.name) name.part = part;
    for (const OperandRole role : {OperandRole::state, OperandRole::source, OperandRole::destination}) {
        for (const RegisterClass of :
             {RegisterClass::integer, RegisterClass::floating, RegisterClass::vector, RegisterClass::csr}) {
            std::string prefix(name_of(role));
            prefix.append(":").append(name_of(of));
            if (!name.name.starts_with(prefix)) continue;
            const auto number = parse_digits(std::string_view(name.name).substr(prefix.size()));
            if (!number || *number > UINT16_MAX) continue;
            name.part = Part::operand;
            name.role = role;
            name.register_class = of;
            name.number = static_cast<std::uint16_t>(*number);
        }
    }
}

// --- comparable fields -----------------------------------------------------------------------------------------------

TimeBase FieldMatch::base_of(const Track& track) const {
    if (period_ps_ && track.time.kind == TimeBase::Kind::cycles && !has_duration(track.time))
        return {TimeBase::Kind::cycles, *period_ps_, picoseconds_per_second};
    return track.time;
}

bool FieldMatch::can_compare(const Asked& asked, const Field& field, const TimeBase& base, std::uint64_t cycle_ps) {
    const bool is_number = asked.whole || asked.real;
    if (holds_text(field.type)) return is_equality(asked.comparison);
    switch (field.type) {
        case Type::enumeration:
            return asked.whole || is_equality(asked.comparison);
        case Type::boolean:
            return is_number || asked.truth;
        case Type::time:
            return is_number || (asked.time_ps && has_duration(base)) ||
                   (asked.cycles && (base.kind == TimeBase::Kind::cycles || (has_duration(base) && cycle_ps != 0)));
        default:
            return is_number;
    }
}

bool FieldMatch::can_compare_all(const Name& name, const Field& field, const TimeBase& base,
                                 std::uint64_t cycle_ps) const {
    return std::ranges::all_of(name.asked,
                               [&](const Asked& asked) { return can_compare(asked, field, base, cycle_ps); });
}

/// Returns true if every name denotes a comparable field. A name is looked up in `fields` first. The name `beside` then
/// denotes `beside_field`, which every record has without a declaration.
bool FieldMatch::can_fit_fields(const Schema& schema, const Track& track, const std::vector<Field>& fields,
                                std::string_view beside, const Field& beside_field) const {
    const TimeBase base = base_of(track);
    const std::uint64_t cycle_ps = period_of(schema, track.scope);
    return std::ranges::all_of(names_, [&](const Name& name) {
        const auto fits = [&](const Field& field) { return can_compare_all(name, field, base, cycle_ps); };
        const bool declared = std::ranges::find(fields, name.name, &Field::name) != fields.end();
        if (name.name == beside && !declared) return fits(beside_field);
        return std::ranges::any_of(fields, [&](const Field& field) { return field.name == name.name && fits(field); });
    });
}

bool FieldMatch::can_fit_rows(const Schema& schema, const Track& storage) const {
    return can_fit_fields(schema, storage, storage.fields, "slot", number_field);
}

bool FieldMatch::can_fit_properties(const Schema& schema, const Track& storage) const {
    return can_fit_fields(schema, storage, storage.properties, {}, number_field);
}

bool FieldMatch::can_fit(const Schema& schema, const Track& track) const {
    switch (track.kind) {
        case Track::Kind::event_type:
        case Track::Kind::relation_type:
            return can_fit_fields(schema, track, track.fields, {}, number_field);
        case Track::Kind::storage:
            return can_fit_rows(schema, track) || can_fit_properties(schema, track);
        case Track::Kind::signal:
            return can_fit_fields(schema, track, track.fields, "mark", number_field);
        case Track::Kind::stream:
            return can_fit_fields(schema, track, track.fields, "duration", ticks_field);
        case Track::Kind::hart:
            return std::ranges::all_of(names_, [&](const Name& name) {
                return name.part != Part::nothing && can_compare_all(name, number_field, track.time, 0);
            });
        case Track::Kind::notes:
            return can_fit_fields(schema, track, {}, "text", text_field);
        case Track::Kind::native:
            break;
    }
    return false;
}

std::string FieldMatch::reason(const Schema& schema, const std::vector<TrackId>& tracks) const {
    std::vector<std::string> known;
    const auto add = [&](std::string_view name) {
        if (std::ranges::find(known, name) == known.end()) known.emplace_back(name);
    };
    const auto add_all = [&](const std::vector<Field>& fields) {
        for (const Field& field : fields)
            add(field.name);
    };
    for (const TrackId id : tracks) {
        const Track& track = schema.tracks()[id];
        add_all(track.fields);
        add_all(track.properties);
        switch (track.kind) {
            case Track::Kind::storage:
                add("slot");
                break;
            case Track::Kind::stream:
                add("duration");
                break;
            case Track::Kind::notes:
                add("text");
                break;
            case Track::Kind::hart:
                for (const std::string_view part : {"pc", "encoding", "size", "target", "source:x1", "read", "write",
                                                    "address", "access_size", "attributes", "data"})
                    add(part);
                break;
            default:
                break;
        }
    }
    // Report the first unknown name. If all names are known, report that no track has all these fields with comparable
    // values.
    for (const Name& name : names_) {
        const bool is_known = std::ranges::find(known, name.name) != known.end() || name.part == Part::operand;
        if (is_known) continue;
        constexpr std::size_t most = 30;
        SimilarText similar(name.name);
        for (const auto& field : known)
            similar.consider(field);
        std::string text = "no track that could be selected has a field '" + name.name + "'" + similar.question();
        for (std::size_t i = 0; i < std::min(known.size(), most); ++i)
            text.append(i == 0 ? "; the fields are " : ", ").append(known[i]);
        if (known.size() > most) text.append(", ...");
        return text.append("; the keys are ").append(criteria_keys());
    }
    std::string all;
    for (const Name& name : names_)
        for (const Asked& asked : name.asked)
            all.append(all.empty() ? "" : ",").append(name.name).append(name_of(asked.comparison)).append(asked.text);
    return "no track that could be selected has fields that can be compared like this: " + all +
           " (numbers with numbers, booleans with true or false, times with 10ns or 5cyc if the track has that "
           "unit; labels and texts only with = or !=)";
}

// --- comparing values ------------------------------------------------------------------------------------------------

std::partial_ordering FieldMatch::compare_ticks(std::uint64_t ticks, const Asked& asked, const Columns& columns) const {
    if (asked.whole) return static_cast<Number>(ticks) <=> *asked.whole;
    if (asked.real) return static_cast<long double>(ticks) <=> static_cast<long double>(*asked.real);
    const TimeBase& base = columns.base;
    if (asked.cycles && base.kind == TimeBase::Kind::cycles) return ticks <=> *asked.cycles;
    if (!has_duration(base)) return std::partial_ordering::unordered;
    const Wide ps = asked.cycles ? Wide{*asked.cycles} * columns.cycle_ps : Wide{asked.time_ps.value_or(0)};
    const std::uint64_t divisor = std::gcd(picoseconds_per_second, base.den);
    return compare_products(ticks, Wide{base.num} * (picoseconds_per_second / divisor), ps, base.den / divisor);
}

std::partial_ordering FieldMatch::compare(const Field& field, std::uint64_t cell, const Asked& asked,
                                          const Columns& columns) const {
    const auto with_whole = [&](Number value) -> std::partial_ordering {
        if (asked.whole) return value <=> *asked.whole;
        if (asked.real) return static_cast<long double>(value) <=> static_cast<long double>(*asked.real);
        return std::partial_ordering::unordered;
    };
    const auto with_real = [&](double value) -> std::partial_ordering {
        return asked.real ? value <=> *asked.real : std::partial_ordering::unordered;
    };
    switch (field.type) {
        case Type::text:
        case Type::label:
        case Type::bits:
        case Type::logic:
            return compare_text(schema_.text(static_cast<StringId>(cell)), asked.text);
        case Type::blob:
            return compare_text(hex_text(schema_.text(static_cast<StringId>(cell))), asked.text);
        case Type::enumeration: {
            const std::string* const label = schema_.label(field.enumeration, cell);
            if (label != nullptr && is_equality(asked.comparison) && fits_pattern(*label, asked.text))
                return std::partial_ordering::equivalent;
            return with_whole(static_cast<Number>(cell));
        }
        case Type::boolean:
            if (asked.truth) return (cell != 0) <=> *asked.truth;
            return with_whole(static_cast<Number>(cell));
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
            return with_whole(static_cast<Number>(static_cast<std::int64_t>(cell)));
        case Type::f32:
            return with_real(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(cell))));
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            return with_real(std::bit_cast<double>(cell));
        case Type::time:
            return compare_ticks(cell, asked, columns);
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
        case Type::pointer:
            return with_whole(static_cast<Number>(cell));
    }
    return std::partial_ordering::unordered;
}

bool FieldMatch::fits_all(const Name& name, const Field& field, std::uint64_t cell, const Columns& columns) const {
    bool asks_equal = false, is_equal = false;
    for (const Asked& asked : name.asked) {
        const bool fits = holds(asked.comparison, compare(field, cell, asked, columns));
        if (asked.comparison == Operator::equal) {
            asks_equal = true;
            is_equal = is_equal || fits;
        } else if (!fits) {
            return false;
        }
    }
    return is_equal || !asks_equal;
}

bool FieldMatch::fits_number(const Name& name, std::uint64_t value) const {
    static const Columns no_columns;
    return fits_all(name, number_field, value, no_columns);
}

bool FieldMatch::fits_text(const Name& name, std::string_view text) const {
    bool asks_equal = false, is_equal = false;
    for (const Asked& asked : name.asked) {
        const bool fits = fits_pattern(text, asked.text);
        if (asked.comparison == Operator::equal) {
            asks_equal = true;
            is_equal = is_equal || fits;
        } else if (fits) {
            return false;
        }
    }
    return is_equal || !asks_equal;
}

// --- records ---------------------------------------------------------------------------------------------------------

FieldMatch::Columns& FieldMatch::columns_of(TrackId id) {
    while (columns_.size() <= id) {
        const Track& track = schema_.tracks()[columns_.size()];
        Columns& columns = columns_.emplace_back();
        columns.names.resize(names_.size());
        columns.base = base_of(track);
        columns.cycle_ps = period_of(schema_, track.scope);
    }
    Columns& columns = columns_[id];
    const Track& track = schema_.tracks()[id];
    const auto look = [&](const std::vector<Field>& fields, std::size_t& looked, auto places) {
        for (; looked < fields.size(); ++looked)
            for (std::size_t name = 0; name < names_.size(); ++name) {
                if (fields[looked].name != names_[name].name) continue;
                columns.names[name].declared = true;
                if (can_compare_all(names_[name], fields[looked], columns.base, columns.cycle_ps))
                    (columns.names[name].*places).push_back(static_cast<std::uint32_t>(looked));
            }
    };
    look(track.fields, columns.fields, &Places::fields);
    look(track.properties, columns.properties, &Places::properties);
    return columns;
}

bool FieldMatch::has_cell(std::size_t name, const Batch& batch, const Record& record, const Columns& columns) const {
    const Track& track = schema_.tracks()[record.track];
    const std::span<const std::uint64_t> cells = batch.cells(record);
    const std::size_t fixed = track.fixed_fields();
    const std::size_t width = track.fields.size() - fixed;
    for (const std::uint32_t field : columns.names[name].fields)
        for (std::size_t at = field; at < cells.size(); at += width) {
            if (fits_all(names_[name], track.fields[field], cells[at], columns)) return true;
            if (field < fixed) break;
        }
    return false;
}

bool FieldMatch::has_attribute(std::size_t name, const Batch& batch, const Record& record,
                               const Columns& columns) const {
    const Track& track = schema_.tracks()[record.track];
    const std::vector<std::uint32_t>& fields = columns.names[name].fields;
    return std::ranges::any_of(batch.attributes(record), [&](const Attribute& attribute) {
        return std::ranges::find(fields, attribute.field) != fields.end() &&
               fits_all(names_[name], track.fields[attribute.field], attribute.value, columns);
    });
}

bool FieldMatch::has_property(std::size_t name, const Record& record, const Columns& columns) const {
    const std::vector<std::uint32_t>& properties = columns.names[name].properties;
    return std::ranges::find(properties, record.field) != properties.end() &&
           fits_all(names_[name], schema_.tracks()[record.track].properties[record.field], record.value, columns);
}

bool FieldMatch::fits(const Batch& batch, const Record& record) {
    if (record.kind == Kind::instruction) return fits_instruction(batch, record);
    const Columns& columns = columns_of(record.track);
    const auto has = [&](std::size_t name) {
        const bool is_declared = columns.names[name].declared;
        switch (record.kind) {
            case Kind::event:
            case Kind::relation:
                return has_cell(name, batch, record, columns);
            case Kind::interval:
                if (!is_declared && names_[name].name == "duration")
                    return fits_all(names_[name], ticks_field, record.value, columns);
                return has_attribute(name, batch, record, columns);
            case Kind::change:
                if (!is_declared && names_[name].name == "mark") return fits_number(names_[name], record.value);
                return has_attribute(name, batch, record, columns);
            case Kind::set:
                return is_property(record) && has_property(name, record, columns);
            case Kind::note:
                return names_[name].name == "text" && fits_text(names_[name], batch.text(record));
            default:
                return false;
        }
    };
    for (std::size_t name = 0; name < names_.size(); ++name)
        if (!has(name)) return false;
    return true;
}

bool FieldMatch::fits_row(const StateTable& state, TrackId storage, std::uint32_t slot) {
    const Columns& columns = columns_of(storage);
    const Track& track = schema_.tracks()[storage];
    for (std::size_t name = 0; name < names_.size(); ++name) {
        const std::vector<std::uint32_t>& fields = columns.names[name].fields;
        const bool is_slot = names_[name].name == "slot" && !columns.names[name].declared;
        const auto fits = [&](std::uint32_t field) {
            const std::uint64_t value = state.value(storage, slot, field);
            const bool is_known = !holds_text(track.fields[field].type) || value < schema_.string_count();
            return is_known && fits_all(names_[name], track.fields[field], value, columns);
        };
        if (is_slot ? !fits_number(names_[name], slot) : std::ranges::none_of(fields, fits)) return false;
    }
    return true;
}

// --- instructions ----------------------------------------------------------------------------------------------------

bool FieldMatch::fits_operand(const Name& name, const Batch& batch, const Instruction& instruction) const {
    return std::ranges::any_of(batch.operands(instruction), [&](const Operand& operand) {
        if (operand.role != name.role || operand.register_class != name.register_class || operand.number != name.number)
            return false;
        if (operand.register_class != RegisterClass::vector) return fits_number(name, operand.value);
        return std::ranges::any_of(batch.cells(operand.words),
                                   [&](std::uint64_t word) { return fits_number(name, word); });
    });
}

bool FieldMatch::fits_access(const Batch& batch, const Access& access) const {
    return std::ranges::all_of(names_, [&](const Name& name) {
        switch (name.part) {
            case Part::address:
                return fits_number(name, access.address);
            case Part::read_address:
                return access.type == AccessType::read && fits_number(name, access.address);
            case Part::write_address:
                return access.type == AccessType::write && fits_number(name, access.address);
            case Part::access_size:
                return fits_number(name, access.size);
            case Part::attributes:
                return fits_number(name, access.attributes);
            case Part::data:
                return std::ranges::any_of(batch.cells(access.data),
                                           [&](std::uint64_t word) { return fits_number(name, word); });
            default:
                return true;
        }
    });
}

bool FieldMatch::fits_instruction(const Batch& batch, const Record& record) const {
    const Instruction& instruction = batch.instruction(record);
    for (const Name& name : names_) {
        switch (name.part) {
            case Part::pc:
                if (!fits_number(name, record.value)) return false;
                break;
            case Part::encoding:
                if (!fits_number(name, instruction.encoding)) return false;
                break;
            case Part::size:
                if (!fits_number(name, instruction.size)) return false;
                break;
            case Part::target:
                if (!instruction.has_target || !fits_number(name, instruction.target)) return false;
                break;
            case Part::operand:
                if (!fits_operand(name, batch, instruction)) return false;
                break;
            case Part::nothing:
                return false;
            default:
                break;
        }
    }
    return !asks_accesses_ || std::ranges::any_of(batch.accesses(instruction),
                                                  [&](const Access& access) { return fits_access(batch, access); });
}

}  // namespace hwtrace

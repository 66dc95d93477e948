// formats/ftr/scan_attributes.cpp - attributes of a transaction.
#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "io/error.hpp"
#include "io/little_endian.hpp"
#include "scan.hpp"
#include "scan_bytes.hpp"

namespace hwtrace::ftr {

namespace {

constexpr std::byte false_byte{0xF4}, true_byte{0xF5}, single_byte{0xFA}, double_byte{0xFB};
/// Maximum bytes of an attribute on the fast path: eight for the head, nine for the value, and a margin.
constexpr std::size_t attribute_window = 24;
/// Maximum number of attributes that are read before the size of the transaction is checked again.
constexpr std::uint64_t fast_run = 1u << 16;

std::size_t finish_run(const std::byte* begin, const std::byte* at, std::uint64_t& left, std::uint64_t done) noexcept {
    left -= done;
    return static_cast<std::size_t>(at - begin);
}

Phase phase_of(std::uint64_t tag) noexcept {
    switch (static_cast<Element>(tag)) {
        case Element::begin:
            return Phase::begin;
        case Element::record:
            return Phase::record;
        case Element::end:
            return Phase::end;
        case Element::event:
            break;
    }
    return Phase::unknown;
}

Type type_of(Value value) noexcept {
    switch (value) {
        case Value::boolean:
            return Type::boolean;
        case Value::enumeration:
            return Type::label;
        case Value::integer:
            return Type::i64;
        case Value::floating:
            return Type::f64;
        case Value::bit_vector:
            return Type::bits;
        case Value::logic_vector:
            return Type::logic;
        case Value::fixed_point:
            return Type::fixed;
        case Value::unsigned_fixed_point:
            return Type::ufixed;
        case Value::pointer:
            return Type::pointer;
        case Value::string:
            return Type::text;
        case Value::time:
            return Type::time;
        case Value::unsigned_integer:
        case Value::nothing:
            break;
    }
    return Type::u64;
}

}  // namespace

bool Scan::elements(CborItems items, std::uint32_t number, bool with_event) {
    constexpr std::size_t check_every = 1u << 16;
    CborCursor& cursor = *cursor_;
    if (outside_) return pass_elements(items);
    Generator& generator = generators_[number];
    std::uint32_t previous = 0;
    std::size_t checked = check_every;
    for (;;) {
        if (!items.indefinite) cursor.advance(fast_attributes(generator, items.left, previous));
        if (!cursor.more(items)) break;
        if (!element(generator, previous, with_event)) return false;
        if (attributes_.size() >= checked) {
            check_limit(attributes_.size() * sizeof(Attribute), limits_.record, "a transaction", "max-record");
            checked += check_every;
        }
    }
    return !cursor.failed();
}

/// Reads attributes that repeat the previous sequence. Compares their leading bytes instead of decoding them. Subtracts
/// their number from `left` and returns their size in bytes.
std::size_t Scan::fast_attributes(Generator& generator, std::uint64_t& left, std::uint32_t& previous) {
    const std::byte* const begin = cursor_->at();
    if (cursor_->left() < attribute_window) return 0;
    const std::byte* const last = begin + (cursor_->left() - attribute_window);
    const std::byte* at = begin;
    const Column* const columns = generator.columns.data();
    Tally& wide = tallies_[static_cast<std::size_t>(Check::float_wide)];
    const std::uint64_t most = std::min<std::uint64_t>(left, fast_run);
    std::uint64_t done = 0;
    for (; done < most && at <= last; ++done) {
        const std::uint32_t index = columns[previous].next;
        const Column& column = columns[index];
        if ((load_le<std::uint64_t>(at) & column.mask) != column.prefix) break;
        const std::byte* const place = at + column.prefix_size;
        std::uint64_t value = 0;
        const std::size_t size = cbor_argument(place, value);
        const auto first = std::to_integer<unsigned>(*place);
        if (size == 0) break;
        switch (column.decode) {
            case Decode::number:
                if (first > largest_unsigned_byte) return finish_run(begin, at, left, done);
                break;
            case Decode::text: {
                const StringId text = dictionary_.used(value);
                if (first > largest_unsigned_byte || text == none) return finish_run(begin, at, left, done);
                value = text;
                break;
            }
            case Decode::boolean:
                if (*place != false_byte && *place != true_byte) return finish_run(begin, at, left, done);
                value = *place == true_byte ? 1 : 0;
                break;
            case Decode::integer:
                if (first >= 0x40 || value > last_tick) return finish_run(begin, at, left, done);
                if (first >= 0x20) value = ~value;
                break;
            case Decode::floating:
                if (*place == double_byte) {
                    if (wide.count == 0) return finish_run(begin, at, left, done);
                    ++wide.count;
                    break;
                }
                if (*place != single_byte || (value & 0x7F80'0000u) == 0x7F80'0000u)
                    return finish_run(begin, at, left, done);
                value = std::bit_cast<std::uint64_t>(
                    static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value))));
                break;
        }
        attributes_.push_back({index, value});
        previous = index;
        at = place + size;
    }
    return finish_run(begin, at, left, done);
}

bool Scan::element(Generator& generator, std::uint32_t& previous, bool with_event) {
    CborCursor& cursor = *cursor_;
    const std::byte* const from = cursor.at();
    const std::uint64_t at = cursor.offset();
    std::uint64_t tag = 0;
    if (!cursor.tag(tag)) return false;
    const Phase phase = phase_of(tag);
    if (phase == Phase::unknown) {
        const bool event = tag == static_cast<std::uint64_t>(Element::event);
        if (!event || !with_event)
            tally(Check::element_unknown, at, "an attribute (tag 7, 8 or 9)",
                  event ? std::string("a second event") : std::string("tag ").append(std::to_string(tag)));
        return cursor.skip(limits_.depth);
    }
    CborItems parts;
    std::uint64_t name = 0, type = 0;
    const std::uint64_t array_at = cursor.offset();
    if (!cursor.array(parts)) return false;
    if (!parts.indefinite && parts.left < 3) return cursor.fail_at(array_at, "an array of 3");
    for (std::uint64_t* const part : {&name, &type}) {
        if (!cursor.more(parts)) return cursor.failed() ? false : cursor.fail_at(array_at, "an array of 3");
        if (!cursor.unsigned_integer(*part)) return false;
    }
    if (!cursor.more(parts)) return cursor.failed() ? false : cursor.fail_at(array_at, "an array of 3");
    const bool usual = !parts.indefinite && parts.left == 0;
    const auto prefix_size = static_cast<std::size_t>(cursor.at() - from);

    const std::optional<Decoded> decoded = value(type);
    if (cursor.failed()) return false;
    if (decoded && !take_digits(generator, name, phase, *decoded)) {
        const std::uint32_t index = column_of(generator, name, phase, *decoded, at);
        attributes_.push_back({index, decoded->cell});
        Column& column = generator.columns[index];
        constexpr std::size_t longest = sizeof column.prefix;
        // The fast path would take a mark for an attribute of the same name.
        if (usual && decoded->plain && prefix_size <= longest && !is_digits_name(name)) {
            std::array<std::byte, longest> bytes{};
            std::copy_n(from, prefix_size, bytes.begin());
            column.prefix = load_le<std::uint64_t>(bytes.data());
            column.mask = prefix_size == longest ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * prefix_size) - 1;
            column.prefix_size = static_cast<std::uint8_t>(prefix_size);
            generator.columns[previous].next = index;
        }
        previous = index;
    }
    while (cursor.more(parts))
        if (!cursor.skip(limits_.depth)) return false;
    return !cursor.failed();
}

/// Returns true if marks with digits may have this name.
bool Scan::is_digits_name(std::uint64_t name) {
    if (!folds_digits_ || digits_name_ == none) return false;
    Dictionary::Entry* const entry = dictionary_.find(name);
    return entry != nullptr && dictionary_.name_number(*entry) == digits_name_;
}

/// Adds the digits to the number before them if the attribute is the first mark with digits behind it. Returns false
/// for any other attribute.
bool Scan::take_digits(const Generator& generator, std::uint64_t name, Phase phase, const Decoded& decoded) {
    if (phase != Phase::record || decoded.decode != Decode::integer || attributes_.size() == marked_) return false;
    Attribute& number = attributes_.data()[attributes_.size() - 1];
    if (generator.columns[number.field].decode != Decode::floating || !is_digits_name(name)) return false;
    number.value += decoded.cell;
    marked_ = attributes_.size();
    return true;
}

/// Returns the number of a float, or of an integer in the place of a float. Does not move the cursor.
double Scan::float_value(const CborHead& head, std::uint64_t at) {
    if (head.info == CborHead::half_info || !head.is_float())
        tally(Check::float_form, at, "a float of 32 or 64 bits", cursor_->describe());
    if (head.is_float()) {
        if (head.info == CborHead::double_info) tally(Check::float_wide, at, "binary32", "binary64");
        return cbor_float(head);
    }
    const auto number = static_cast<double>(head.argument);
    return head.major == CborMajor::negative_integer ? -1.0 - number : number;
}

/// Reads the value at the cursor. Returns nullopt if the item at the cursor is malformed. Also returns nullopt, after a
/// finding, if the value does not have the stated type and is therefore omitted.
std::optional<Scan::Decoded> Scan::value(std::uint64_t type) {
    CborCursor& cursor = *cursor_;
    const std::uint64_t at = cursor.offset();
    CborHead head;
    if (!cursor.peek(head)) return std::nullopt;
    if (head.is_break()) {
        cursor.fail_at(at, "a value");
        return std::nullopt;
    }
    const auto leave_out = [&](Check check, std::string_view expected, const std::string& got) {
        tally(check, at, expected, got);
        cursor.skip(limits_.depth);
        return std::nullopt;
    };
    if (type >= known_values) return leave_out(Check::type_unknown, "a type from 0 to 11", std::to_string(type));
    const auto kind = static_cast<Value>(type);
    const bool natural = head.major == CborMajor::unsigned_integer;
    const bool negative = head.major == CborMajor::negative_integer;
    Decoded decoded{type_of(kind), Decode::number, head.argument, true};
    switch (kind) {
        case Value::boolean:
            decoded.decode = Decode::boolean;
            if (natural)
                tally(Check::boolean_form, at, "true or false", std::to_string(head.argument));
            else if (!head.is_boolean())
                return leave_out(Check::value_form, "a boolean", cursor.describe());
            decoded.cell = natural ? head.argument != 0 : head.info == CborHead::true_info;
            break;
        case Value::integer:
            decoded.decode = Decode::integer;
            if (!(natural || (negative && head.argument <= last_tick)))
                return leave_out(Check::value_form, "an integer of 64 bits", cursor.describe());
            if (negative) decoded.cell = ~head.argument;
            if (natural && head.argument > last_tick) {
                tally(Check::integer_large, at, "at most 2^63-1", std::to_string(head.argument));
                decoded.type = Type::u64;
                decoded.plain = false;  // the next value after the same leading bytes may be signed
            }
            break;
        case Value::unsigned_integer:
        case Value::pointer:
        case Value::time:
            if (!natural && !negative) return leave_out(Check::value_form, "an unsigned integer", cursor.describe());
            if (negative) {
                tally(Check::negative_unsigned, at, "an unsigned integer", cursor.describe());
                decoded.cell = ~head.argument;
            }
            break;
        case Value::floating:
        case Value::fixed_point:
        case Value::unsigned_fixed_point:
            decoded.decode = Decode::floating;
            if (!head.is_float() && !natural && !negative)
                return leave_out(Check::value_form, "a float", cursor.describe());
            decoded.cell = std::bit_cast<std::uint64_t>(float_value(head, at));
            break;
        case Value::enumeration:
        case Value::bit_vector:
        case Value::logic_vector:
        case Value::string: {
            decoded.decode = Decode::text;
            if (!natural) return leave_out(Check::value_form, "a key of the dictionary", cursor.describe());
            const StringId text = text_value(head.argument, at);
            if (text == none) {
                cursor.skip(limits_.depth);
                return std::nullopt;
            }
            decoded.cell = text;
            break;
        }
        case Value::nothing:
            break;
    }
    cursor.skip(limits_.depth);
    return decoded;
}

StringId Scan::text_value(std::uint64_t key, std::uint64_t at) {
    const StringId used = dictionary_.used(key);
    if (used != none) return used;
    const Dictionary::Entry* const entry = dictionary_.find(key);
    if (entry == nullptr) {
        tally(Check::text_undefined, at, "a key of the dictionary", std::to_string(key));
        return none;
    }
    if (entry->chunk > chunk_.offset) tally(Check::text_late, at, "a key that is already defined", std::to_string(key));
    const StringId text = schema_.intern(dictionary_.text(*entry));
    dictionary_.use(*entry, text);
    return text;
}

/// Returns the name id of an undefined key.
std::uint64_t Scan::number_without_name(std::uint64_t key) {
    constexpr std::uint64_t behind_names = std::uint64_t{1} << 40;
    return behind_names | without_names_.try_emplace(key, without_names_.size()).first->second;
}

std::uint32_t Scan::column_of(Generator& generator, std::uint64_t name, Phase phase, const Decoded& decoded,
                              std::uint64_t at) {
    Dictionary::Entry* const entry = dictionary_.find(name);
    const std::uint64_t number = entry != nullptr ? dictionary_.name_number(*entry) : number_without_name(name);
    const std::uint64_t key = column_key(number, phase, decoded.type);
    if (entry == nullptr) tally(Check::text_undefined, at, "a key of the dictionary", std::to_string(name));
    const auto [found, is_new] =
        generator.by_key.try_emplace(key, static_cast<std::uint32_t>(generator.columns.size()));
    if (is_new) {
        if (entry != nullptr && entry->chunk > chunk_.offset)
            tally(Check::text_late, at, "a key that is already defined", std::to_string(name));
        const std::uint32_t column = found->second;
        add_column(generator_by_id_.find(generator.id), name, phase, decoded.type, decoded.decode);
        return column;
    }
    return found->second;
}

/// Adds an attribute to a generator, behind the attributes that it has.
void Scan::add_column(std::uint32_t number, std::uint64_t name, Phase phase, Type type, Decode decode) {
    growth_.push_back({number, name, false, phase, type, decode});
    Generator& generator = generators_[number];
    generator.columns.emplace_back().decode = decode;
    ++fields_;
    check_schema_size();
    if (generator.track == none) return;
    Field field;
    field.name = dictionary_.name(name);
    field.type = type;
    field.phase = phase;
    schema_.add_attribute(generator.track, std::move(field));
}

}  // namespace hwtrace::ftr

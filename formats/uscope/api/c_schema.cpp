#include "c_schema.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "domain/conventions.hpp"
#include "domain/utf8.hpp"
#include "io/limits.hpp"
#include "io/little_endian.hpp"
#include "model/state.hpp"
#include "uscope/wire.hpp"

namespace hwtrace::uscope {

namespace {

constexpr std::uint8_t most_roles = 2;

/// Declares a C schema; stops at the first error.
class Declaration {
public:
    Declaration(const uscope_schema_t& from, Schema& to, ErrorText& error) : from_(from), to_(to), error_(error) {}

    bool run(const uscope_dut_desc_t* dut) {
        return declare_clocks() && declare_scopes() && declare_enums() && declare_storages() && declare_events() &&
               declare_summary_fields() && (dut == nullptr || declare_properties(*dut));
    }

private:
    [[gnu::format(printf, 2, 3)]] bool wrong(const char* format, ...) {
        std::va_list arguments;
        va_start(arguments, format);
        error_.set_list(USCOPE_ERROR_SCHEMA, format, arguments);
        va_end(arguments);
        return false;
    }

    /// Checks that `count` is at most `most`, and that the array is not NULL unless `count` is 0. `what` names the
    /// objects in the plural, such as "clocks".
    bool are_there(const void* array, std::size_t count, std::size_t most, const char* what) {
        if (count > most) return wrong("%zu %s; a file holds at most %zu", count, what, most);
        if (count != 0 && array == nullptr) return wrong("%zu %s, but the array is NULL", count, what);
        return true;
    }

    bool is_text(const char* text, const char* what, std::size_t number) {
        if (text == nullptr) return wrong("%s %zu has no name", what, number);
        if (!is_pool_text(text)) return wrong("the name of %s %zu is not UTF-8", what, number);
        return true;
    }

    bool is_scope(std::uint16_t scope, const char* what, std::size_t number) {
        if (scope < to_.scopes().size() || scope == USCOPE_NO_SCOPE) return true;
        return wrong("%s %zu (%s) belongs to scope %d, which does not exist (count: %zu)", what, number, name_,
                     int{scope}, to_.scopes().size());
    }

    bool declare_clocks() {
        if (!are_there(from_.clocks, from_.num_clocks, most_small, "clocks")) return false;
        if (from_.num_clocks == 0) return wrong("no clock; a schema needs at least one");
        for (std::size_t i = 0; i < from_.num_clocks; ++i) {
            const uscope_clock_t& clock = from_.clocks[i];
            if (!is_text(clock.name, "clock", i)) return false;
            to_.declare(Clock{clock.name, clock.period_ps});
        }
        return true;
    }

    bool declare_scopes() {
        if (!are_there(from_.scopes, from_.num_scopes, most_objects, "scopes")) return false;
        if (from_.num_scopes == 0) to_.declare(Scope{"/", none, "", 0});
        for (std::size_t i = 0; i < from_.num_scopes; ++i) {
            const uscope_scope_t& scope = from_.scopes[i];
            if (!is_text(scope.name, "scope", i)) return false;
            if (scope.protocol != nullptr && !is_pool_text(scope.protocol))
                return wrong("the protocol of scope %zu (%s) is not UTF-8", i, scope.name);
            if (i != 0 && scope.parent >= i)
                return wrong("scope %zu (%s) has parent %d; a parent must precede its children", i, scope.name,
                             int{scope.parent});
            if (scope.clock != USCOPE_INHERIT_CLOCK && scope.clock >= from_.num_clocks)
                return wrong("scope %zu (%s) has clock %d, which does not exist (count: %zu)", i, scope.name,
                             int{scope.clock}, from_.num_clocks);
            Scope copy{scope.name, i == 0 ? none : ScopeId{scope.parent},
                       scope.protocol == nullptr ? "" : scope.protocol,
                       scope.clock == USCOPE_INHERIT_CLOCK ? none : ClockId{scope.clock}};
            to_.declare(std::move(copy));
        }
        return true;
    }

    bool declare_enums() {
        if (!are_there(from_.enums, from_.num_enums, most_small, "enums")) return false;
        for (std::size_t i = 0; i < from_.num_enums; ++i) {
            const uscope_enum_t& from = from_.enums[i];
            if (!is_text(from.name, "enum", i) ||
                !are_there(from.values, from.num_values, most_small, "values of an enum"))
                return false;
            Enum copy{from.name, {}};
            for (std::size_t value = 0; value < from.num_values; ++value) {
                if (!is_text(from.values[value].name, "a value of an enum: value", value)) return false;
                copy.values.push_back({from.values[value].value, from.values[value].name});
            }
            to_.declare(std::move(copy));
        }
        return true;
    }

    bool declare_fields(const uscope_field_t* fields, std::size_t count, const char* what, std::vector<Field>& to) {
        if (!are_there(fields, count, most_objects, what)) return false;
        for (std::size_t i = 0; i < count; ++i) {
            const uscope_field_t& from = fields[i];
            if (from.name == nullptr || !is_pool_text(from.name))
                return wrong("%s: %s: number %zu has no UTF-8 name", name_, what, i);
            const std::optional<Type> type = type_of(from.type);
            if (!type) return wrong("%s.%s has type %d; types are 1 to 11", name_, from.name, int{from.type});
            Field field;
            field.name = from.name;
            field.type = *type;
            if (*type == Type::enumeration) {
                if (from.enum_id >= from_.num_enums)
                    return wrong("%s.%s has enum %d, which does not exist (count: %zu)", name_, from.name,
                                 int{from.enum_id}, from_.num_enums);
                field.enumeration = from.enum_id;
            }
            if (from.role > most_roles)
                return wrong("%s.%s has role %d; roles are 0 to 2", name_, from.name, int{from.role});
            field.role = from.role;
            field.pair = from.pair;
            to.push_back(std::move(field));
        }
        return true;
    }

    bool declare_storages() {
        if (!are_there(from_.storages, from_.num_storages, most_objects, "storages")) return false;
        for (std::size_t i = 0; i < from_.num_storages; ++i) {
            const uscope_storage_t& from = from_.storages[i];
            if (!is_text(from.name, "storage", i)) return false;
            name_ = from.name;
            if (!is_scope(from.scope, "storage", i)) return false;
            if (from.num_slots > most_objects)
                return wrong("storage %zu (%s) has %u slots; the maximum is %zu", i, name_, from.num_slots,
                             most_objects);
            if ((from.flags & ~(storage_sparse | storage_buffer)) != 0)
                return wrong("storage %zu (%s) has flags %d; only bits 0 and 1 are defined", i, name_, int{from.flags});
            Track track;
            track.kind = Track::Kind::storage;
            track.name = from.name;
            track.scope = from.scope == USCOPE_NO_SCOPE ? none : ScopeId{from.scope};
            track.time = picoseconds;
            track.slots = from.num_slots;
            track.sparse = (from.flags & storage_sparse) != 0;
            track.buffer = (from.flags & storage_buffer) != 0;
            if (!declare_fields(from.fields, from.num_fields, "fields", track.fields) ||
                !declare_fields(from.properties, from.num_properties, "properties", track.properties))
                return false;
            to_.declare(std::move(track));
        }
        return true;
    }

    bool declare_events() {
        if (!are_there(from_.events, from_.num_events, most_objects, "event types")) return false;
        for (std::size_t i = 0; i < from_.num_events; ++i) {
            const uscope_event_type_t& from = from_.events[i];
            if (!is_text(from.name, "event type", i)) return false;
            name_ = from.name;
            if (!is_scope(from.scope, "event type", i)) return false;
            Track track;
            track.kind = Track::Kind::event_type;
            track.name = from.name;
            track.scope = from.scope == USCOPE_NO_SCOPE ? none : ScopeId{from.scope};
            track.time = picoseconds;
            if (!declare_fields(from.fields, from.num_fields, "fields", track.fields)) return false;
            to_.declare(std::move(track));
        }
        return true;
    }

    bool declare_summary_fields() {
        if (!are_there(from_.summary_fields, from_.num_summary_fields, most_objects, "summary fields")) return false;
        for (std::size_t i = 0; i < from_.num_summary_fields; ++i) {
            const uscope_summary_field_t& from = from_.summary_fields[i];
            if (!is_text(from.name, "summary field", i)) return false;
            name_ = from.name;
            if (!is_scope(from.scope, "summary field", i)) return false;
            if (!type_of(from.type)) return wrong("summary field %zu (%s) has type %d", i, name_, int{from.type});
            std::string value = std::to_string(from.scope);
            value.append(" ").append(std::to_string(int{from.type})).append(" ").append(from.name);
            to_.describe(std::string(summary_field_key), std::move(value));
        }
        return true;
    }

    bool declare_properties(const uscope_dut_desc_t& dut) {
        if (!are_there(dut.properties, dut.num_properties, most_objects, "DUT properties")) return false;
        for (std::size_t i = 0; i < dut.num_properties; ++i) {
            const uscope_dut_property_t& from = dut.properties[i];
            if (!is_text(from.key, "DUT property", i)) return false;
            if (from.value == nullptr) return wrong("DUT property %s has no value", from.key);
            if (const std::size_t size = std::strlen(from.value); size > Limits{}.string)
                return wrong("the value of DUT property %s has %zu bytes; the maximum is %llu", from.key, size,
                             static_cast<unsigned long long>(Limits{}.string));
            if (!is_utf8(from.value)) return wrong("the value of DUT property %s is not UTF-8", from.key);
            if (std::string_view(from.key).starts_with(own_prefix))
                return wrong("DUT property %s: keys that begin with uscope. are reserved for the format", from.key);
            to_.describe(from.key, from.value);
        }
        return true;
    }

    const uscope_schema_t& from_;
    Schema& to_;
    ErrorText& error_;
    const char* name_ = "";  // name of the storage or event being declared
};

std::uint8_t c_type(Type type) noexcept {
    return static_cast<std::uint8_t>(field_type(type).value_or(FieldType::u64));
}

/// Returns the size of a packed field in bytes (4.3); 0 for an unknown type.
std::size_t width_of(std::uint8_t code) noexcept {
    const std::optional<Type> type = type_of(code);
    return type ? slot_width(*type) : 0;
}

template <typename Element>
int index_of(std::span<const Element> elements, const char* name) noexcept {
    if (name == nullptr) return -1;
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (elements[i].name != nullptr && std::strcmp(elements[i].name, name) == 0) return static_cast<int>(i);
    return -1;
}

template <typename Element>
std::span<const Element> array(const Element* elements, std::size_t count) noexcept {
    return {elements, elements == nullptr ? 0 : count};
}

}  // namespace

bool declare(const uscope_schema_t& schema, const uscope_dut_desc_t* dut, Schema& to, ErrorText& error) {
    return Declaration(schema, to, error).run(dut);
}

bool is_signed(Type type) noexcept {
    return type == Type::i8 || type == Type::i16 || type == Type::i32 || type == Type::i64;
}

std::uint64_t cell_of(const std::byte* at, std::size_t width, bool extends) noexcept {
    switch (width) {
        case 1:
            return extends ? static_cast<std::uint64_t>(std::int64_t{load_le<std::int8_t>(at)})
                           : load_le<std::uint8_t>(at);
        case 2:
            return extends ? static_cast<std::uint64_t>(std::int64_t{load_le<std::int16_t>(at)})
                           : load_le<std::uint16_t>(at);
        case 4:
            return extends ? static_cast<std::uint64_t>(std::int64_t{load_le<std::int32_t>(at)})
                           : load_le<std::uint32_t>(at);
        default:
            return load_le<std::uint64_t>(at);
    }
}

CSchema::CSchema(const Schema& schema, const Preamble& preamble) {
    for (const Clock& clock : schema.clocks())
        clocks_.push_back({clock.name.c_str(), static_cast<std::uint32_t>(clock.period_ps)});
    for (const ScopeId id : preamble.scope_ids) {
        const Scope& scope = schema.scopes()[id];
        scopes_.push_back(
            {scope.name.c_str(), preamble.number_of(scope.parent),
             scope.protocol.empty() ? nullptr : scope.protocol.c_str(),
             scope.clock == none ? std::uint8_t{USCOPE_INHERIT_CLOCK} : static_cast<std::uint8_t>(scope.clock)});
    }
    for (const Enum& enumeration : schema.enums()) {
        auto& values = values_.emplace_back();
        for (const EnumValue& value : enumeration.values)
            values.push_back({static_cast<std::uint8_t>(value.value), value.name.c_str()});
        enums_.push_back({enumeration.name.c_str(), values.data(), values.size()});
    }
    for (std::size_t id = 0; id < preamble.storages + preamble.events; ++id) {
        const Track& track = schema.tracks()[id];
        if (id >= preamble.storages) {
            events_.push_back(
                {track.name.c_str(), preamble.number_of(track.scope), add(track.fields), track.fields.size()});
            continue;
        }
        const unsigned flags = (track.sparse ? storage_sparse : 0u) | (track.buffer ? storage_buffer : 0u);
        storages_.push_back({track.name.c_str(), track.slots, static_cast<std::uint16_t>(flags),
                             preamble.number_of(track.scope), add(track.fields), track.fields.size(),
                             add(track.properties), track.properties.size()});
    }
    for (const SummaryField& field : preamble.summary_fields)
        summary_fields_.push_back({field.name.c_str(), field.type, preamble.number_of(field.scope)});
    // The metadata of the schema begins with one entry for each DUT property, in order.
    for (std::size_t i = 0; i < preamble.properties.size(); ++i)
        properties_.push_back({schema.metadata()[i].key.c_str(), schema.metadata()[i].value.c_str()});

    schema_ = {clocks_.data(), clocks_.size(), scopes_.data(),         scopes_.size(),
               enums_.data(),  enums_.size(),  storages_.data(),       storages_.size(),
               events_.data(), events_.size(), summary_fields_.data(), summary_fields_.size()};
    dut_ = {properties_.data(), properties_.size()};
}

void CSchema::show_long_texts(const Schema& schema, const Preamble& preamble) {
    auto found = schema.metadata().begin() + static_cast<std::ptrdiff_t>(properties_.size());
    for (std::size_t i = 0; i < preamble.properties.size(); ++i) {
        std::string_view key = preamble.properties[i].key;
        if (!key.starts_with(conventions::long_text_prefix)) continue;
        key.remove_prefix(conventions::long_text_prefix.size());
        // Long values were appended in the order of the properties.
        const auto text =
            std::find_if(found, schema.metadata().end(), [key](const Metadata& m) { return m.key == key; });
        if (text == schema.metadata().end()) continue;
        properties_[i] = {text->key.c_str(), text->value.c_str()};
        found = text + 1;
    }
}

const uscope_field_t* CSchema::add(const std::vector<Field>& fields) {
    auto& list = fields_.emplace_back();
    for (const Field& field : fields)
        list.push_back(
            {field.name.c_str(), c_type(field.type),
             field.type == Type::enumeration ? static_cast<std::uint8_t>(field.enumeration) : std::uint8_t{0},
             field.role, field.pair});
    return list.data();
}

}  // namespace hwtrace::uscope

using namespace hwtrace;
using namespace hwtrace::uscope;

extern "C" {

int uscope_find_storage(const uscope_schema_t* schema, const char* name) {
    return schema == nullptr ? -1 : index_of(array(schema->storages, schema->num_storages), name);
}

int uscope_find_event(const uscope_schema_t* schema, const char* name) {
    return schema == nullptr ? -1 : index_of(array(schema->events, schema->num_events), name);
}

int uscope_find_field(const uscope_field_t* fields, size_t num_fields, const char* name) {
    return index_of(array(fields, num_fields), name);
}

size_t uscope_payload_size(const uscope_event_type_t* type) {
    std::size_t size = 0;
    if (type == nullptr) return size;
    for (const uscope_field_t& field : array(type->fields, type->num_fields))
        size += width_of(field.type);
    return size;
}

uint64_t uscope_payload_field(const uscope_event_type_t* type, const void* payload, size_t field) {
    if (type == nullptr || payload == nullptr || type->fields == nullptr || field >= type->num_fields) return 0;
    const auto* at = static_cast<const std::byte*>(payload);
    for (const uscope_field_t& before : std::span(type->fields, field))
        at += width_of(before.type);
    const std::optional<Type> of = type_of(type->fields[field].type);
    return of ? cell_of(at, slot_width(*of), is_signed(*of)) : 0;
}

}  // extern "C"

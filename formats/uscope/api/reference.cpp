// formats/uscope/api/reference.cpp - the functions of the reference's C library, on top of the C writer.
#include "hwtrace/reference/uscope_dpi.h"

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "declarations.hpp"
#include "uscope/api/error_text.hpp"
#include "uscope/api/handles.hpp"

struct uscope_schema : hwtrace::uscope::Handle<hwtrace::uscope::Declarations> {};

namespace hwtrace::uscope {
namespace {

/// Calls `add` with the objects of an open schema and returns the new id. Returns the largest id on failure.
template <typename Id, typename Add>
Id added(uscope_schema_def_t* s, const char* where, const void* name, Add add) noexcept {
    constexpr Id failed = std::numeric_limits<Id>::max();
    if (s == nullptr || s->body == nullptr || name == nullptr) {
        last_error().set(USCOPE_ERROR_NULL, "%s: the %s is missing", where, name == nullptr ? "name" : "schema");
        return failed;
    }
    try {
        const std::size_t id = add(*s->body) - 1;
        if (id < failed) return static_cast<Id>(id);
        last_error().set(USCOPE_ERROR_SCHEMA, "%s: too many objects", where);
    } catch (...) {
        last_error() = current_exception_text(where);
    }
    return failed;
}

/// Returns the fields that parallel arrays describe. Only `enums`, `roles` and `pairs` may be null.
std::vector<uscope_field_t> fields_of(Declarations& all, std::size_t count, const char** names,
                                      const std::uint8_t* types, const std::uint8_t* enums,
                                      const std::uint8_t* roles = nullptr, const std::uint8_t* pairs = nullptr) {
    const auto at = [](const std::uint8_t* array, std::size_t i) {
        return array == nullptr ? std::uint8_t{0} : array[i];
    };
    std::vector<uscope_field_t> fields;
    for (std::size_t i = 0; i < count; ++i)
        fields.push_back({all.keep(names[i]), types[i], at(enums, i), at(roles, i), at(pairs, i)});
    return fields;
}

}  // namespace
}  // namespace hwtrace::uscope

using namespace hwtrace::uscope;

extern "C" {

uscope_schema_def_t* uscope_ref_schema_new(void) {
    try {
        return handles_of<uscope_schema_def_t>().open(std::make_shared<Declarations>());
    } catch (...) {
        last_error() = current_exception_text("uscope_schema_new");
        return nullptr;
    }
}

void uscope_ref_schema_free(uscope_schema_def_t* s) {
    if (s != nullptr && s->body != nullptr) handles_of<uscope_schema_def_t>().close(*s);
}

uint8_t uscope_ref_schema_add_clock(uscope_schema_def_t* s, const char* name, uint32_t period_ps) {
    return added<std::uint8_t>(s, "uscope_schema_add_clock", name, [=](Declarations& all) {
        all.clocks.push_back({all.keep(name), period_ps});
        return all.clocks.size();
    });
}

uint16_t uscope_ref_schema_add_scope(uscope_schema_def_t* s, const char* name, uint16_t parent, const char* protocol,
                                     uint8_t clock_id) {
    return added<std::uint16_t>(s, "uscope_schema_add_scope", name, [=](Declarations& all) {
        all.scopes.push_back({all.keep(name), parent, protocol == nullptr ? nullptr : all.keep(protocol), clock_id});
        return all.scopes.size();
    });
}

uint8_t uscope_ref_schema_add_enum(uscope_schema_def_t* s, const char* name, const char** values, uint8_t count) {
    return added<std::uint8_t>(s, "uscope_schema_add_enum", name, [=](Declarations& all) {
        std::vector<uscope_enum_value_t> named;
        for (std::uint8_t i = 0; i < count; ++i)
            named.push_back({i, all.keep(values[i])});
        all.values.push_back(std::move(named));
        all.enums.push_back({all.keep(name), nullptr, 0});
        return all.enums.size();
    });
}

uint16_t uscope_ref_schema_add_storage(uscope_schema_def_t* s, const char* name, uint16_t scope_id, uint16_t num_slots,
                                       uint16_t flags, uint16_t num_fields, const char** field_names,
                                       const uint8_t* field_types, const uint8_t* field_enum_ids) {
    return uscope_ref_schema_add_storage_with_properties(s, name, scope_id, num_slots, flags, num_fields, field_names,
                                                         field_types, field_enum_ids, 0, nullptr, nullptr, nullptr,
                                                         nullptr, nullptr);
}

uint16_t uscope_ref_schema_add_storage_with_properties(uscope_schema_def_t* s, const char* name, uint16_t scope_id,
                                                       uint16_t num_slots, uint16_t flags, uint16_t num_fields,
                                                       const char** field_names, const uint8_t* field_types,
                                                       const uint8_t* field_enum_ids, uint16_t num_properties,
                                                       const char** prop_names, const uint8_t* prop_types,
                                                       const uint8_t* prop_enum_ids, const uint8_t* prop_roles,
                                                       const uint8_t* prop_pair_ids) {
    return added<std::uint16_t>(s, "uscope_schema_add_storage", name, [=](Declarations& all) {
        auto fields = fields_of(all, num_fields, field_names, field_types, field_enum_ids);
        auto properties =
            fields_of(all, num_properties, prop_names, prop_types, prop_enum_ids, prop_roles, prop_pair_ids);
        all.storages.push_back({all.keep(name), num_slots, flags, scope_id, nullptr, 0, nullptr, 0});
        all.fields.push_back(std::move(fields));
        all.properties.push_back(std::move(properties));
        return all.storages.size();
    });
}

uint16_t uscope_ref_schema_add_event(uscope_schema_def_t* s, const char* name, uint16_t scope_id, uint16_t num_fields,
                                     const char** field_names, const uint8_t* field_types,
                                     const uint8_t* field_enum_ids) {
    return added<std::uint16_t>(s, "uscope_schema_add_event", name, [=](Declarations& all) {
        auto fields = fields_of(all, num_fields, field_names, field_types, field_enum_ids);
        all.events.push_back({all.keep(name), scope_id, nullptr, 0});
        all.event_fields.push_back(std::move(fields));
        return all.events.size();
    });
}

uscope_writer_t* uscope_ref_writer_open(const char* path, const uscope_dut_property_t* props, uint16_t num_props,
                                        uscope_schema_def_t* schema, uint64_t checkpoint_interval_ps) {
    if (schema == nullptr || schema->body == nullptr) {
        last_error().set(USCOPE_ERROR_NULL, "uscope_writer_open: the schema is missing");
        return nullptr;
    }
    uscope_writer_t* writer = nullptr;
    try {
        const uscope_dut_desc_t dut{props, props == nullptr ? std::size_t{0} : num_props};
        const uscope_schema_t whole = schema->body->schema();
        writer = uscope_writer_open_with(path, &dut, &whole, checkpoint_interval_ps, nullptr);
    } catch (...) {
        last_error() = current_exception_text("uscope_writer_open");
    }
    uscope_ref_schema_free(schema);
    return writer;
}

void uscope_ref_writer_close(uscope_writer_t* w) {
    uscope_writer_close(w);
}

void uscope_ref_begin_cycle(uscope_writer_t* w, uint64_t time_ps) {
    uscope_begin_cycle(w, time_ps);
}

void uscope_ref_slot_set(uscope_writer_t* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value) {
    uscope_slot_set(w, storage_id, slot, field, value);
}

void uscope_ref_slot_clear(uscope_writer_t* w, uint16_t storage_id, uint16_t slot) {
    uscope_slot_clear(w, storage_id, slot);
}

void uscope_ref_slot_add(uscope_writer_t* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value) {
    uscope_slot_add(w, storage_id, slot, field, value);
}

void uscope_ref_prop_set(uscope_writer_t* w, uint16_t storage_id, uint16_t prop_index, uint64_t value) {
    uscope_prop_set(w, storage_id, prop_index, value);
}

void uscope_ref_event(uscope_writer_t* w, uint16_t event_type_id, const void* payload, uint32_t payload_size) {
    uscope_event_sized(w, event_type_id, payload, payload_size);
}

void uscope_ref_end_cycle(uscope_writer_t* w) {
    uscope_end_cycle(w);
}

uint32_t uscope_ref_string_insert(uscope_writer_t* w, const char* str) {
    return static_cast<std::uint32_t>(uscope_string(w, str));
}

}  // extern "C"

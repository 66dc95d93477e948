// formats/uscope/api/declarations.hpp - collects the objects of a C schema one by one.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "hwtrace/uscope.h"

namespace hwtrace::uscope {

/// The objects of a trace that is not open yet, with copies of their names.
struct Declarations {
    std::deque<std::string> names;
    std::vector<uscope_clock_t> clocks;
    std::vector<uscope_scope_t> scopes;
    std::vector<uscope_enum_t> enums;
    std::vector<std::vector<uscope_enum_value_t>> values;  ///< by enum
    std::vector<uscope_storage_t> storages;
    std::vector<std::vector<uscope_field_t>> fields, properties;  ///< by storage
    std::vector<uscope_event_type_t> events;
    std::vector<std::vector<uscope_field_t>> event_fields;  ///< by event type
    std::vector<uscope_dut_property_t> dut_properties;

    /// Copies a string; null becomes "". The copy lives as long as this object.
    const char* keep(const char* text) { return names.emplace_back(text == nullptr ? "" : text).c_str(); }
    /// Returns everything as a schema, which is valid until the next change. Adds a clock if there is none.
    uscope_schema_t schema();
    uscope_dut_desc_t dut() const noexcept { return {dut_properties.data(), dut_properties.size()}; }
};

}  // namespace hwtrace::uscope

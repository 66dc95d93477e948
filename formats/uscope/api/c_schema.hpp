// formats/uscope/api/c_schema.hpp - converts schemas and DUT descriptors between C and the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "error_text.hpp"
#include "hwtrace/uscope.h"
#include "model/schema.hpp"
#include "uscope/preamble.hpp"

namespace hwtrace::uscope {

/// Declares everything in `to`, which must be empty: storages are its first tracks, events follow. Returns false, with
/// the reason in `error`, if a µScope file cannot hold it.
bool declare(const uscope_schema_t& schema, const uscope_dut_desc_t* dut, Schema& to, ErrorText& error);

/// Returns true if cells of the type are sign-extended.
bool is_signed(Type type) noexcept;
/// Returns `width` (1, 2, 4 or 8) packed bytes as a cell, sign-extended if `extends`.
std::uint64_t cell_of(const std::byte* at, std::size_t width, bool extends) noexcept;

/// A schema of the model in C structures. Names point into the Schema, which must outlive this object.
class CSchema {
public:
    /// `preamble` states how many storages, events and DUT properties `schema` has.
    CSchema(const Schema& schema, const Preamble& preamble);
    CSchema(const CSchema&) = delete;
    CSchema& operator=(const CSchema&) = delete;

    /// Fills in the long values of DUT properties. Must be called when the file is closed during reading.
    void show_long_texts(const Schema& schema, const Preamble& preamble);

    const uscope_schema_t& schema() const noexcept { return schema_; }
    const uscope_dut_desc_t& dut() const noexcept { return dut_; }

private:
    const uscope_field_t* add(const std::vector<Field>& fields);

    std::vector<uscope_clock_t> clocks_;
    std::vector<uscope_scope_t> scopes_;
    std::deque<std::vector<uscope_enum_value_t>> values_;
    std::vector<uscope_enum_t> enums_;
    std::deque<std::vector<uscope_field_t>> fields_;
    std::vector<uscope_storage_t> storages_;
    std::vector<uscope_event_type_t> events_;
    std::vector<uscope_summary_field_t> summary_fields_;
    std::vector<uscope_dut_property_t> properties_;
    uscope_schema_t schema_{};
    uscope_dut_desc_t dut_{};
};

}  // namespace hwtrace::uscope

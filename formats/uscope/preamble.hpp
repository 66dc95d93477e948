// formats/uscope/preamble.hpp - reads (preamble.cpp) and writes (preamble_writer.cpp) everything before the first
// segment: header, DUT properties, schema and configuration.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/findings.hpp"
#include "codec/settings.hpp"
#include "io/appender.hpp"
#include "io/input.hpp"
#include "model/schema.hpp"
#include "string_pool.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

/// A DUT property (3.1).
struct Property {
    std::string key, value;
};

/// A declared summary field (4.8). No known tool writes values for it.
struct SummaryField {
    std::uint16_t scope = no_scope;  ///< ScopeId in the schema
    std::uint8_t type = 0;
    std::string name;
};

/// The contents of a preamble, except the file header and the schema.
struct Preamble {
    std::vector<Property> properties;
    std::vector<SummaryField> summary_fields;
    std::uint64_t checkpoint_interval = 0;     ///< ps
    std::size_t storages = 0, events = 0;      ///< numbers of storages and events, the first tracks of the schema
    std::uint64_t end = 0;                     ///< file offset after the last chunk
    bool old_structures = false;               ///< storage headers of 12 bytes, as 0.1 and 0.2 wrote them
    std::uint64_t first_scope = 0;             ///< file offset of the first scope structure
    std::vector<ScopeId> scope_ids;            ///< by scope number in the file
    std::vector<std::uint16_t> scope_numbers;  ///< scope numbers in the file, by ScopeId (the schema has parents first)
    std::vector<std::uint64_t> track_offsets;  ///< file offsets of the structures: storages, then events
    std::optional<std::uint64_t> config_at;    ///< file offset of the checkpoint interval

    /// Returns the file offset of a scope's structure.
    std::uint64_t scope_offset(ScopeId scope) const noexcept { return first_scope + number_of(scope) * scope_size; }
    /// Returns the number of a scope in the file. If no file was read, returns the ScopeId. Returns no_scope for
    /// `none`.
    std::uint16_t number_of(ScopeId scope) const noexcept {
        if (scope == none) return no_scope;
        return scope < scope_numbers.size() ? scope_numbers[scope] : static_cast<std::uint16_t>(scope);
    }
};

/// Reads header and chunks. Declares clocks, scopes, enums, storages and events in `schema` in file order, except that
/// scopes follow their parents. Reports a finding and throws Failure::input if the trace cannot be read: the
/// header is missing, the version or the compression method is unknown, or the schema is broken.
Preamble read_preamble(const Input& input, const Settings& settings, Findings& findings, FileHeader& header,
                       Schema& schema);

/// Returns true if the file may become a µScope trace, but its header or preamble is not complete yet.
bool is_too_young(const Input& input);

/// Adds every name of `schema` and of the summary fields to the pool.
void add_names(const Schema& schema, const Preamble& preamble, StringPool& pool);

/// Appends the chunks DUT, SCHEMA, CONFIG and END, whose size is a multiple of 8. The tracks of `schema` must be
/// preamble.storages storages, then preamble.events events. `out` must begin at a file offset divisible by 8.
void encode_preamble(const Schema& schema, const Preamble& preamble, Appender& out);

}  // namespace hwtrace::uscope

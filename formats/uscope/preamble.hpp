// formats/uscope/preamble.hpp - what stands before the first segment: header, DUT properties, schema, configuration.
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
#include "model/hash.hpp"
#include "model/schema.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

/// A DUT property (spec/uscope.txt 3.1).
struct Property {
    std::string key, value;
};

/// A declared summary field (4.8). No known tool gives it values.
struct SummaryField {
    std::uint16_t scope = no_scope;  ///< in the schema
    std::uint8_t type = 0;
    std::string name;
};

/// Everything a preamble says, besides the file header.
struct Preamble {
    std::vector<Property> properties;
    std::vector<SummaryField> summary_fields;
    std::uint64_t checkpoint_interval = 0;     ///< ps
    std::size_t storages = 0, events = 0;      ///< tracks 0 to storages - 1, then events tracks, in the schema
    std::uint64_t end = 0;                     ///< file offset behind the last chunk
    bool old_structures = false;               ///< storage headers of 12 bytes, as 0.1 and 0.2 wrote them
    std::uint64_t first_scope = 0;             ///< file offset of the scopes' structures
    std::vector<ScopeId> scope_ids;            ///< in the schema, by their numbers in the file
    std::vector<std::uint16_t> scope_numbers;  ///< in the file, by their ids in the schema: parents stand first there
    std::vector<std::uint64_t> track_offsets;  ///< of the structures of storages, then events, in the file
    std::optional<std::uint64_t> config_at;    ///< file offset of the checkpoint interval

    /// File offset of a scope's structure.
    std::uint64_t scope_offset(ScopeId scope) const noexcept { return first_scope + number_of(scope) * scope_size; }
    /// The number of a scope of the schema in the file that was read; itself where none was. `none` has no_scope.
    std::uint16_t number_of(ScopeId scope) const noexcept {
        if (scope == none) return no_scope;
        return scope < scope_numbers.size() ? scope_numbers[scope] : static_cast<std::uint16_t>(scope);
    }
};

/// Reads header and chunks and declares clocks, scopes, enums, storages and events in `schema`, in file order, but
/// scopes behind their parents. Throws
/// Failure::input, after a finding, where nothing behind can be understood: no header, an unknown version or method, a
/// broken schema.
Preamble read_preamble(const Input& input, const Settings& settings, Findings& findings, FileHeader& header,
                       Schema& schema);

/// Whether a file that is still being written may become a µScope trace, but lacks a part of its header or preamble.
bool is_too_young(const Input& input);

/// NUL-terminated strings, equal ones shared (1.3).
class StringPool {
public:
    /// The offset of `text`, which is added when it is new. Throws Failure::usage when the pool would grow too large.
    std::uint16_t offset(std::string_view text);
    /// Whether `text` is there or has room.
    bool fits(std::string_view text) const;
    std::string_view bytes() const noexcept { return bytes_; }

private:
    std::string bytes_;
    HashMap<std::string, std::uint16_t> offsets_;
};

/// Puts every name of `schema` and of the summary fields into the pool.
void add_names(const Schema& schema, const Preamble& preamble, StringPool& pool);

/// Appends the chunks DUT, SCHEMA, CONFIG and END (8-aligned at the end). `schema` has only what µScope can hold: its
/// tracks are preamble.storages storages, then preamble.events events. `out` begins at a file offset divisible by 8.
void encode_preamble(const Schema& schema, const Preamble& preamble, Appender& out);

/// What the pool can hold: well-formed UTF-8 without NUL.
bool is_pool_text(std::string_view text) noexcept;

}  // namespace hwtrace::uscope

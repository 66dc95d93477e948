// formats/uscope/schema_reader.hpp - reads the structures of a SCHEMA chunk: clocks, scopes, enums, storages, events
// and summary fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "codec/findings.hpp"
#include "io/cursor.hpp"
#include "model/schema.hpp"
#include "preamble.hpp"
#include "string_pool.hpp"

namespace hwtrace::uscope {

inline constexpr std::size_t enum_entry_size = 4;

/// The header of a schema chunk: the numbers of its structures and the offset of the string pool.
struct SchemaCounts {
    std::uint8_t enums, clocks;
    std::uint16_t scopes, storages, events, summary_fields, pool_offset;

    explicit SchemaCounts(Cursor& at)
        : enums(at.le<std::uint8_t>()),
          clocks(at.le<std::uint8_t>()),
          scopes(at.le<std::uint16_t>()),
          storages(at.le<std::uint16_t>()),
          events(at.le<std::uint16_t>()),
          summary_fields(at.le<std::uint16_t>()),
          pool_offset(at.le<std::uint16_t>()) {}
};

/// Returns the end of a schema's structures, assuming storage headers of `storage_header` bytes. Returns nullopt if the
/// structures exceed `payload`.
std::optional<std::size_t> structures_end(std::span<const std::byte> payload, std::size_t storage_header);

/// Declares the objects of the schema chunk `structures`, which begins at byte `base` of the file, in `schema`. Scopes
/// are declared after their parents. Describes their places in `preamble`, whose `old_structures` must be set.
/// The structures must have been checked to fit (structures_end).
void read_structures(std::span<const std::byte> structures, std::uint64_t base, PoolReader& pool, Findings& findings,
                     Schema& schema, Preamble& preamble);

}  // namespace hwtrace::uscope

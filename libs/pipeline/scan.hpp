// pipeline/scan.hpp - reads a whole trace and counts: what validate and info need.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "codec/reader.hpp"
#include "pipeline/convert.hpp"

namespace hwtrace {

/// Of all records but those that a part only states again (record_restated).
struct ScanCounts {
    std::array<std::uint64_t, 10> records_by_kind{};  ///< indexed by Kind
    std::uint64_t records = 0;
    /// The smallest time, and the largest time or end of an interval (at most the last Tick), in the tracks' ticks.
    std::optional<Tick> first_time, last_time;

    std::uint64_t of(Kind kind) const noexcept { return records_by_kind[static_cast<std::size_t>(kind)]; }
};

/// Is shown every batch.
using BatchListener = std::function<void(const Batch&)>;

/// Reads to the end. Findings go where the reader was told.
ScanCounts scan(Reader& reader, const ProgressListener& progress = {}, const BatchListener& listener = {});

}  // namespace hwtrace

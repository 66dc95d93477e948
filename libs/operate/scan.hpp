// operate/scan.hpp - reads a whole trace and counts its records, for validate and info.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "codec/reader.hpp"
#include "convert/convert.hpp"

namespace hwtrace {

/// Counts of a trace. Records that only repeat earlier state at the start of a slice (record_restated) are not counted.
struct ScanCounts {
    std::array<std::uint64_t, 10> records_by_kind{};  ///< indexed by Kind
    std::uint64_t records = 0;
    /// The smallest time, and the largest time or interval end (at most the last Tick), in the tracks' ticks.
    std::optional<Tick> first_time, last_time;

    /// Adds the records of a batch.
    void add(const Batch& batch);
    /// Adds the counts of another part of the trace.
    void add(const ScanCounts& more);
    /// Returns the number of records of a kind.
    std::uint64_t of(Kind kind) const noexcept { return records_by_kind[static_cast<std::size_t>(kind)]; }
};

/// Called with every batch.
using BatchListener = std::function<void(const Batch&)>;

/// Reads to the end and returns the counts. Findings are added to the Findings with which the reader was opened.
ScanCounts scan(Reader& reader, const ProgressListener& progress = {}, const BatchListener& listener = {});

}  // namespace hwtrace

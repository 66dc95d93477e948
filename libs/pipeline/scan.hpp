// pipeline/scan.hpp - reads a whole trace and counts: what validate and info need.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "codec/reader.hpp"
#include "pipeline/convert.hpp"

namespace hwtrace {

struct ScanCounts {
    std::array<std::uint64_t, 10> records_by_kind{};  ///< indexed by Kind
    std::uint64_t records = 0;
    std::optional<Tick> first_time, last_time;  ///< smallest and largest time, in the tracks' ticks

    std::uint64_t of(Kind kind) const noexcept { return records_by_kind[static_cast<std::size_t>(kind)]; }
};

/// Reads to the end. Findings go where the reader was told.
ScanCounts scan(Reader& reader, const ProgressListener& progress = {});

}  // namespace hwtrace

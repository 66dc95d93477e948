// codec/chosen_records.hpp - the records of a file that belong to a slice, for views that read the file themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/reader.hpp"
#include "codec/settings.hpp"

namespace hwtrace {

/// A set of record indexes that grows by need: one bit per record of the file.
class ChosenRecords {
public:
    ChosenRecords() = default;
    /// Reads `whole` to the end of the slice in Settings::part, which must be set, and stores which records the slice
    /// has. Records are numbered from 0 as `whole` delivers them, and must be of a kind that NumberedRecords supports.
    ChosenRecords(Reader& whole, const Settings& settings);

    /// Adds a record. Throws Failure::limit if the set would exceed Limits::block.
    void add(std::uint64_t record, const Limits& limits);
    /// Returns true if the slice has the record.
    bool has(std::uint64_t record) const noexcept { return record < records_.size() && records_[record]; }
    /// Returns the number of the record behind the last one of the slice.
    std::uint64_t end() const noexcept { return records_.size(); }

private:
    std::vector<bool> records_;
};

}  // namespace hwtrace

// codec/record_number.hpp - attaches a number to a record, so that a view recognises the record in a slice.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "io/error.hpp"
#include "model/record.hpp"

namespace hwtrace {

/// Copies records and attaches a number to each. The fields of a record stay as they are, so that a numbered record is
/// selected exactly if the original is. The number is in a member that the kind does not need: `value`, `count` or an
/// attribute. Batch::copy keeps it.
class NumberedRecords {
public:
    /// Appends a copy of `record` to `out`. Throws Failure::limit if the number is too high for the kind.
    void append(const Batch& from, const Record& record, std::uint64_t number, Batch& out) {
        if (!has_attributes(record)) {
            Record& copied = out.copy(from, record, record.track);
            if (has_pool(record))
                copied.value = number;
            else
                copied.count = as_count(number);
            return;
        }
        const std::span<const Attribute> attributes = from.attributes(record);
        attributes_.assign(attributes.begin(), attributes.end());
        attributes_.push_back({none, number});
        Record& copied = record.kind == Kind::interval
                             ? out.interval(record.track, record.time, record.value, attributes_)
                             : out.change(record.track, record.time, attributes_, record.value);
        copied.flags = record.flags;
    }

    /// Returns the number of a record. Returns nothing for a record that a slice has added.
    static std::optional<std::uint64_t> of(const Batch& batch, const Record& record) noexcept {
        if (has_pool(record)) return record.value;
        if (!has_attributes(record)) {
            if (record.count == 0) return std::nullopt;
            return record.count - 1;
        }
        const std::span<const Attribute> attributes = batch.attributes(record);
        if (attributes.empty() || attributes.back().field != none) return std::nullopt;
        return attributes.back().value;
    }

private:
    static bool has_attributes(const Record& record) noexcept {
        return record.kind == Kind::interval || record.kind == Kind::change;
    }
    /// Returns true if the record needs `count`, but not `value`. Operations on tables and instructions need no
    /// `count`.
    static bool has_pool(const Record& record) noexcept {
        return record.kind == Kind::event || record.kind == Kind::relation || record.kind == Kind::note ||
               record.kind == Kind::native;
    }
    /// Returns the number as `count` holds it: counted from 1, because records that a slice has added hold 0.
    static std::uint32_t as_count(std::uint64_t number) {
        if (number >= std::numeric_limits<std::uint32_t>::max())
            fail(Failure::limit,
                 "this view selects among the first 4294967295 records; use --view model, which has no such limit");
        return static_cast<std::uint32_t>(number + 1);
    }

    std::vector<Attribute> attributes_;  // reused
};

}  // namespace hwtrace

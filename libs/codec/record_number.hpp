// codec/record_number.hpp - attaches a number to a record, so that a view recognises the record in a slice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/record.hpp"

namespace hwtrace {

/// Copies records and attaches a number to each. The fields of a record stay as they are, so that a numbered record is
/// selected exactly if the original is. Supports all kinds that readers deliver for events, signals and transactions:
/// event, relation, note, native, interval and change. Batch::copy keeps the number.
class NumberedRecords {
public:
    /// Appends a copy of `record` to `out`.
    void append(const Batch& from, const Record& record, std::uint64_t number, Batch& out) {
        if (!has_attributes(record)) {
            out.copy(from, record, record.track).value = number;
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
        if (!has_attributes(record)) return record.value;
        const std::span<const Attribute> attributes = batch.attributes(record);
        if (attributes.empty() || attributes.back().field != none) return std::nullopt;
        return attributes.back().value;
    }

private:
    static bool has_attributes(const Record& record) noexcept {
        return record.kind == Kind::interval || record.kind == Kind::change;
    }

    std::vector<Attribute> attributes_;  // reused
};

}  // namespace hwtrace

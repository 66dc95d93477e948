// domain/interval_ids.hpp - looks up the id by which relations refer to an interval.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "domain/conventions.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Reads the attribute conventions::interval_id.
class IntervalIds {
public:
    /// `schema` must outlive this object and may grow.
    explicit IntervalIds(const Schema& schema) : schema_(schema) {}

    /// Returns the id of an interval. Returns nullopt for other records and for intervals without an id.
    std::optional<std::uint64_t> of(const Batch& batch, const Record& record) {
        if (record.kind != Kind::interval) return std::nullopt;
        while (fields_.size() < schema_.tracks().size())
            fields_.push_back(field_of(schema_.tracks()[fields_.size()]));
        const std::uint32_t field = fields_[record.track];
        if (field == none) return std::nullopt;
        for (const Attribute& attribute : batch.attributes(record))
            if (attribute.field == field) return attribute.value;
        return std::nullopt;
    }

private:
    static std::uint32_t field_of(const Track& track) noexcept {
        for (std::uint32_t field = 0; field < track.fields.size(); ++field)
            if (track.fields[field].name == conventions::interval_id) return field;
        return none;
    }

    const Schema& schema_;
    std::vector<std::uint32_t> fields_;  ///< by track
};

}  // namespace hwtrace

// operate/united_schema.hpp - maps the schema of a shard to the schema of the whole trace.
#pragma once

#include <cstdint>
#include <vector>

#include "convert/translated_copy.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/schema_news.hpp"

namespace hwtrace {

/// Maps the objects of a source to equal objects of a target, and declares those that the target lacks. An object with
/// the same id is preferred, so that the shards of one trace keep its ids. Attributes, labels, metadata and strings
/// that appear only in later shards are appended.
class UnitedSchema {
public:
    /// Which shard of the trace the source is.
    enum class Place : std::uint8_t { first, later };

    /// Both schemas must outlive this object. `source` may grow.
    UnitedSchema(const Schema& source, Schema& target, Place place);

    /// Maps the additions to the source. Call it before copying the records of `batch`.
    void follow(const Batch& batch);
    /// Appends a copy of `record` of `in` with the ids of the target.
    Record& copy(const Batch& in, const Record& record, Batch& out);

private:
    struct Uniting;
    struct TargetTrack {
        TrackId id = none;
        std::vector<std::uint32_t> fields = {};  ///< by field of the source: the field of the target
        std::vector<bool> taken = {};            ///< by field of the target: `fields` has it
        bool renumbers = false;                  ///< an entry of `fields` differs from its index
    };

    const Schema& source_;
    Schema& target_;
    SchemaNews news_;
    TranslatedCopy copies_;
    Place place_;
    std::vector<ClockId> clocks_;
    std::vector<ScopeId> scopes_;
    std::vector<EnumId> enums_;
    std::vector<TargetTrack> tracks_;
    std::vector<bool> clocks_taken_, scopes_taken_, enums_taken_, tracks_taken_;  // by id of the target: it is mapped
    std::size_t strings_ = 0;  // strings of the source that were mapped
};

}  // namespace hwtrace

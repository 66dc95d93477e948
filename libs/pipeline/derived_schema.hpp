// pipeline/derived_schema.hpp - the schema of a stage that changes little: a copy that grows with its source.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/schema_news.hpp"

namespace hwtrace {

/// Ids other than those of tracks are the source's, those of runtime strings too.
class DerivedSchema {
public:
    using Keeps = std::function<bool(const Track& track, TrackId id)>;
    using Restates = std::function<std::string(const Metadata& fact)>;

    /// Tracks for which `keeps` is false are left out, and a scope of which none is left has the protocol `cpu` or
    /// `noc` no longer, which ask for tables; facts get the value that `restates` gives. Null: as they are. `source`
    /// outlives this object.
    explicit DerivedSchema(const Schema& source, Keeps keeps = nullptr, Restates restates = nullptr);

    const Schema& schema() const noexcept { return schema_; }
    Schema& schema() noexcept { return schema_; }
    /// Copies what the source has got since: before the records of `batch` are passed on.
    void follow(const Batch& batch);
    /// What a track of the source is here; `none` where it is left out.
    TrackId operator[](TrackId source) const noexcept { return tracks_[source]; }

private:
    const Schema& source_;
    Keeps keeps_;
    Restates restates_;
    SchemaNews news_;
    Schema schema_;
    std::vector<TrackId> tracks_;  // by source track
};

}  // namespace hwtrace

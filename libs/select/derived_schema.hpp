// select/derived_schema.hpp - a copy of a schema that grows with its source, for stages that change little.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"
#include "model/schema_news.hpp"

namespace hwtrace {

/// A filtered copy of a schema. All ids except track ids equal the source's ids, even the ids of strings added while
/// reading.
class DerivedSchema {
public:
    using Keeps = std::function<bool(const Track& track, TrackId id)>;
    using Restates = std::function<std::string(const Metadata& fact)>;

    /// Omits tracks for which `keeps` returns false. A scope that loses all tracks also loses the protocol `cpu` or
    /// `noc`, because these protocols require tables. `restates` returns the value that a metadata entry has in the
    /// copy. A null function keeps all tracks or values. `source` must outlive this object.
    explicit DerivedSchema(const Schema& source, Keeps keeps = nullptr, Restates restates = nullptr);

    const Schema& schema() const noexcept { return schema_; }
    Schema& schema() noexcept { return schema_; }
    /// Copies additions to the source schema. Call it before you pass on the records of `batch`.
    void follow(const Batch& batch);
    /// Returns the id of the copy of a source track, or `none` if the track is omitted.
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

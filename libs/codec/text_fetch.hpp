// codec/text_fetch.hpp - loads the strings of a batch into the cache.
#pragma once

#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Loads the strings to which the intervals and changes of a batch refer, for writers that copy each string. In a trace
/// with many strings, most of them are not in the cache. Loading them together takes a fraction of the time of loading
/// each when it is needed, because the loads overlap.
class TextFetch {
public:
    /// `schema` must outlive this object and may grow.
    explicit TextFetch(const Schema& schema) : schema_(schema) {}

    void operator()(const Batch& batch);

private:
    const std::vector<bool>& texts_of(TrackId track);

    const Schema& schema_;
    std::vector<std::vector<bool>> texts_;  // by track and field
};

}  // namespace hwtrace

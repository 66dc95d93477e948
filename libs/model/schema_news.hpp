// model/schema_news.hpp - reports the additions to a schema that grows while a trace is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Reports each object once. `Show` has clock(ClockId), scope(ScopeId), enumeration(EnumId), track(TrackId) and
/// metadata(std::size_t). Its label(EnumId, std::size_t) and attribute(TrackId, std::uint32_t) are called for additions
/// to an enumeration or track that was reported before.
class SchemaNews {
public:
    /// `schema` must outlive this object.
    explicit SchemaNews(const Schema& schema) : schema_(schema) {}

    /// Reports every new object, and every new attribute that a record of `batch` has.
    template <typename Show>
    void report(const Batch& batch, Show&& show) {
        show_objects(show);
        for (const Record& record : batch.records())
            if (has_fields(record.kind) && record.count != 0) show_attributes(record.track, show);
    }

    /// Reports everything that is new.
    template <typename Show>
    void report(Show&& show) {
        show_objects(show);
        for (TrackId id = 0; id < fields_.size(); ++id)
            show_attributes(id, show);
    }

private:
    static bool has_fields(Kind kind) noexcept {
        return kind == Kind::interval || kind == Kind::change || kind == Kind::event || kind == Kind::relation;
    }

    template <typename Show>
    void show_objects(Show& show) {
        while (clocks_ < schema_.clocks().size())
            show.clock(static_cast<ClockId>(clocks_++));
        while (scopes_ < schema_.scopes().size())
            show.scope(static_cast<ScopeId>(scopes_++));
        while (labels_.size() < schema_.enums().size()) {
            const auto id = static_cast<EnumId>(labels_.size());
            show.enumeration(id);
            labels_.push_back(schema_.enums()[id].values.size());
        }
        for (; added_labels_ < schema_.added_labels().size(); ++added_labels_) {
            const auto [id, index] = schema_.added_labels()[added_labels_];
            if (index < labels_[id]) continue;
            show.label(id, index);
            labels_[id] = index + 1;
        }
        while (fields_.size() < schema_.tracks().size()) {
            const auto id = static_cast<TrackId>(fields_.size());
            show.track(id);
            fields_.push_back(static_cast<std::uint32_t>(schema_.tracks()[id].fields.size()));
        }
        while (metadata_ < schema_.metadata().size())
            show.metadata(metadata_++);
    }

    template <typename Show>
    void show_attributes(TrackId track, Show& show) {
        while (fields_[track] < schema_.tracks()[track].fields.size())
            show.attribute(track, fields_[track]++);
    }

    const Schema& schema_;
    std::size_t clocks_ = 0, scopes_ = 0, added_labels_ = 0, metadata_ = 0;
    std::vector<std::size_t> labels_;    // for each reported enumeration: number of labels reported
    std::vector<std::uint32_t> fields_;  // for each reported track: number of fields reported
};

}  // namespace hwtrace

// model/schema_additions.hpp - carries the growth of a schema to a copy of it, for example in another thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/schema.hpp"

namespace hwtrace {

/// The objects that a schema gained between two moments. Empty additions cost only a few comparisons.
class SchemaAdditions {
public:
    /// Adds everything to `copy`, which must equal the schema before the additions. Afterwards, all ids and logs of
    /// `copy` equal those of the schema.
    void apply(Schema& copy) const;
    void clear() noexcept;
    /// Returns the number of bytes of the strings.
    std::size_t text_bytes() const noexcept { return texts_.size(); }

private:
    friend class SchemaFollower;

    bool is_empty_ = true;
    std::vector<Scope> scopes_;
    std::vector<Clock> clocks_;
    std::vector<Enum> enums_;    // without the labels in labels_
    std::vector<Track> tracks_;  // without the fields in attributes_
    std::vector<std::pair<EnumId, EnumValue>> labels_;
    std::vector<std::pair<TrackId, Field>> attributes_;
    std::vector<Metadata> metadata_;
    std::string texts_;                   // all strings, one after the other
    std::vector<std::size_t> text_ends_;  // by string
};

/// Collects what a schema has gained.
class SchemaFollower {
public:
    /// Begins with the present contents of `schema`, which must outlive this object.
    explicit SchemaFollower(const Schema& schema) : schema_(&schema) { skip(); }

    /// Replaces `out` with the additions since the last call.
    void collect(SchemaAdditions& out);

private:
    void skip() noexcept;
    bool has_news() const noexcept;

    const Schema* schema_;
    std::size_t scopes_ = 0, clocks_ = 0, enums_ = 0, tracks_ = 0, labels_ = 0, attributes_ = 0, metadata_ = 0,
                strings_ = 0;
};

}  // namespace hwtrace

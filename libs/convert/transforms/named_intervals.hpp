// convert/transforms/named_intervals.hpp - lowers intervals for targets that store one string per interval and number
// their scopes, and raises them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "convert/track_map.hpp"
#include "io/text_output.hpp"
#include "model/hash.hpp"
#include "select/stage.hpp"

namespace hwtrace {

// The string states the attributes of an interval as the model dump does, "value=3 mark=1", so that they can be parsed
// again. The scope with id 3 becomes "core3". A track gets a unique name. The metadata conventions::named_source holds
// the source's format and schema objects, so that everything can be restored.

/// Parses interval attributes as dump_records() writes them.
class AttributeReading {
public:
    /// `schema` must have the tracks and must outlive this object. Strings are added to it.
    explicit AttributeReading(Schema& schema) : schema_(schema) {}

    /// Parses the attributes in `text`. Returns false if `text` does not have the form of attributes of the track.
    /// Then, `values` is unspecified.
    bool read(TrackId track, std::string_view text, std::vector<Attribute>& values);

private:
    struct Names {
        HashMap<std::string, std::uint32_t> fields;
    };
    bool cell(const Field& field, std::string_view& text, std::uint64_t& cell);
    bool label(EnumId enumeration, std::string_view word, std::uint64_t& value);

    Schema& schema_;
    std::vector<Names> names_;  ///< by track; filled on first use
    std::map<EnumId, HashMap<std::string, std::uint64_t>> labels_;
    std::string name_, text_;
    std::vector<std::byte> bytes_;
};

/// Replaces the attributes of intervals by one string.
class NamedIntervals final : public Stage {
public:
    /// `source` and `losses` must outlive the stage. `source` must be complete except for strings and have streams
    /// only.
    NamedIntervals(const Schema& source, const Format& to, Losses& losses);

    /// Returns true if a trace with this complete schema can be restored: all its tracks are streams with the same time
    /// base.
    static bool takes(const Schema& schema);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    void make_names(const Batch& in);
    bool is_readable(const Record& record, std::span<const Attribute> attributes, std::string_view name);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    Schema objects_;  ///< a copy of the source's schema, to parse the strings as raising will
    AttributeReading reading_{objects_};
    TextTranslation translate_;
    std::vector<std::vector<bool>> text_;   ///< by track: which attributes are strings; empty if none is
    std::vector<std::vector<bool>> plain_;  ///< by track: which attributes can be read from every name
    // The names of a batch: their text, where each ends, each one, and its id.
    TextOutput text_of_names_{-1};
    std::vector<std::size_t> ends_;
    std::vector<std::string_view> names_;
    std::vector<StringId> ids_;
    std::vector<Attribute> expected_, got_;
};

/// Undoes NamedIntervals.
class IntervalsOfNames final : public Stage {
public:
    static bool is_named(const Schema& schema);

    /// `source` and `losses` must outlive the stage; `source` may grow.
    IntervalsOfNames(const Schema& source, Losses& losses);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    struct Origin {
        TrackId target = none;
        Ratio ticks;
    };
    void meet(TrackId track);
    bool raise(const Batch& in, const Record& record, Batch& out);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    AttributeReading reading_{schema_};
    std::map<std::pair<std::string, std::string>, TrackId> by_name_;  ///< by names of scope and track
    std::vector<Origin> origins_;                                     ///< by source track
    std::vector<Attribute> values_;
};

}  // namespace hwtrace

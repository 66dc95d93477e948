// pipeline/named_intervals.hpp - intervals for targets that keep one text of each and number their scopes; and back.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "io/text_output.hpp"
#include "model/hash.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/track_map.hpp"

namespace hwtrace {

// The text says an interval's attributes as the model dump does, "value=3 mark=1", from which they are read again; a
// scope is "core" and its number, a track has a name that is the only one there. The metadata
// `conventions::named_source` hold the format's name and the objects of the source, so that all of it comes back.

/// Reads what dump_records() writes of an interval's attributes.
class AttributeReading {
public:
    /// `schema`, which has the tracks, gets texts; it outlives this object.
    explicit AttributeReading(Schema& schema) : schema_(schema) {}

    /// False where the text is not such a one of that track; `values` then are any.
    bool read(TrackId track, std::string_view text, std::vector<Attribute>& values);

private:
    struct Names {
        HashMap<std::string, std::uint32_t> fields;
    };
    bool cell(const Field& field, std::string_view& text, std::uint64_t& cell);
    bool label(EnumId enumeration, std::string_view word, std::uint64_t& value);

    Schema& schema_;
    std::vector<Names> names_;  ///< by track, as they were met
    std::map<EnumId, HashMap<std::string, std::uint64_t>> labels_;
    std::string text_;
    std::vector<std::byte> bytes_;
};

/// Makes texts of attributes.
class NamedIntervals final : public Stage {
public:
    /// `source`, which is complete but for texts and has streams alone, and `losses` outlive the stage.
    NamedIntervals(const Schema& source, const Format& to, Losses& losses);

    /// Whether a trace of that schema, which is complete, can come back: all in it are streams of one base of time.
    static bool takes(const Schema& schema);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    Schema objects_;  ///< the source's, for reading texts as they will be read
    AttributeReading reading_{objects_};
    TextTranslation translate_;
    std::vector<std::vector<bool>> text_;  ///< which attributes of a track are texts, where any is
    TextOutput line_{-1};
    std::vector<Attribute> expected_, got_;
};

/// Gives back what NamedIntervals made texts of.
class IntervalsOfNames final : public Stage {
public:
    static bool is_named(const Schema& schema);

    /// `source`, which may grow, and `losses` outlive the stage.
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
    std::map<std::pair<std::string, std::string>, TrackId> by_name_;  ///< scope and track
    std::vector<Origin> origins_;                                     ///< by source track
    std::vector<Attribute> values_;
};

}  // namespace hwtrace

// pipeline/held_values.hpp - signals become an interval for each value that they hold, and come back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "codec/record_sorter.hpp"
#include "pipeline/signal_mark.hpp"
#include "pipeline/stage.hpp"
#include "pipeline/translated_copy.hpp"

namespace hwtrace {

// What a signal becomes, on its own base of time: a stream of its name, whose intervals last from one change to the
// next one of the signal, the last to the last time that any record of this base of time has. Attributes:
//   its fields   as stated at the begin, a repeated one for each element; bytes as text of hexadecimal digits
//   mark         where the change has one
//   no_value     of an interval of length 0 where the signal ceased to have a value; up to its next interval there is a
//                gap
// Where several fields, or one of them and an attribute of ours, have one name, the later ones go on behind it: with
// ".blob" and the like. Intervals, and everything else, come in the order of the source: a value that is held for long
// keeps what comes behind it waiting, in the sorter's bounded memory. A change before the one in front of it, in a
// source without order of time, ends that where it began.

/// Makes intervals of all signals; everything else goes on as it is.
class HeldValues final : public Stage {
public:
    /// `source`, complete in its tracks and fields and without harts, outlives the stage. Long traces are spilled to
    /// `folder`.
    HeldValues(const Schema& source, std::string folder, std::size_t run_bytes = RecordSorter::default_run_bytes);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch& out) override;

private:
    struct Signal {
        bool is_one = false;
        std::uint32_t base = 0;        ///< its base of time, in last_times_
        std::uint32_t mark_field = 0;  ///< no_value is the next one
        bool is_open = false;          ///< holds a value, since:
        Tick begin = 0;
        std::uint64_t position = 0;  ///< in the source
        std::vector<Attribute> values = {};
    };
    void end(TrackId track, Tick time);

    const Schema& source_;
    Schema schema_;
    TranslatedCopy copies_;
    RecordSorter sorter_;
    std::vector<RecordSorter::Place> places_;  // reused, as the next one
    Batch made_;
    std::vector<Signal> signals_;   // by track
    std::vector<Tick> last_times_;  // by base
    std::uint64_t position_ = 0;
    bool ended_ = false;
};

/// Undoes HeldValues.
class SignalsOfHeldValues final : public Stage {
public:
    /// `source`, for which is_lowered(), and `losses` outlive the stage.
    SignalsOfHeldValues(const Schema& source, Losses& losses);

    /// True when HeldValues made the trace of that schema, and its tracks are still there.
    static bool is_lowered(const Schema& source);

    const Schema& schema() const override { return schema_; }
    void apply(const Batch& in, Batch& out) override;
    bool finish(Batch&) override { return false; }

private:
    struct Signal {
        bool is_one = false;
        std::vector<std::uint32_t> fields;  ///< of the signal, by attribute; or one of the following
    };
    static constexpr std::uint32_t mark_field = none - 1, no_value_field = none - 2;

    void raise(const Batch& in, const Record& record, const Signal& signal, Batch& out);

    const Schema& source_;
    Losses& losses_;
    Schema schema_;
    TranslatedCopy copies_;
    std::vector<Signal> signals_;    // by track
    std::vector<Attribute> values_;  // reused
};

}  // namespace hwtrace

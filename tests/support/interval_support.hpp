// tests/support/interval_support.hpp - hand-made and random interval traces, and functions that run plans over them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "convert/plan.hpp"
#include "support/lines.hpp"

namespace hwtrace::test {

/// A reader that delivers the given batches.
class Canned final : public Reader {
public:
    Canned(Schema& schema, std::vector<const Batch*> batches) : schema_(schema), batches_(std::move(batches)) {}
    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override {
        if (next_ == batches_.size()) return false;
        const Batch& source = *batches_[next_++];
        for (const Record& record : source.records())
            batch.copy(source, record, record.track);
        return true;
    }
    Facts facts() const override { return {}; }
    std::uint64_t position() const override { return next_; }

private:
    Schema& schema_;
    std::vector<const Batch*> batches_;
    std::size_t next_ = 0;
};

/// A format of intervals. It consists of capabilities only, because a plan needs nothing else.
extern const Format intervals_only;
/// Like intervals_only, but records need not be in time order, and tracks may appear while reading.
extern const Format unordered_intervals;

/// A schema with scopes and streams, and its records in batches.
struct IntervalTrace {
    Schema schema;
    std::vector<Batch> batches;

    TrackId stream(ScopeId scope, std::string name, TimeBase time, std::vector<Field> attributes = {});
    /// Returns the batch to append to, which is a new batch if the last one is full.
    Batch& batch();
    std::vector<const Batch*> pointers() const;
};

constexpr TimeBase gigahertz{TimeBase::Kind::cycles, 1, 1'000'000'000};
constexpr TimeBase unknown_period{TimeBase::Kind::cycles, 1, 0};

/// Parameters of random_intervals().
struct Wanted {
    std::uint64_t seed = 1;
    std::size_t count = 2000;
    bool ordered = false;
    bool attributes = false;
    bool huge = false;           ///< durations have all magnitudes
    std::uint64_t spread = 500;  ///< upper bound of the start times
    TimeBase time = gigahertz;
};
IntervalTrace random_intervals(const Wanted& wanted);

/// Returns the model dump, schema included, of the plan's output for a trace.
std::string model_of(Reader& reader, const Schema& source, Plan& plan);
std::string model_of(IntervalTrace& trace);

/// Returns the record lines of the model dump after `plan`.
std::vector<std::string> records_behind(IntervalTrace& trace, Plan& plan);

/// Writes the trace in a format, reads it back and raises it. Returns the model dump. Adds the losses of writing
/// and raising to `losses`.
std::string through(std::string_view format, IntervalTrace& trace, const Format& from, const Choices& choices,
                    Losses& losses, std::vector<std::byte>* file = nullptr);
/// Calls through() with µScope.
std::string through_uscope(IntervalTrace& trace, const Format& from, const Choices& choices, Losses& losses,
                           std::vector<std::byte>* file = nullptr);

}  // namespace hwtrace::test

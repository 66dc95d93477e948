// views/signal_statistics.hpp - statistics of signals: changes, time span, range of values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/exact_sum.hpp"
#include "domain/interval_time.hpp"
#include "io/saved_state.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "views/by_track.hpp"

namespace hwtrace {

struct SignalStatistics {
    /// A summary of numeric values: exact integers, or floating-point numbers.
    struct Numbers {
        bool is_real = false;
        std::uint64_t count = 0;  ///< number of values, without NaN
        WideTick least = 0, greatest = 0;
        double least_real = 0, greatest_real = 0;
        double mean = 0;
    };
    /// The fields that share a name: a value, possibly of several types, or a member of a structure.
    struct Member {
        std::string name;
        std::string types;                     ///< "u64", "u64|logic", or "i32[]" for an array
        std::uint64_t values = 0;              ///< number of values; each element of an array counts
        std::optional<Numbers> numbers;        ///< none if there are no numbers
        std::optional<std::uint64_t> toggles;  ///< number of changed bits, for bit vectors and booleans
    };
    struct OfSignal {
        std::string scope, name;
        std::string unit;           ///< unit of times, see unit_of()
        std::uint64_t changes = 0;  ///< number of changes
        Tick first = 0, last = 0;   ///< smallest and largest time; valid if changes is not 0
        std::uint64_t no_values = 0, conflicts = 0, tagged = 0;  ///< changes to no value, and changes with marks
        std::vector<Member> members;                             ///< in order of declaration
    };
    std::vector<OfSignal> signals;  ///< in order of declaration
};

/// Returns the unit of a tick: "ps", "ticks of 1/3000000000 s", "cycles", "(position)".
std::string unit_of(const TimeBase& base);

/// Computes the statistics in one pass. Values from before a slice are remembered but not counted. Needs memory for
/// tracks, fields and the last value of each bit vector.
class SignalStatisticsMeter {
public:
    /// `schema` must outlive the meter and may grow.
    explicit SignalStatisticsMeter(const Schema& schema) : schema_(schema) {}

    void add(const Batch& batch);
    /// Prepares the meter for a shard, whose statistics save() appends. Call it before add().
    void begin_shard() noexcept { is_shard_ = true; }
    /// Appends the statistics of a shard.
    void save(StateOut& out) const;
    /// Adds the statistics of the next shard. The schema is that of the whole trace.
    void add(StateIn& in);
    /// Returns why the statistics of shards do not give those of the trace; empty if they do.
    std::string_view not_reduced() const noexcept { return not_reduced_; }
    /// Returns nullopt if there are no signals.
    std::optional<SignalStatistics> result() const;

private:
    /// A bit vector: up to 64 bits as an integer, otherwise as a string.
    struct Vector {
        bool known = false;
        bool is_text = false;
        std::uint64_t bits = 0;
        std::string text;

        static auto members(auto& self) { return std::tie(self.known, self.is_text, self.bits, self.text); }
    };
    struct MemberTally {
        std::uint64_t values = 0;
        SignalStatistics::Numbers numbers;
        WideTick sum = 0;
        std::unique_ptr<ExactSum> real_sum;  // null: no floating-point numbers
        Vector last;
        std::uint64_t toggles = 0;
        // Only for shards: true after the first change, and its vector, unless that change had no value.
        bool is_met = false;
        std::unique_ptr<Vector> first;
    };
    struct Tally {
        std::uint64_t changes = 0, no_values = 0, conflicts = 0, tagged = 0;
        Tick first = 0, last = 0;
        std::vector<std::uint32_t> member_of;  ///< indexed by field: the first field with the same name
        std::vector<MemberTally> members;      ///< indexed by field; used only for the first field with each name
    };
    void learn(Tally& tally, const std::vector<Field>& fields);
    void add(StateIn& in, MemberTally& member);
    void take(Tally& tally, const Field& field, const Attribute& value, bool counted);
    void take_number(MemberTally& member, const Field& field, std::uint64_t cell) const;
    static std::uint64_t toggles_between(const Vector& before, const Vector& after);
    void take_vector(MemberTally& member, const Field& field, std::uint64_t cell, bool counted);

    const Schema& schema_;
    ByTrack<Tally> tallies_;
    Vector next_;  // scratch space
    bool is_shard_ = false;
    std::string_view not_reduced_;
};

}  // namespace hwtrace

// views/signal_statistics.hpp - how often each signal of a trace changes, from when to when, and between which values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.hpp"
#include "model/schema.hpp"
#include "pipeline/interval_time.hpp"
#include "views/by_track.hpp"

namespace hwtrace {

struct SignalStatistics {
    /// The numbers among some values: integers exactly, or floating ones.
    struct Numbers {
        bool is_real = false;
        std::uint64_t count = 0;  ///< without those that are none (NaN)
        WideTick least = 0, greatest = 0;
        double least_real = 0, greatest_real = 0;
        double mean = 0;
    };
    /// Fields of one name: a value that has one type or another, or a member of a structure.
    struct Member {
        std::string name;
        std::string types;                     ///< "u64", "u64|logic", "i32[]" of an array
        std::uint64_t values = 0;              ///< an array's elements each
        std::optional<Numbers> numbers;        ///< where it has any
        std::optional<std::uint64_t> toggles;  ///< of a vector of bits, or a truth value: bits that became others
    };
    struct OfSignal {
        std::string scope, name;
        std::string unit;           ///< of its times: see unit_of()
        std::uint64_t changes = 0;  ///< all of them
        Tick first = 0, last = 0;   ///< the least and the greatest time, where changes is not 0
        std::uint64_t no_values = 0, conflicts = 0, tagged = 0;  ///< changes to no value, and with marks
        std::vector<Member> members;                             ///< as declared
    };
    std::vector<OfSignal> signals;  ///< as declared
};

/// What one tick is: "ps", "ticks of 1/3000000000 s", "cycles", "(position)".
std::string unit_of(const TimeBase& base);

/// Counts in one pass; what a part of a trace states again is known, and not counted. Memory for tracks and fields
/// only, and the last value of each vector.
class SignalStatisticsMeter {
public:
    /// `schema` outlives the meter and may grow.
    explicit SignalStatisticsMeter(const Schema& schema) : schema_(schema) {}

    void add(const Batch& batch);
    /// None where no track is a signal.
    std::optional<SignalStatistics> result() const;

private:
    /// A vector: 64 bits or less as a number, or text.
    struct Vector {
        bool known = false;
        bool is_text = false;
        std::uint64_t bits = 0;
        std::string text;
    };
    struct MemberTally {
        std::uint64_t values = 0;
        SignalStatistics::Numbers numbers;
        WideTick sum = 0;
        long double real_sum = 0;
        Vector last;
        std::uint64_t toggles = 0;
    };
    struct Tally {
        std::uint64_t changes = 0, no_values = 0, conflicts = 0, tagged = 0;
        Tick first = 0, last = 0;
        std::vector<std::uint32_t> member_of;  ///< by field: the first field of its name
        std::vector<MemberTally> members;      ///< by field; of others than the first of a name unused
    };
    void learn(Tally& tally, const std::vector<Field>& fields);
    void take(Tally& tally, const Field& field, const Attribute& value, bool counted);
    void take_number(MemberTally& member, const Field& field, std::uint64_t cell) const;
    void take_vector(MemberTally& member, const Field& field, std::uint64_t cell, bool counted) const;

    const Schema& schema_;
    ByTrack<Tally> tallies_;
};

}  // namespace hwtrace

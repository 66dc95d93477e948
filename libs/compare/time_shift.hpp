// compare/time_shift.hpp - finds a constant offset between the times of two traces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compare/comparable_records.hpp"
#include "compare/comparison.hpp"
#include "compare/correspondence.hpp"

namespace hwtrace {

/// Finds the offset from the first records of both traces: that with which most records of equal contents, durations
/// included, have equal times. If no records have equal contents, all records of a track count as equal. An offset
/// that explains less than half of the pairs that are possible is none.
class ShiftFinder {
public:
    struct Result {
        std::vector<TimeShift> shifts;  ///< the offset of each time base of the second trace, unless it is 0
        bool is_constant = true;        ///< false: a time base has no constant offset, not even 0
    };

    /// `correspondence` must outlive this object.
    explicit ShiftFinder(const Correspondence& correspondence) : correspondence_(correspondence) {}

    void add(std::size_t side, const ComparableRecord& record);
    /// Returns true if further records of the trace have no effect.
    bool has_enough(std::size_t side) const noexcept { return seen_[side].size() >= most_records; }
    Result result() const;

private:
    static constexpr std::size_t most_records = std::size_t{1} << 16;

    struct Seen {
        std::uint32_t track;
        WideTick time;
        std::uint64_t duration;
        std::uint64_t content;  // hash of everything except the times
    };
    struct Placed {
        std::uint32_t base, track;
        std::uint64_t content;
        WideTick time;  // in the common unit of the track
    };
    using Sides = std::array<std::span<const Placed>, 2>;
    enum class Pairs : std::uint8_t { by_content, by_track };

    std::vector<Placed> placed(std::size_t side, Pairs pairs, std::vector<TimeBase>& bases) const;
    template <typename Each>
    static void for_each_content(const Sides& sides, Each&& each);
    std::vector<WideTick> candidates(const Sides& sides) const;
    std::uint64_t explained(const Sides& sides, WideTick offset) const;
    /// Returns nullopt if there are no pairs.
    std::optional<Result> voted(Pairs pairs) const;

    const Correspondence& correspondence_;
    std::array<std::vector<Seen>, 2> seen_;
};

}  // namespace hwtrace

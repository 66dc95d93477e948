// compare/time_shift.hpp - finds a constant offset between the times of two traces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compare/comparable_records.hpp"
#include "compare/comparison.hpp"
#include "compare/correspondence.hpp"

namespace hwtrace {

/// Finds the offset from the first records of both traces: that of most pairs of records with equal contents. If no
/// records have equal contents, the nth records of each track are pairs.
class ShiftFinder {
public:
    /// `correspondence` must outlive this object.
    explicit ShiftFinder(const Correspondence& correspondence) : correspondence_(correspondence) {}

    void add(std::size_t side, const ComparableRecord& record);
    /// Returns true if further records of the trace have no effect.
    bool has_enough(std::size_t side) const noexcept { return seen_[side].size() >= most_records; }
    /// Returns the offset of each time base of the second trace, unless it is 0 or unknown.
    std::vector<TimeShift> result() const;

private:
    static constexpr std::size_t most_records = std::size_t{1} << 16;

    struct Seen {
        std::uint32_t track;
        WideTick time;
        std::uint64_t content;  // hash of everything except the time
    };
    enum class Pairs : std::uint8_t { by_content, by_order };

    std::vector<TimeShift> voted(Pairs pairs) const;

    const Correspondence& correspondence_;
    std::array<std::vector<Seen>, 2> seen_;
};

}  // namespace hwtrace

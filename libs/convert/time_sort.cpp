#include "convert/time_sort.hpp"

#include <algorithm>
#include <limits>

namespace hwtrace {

void TimeSort::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        framed_ = framed_ || (record.flags & record_first_of_frame) != 0;
        const WideTick begin = exact_begin(source_, in, record);
        if (begin > std::numeric_limits<Tick>::max()) [[unlikely]] {
            late_.add(static_cast<std::uint64_t>(begin), 0, in, record);
            continue;
        }
        const std::uint64_t key = ascending(record.time);
        sorter_.add(key, 0, in, record);
        latest_ = std::max(latest_, key);
    }
    if (!lateness_ || framed_) return;
    sorter_.promise(latest_ - std::min(latest_, *lateness_));
    places_.clear();
    sorter_.give_early(out, places_, 2 * in.records().size());
}

bool TimeSort::finish(Batch& out) {
    const std::size_t first = out.records().size();
    places_.clear();
    if (!only_late_left_) only_late_left_ = !sorter_.give(out, places_);
    const bool more = !only_late_left_ || out.full() || late_.give(out, places_);
    frame(out, first);
    return more;
}

void TimeSort::frame(Batch& out, std::size_t first) {
    for (Record& record : out.mutable_records().subspan(first)) {
        const WideTick begin = exact_begin(source_, out, record);
        const bool begins = framed_ && (!any_given_ || begin != begin_);
        record.flags = static_cast<std::uint8_t>((record.flags & ~unsigned{record_first_of_frame}) |
                                                 (begins ? unsigned{record_first_of_frame} : 0u));
        begin_ = begin;
        any_given_ = true;
    }
}

}  // namespace hwtrace

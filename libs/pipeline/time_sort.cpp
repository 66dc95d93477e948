#include "pipeline/time_sort.hpp"

namespace hwtrace {

void TimeSort::apply(const Batch& in, Batch&) {
    for (const Record& record : in.records()) {
        framed_ = framed_ || (record.flags & record_first_of_frame) != 0;
        sorter_.add(ascending(record.time), 0, in, record);
    }
}

bool TimeSort::finish(Batch& out) {
    const std::size_t first = out.records().size();
    places_.clear();
    const bool more = sorter_.give(out, places_);
    for (Record& record : out.mutable_records().subspan(first)) {
        const bool begins = framed_ && (!any_given_ || record.time != time_);
        record.flags = static_cast<std::uint8_t>((record.flags & ~unsigned{record_first_of_frame}) |
                                                 (begins ? unsigned{record_first_of_frame} : 0u));
        time_ = record.time;
        any_given_ = true;
    }
    return more;
}

}  // namespace hwtrace

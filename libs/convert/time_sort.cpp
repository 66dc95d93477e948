#include "convert/time_sort.hpp"

namespace hwtrace {

void TimeSort::apply(const Batch& in, Batch&) {
    for (const Record& record : in.records()) {
        framed_ = framed_ || (record.flags & record_first_of_frame) != 0;
        const WideTick begin = exact_begin(source_, in, record);
        if (begin > std::numeric_limits<Tick>::max()) [[unlikely]]
            late_.add(static_cast<std::uint64_t>(begin), 0, in, record);
        else
            sorter_.add(ascending(record.time), 0, in, record);
    }
}

bool TimeSort::finish(Batch& out) {
    const std::size_t first = out.records().size();
    places_.clear();
    if (!only_late_left_) only_late_left_ = !sorter_.give(out, places_);
    const bool more = !only_late_left_ || out.full() || late_.give(out, places_);
    for (Record& record : out.mutable_records().subspan(first)) {
        const WideTick begin = exact_begin(source_, out, record);
        const bool begins = framed_ && (!any_given_ || begin != begin_);
        record.flags = static_cast<std::uint8_t>((record.flags & ~unsigned{record_first_of_frame}) |
                                                 (begins ? unsigned{record_first_of_frame} : 0u));
        begin_ = begin;
        any_given_ = true;
    }
    return more;
}

}  // namespace hwtrace

// formats/uscope/resume.cpp - continues at a segment that another reader has reached, for the checkpoints of an index.
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "reader.hpp"

namespace hwtrace::uscope {

bool FileReader::keep_states() {
    return !live_ && !verification_;
}

bool FileReader::save_state(Appender& out) {
    if (in_segment_ || finished_ || live_ || verification_ || text_numbers_ || !all_read_) return false;
    for (const std::uint64_t number : {std::uint64_t{next_}, frames_, active_frames_, items_})
        out.leb128(number);
    out.le(static_cast<std::uint8_t>((end_checkpoints_ ? 1u : 0u) | (first_time_ && last_time_ ? 2u : 0u)));
    out.le(first_time_.value_or(0));
    out.le(last_time_.value_or(0));
    return true;
}

bool FileReader::restore_state(Cursor& in) {
    if (live_ || verification_) return false;
    const std::uint64_t next = in.leb128();
    if (next > list_.offsets.size()) return false;
    go_to(static_cast<std::size_t>(next));
    frames_ = in.leb128();
    active_frames_ = in.leb128();
    items_ = in.leb128();
    const auto flags = in.le<std::uint8_t>();
    end_checkpoints_ = (flags & 1u) != 0;
    const auto first = in.le<Tick>(), last = in.le<Tick>();
    if ((flags & 2u) != 0) {
        first_time_ = first;
        last_time_ = last;
    }
    return true;
}

}  // namespace hwtrace::uscope

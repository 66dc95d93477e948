#include "io/write_behind.hpp"

#include <fcntl.h>

namespace hwtrace {

#ifdef SYNC_FILE_RANGE_WRITE

void WriteBehind::advance(int descriptor, std::uint64_t written) noexcept {
    constexpr unsigned write_and_wait =
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    constexpr auto length = static_cast<off_t>(step);
    for (; requested_ + step <= written; requested_ += step)
        ::sync_file_range(descriptor, static_cast<off_t>(requested_), length, SYNC_FILE_RANGE_WRITE);
    for (; requested_ >= dropped_ + distance; dropped_ += step) {
        const auto begin = static_cast<off_t>(dropped_);
        ::sync_file_range(descriptor, begin, length, write_and_wait);
        ::posix_fadvise(descriptor, begin, length, POSIX_FADV_DONTNEED);
    }
}

#else

void WriteBehind::advance(int, std::uint64_t) noexcept {}

#endif

}  // namespace hwtrace

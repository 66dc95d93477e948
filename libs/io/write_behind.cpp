#include "io/write_behind.hpp"

#include <fcntl.h>

#include <cerrno>

namespace hwtrace {

#ifdef SYNC_FILE_RANGE_WRITE

namespace {

/// Returns 0, or the error of the disk. A system or a file without such requests is no error.
int request(int descriptor, std::uint64_t begin, unsigned flags) noexcept {
    while (::sync_file_range(descriptor, static_cast<off_t>(begin), static_cast<off_t>(WriteBehind::step), flags) != 0)
        if (errno != EINTR) return errno == ENOSYS || errno == ESPIPE || errno == EINVAL ? 0 : errno;
    return 0;
}

}  // namespace

int WriteBehind::advance(int descriptor, std::uint64_t written) noexcept {
    constexpr unsigned write_and_wait =
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    for (; requested_ + step <= written; requested_ += step)
        if (const int error = request(descriptor, requested_, SYNC_FILE_RANGE_WRITE)) return error;
    for (; requested_ >= dropped_ + distance; dropped_ += step) {
        if (const int error = request(descriptor, dropped_, write_and_wait)) return error;
        ::posix_fadvise(descriptor, static_cast<off_t>(dropped_), static_cast<off_t>(step), POSIX_FADV_DONTNEED);
    }
    return 0;
}

#else

int WriteBehind::advance(int, std::uint64_t) noexcept {
    return 0;
}

#endif

}  // namespace hwtrace

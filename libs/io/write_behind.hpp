// io/write_behind.hpp - large files leave the page cache while they are written.
#pragma once

#include <cstdint>

namespace hwtrace {

/// Makes the system write a file to the disk while the program goes on, so that little is left for fsync at the end.
/// Once the file is larger than a limit, drops from the page cache what is on the disk. Otherwise it would push out
/// what other programs use, and the system would spend processor time on finding pages to free. Does nothing where the
/// system cannot do this.
class WriteBehind {
public:
    static constexpr std::uint64_t step = std::uint64_t{16} << 20;      ///< bytes of one request to the system
    static constexpr std::uint64_t distance = std::uint64_t{64} << 20;  ///< bytes that may be on their way to the disk

    /// `keeps`: the number of bytes at the start of the file that stay in the page cache.
    explicit WriteBehind(std::uint64_t keeps = std::uint64_t{1} << 30) noexcept : dropped_(keeps) {}

    /// Takes the number of bytes written to `descriptor`, from the start of the file. Waits for the disk if it is more
    /// than `distance` behind, and the file is larger than what is kept. Returns 0, or the error (errno) of the disk:
    /// the system states it here and no longer in fsync.
    [[nodiscard]] int advance(int descriptor, std::uint64_t written) noexcept;

private:
    std::uint64_t requested_ = 0;  // bytes that the system was asked to write
    std::uint64_t dropped_;        // end of what was dropped
};

}  // namespace hwtrace

// io/byte_count.hpp - the size of an output, which one thread changes while others may read it.
#pragma once

#include <atomic>
#include <cstdint>

namespace hwtrace {

/// A number of bytes that one thread changes. Any thread may read it.
class ByteCount {
public:
    void set(std::uint64_t count) noexcept { count_.store(count, std::memory_order_relaxed); }
    void add(std::uint64_t count) noexcept { set(get() + count); }
    std::uint64_t get() const noexcept { return count_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> count_{0};
};

}  // namespace hwtrace

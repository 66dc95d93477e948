#include "io/appender.hpp"

#include <algorithm>

namespace hwtrace {

void Appender::enlarge(std::size_t count) {
    constexpr std::size_t smallest = 256;
    buffer_.resize(std::max({smallest, buffer_.size() * 2, size_ + count}));
}

}  // namespace hwtrace

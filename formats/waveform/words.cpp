#include "words.hpp"

namespace hwtrace::waveform {

bool Words::load_more() {
    constexpr std::size_t small = 4096;
    const auto left = static_cast<std::size_t>(end_ - at_);
    check_limit(left, most_, "a word", "--max-string");
    window_.consume(static_cast<std::size_t>(at_ - begin_));
    const std::span<const std::byte> bytes = window_.peek(left < small ? left + 1 : 2 * left);
    begin_ = at_ = reinterpret_cast<const char*>(bytes.data());
    end_ = begin_ + bytes.size();
    return bytes.size() > left;
}

}  // namespace hwtrace::waveform

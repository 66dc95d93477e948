// formats/waveform/words.hpp - splits a text into words separated by blanks and line ends.
#pragma once

#include <cstdint>
#include <string_view>

#include "io/input.hpp"

namespace hwtrace::waveform {

class Words {
public:
    /// `source` must outlive this object. A word longer than `most` bytes throws Failure::limit.
    Words(Source& source, std::uint64_t most) : window_(source), most_(most) {}

    /// Advances to the next word; returns false at the end of the text.
    bool next() {
        while (true) {
            while (at_ != end_ && is_blank(*at_))
                ++at_;
            const char* stop = at_;
            while (stop != end_ && !is_blank(*stop))
                ++stop;
            is_ended_ = stop != end_;
            if (is_ended_ || !load_more()) [[likely]] {
                stop = is_ended_ ? stop : end_;
                word_ = {at_, static_cast<std::size_t>(stop - at_)};
                at_ = stop;
                return !word_.empty();
            }
        }
    }
    /// Returns the word. Valid until the next call of next().
    std::string_view word() const noexcept { return word_; }
    /// Returns true if a blank or a line end follows the word. Only the last word may lack it.
    bool is_ended() const noexcept { return is_ended_; }
    /// Returns the byte offset of the word in the text.
    std::uint64_t offset() const noexcept {
        return window_.offset() + static_cast<std::uint64_t>(word_.data() - begin_);
    }

private:
    static constexpr bool is_blank(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
    /// Loads bytes behind the ones from at_ on. Returns false at the end of the source.
    bool load_more();

    Window window_;
    std::uint64_t most_;
    const char* begin_ = nullptr;  ///< the byte at the offset of the window
    const char* at_ = nullptr;
    const char* end_ = nullptr;
    std::string_view word_;
    bool is_ended_ = false;
};

}  // namespace hwtrace::waveform

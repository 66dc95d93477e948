#include "io/text_lines.hpp"

#include <algorithm>
#include <cstring>

#include "io/limits.hpp"

namespace hwtrace {

namespace {

std::string_view text_of(std::span<const std::byte> bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string_view without_returns(std::string_view line) noexcept {
    while (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

}  // namespace

TextLines::TextLines(Source& source, std::uint64_t most, std::string_view option)
    : window_(source), most_(most), option_(option) {}

/// Sets size_ and end_. The search for the line end starts `from` bytes after the front of the window.
void TextLines::find_end(std::size_t from) {
    std::span<const std::byte> bytes = window_.peek(from + 1);
    for (std::size_t searched = from;;) {
        const void* const found = std::memchr(bytes.data() + searched, '\n', bytes.size() - searched);
        if (found != nullptr) {
            size_ = static_cast<std::size_t>(static_cast<const std::byte*>(found) - bytes.data());
            end_ = 1;
            break;
        }
        searched = bytes.size();
        check_limit(searched, most_, "a line", option_);
        bytes = window_.peek(2 * searched);
        if (bytes.size() == searched) {
            size_ = searched;
            end_ = 0;
            break;
        }
    }
    check_limit(size_, most_, "a line", option_);
    text_ = without_returns(text_of(bytes.first(size_)));
}

bool TextLines::next() {
    window_.consume(size_ + end_);
    number_ += joined_;
    size_ = end_ = 0;
    joined_ = 0;
    text_ = {};
    if (window_.peek(1).empty()) return false;
    ++number_;
    find_end(0);
    return true;
}

std::string_view TextLines::behind(std::size_t count) {
    const std::string_view bytes = text_of(window_.peek(size_ + end_ + count));
    text_ = without_returns(bytes.substr(0, size_));
    return bytes.substr(size_ + end_, count);
}

void TextLines::join() {
    find_end(size_ + end_);
    ++joined_;
}

}  // namespace hwtrace

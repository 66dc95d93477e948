#include "io/text_lines.hpp"

#include <algorithm>
#include <cstring>

#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
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

void TextLines::save_place(const Unpacked& bytes, Appender& out) const {
    const std::uint64_t next = window_.offset() + size_ + end_;
    out.leb128(next);
    out.leb128(number_ + joined_);
    bytes.save_place(next, out);
}

bool TextLines::restore_place(Unpacked& bytes, Cursor& in) {
    const std::uint64_t next = in.leb128(), number = in.leb128();
    const auto raw_offset = bytes.restore_place(in);
    if (!raw_offset) return false;
    const auto refuse = [] { fail(Failure::input, "the state states no place of a text"); };
    if (*raw_offset > next) refuse();
    window_.restart(*raw_offset);
    while (window_.offset() < next) {
        const std::size_t there = window_.peek(1).size();
        if (there == 0) refuse();
        window_.consume(static_cast<std::size_t>(std::min<std::uint64_t>(there, next - window_.offset())));
    }
    size_ = end_ = 0;
    joined_ = 0;
    text_ = {};
    number_ = number;
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

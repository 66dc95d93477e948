#include "section_writer.hpp"

#include <array>
#include <cstddef>
#include <span>

#include "io/appender.hpp"

namespace hwtrace::uscope {

void SectionWriter::align() {
    static constexpr std::array<std::byte, 8> zeros{};
    if (const std::size_t rest = output_.size() % 8; rest != 0)
        output_.append(std::span<const std::byte>(zeros).first(8 - rest));
}

std::uint64_t SectionWriter::finish() {
    align();
    const std::uint64_t at = output_.size();
    entries_.push_back({Section::end, 0, 0});
    Appender bytes;
    for (const Entry& entry : entries_) {
        bytes.le(static_cast<std::uint16_t>(entry.type));
        bytes.zeros(6);
        bytes.le(entry.offset);
        bytes.le(entry.size);
    }
    output_.append(bytes.span());
    return at;
}

void write_segment_table(const std::deque<SegmentSink::Entry>& segments, Output& output) {
    constexpr std::size_t piece = std::size_t{64} << 10;
    Appender bytes;
    for (const SegmentSink::Entry& segment : segments) {
        bytes.le(segment.offset);
        bytes.le(segment.time_start);
        bytes.le(segment.time_end);
        if (bytes.size() < piece) continue;
        output.append(bytes.span());
        bytes.clear();
    }
    output.append(bytes.span());
}

}  // namespace hwtrace::uscope

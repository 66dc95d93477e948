// formats/uscope/section_writer.hpp - writes the sections at the end of a file and their table (5, 8.3).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "io/output.hpp"
#include "segment_writer.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

/// Writes sections, one after the other, then their table.
class SectionWriter {
public:
    explicit SectionWriter(Output& output) noexcept : output_(output) {}

    /// Calls write(), which appends the content of the section to the output.
    template <typename Write>
    void section(Section type, Write write) {
        align();
        const std::uint64_t offset = output_.size();
        write();
        entries_.push_back({type, offset, output_.size() - offset});
    }
    /// Writes the table and returns its file offset.
    std::uint64_t finish();

private:
    struct Entry {
        Section type;
        std::uint64_t offset, size;
    };

    void align();

    Output& output_;
    std::vector<Entry> entries_;
};

/// Appends the content of the section of segments.
void write_segment_table(const std::deque<SegmentSink::Entry>& segments, Output& output);

}  // namespace hwtrace::uscope

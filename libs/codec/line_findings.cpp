#include "codec/line_findings.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace hwtrace {

Finding line_finding(const Rule& rule, const TextLines& lines, const Unpacked& bytes, std::size_t at) {
    Finding finding{.rule = &rule, .offset = lines.offset() + at};
    if (lines.number() != 0) finding.where.append("line ").append(std::to_string(lines.number()));
    if (bytes.packing() == Packing::plain) {
        const std::size_t size = lines.text().size();
        finding.length = std::max<std::size_t>(size - std::min(size, at), 1);
    } else {
        // It came from somewhere in what was read of the file so far.
        finding.inner_offset = finding.offset;
        finding.offset = 0;
        finding.length = std::max<std::uint64_t>(bytes.file_offset(), 1);
    }
    return finding;
}

void report_packing(const Unpacked& bytes, const Rule& cut, const Rule& damaged, Findings& findings) {
    const bool is_cut = bytes.state() == Unpacked::State::truncated;
    if (!is_cut && bytes.state() != Unpacked::State::damaged) return;
    bytes.check_memory();
    findings.report({.rule = is_cut ? &cut : &damaged,
                     .offset = bytes.file_offset(),
                     .where = std::string(name_of(bytes.packing()))});
}

}  // namespace hwtrace

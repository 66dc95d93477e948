#include "codec/line_findings.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "io/error.hpp"

namespace hwtrace {

Finding line_finding(const Rule& rule, const TextLines& lines, const Unpacked& bytes, std::size_t at) {
    Finding finding{.rule = &rule, .offset = lines.offset() + at};
    if (lines.number() != 0) finding.where.append("line ").append(std::to_string(lines.number()));
    if (bytes.packing() == Packing::plain) {
        const std::size_t size = lines.text().size();
        finding.length = std::max<std::size_t>(size - std::min(size, at), 1);
    } else {
        // The exact place in the compressed bytes is unknown, so the finding covers all bytes read so far.
        finding.inner_offset = finding.offset;
        finding.offset = 0;
        finding.length = std::max<std::uint64_t>(bytes.file_offset(), 1);
    }
    return finding;
}

bool report_cut_beginning(std::string_view magic, TextLines& lines, const Unpacked& bytes, const Rule& cut,
                          const Rule& packing_cut, const Rule& packing_damaged, Findings& findings) {
    const std::string begin(lines.behind(magic.size()));
    if (begin.size() >= magic.size() || !magic.starts_with(begin)) return false;
    if (bytes.state() == Unpacked::State::truncated || bytes.state() == Unpacked::State::damaged) {
        report_packing(bytes, packing_cut, packing_damaged, findings);
        return true;
    }
    if (begin.empty()) return false;
    Finding finding = line_finding(cut, lines, bytes);
    finding.expected = magic;
    finding.got = begin;
    findings.report(std::move(finding));
    return true;
}

void report_packing(const Unpacked& bytes, const Rule& cut, const Rule& damaged, Findings& findings) {
    const bool is_cut = bytes.state() == Unpacked::State::truncated;
    if (!is_cut && bytes.state() != Unpacked::State::damaged) return;
    bytes.check_memory();
    findings.report({.rule = is_cut ? &cut : &damaged,
                     .offset = bytes.file_offset(),
                     .where = std::string(name_of(bytes.packing()))});
}

void show_and_check(const std::function<void(Findings& unsaid)>& show,
                    const std::function<std::unique_ptr<Reader>()>& open) {
    const auto check = [&] {
        const std::unique_ptr<Reader> reader = open();
        for (Batch batch; reader->read(batch);)
            batch.clear();
    };
    Findings unsaid(0);
    try {
        show(unsaid);
    } catch (const Error&) {
        check();
        throw;
    }
    check();
}

}  // namespace hwtrace

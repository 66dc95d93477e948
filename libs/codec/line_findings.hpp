// codec/line_findings.hpp - findings for line-based text formats, whose files may be compressed.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include "codec/findings.hpp"
#include "codec/reader.hpp"
#include "io/text_lines.hpp"
#include "io/unpacked.hpp"

namespace hwtrace {

/// Returns a finding about the current line from byte `at` to the end. The caller sets `expected` and `got`. In a
/// compressed file, the finding covers all bytes read so far, and `inner_offset` is the offset in the text.
Finding line_finding(const Rule& rule, const TextLines& lines, const Unpacked& bytes, std::size_t at = 0);

/// Reports a finding and returns true if the text is a truncated `magic`. Plain files violate rule `cut`. Truncated or
/// damaged compressed files are reported by report_packing(), which may throw. Returns false for any other text, and
/// for an empty plain file. Call it before the first line.
bool report_cut_beginning(std::string_view magic, TextLines& lines, const Unpacked& bytes, const Rule& cut,
                          const Rule& packing_cut, const Rule& packing_damaged, Findings& findings);

/// Reports a compressed file that is truncated or damaged. Throws Failure::limit if decompression needs more memory
/// than the limits allow. Call it after the last line.
void report_packing(const Unpacked& bytes, const Rule& cut, const Rule& damaged, Findings& findings);

/// Calls `show`, which prints a file line by line and notices faults of single lines only. Then reads the trace, so
/// that all faults are reported, once each. `show` gets a place for the faults that it notices. `open` opens the trace.
void show_and_check(const std::function<void(Findings& unsaid)>& show,
                    const std::function<std::unique_ptr<Reader>()>& open);

}  // namespace hwtrace

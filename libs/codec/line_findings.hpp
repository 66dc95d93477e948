// codec/line_findings.hpp - findings for formats of text lines, optionally compressed as a whole.
#pragma once

#include <cstddef>
#include <string_view>

#include "codec/findings.hpp"
#include "io/text_lines.hpp"
#include "io/unpacked.hpp"

namespace hwtrace {

/// Returns a finding about the current line from byte `at` to the end. The caller sets `expected` and `got`. In a
/// compressed file, the finding covers all bytes read so far, and `inner_offset` is the offset in the text.
Finding line_finding(const Rule& rule, const TextLines& lines, const Unpacked& bytes, std::size_t at = 0);

/// Returns true, after a finding, if the text ends inside `magic`, with which it must begin. The rule is `cut` in a
/// plain file; a compressed file is reported as by report_packing(). Returns false for an empty file. Throws as
/// report_packing() does. Call it before the first line.
bool report_cut_beginning(std::string_view magic, TextLines& lines, const Unpacked& bytes, const Rule& cut,
                          const Rule& packing_cut, const Rule& packing_damaged, Findings& findings);

/// Reports a compressed file that is truncated or damaged. Throws Failure::limit if decompression needs more memory
/// than Limits allow. Call it after the last line.
void report_packing(const Unpacked& bytes, const Rule& cut, const Rule& damaged, Findings& findings);

}  // namespace hwtrace

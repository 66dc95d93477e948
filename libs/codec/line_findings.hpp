// codec/line_findings.hpp - findings of formats whose files are lines of text, optionally compressed as a whole.
#pragma once

#include <cstddef>
#include <string_view>

#include "codec/findings.hpp"
#include "io/text_lines.hpp"
#include "io/unpacked.hpp"

namespace hwtrace {

/// Returns a finding about the current line, from its byte `at` to its end. The caller adds what was expected and
/// found. In a compressed file the finding covers all bytes read so far, and `inner_offset` is the place in the text.
Finding line_finding(const Rule& rule, const TextLines& lines, const Unpacked& bytes, std::size_t at = 0);

/// Call before the first line, for a format whose text begins with `magic`. If the text ends inside the magic, reports
/// that and returns true: in a plain file by the rule `cut`, in a compressed one like report_packing(). Returns false
/// for an empty file. Throws as report_packing() does.
bool report_cut_beginning(std::string_view magic, TextLines& lines, const Unpacked& bytes, const Rule& cut,
                          const Rule& packing_cut, const Rule& packing_damaged, Findings& findings);

/// Call after the last line. Reports a compressed file that is truncated or damaged. Throws Failure::limit if it needs
/// more memory than Limits allow.
void report_packing(const Unpacked& bytes, const Rule& cut, const Rule& damaged, Findings& findings);

}  // namespace hwtrace

// codec/line_findings.hpp - what is found in formats whose files are lines of text, perhaps compressed as a whole.
#pragma once

#include <cstddef>
#include <string_view>

#include "codec/findings.hpp"
#include "io/text_lines.hpp"
#include "io/unpacked.hpp"

namespace hwtrace {

/// A finding about the line at hand, from byte `at` of it to its end, without what was expected and found. Of a
/// compressed file it is about all bytes that were read so far: `inner_offset` is the place in the text.
Finding line_finding(const Rule& rule, const TextLines& lines, const Unpacked& bytes, std::size_t at = 0);

/// Before the first line of a format whose text begins with `magic`: whether the text ends inside it, because the file
/// does, or because of what it is compressed with. Reports that, a plain file's end as `cut`. False for an empty file.
/// Throws as report_packing() does.
bool report_cut_beginning(std::string_view magic, TextLines& lines, const Unpacked& bytes, const Rule& cut,
                          const Rule& packing_cut, const Rule& packing_damaged, Findings& findings);

/// Behind the last line: reports where what the file is compressed with was cut, or damaged. Throws Failure::limit
/// where it asks for more memory than Limits allow.
void report_packing(const Unpacked& bytes, const Rule& cut, const Rule& damaged, Findings& findings);

}  // namespace hwtrace

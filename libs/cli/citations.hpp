// cli/citations.hpp - the places that explain a rule.
#pragma once

#include <string>
#include <string_view>

#include "codec/format.hpp"

namespace hwtrace::cli {

/// Returns the anchor that Markdown hosts generate for a heading: "Chunk index" becomes "chunk-index".
std::string anchor_of(std::string_view heading);
/// Returns the link to the rule, as in "formats/RULES.md#stf062". Empty for a rule of a plug-in, which is not on that
/// page.
std::string rule_anchor(FormatList formats, const Rule& rule);
/// Returns the places that explain the rule: "formats/ftr/README.md#frame; FTR Specification, 2.1". Empty for
/// general_rules().
std::string citation_of(FormatList formats, const Rule& rule);
/// Does the same for a rule of `format`.
std::string citation_of(const Format& format, const Rule& rule);

}  // namespace hwtrace::cli

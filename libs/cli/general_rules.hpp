// cli/general_rules.hpp - the rules that hold for every format, the list of all rules, and their citations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"

namespace hwtrace::cli {

extern const Rule no_records;
extern const Rule unknown_format;

/// Returns the rules that hold for every format.
std::vector<const Rule*> general_rules();
/// Returns general_rules(), then the rules of each format.
std::vector<const Rule*> all_rules(FormatList formats);
/// Returns the rule with this id, or nullptr.
const Rule* find_rule(FormatList formats, std::string_view id);

/// Returns the anchor that Markdown hosts generate for a heading: "Chunk index" becomes "chunk-index".
std::string anchor_of(std::string_view heading);
/// Returns the link to the rule, as in "formats/RULES.md#stf062".
std::string rule_anchor(const Rule& rule);
/// Returns the places that explain the rule: "formats/ftr/README.md#frame; FTR Specification, 2.1". Empty for
/// general_rules().
std::string citation_of(FormatList formats, const Rule& rule);
/// Does the same for a rule of `format`.
std::string citation_of(const Format& format, const Rule& rule);

}  // namespace hwtrace::cli

// cli/general_rules.hpp - all rules there are, and those that hold for every format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"

namespace hwtrace::cli {

extern const Rule no_records;
extern const Rule unknown_format;

/// The rules above, then those of every format in turn.
std::vector<const Rule*> all_rules(FormatList formats);
/// The rule of that id, or nullptr.
const Rule* find_rule(FormatList formats, std::string_view id);
/// Where the rule is explained: "formats/ftr/README.md#frame; FTR Specification, 2.1". Empty for rules that hold for
/// every format.
std::string citation_of(FormatList formats, const Rule& rule);
/// The same for a rule of `format`.
std::string citation_of(const Format& format, const Rule& rule);

}  // namespace hwtrace::cli

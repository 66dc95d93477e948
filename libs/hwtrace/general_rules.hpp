// hwtrace/general_rules.hpp - the rules that hold for every format, and the list of all rules.
#pragma once

#include <string_view>
#include <vector>

#include "codec/format.hpp"

namespace hwtrace {

extern const Rule no_records;
extern const Rule unknown_format;

/// Returns the rules that hold for every format.
std::vector<const Rule*> general_rules();
/// Returns general_rules(), then the rules of each format.
std::vector<const Rule*> all_rules(FormatList formats);
/// Returns the rule with this id, or nullptr.
const Rule* find_rule(FormatList formats, std::string_view id);

}  // namespace hwtrace

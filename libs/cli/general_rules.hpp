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
/// Rule::paragraph; one of a format's README with the folder: "formats/stf/README.md, Parts".
std::string paragraph_of(FormatList formats, const Rule& rule);
/// The same of a rule that the format of that name has, or that all have.
std::string paragraph_of(std::string_view format, const Rule& rule);

}  // namespace hwtrace::cli

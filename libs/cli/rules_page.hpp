// cli/rules_page.hpp - formats/RULES.md: every rule on one page, in Markdown.
#pragma once

#include <string>

#include "codec/format.hpp"

namespace hwtrace::cli {

/// Returns the page that `hwtrace-validate --list-rules --markdown` prints. The heading of a rule is its id alone, so
/// the anchor is the id in lower case: "formats/RULES.md#stf062". Links are relative to the folder formats/.
std::string rules_page(FormatList formats);

}  // namespace hwtrace::cli

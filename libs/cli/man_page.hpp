// cli/man_page.hpp - generates the man page of a command from its options.
#pragma once

#include <string>

#include "cli/command_description.hpp"

namespace hwtrace::cli {

/// Returns the page in man(7), in ASCII. Equal descriptions give equal pages.
std::string man_page(const CommandDescription& command);

}  // namespace hwtrace::cli

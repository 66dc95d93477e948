// cli/man_page.hpp - a binary's man page, made of its options.
#pragma once

#include <string>

#include "cli/command_description.hpp"

namespace hwtrace::cli {

/// The page in man(7), ASCII alone, the same for the same description.
std::string man_page(const CommandDescription& command);

}  // namespace hwtrace::cli

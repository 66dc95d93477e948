// cli/help.hpp - the texts that -h and --help print.
#pragma once

#include <cstddef>
#include <string>

#include "cli/command_description.hpp"

namespace hwtrace::cli {

/// Returns a help that fits a screen of 80 columns and 24 lines: purpose, usage, three examples, and the options that
/// the command calls essential.
std::string short_help(const CommandDescription& command);

/// Returns the whole help, wrapped to this many columns (at least 60): examples first, then all options by group.
/// An example is longer than a line only if the command itself is.
std::string full_help(const CommandDescription& command, std::size_t columns);

}  // namespace hwtrace::cli

// cli/man_page.hpp - generates the man page of a command from its options.
#pragma once

#include <string>
#include <string_view>

#include "cli/command_description.hpp"

namespace hwtrace::cli {

/// Returns the page in man(7), in ASCII. Equal descriptions give equal pages. `guide` is the page of the command in
/// Markdown, whose sections become the section GUIDE; empty: none.
std::string man_page(const CommandDescription& command, std::string_view guide = {});

}  // namespace hwtrace::cli

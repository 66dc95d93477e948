// cli/shell_word.hpp - quotes a file name for a command line that a message prints.
#pragma once

#include <string>
#include <string_view>

namespace hwtrace::cli {

/// Returns the name of a file as one word of a shell's command line, which never looks like an option. Names with
/// control characters or bytes that are not UTF-8 are written as $'...', so that a terminal does not execute them.
std::string shell_word(std::string_view name);

}  // namespace hwtrace::cli

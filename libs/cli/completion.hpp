// cli/completion.hpp - generates shell completions from the options of a command.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "cli/command_description.hpp"

namespace hwtrace::cli {

/// The supported shells.
inline constexpr std::array<std::string_view, 3> shells{"bash", "zsh", "fish"};

/// Returns the completion script for one of `shells`. Throws Failure::usage for another name.
std::string completion(const CommandDescription& command, std::string_view shell);

}  // namespace hwtrace::cli

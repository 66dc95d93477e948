// cli/completion.hpp - what a shell offers while a command is typed, made of its options.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "cli/command_description.hpp"

namespace hwtrace::cli {

/// The shells that there are completions for.
inline constexpr std::array<std::string_view, 3> shells{"bash", "zsh", "fish"};

/// A script that the shell loads by itself from where `cmake --install` puts it. `shell` is one of `shells`.
std::string completion(const CommandDescription& command, std::string_view shell);

}  // namespace hwtrace::cli

// cli/piece_paths.hpp - names the files of the pieces of hwtrace-split.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"

namespace hwtrace::cli {

/// Returns the paths of the pieces: `pattern` with {} replaced by each of `names`. If `pattern` has no {}, "-" and the
/// name are inserted before the extension. In a name, a slash becomes "." and every other unsafe character becomes "_".
/// Equal names get a number. Throws Failure::usage if {} appears twice or in the name of a folder.
std::vector<std::string> piece_paths(std::string_view pattern, const std::vector<std::string>& names,
                                     const Format& format);

}  // namespace hwtrace::cli

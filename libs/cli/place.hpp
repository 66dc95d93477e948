// cli/place.hpp - whether two names are of one file.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace hwtrace::cli {

/// The file that `path` names, which need not be there yet: the same for "a/../b", "./b" and a link to b.
inline std::filesystem::path place_of(const std::string& path) {
    std::error_code unknown;
    std::filesystem::path whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path, unknown), unknown);
    return unknown ? std::filesystem::path(path) : whole;
}

}  // namespace hwtrace::cli

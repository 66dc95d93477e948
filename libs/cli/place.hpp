// cli/place.hpp - canonical paths, which show whether two paths name the same file.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace hwtrace::cli {

/// Returns a canonical path, equal for "a/../b", "./b" and a link to b. The file need not exist.
inline std::filesystem::path place_of(const std::string& path) {
    std::error_code unknown;
    std::filesystem::path whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path, unknown), unknown);
    return unknown ? std::filesystem::path(path) : whole;
}

}  // namespace hwtrace::cli

// cli/listed_files.hpp - expands the files and folders of a command line.
#pragma once

#include <string>
#include <vector>

namespace hwtrace::cli {

struct ListedFile {
    std::string path;
    bool is_from_folder = false;  ///< found in a folder, so it need not be a trace
    std::string fault{};          ///< why a folder cannot be listed; empty for a file
};

/// Returns the files in the order of `paths`. A folder is replaced by the regular files below it, sorted by path.
/// Follows symbolic links to files, but not to folders. Throws Failure::usage for an empty name, and for a folder if
/// `recursive` is false.
std::vector<ListedFile> listed_files(const std::vector<std::string>& paths, bool recursive);

}  // namespace hwtrace::cli

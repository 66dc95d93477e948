// cli/listed_files.hpp - the files that arguments name, and those in the folders that they name.
#pragma once

#include <string>
#include <vector>

namespace hwtrace::cli {

struct ListedFile {
    std::string path;
    bool is_from_folder = false;  ///< nobody named it: it need not be a trace
    std::string fault{};          ///< it is a folder that cannot be listed: why
};

/// In the order of `paths`; of a folder, the regular files below it in the order of their paths. Links are followed to
/// files, not to folders. Throws Failure::usage for a folder where `recursive` is not set, and for a name that is
/// empty.
std::vector<ListedFile> listed_files(const std::vector<std::string>& paths, bool recursive);

}  // namespace hwtrace::cli

#include "cli/listed_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "io/error.hpp"

namespace hwtrace::cli {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_below(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, error);
    for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
        std::error_code unknown;
        const bool leads_nowhere = entry->is_symlink(unknown) && !entry->exists(unknown);
        if (leads_nowhere || entry->is_regular_file(unknown)) files.push_back(entry->path().string());
    }
    if (error) fail(Failure::io, fmt::format("{}: cannot be listed: {}", folder, error.message()));
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::vector<ListedFile> listed_files(const std::vector<std::string>& paths, bool recursive) {
    std::vector<ListedFile> files;
    for (const std::string& path : paths) {
        std::error_code unknown;
        if (path == "-" || !fs::is_directory(path, unknown)) {
            files.push_back({path});
            continue;
        }
        if (!recursive)
            fail(Failure::usage, fmt::format("{}: is a folder; --recursive checks the traces below it", path));
        for (std::string& file : files_below(path))
            files.push_back({std::move(file), true});
    }
    return files;
}

}  // namespace hwtrace::cli

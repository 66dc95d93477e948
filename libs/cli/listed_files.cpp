#include "cli/listed_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "io/error.hpp"

namespace hwtrace::cli {

namespace {

namespace fs = std::filesystem;

/// Returns the files below a folder. A folder that cannot be listed completely becomes an entry with the reason.
std::vector<ListedFile> files_below(const std::string& top) {
    std::vector<ListedFile> files;
    std::vector<std::string> folders{top};
    while (!folders.empty()) {
        const std::string folder = std::move(folders.back());
        folders.pop_back();
        std::error_code error;
        fs::directory_iterator entry(folder, error);
        for (const fs::directory_iterator end; !error && entry != end; entry.increment(error)) {
            std::error_code unknown;
            const bool is_link = entry->is_symlink(unknown);
            const bool leads_nowhere = is_link && !entry->exists(unknown);
            if (!is_link && entry->is_directory(unknown))
                folders.push_back(entry->path().string());
            else if (leads_nowhere || entry->is_regular_file(unknown))
                files.push_back({.path = entry->path().string(), .is_from_folder = true});
        }
        if (error) files.push_back({.path = folder, .fault = "cannot be listed: " + error.message()});
    }
    std::ranges::sort(files, {}, &ListedFile::path);
    return files;
}

}  // namespace

std::vector<ListedFile> listed_files(const std::vector<std::string>& paths, bool recursive) {
    std::vector<ListedFile> files;
    for (const std::string& path : paths) {
        std::error_code unknown;
        if (path == "-" || !fs::is_directory(path, unknown)) {
            if (path.empty()) fail(Failure::usage, "a file name is empty");
            files.push_back({.path = path});
            continue;
        }
        if (!recursive) fail(Failure::usage, fmt::format("{}: is a folder; --recursive checks the traces in it", path));
        for (ListedFile& file : files_below(path))
            files.push_back(std::move(file));
    }
    return files;
}

}  // namespace hwtrace::cli

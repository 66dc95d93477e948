#include "cli/piece_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "io/error.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view place_of_name = "{}";

/// Returns a name that is safe as part of a file name.
std::string safe_name(std::string_view name) {
    constexpr std::size_t longest = 100;
    std::string safe;
    for (const char c : name.substr(0, longest)) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
                           c == '.' || c == '_';
        safe.push_back(c == '/' ? '.' : plain ? c : '_');
    }
    if (safe.empty()) safe.push_back('_');
    if (safe.front() == '.' || safe.front() == '-') safe.front() = '_';
    return safe;
}

/// Returns the offset of the extension: at the longest matching extension of the format, otherwise at the last dot.
std::size_t extension_at(std::string_view path, const Format& format) {
    const std::size_t slash = path.rfind('/');
    const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
    std::size_t longest = 0;
    for (const std::string_view extension : format.extensions)
        if (path.size() - name > extension.size() && path.ends_with(extension))
            longest = std::max(longest, extension.size());
    if (longest != 0) return path.size() - longest;
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos || dot <= name ? path.size() : dot;
}

}  // namespace

std::vector<std::string> piece_paths(std::string_view pattern, const std::vector<std::string>& names,
                                     const Format& format) {
    const std::size_t slash = pattern.rfind('/');
    const std::size_t at = pattern.find(place_of_name);
    const bool is_placed = at != std::string_view::npos;
    if (is_placed && slash != std::string_view::npos && at < slash)
        fail(Failure::usage, fmt::format("{}: {{}} must be in the file name, not in a folder", pattern));
    if (is_placed && pattern.find(place_of_name, at + 1) != std::string_view::npos)
        fail(Failure::usage, fmt::format("{}: {{}} appears twice", pattern));
    const std::size_t end = is_placed ? at : extension_at(pattern, format);
    const std::string front = fmt::format("{}{}", pattern.substr(0, end), is_placed ? "" : "-");
    const std::string_view back = pattern.substr(is_placed ? at + place_of_name.size() : end);

    std::vector<std::string> paths;
    std::set<std::string> taken;
    for (const std::string& name : names) {
        const std::string safe = safe_name(name);
        std::string unique = safe;
        for (std::size_t number = 2; !taken.insert(unique).second; ++number)
            unique = fmt::format("{}-{}", safe, number);
        paths.push_back(fmt::format("{}{}{}", front, unique, back));
    }
    return paths;
}

}  // namespace hwtrace::cli

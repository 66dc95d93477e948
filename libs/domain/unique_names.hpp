// domain/unique_names.hpp - makes names unique, whatever the case of their letters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace hwtrace {

/// Names that differ in more than the case of ASCII letters, as tables and columns of databases must.
class UniqueNames {
public:
    /// Returns `name`, or `name` and a number if it is taken: "read", "read_2", "read_3".
    std::string add(std::string_view name) {
        std::string unique(name);
        std::uint32_t& last = last_numbers_[lower(name)];
        while (!taken_.insert(lower(unique)).second) {
            last = std::max(last + 1, std::uint32_t{2});
            unique = std::string(name).append("_").append(std::to_string(last));
        }
        return unique;
    }
    bool has(std::string_view name) const { return taken_.contains(lower(name)); }

    static char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
    static std::string lower(std::string_view text) {
        std::string small(text);
        std::ranges::transform(small, small.begin(), [](char c) { return lower(c); });
        return small;
    }

private:
    std::set<std::string> taken_;
    std::map<std::string, std::uint32_t> last_numbers_;  // by name without number
};

}  // namespace hwtrace

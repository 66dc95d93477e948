// serve/page.hpp - the page that lists the files of a server.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hwtrace {

struct ListedFile {
    std::string name;
    std::uint64_t size = 0;
    std::string modified;  ///< empty: unknown, as of a URL
};

/// Returns the page as HTML. It has no script.
std::string index_page(const std::vector<ListedFile>& files, bool has_query);
/// Returns its style sheet, /style.css.
std::string_view page_style() noexcept;
/// Returns the text as a JSON string. Bytes that are not UTF-8 become U+FFFD.
std::string json_quoted(std::string_view text);

}  // namespace hwtrace

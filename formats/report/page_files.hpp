// formats/report/page_files.hpp - the files of the folder page/, which the build embeds (embed.cmake).
#pragma once

#include <string_view>

namespace hwtrace::report {

/// Returns page.html. It has the marks @style@, @script@, @data@, @style-hash@ and @script-hash@.
std::string_view page_html() noexcept;
std::string_view page_style() noexcept;
std::string_view page_script() noexcept;
/// Return the SHA-256 of page_style() and page_script() in base 64. The page allows no other style and script.
std::string_view page_style_hash() noexcept;
std::string_view page_script_hash() noexcept;

}  // namespace hwtrace::report

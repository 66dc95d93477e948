// cli/guide.hpp - converts the page of a command to a section of its man page.
#pragma once

#include <string>
#include <string_view>

namespace hwtrace::cli {

/// Returns a page in Markdown as man(7): each second-level section becomes a subsection. Leaves out the title and
/// everything before the first section. Supports paragraphs, lists, tables, code blocks, bold text, code and links, of
/// which only the text is kept.
std::string guide_as_man(std::string_view markdown);

/// Returns text escaped for man(7).
std::string man_escaped(std::string_view text);

}  // namespace hwtrace::cli

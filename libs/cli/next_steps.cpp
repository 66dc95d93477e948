#include "cli/next_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/shell_word.hpp"
#include "cli/terminal.hpp"

namespace hwtrace::cli {

void print_next_steps(const FileInfo& info, TextOutput& out) {
    const bool is_stdin = info.file == "<stdin>";  // the next command gets it from a pipe as well
    const std::string file = is_stdin ? "-" : shell_word(info.file);
    std::vector<std::pair<std::string, std::string_view>> steps;
    steps.emplace_back(fmt::format("hwtrace-dump {}", file),
                       info.instructions ? "the instructions" : "the records as text");
    if (info.intervals || info.signals)
        steps.emplace_back(fmt::format("hwtrace-dump {} --view lanes", file), "a drawing over time");
    const std::string page = is_stdin ? "report.html" : std::filesystem::path(info.file).stem().string() + ".html";
    steps.emplace_back(fmt::format("hwtrace-convert {} {}", file, shell_word(page)), "a report for a browser");
    steps.emplace_back(fmt::format("hwtrace-validate {}", file), "checks its format");
    std::size_t widest_command = 0, widest_remark = 0;
    for (const auto& [command, what] : steps) {
        widest_command = std::max(widest_command, columns_of(command));
        widest_remark = std::max(widest_remark, what.size());
    }
    constexpr std::size_t blanks = 6;
    const bool fits = widest_command + widest_remark + blanks <= output_columns();
    out.put("  go on with\n");
    for (const auto& [command, what] : steps)
        out.put(fits ? fmt::format("    {:<{}}  {}\n", command, widest_command, what)
                     : fmt::format("    {}\n      {}\n", command, what));
}

}  // namespace hwtrace::cli

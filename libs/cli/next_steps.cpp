#include "cli/next_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hwtrace::cli {

namespace {

/// Returns the text as one word of a shell's command line.
std::string shell_word(std::string_view text) {
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-_./+,:=@%").find(c) != std::string_view::npos;
    };
    std::string word(text);
    if (word.starts_with('-')) word.insert(0, "./");
    if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
    std::string quoted = "'";
    for (const char letter : word)
        quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return quoted + "'";
}

bool has_view(const Format& format, std::string_view name) noexcept {
    return std::ranges::any_of(format.views, [&](const View& view) { return view.name == name; });
}

}  // namespace

void print_next_steps(const FileInfo& info, TextOutput& out) {
    const bool is_stdin = info.file == "<stdin>";  // the next command gets it from a pipe as well
    const std::string file = is_stdin ? "-" : shell_word(info.file);
    std::vector<std::pair<std::string, std::string_view>> steps;
    const auto dump = [&](std::string_view view, std::string_view what) {
        steps.emplace_back(fmt::format("hwtrace-dump {} --view {}", file, view), what);
    };
    if (info.instructions && has_view(*info.format, "instructions"))
        dump("instructions | less", "the instructions, disassembled");
    else
        steps.emplace_back(fmt::format("hwtrace-dump {} | less", file), "the records as text");
    if (info.intervals || info.signals) dump("lanes", "draws what happens over time");
    const std::string page = is_stdin ? "report.html" : std::filesystem::path(info.file).stem().string() + ".html";
    steps.emplace_back(fmt::format("hwtrace-convert {} {}", file, shell_word(page)), "a report for a browser");
    steps.emplace_back(fmt::format("hwtrace-validate {}", file), "checks it against its format");
    std::size_t widest = 0;
    for (const auto& [command, what] : steps)
        widest = std::max(widest, command.size());
    out.put("  go on with\n");
    for (const auto& [command, what] : steps)
        out.put(fmt::format("    {:<{}}  {}\n", command, widest, what));
}

}  // namespace hwtrace::cli

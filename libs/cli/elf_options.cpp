#include "cli/elf_options.hpp"

#include <fmt/format.h>

#include <string_view>

#include "cli/loaded_bases.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"

namespace hwtrace::cli {

void ElfOptions::add_to(CommandLine& line) {
    line.option("--elf", "FILE[@BASE]", files,
                "Names addresses by the symbols of this program or library. BASE: where its address 0 was loaded "
                "(default: as the trace states, else 0)");
}

std::vector<SymbolFile> ElfOptions::chosen() const {
    std::vector<SymbolFile> chosen;
    for (const std::string& text : files) {
        const std::size_t at = text.rfind('@');
        if (at == std::string::npos || text.find('/', at) != std::string::npos) {
            chosen.push_back({text, std::nullopt});
            continue;
        }
        const std::string_view number = std::string_view(text).substr(at + 1);
        const auto base = parse_number(number);
        if (!base)
            fail(Failure::usage,
                 fmt::format("--elf {}: '{}' is not an address; give a number such as 0x2aaaaaa000, or name a file "
                             "with @ as ./{}@0",
                             text, number, text));
        chosen.push_back({text.substr(0, at), base});
    }
    for (const SymbolFile& file : chosen)
        if (file.path.empty()) fail(Failure::usage, "--elf: takes a file, or a file and its base as FILE@BASE");
    return chosen;
}

std::shared_ptr<const Symbols> ElfOptions::load(TraceFile& trace, const Settings& settings, Messages& messages) const {
    if (!any()) return nullptr;
    std::vector<SymbolFile> chosen_files = chosen();
    find_bases(chosen_files, trace, settings, messages);
    return Symbols::load(chosen_files, settings.limits);
}

}  // namespace hwtrace::cli

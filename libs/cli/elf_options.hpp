// cli/elf_options.hpp - the option --elf, which gives names to the addresses of programs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "io/limits.hpp"
#include "symbols/symbols.hpp"

namespace hwtrace::cli {

/// The programs and libraries that ran.
struct ElfOptions {
    std::vector<std::string> files;  ///< FILE or FILE@BASE, in order

    /// Adds --elf to `line`.
    void add_to(CommandLine& line);
    bool any() const noexcept { return !files.empty(); }

    /// Returns the files with their bases. Throws Failure::usage if a base is not a number.
    std::vector<SymbolFile> chosen() const;
    /// Reads the files; returns null without --elf. Throws as Symbols::load.
    std::shared_ptr<const Symbols> load(const Limits& limits) const;
};

}  // namespace hwtrace::cli

// cli/elf_options.hpp - the option --elf, which gives names to the addresses of programs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/messages.hpp"
#include "cli/trace_file.hpp"
#include "codec/settings.hpp"
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
    /// Reads the files; returns null without --elf. Takes bases that are not given from the trace (loaded_bases.hpp).
    /// Throws as Symbols::load.
    std::shared_ptr<const Symbols> load(TraceFile& trace, const Settings& settings, Messages& messages) const;
};

}  // namespace hwtrace::cli

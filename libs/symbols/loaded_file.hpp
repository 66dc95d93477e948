// symbols/loaded_file.hpp - what is known of one ELF file.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "io/limits.hpp"
#include "symbols/function_table.hpp"
#include "symbols/symbols.hpp"

namespace hwtrace {

/// Source lines and inlined calls by address. Addresses are those of the file. Threads may share it.
class LineSource {
public:
    virtual ~LineSource() = default;
    /// See Symbols.
    virtual Symbols::Line line_at(std::uint64_t pc) = 0;
    virtual Symbols::Inlining inlining_at(std::uint64_t pc) = 0;
};

struct LoadedFile {
    std::uint64_t begin = 0, end = 0;   ///< the addresses that contain all code, as loaded
    std::vector<CodeSymbol> symbols;    ///< addresses as loaded
    std::shared_ptr<const void> owner;  ///< keeps the names of the symbols
    std::unique_ptr<LineSource> lines;  ///< null without debug information
};

/// Whether this build can read ELF files.
bool can_load_elf() noexcept;
/// Reads a file; `index` is copied to its symbols. Throws as Symbols::load.
LoadedFile load_elf(const SymbolFile& file, std::uint32_t index, const Limits& limits);

}  // namespace hwtrace

// symbols/elf_file.hpp - reads the code symbols of an ELF file, by libelf. Compiled only if libdw was found.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/descriptor.hpp"
#include "io/limits.hpp"
#include "symbols/function_table.hpp"

namespace hwtrace {

/// An open ELF file.
class ElfFile {
public:
    /// Opens a file and checks what it is. Throws Failure::io, Failure::input or Failure::limit; messages name the
    /// file.
    ElfFile(const std::string& path, const Limits& limits);
    ElfFile(const ElfFile&) = delete;
    ElfFile& operator=(const ElfFile&) = delete;

    const std::string& path() const noexcept { return path_; }
    Elf* elf() const noexcept { return elf_.get(); }
    /// The addresses [begin, end) that contain all code.
    struct Extent {
        std::uint64_t begin = 0, end = 0;
    };
    Extent code() const noexcept { return code_; }

    /// Returns the symbols of code. `base` is added to all addresses; `file` is copied to the symbols. Their names are
    /// valid as long as this object. Throws Failure::input if there are none, Failure::limit if there are too many.
    std::vector<CodeSymbol> symbols(std::uint64_t base, std::uint32_t file, const Limits& limits) const;
    /// Returns true if the file has sections with DWARF debug information.
    bool has_debug_sections() const noexcept;
    /// Throws Failure::limit if the debug sections have more than limits.block bytes once they are decompressed.
    void check_compressed_sections(const Limits& limits) const;

private:
    void check_header() const;
    void read_sections(const Limits& limits);
    void read_table(Elf_Scn* scn, const Limits& limits, std::vector<CodeSymbol>& symbols) const;
    [[noreturn]] void refuse(const std::string& what) const;

    std::string path_;
    Descriptor descriptor_;
    struct Close {
        void operator()(Elf* elf) const noexcept { elf_end(elf); }
    };
    std::unique_ptr<Elf, Close> elf_;
    std::vector<Extent> sections_;  // by index; empty if the section holds no code
    Extent code_;
};

}  // namespace hwtrace

// Compiled only if libdw was found; otherwise cannot_load_elf.cpp.
#include "symbols/debug_info.hpp"
#include "symbols/elf_file.hpp"
#include "symbols/loaded_file.hpp"

namespace hwtrace {

bool can_load_elf() noexcept {
    return true;
}

LoadedFile load_elf(const SymbolFile& file, std::uint32_t index, const Limits& limits) {
    const auto elf = std::make_shared<const ElfFile>(file.path, limits);
    const std::uint64_t base = file.base.value_or(0);
    LoadedFile loaded;
    loaded.symbols = elf->symbols(base, index, limits);
    loaded.begin = elf->code().begin + base;
    loaded.end = elf->code().end + base;
    loaded.owner = elf;
    loaded.lines = DebugInfo::open(elf, limits);
    return loaded;
}

}  // namespace hwtrace

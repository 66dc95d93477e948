// Compiled only if libdw was not found; otherwise load_elf.cpp.
#include "io/error.hpp"
#include "symbols/loaded_file.hpp"

namespace hwtrace {

bool can_load_elf() noexcept {
    return false;
}

LoadedFile load_elf(const SymbolFile& file, std::uint32_t, const Limits&) {
    fail(Failure::usage, file.path +
                             ": this build of hwtrace cannot read ELF files, because libdw was missing when it was "
                             "built; install libdw-dev (Debian) and build again");
}

}  // namespace hwtrace

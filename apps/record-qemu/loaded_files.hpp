// apps/record-qemu/loaded_files.hpp - finds out which files of a program were loaded where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hwtrace::record_qemu {

/// A position-independent program or library.
struct LoadedFile {
    std::string name;        ///< without its folder, so that equal runs on different machines make equal traces
    std::uint64_t base = 0;  ///< where its address 0 is
};

/// The files that QEMU mapped for the program, as /proc/self/maps lists them. Not for several threads at the same time.
class LoadedFiles {
public:
    /// Returns the file that contains code at `pc` if it is one that was not returned before, and was not loaded at its
    /// own addresses. `memory` is the program's address 0 in QEMU's memory. Fast if the file of `pc` is known.
    std::optional<LoadedFile> at(std::uint64_t pc, std::uint64_t memory);

private:
    /// Code that needs no further look: addresses [begin, end) of the program.
    struct Known {
        std::uint64_t begin = 0, end = 0;
    };
    static constexpr std::size_t most_unknown = 1024;

    std::vector<Known> known_;
    std::vector<LoadedFile> returned_;
    std::size_t unknown_ = 0;  // addresses that are in no file; code that is made at run time, say
};

/// Returns the base of an ELF file whose bytes from `offset` on are at `address`; nullopt if it is not an ELF file with
/// such a segment.
std::optional<std::uint64_t> base_of(const std::string& path, std::uint64_t offset, std::uint64_t address);

}  // namespace hwtrace::record_qemu

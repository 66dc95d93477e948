// formats/stf/decoding.hpp - decodes RISC-V instructions into assembly language with LLVM, whose shared library is
// loaded when it is first needed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "model/riscv.hpp"

namespace hwtrace::stf {

/// Decodes the instructions of one RISC-V base and its extensions.
class Decoding {
public:
    /// Selects `extensions` by name, such as "m" or "zba". Ignores unknown names.
    Decoding(riscv::Xlen base, std::span<const std::string_view> extensions);
    ~Decoding();
    Decoding(const Decoding&) = delete;
    Decoding& operator=(const Decoding&) = delete;

    /// Returns true if LLVM's library was found. The first call loads the library and may come from any thread. The
    /// environment variable HWTRACE_LLVM names the file. Without it, the newest installed LLVM from version 14 on is
    /// used.
    static bool available() noexcept;
    /// Returns the version of the library, such as "14"; empty if no library was found.
    static std::string version();
    /// Returns a mnemonic, a tab, and operands, such as "addi\ta0, a0, 1"; valid until the next call. Returns an empty
    /// string if the low `size` bytes (2 or 4) are not an instruction of that size.
    std::string_view decode(std::uint32_t encoding, unsigned size);

private:
    struct Backend;
    std::unique_ptr<Backend> backend_;
};

/// The remedy if available() is false, as part of a sentence.
inline constexpr std::string_view how_to_get_llvm = "install LLVM's library (Debian: apt install libllvm14)";

}  // namespace hwtrace::stf

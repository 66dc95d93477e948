// codec/decoding.hpp - decodes RISC-V instructions into assembly language with LLVM. LLVM's shared library is
// loaded on first use.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "domain/riscv.hpp"

namespace hwtrace {

/// Decodes instructions of one base ISA (RV32 or RV64) with extensions.
class Decoding {
public:
    /// `extensions` are names such as "m" or "zba"; unknown names are ignored.
    Decoding(riscv::Xlen base, std::span<const std::string_view> extensions);
    ~Decoding();
    Decoding(const Decoding&) = delete;
    Decoding& operator=(const Decoding&) = delete;

    /// Returns true if LLVM's library was found. The first call loads the library. Any thread may call this function.
    /// The environment variable HWTRACE_LLVM selects the file. If it is not set, the newest installed version from LLVM
    /// 14 on is loaded.
    static bool available() noexcept;
    /// Returns the version of the library, such as "14", or an empty string if no library was found.
    static std::string version();
    /// Returns why available() is false, and what to do about it.
    static std::string reason_of_absence();
    /// Returns a mnemonic, a tab, and the operands, such as "addi\ta0, a0, 1". Returns an empty string if the low
    /// `size` bytes (2 or 4) are not an instruction of that size. The string is valid until the next call.
    std::string_view decode(std::uint32_t encoding, unsigned size);

private:
    struct Backend;
    std::unique_ptr<Backend> backend_;
};

}  // namespace hwtrace

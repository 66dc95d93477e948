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

/// Decodes instructions of one base with extensions.
class Decoding {
public:
    /// `extensions` by name, such as "m" or "zba"; unknown ones are ignored.
    Decoding(riscv::Xlen base, std::span<const std::string_view> extensions);
    ~Decoding();
    Decoding(const Decoding&) = delete;
    Decoding& operator=(const Decoding&) = delete;

    /// True if LLVM's library was found. The first call loads it, from any thread. The environment variable
    /// HWTRACE_LLVM names the file; without it, the newest of LLVM 14 and later that the system knows is taken.
    static bool available() noexcept;
    /// The version of the library: "14". Empty if none was found.
    static std::string version();
    /// Returns why available() is false, and what to do about it.
    static std::string reason_of_absence();
    /// Returns a mnemonic, a tab, and operands: "addi\ta0, a0, 1"; valid until the next call. Empty if the low `size`
    /// bytes (2 or 4) are no instruction of that size.
    std::string_view decode(std::uint32_t encoding, unsigned size);

private:
    struct Backend;
    std::unique_ptr<Backend> backend_;
};

}  // namespace hwtrace::stf

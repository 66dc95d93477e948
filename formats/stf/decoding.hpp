// formats/stf/decoding.hpp - what decodes RISC-V instructions into assembly language: LLVM, in builds that have it
// (HWTRACE_DISASSEMBLY in CMakeLists.txt), else nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "model/riscv.hpp"

namespace hwtrace::stf {

/// Decodes instructions of one base with extensions.
class Decoding {
public:
    /// `extensions` by their names, "m", "zba"; those that are not known are passed over.
    Decoding(riscv::Xlen base, std::span<const std::string_view> extensions);
    ~Decoding();
    Decoding(const Decoding&) = delete;
    Decoding& operator=(const Decoding&) = delete;

    /// Whether this build decodes anything.
    static bool available() noexcept;
    /// A mnemonic, a tab, operands: "addi\ta0, a0, 1"; valid until the next call. Empty where the low `size` bytes
    /// (2 or 4) are no instruction of that size.
    std::string_view decode(std::uint32_t encoding, unsigned size);

private:
    struct Backend;
    std::unique_ptr<Backend> backend_;
};

}  // namespace hwtrace::stf

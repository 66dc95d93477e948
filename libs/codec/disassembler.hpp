// codec/disassembler.hpp - prints instructions in assembly language, in the reference's layout.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/decoding.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"

namespace hwtrace {

/// Splits an ISA string into its extensions. Removes versions and expands `g`. "rv64gc_zba1p0" gives i, m, a, f, d,
/// zicsr, zifencei, c, zba. Ignores case.
std::vector<std::string> extensions_of(std::string_view isa_string);

/// The extensions that are assumed for a trace without an ISA string.
inline constexpr std::string_view assumed_extensions = "gcv_zba_zbb_zbc_zbs_zfh";

/// Returns true if the settings ask for disassembly and a decoder is available.
inline bool disassembles(const Settings& settings) noexcept {
    return settings.disassembly == Disassembly::automatic && Decoding::available();
}

/// The instruction set of a trace.
struct InstructionSet {
    bool is_riscv = false;
    riscv::Xlen base = riscv::Xlen::rv64;
    std::string isa_string = std::string(assumed_extensions);  ///< such as "rv64gc_zba1p0"
};

/// Disassembles RISC-V instructions. Caches the text of a few thousand encodings.
class Disassembler {
public:
    explicit Disassembler(const InstructionSet& instructions);
    /// Changes the base ISA for the following instructions.
    void set_base(riscv::Xlen base);
    /// Prints the instruction at `pc`: the mnemonic in twelve columns, the operands, and targets as addresses. Unknown
    /// instructions and instructions of other ISAs print as `.word 0x…` or `.half 0x…`.
    void put(std::uint64_t pc, std::uint32_t encoding, unsigned size, TextOutput& out);
    /// Returns the same text with one blank between mnemonic and operands. It is valid until the next call.
    std::string_view text(std::uint64_t pc, std::uint32_t encoding, unsigned size);

private:
    /// The text of an encoding, without the target, which depends on the pc.
    struct Entry {
        std::uint32_t encoding = 0;
        std::int32_t offset = 0;
        std::uint8_t size = 0;  ///< bytes of the instruction; 0: unused entry
        std::uint8_t length = 0;
        bool has_offset = false;
        char text[80] = {};  ///< longer than any instruction's text
    };

    void decode(std::uint32_t encoding, unsigned size, Entry& entry);
    void append_target(std::uint64_t target, TextOutput& out) const;

    std::vector<std::string> extensions_;
    bool is_riscv_ = false;
    riscv::Xlen base_ = riscv::Xlen::rv64;
    std::unique_ptr<Decoding> decoding_;
    std::vector<Entry> entries_;
    TextOutput padded_ = TextOutput(-1, 4 * sizeof(Entry::text));
    std::string text_;
};

}  // namespace hwtrace

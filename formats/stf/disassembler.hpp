// formats/stf/disassembler.hpp - instructions in assembly language, in the reference's layout.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/settings.hpp"
#include "decoding.hpp"
#include "io/text_output.hpp"
#include "scanner.hpp"

namespace hwtrace::stf {

/// The extensions that an ISA string names, "m", "zba", those of `g` one by one, without their versions:
/// "rv64gc_zba1p0" is i, m, a, f, d, zicsr, zifencei, c, zba. Letters of any case.
std::vector<std::string> extensions_of(std::string_view isa_string);

/// What a trace without an ISA string is taken to be made of.
inline constexpr std::string_view assumed_extensions = "gcv_zba_zbb_zbc_zbs_zfh";

/// Whether instructions are to be disassembled, and this build can.
inline bool disassembles(const Settings& settings) noexcept {
    return settings.disassembly == Disassembly::automatic && Decoding::available();
}

/// Says what instructions mean, remembering the last few thousand different ones.
class Disassembler {
public:
    /// For a trace with this header: by its ISA string (ISA_EXTENDED), else by `assumed_extensions`. The base is that
    /// of INST_IEM.
    explicit Disassembler(std::span<const HeaderRecord> header);
    /// For what follows INST_IEM in the body. A mode that is none changes nothing.
    void set_mode(std::uint16_t mode);
    /// Puts the instruction at `pc`: its mnemonic in twelve columns, operands, a target as an address. What is no
    /// instruction that is known, or of another ISA than RISC-V, as `.word 0x…` or `.half 0x…`.
    void put(std::uint64_t pc, std::uint32_t encoding, unsigned size, TextOutput& out);

private:
    /// The text of an encoding, but for the target that depends on its pc.
    struct Entry {
        std::uint32_t encoding = 0;
        std::int32_t offset = 0;
        std::uint8_t size = 0;  ///< of the instruction; 0: none is here
        std::uint8_t length = 0;
        bool has_offset = false;
        char text[80] = {};  ///< longer than any there is
    };

    void decode(std::uint32_t encoding, unsigned size, Entry& entry);
    void append_target(std::uint64_t target, TextOutput& out) const;

    std::vector<std::string> extensions_;
    bool is_riscv_ = false;
    riscv::Xlen base_ = riscv::Xlen::rv64;
    std::unique_ptr<Decoding> decoding_;
    std::vector<Entry> entries_;
};

}  // namespace hwtrace::stf

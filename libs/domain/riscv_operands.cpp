#include "domain/riscv_operands.hpp"

namespace hwtrace::riscv {
namespace {

constexpr unsigned bits_of(std::uint32_t bits, unsigned low, unsigned width) noexcept {
    return bits >> low & ((1u << width) - 1);
}

/// The register file of a field; `none` if the instruction has no such register.
enum class File : std::uint8_t { none, x, f };

constexpr Register in_file(File file, unsigned number) noexcept {
    return {file == File::f ? RegisterClass::floating : RegisterClass::integer, static_cast<std::uint8_t>(number)};
}

// --- 32-bit encodings: the files of rd, rs1, rs2 and rs3, which are at bits 7, 15, 20 and 27 ---

struct Fields {
    File rd = File::none, rs1 = File::none, rs2 = File::none, rs3 = File::none;
};
constexpr Fields nothing{}, only_rd{File::x}, rd_rs1{File::x, File::x}, rd_rs1_rs2{File::x, File::x, File::x},
    rs1_rs2{File::none, File::x, File::x}, only_rs1{File::none, File::x}, float_load{File::f, File::x},
    float_store{File::none, File::x, File::f}, fused{File::f, File::f, File::f, File::f}, f_of_f{File::f, File::f},
    f_of_ff{File::f, File::f, File::f}, x_of_f{File::x, File::f}, x_of_ff{File::x, File::f, File::f},
    f_of_x{File::f, File::x}, f_of_xx{File::f, File::x, File::x}, only_fd{File::f};

/// The fields by major opcode (bits 6:2). Opcodes that need more bits are in fields_of().
constexpr std::array<Fields, 32> make_by_opcode() noexcept {
    std::array<Fields, 32> fields{};
    fields[0] = rd_rs1;                                         // LOAD
    fields[1] = float_load;                                     // LOAD-FP
    fields[4] = fields[6] = rd_rs1;                             // OP-IMM, OP-IMM-32
    fields[5] = fields[13] = only_rd;                           // AUIPC, LUI
    fields[8] = rs1_rs2;                                        // STORE
    fields[9] = float_store;                                    // STORE-FP
    fields[12] = fields[14] = rd_rs1_rs2;                       // OP, OP-32
    fields[16] = fields[17] = fields[18] = fields[19] = fused;  // FMADD, FMSUB, FNMSUB, FNMADD
    fields[24] = rs1_rs2;                                       // BRANCH
    fields[25] = rd_rs1;                                        // JALR
    fields[27] = only_rd;                                       // JAL
    return fields;
}
constexpr std::array<Fields, 32> by_opcode = make_by_opcode();

/// The fields of OP-FP by bits 31:27. fli has an immediate in place of rs1.
constexpr std::array<Fields, 32> make_by_operation() noexcept {
    std::array<Fields, 32> fields{};
    for (const unsigned two : {0x00u, 0x01u, 0x02u, 0x03u, 0x04u, 0x05u})  // add, sub, mul, div, sgnj, min and max
        fields[two] = f_of_ff;
    fields[0x08] = fields[0x0B] = f_of_f;  // conversions between formats and fround; fsqrt
    fields[0x14] = x_of_ff;                // comparisons
    fields[0x16] = f_of_xx;                // fmvp.d.x
    fields[0x18] = fields[0x1C] = x_of_f;  // to an integer; fmv.x and fclass
    fields[0x1A] = fields[0x1E] = f_of_x;  // from an integer; fmv.w.x
    return fields;
}
constexpr std::array<Fields, 32> by_operation = make_by_operation();

constexpr Fields fields_of_system(std::uint32_t bits) noexcept {
    const unsigned funct3 = bits_of(bits, 12, 3), funct7 = bits_of(bits, 25, 7);
    if (funct3 == 0) {  // sfence.vma and its kind have registers; ecall, mret and wfi have none
        const bool has_registers =
            funct7 == 0x09 || funct7 == 0x0B || funct7 == 0x11 || funct7 == 0x13 || funct7 == 0x31 || funct7 == 0x33;
        return has_registers ? rs1_rs2 : nothing;
    }
    if (funct3 != 4) return funct3 < 4 ? rd_rs1 : only_rd;  // CSRs; funct3 of 5 to 7: rs1 is an immediate
    if ((funct7 & 0x71) == 0x31) return rs1_rs2;            // hsv
    if ((funct7 & 0x59) == 0x41) return rd_rs1_rs2;         // mop.rr
    return rd_rs1;                                          // hlv, mop.r
}

constexpr Fields fields_of(std::uint32_t bits) noexcept {
    const unsigned opcode = bits_of(bits, 2, 5);
    switch (opcode) {
        case 3:  // cbo; the registers of fences are reserved
            return bits_of(bits, 12, 3) == 2 ? only_rs1 : nothing;
        case 11:  // AMO
            switch (bits_of(bits, 27, 5)) {
                case 0x02:  // lr
                case 0x06:  // load-acquire
                    return rd_rs1;
                case 0x07:  // store-release
                    return rs1_rs2;
                default:
                    return rd_rs1_rs2;
            }
        case 20: {
            const bool is_constant = bits_of(bits, 27, 5) == 0x1E && bits_of(bits, 20, 5) == 1;  // fli
            return is_constant ? only_fd : by_operation[bits_of(bits, 27, 5)];
        }
        case 28:
            return fields_of_system(bits);
        default:
            return by_opcode[opcode];
    }
}

/// Returns true if rd and rs2 are pairs of registers: ld and sd on RV32, amocas of twice the register's width.
constexpr bool has_pairs(std::uint32_t bits, Xlen xlen) noexcept {
    const unsigned opcode = bits_of(bits, 2, 5), width = bits_of(bits, 12, 3);
    const unsigned pair = xlen == Xlen::rv32 ? 3 : 4;
    if (opcode == 11) return bits_of(bits, 27, 5) == 0x05 && width == pair;
    return (opcode == 0 || opcode == 8) && xlen == Xlen::rv32 && width == 3;
}

/// Returns true if the old value of rd is read, too: amocas compares with it.
constexpr bool reads_rd(std::uint32_t bits) noexcept {
    return bits_of(bits, 2, 5) == 11 && bits_of(bits, 27, 5) == 0x05;
}

void decode_pairs(std::uint32_t bits, Operands& operands) noexcept {
    const Fields fields = fields_of(bits);
    const auto pair = [](unsigned number, auto use) {
        if (number == 0) return;  // x0 stands for a pair of zeros
        use(in_file(File::x, number));
        use(in_file(File::x, (number + 1) % 32));
    };
    const unsigned rd = bits_of(bits, 7, 5);
    const auto read = [&](Register which) { operands.read(which); };
    operands.read(in_file(File::x, bits_of(bits, 15, 5)));
    if (fields.rs2 == File::x) pair(bits_of(bits, 20, 5), read);
    if (reads_rd(bits)) pair(rd, read);
    if (fields.rd == File::x) pair(rd, [&](Register which) { operands.write(which); });
}

// --- compressed encodings ---

/// The place of a register in a compressed encoding.
enum class Place : std::uint8_t {
    none,
    rd,     ///< bits 11:7
    rs2,    ///< bits 6:2
    upper,  ///< bits 9:7: x8 to x15
    lower,  ///< bits 4:2: x8 to x15
    sp,     ///< x2
    ra,     ///< x1
};

struct Short {
    Place to = Place::none, first = Place::none, second = Place::none;
    bool floating = false;  ///< the loaded or stored register is a floating-point register
};
constexpr Short load{Place::lower, Place::upper}, store{Place::none, Place::upper, Place::lower},
    float_short_load{Place::lower, Place::upper, Place::none, true},
    float_short_store{Place::none, Place::upper, Place::lower, true}, stack_load{Place::rd, Place::sp},
    stack_store{Place::none, Place::sp, Place::rs2}, float_stack_load{Place::rd, Place::sp, Place::none, true},
    float_stack_store{Place::none, Place::sp, Place::rs2, true}, no_registers{}, update{Place::rd, Place::rd},
    upper_update{Place::upper, Place::upper}, upper_operation{Place::upper, Place::upper, Place::lower},
    upper_test{Place::none, Place::upper};

/// The places by quadrant (bits 1:0) and funct3 (bits 15:13), on RV32 and on RV64. Entries that need more bits are in
/// short_of().
constexpr Short by_quadrant[2][24] = {
    {Short{Place::lower, Place::sp},
     float_short_load,
     load,
     float_short_load,  // RV32, quadrant 0
     load,
     float_short_store,
     store,
     float_short_store,  //
     update,
     Short{Place::ra},
     Short{Place::rd},
     Short{Place::rd},  // quadrant 1
     upper_operation,
     no_registers,
     upper_test,
     upper_test,  //
     update,
     float_stack_load,
     stack_load,
     float_stack_load,  // quadrant 2
     no_registers,
     float_stack_store,
     stack_store,
     float_stack_store},  //
    {Short{Place::lower, Place::sp},
     float_short_load,
     load,
     load,  // RV64, quadrant 0
     load,
     float_short_store,
     store,
     store,  //
     update,
     update,
     Short{Place::rd},
     Short{Place::rd},  // quadrant 1
     upper_operation,
     no_registers,
     upper_test,
     upper_test,  //
     update,
     float_stack_load,
     stack_load,
     stack_load,  // quadrant 2
     no_registers,
     float_stack_store,
     stack_store,
     stack_store},
};

constexpr Short short_of(std::uint32_t bits, Xlen xlen) noexcept {
    const unsigned entry = bits_of(bits, 0, 2) << 3 | bits_of(bits, 13, 3);
    const unsigned rd = bits_of(bits, 7, 5), rs2 = bits_of(bits, 2, 5), bit12 = bits_of(bits, 12, 1);
    switch (entry) {
        case 004:  // Zcb: c.lbu, c.lhu and c.lh, or c.sb and c.sh
            return bits_of(bits, 11, 1) == 0 ? load : store;
        case 013:                                             // c.lui; sp: c.addi16sp
            if (bit12 == 0 && rs2 == 0) return no_registers;  // c.mop
            return rd == 2 ? update : Short{Place::rd};
        case 014:
            if (bits_of(bits, 10, 2) != 3) return upper_update;                              // shifts, c.andi
            return bit12 != 0 && bits_of(bits, 5, 2) == 3 ? upper_update : upper_operation;  // c.zext.b, c.not, ...
        case 024:
            if (rs2 != 0) return bit12 == 0 ? Short{Place::rd, Place::rs2} : Short{Place::rd, Place::rd, Place::rs2};
            if (bit12 == 0) return {Place::none, Place::rd};              // c.jr
            return rd == 0 ? no_registers : Short{Place::ra, Place::rd};  // c.ebreak, c.jalr
        default:
            return by_quadrant[xlen == Xlen::rv64][entry];
    }
}

constexpr unsigned number_at(Place place, std::uint32_t bits) noexcept {
    switch (place) {
        case Place::rd:
            return bits_of(bits, 7, 5);
        case Place::rs2:
            return bits_of(bits, 2, 5);
        case Place::upper:
            return 8 + bits_of(bits, 7, 3);
        case Place::lower:
            return 8 + bits_of(bits, 2, 3);
        case Place::sp:
            return 2;
        case Place::ra:
            return 1;
        case Place::none:
            break;
    }
    return 0;
}

/// Only the loaded or stored register may be a floating-point register, never the base.
void decode_short(std::uint32_t bits, Xlen xlen, Operands& operands) noexcept {
    const Short places = short_of(bits, xlen);
    const File data = places.floating ? File::f : File::x;
    if (places.first != Place::none) operands.read(in_file(File::x, number_at(places.first, bits)));
    if (places.second != Place::none) operands.read(in_file(data, number_at(places.second, bits)));
    if (places.to != Place::none) operands.write(in_file(data, number_at(places.to, bits)));
}

}  // namespace

Operands operands_of(std::uint64_t wide_bits, Class instruction_class, Xlen xlen) noexcept {
    const auto bits = static_cast<std::uint32_t>(wide_bits);
    Operands operands;
    switch (instruction_class) {
        case Class::illegal:
        case Class::custom:
        case Class::vector:
        case Class::vector_load:
        case Class::vector_store:
            return operands;
        default:
            break;
    }
    operands.set_known();
    if ((bits & 3) != 3) {
        decode_short(bits, xlen, operands);
    } else if (has_pairs(bits, xlen)) {
        decode_pairs(bits, operands);
    } else {
        const Fields fields = fields_of(bits);
        if (fields.rs1 != File::none) operands.read(in_file(fields.rs1, bits_of(bits, 15, 5)));
        if (fields.rs2 != File::none) operands.read(in_file(fields.rs2, bits_of(bits, 20, 5)));
        if (fields.rs3 != File::none) operands.read(in_file(fields.rs3, bits_of(bits, 27, 5)));
        if (reads_rd(bits)) operands.read(in_file(File::x, bits_of(bits, 7, 5)));
        if (fields.rd != File::none) operands.write(in_file(fields.rd, bits_of(bits, 7, 5)));
    }
    return operands;
}

}  // namespace hwtrace::riscv

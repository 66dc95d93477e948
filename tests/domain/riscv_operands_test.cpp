// Tests the registers of RISC-V instructions. tests/cli/champsim.sh compares them with a disassembler on whole
// libraries.
#include "domain/riscv_operands.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace riscv_operands_test {

using namespace hwtrace;
using namespace hwtrace::riscv;

namespace {

/// Describes the registers, as in "x14 = x12 x11".
std::string registers(std::uint64_t bits, Xlen xlen = Xlen::rv64) {
    const unsigned size = (bits & 3) == 3 ? 4 : 2;
    const Operands operands = operands_of(bits, class_of(bits, size, xlen), xlen);
    if (!operands.known()) return "unknown";
    std::string text;
    const auto append = [&](Register which) {
        text.append(std::string(name_of(which.register_class))).append(std::to_string(which.number)).append(" ");
    };
    for (const Register one : operands.destinations())
        append(one);
    text.append("=");
    for (const Register one : operands.sources())
        text.append(" "), append(one), text.pop_back();
    return text;
}

}  // namespace

TEST_CASE("registers of 32-bit encodings") {
    CHECK(registers(0x00b60733) == "x14 = x12 x11");      // add a4,a2,a1
    CHECK(registers(0x00000013) == "=");                  // nop: x0 is no register
    CHECK(registers(0x60051513) == "x10 = x10");          // clz a0,a0: rs2 is a code
    CHECK(registers(0x0005b503) == "x10 = x11");          // ld a0,0(a1)
    CHECK(registers(0x00a5b023) == "= x11 x10");          // sd a0,0(a1)
    CHECK(registers(0x0005a507) == "f10 = x11");          // flw fa0,0(a1)
    CHECK(registers(0x00a5b027) == "= x11 f10");          // fsd fa0,0(a1)
    CHECK(registers(0x62c5f543) == "f10 = f11 f12 f12");  // fmadd.d fa0,fa1,fa2,fa2
    CHECK(registers(0xa2c5a553) == "x10 = f11 f12");      // feq.d a0,fa1,fa2
    CHECK(registers(0xe2058553) == "x10 = f11");          // fmv.x.d a0,fa1
    CHECK(registers(0xf2058553) == "f10 = x11");          // fmv.d.x fa0,a1
    CHECK(registers(0xf2108553) == "f10 =");              // fli.d fa0,min: rs1 is an immediate
    CHECK(registers(0x30529073) == "= x5");               // csrw mtvec,t0
    CHECK(registers(0x3002f573) == "x10 =");              // csrrci a0,mstatus,5
    CHECK(registers(0x0ff0000f) == "=");                  // fence
    CHECK(registers(0x0045200f) == "= x10");              // cbo.zero (a0)
    CHECK(registers(0x12b50073) == "= x10 x11");          // sfence.vma a0,a1
    CHECK(registers(0x30200073) == "=");                  // mret
    CHECK(registers(0x62b54073) == "= x10 x11");          // hsv.b a1,(a0)
    CHECK(registers(0xff5ff0ef) == "x1 =");               // jal ra,.-12
    CHECK(registers(0x000500e7) == "x1 = x10");           // jalr a0
    CHECK(registers(0x00b50863) == "= x10 x11");          // beq a0,a1,.+16
}

TEST_CASE("atomic operations may compare with their destination, and use pairs") {
    CHECK(registers(0x1005252f) == "x10 = x10");                                  // lr.w a0,(a0)
    CHECK(registers(0x18b6352f) == "x10 = x12 x11");                              // sc.d a0,a1,(a2)
    CHECK(registers(0x28c5352f) == "x10 = x10 x12 x10");                          // amocas.d a0,a2,(a0)
    CHECK(registers(0x28c7c52f) == "x10 x11 = x15 x12 x13 x10 x11");              // amocas.q a0,a2,(a5)
    CHECK(registers(0x28c7b52f, Xlen::rv32) == "x10 x11 = x15 x12 x13 x10 x11");  // amocas.d on RV32
    CHECK(registers(0x0005b503, Xlen::rv32) == "x10 x11 = x11");                  // ld a0,0(a1) of Zilsd
    CHECK(registers(0x0005b003, Xlen::rv32) == "= x11");                          // into x0: no pair
    CHECK(registers(0x00c5b023, Xlen::rv32) == "= x11 x12 x13");                  // sd a2,0(a1)
}

TEST_CASE("registers of compressed encodings") {
    CHECK(registers(0x852e) == "x10 = x11");              // c.mv a0,a1
    CHECK(registers(0x952e) == "x10 = x10 x11");          // c.add a0,a1
    CHECK(registers(0x7139) == "x2 = x2");                // c.addi16sp sp,-64
    CHECK(registers(0x65a1) == "x11 =");                  // c.lui a1,8
    CHECK(registers(0x0028) == "x10 = x2");               // c.addi4spn a0,sp,8
    CHECK(registers(0x6188) == "x10 = x11");              // c.ld a0,0(a1)
    CHECK(registers(0x6188, Xlen::rv32) == "f10 = x11");  // c.flw fa0,0(a1)
    CHECK(registers(0xe188) == "= x11 x10");              // c.sd a0,0(a1)
    CHECK(registers(0xe188, Xlen::rv32) == "= x11 f10");  // c.fsw fa0,0(a1)
    CHECK(registers(0xe406) == "= x2 x1");                // c.sdsp ra,8(sp)
    CHECK(registers(0x8d88) == "= x11 x10");              // c.sh a0,0(a1)
    CHECK(registers(0x8188) == "x10 = x11");              // c.lbu a0,0(a1)
    CHECK(registers(0x9c61) == "x8 = x8");                // c.zext.b s0
    CHECK(registers(0x9c41) == "x8 = x8 x8");             // c.mul s0,s0
    CHECK(registers(0x8082) == "= x1");                   // ret
    CHECK(registers(0x9502) == "x1 = x10");               // c.jalr a0
    CHECK(registers(0x2001, Xlen::rv32) == "x1 =");       // c.jal .
    CHECK(registers(0xa001) == "=");                      // c.j .
    CHECK(registers(0xc111) == "= x10");                  // c.beqz a0,.+4
    CHECK(registers(0x9002) == "=");                      // c.ebreak
    CHECK(registers(0x6081) == "=");                      // c.mop.1
}

TEST_CASE("registers of vector, custom and reserved encodings are unknown") {
    CHECK(registers(0x02208157) == "unknown");  // vadd.vv v2,v2,v1
    CHECK(registers(0x02056107) == "unknown");  // vle32.v v2,(a0)
    CHECK(registers(0x0000000b) == "unknown");
    CHECK(registers(0x0000) == "unknown");
}

TEST_CASE("every encoding stays within the slots") {
    std::uint32_t bits = 12345;
    bool fits = true;
    for (int round = 0; round < 200'000; ++round) {
        bits = bits * 1664525 + 1013904223;
        for (const Xlen xlen : {Xlen::rv32, Xlen::rv64}) {
            const unsigned size = (bits & 3) == 3 ? 4 : 2;
            const Operands operands = operands_of(bits, class_of(bits, size, xlen), xlen);
            fits = fits && operands.sources().size() <= Operands::most_sources;
            fits = fits && operands.destinations().size() <= Operands::most_destinations;
            for (const Register one : operands.sources())
                fits = fits && one.number < 32;
        }
    }
    CHECK(fits);
}

}  // namespace riscv_operands_test

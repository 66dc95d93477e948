#include "domain/riscv.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

namespace riscv_test {

using namespace hwtrace;
using namespace hwtrace::riscv;

namespace {

/// Describes an instruction, as in "load 8 reads x10". Possible accesses have a question mark, target offsets a sign.
std::string told(std::uint64_t bits, Xlen xlen = Xlen::rv64) {
    const unsigned size = (bits & 3) == 3 ? 4 : 2;
    const Encoding e = decode(bits, size, xlen);
    CHECK(class_of(bits, size, xlen) == e.instruction_class);
    std::ostringstream out;
    out << name_of(e.instruction_class);
    if (e.access_size != 0) out << ' ' << unsigned{e.access_size};
    if (e.reads != Use::never) out << (e.reads == Use::always ? " reads" : " reads?");
    if (e.writes != Use::never) out << (e.writes == Use::always ? " writes" : " writes?");
    if (e.has_destination)
        out << ' '
            << (e.destination_class == RegisterClass::integer    ? 'x'
                : e.destination_class == RegisterClass::floating ? 'f'
                                                                 : 'v')
            << unsigned{e.destination};
    if (e.has_offset) out << ' ' << std::showpos << e.offset;
    return out.str();
}

}  // namespace

TEST_CASE("32-bit encodings are classified") {
    CHECK(told(0x00000013) == "integer x0");            // nop
    CHECK(told(0x00b60733) == "integer x14");           // add a4,a2,a1
    CHECK(told(0x0005b503) == "load 8 reads x10");      // ld a0,0(a1)
    CHECK(told(0x00054583) == "load 1 reads x11");      // lbu a1,0(a0)
    CHECK(told(0x00a5b023) == "store 8 writes");        // sd a0,0(a1)
    CHECK(told(0x00b51023) == "store 2 writes");        // sh a1,0(a0)
    CHECK(told(0x0005a507) == "load 4 reads f10");      // flw fa0,0(a1)
    CHECK(told(0x00a5b027) == "store 8 writes");        // fsd fa0,0(a1)
    CHECK(told(0x02c58533) == "integer x10");           // mul a0,a1,a2
    CHECK(told(0x60051513) == "integer x10");           // clz a0,a0
    CHECK(told(0x02c5f553) == "floating f10");          // fadd.d fa0,fa1,fa2
    CHECK(told(0xa2c5a553) == "floating x10");          // feq.d a0,fa1,fa2
    CHECK(told(0xe2058553) == "floating x10");          // fmv.x.d a0,fa1
    CHECK(told(0x62c5f543) == "floating f10");          // fmadd.d fa0,fa1,fa2,fa2
    CHECK(told(0x30529073) == "csr x0");                // csrw mtvec,t0
    CHECK(told(0x0ff0000f) == "fence");                 // fence
    CHECK(told(0x0000100f) == "fence");                 // fence.i
    CHECK(told(0x12000073) == "fence");                 // sfence.vma
    CHECK(told(0x0045200f) == "fence reads? writes?");  // cbo.zero (a0)
    CHECK(told(0x0000b00f) == "illegal");
}

TEST_CASE("targets of branches and jumps are decoded") {
    CHECK(told(0xfe0518e3) == "branch -16");    // bnez a0,.-16
    CHECK(told(0x00b50863) == "branch +16");    // beq a0,a1,.+16
    CHECK(told(0x0100006f) == "jump x0 +16");   // j .+16
    CHECK(told(0xff5ff0ef) == "call x1 -12");   // jal ra,.-12
    CHECK(told(0x00008067) == "return x0");     // ret
    CHECK(told(0x00028067) == "return x0");     // jr t0
    CHECK(told(0x00050067) == "jump x0");       // jr a0
    CHECK(told(0x000500e7) == "call x1");       // jalr a0
    CHECK(told(0x000082e7) == "call x5");       // jalr t0,ra: a call, because it links
    CHECK(told(0x80000063) == "branch -4096");  // beq zero,zero,.-4096
    CHECK(told(0x8000006f) == "jump x0 -1048576");
    CHECK(decode(0x00008067, 4, Xlen::rv64).jumps());
    CHECK_FALSE(decode(0x00b50863, 4, Xlen::rv64).jumps());
    CHECK(decode(0x00b50863, 4, Xlen::rv64).transfers());
    CHECK_FALSE(decode(0x30200073, 4, Xlen::rv64).transfers());
}

TEST_CASE("system instructions are distinguished") {
    const auto call = [](std::uint32_t bits) { return decode(bits, (bits & 3) == 3 ? 4 : 2, Xlen::rv64).system; };
    CHECK(call(0x00000073) == SystemCall::ecall);
    CHECK(call(0x00100073) == SystemCall::ebreak);
    CHECK(call(0x9002) == SystemCall::ebreak);  // c.ebreak
    CHECK(call(0x10200073) == SystemCall::sret);
    CHECK(call(0x30200073) == SystemCall::mret);
    CHECK(call(0x10500073) == SystemCall::wfi);
    CHECK(call(0x7b200073) == SystemCall::dret);
    CHECK(told(0x30200073) == "system");
    CHECK(told(0x302000f3) == "illegal");  // mret writes no register
    CHECK(decode(0x30200073, 4, Xlen::rv64).returns_from_trap());
    CHECK_FALSE(decode(0x10500073, 4, Xlen::rv64).returns_from_trap());
    CHECK(told(0x60054573) == "load 1 reads x10");  // hlv.b a0,(a0)
    CHECK(told(0x62b54073) == "store 1 writes");    // hsv.b a1,(a0)
}

TEST_CASE("atomic operations read, write, or both") {
    CHECK(told(0x1005252f) == "atomic 4 reads x10");          // lr.w a0,(a0)
    CHECK(told(0x18b5352f) == "atomic 8 writes? x10");        // sc.d a0,a1,(a0)
    CHECK(told(0x00b5252f) == "atomic 4 reads writes x10");   // amoadd.w a0,a1,(a0)
    CHECK(told(0x28b5352f) == "atomic 8 reads writes? x10");  // amocas.d a0,a1,(a0)
    CHECK(told(0x00b5352f, Xlen::rv32) == "illegal");         // amoadd.d
}

TEST_CASE("vector instructions are classified") {
    CHECK(told(0x0d0572d7) == "vector x5");              // vsetvli t0,a0,...
    CHECK(told(0x02208157) == "vector v2");              // vadd.vv v2,v2,v1
    CHECK(told(0x42202557) == "vector x10");             // vmv.x.s a0,v2
    CHECK(told(0x42201557) == "vector f10");             // vfmv.f.s fa0,v2
    CHECK(told(0x02056107) == "vector-load reads? v2");  // vle32.v v2,(a0)
    CHECK(told(0x02056127) == "vector-store writes?");   // vse32.v v2,(a0)
    CHECK(told(0x00056107) == "vector-load reads? v2");  // the same under a mask
    CHECK(told(0x00056027) == "vector-store writes?");
}

TEST_CASE("compressed encodings are decoded like their 32-bit forms") {
    CHECK(told(0x0001) == "integer x0");                    // c.nop
    CHECK(told(0x852e) == "integer x10");                   // c.mv a0,a1
    CHECK(told(0x4188) == "load 4 reads x10");              // c.lw a0,0(a1)
    CHECK(told(0x6188) == "load 8 reads x10");              // c.ld a0,0(a1)
    CHECK(told(0x6188, Xlen::rv32) == "load 4 reads f10");  // c.flw fa0,0(a1)
    CHECK(told(0x2188) == "load 8 reads f10");              // c.fld fa0,0(a1)
    CHECK(told(0xe188) == "store 8 writes");                // c.sd a0,0(a1)
    CHECK(told(0xe188, Xlen::rv32) == "store 4 writes");    // c.fsw fa0,0(a1)
    CHECK(told(0x60a2) == "load 8 reads x1");               // c.ldsp ra,8(sp)
    CHECK(told(0xe406) == "store 8 writes");                // c.sdsp ra,8(sp)
    CHECK(told(0x8188) == "load 1 reads x10");              // c.lbu a0,0(a1)
    CHECK(told(0x8d88) == "store 2 writes");                // c.sh a0,0(a1)
    CHECK(told(0xa001) == "jump +0");                       // c.j .
    CHECK(told(0xbff5) == "jump -4");                       // c.j .-4
    CHECK(told(0x2001) == "illegal");                       // c.addiw x0, which is reserved
    CHECK(told(0x2001, Xlen::rv32) == "call x1 +0");        // c.jal .
    CHECK(told(0xc111) == "branch +4");                     // c.beqz a0,.+4
    CHECK(told(0xfd7d) == "branch -2");                     // c.bnez a0,.-2
    CHECK(told(0x8082) == "return");                        // ret
    CHECK(told(0x8502) == "jump");                          // c.jr a0
    CHECK(told(0x9502) == "call x1");                       // c.jalr a0
    CHECK(told(0x7139) == "integer x2");                    // c.addi16sp sp,-64
    CHECK(told(0x8c89) == "integer x9");                    // c.sub s1,a0
    CHECK(told(0x9c41) == "integer x8");                    // c.mul s0,s0
}

TEST_CASE("reserved encodings and encodings of another XLEN are illegal") {
    CHECK(told(0x0000) == "illegal");      // the defined illegal instruction
    CHECK(told(0xffffffff) == "illegal");  // longer than 32 bits
    CHECK(told(0x0000001f) == "illegal");  // 48 bits
    CHECK(told(0x00002067) == "illegal");  // jalr with another funct3
    CHECK(told(0x0000006b) == "illegal");
    CHECK(told(0x0000000b) == "custom reads? writes?");
    CHECK(told(0x4002) == "illegal");                  // c.lwsp x0
    CHECK(told(0x8002) == "illegal");                  // c.jr x0
    CHECK(told(0x0200051b, Xlen::rv32) == "illegal");  // addiw
    CHECK(told(0x02051513) == "integer x10");          // slli a0,a0,32
    CHECK(told(0x02051513, Xlen::rv32) == "illegal");
    CHECK(decode(0x00000013, 2, Xlen::rv64).instruction_class == Class::illegal);
    CHECK(decode(0x0001, 4, Xlen::rv64).instruction_class == Class::illegal);
    CHECK(class_of(0x0001, 4, Xlen::rv64) == Class::illegal);
    CHECK(class_of(0x00000013, 2, Xlen::rv64) == Class::illegal);
}

}  // namespace riscv_test

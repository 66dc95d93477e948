#include "domain/call_stack.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

namespace call_stack_test {

using namespace hwtrace;

// Encodings, with offsets of 0: the stack uses the targets that the trace states.
constexpr std::uint32_t nop = 0x00000013, jal_ra = 0x000000EF, jal_zero = 0x0000006F, ret = 0x00008067,
                        jalr_t0 = 0x000302E7 /* jalr t0, t1 */, jr_t0 = 0x00028067, jr_t1 = 0x00030067,
                        jalr_swap = 0x000280E7 /* jalr ra, t0 */, beq = 0x00000063, ecall = 0x00000073,
                        mret = 0x30200073;
constexpr std::uint16_t c_nop = 0x0001, c_jalr_a5 = 0x9782, c_ret = 0x8082, c_j = 0xA001, c_jr_a5 = 0x8782;

/// A program with the functions main, a, b, c, ... of 0x100 bytes each from 0x1000, handler at 0x8000.
class Program {
public:
    explicit Program(CallStack::Isa isa = CallStack::Isa::rv64) : stack(*symbols, isa) {}

    static constexpr std::uint64_t main = 0x1000, a = 0x1100, b = 0x1200, c = 0x1300, handler = 0x8000,
                                   nowhere = 0x9000;

    /// Executes an instruction without a transfer.
    std::string at(std::uint64_t pc, std::uint32_t encoding = nop) {
        stack.step({pc, encoding, 0, size_of(encoding), false});
        return text();
    }
    /// Executes a transfer to `target`.
    std::string go(std::uint64_t pc, std::uint32_t encoding, std::uint64_t target) {
        stack.step({pc, encoding, target, size_of(encoding), true});
        return text();
    }
    /// Returns the stack as in "main;a;b".
    std::string text() const {
        std::string names;
        for (const CallStack::Frame& frame : stack.frames())
            names += (names.empty() ? "" : ";") + name(frame);
        return names;
    }
    /// Returns the latest changes as in "-b -a +c".
    std::string events() const {
        std::string changes;
        for (const CallStack::Event& event : stack.events())
            changes += (changes.empty() ? "" : " ") +
                       std::string(event.kind == CallStack::Event::Kind::enter ? "+" : "-") + name(event.frame) + "@" +
                       std::to_string(event.depth);
        return changes;
    }
    CallStack::Cause cause() const { return stack.frames().back().cause; }

    std::shared_ptr<const Symbols> symbols = Symbols::of({{main, main + 0x100, "main"},
                                                          {a, a + 0x100, "a"},
                                                          {b, b + 0x100, "b"},
                                                          {c, c + 0x100, "c"},
                                                          {handler, handler + 0x100, "handler"}});
    CallStack stack;

private:
    static unsigned size_of(std::uint32_t encoding) { return (encoding & 3) == 3 ? 4 : 2; }
    std::string name(const CallStack::Frame& frame) const {
        return frame.function == Symbols::no_function ? "?" : std::string(symbols->function(frame.function).name);
    }
};

TEST_CASE("call stack: calls and returns, in both sizes of encodings") {
    Program p;
    CHECK(p.at(p.main) == "main");
    CHECK(p.events() == "+main@0");
    CHECK(p.cause() == CallStack::Cause::root);
    CHECK(p.go(p.main + 4, jal_ra, p.a) == "main");
    CHECK(p.events().empty());
    CHECK(p.at(p.a, c_nop) == "main;a");
    CHECK(p.events() == "+a@1");
    CHECK(p.stack.frames().back() == CallStack::Frame{1, CallStack::Cause::call, p.main + 8});
    p.go(p.a + 2, c_jalr_a5, p.b);
    CHECK(p.at(p.b) == "main;a;b");
    p.go(p.b + 4, c_ret, p.a + 4);
    CHECK(p.at(p.a + 4) == "main;a");
    CHECK(p.events() == "-b@2");
    p.go(p.a + 8, ret, p.main + 8);
    CHECK(p.at(p.main + 8) == "main");
    p.stack.finish();
    CHECK(p.events() == "-main@0");
    CHECK(p.text().empty());
}

TEST_CASE("call stack: a branch or a loop within a function changes nothing, not even to its begin") {
    Program p;
    p.at(p.main);
    p.go(p.main + 4, beq, p.main + 0x40);
    CHECK(p.at(p.main + 0x40) == "main");
    p.go(p.main + 0x44, c_j, p.main);
    CHECK(p.at(p.main) == "main");
    CHECK(p.events().empty());
    p.go(p.main + 4, c_jr_a5, p.main + 0x20);  // a jump table
    CHECK(p.at(p.main + 0x20) == "main");
}

TEST_CASE("call stack: recursion has a frame per call, and each return leaves one") {
    Program p;
    p.go(p.main, jal_ra, p.a);
    p.at(p.a);
    std::string wanted = "main;a";
    for (int i = 0; i < 5; ++i) {
        p.go(p.a + 4, jal_ra, p.a);
        wanted += ";a";
        REQUIRE(p.at(p.a) == wanted);
    }
    for (int i = 0; i < 5; ++i) {
        p.go(p.a + 0x10, ret, p.a + 8);
        wanted.resize(wanted.size() - 2);
        REQUIRE(p.at(p.a + 8) == wanted);
    }
    p.go(p.a + 0x10, ret, p.main + 4);
    CHECK(p.at(p.main + 4) == "main");
}

TEST_CASE("call stack: a tail call replaces the function, which then returns for it") {
    Program p;
    p.go(p.main, jal_ra, p.a);
    p.go(p.a, jal_zero, p.b);
    CHECK(p.at(p.b) == "main;b");
    CHECK(p.events() == "-a@1 +b@1");
    CHECK(p.cause() == CallStack::Cause::tail_call);
    p.go(p.b + 4, jr_t1, p.c);
    CHECK(p.at(p.c) == "main;c");
    p.go(p.c + 4, ret, p.main + 4);
    CHECK(p.at(p.main + 4) == "main");
}

TEST_CASE("call stack: a jump or a fall into the middle of a function, as between its hot and cold parts") {
    Program p;
    p.go(p.main, jal_ra, p.a);
    p.go(p.a, beq, p.c + 0x80);
    CHECK(p.at(p.c + 0x80) == "main;c");
    CHECK(p.cause() == CallStack::Cause::jump);
    p.go(p.c + 0x84, c_j, p.a + 0x20);
    CHECK(p.at(p.a + 0x20) == "main;a");
    for (std::uint64_t pc = p.a + 0x24; pc < p.b; pc += 4)
        p.at(pc);
    CHECK(p.at(p.b) == "main;b");
    CHECK(p.cause() == CallStack::Cause::tail_call);
    p.go(p.b + 4, ret, p.main + 4);
    CHECK(p.at(p.main + 4) == "main");
}

TEST_CASE("call stack: the second link register, and the swap of both") {
    Program p;
    p.go(p.main, jalr_t0, p.a);
    CHECK(p.at(p.a) == "main;a");
    p.go(p.a + 4, jr_t0, p.main + 4);
    CHECK(p.at(p.main + 4) == "main");
    p.go(p.main + 8, jal_ra, p.a);
    p.go(p.a, jalr_swap, p.b);  // a coroutine: leaves a, enters b
    CHECK(p.at(p.b) == "main;b");
    p.go(p.b + 4, ret, p.a + 4);
    CHECK(p.at(p.a + 4) == "main;a");
    p.go(p.a + 8, ret, p.main + 12);
    CHECK(p.at(p.main + 12) == "main");
}

TEST_CASE("call stack: longjmp unwinds to the function that called setjmp") {
    Program p;
    p.go(p.main, jal_ra, p.a);
    p.go(p.a, jal_ra, p.c);  // setjmp
    p.go(p.c, ret, p.a + 4);
    p.go(p.a + 4, jal_ra, p.b);
    p.go(p.b, jal_ra, p.b);
    p.go(p.b, jal_ra, p.c);  // longjmp
    CHECK(p.at(p.c) == "main;a;b;b;c");
    p.go(p.c + 4, ret, p.a + 4);
    CHECK(p.at(p.a + 4) == "main;a");
    CHECK(p.events() == "-c@4 -b@3 -b@2");
}

TEST_CASE("call stack: a return that skips frames unwinds to the one with this return address") {
    Program p;
    p.go(p.main, jal_ra, p.a);
    p.go(p.a, jal_ra, p.b);
    p.go(p.b, jal_ra, p.c);
    CHECK(p.at(p.c) == "main;a;b;c");
    p.go(p.c + 4, ret, p.main + 4);
    CHECK(p.at(p.main + 4) == "main");
    CHECK(p.events() == "-c@3 -b@2 -a@1");
}

TEST_CASE("call stack: an exception begins a handler, and MRET ends it") {
    Program p;
    p.go(p.main, jal_ra, p.a);
    p.at(p.a);
    p.at(p.a + 4, ecall);
    p.stack.trap();
    CHECK(p.at(p.handler) == "main;a;handler");
    CHECK(p.cause() == CallStack::Cause::trap);
    p.go(p.handler + 4, jal_ra, p.b);
    CHECK(p.at(p.b) == "main;a;handler;b");
    p.go(p.b + 4, ret, p.handler + 8);
    p.at(p.handler + 8);
    p.go(p.handler + 12, mret, p.a + 8);
    CHECK(p.at(p.a + 8) == "main;a");
    CHECK(p.events() == "-handler@2");
}

TEST_CASE("call stack: an interrupt that no record announces, directly behind a call, and nested ones") {
    Program p;
    p.go(p.main, jal_ra, p.a);
    CHECK(p.at(p.handler) == "main;a;handler");
    CHECK(p.events() == "+a@1 +handler@2");
    p.at(p.handler + 4);
    CHECK(p.at(p.c) == "main;a;handler;c");  // another handler
    p.at(p.c + 4, mret);
    CHECK(p.at(p.handler + 8) == "main;a;handler");
    p.at(p.handler + 12, mret);
    CHECK(p.at(p.a) == "main;a");
}

TEST_CASE("call stack: a handler in code without symbols is one only if a record announces it") {
    Program p;
    p.at(p.main);
    p.stack.trap();
    CHECK(p.at(p.nowhere) == "main;?");
    p.at(p.nowhere + 4, mret);
    CHECK(p.at(p.main + 4) == "main");
    p.stack.trap();  // without effect: execution goes on
    p.at(p.main + 8);
    CHECK(p.at(p.main + 12) == "main");
    CHECK(p.at(p.nowhere) == "?");
}

TEST_CASE("call stack: a signal handler returns to code without symbols, which goes on where it interrupted") {
    Program p;
    p.go(p.main, jal_ra, p.a);
    p.at(p.a);
    CHECK(p.at(p.handler) == "main;a;handler");
    p.go(p.handler + 4, ret, p.nowhere);
    CHECK(p.at(p.nowhere, ecall) == "main;a;?");
    CHECK(p.at(p.a + 4) == "main;a");
}

TEST_CASE("call stack: missing instructions unwind to the function that goes on, or begin a new stack") {
    Program p;
    p.go(p.main, jal_ra, p.a);
    p.go(p.a, jal_ra, p.b);
    p.at(p.b);
    p.stack.lose();
    CHECK(p.at(p.a + 0x40) == "main;a");
    p.stack.lose();
    CHECK(p.at(p.c) == "c");
    CHECK(p.events() == "-a@1 -main@0 +c@0");
    CHECK(p.cause() == CallStack::Cause::root);
    CHECK(p.at(p.b + 0x10) == "b");  // a gap that nothing states
}

TEST_CASE("call stack: a trace that begins in the middle has the first function as root") {
    Program p;
    CHECK(p.at(p.b + 0x10) == "b");
    p.go(p.b + 0x14, ret, p.a + 0x20);
    CHECK(p.at(p.a + 0x20) == "a");
    CHECK(p.cause() == CallStack::Cause::root);
    p.go(p.a + 0x24, jal_ra, p.b);
    CHECK(p.at(p.b) == "a;b");
}

TEST_CASE("call stack: a trampoline without symbols leads to the function that is called") {
    Program p;
    p.go(p.main, jal_ra, p.nowhere);
    CHECK(p.at(p.nowhere) == "main;?");
    p.go(p.nowhere + 4, jr_t1, p.a);
    CHECK(p.at(p.a) == "main;a");
    p.go(p.a + 4, ret, p.main + 4);
    CHECK(p.at(p.main + 4) == "main");
}

TEST_CASE("call stack: a return may be an indirect jump to the begin of a function") {
    Program p;
    p.go(p.main, jal_ra, p.a);
    p.go(p.a, ret, p.b);
    CHECK(p.at(p.b) == "main;b");
    p.go(p.b + 4, ret, p.main + 4);
    CHECK(p.at(p.main + 4) == "main");
}

TEST_CASE("call stack: transfers without targets are known by where execution goes on") {
    Program p;
    p.at(p.main, jal_ra);
    CHECK(p.at(p.a) == "main;a");
    p.at(p.a + 4, ret);
    CHECK(p.at(p.main + 4) == "main");
}

TEST_CASE("call stack: its depth is bounded, and calls beyond it return") {
    Program p;
    p.go(p.main, jal_ra, p.a);
    const std::size_t calls = CallStack::most_frames + 500;
    for (std::size_t i = 0; i < calls; ++i)
        p.go(p.a, jal_ra, p.a);
    p.at(p.a);
    CHECK(p.stack.frames().size() == CallStack::most_frames);
    CHECK(p.stack.omitted_frames() == calls + 2 - CallStack::most_frames);
    for (std::size_t i = 0; i < calls; ++i)
        p.go(p.a + 4, ret, p.a + 4);
    CHECK(p.at(p.a + 4) == "main;a");
    CHECK(p.stack.omitted_frames() == 0);
    p.go(p.a + 8, ret, p.main + 4);
    CHECK(p.at(p.main + 4) == "main");
}

TEST_CASE("call stack: other instruction sets only jump") {
    Program p(CallStack::Isa::other);
    p.go(p.main, jal_ra, p.a);
    CHECK(p.at(p.a) == "a");
    p.go(p.a + 4, ret, p.main + 4);
    CHECK(p.at(p.main + 4) == "main");
}

}  // namespace call_stack_test

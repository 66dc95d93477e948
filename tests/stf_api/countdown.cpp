// countdown TRACE - records a loop of an imaginary simulator, record by record.
#include <cstdio>
#include <hwtrace/stf.hpp>

int main(int count, char** arguments) try {
    using namespace hwtrace::stf;
    if (count != 2) return 2;
    Header header;
    header.generators.push_back({0xFF, 1, 0, 0, "countdown"});
    header.pc = 0x80000000;
    Storage storage;
    storage.replace = true;
    RecordWriter trace(arguments[1], header, storage);
    trace.comment("counts from 9 to 0");
    for (std::uint64_t left = 10; left-- > 0;) {
        Register a0;
        a0.role = RegisterRole::destination;
        a0.number = 10;
        a0.value = left;
        trace.register_value(a0);
        trace.opcode(0xfff50513, 4);  // addi a0, a0, -1
        if (left != 0) trace.target(0x80000000);
        trace.opcode(0xfd75, 2);  // c.bnez a0, to the addi
    }
    trace.finish();
    return 0;
} catch (const hwtrace::stf::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}

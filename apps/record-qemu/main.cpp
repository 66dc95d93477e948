// apps/record-qemu/main.cpp - the program hwtrace-record-qemu.
#include "../commands.hpp"

int main(int argc, char** argv) {
    return hwtrace::apps::record_qemu(argc, argv);
}

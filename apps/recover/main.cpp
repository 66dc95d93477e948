// apps/recover/main.cpp - the program hwtrace-recover.
#include "../commands.hpp"

int main(int argc, char** argv) {
    return hwtrace::apps::recover(argc, argv);
}

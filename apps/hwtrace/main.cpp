// apps/hwtrace/main.cpp - the program hwtrace.
#include "../commands.hpp"

int main(int argc, char** argv) {
    return hwtrace::apps::launcher(argc, argv);
}

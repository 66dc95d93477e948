// apps/dump/main.cpp - the program hwtrace-dump.
#include "../commands.hpp"

int main(int argc, char** argv) {
    return hwtrace::apps::dump(argc, argv);
}

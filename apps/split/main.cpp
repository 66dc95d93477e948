// apps/split/main.cpp - the program hwtrace-split.
#include "../commands.hpp"

int main(int argc, char** argv) {
    return hwtrace::apps::split(argc, argv);
}

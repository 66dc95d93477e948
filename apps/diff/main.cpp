// apps/diff/main.cpp - the program hwtrace-diff.
#include "../commands.hpp"

int main(int argc, char** argv) {
    return hwtrace::apps::diff(argc, argv);
}

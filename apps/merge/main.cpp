// apps/merge/main.cpp - the program hwtrace-merge.
#include "../commands.hpp"

int main(int argc, char** argv) {
    return hwtrace::apps::merge(argc, argv);
}

// apps/index/main.cpp - the program hwtrace-index.
#include "../commands.hpp"

int main(int argc, char** argv) {
    return hwtrace::apps::index(argc, argv);
}

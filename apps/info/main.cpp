// apps/info/main.cpp - the program hwtrace-info.
#include "../commands.hpp"

int main(int argc, char** argv) {
    return hwtrace::apps::info(argc, argv);
}

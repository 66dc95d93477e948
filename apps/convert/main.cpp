// apps/convert/main.cpp - the program hwtrace-convert.
#include "../commands.hpp"

int main(int argc, char** argv) {
    return hwtrace::apps::convert(argc, argv);
}

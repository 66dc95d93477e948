// apps/validate/main.cpp - the program hwtrace-validate.
#include "../commands.hpp"

int main(int argc, char** argv) {
    return hwtrace::apps::validate(argc, argv);
}

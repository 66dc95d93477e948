// apps/serve/main.cpp - the program hwtrace-serve.
#include "../commands.hpp"

int main(int argc, char** argv) {
    return hwtrace::apps::serve(argc, argv);
}

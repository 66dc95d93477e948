// apps/query/main.cpp - the program hwtrace-query.
#include "../commands.hpp"

int main(int argc, char** argv) {
    return hwtrace::apps::query(argc, argv);
}

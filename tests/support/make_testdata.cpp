// tests/support/make_testdata.cpp - hwtrace_make_testdata FOLDER: writes the generated files of testdata/
// (testdata/README.md).
#include <filesystem>
#include <fstream>
#include <iostream>

#include "support/testdata.hpp"

int main(int argc, char** argv) {
    namespace fs = std::filesystem;
    if (argc != 2) {
        std::cerr << "usage: hwtrace_make_testdata FOLDER\n";
        return 2;
    }
    for (const auto& [name, bytes] : hwtrace::test::made_testdata()) {
        const fs::path path = fs::path(argv[1]) / name;
        fs::create_directories(path.parent_path());
        std::ofstream out(path, std::ios::binary);
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        if (!out.flush()) {
            std::cerr << path.string() << ": cannot write\n";
            return 5;
        }
        std::cout << path.string() << ' ' << bytes.size() << '\n';
    }
    return 0;
}

#include <doctest/doctest.h>
#include <elf.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "io/error.hpp"
#include "symbols/symbols.hpp"

namespace elf_test {

using namespace hwtrace;

struct Symbol {
    std::string name;
    std::uint64_t value = 0, size = 0;
    unsigned info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    std::uint16_t section = 1;
};

/// A section of debug information.
struct Section {
    std::string name, bytes;
    std::uint64_t flags = 0;
};

/// An ELF64 file of one section of code at 0x10000 with 0x1000 bytes, a symbol table, and other sections.
class Image {
public:
    explicit Image(const std::vector<Symbol>& symbols, std::uint16_t type = ET_EXEC,
                   const std::vector<Section>& others = {}) {
        std::string names(1, '\0');
        std::vector<Elf64_Sym> table(1);
        for (const Symbol& symbol : symbols) {
            Elf64_Sym entry{};
            entry.st_name = static_cast<Elf64_Word>(names.size());
            entry.st_info = static_cast<unsigned char>(symbol.info);
            entry.st_shndx = symbol.section;
            entry.st_value = symbol.value;
            entry.st_size = symbol.size;
            names += symbol.name + '\0';
            table.push_back(entry);
        }
        bytes.resize(sizeof(Elf64_Ehdr));
        std::vector<Elf64_Shdr> sections(4);
        for (const Section& other : others) {
            const std::uint64_t at = append(other.bytes.data(), other.bytes.size());
            sections.push_back({static_cast<Elf64_Word>(names.size()), SHT_PROGBITS, other.flags, 0, at,
                                other.bytes.size(), 0, 0, 1, 0});
            names += other.name + '\0';
        }
        sections[1] = {1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x10000, append("", 0), 0x1000, 0, 0, 4, 0};
        append(std::string(0x1000, '\x13').data(), 0x1000);
        sections[2] = {7,
                       SHT_SYMTAB,
                       0,
                       0,
                       append(table.data(), table.size() * sizeof table[0]),
                       table.size() * sizeof table[0],
                       3,
                       1,
                       8,
                       sizeof table[0]};
        sections[3] = {15, SHT_STRTAB, 0, 0, append(names.data(), names.size()), names.size(), 0, 0, 1, 0};
        Elf64_Ehdr header{};
        std::memcpy(header.e_ident, ELFMAG, 4);
        header.e_ident[EI_CLASS] = ELFCLASS64;
        header.e_ident[EI_DATA] = ELFDATA2LSB;
        header.e_ident[EI_VERSION] = EV_CURRENT;
        header.e_type = type;
        header.e_machine = EM_RISCV;
        header.e_version = EV_CURRENT;
        header.e_ehsize = sizeof header;
        header.e_shentsize = sizeof(Elf64_Shdr);
        header.e_shnum = static_cast<Elf64_Half>(sections.size());
        header.e_shstrndx = others.empty() ? SHN_UNDEF : 3;  // names of symbols and of the other sections
        header.e_shoff = append(sections.data(), sections.size() * sizeof sections[0]);
        std::memcpy(bytes.data(), &header, sizeof header);
    }

    std::string bytes;

private:
    std::uint64_t append(const void* data, std::size_t size) {
        bytes.resize((bytes.size() + 7) / 8 * 8);
        const std::uint64_t at = bytes.size();
        bytes.append(static_cast<const char*>(data), size);
        return at;
    }
};

/// A file in the temporary folder, removed at the end.
class Temporary {
public:
    explicit Temporary(const std::string& bytes, const std::string& name = "elf") {
        path = (std::filesystem::temp_directory_path() / ("hwtrace_" + name + std::to_string(getpid()))).string();
        write(bytes);
    }
    ~Temporary() { std::filesystem::remove(path); }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    void write(const std::string& bytes) const { std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes; }
    std::string path;
};

std::shared_ptr<const Symbols> load(const Temporary& file, std::optional<std::uint64_t> base = std::nullopt,
                                    const Limits& limits = {}) {
    return Symbols::load(std::vector<SymbolFile>{{file.path, base}}, limits);
}

/// Returns the message of the error, without the path.
std::string message(const Temporary& file, Failure failure, const Limits& limits = {}) {
    try {
        load(file, std::nullopt, limits);
    } catch (const Error& error) {
        CHECK(error.failure() == failure);
        const std::string text = error.what();
        CHECK(text.starts_with(file.path + ": "));
        return text.substr(file.path.size() + 2);
    }
    return "no error";
}

const std::vector<Symbol> program{{"_start", 0x10000, 0, ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE)},
                                  {"main", 0x10020, 0x20},
                                  {"$xrv64gc", 0x10020, 0, ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE)},
                                  {".L1", 0x10050, 0, ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE)},
                                  {"data", 0x10060, 8, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT)},
                                  {"outside", 0x20000, 8},
                                  {"undefined", 0x10070, 8, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), SHN_UNDEF},
                                  {"_ZN3app3runEv", 0x10080, 0x10, ELF64_ST_INFO(STB_WEAK, STT_FUNC)}};

std::string functions(const Symbols& symbols) {
    std::string text;
    for (const Symbols::Function& function : symbols.functions())
        text += std::string(function.name) + "[" + std::to_string(function.begin) + "," + std::to_string(function.end) +
                ") ";
    return text;
}

TEST_CASE("elf: functions and labels of code are read, other symbols are not") {
    if (!Symbols::can_load()) return;
    const Temporary file(Image(program).bytes);
    const auto symbols = load(file);
    CHECK(functions(*symbols) == "_start[65536,65568) main[65568,65600) app::run()[65664,65680) ");
    CHECK_FALSE(symbols->has_lines());
    CHECK(functions(*load(file, 0x100000)) ==
          "_start[1114112,1114144) main[1114144,1114176) app::run()[1114240,1114256) ");
}

TEST_CASE("elf: two files need different bases") {
    if (!Symbols::can_load()) return;
    const Temporary one(Image(program, ET_DYN).bytes, "one"), two(Image(program, ET_DYN).bytes, "two");
    const std::vector<SymbolFile> apart{{one.path, 0x100000}, {two.path, 0}};
    const auto symbols = Symbols::load(apart, {});
    CHECK(symbols->functions().size() == 6);
    CHECK(symbols->functions().front().file == 1);
    const std::vector<SymbolFile> same{{one.path, 0x800}, {two.path, {}}};
    CHECK_THROWS_WITH_AS(Symbols::load(same, {}),
                         (one.path + ": its code at 0x10800 overlaps that of " + two.path +
                          ", which is at 0x10000 to 0x11000; state where each was loaded (FILE@BASE)")
                             .c_str(),
                         Error);
    CHECK_THROWS_AS(load(one, ~std::uint64_t{0} - 0x10800), Error);
}

TEST_CASE("elf: a file that is none, or of another kind, is refused with what was found") {
    if (!Symbols::can_load()) return;
    const Temporary file("#!/bin/sh\n");
    CHECK(message(file, Failure::input) ==
          "is not an ELF file: expected 7f 45 4c 46 at byte 0, found 23 21 2f 62; give the program that ran, or its "
          "libraries");
    file.write("");
    CHECK(message(file, Failure::input).find("found nothing") != std::string::npos);
    std::string bytes = Image(program).bytes;
    bytes[EI_DATA] = ELFDATA2MSB;
    file.write(bytes);
    CHECK(message(file, Failure::input).find("expected 1 at byte 5, found 2") != std::string::npos);
    file.write(Image(program, ET_REL).bytes);
    CHECK(message(file, Failure::input).find("an object that is not linked") != std::string::npos);
    file.write(Image({}).bytes);
    CHECK(message(file, Failure::input).find("names no functions") != std::string::npos);
    file.write(Image(program).bytes);
    Limits limits;
    limits.schema_objects = 4;
    CHECK(message(file, Failure::limit, limits).find("--max-schema") == std::string::npos);
    limits.schema_objects = 2;
    CHECK(message(file, Failure::limit, limits).find("--max-schema") != std::string::npos);
    CHECK_THROWS_AS(Symbols::load(std::vector<SymbolFile>{{"/", {}}}, {}), Error);
    CHECK_THROWS_AS(Symbols::load(std::vector<SymbolFile>{{file.path + "absent", {}}}, {}), Error);
}

TEST_CASE("elf: debug sections whose decompressed size is above the limit are refused") {
    if (!Symbols::can_load()) return;
    const auto standard = [](const std::string& name, std::uint64_t size) {
        Elf64_Chdr header{};
        header.ch_type = ELFCOMPRESS_ZLIB;
        header.ch_size = size;
        header.ch_addralign = 1;
        return Section{name, std::string(reinterpret_cast<const char*>(&header), sizeof header), SHF_COMPRESSED};
    };
    const auto old = [](const std::string& name, std::uint64_t size) {
        std::string bytes = "ZLIB";
        for (int shift = 56; shift >= 0; shift -= 8)
            bytes += static_cast<char>(size >> shift);
        return Section{name, bytes, 0};
    };
    Limits limits;
    limits.block = 1000;
    const auto refused = [&](const std::vector<Section>& sections, const std::string& size) {
        const Temporary file(Image(program, ET_EXEC, sections).bytes);
        const std::string text = message(file, Failure::limit, limits);
        return text.starts_with("the decompressed debug sections: " + size + " is above the limit of 1000");
    };
    CHECK(refused({standard(".debug_info", 1001)}, "1001"));
    CHECK(refused({standard(".debug_info", 600), standard(".debug_abbrev", 500)}, "1100"));
    CHECK(refused({old(".zdebug_info", 600), standard(".debug_str", 500)}, "1100"));
    CHECK(refused({old(".zdebug_info", ~std::uint64_t{0}), old(".zdebug_line", 500)}, "18446744073709551615"));
    const Temporary file(Image(program, ET_EXEC, {standard(".other", 5000), standard(".debug_info", 1000)}).bytes);
    CHECK(message(file, Failure::input, limits).find("damaged debug information") != std::string::npos);
}

TEST_CASE("elf: a damaged file gives functions or an error") {
    if (!Symbols::can_load()) return;
    const std::string whole = Image(program).bytes;
    const Temporary file(whole);
    const auto survives = [&](const std::string& bytes) {
        file.write(bytes);
        try {
            const auto symbols = load(file, 0x1000);
            Symbols::Recent recent;
            for (std::uint64_t pc = 0x10000; pc < 0x13000; pc += 64) {
                symbols->function_at(pc, recent);
                symbols->line_at(pc);
                symbols->inlining_at(pc);
            }
            return true;
        } catch (const Error&) {
            return false;
        }
    };
    for (std::size_t size = 0; size < whole.size(); size += size < 100 || size > 0x1040 ? 1 : 100)
        CHECK_FALSE(survives(whole.substr(0, size)));
    std::mt19937 random(3);
    std::size_t read = 0;
    for (std::size_t at = 0; at < whole.size(); at += at >= sizeof(Elf64_Ehdr) && at < 0x1038 ? 97 : 1) {
        for (int i = 0; i < 3; ++i) {
            std::string bytes = whole;
            bytes[at] = static_cast<char>(i == 0 ? 0xFF : random());
            read += survives(bytes) ? 1 : 0;
        }
    }
    CHECK(read > 100);
}

}  // namespace elf_test

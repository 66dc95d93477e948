#include "symbols/elf_file.hpp"

#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "io/error.hpp"
#include "io/named_error.hpp"
#include "io/number_text.hpp"

namespace hwtrace {

namespace {

std::string libelf_message() {
    const char* const message = elf_errmsg(-1);
    return message == nullptr ? "unknown error" : message;
}

/// Returns true for the names that mark code and data in a section, and for local labels of compilers.
bool is_marker(std::string_view name) noexcept {
    return name.empty() || name.starts_with("$x") || name.starts_with("$d") || name.starts_with(".L");
}

/// Returns the size of a debug section that libdw decompresses, as its header states it; 0 for other sections.
std::uint64_t decompressed_size(Elf_Scn* scn, const GElf_Shdr& section, std::string_view name) {
    if (!name.starts_with(".debug") && !name.starts_with(".zdebug")) return 0;
    GElf_Chdr compression;
    if ((section.sh_flags & SHF_COMPRESSED) != 0)
        return gelf_getchdr(scn, &compression) == nullptr ? 0 : compression.ch_size;
    // Old compilers: the name is .zdebug_*, and "ZLIB" and the size precede the data.
    constexpr std::string_view magic = "ZLIB";
    constexpr std::size_t size_bytes = 8;
    const Elf_Data* const data = elf_rawdata(scn, nullptr);
    if (data == nullptr || data->d_buf == nullptr || data->d_size < magic.size() + size_bytes) return 0;
    const std::string_view head(static_cast<const char*>(data->d_buf), magic.size() + size_bytes);
    if (!name.starts_with(".z") || !head.starts_with(magic)) return 0;
    std::uint64_t size = 0;
    for (const char byte : head.substr(magic.size()))
        size = size << 8 | static_cast<unsigned char>(byte);
    return size;
}

}  // namespace

ElfFile::ElfFile(const std::string& path, const Limits& limits) : path_(path) {
    descriptor_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe must not block
    if (!descriptor_) fail_errno(path_, "open", errno);
    struct stat status {};
    if (fstat(descriptor_.get(), &status) != 0) fail_errno(path_, "read", errno);
    if (!S_ISREG(status.st_mode)) refuse("is not a regular file; give an ELF program or library");
    if (elf_version(EV_CURRENT) == EV_NONE) fail(Failure::internal, "libelf is older than its header");
    elf_.reset(elf_begin(descriptor_.get(), ELF_C_READ_MMAP, nullptr));
    check_header();
    read_sections(limits);
}

void ElfFile::refuse(const std::string& what) const {
    fail(Failure::input, path_ + ": " + what);
}

void ElfFile::check_header() const {
    std::array<std::byte, EI_NIDENT> head{};
    const std::size_t size = read_whole_at(descriptor_.get(), 0, head, path_);
    if (size < 4 || std::memcmp(head.data(), ELFMAG, 4) != 0) {
        std::string found;
        for (std::size_t i = 0; i < std::min<std::size_t>(size, 4); ++i) {
            constexpr std::string_view digits = "0123456789abcdef";
            const auto byte = static_cast<unsigned>(head[i]);
            found += {' ', digits[byte >> 4], digits[byte & 15]};
        }
        refuse("is not an ELF file: expected 7f 45 4c 46 at byte 0, found" + (found.empty() ? " nothing" : found) +
               "; give the program that ran, or its libraries");
    }
    if (static_cast<unsigned>(head[EI_DATA]) != ELFDATA2LSB)
        refuse("is not a little-endian ELF file: expected 1 at byte 5, found " +
               std::to_string(static_cast<unsigned>(head[EI_DATA])) + "; give the program that ran");
    GElf_Ehdr header;
    if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF || gelf_getehdr(elf_.get(), &header) == nullptr)
        refuse("has a damaged ELF header (libelf: " + libelf_message() + "); copy or build the file again");
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        refuse("is an ELF file of type " + std::to_string(header.e_type) +
               (header.e_type == ET_REL ? " (an object that is not linked)" : "") +
               ", expected 2 (program) or 3 (library or position-independent program); give the program that ran");
}

void ElfFile::read_sections(const Limits& limits) {
    std::size_t count = 0;
    if (elf_getshdrnum(elf_.get(), &count) != 0)
        refuse("has a damaged section table (libelf: " + libelf_message() + "); copy or build the file again");
    naming(path_, [&] { check_limit(count, limits.schema_objects, "the number of ELF sections", "--max-schema"); });
    sections_.resize(count);
    for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf_.get(), scn)) != nullptr;) {
        GElf_Shdr section;
        const std::size_t index = elf_ndxscn(scn);
        if (index >= count || gelf_getshdr(scn, &section) == nullptr) continue;
        constexpr std::uint64_t code = SHF_ALLOC | SHF_EXECINSTR;
        if ((section.sh_flags & code) != code || section.sh_size == 0) continue;
        const std::uint64_t room = ~std::uint64_t{0} - section.sh_addr;
        const Extent extent{section.sh_addr, section.sh_addr + std::min<std::uint64_t>(section.sh_size, room)};
        sections_[index] = extent;
        code_ = code_.end == 0 ? extent : Extent{std::min(code_.begin, extent.begin), std::max(code_.end, extent.end)};
    }
    if (code_.end == 0) refuse("has no section with code; give the file as the linker wrote it (before strip)");
}

void ElfFile::read_table(Elf_Scn* scn, const Limits& limits, std::vector<CodeSymbol>& symbols) const {
    GElf_Shdr header;
    Elf_Data* const data = elf_getdata(scn, nullptr);
    if (gelf_getshdr(scn, &header) == nullptr || data == nullptr || data->d_buf == nullptr || header.sh_entsize == 0)
        return;
    const std::uint64_t count = std::min<std::uint64_t>(header.sh_size, data->d_size) / header.sh_entsize;
    Elf_Scn* const text_section = elf_getscn(elf_.get(), header.sh_link);
    const Elf_Data* const texts = text_section == nullptr ? nullptr : elf_getdata(text_section, nullptr);
    if (texts == nullptr || texts->d_buf == nullptr) return;
    const std::string_view all(static_cast<const char*>(texts->d_buf), texts->d_size);
    const std::uint64_t most = std::min<std::uint64_t>(count, 0x7FFF'FFFF);
    for (std::uint64_t i = 1; i < most; ++i) {
        GElf_Sym symbol;
        if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
        const unsigned type = GELF_ST_TYPE(symbol.st_info);
        const bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
        // Files with more than 65,279 sections keep greater section numbers elsewhere. They are never programs.
        if ((!is_function && type != STT_NOTYPE) || symbol.st_shndx >= sections_.size()) continue;
        const Extent section = sections_[symbol.st_shndx];
        if (symbol.st_value < section.begin || symbol.st_value >= section.end || symbol.st_name >= all.size()) continue;
        const std::string_view rest = all.substr(symbol.st_name, limits.string);
        const std::string_view name = rest.substr(0, rest.find('\0'));
        if (is_marker(name)) continue;
        const unsigned binding = GELF_ST_BIND(symbol.st_info);
        symbols.push_back({symbol.st_value, symbol.st_size, section.end, name,
                           binding == STB_LOCAL  ? CodeSymbol::Binding::local
                           : binding == STB_WEAK ? CodeSymbol::Binding::weak
                                                 : CodeSymbol::Binding::global,
                           is_function});
        if (symbols.size() > limits.schema_objects)
            naming(path_, [&] {
                check_limit(symbols.size(), limits.schema_objects, "the number of ELF symbols", "--max-schema");
            });
    }
}

std::vector<CodeSymbol> ElfFile::symbols(std::uint64_t base, std::uint32_t file, const Limits& limits) const {
    std::vector<CodeSymbol> symbols;
    for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf_.get(), scn)) != nullptr;) {
        GElf_Shdr section;
        if (gelf_getshdr(scn, &section) == nullptr) continue;
        if (section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM) read_table(scn, limits, symbols);
    }
    if (symbols.empty())
        refuse(
            "names no functions: expected symbols of code in .symtab or .dynsym, found none; give the file before "
            "strip");
    if (code_.end + base < code_.begin + base || code_.end + base < base)
        fail(Failure::usage, path_ + ": its code would lie beyond the last address with base " +
                                 hexadecimal_text(base) + "; give another one");
    for (CodeSymbol& symbol : symbols) {
        symbol.file = file;
        symbol.begin += base;
        symbol.section_end += base;
    }
    return symbols;
}

bool ElfFile::has_debug_sections() const noexcept {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf_.get(), &names) != 0) return false;
    for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf_.get(), scn)) != nullptr;) {
        GElf_Shdr section;
        if (gelf_getshdr(scn, &section) == nullptr || section.sh_type == SHT_NOBITS) continue;
        const char* const name = elf_strptr(elf_.get(), names, section.sh_name);
        if (name == nullptr) continue;
        for (const char* const wanted : {".debug_info", ".debug_line", ".zdebug_info", ".zdebug_line"})
            if (std::strcmp(name, wanted) == 0) return true;
    }
    return false;
}

void ElfFile::check_compressed_sections(const Limits& limits) const {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf_.get(), &names) != 0) return;
    std::uint64_t total = 0;
    for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf_.get(), scn)) != nullptr;) {
        GElf_Shdr section;
        if (gelf_getshdr(scn, &section) == nullptr || section.sh_type == SHT_NOBITS) continue;
        const char* const name = elf_strptr(elf_.get(), names, section.sh_name);
        if (name == nullptr) continue;
        const std::uint64_t size = decompressed_size(scn, section, name);
        total = size > ~total ? ~std::uint64_t{0} : total + size;
    }
    naming(path_, [&] { check_limit(total, limits.block, "the decompressed debug sections", "--max-block"); });
}

}  // namespace hwtrace

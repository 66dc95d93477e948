#include "loaded_files.hpp"

#include <elf.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string_view>

namespace hwtrace::record_qemu {

namespace {

constexpr std::uint64_t page = 4096;
constexpr std::uint64_t page_of(std::uint64_t address) noexcept {
    return address & ~(page - 1);
}

/// A line of /proc/self/maps: "start-end flags offset device inode   path".
struct Mapping {
    std::uint64_t begin = 0, end = 0, offset = 0;
    std::string path;  ///< empty without a file
};

bool read_hex(std::string_view& text, char delimiter, std::uint64_t& value) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc() || stop == text.data() + text.size() || *stop != delimiter) return false;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
    return true;
}

std::optional<Mapping> mapping_of(std::string_view line) {
    Mapping mapping;
    if (!read_hex(line, '-', mapping.begin) || !read_hex(line, ' ', mapping.end)) return std::nullopt;
    line.remove_prefix(std::min(line.size(), line.find(' ') + 1));
    if (!read_hex(line, ' ', mapping.offset)) return std::nullopt;
    if (const std::size_t path = line.find('/'); path != std::string_view::npos) mapping.path = line.substr(path);
    return mapping;
}

/// The headers of ELF files for 32 and 64 bits.
struct Elf32 {
    using Header = Elf32_Ehdr;
    using Segment = Elf32_Phdr;
};
struct Elf64 {
    using Header = Elf64_Ehdr;
    using Segment = Elf64_Phdr;
};

template <typename Elf>
std::optional<std::uint64_t> base_in(std::ifstream& file, std::uint64_t offset, std::uint64_t address) {
    typename Elf::Header header;
    file.seekg(0);
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        typename Elf::Segment segment;
        file.seekg(static_cast<std::streamoff>(header.e_phoff + std::uint64_t{i} * header.e_phentsize));
        if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) return std::nullopt;
        const std::uint64_t begin = page_of(segment.p_offset);
        if (segment.p_type != PT_LOAD || offset < begin || offset >= segment.p_offset + segment.p_filesz) continue;
        if ((segment.p_flags & PF_X) != 0) return address - (page_of(segment.p_vaddr) + (offset - begin));
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> base_of(const std::string& path, std::uint64_t offset, std::uint64_t address) {
    std::ifstream file(path, std::ios::binary);
    std::array<char, EI_NIDENT> head{};
    if (!file.read(head.data(), head.size()) || std::memcmp(head.data(), ELFMAG, SELFMAG) != 0) return std::nullopt;
    return head[EI_CLASS] == ELFCLASS32 ? base_in<Elf32>(file, offset, address) : base_in<Elf64>(file, offset, address);
}

std::optional<LoadedFile> LoadedFiles::at(std::uint64_t pc, std::uint64_t memory) {
    const auto holds = [&](const Known& known) { return pc >= known.begin && pc < known.end; };
    if (unknown_ == most_unknown || std::ranges::any_of(known_, holds)) return std::nullopt;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        const std::optional<Mapping> mapping = mapping_of(line);
        if (!mapping || pc + memory < mapping->begin || pc + memory >= mapping->end || mapping->path.empty()) continue;
        known_.push_back({mapping->begin - memory, mapping->end - memory});
        const auto base = base_of(mapping->path, mapping->offset, mapping->begin - memory);
        if (!base || *base == 0) return std::nullopt;
        LoadedFile file{mapping->path.substr(mapping->path.rfind('/') + 1), *base};
        const auto is_same = [&](const LoadedFile& other) {
            return other.name == file.name && other.base == file.base;
        };
        if (std::ranges::any_of(returned_, is_same)) return std::nullopt;
        returned_.push_back(file);
        return file;
    }
    known_.push_back({page_of(pc), page_of(pc) + page});
    ++unknown_;
    return std::nullopt;
}

}  // namespace hwtrace::record_qemu

#include "codec/disassembler.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace hwtrace {
namespace {

constexpr unsigned entry_bits = 13;  // 8192 entries, more encodings than hot code uses
constexpr std::size_t mnemonic_width = 12;
constexpr std::size_t shortest_address = 8;  // hexadecimal digits

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

/// Returns the end of a version such as "2p0" or "2" that begins at `at`. Returns `at` if no version begins there.
std::size_t end_of_version(std::string_view text, std::size_t at) noexcept {
    const auto digits_end = [&](std::size_t from) {
        while (from < text.size() && is_digit(text[from]))
            ++from;
        return from;
    };
    const std::size_t major = digits_end(at);
    if (major == at || major >= text.size() || text[major] != 'p') return major;
    const std::size_t minor = digits_end(major + 1);
    return minor == major + 1 ? major : minor;
}

/// Removes the version from a name: "zba1p0" becomes "zba". Digits that belong to the name ("zve32x", "sv39") stay.
std::string_view without_version(std::string_view name) noexcept {
    for (std::size_t at = 1; at < name.size(); ++at) {
        if (!is_digit(name[at]) || is_digit(name[at - 1])) continue;
        const bool has_minor = name.find('p', at) != std::string_view::npos;
        if (has_minor && end_of_version(name, at) == name.size()) return name.substr(0, at);
    }
    return name;
}

/// Returns the cache entry of an encoding. The multiplication spreads similar encodings.
std::size_t place_of(std::uint32_t encoding) noexcept {
    return static_cast<std::size_t>(encoding * 0x9E37'79B1u >> (32 - entry_bits));
}

}  // namespace

std::vector<std::string> extensions_of(std::string_view isa_string) {
    std::string text(isa_string);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    std::string_view rest = text;
    if (rest.starts_with("rv32") || rest.starts_with("rv64")) rest.remove_prefix(4);
    std::vector<std::string> extensions;
    while (!rest.empty()) {
        const char first = rest.front();
        if (first == 'z' || first == 's' || first == 'x') {
            const std::string_view name = rest.substr(0, rest.find('_'));
            extensions.emplace_back(without_version(name));
            rest.remove_prefix(name.size());
        } else if (first == 'g') {
            for (const char* const part : {"i", "m", "a", "f", "d", "zicsr", "zifencei"})
                extensions.emplace_back(part);
            rest.remove_prefix(end_of_version(rest, 1));
        } else if (first >= 'a' && first <= 'z') {
            extensions.emplace_back(1, first);
            rest.remove_prefix(end_of_version(rest, 1));
        } else {
            rest.remove_prefix(1);
        }
    }
    return extensions;
}

Disassembler::Disassembler(const InstructionSet& instructions)
    : extensions_(extensions_of(instructions.isa_string)),
      is_riscv_(instructions.is_riscv),
      base_(instructions.base),
      entries_(std::size_t{1} << entry_bits) {}

void Disassembler::set_base(riscv::Xlen base) {
    if (base == base_) return;
    base_ = base;
    decoding_.reset();
    std::fill(entries_.begin(), entries_.end(), Entry{});
}

void Disassembler::put(std::uint64_t pc, std::uint32_t encoding, unsigned size, TextOutput& out) {
    Entry& entry = entries_[place_of(encoding)];
    if (entry.size != size || entry.encoding != encoding) [[unlikely]]
        decode(encoding, size, entry);
    // Copies the whole array, whose size is known at compile time, and then advances past the text only.
    std::memcpy(out.reserve(sizeof entry.text), entry.text, sizeof entry.text);
    out.advance(entry.length);
    if (entry.has_offset) append_target(pc + static_cast<std::uint64_t>(std::int64_t{entry.offset}), out);
}

std::string_view Disassembler::text(std::uint64_t pc, std::uint32_t encoding, unsigned size) {
    padded_.clear();
    put(pc, encoding, size, padded_);
    const std::string_view padded = padded_.text();
    const std::size_t end = std::min(padded.find(' '), padded.size());
    const std::size_t operands = std::min(padded.find_first_not_of(' ', end), padded.size());
    text_.assign(padded.substr(0, end));
    if (operands < padded.size()) text_ += ' ';
    text_ += padded.substr(operands);
    return text_;
}

void Disassembler::append_target(std::uint64_t target, TextOutput& out) const {
    if (base_ == riscv::Xlen::rv32) target &= 0xFFFF'FFFF;
    const auto digits = static_cast<std::size_t>(std::bit_width(target) + 3) / 4;
    out.put("0x");
    out.hex(target, static_cast<unsigned>(std::max(digits, shortest_address)));
}

void Disassembler::decode(std::uint32_t encoding, unsigned size, Entry& entry) {
    std::string_view decoded;
    if (is_riscv_) {
        if (!decoding_) {
            const std::vector<std::string_view> names(extensions_.begin(), extensions_.end());
            decoding_ = std::make_unique<Decoding>(base_, names);
        }
        decoded = decoding_->decode(encoding, size);
    }
    entry = Entry{.encoding = encoding, .size = static_cast<std::uint8_t>(size)};
    TextOutput text(-1, 2 * sizeof entry.text);
    const std::size_t tab = std::min(decoded.find('\t'), decoded.size());
    const std::string_view mnemonic = decoded.empty() ? (size == 4 ? ".word" : ".half") : decoded.substr(0, tab);
    std::string_view operands = decoded.substr(std::min(tab + 1, decoded.size()));
    if (const riscv::Encoding known = riscv::decode(encoding, size, base_);
        !decoded.empty() && known.transfers() && known.has_offset) {
        entry.has_offset = true;
        entry.offset = known.offset;
        operands = operands.substr(0, operands.rfind(' ') + 1);  // removes the last operand, the offset
    }
    text.put(mnemonic);
    if (!operands.empty() || entry.has_offset || decoded.empty()) {
        for (std::size_t column = mnemonic.size(); column < mnemonic_width || column == mnemonic.size(); ++column)
            text.put(' ');
    }
    for (const char c : operands)
        if (c != ' ' && c != '\t') text.put(c);
    if (decoded.empty()) {
        text.put("0x");
        text.hex(encoding, 2 * size);
    }
    entry.length = static_cast<std::uint8_t>(std::min(text.text().size(), sizeof entry.text));
    std::memcpy(entry.text, text.text().data(), entry.length);
}

}  // namespace hwtrace

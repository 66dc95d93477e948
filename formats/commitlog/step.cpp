#include "step.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "scan.hpp"

namespace hwtrace::commitlog {

namespace {

// Fields of vector loads (The RISC-V Instruction Set Manual, Volume I, "Vector Loads and Stores").
constexpr unsigned field_of(std::uint64_t encoding, unsigned low, unsigned width) noexcept {
    return static_cast<unsigned>(encoding >> low) & ((1u << width) - 1);
}
constexpr unsigned fields_of(std::uint64_t encoding) noexcept {
    return field_of(encoding, 29, 3);  // number of fields of a segment, less 1
}
constexpr unsigned unit_mode_of(std::uint64_t encoding) noexcept {
    return field_of(encoding, 20, 5);
}
constexpr unsigned address_mode_of(std::uint64_t encoding) noexcept {
    return field_of(encoding, 26, 2);
}
constexpr unsigned whole_registers = 8, mask_bits = 11;  // unit modes

/// Appends the 64-bit words of a vector register, lowest first.
void append_words(std::string_view digits, std::vector<std::uint64_t>& words) {
    while (!digits.empty()) {
        const std::size_t count = std::min<std::size_t>(digits.size(), 16);
        std::uint64_t word = 0;
        for (const char digit : digits.substr(digits.size() - count))
            word = word << 4 | hex_values[static_cast<unsigned char>(digit)];
        words.push_back(word);
        digits.remove_suffix(count);
    }
}

constexpr std::uint64_t low_bytes(std::uint64_t value, unsigned size) noexcept {
    return size >= 8 ? value : value & ((std::uint64_t{1} << 8 * size) - 1);
}

}  // namespace

void Step::begin(const Line& line, riscv::Xlen xlen) {
    is_present = true;
    is_committed = is_resumed = is_faulting = has_length = false;
    has_mode = line.has_mode;
    mode = line.mode;
    pc = line.pc;
    const bool is_short = (line.encoding & 3) != 3;
    // CVA6 lists an instruction of 2 bytes with the 2 bytes that follow it.
    encoding = is_short ? line.encoding & 0xFFFF : line.encoding;
    size = is_short ? 2 : line.encoding_digits > 8 ? static_cast<std::uint8_t>(line.encoding_digits / 2) : 4;
    element_bits = 0;
    decoded = riscv::decode(encoding, size, xlen);
    registers.clear();
    words.clear();
    accesses.clear();
    traps.clear();
}

void Step::add(Line& line) {
    for (Written& written : line.registers) {
        if (written.wide.empty()) continue;
        const std::size_t before = words.size();
        append_words(written.wide, words);
        written.words = static_cast<std::uint16_t>(words.size() - before);
        written.wide = {};
    }
    if (registers.empty() && accesses.empty()) {
        std::swap(registers, line.registers);
        std::swap(accesses, line.accesses);
    } else {
        registers.insert(registers.end(), line.registers.begin(), line.registers.end());
        accesses.insert(accesses.end(), line.accesses.begin(), line.accesses.end());
    }
    if (line.has_length) {
        has_length = true;
        vector_length = line.vector_length;
    }
    if (line.element_bits != 0) element_bits = line.element_bits;
}

bool Step::is_open() const noexcept {
    if (!is_committed || !traps.empty() || decoded.instruction_class == riscv::Class::system) return true;
    return decoded.transfers() && !(decoded.jumps() && decoded.has_offset);
}

const Written* Step::find(RegisterClass register_class, unsigned number) const noexcept {
    const auto found = std::ranges::find_if(registers, [&](const Written& written) {
        return written.register_class == register_class && written.number == number;
    });
    return found == registers.end() ? nullptr : &*found;
}

std::span<const std::uint64_t> Step::vector_register(unsigned number) const noexcept {
    std::size_t first = 0;
    for (const Written& written : registers) {
        if (written.register_class == RegisterClass::vector && written.number == number)
            return std::span(words).subspan(first, written.words);
        first += written.words;
    }
    return {};
}

// --- accesses --------------------------------------------------------------------------------------------------------

bool Step::is_split() const noexcept {
    const std::size_t count = decoded.access_size;
    if (decoded.instruction_class != riscv::Class::load || count < 2 || accesses.size() != count) return false;
    for (std::size_t at = 0; at < count; ++at)
        if (accesses[at].is_write || accesses[at].address != accesses[0].address + at) return false;
    return true;
}

/// Returns the bytes of an element of a vector load; 0 if they are unknown.
unsigned Step::element_size() const noexcept {
    const bool is_indexed = (address_mode_of(encoding) & 1) != 0;
    if (is_indexed) return static_cast<unsigned>(element_bits / 8);
    switch (field_of(encoding, 12, 3)) {
        case 0:
            return 1;
        case 5:
            return 2;
        case 6:
            return 4;
        default:
            return 8;
    }
}

unsigned Step::size_of(const Touched& touched, bool split, riscv::Xlen xlen) const noexcept {
    if (split) return 1;
    const unsigned encoded = decoded.access_size;
    // CVA6 prints whole words for all stores.
    if (touched.size != 0) return encoded != 0 ? std::min<unsigned>(encoded, touched.size) : touched.size;
    if (encoded != 0) return encoded;
    unsigned bytes = decoded.instruction_class == riscv::Class::vector_load ? element_size() : 0;
    if (bytes == 0 || bytes > 8) bytes = xlen == riscv::Xlen::rv64 ? 8 : 4;
    return bytes;
}

std::optional<std::uint64_t> Step::loaded(std::size_t index, unsigned bytes, bool split, riscv::Xlen xlen) const {
    if (decoded.instruction_class == riscv::Class::vector_load) return loaded_element(index);
    if (!decoded.has_destination || bytes > 8) return std::nullopt;
    const Written* const low = find(decoded.destination_class, decoded.destination);
    if (low == nullptr) return std::nullopt;
    if (split) return low_bytes(low->value >> 8 * index, 1);
    const bool is_pair = bytes == 8 && xlen == riscv::Xlen::rv32 && decoded.destination_class == RegisterClass::integer;
    if (!is_pair) return low_bytes(low->value, bytes);
    const Written* const high = find(RegisterClass::integer, decoded.destination + 1u);
    if (high == nullptr) return std::nullopt;
    return low_bytes(low->value, 4) | high->value << 32;
}

/// Returns an element of a vector load without a mask or with all elements active. Segments are not resolved.
std::optional<std::uint64_t> Step::loaded_element(std::size_t index) const {
    const bool is_unit = address_mode_of(encoding) == 0;
    const bool is_whole = is_unit && unit_mode_of(encoding) == whole_registers;
    const bool is_mask = is_unit && unit_mode_of(encoding) == mask_bits;
    const unsigned bytes = element_size();
    if (bytes == 0 || bytes > 8 || (fields_of(encoding) != 0 && !is_whole)) return std::nullopt;
    if (!is_whole && !is_mask && (!has_length || vector_length != accesses.size())) return std::nullopt;
    const std::size_t length = 8 * vector_register(decoded.destination).size();
    if (length == 0 || length % bytes != 0) return std::nullopt;
    const std::size_t at = index * bytes;
    const auto held = vector_register(static_cast<unsigned>(decoded.destination + at / length));
    if (held.size() * 8 != length) return std::nullopt;
    const std::size_t offset = at % length;
    return low_bytes(held[offset / 8] >> 8 * (offset % 8), bytes);
}

}  // namespace hwtrace::commitlog

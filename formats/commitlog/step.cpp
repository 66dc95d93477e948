#include "step.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
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

void Step::save(Appender& out) const {
    out.le(static_cast<std::uint8_t>(is_present ? 1 : 0));
    if (!is_present) return;
    unsigned flags = 0;
    for (const bool flag : {is_committed, has_mode, is_resumed, is_faulting, has_length})
        flags = flags << 1 | (flag ? 1u : 0u);
    for (const std::uint8_t byte : {static_cast<std::uint8_t>(flags), mode, size})
        out.le(byte);
    for (const std::uint64_t number :
         {pc, encoding, vector_length, element_bits, std::uint64_t{registers.size()}, std::uint64_t{words.size()},
          std::uint64_t{accesses.size()}, std::uint64_t{traps.size()}})
        out.leb128(number);
    for (const Written& written : registers) {
        out.le(written.number);
        out.le(static_cast<std::uint8_t>(written.register_class));
        out.le(written.digits);
        out.le(written.value);
        out.le(written.words);
    }
    for (const std::uint64_t word : words)
        out.le(word);
    for (const Touched& touched : accesses) {
        out.le(touched.address);
        out.le(touched.data);
        out.le(static_cast<std::uint8_t>((touched.is_write ? 1u : 0u) | (touched.has_data ? 2u : 0u)));
        out.le(touched.size);
    }
    for (const Trap& trap : traps) {
        out.le(trap.id);
        out.le(trap.value);
        out.le(trap.epc.value_or(0));
        out.le(static_cast<std::uint8_t>((trap.epc ? 1u : 0u) | (trap.has_value ? 2u : 0u)));
    }
}

void Step::restore(Cursor& in, riscv::Xlen xlen) {
    is_present = in.le<std::uint8_t>() != 0;
    if (!is_present) return;
    unsigned flags = in.le<std::uint8_t>();
    for (bool* const flag : {&has_length, &is_faulting, &is_resumed, &has_mode, &is_committed}) {
        *flag = (flags & 1u) != 0;
        flags >>= 1;
    }
    mode = in.le<std::uint8_t>();
    size = in.le<std::uint8_t>();
    for (std::uint64_t* const number : {&pc, &encoding, &vector_length, &element_bits})
        *number = in.leb128();
    std::array<std::uint64_t, 4> counts{};  // of registers, words, accesses and traps
    for (std::uint64_t& count : counts) {
        count = in.leb128();
        if (count > in.left()) fail(Failure::input, "the state states no instruction of a log");
    }
    decoded = riscv::decode(encoding, size, xlen);
    registers.clear();
    std::uint64_t of_registers = 0;
    for (std::uint64_t left = counts[0]; left > 0; --left) {
        Written& written = registers.emplace_back();
        written.number = in.le<std::uint16_t>();
        const auto register_class = in.le<std::uint8_t>();
        written.register_class = static_cast<RegisterClass>(register_class);
        written.digits = in.le<std::uint8_t>();
        written.value = in.le<std::uint64_t>();
        written.words = in.le<std::uint16_t>();
        of_registers += written.words;
        if (register_class > static_cast<std::uint8_t>(RegisterClass::csr) || written.number >= csrs ||
            of_registers > counts[1])
            fail(Failure::input, "the state states no registers of a log");
    }
    words.clear();
    for (std::uint64_t left = counts[1]; left > 0; --left)
        words.push_back(in.le<std::uint64_t>());
    accesses.clear();
    for (std::uint64_t left = counts[2]; left > 0; --left) {
        Touched& touched = accesses.emplace_back();
        touched.address = in.le<std::uint64_t>();
        touched.data = in.le<std::uint64_t>();
        const auto of_access = in.le<std::uint8_t>();
        touched.is_write = (of_access & 1u) != 0;
        touched.has_data = (of_access & 2u) != 0;
        touched.size = in.le<std::uint8_t>();
    }
    traps.clear();
    for (std::uint64_t left = counts[3]; left > 0; --left) {
        Trap& trap = traps.emplace_back();
        trap.id = in.le<std::uint64_t>();
        trap.value = in.le<std::uint64_t>();
        const auto epc = in.le<std::uint64_t>();
        const auto of_trap = in.le<std::uint8_t>();
        if ((of_trap & 1u) != 0) trap.epc = epc;
        trap.has_value = (of_trap & 2u) != 0;
    }
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

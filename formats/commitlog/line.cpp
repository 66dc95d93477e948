#include "line.hpp"

#include <algorithm>
#include <bit>

#include "scan.hpp"
#include "trap_names.hpp"

namespace hwtrace::commitlog {

namespace {

constexpr std::uint8_t machine_mode = 3;

/// Takes "0xPC (0xENCODING)".
bool take_instruction(Scan& scan, Line& line) {
    if (!scan.hex64(line.pc, line.pc_digits)) return false;
    scan.blanks();
    return scan.take('(') && scan.hex64(line.encoding, line.encoding_digits) && scan.take(')');
}

/// Takes the number and value of a register after its letter: "5  0x80000000". Rocket prints "5 p5 0xXXXX" if the value
/// is not known yet; such a register is left out.
bool take_register(Scan& scan, RegisterClass register_class, Line& line) {
    scan.blanks();
    std::uint64_t number = 0;
    if (!scan.decimal(number) || number >= registers_of_class) return false;
    scan.blanks();
    if (scan.take('p')) {
        if (!scan.decimal(number)) return false;
        scan.blanks();
        return scan.take("0x") && !scan.word().empty();
    }
    Written written{.number = static_cast<std::uint16_t>(number), .register_class = register_class};
    std::string_view all;
    if (!scan.hex(written.value, all)) return false;
    const bool is_vector = register_class == RegisterClass::vector;
    // Spike prints 128 bits of a register of quadruple precision. The model holds the low 64 bits.
    if (is_vector ? !is_vector_value(all) : all.size() > 2 * scalar_digits) return false;
    written.digits = static_cast<std::uint8_t>(std::min<std::size_t>(all.size(), 255));
    if (is_vector) written.wide = all;
    line.registers.push_back(written);
    return true;
}

/// Takes a CSR after its letter: "768_mstatus 0x80000000".
bool take_csr(Scan& scan, Line& line) {
    std::uint64_t number = 0;
    if (!scan.decimal(number) || number >= csrs || !scan.take('_') || scan.word().empty()) return false;
    scan.blanks();
    Written written{.number = static_cast<std::uint16_t>(number), .register_class = RegisterClass::csr};
    if (!scan.hex64(written.value, written.digits)) return false;
    line.registers.push_back(written);
    return true;
}

/// Takes an access after the word "mem": an address, and the data of a store.
bool take_access(Scan& scan, Line& line) {
    scan.blanks();
    Touched touched;
    std::uint8_t digits = 0;
    if (!scan.hex64(touched.address, digits)) return false;
    scan.blanks();
    std::string_view data;
    if (scan.hex(touched.data, data)) {
        if (data.size() > scalar_digits) return false;
        touched.size = static_cast<std::uint8_t>((data.size() + 1) / 2);  // old versions print a byte as 0x5
        touched.has_data = touched.is_write = true;
    }
    line.accesses.push_back(touched);
    return true;
}

/// Takes Dromajo's "exception 8, tval 0000000000000000" after the first letter.
bool take_exception(Scan& scan, Line& line) {
    std::uint64_t cause = 0;
    std::string_view digits;
    if (!scan.take("xception ") || !scan.decimal(cause) || cause >= 64) return false;
    if (!scan.take(", tval ") || !scan.digits(line.trap.value, digits) || digits.size() > scalar_digits) return false;
    line.trap.id = cause;
    line.trap.has_value = line.has_trap = true;
    return true;
}

/// Takes one result of an instruction.
bool take_result(Scan& scan, Line& line) {
    std::uint64_t number = 0;
    switch (scan.front()) {
        case 'x':
            return scan.take('x') && take_register(scan, RegisterClass::integer, line);
        case 'f':
            return scan.take('f') && take_register(scan, RegisterClass::floating, line);
        case 'v':
            return scan.take('v') && take_register(scan, RegisterClass::vector, line);
        case 'c':
            return scan.take('c') && take_csr(scan, line);
        case 'm':
            if (scan.take("mem ")) return take_access(scan, line);
            return (scan.take("mf") || scan.take('m')) && scan.decimal(number);
        case 'l':
            line.has_length = scan.take('l') && scan.decimal(line.vector_length);
            return line.has_length;
        case 'e':
            scan.take('e');
            return scan.decimal(line.element_bits) || take_exception(scan, line);
        default:
            return false;
    }
}

/// Takes the results of an instruction up to the end of the line.
LineKind take_results(Scan& scan, Line& line) {
    for (scan.blanks(); !scan.ended(); scan.blanks())
        if (!take_result(scan, line)) return LineKind::malformed;
    return LineKind::committed;
}

/// Takes a mode: one digit from 0 to 3.
bool take_mode(Scan& scan, Line& line) {
    const char digit = scan.front();
    if (digit < '0' || digit > '0' + machine_mode) return false;
    line.mode = static_cast<std::uint8_t>(digit - '0');
    line.has_mode = true;
    return scan.take(digit);
}

/// Takes "trap_illegal_instruction, epc 0x80000000" after the word "exception".
LineKind take_trap(Scan& scan, Line& line) {
    const std::string_view text = scan.rest();
    const std::size_t comma = text.find(", epc ");
    if (comma == std::string_view::npos) return LineKind::malformed;
    const auto id = trap_of_spike(text.substr(0, comma));
    Scan epc(text.substr(comma + 6));
    std::uint8_t digits = 0;
    if (!id || !epc.hex64(line.trap.epc, digits) || !epc.ended()) return LineKind::malformed;
    line.trap.id = *id;
    line.trap.has_epc = true;
    return LineKind::trap;
}

/// Parses a line after "core   0:".
LineKind parse_core(Scan& scan, Line& line, bool& is_cva6) {
    std::uint64_t number = 0;
    std::uint8_t digits = 0;
    scan.blanks();
    const char first = scan.front();
    if (first == '0' && scan.rest().starts_with("0x")) {
        if (!take_instruction(scan, line)) return LineKind::malformed;
        is_cva6 = scan.rest().starts_with(" DASM(");
        return LineKind::fetched;
    }
    if (first >= '0' && first <= '9') {
        if (!take_mode(scan, line) || !scan.take(' ')) return LineKind::malformed;
        scan.blanks();
        return take_instruction(scan, line) ? take_results(scan, line) : LineKind::malformed;
    }
    if (scan.take("exception ")) return take_trap(scan, line);
    if (scan.take("tval ")) {
        line.trap.has_value = scan.hex64(line.trap.value, digits) && scan.ended();
        return line.trap.has_value ? LineKind::value : LineKind::malformed;
    }
    if (scan.take(">>>>")) return LineKind::symbol;
    if (scan.take("Executed ") && scan.decimal(number) && scan.take(" times")) return LineKind::repeats;
    return LineKind::malformed;
}

/// Parses a line that begins with numbers: "3 0x80000000 (0x00000297) …" with the mode, or "0 3 0x…" with the hart and
/// the mode.
LineKind parse_numbers(Scan& scan, Line& line, bool& has_hart) {
    std::uint64_t first = 0;
    if (!scan.decimal(first) || !scan.take(' ')) return LineKind::foreign;
    scan.blanks();
    has_hart = !scan.rest().starts_with("0x");
    if (has_hart) {
        if (!take_mode(scan, line) || !scan.take(' ')) return LineKind::foreign;
        scan.blanks();
        line.hart = first;
    } else if (first <= machine_mode) {
        line.mode = static_cast<std::uint8_t>(first);
        line.has_mode = true;
    } else {
        return LineKind::foreign;
    }
    return take_instruction(scan, line) ? take_results(scan, line) : LineKind::foreign;
}

/// Parses Rocket's "C0: 123 [1] pc=[…] W[r 5=…][1] R[r 0=…] R[r 0=…] inst=[…] …".
LineKind parse_rocket(Scan& scan, Line& line) {
    std::uint64_t number = 0, is_valid = 0, is_written = 0;
    std::string_view digits;
    Written written;
    const auto take_number = [&](std::uint64_t& value) {
        scan.blanks();
        return scan.decimal(value);
    };
    const auto take_source = [&] {
        return scan.take(" R[r") && take_number(number) && scan.take('=') && scan.digits(number, digits) &&
               scan.take(']');
    };
    if (!scan.take('C') || !scan.decimal(line.hart) || !scan.take(':') || !take_number(number))
        return LineKind::foreign;
    if (!scan.take(" [") || !take_number(is_valid) || !scan.take("] pc=[")) return LineKind::foreign;
    if (!scan.digits(line.pc, digits) || digits.size() > scalar_digits) return LineKind::malformed;
    line.pc_digits = static_cast<std::uint8_t>(digits.size());
    if (!scan.take("] W[r") || !take_number(number) || !scan.take('=')) return LineKind::malformed;
    written.number = static_cast<std::uint16_t>(std::min<std::uint64_t>(number, registers_of_class));
    if (!scan.digits(written.value, digits) || digits.size() > scalar_digits) return LineKind::malformed;
    written.digits = static_cast<std::uint8_t>(digits.size());
    if (!scan.take("][") || !take_number(is_written) || !scan.take(']')) return LineKind::malformed;
    if (!take_source() || !take_source() || !scan.take(" inst=[")) return LineKind::malformed;
    if (!scan.digits(line.encoding, digits) || digits.size() > 8 || !scan.take(']')) return LineKind::malformed;
    line.encoding_digits = static_cast<std::uint8_t>(digits.size());
    if (written.number >= registers_of_class) return LineKind::malformed;
    if (is_valid == 0) return LineKind::silent;
    if (is_written != 0 && written.number != 0) line.registers.push_back(written);
    return LineKind::committed;
}

/// Parses CVA6's "ILLEGAL_INSTR exception @ 0x80000000 (0x00000000)".
LineKind parse_cva6_trap(std::string_view text, Line& line) {
    constexpr std::string_view words = " exception @ ";
    const std::size_t at = text.find(words);
    if (at == std::string_view::npos) return LineKind::foreign;
    const auto cause = trap_of_cva6(text.substr(0, at));
    Scan scan(text.substr(at + words.size()));
    if (!cause) return LineKind::foreign;
    if (!take_instruction(scan, line)) return LineKind::malformed;
    line.trap = {.id = *cause, .epc = line.pc, .has_epc = true, .is_own = true};
    return LineKind::trap;
}

}  // namespace

bool is_vector_value(std::string_view digits) noexcept {
    return digits.size() >= scalar_digits && digits.size() <= most_vector_digits && std::has_single_bit(digits.size());
}

std::string_view name_of(Dialect dialect) noexcept {
    constexpr std::string_view names[] = {"Spike", "Dromajo", "CVA6", "Rocket", "Sail"};
    return names[static_cast<std::size_t>(dialect)];
}

void LineParser::parse(std::string_view text, Line& line) {
    line.kind = LineKind::foreign;
    line.has_mode = line.has_trap = line.has_length = line.has_console = false;
    line.hart = line.element_bits = 0;
    line.trap = {};
    line.registers.clear();
    line.accesses.clear();
    parse_at(text, line);
    if (line.kind != LineKind::foreign || (known_ && dialect_ != Dialect::spike)) return;
    // Spike writes the log while the program writes a line of its own: "Hcore   0: 3 0x…".
    const std::size_t core = text.find("core ", 1);
    if (core == std::string_view::npos) return;
    parse_at(text.substr(core), line);
    line.has_console = line.kind != LineKind::malformed && line.kind != LineKind::foreign;
    if (!line.has_console) line.kind = LineKind::foreign;
}

void LineParser::parse_at(std::string_view text, Line& line) {
    Scan scan(text);
    bool is_other = false;
    switch (scan.front()) {
        case 'c':
            if (!scan.take("core")) return;
            scan.blanks();
            if (scan.take("INTERRUPT")) scan.blanks();
            if (!scan.decimal(line.hart) || !scan.take(':')) return;
            line.kind = parse_core(scan, line, is_other);
            if (line.is_instruction()) meet(is_other ? Dialect::cva6 : Dialect::spike);
            return;
        case 'C':
            if (!known_ || dialect_ == Dialect::rocket) line.kind = parse_rocket(scan, line);
            if (line.is_instruction()) meet(Dialect::rocket);
            if (line.kind != LineKind::foreign) return;
            break;
        case '0':
        case '1':
        case '2':
        case '3':
        case '4':
        case '5':
        case '6':
        case '7':
        case '8':
        case '9':
            line.kind = parse_numbers(scan, line, is_other);
            if (line.kind == LineKind::foreign) line.has_mode = false;
            if (line.is_instruction()) meet(is_other ? Dialect::dromajo : Dialect::spike);
            return;
        default:
            break;
    }
    if (text.empty()) {
        line.kind = LineKind::silent;
    } else if (dialect_ == Dialect::sail || (!known_ && (scan.front() == '[' || scan.front() == 'm'))) {
        parse_sail(text, line);
        if (line.is_instruction()) meet(Dialect::sail);
        if (line.kind == LineKind::effect && !known_) line.kind = LineKind::silent;
    } else if (scan.front() >= 'A' && scan.front() <= 'Z') {
        line.kind = parse_cva6_trap(text, line);
    }
}

}  // namespace hwtrace::commitlog

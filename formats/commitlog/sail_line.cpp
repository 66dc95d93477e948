// formats/commitlog/sail_line.cpp - parses the lines of the Sail model of RISC-V: an instruction, then a line for each
// of its effects.
#include <optional>

#include "domain/traps.hpp"
#include "line.hpp"
#include "scan.hpp"
#include "trap_names.hpp"

namespace hwtrace::commitlog {

namespace {

/// Parses "[0] [M]: 0x80000000 (0x00000297) …".
LineKind parse_step(Scan& scan, Line& line) {
    std::uint64_t number = 0;
    if (!scan.take('[') || !scan.decimal(number) || !scan.take("] [")) return LineKind::foreign;
    scan.take('V');  // a mode of a virtual machine
    if (scan.take('U'))
        line.mode = 0;
    else if (scan.take('S') || scan.take("HS"))
        line.mode = 1;
    else if (scan.take('M'))
        line.mode = 3;
    else
        return LineKind::malformed;
    line.has_mode = true;
    if (!scan.take("]: ") || !scan.hex64(line.pc, line.pc_digits) || !scan.take(" (")) return LineKind::malformed;
    if (!scan.hex64(line.encoding, line.encoding_digits) || !scan.take(')')) return LineKind::malformed;
    return LineKind::committed;
}

/// Parses "x5 <- 0x80000000".
LineKind parse_register(Scan& scan, RegisterClass register_class, Line& line) {
    std::uint64_t number = 0;
    std::string_view all;
    Written written{.register_class = register_class};
    if (!scan.decimal(number) || !scan.take(" <- ")) return LineKind::foreign;
    if (number >= registers_of_class || !scan.hex(written.value, all) || !scan.ended()) return LineKind::malformed;
    written.number = static_cast<std::uint16_t>(number);
    written.digits = static_cast<std::uint8_t>(all.size() < 255 ? all.size() : 255);
    if (register_class == RegisterClass::vector ? !is_vector_value(all) : all.size() > scalar_digits)
        return LineKind::malformed;
    if (register_class == RegisterClass::vector) written.wide = all;
    line.registers.push_back(written);
    return LineKind::effect;
}

/// Parses "mstatus (0x300) <- 0x80000000" after the word CSR. Lines without a number, and reads, say nothing more.
LineKind parse_csr(Scan& scan, Line& line) {
    std::uint64_t number = 0;
    std::uint8_t digits = 0;
    Written written{.register_class = RegisterClass::csr};
    if (scan.word().empty()) return LineKind::malformed;
    if (!scan.take(" (") || !scan.hex64(number, digits) || number >= csrs || !scan.take(") <- "))
        return LineKind::silent;
    if (!scan.hex64(written.value, written.digits)) return LineKind::malformed;
    written.number = static_cast<std::uint16_t>(number);
    line.registers.push_back(written);
    return LineKind::effect;
}

/// Parses "R,0x80001000] -> 0x00000001" after "mem[". Fetches (X) are not accesses.
LineKind parse_access(Scan& scan, Line& line) {
    if (scan.take('X')) return LineKind::silent;
    while (scan.front() >= 'A' && scan.front() <= 'Z')
        scan.take(scan.front());
    scan.take(',');
    Touched touched{.has_data = true};
    std::uint8_t digits = 0;
    std::string_view data;
    if (!scan.hex64(touched.address, digits) || !scan.take("] ")) return LineKind::malformed;
    touched.is_write = scan.take("<- ");
    if (!touched.is_write && !scan.take("-> ")) return LineKind::malformed;
    if (!scan.hex(touched.data, data) || !scan.ended() || data.size() % 2 != 0) return LineKind::malformed;
    if (data.size() > 16) return LineKind::silent;  // whole cache lines
    touched.size = static_cast<std::uint8_t>(data.size() / 2);
    line.accesses.push_back(touched);
    return LineKind::effect;
}

/// Parses "exc#0x02 at priv M with tval 0x0", or "int#0x07 at priv M", after the word "handling".
LineKind parse_trap(Scan& scan, Line& line) {
    const bool is_interrupt = scan.take("int#");
    if (!is_interrupt && !scan.take("exc#")) return LineKind::malformed;
    const auto cause = trap_of_sail(scan.word());
    if (!cause) return LineKind::malformed;
    line.trap.id = *cause | (is_interrupt ? traps::interrupt_bit : 0);
    const std::size_t at = scan.rest().find("tval");
    if (at != std::string_view::npos) {
        Scan value(scan.rest().substr(at + 4));
        std::uint8_t digits = 0;
        line.trap.has_value = (value.take(' ') || value.take('=')) && value.hex64(line.trap.value, digits);
    }
    return LineKind::trap;
}

}  // namespace

void parse_sail(std::string_view text, Line& line) {
    Scan scan(text);
    switch (scan.front()) {
        case '[':
            line.kind = parse_step(scan, line);
            break;
        case 'x':
            if (scan.take('x')) line.kind = parse_register(scan, RegisterClass::integer, line);
            break;
        case 'f':
            if (scan.take('f')) line.kind = parse_register(scan, RegisterClass::floating, line);
            break;
        case 'v':
            if (scan.take('v')) line.kind = parse_register(scan, RegisterClass::vector, line);
            break;
        case 'C':
            if (scan.take("CSR ")) line.kind = parse_csr(scan, line);
            break;
        case 'm':
            if (scan.take("mem[")) line.kind = parse_access(scan, line);
            break;
        case 'h':
            if (scan.take("handling ")) line.kind = parse_trap(scan, line);
            break;
        case 't':
            if (scan.take("trapping from ")) line.kind = LineKind::silent;
            break;
        case 'r':
            if (scan.take("ret-ing from ")) line.kind = LineKind::silent;
            break;
        default:
            break;
    }
}

}  // namespace hwtrace::commitlog

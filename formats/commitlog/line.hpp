// formats/commitlog/line.hpp - parses one line of a log (formats/commitlog/README.md#lines).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/record.hpp"

namespace hwtrace::commitlog {

inline constexpr std::uint64_t registers_of_class = 32, csrs = 4096;
inline constexpr std::size_t scalar_digits = 16;           ///< digits of 64 bits
inline constexpr std::size_t most_vector_digits = 16'384;  ///< digits of the longest vector register: 65,536 bits

/// The simulators whose logs differ in more than the order of words.
enum class Dialect : std::uint8_t { spike, dromajo, cva6, rocket, sail };
/// Returns the name of the simulator or core, such as "Spike".
std::string_view name_of(Dialect dialect) noexcept;

/// Returns true if the digits are the value of a vector register: whole 64-bit words, whose number is a power of two.
bool is_vector_value(std::string_view digits) noexcept;

enum class LineKind : std::uint8_t {
    foreign,    ///< output of the program, or messages of the simulator
    fetched,    ///< an instruction that is about to execute (Spike's -l)
    committed,  ///< an executed instruction with its results
    effect,     ///< results of the latest instruction
    trap,       ///< an exception or interrupt
    value,      ///< the value (tval) of the latest trap
    symbol,     ///< the name of the next address
    repeats,    ///< how often the latest instruction was repeated
    silent,     ///< a line of the log that says nothing about instructions
    malformed,  ///< begins like a line of the log, but cannot be parsed
};

/// A register value.
struct Written {
    std::uint16_t number = 0;
    RegisterClass register_class = RegisterClass::integer;
    std::uint8_t digits = 0;     ///< number of hexadecimal digits, at most 255
    std::uint64_t value = 0;     ///< the low 64 bits
    std::uint16_t words = 0;     ///< number of 64-bit words of a vector register, set by Hart
    std::string_view wide = {};  ///< the digits of a vector register
};

/// A memory access.
struct Touched {
    std::uint64_t address = 0;
    std::uint64_t data = 0;  ///< the low 64 bits
    bool is_write = false;
    bool has_data = false;
    std::uint8_t size = 0;  ///< bytes of the printed data; 0: no data
};

/// The trap of a line.
struct TrapLine {
    std::uint64_t id = 0;  ///< see domain/traps.hpp
    std::uint64_t epc = 0, value = 0;
    bool has_epc = false, has_value = false;
    bool is_own = false;  ///< the line also states the instruction that trapped
};

/// A parsed line. Strings refer to its text.
struct Line {
    LineKind kind = LineKind::foreign;
    bool has_mode = false, has_trap = false, has_length = false;
    bool has_console = false;  ///< output of the program precedes the log's text
    std::uint8_t mode = 0;     ///< 0 user, 1 supervisor, 2 hypervisor, 3 machine
    std::uint8_t pc_digits = 0, encoding_digits = 0;
    std::uint64_t hart = 0, pc = 0, encoding = 0;
    std::uint64_t vector_length = 0;  ///< elements, if has_length
    std::uint64_t element_bits = 0;   ///< width of the elements; 0: not stated
    TrapLine trap;
    std::vector<Written> registers;
    std::vector<Touched> accesses;

    /// Returns true if the line states an instruction.
    bool is_instruction() const noexcept { return kind == LineKind::fetched || kind == LineKind::committed; }
};

/// Parses lines. The first instruction decides the dialect.
class LineParser {
public:
    /// Parses `text` into `line`, which is reused to save allocations.
    void parse(std::string_view text, Line& line);
    Dialect dialect() const noexcept { return dialect_; }
    /// Decides the dialect in advance.
    void settle(Dialect dialect) noexcept { meet(dialect); }

private:
    void parse_at(std::string_view text, Line& line);
    void meet(Dialect dialect) noexcept {
        if (!known_) dialect_ = dialect;
        known_ = true;
    }

    Dialect dialect_ = Dialect::spike;
    bool known_ = false;
};

/// Parses a line of the Sail model.
void parse_sail(std::string_view text, Line& line);

}  // namespace hwtrace::commitlog

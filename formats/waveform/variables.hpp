// formats/waveform/variables.hpp - what a waveform consists of: scopes with variables, and changes of their values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/time.hpp"

namespace hwtrace::waveform {

using ScopeNo = std::uint32_t;
using VariableNo = std::uint32_t;
constexpr ScopeNo root_scope = 0;
constexpr std::uint32_t no_number = 0xFFFF'FFFF;

/// A variable of a waveform.
struct Variable {
    enum class Kind : std::uint8_t {
        bits,     ///< states 0, 1, x, z and so on
        integer,  ///< a signed number of 8, 16, 32 or 64 bits
        real,
        text,
        event,  ///< it only happens, and has no value
    };
    Kind kind = Kind::bits;
    std::uint32_t width = 1;  ///< of bits and integers
    std::string name = {};
};

/// A value that a variable takes.
struct Value {
    enum class Kind : std::uint8_t {
        number,    ///< of bits or an integer
        states,    ///< of bits: one character for each bit, most significant first
        real,      ///< `number` holds the bits of a double
        text,      ///< of a text
        none,      ///< from here on, the variable has no value
        happened,  ///< of an event
    };
    Kind kind = Kind::none;
    std::uint64_t number = 0;
    std::string_view text = {};
};

/// The facts about a whole waveform.
struct Header {
    int exponent = -9;  ///< a tick lasts 10^exponent seconds
    std::string date = {};
    std::vector<std::string> comments = {};
    std::int64_t time_zero = 0;  ///< the time of the simulation at tick 0
    Tick first = 0, last = 0;    ///< the time of the first change, and the end of the trace
};

/// A file format for waveforms. Calls come in this order: begin; the tree of scopes and variables; begin_changes; times
/// and changes; finish.
class Encoder {
public:
    virtual ~Encoder() = default;
    virtual void begin(const Header& header) = 0;
    virtual void open_scope(std::string_view name) = 0;
    virtual void close_scope() = 0;
    /// Declares a variable. Each number from 0 to the number of variables - 1 is declared once.
    virtual void declare(VariableNo number, const Variable& variable) = 0;
    virtual void begin_changes(std::span<const Variable> variables) = 0;
    /// Moves on to a later time, at least 0. Precedes the first change.
    virtual void move_to(Tick time) = 0;
    virtual void change(VariableNo number, const Value& value) = 0;
    /// Completes the file.
    virtual void finish() = 0;
};

}  // namespace hwtrace::waveform

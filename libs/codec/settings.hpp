// codec/settings.hpp - options as data: a format declares them, the command line and the README show them, codecs query
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/limits.hpp"

namespace hwtrace {

class Reader;

/// One option of a format, `--key VALUE` on the command line. `values` lists the choices as "a|b|c", or is a type:
/// "count", "bytes", "time" (with unit) or "text".
struct Option {
    std::string_view key;
    std::string_view values;
    std::string_view fallback;
    std::string_view help;
    std::string_view view = {};  ///< the view that it applies to; empty: it applies to writing
    bool restates = false;  ///< values other than the fallback make a file that reads back differently from its source
};

/// The representation of integers beyond 2^53 in JSON (--json-u64). Many readers of JSON would round numbers.
enum class JsonIntegers : std::uint8_t { numbers, strings };

/// The half-open range [begin, end) of a trace.
struct TraceWindow {
    enum class Unit : std::uint8_t {
        time_ps,
        records,  ///< positions in the source, from 0; in an instruction trace, instructions
    };
    Unit unit = Unit::time_ps;
    std::uint64_t begin = 0;
    std::optional<std::uint64_t> end{};  ///< none: to the end of the trace
};

/// The choice to disassemble instructions in views (--disasm).
enum class Disassembly : std::uint8_t { automatic, off };

/// The thoroughness of checks (--level). Each level includes those before it.
enum class CheckLevel : std::uint8_t {
    delivery,   ///< only what delivering records requires
    quick,      ///< what opening the file reveals
    structure,  ///< records can be told apart up to the end
    full,       ///< all stored data is consistent
    semantic,   ///< the contents of the records make sense
};
/// Returns "delivery", "quick", "structure", "full" or "semantic".
std::string_view name_of(CheckLevel level) noexcept;

/// The values chosen for options, validated against their description when set.
class Settings {
public:
    Limits limits;
    CheckLevel check = CheckLevel::delivery;
    unsigned jobs = 1;  ///< number of threads that a codec may use, including its own; output bytes never depend on it
    std::string temporary_folder = "/tmp";               ///< for data that does not fit in memory
    JsonIntegers json_integers = JsonIntegers::numbers;  ///< for views that write JSON
    std::string tool = "hwtrace", version;               ///< the program and version that JSON names as its writer
    /// Waits until an input that another process is writing has grown (--follow). At the end of an unclosed input, a
    /// reader first returns its records, then calls this. On true it looks for more; on false the input ends there.
    /// Null: the input does not grow.
    std::function<bool()> wait_for_growth;
    /// Receives remarks of views besides their output; null: they are discarded.
    std::function<void(std::string_view)> note;
    std::optional<TraceWindow> window;  ///< the range to which views of its unit are limited; readers may skip the rest
    /// Returns a reader of the selected slice of `whole`, which outlives it. Null: everything is selected.
    std::function<std::unique_ptr<Reader>(Reader& whole)> part;
    Disassembly disassembly = Disassembly::automatic;  ///< automatic: if this build can, by the trace's ISA string
    std::string_view source_format;                    ///< for writers: the format that is converted; empty: unknown
    /// The creation time that files state if their source states none, in seconds since 1970. None: they state none.
    std::optional<std::uint64_t> created;
    /// The target's file name, for formats whose extension matters (".zstf"); empty for a pipe.
    std::string output_name;

    /// Sets `option` to `value`. Throws Failure::usage if the option does not accept it.
    void set(const Option& option, std::string value);
    /// Returns the chosen value, otherwise the option's fallback. `options` is the list that contains the key.
    std::string text(std::span<const Option> options, std::string_view key) const;
    /// Returns the value of a "count" or "bytes" option as a number, of a "time" option in picoseconds; 0 if the
    /// fallback is empty and nothing was chosen.
    std::uint64_t number(std::span<const Option> options, std::string_view key) const;
    /// Returns true if a value was chosen explicitly.
    bool chosen(std::string_view key) const { return values_.contains(key); }
    /// Returns the first option whose chosen value makes a file that reads back differently from its source, or
    /// nullptr.
    const Option* restating(std::span<const Option> options) const;

private:
    std::map<std::string, std::string, std::less<>> values_;
};

/// Parses "64K", "1M", "100000" (K, M, G are powers of 1024). Returns nullopt for anything else.
std::optional<std::uint64_t> parse_count(std::string_view text) noexcept;
/// Parses "500ps", "10ns", "20us", "1ms" or "2s" into picoseconds. Returns nullopt for anything else, and if the value
/// does not fit.
std::optional<std::uint64_t> parse_time_ps(std::string_view text) noexcept;

}  // namespace hwtrace

// codec/settings.hpp - options as data: a format lists them, the command line and the README show them, codecs ask for
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

/// One option of a format, `--key VALUE` on the command line. `values` is a list "a|b|c" for a choice, else a type
/// word: "count", "bytes", "time" (with unit), "text".
struct Option {
    std::string_view key;
    std::string_view values;
    std::string_view fallback;
    std::string_view help;
    std::string_view view = {};  ///< the view that it is about; empty: it is about writing
    bool restates = false;       ///< other values than the fallback ask for a file that does not read as its source
};

/// How JSON shows integers beyond 2^53, which many of its readers would round (--json-u64).
enum class JsonIntegers : std::uint8_t { numbers, strings };

/// The half-open part [begin, end) of a trace.
struct TraceWindow {
    enum class Unit : std::uint8_t {
        time_ps,
        records,  ///< positions in the source, from 0; an instruction trace counts instructions
    };
    Unit unit = Unit::time_ps;
    std::uint64_t begin = 0;
    std::optional<std::uint64_t> end{};  ///< none: to the end of the trace
};

/// Whether views say what instructions mean in assembly language (--disasm).
enum class Disassembly : std::uint8_t { automatic, off };

/// How much of a file is checked (--level); each level checks what those before it do.
enum class CheckLevel : std::uint8_t {
    delivery,   ///< no more than delivering records needs
    quick,      ///< what opening the file tells
    structure,  ///< that whole records can be told apart up to the end
    full,       ///< that everything stored agrees with everything else
    semantic,   ///< that what the records say makes sense
};
std::string_view name_of(CheckLevel level) noexcept;

/// Chosen values of options, checked against their description when set.
class Settings {
public:
    Limits limits;
    CheckLevel check = CheckLevel::delivery;
    unsigned jobs = 1;  ///< threads a codec may use, itself included; output bytes never depend on it
    std::string temporary_folder = "/tmp";               ///< for what does not fit in memory
    JsonIntegers json_integers = JsonIntegers::numbers;  ///< for views that write JSON
    std::string tool = "hwtrace", version;               ///< what JSON says it was written by
    /// For inputs that another process is still writing (--follow). Where it is set, a reader whose input has come to
    /// its end, but was not closed by its writer, first hands out what it has, then calls this, and looks again when
    /// the answer is true; false ends the input where it stands. Null: the input is as long as it is.
    std::function<bool()> wait_for_growth;
    std::function<void(std::string_view)> note;  ///< what views have to say beside what they show; null: nobody listens
    std::optional<TraceWindow> window;           ///< nothing else is shown by views of its unit; readers may skip it
    /// For views that show parts: a reader of what is wanted of another one's trace, which outlives it. Null:
    /// everything is.
    std::function<std::unique_ptr<Reader>(Reader& whole)> part;
    Disassembly disassembly = Disassembly::automatic;  ///< automatic: where this build can, by the trace's ISA string
    std::string_view source_format;  ///< for writers: the format that is converted; empty: nobody says
    /// What files state as the time of their creation where their source does not: seconds since 1970. Null: none.
    std::optional<std::uint64_t> created;
    std::string output_name;  ///< the target's file name, where an extension decides (".zstf"); empty for a pipe

    /// Throws Failure::usage when `value` is not what `option` takes.
    void set(const Option& option, std::string value);
    /// The chosen value, else the option's fallback. `options` is the list the key stands in.
    std::string text(std::span<const Option> options, std::string_view key) const;
    /// Of an option whose values are "count", "bytes" (a number) or "time" (picoseconds); 0 for an empty fallback.
    std::uint64_t number(std::span<const Option> options, std::string_view key) const;
    bool chosen(std::string_view key) const { return values_.contains(key); }
    /// The first option whose value was chosen so that the file does not read as its source; null: none.
    const Option* restating(std::span<const Option> options) const;

private:
    std::map<std::string, std::string, std::less<>> values_;
};

/// "64K", "1M", "100000" as a number (K, M, G are powers of 1024); nullopt when it is none.
std::optional<std::uint64_t> parse_count(std::string_view text) noexcept;
/// "500ps", "10ns", "20us", "1ms", "2s" as picoseconds; nullopt when it is none or does not fit.
std::optional<std::uint64_t> parse_time_ps(std::string_view text) noexcept;

}  // namespace hwtrace

// codec/settings.hpp - options as data. Formats declare options, the command line and the READMEs show them, and codecs
// query them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "domain/value_text.hpp"
#include "io/limits.hpp"

namespace hwtrace {

class Reader;
class Symbols;

/// An option of a format, `--key VALUE` on the command line. `values` lists the choices as "a|b|c" or names a type:
/// "count", "bytes", "time" (with unit), "text", or "flag" for an option without a value, which is then set to "on".
struct Option {
    std::string_view key;
    std::string_view values;
    std::string_view fallback;
    std::string_view help;
    std::string_view view = {};  ///< the view to which the option applies; empty: it applies to writing
    bool restates = false;       ///< any value but the fallback makes the file read back differently from the source
};

/// A half-open range [begin, end) of a trace.
struct TraceWindow {
    enum class Unit : std::uint8_t {
        time_ps,
        records,  ///< indexes from 0: instructions in an instruction trace, otherwise records
    };
    Unit unit = Unit::time_ps;
    std::uint64_t begin = 0;
    std::optional<std::uint64_t> end{};  ///< none: the end of the trace
};

/// Selects whether views disassemble instructions (--disasm).
enum class Disassembly : std::uint8_t { automatic, off };

/// The thoroughness of checks (--level). Each level includes the levels before it.
enum class CheckLevel : std::uint8_t {
    delivery,   ///< only the checks that are needed to deliver records
    quick,      ///< checks that only need an open file
    structure,  ///< checks that all records can be separated, up to the end of the file
    full,       ///< checks that all stored data is consistent
    semantic,   ///< checks that the contents of the records make sense
};
/// Returns "delivery", "quick", "structure", "full" or "semantic".
std::string_view name_of(CheckLevel level) noexcept;

/// The values of options. A value is validated when it is set.
class Settings {
public:
    Limits limits;
    CheckLevel check = CheckLevel::delivery;
    unsigned jobs = 1;  ///< number of threads that a codec may use, including the caller's; never affects the output
    std::string temporary_folder = "/tmp";               ///< for data that does not fit in memory
    JsonIntegers json_integers = JsonIntegers::numbers;  ///< for views that write JSON
    std::string tool = "hwtrace", version;               ///< the program and version to write in JSON output
    /// Waits until an input that another process is writing has grown (--follow). At the end of an unclosed input, a
    /// reader returns all records and then calls this function. If it returns true, the reader continues; if false, the
    /// input ends. Null: the input does not grow.
    std::function<bool()> wait_for_growth;
    /// Receives remarks that views make in addition to their output. Null: remarks are discarded.
    std::function<void(std::string_view)> note;
    std::optional<TraceWindow> window;  ///< the range that views of this unit show; readers may skip the rest
    /// Returns a reader of the selected slice of `whole`. `whole` must outlive this reader. Null: everything is
    /// selected.
    std::function<std::unique_ptr<Reader>(Reader& whole)> part;
    Disassembly disassembly =
        Disassembly::automatic;  ///< automatic: uses the trace's ISA string, if this build can disassemble it
    /// The functions and source lines of the programs that ran (--elf), for views and writers that name addresses.
    /// Null: addresses have no names.
    std::shared_ptr<const Symbols> symbols;
    std::string_view source_format;  ///< for writers: the format of the source; empty: unknown
    /// For writers: the source's fact "compression" (Reader::facts), if the source has the writer's format. Empty:
    /// unknown.
    std::string source_compression;
    /// For writers: the source's fact "relation elements", likewise.
    std::string source_relations;
    /// The creation time of output files whose source has none, in seconds since 1970. None: such files get no creation
    /// time.
    std::optional<std::uint64_t> created;
    /// For writers: adds what a valid file must have even if a source of the same format lacks it, and reports it as an
    /// assumption (hwtrace-recover).
    bool completes = false;
    /// The name of the output file, for formats whose extension matters (".zstf"). Empty for a pipe.
    std::string output_name;

    /// Sets `option` to `value`. Throws Failure::usage if the option does not accept the value.
    void set(const Option& option, std::string value);
    /// Returns the value that was set, or the option's fallback. `options` must contain the key.
    std::string text(std::span<const Option> options, std::string_view key) const;
    /// Returns the value of a "count" or "bytes" option as a number, or of a "time" option in picoseconds. Returns 0 if
    /// no value was set and the fallback is empty.
    std::uint64_t number(std::span<const Option> options, std::string_view key) const;
    /// Returns true if a value was set.
    bool chosen(std::string_view key) const { return values_.contains(key); }
    /// Returns the first option whose value makes the file read back differently from the source, or nullptr.
    const Option* restating(std::span<const Option> options) const;

private:
    std::map<std::string, std::string, std::less<>> values_;
};

/// Writes the first members of a JSON document or of its first line: "schema":"...","tool":"...","version":"...".
void append_json_head(std::string_view schema, const Settings& settings, TextOutput& out);

/// Parses a count such as "64K", "1M" or "100000" (K, M, G are powers of 1024). Returns nullopt for anything else.
std::optional<std::uint64_t> parse_count(std::string_view text) noexcept;
/// Parses a time such as "500ps", "10ns", "20us", "1ms" or "2s" into picoseconds. Returns nullopt for anything else, or
/// if the value does not fit.
std::optional<std::uint64_t> parse_time_ps(std::string_view text) noexcept;

}  // namespace hwtrace

// hwtrace/conversion.hpp - converts a trace to another format, in one call or in steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "codec/findings.hpp"
#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "convert/convert.hpp"
#include "convert/plan.hpp"
#include "convert/verification.hpp"
#include "formats.hpp"
#include "hwtrace/listeners.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "select/criteria.hpp"
#include "select/positions.hpp"
#include "select/range.hpp"

namespace hwtrace {

/// How a trace is converted.
struct ConversionOptions {
    FormatList formats = hwtrace::targets();  ///< the formats to choose from
    const Format* from = nullptr;             ///< null: the content decides, else the extension
    const Format* to = nullptr;               ///< null: the extension of the output decides
    Existing existing = Existing::replace;    ///< what happens to an output that exists
    std::optional<Range> range{};             ///< the slice to convert, see parse_range(); none: everything
    std::optional<std::uint64_t> first{};     ///< only the first positions that satisfy `criteria`; not with `range`
    std::optional<std::uint64_t> last{};      ///< only the last positions that satisfy `criteria`; not with `range`
    std::optional<Shard> shard{};             ///< only one of several balanced parts; not with the three above
    Criteria criteria{};                      ///< restrict the slice further, see parse_criteria()
    TimeModel time{};                         ///< the clock of a trace that does not state one
    bool verify = false;                      ///< reads the output back and compares it with the source
    bool strict = false;                      ///< writes nothing if data would be lost or was missing
    bool time_ordered = false;                ///< for a reader of the program: its times never decrease
    Settings settings{};                      ///< limits, threads, options of the target format
    std::size_t findings_per_rule = 20;       ///< the number of findings that are kept; all are counted
    NoteListener note{};
    ByteListener progress{};
    std::shared_ptr<const TraceIndex> index{};  ///< an index of the source, for slices; null: none
};

/// The result of a conversion.
struct ConversionReport {
    std::string source;            ///< the name of the input; empty for a reader of the program
    const Format* from = nullptr;  ///< null for a reader of the program
    const Format* to = nullptr;
    Findings findings{};          ///< problems of the input; every whole record was converted anyway
    Losses losses{};              ///< data that the target cannot hold, assumptions, warnings
    ConversionCounts counts{};    ///< records read and written
    std::uint64_t size = 0;       ///< size of the output in bytes
    Verification verification{};  ///< if it was requested
    bool written = false;         ///< the output exists; see ConversionOptions::strict and Verification::passed()

    /// Returns true if data of the input is missing, or an error was found in it.
    bool is_broken() const noexcept { return findings.verdict() != Verdict::valid; }
    /// Returns true if the output has all data of an input without errors.
    bool is_whole() const noexcept { return losses.none() && !is_broken(); }
};

/// Converts the trace at `source` ("-": standard input) into the file `target`, which is written atomically. Throws
/// Failure::usage for an impossible request, Failure::input if the source is not a trace or no part of it can be
/// written, Failure::io and Failure::limit.
ConversionReport convert(const std::string& source, const std::string& target, const ConversionOptions& options = {});
/// Writes the data of a program: `reader` delivers it. All tracks must be declared before the first batch is read.
ConversionReport convert(Reader& reader, const std::string& target, const ConversionOptions& options = {});

/// A conversion in steps, for programs that look at the plan before, or choose the output themselves. The output is
/// not committed. Every function throws the errors of convert().
class Conversion {
public:
    /// Does not read `input` yet.
    Conversion(Input input, const Format& from, const Format& to, ConversionOptions options = {});
    /// Prepares to write the data of a program. `reader` must outlive the conversion.
    Conversion(Reader& reader, const Format& to, ConversionOptions options = {});
    Conversion(Conversion&& other) noexcept;
    Conversion& operator=(Conversion&& other) noexcept;
    ~Conversion();

    /// Returns the plan. The first call opens the source, and reads it in advance if the plan needs its whole schema.
    /// Valid until run() returns.
    Plan& plan();
    /// Returns the schema of the source. Requires plan(); valid as long.
    const Schema& schema() const noexcept;
    /// Returns the choices from which the plan is made. The ranges of ConversionOptions::first and last are known after
    /// plan().
    const Choices& choices() const noexcept;

    /// Makes the plan and the writer. `output` must outlive the conversion.
    void begin(Output& output);
    /// Converts all records, and completes the output. Requires begin().
    void run();
    /// Reads the output back (--verify). Requires run() and ConversionOptions::verify. The result is also in report().
    const Verification& verify();
    /// Returns true if ConversionOptions::strict forbids writing the output. Requires run().
    bool is_refused() const noexcept;

    /// Returns the results so far.
    ConversionReport& report() noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hwtrace

// codec/format.hpp - the descriptor of a format: everything that the rest of the program may know about it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codec/findings.hpp"
#include "codec/losses.hpp"
#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "codec/writer.hpp"
#include "io/input.hpp"
#include "io/libraries.hpp"
#include "io/output.hpp"
#include "io/text_output.hpp"

namespace hwtrace {

/// A set of record kinds.
class Kinds {
public:
    constexpr Kinds() = default;
    constexpr Kinds(std::initializer_list<Kind> kinds) {
        for (const Kind kind : kinds)
            bits_ |= bit(kind);
    }
    constexpr bool has(Kind kind) const noexcept { return (bits_ & bit(kind)) != 0; }
    constexpr bool has_all(Kinds other) const noexcept { return (bits_ & other.bits_) == other.bits_; }
    constexpr bool empty() const noexcept { return bits_ == 0; }
    constexpr void add(Kind kind) noexcept { bits_ |= bit(kind); }

private:
    static constexpr std::uint16_t bit(Kind kind) noexcept {
        return static_cast<std::uint16_t>(1u << static_cast<unsigned>(kind));
    }
    std::uint16_t bits_ = 0;
};

/// The position of relations in a trace.
enum class RelationPlace : std::uint8_t {
    before_sink,  ///< before the interval to which they lead
    anywhere,     ///< anywhere, with a time of their own
    timeless,     ///< anywhere; each one gets the time of the record before it
};

/// The capabilities of a reader.
struct ReadCapabilities {
    Kinds kinds;
    bool streams = false;  ///< reads a pipe as it arrives; otherwise a pipe is spooled first
    /// True if schema() is complete after open; otherwise tracks and attributes appear while reading.
    bool schema_upfront = true;
    bool time_ordered = true;  ///< times never decrease
    /// Returns true if the file is too short for open() because its writer has only just created it. Returns false for
    /// a file of another format. `input` is seekable. Null if the format's readers do not call
    /// Settings::wait_for_growth.
    bool (*is_too_young)(const Input& input) = nullptr;
    /// Every record may be the last one, as in a log; a truncated file is then a complete trace.
    bool ends_anywhere = false;
    RelationPlace relations = RelationPlace::before_sink;

    /// Returns true if a file can be read while it is being written (--follow).
    bool follows() const noexcept { return is_too_young != nullptr; }
};

/// The capabilities of a writer. The planner lowers everything else.
struct WriteCapabilities {
    Kinds kinds;  ///< accepted kinds; Kind::native only for tracks named "<format>.…"
    /// Accepts event and note tracks of any name; otherwise only its own "<format>." tracks.
    bool foreign_events = false;
    /// Set for formats that store the model itself and accept every record of every trace, including native records of
    /// other formats. Returns true if a conversion to the format undoes lowerings. Null for all other formats: a
    /// conversion to these always undoes lowerings.
    bool (*raises)(const Settings& settings) = nullptr;
    /// Returns true if the writer accepts this interval or relation track. Null: it accepts every one.
    bool (*accepts_interval_track)(const Track& track) = nullptr;
    bool needs_patch = false;          ///< uses Output::patch, so standard output is spooled
    bool growing_schema = false;       ///< accepts tracks and attributes that appear between two calls of write()
    bool time_in_picoseconds = false;  ///< accepts times in picoseconds only; otherwise any time base
    bool needs_duration = false;       ///< needs interval tracks whose ticks have a known length
    /// The one text attribute of an interval that is kept; empty: all attributes are kept.
    std::string_view text_attribute = {};
    std::string_view protocol = {};  ///< accepts only tracks of scopes with this protocol ("cpu"); empty: any track
    /// Returns true for a format that stores the model itself.
    bool accepts_any_trace() const noexcept { return raises != nullptr; }
    /// Appends the losses that write() itself may count for such a trace. Further tracks may still appear. Null: none.
    void (*foresee)(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) = nullptr;
    /// Returns true if write() needs times that never decrease. `settings` are those for create(). Null: it never does.
    bool (*needs_time_order)(const Schema& schema, const Settings& settings) = nullptr;
};

/// The first bytes of an input, at most 4 KiB.
using Head = std::span<const std::byte>;

/// The form of a view: text for people, or data.
enum class TextForm : std::uint8_t { text, json, jsonl, csv };
std::string_view name_of(TextForm form) noexcept;

/// A rendering of the file itself instead of the model, such as STF's records. The first view of a format is the
/// default of hwtrace-dump.
struct View {
    std::string_view name;
    std::string_view title;
    /// Writes everything readable as text for people. Damage becomes findings. The caller flushes `out`.
    void (*render)(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
    /// Does the same, but writes data (`form` is not TextForm::text). Null if the view is for people only.
    void (*render_data)(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                        Findings& findings) = nullptr;
    /// The unit of Settings::window that the view honours. None: the view shows whole files only.
    std::optional<TraceWindow::Unit> windows = {};
    /// Returns false if a trace with this schema has nothing that the view shows. Null: every trace has.
    bool (*suits)(const Schema& schema) = nullptr;
    /// True if the view shows the slice that Settings::part selects.
    bool parts = false;
};

/// A format, as data and functions. All members refer to static storage.
struct Format {
    std::string_view name;  ///< "stf": also the prefix of its options, metadata keys and native tracks
    std::string_view title;
    std::span<const std::string_view> extensions;  ///< with the dot, longest first: ".stf.gz", ".zstf", ".stf"
    ReadCapabilities reads;
    WriteCapabilities writes;
    std::span<const Option> options;
    std::span<const View> views;
    std::span<const Rule> rules;
    /// Title of the public text that Rule::text cites: "STF Specification"; empty: none.
    std::string_view text_title = {};

    /// Libraries that the format loads when it runs, as far as they are installed. Null: none.
    std::vector<Library> (*libraries)() = nullptr;

    /// Returns true if the head belongs to this format, by magic and structure. Pure. Exactly one format claims any
    /// valid file.
    bool (*sniff)(Head head);
    /// Opens a reader and parses the header, so that schema() is meaningful. Throws Failure::input if there is no
    /// usable header; a finding then states the reason. `input`, `settings` and `findings` outlive the reader.
    std::unique_ptr<Reader> (*open)(Input& input, const Settings& settings, Findings& findings);
    /// Creates a writer for `schema`. After that only strings and metadata may be added to the schema, unless `writes`
    /// allows more. All arguments outlive the writer.
    std::unique_ptr<Writer> (*create)(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
};

using FormatList = std::span<const Format* const>;

/// Returns the format of that name, or nullptr.
const Format* find_format(FormatList formats, std::string_view name) noexcept;
/// Returns the format that has an extension with which `path` ends, or nullptr.
const Format* format_by_extension(FormatList formats, std::string_view path) noexcept;
/// Returns the format whose sniff() claims the input, or nullptr. Consumes nothing.
const Format* sniff_format(FormatList formats, Input& input);

}  // namespace hwtrace

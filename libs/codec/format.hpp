// codec/format.hpp - a format's descriptor: everything the rest of the program may know about it.
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

/// Where the relations of a trace stand.
enum class RelationPlace : std::uint8_t {
    before_sink,  ///< in front of the interval that they lead to
    anywhere,     ///< at a time of their own
    timeless,     ///< anywhere; the time that they get is that of the record before them
};

/// What a reader can deliver.
struct ReadCapabilities {
    Kinds kinds;
    bool streams = false;        ///< reads a pipe as it comes; else a pipe is spooled first
    bool schema_upfront = true;  ///< schema() is complete after open; else tracks and attributes appear while reading
    bool time_ordered = true;    ///< times never decrease
    /// Of a format whose readers call Settings::wait_for_growth for a file that is still being written, else null:
    /// whether that file is too short yet for open(), because its writer has only just created it. Says no of what is
    /// another format's. `input` is seekable.
    bool (*is_too_young)(const Input& input) = nullptr;
    bool ends_anywhere = false;  ///< every record may be the last one, as of a log: what is cut there is a whole trace
    RelationPlace relations = RelationPlace::before_sink;

    /// --follow: a file can be read while it is written.
    bool follows() const noexcept { return is_too_young != nullptr; }
};

/// What a writer can express; the planner lowers the rest.
struct WriteCapabilities {
    Kinds kinds;                  ///< kinds it takes; Kind::native only for tracks named "<format>.…"
    bool foreign_events = false;  ///< event and note tracks of any name; else only those of its own "<format>." tracks
    /// Of a format of the model itself, which takes every record of every trace as it is, native ones of other formats
    /// too: whether what was lowered is raised on the way to it. Null: of all other formats, for which it is.
    bool (*raises)(const Settings& settings) = nullptr;
    /// Of a writer that takes no streams and relations but those that it understands, whether `track` is one; null:
    /// any.
    bool (*accepts_interval_track)(const Track& track) = nullptr;
    bool needs_patch = false;          ///< Output::patch is used: standard output is spooled
    bool growing_schema = false;       ///< tracks and attributes may appear between two calls of write()
    bool time_in_picoseconds = false;  ///< record times must be ps; else any base is taken as it is
    bool needs_duration = false;       ///< of intervals: a base that does not say how long its tick is gets a length
    std::string_view text_attribute = {};  ///< of intervals: the one attribute, a text, that is kept; empty: all are
    std::string_view protocol = {};        ///< takes only tracks of scopes with this protocol ("cpu"); empty: any track
    bool accepts_any_trace() const noexcept { return raises != nullptr; }
    /// What write() itself may count as lost of such a trace, whose tracks may not all be known yet; null: nothing.
    void (*foresee)(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) = nullptr;
    /// Whether write() wants times that never decrease; null: never. Settings are those of create().
    bool (*needs_time_order)(const Schema& schema, const Settings& settings) = nullptr;
};

/// The first bytes of an input, at most 4 KiB.
using Head = std::span<const std::byte>;

/// How a view is written: for people, or as data.
enum class TextForm : std::uint8_t { text, json, jsonl, csv };
std::string_view name_of(TextForm form) noexcept;

/// A rendering of the file itself (not of the model), such as STF's records. The first view is hwtrace-dump's
/// default.
struct View {
    std::string_view name;
    std::string_view title;
    /// Writes everything readable, as text for people; damage becomes findings. The caller flushes `out`.
    void (*render)(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
    /// The same as data (not TextForm::text); null where the view is for people only.
    void (*render_data)(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                        Findings& findings) = nullptr;
    /// Shows only what Settings::window says, where it says anything: windows of this unit. None: shows whole files.
    std::optional<TraceWindow::Unit> windows = {};
    /// False where a trace of this schema has nothing that the view shows; null: every trace has.
    bool (*suits)(const Schema& schema) = nullptr;
    /// Shows what Settings::part leaves of the trace, where it is set.
    bool parts = false;
};

struct Format {
    std::string_view name;  ///< "stf": also the prefix of its options, its metadata keys and its native tracks
    std::string_view title;
    std::span<const std::string_view> extensions;  ///< with the dot, longest first: ".stf.gz", ".zstf", ".stf"
    ReadCapabilities reads;
    WriteCapabilities writes;
    std::span<const Option> options;
    std::span<const View> views;
    std::span<const Rule> rules;
    std::string_view text_title = {};  ///< the public text that Rule::text cites: "STF Specification"; empty: none

    /// Libraries that the format loads when it runs, as far as they are installed. Null: none.
    std::vector<Library> (*libraries)() = nullptr;

    /// True when the head is this format's, by magic and structure. Pure; exactly one format claims any valid file.
    bool (*sniff)(Head head);
    /// Opens a reader: parses the header, so that schema() is meaningful. Throws Failure::input when there is no usable
    /// header (the finding that says why has been reported). `input`, `findings` and `settings` outlive the reader.
    std::unique_ptr<Reader> (*open)(Input& input, const Settings& settings, Findings& findings);
    /// Starts a writer for `schema`, which may go on growing only in strings and metadata unless `writes` says more.
    /// All arguments outlive the writer.
    std::unique_ptr<Writer> (*create)(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
};

using FormatList = std::span<const Format* const>;

/// The format of that name, or nullptr.
const Format* find_format(FormatList formats, std::string_view name) noexcept;
/// The format one of whose extensions ends `path`, or nullptr.
const Format* format_by_extension(FormatList formats, std::string_view path) noexcept;
/// The format whose sniff claims the input, or nullptr when none does.
const Format* sniff_format(FormatList formats, Input& input);

}  // namespace hwtrace

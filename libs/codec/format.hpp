// codec/format.hpp - the descriptor of a format. The rest of the program uses the format only through this descriptor.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/findings.hpp"
#include "codec/losses.hpp"
#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "codec/shapes.hpp"
#include "codec/writer.hpp"
#include "io/input.hpp"
#include "io/libraries.hpp"
#include "io/output.hpp"
#include "io/text_output.hpp"
#include "model/record_kinds.hpp"

namespace hwtrace {

/// The places at which a reader delivers relations.
enum class RelationPlace : std::uint8_t {
    before_sink,  ///< before the interval at the relation's sink
    anywhere,     ///< anywhere; each relation has a time
    timeless,     ///< anywhere; each relation gets the time of the record before it
};

/// The capabilities of a reader.
struct ReadCapabilities {
    Shapes shapes;         ///< shapes of the records that a file may contain
    bool streams = false;  ///< reads a pipe while data arrives; otherwise the pipe is spooled first
    /// True if schema() is complete after open; otherwise tracks and attributes appear while reading.
    bool schema_upfront = true;
    bool time_ordered = true;  ///< times never decrease
    /// Returns true if the file is too short for open() because its writer has just created it. Returns false for a
    /// file of another format. `input` must be seekable. Null if the format's readers do not call
    /// Settings::wait_for_growth.
    bool (*is_too_young)(const Input& input) = nullptr;
    /// True if every record may be the last one, as in a log. A truncated file is then a complete trace.
    bool ends_anywhere = false;
    RelationPlace relations = RelationPlace::before_sink;

    /// Returns true if a file can be read while it is being written (--follow).
    bool follows() const noexcept { return is_too_young != nullptr; }
};

/// The capabilities of a writer. A conversion transforms the records that the writer does not hold.
struct WriteCapabilities {
    Holdings holds;
    TimeLimit time = TimeLimit::any_base;
    /// Set for formats that store or show the model itself and accept all records of all traces, including native
    /// records of other formats. Returns true if a conversion to the format undoes lowerings. Null for other formats,
    /// which always undo lowerings.
    bool (*raises)(const Settings& settings) = nullptr;
    /// Returns true if the output is text that can be shown on a terminal. Null: it is binary.
    bool (*writes_text)(const Settings& settings) = nullptr;
    /// Returns true if the output is a folder of files: an OutputFolder whose files have the format's first extension.
    /// Writers of such formats must also accept any other output, such as a pipe. Null: it is one file.
    bool (*writes_folder)(const Settings& settings) = nullptr;
    bool needs_patch = false;  ///< uses Output::patch, so standard output is spooled
    /// True if files are for viewers: they do not read back as the trace that was written, and the losses that writers
    /// report are what viewers do not show.
    bool is_picture = false;
    /// Returns true if the output depends on all texts of the trace, not only on those that its records use. Null: it
    /// never does.
    bool (*keeps_texts)(const Settings& settings) = nullptr;
    bool growing_schema = false;  ///< accepts tracks and attributes that appear between two calls of write()
    /// Returns the time base in which the writer states times of `base`. Durations among the values then need the same
    /// base. Null: the writer states every time base.
    TimeBase (*stated_base)(const TimeBase& base) = nullptr;
    /// Appends the losses that write() may count for a trace with this schema. More tracks may still appear. Null:
    /// there are no such losses.
    void (*foresee)(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) = nullptr;
    /// Returns true if write() needs times that never decrease. `settings` are the settings that create() gets. Null:
    /// write() never needs such times.
    bool (*needs_time_order)(const Schema& schema, const Settings& settings) = nullptr;
    /// Returns the protocol in which viewers of the format show what is under way. Transformed intervals are also
    /// written in this protocol. Empty, or a null function: none.
    std::string_view (*shown_protocol)(const Settings& settings) = nullptr;

    /// Returns true for a format that stores or shows the model itself.
    bool accepts_any_trace() const noexcept { return raises != nullptr; }
};

/// The first bytes of an input, at most 4 KiB.
using Head = std::span<const std::byte>;

/// The form of a view: text for people, or data.
enum class TextForm : std::uint8_t { text, json, jsonl, csv };
std::string_view name_of(TextForm form) noexcept;

/// A view of the file itself instead of the model, such as STF's records. The first view of a format is the default of
/// hwtrace-dump.
struct View {
    std::string_view name;
    std::string_view title;
    /// Writes all readable data as text for people and reports damage. The caller flushes `out`.
    void (*render)(Input& input, TextOutput& out, const Settings& settings, Findings& findings);
    /// Writes the same content as data. `form` must not be TextForm::text. Null if the view is for people only.
    void (*render_data)(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                        Findings& findings) = nullptr;
    /// The unit of Settings::window that the view supports. None: the view shows whole files only.
    std::optional<TraceWindow::Unit> windows = {};
    /// Returns false if the view has nothing to show for a trace with this schema. Null: it always shows something.
    bool (*suits)(const Schema& schema) = nullptr;
    /// True if the view shows the slice that Settings::part selects.
    bool parts = false;
};

/// The descriptor of a format: data and functions. All members refer to static storage.
struct Format {
    std::string_view name;  ///< such as "stf"; also the prefix of the format's options, metadata keys and native tracks
    std::string_view title;
    std::span<const std::string_view> extensions;  ///< with the dot, longest first: ".stf.gz", ".zstf", ".stf"
    ReadCapabilities reads;
    WriteCapabilities writes;
    std::span<const Option> options;
    std::span<const View> views;
    std::span<const Rule> rules;
    /// Title of the public specification that Rule::text cites, such as "STF Specification". Empty: none.
    std::string_view text_title = {};

    /// Returns the libraries that the format loads at run time and that are installed. Null: none.
    std::vector<Library> (*libraries)() = nullptr;

    /// Returns true if magic and structure of the head belong to this format. Has no side effects. Every valid file is
    /// claimed by exactly one format.
    bool (*sniff)(Head head);
    /// The functions behind open() and create(). `make_reader` is null if the format is only written, and
    /// `make_writer` if it is only read.
    std::unique_ptr<Reader> (*make_reader)(Input& input, const Settings& settings, Findings& findings);
    std::unique_ptr<Writer> (*make_writer)(Output& output, const Schema& schema, const Settings& settings,
                                           Losses& losses);

    bool can_read() const noexcept { return make_reader != nullptr; }
    bool can_write() const noexcept { return make_writer != nullptr; }
    /// Opens a reader and parses the header, so that schema() is meaningful. If no header is usable, reports a finding
    /// and throws Failure::input. All arguments must outlive the reader.
    std::unique_ptr<Reader> open(Input& input, const Settings& settings, Findings& findings) const {
        return make_reader(input, settings, findings);
    }
    /// Creates a writer for `schema`. After that, only strings and metadata may be added to the schema, unless `writes`
    /// allows more. All arguments must outlive the writer.
    std::unique_ptr<Writer> create(Output& output, const Schema& schema, const Settings& settings,
                                   Losses& losses) const {
        return make_writer(output, schema, settings, losses);
    }
    // Temporaries would not outlive the reader or writer.
    std::unique_ptr<Reader> open(Input& input, const Settings&& settings, Findings& findings) const = delete;
    std::unique_ptr<Writer> create(Output& output, const Schema& schema, const Settings&& settings,
                                   Losses& losses) const = delete;
    std::unique_ptr<Writer> create(Output& output, const Schema&& schema, const Settings& settings,
                                   Losses& losses) const = delete;
};

using FormatList = std::span<const Format* const>;

/// Returns the format with this name, or nullptr.
const Format* find_format(FormatList formats, std::string_view name) noexcept;
/// Returns the format whose extension `path` ends with, or nullptr. Ignores slashes at the end.
const Format* format_by_extension(FormatList formats, std::string_view path) noexcept;
/// Opens the output at `path` for a writer of `format`: a file, or a folder. Throws as open_file_output does.
std::unique_ptr<Output> open_target(const Format& format, const Settings& settings, const std::string& path,
                                    Existing existing, const std::vector<std::optional<Input::Identity>>& inputs = {});
/// Returns the format whose sniff() claims the input, or nullptr. Consumes nothing.
const Format* sniff_format(FormatList formats, Input& input);

}  // namespace hwtrace

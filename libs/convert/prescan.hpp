// convert/prescan.hpp - opens a source, and reads it in advance if the target needs the complete schema at the start.
#pragma once

#include <memory>
#include <optional>

#include "codec/format.hpp"
#include "convert/source_format.hpp"
#include "select/criteria.hpp"
#include "select/range.hpp"

namespace hwtrace {

class TraceIndex;
struct TraceOutline;

/// Returns the Settings::window for a reader that needs to deliver no more than `range`. Such a reader skips only
/// records on which nothing else in the trace depends. Returns nullopt if the range counts positions or if `criteria`
/// select records. Also returns nullopt if target `to` (null: unknown) holds instructions, because transactions may
/// become instructions before the range is applied.
std::optional<TraceWindow> reading_window(const std::optional<Range>& range, const Criteria& criteria,
                                          const Format* to = nullptr);

/// A source for a conversion, opened once or twice. It is opened twice if its tracks appear while reading, but the
/// target, a lowering or a selection needs all of them at the start. The first reader then reads the whole input and
/// provides the schema. The second reader delivers the records. Readers are deterministic, so both have the same ids.
class PreparedSource {
public:
    /// Reads `input` from its beginning. A pipe that must be read twice is spooled to `settings.temporary_folder`.
    /// `criteria` will be applied to the source later. With `index`, an index of the input (null: none), nothing is
    /// read in advance if the index states the schema. `input` and `findings` must outlive this object. Throws the same
    /// errors as Format::open and Reader::read. Findings are reported once, while the records are delivered.
    PreparedSource(Input& input, const Format& from, const Format& to, const Settings& settings, Findings& findings,
                   const RecordCriteria& criteria = {}, std::shared_ptr<const TraceIndex> index = {});
    /// Prepares a source that is shown instead of converted.
    PreparedSource(Input& input, const Format& from, const Settings& settings, Findings& findings,
                   const RecordCriteria& criteria, std::shared_ptr<const TraceIndex> index = {});
    PreparedSource(const PreparedSource&) = delete;
    PreparedSource& operator=(const PreparedSource&) = delete;

    /// Returns true if converting between these formats reads the source twice.
    static bool reads_twice(const Format& from, const Format& to) noexcept;

    /// Returns the reader that delivers all records.
    Reader& reader() noexcept { return *reader_; }
    /// Returns the schema of the records. The schema is complete from the start if the source was read twice.
    /// Otherwise, it grows with the reader.
    const Schema& schema() const noexcept { return complete_ ? *complete_ : reader_->schema(); }
    /// Returns the source's format. If the source was read twice, SourceFormat::reads describes this particular input.
    const SourceFormat& format() const noexcept { return format_; }
    /// Returns `settings` for a writer of the format `to`, which may keep the form of a source of its own format.
    Settings for_writer(const Format& to, Settings settings) const;

private:
    PreparedSource(const Format& from, const Settings& settings, std::shared_ptr<const TraceIndex> index);
    void open(Input& input, Findings& findings, bool twice);
    bool open_with_outline(Input& input, Findings& findings);
    void scout(Input& input);
    void take_facts(const TraceOutline& outline);

    SourceFormat format_;
    Settings settings_;        // for the reader
    Settings scout_settings_;  // for the first of two readers: the same at CheckLevel::delivery
    Findings scout_findings_;  // discarded, because the reader reports the same findings
    std::shared_ptr<const TraceIndex> index_;
    std::optional<Schema> complete_;  // from the first of two readers, which is gone to free its memory, or an index
    std::unique_ptr<Reader> reader_;
};

}  // namespace hwtrace

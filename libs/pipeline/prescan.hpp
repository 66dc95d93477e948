// pipeline/prescan.hpp - opens a source so that its schema is complete where the target must know all of it before the
// first record.
#pragma once

#include <memory>
#include <optional>

#include "codec/format.hpp"
#include "pipeline/criteria.hpp"
#include "pipeline/range.hpp"

namespace hwtrace {

/// The Settings::window of a reader of which no more than `range` is wanted, in a trace of `to` where that is not null:
/// what such a reader leaves out are records that nothing else in the trace depends on. None where positions are
/// counted, where criteria choose among all that there is, and where the target is of instructions, which are made of
/// transactions before a range is cut.
std::optional<TraceWindow> reading_window(const std::optional<Range>& range, const Criteria& criteria,
                                          const Format* to = nullptr);

/// A source that is about to be converted, opened once, or twice: where tracks appear while reading and the target, a
/// lowering on the way to it, or a choice among them, needs them all at the start, a first reader has read the whole
/// input and its schema is used, while a second one delivers the records. Readers are deterministic, so the ids are the
/// same.
class PreparedSource {
public:
    /// Reads `input` from its beginning; a pipe that must be read twice is spooled to `settings.temporary_folder`.
    /// `input` and `findings` outlive this object. Throws what Format::open and Reader::read throw; findings are
    /// reported once, when the records are delivered. `criteria`: what of the source is wanted.
    PreparedSource(Input& input, const Format& from, const Format& to, const Settings& settings, Findings& findings,
                   const RecordCriteria& criteria = {});
    /// The same of a source that is shown, not converted.
    PreparedSource(Input& input, const Format& from, const Settings& settings, Findings& findings,
                   const RecordCriteria& criteria);
    PreparedSource(const PreparedSource&) = delete;
    PreparedSource& operator=(const PreparedSource&) = delete;

    /// True where converting from the one format to the other takes two readings.
    static bool reads_twice(const Format& from, const Format& to) noexcept;

    /// Delivers the records, from the first on.
    Reader& reader() noexcept { return *reader_; }
    /// What the records refer to: complete from the start when it was read twice, else as the reader knows it.
    const Schema& schema() const noexcept { return scout_ ? scout_->schema() : reader_->schema(); }
    /// The source's descriptor, whose `reads` say what is known of this very input after a first reading.
    const Format& format() const noexcept { return format_; }

private:
    PreparedSource(const Format& from, const Settings& settings);
    void open(Input& input, Findings& findings, bool twice);
    void scout(Input& input);

    Format format_;
    Settings settings_;        // of the reader
    Settings scout_settings_;  // the same, without verification
    Findings scout_findings_;  // thrown away: the reader reports them again
    std::unique_ptr<Reader> scout_, reader_;
};

}  // namespace hwtrace

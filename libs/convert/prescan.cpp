#include "convert/prescan.hpp"

#include <algorithm>
#include <utility>

#include "codec/resumable.hpp"
#include "codec/schema_state.hpp"
#include "codec/trace_index.hpp"
#include "io/error.hpp"

namespace hwtrace {

std::optional<TraceWindow> reading_window(const std::optional<Range>& range, const Criteria& criteria,
                                          const Format* to) {
    if (!range || range->unit != Range::Unit::time_ps || criteria.any()) return std::nullopt;
    if (to != nullptr && to->writes.holds.has(Shape::hart) && !to->writes.accepts_any_trace()) return std::nullopt;
    return TraceWindow{TraceWindow::Unit::time_ps, range->begin, range->end};
}

bool PreparedSource::reads_twice(const Format& from, const Format& to) noexcept {
    if (from.reads.schema_upfront) return false;
    // Records that the target cannot hold are lowered, and a lowering declares all its tracks at the start.
    const Holdings& holds = to.writes.holds;
    if (!to.writes.growing_schema || !holds.shapes().has_all(from.reads.shapes)) return true;
    // Raising does the same. It restores records that the source's format lacks.
    return !to.writes.accepts_any_trace() && std::ranges::any_of(all_shapes, [&](Shape shape) {
        return shape != Shape::relation_type && holds.has_foreign(shape) && !from.reads.shapes.has(shape);
    });
}

PreparedSource::PreparedSource(const Format& from, const Settings& settings, std::shared_ptr<const TraceIndex> index)
    : format_(from), settings_(settings), scout_findings_(0), index_(std::move(index)) {
    use_survey(index_.get(), settings_);
    scout_settings_ = settings_;
    scout_settings_.check = CheckLevel::delivery;
}

PreparedSource::PreparedSource(Input& input, const Format& from, const Format& to, const Settings& settings,
                               Findings& findings, const RecordCriteria& criteria,
                               std::shared_ptr<const TraceIndex> index)
    : PreparedSource(from, settings, index_for(to, settings, std::move(index))) {
    // Raising also needs the complete schema at the start.
    const bool raises = to.writes.accepts_any_trace() && to.writes.raises(settings);
    open(input, findings, reads_twice(from, to) || ((raises || criteria.any()) && !from.reads.schema_upfront));
}

PreparedSource::PreparedSource(Input& input, const Format& from, const Settings& settings, Findings& findings,
                               const RecordCriteria& criteria, std::shared_ptr<const TraceIndex> index)
    : PreparedSource(from, settings, std::move(index)) {
    open(input, findings, criteria.any() && !from.reads.schema_upfront);
}

void PreparedSource::open(Input& input, Findings& findings, bool twice) {
    if (twice && index_ && open_with_outline(input, findings)) return;
    if (twice) scout(input);
    reader_ = format_.format.open(input, settings_, findings);
}

namespace {

/// A reader whose schema is complete from the start, because an index states it.
class CompletedReader final : public Reader, public Resumable {
public:
    /// `complete` becomes the schema; it must have no strings.
    CompletedReader(std::unique_ptr<Reader> reader, Schema& complete, std::shared_ptr<const TraceIndex> index)
        : reader_(std::move(reader)),
          resumable_(dynamic_cast<Resumable*>(reader_.get())),
          complete_(complete),
          completion_(reader_->schema(), complete),
          index_(std::move(index)) {}

    Schema& schema() override { return complete_; }
    bool read(Batch& batch) override {
        const bool any = reader_->read(batch);
        follow();
        return any;
    }
    Facts facts() const override { return reader_->facts(); }
    std::uint64_t position() const override { return reader_->position(); }
    bool keep_states() override { return false; }
    bool save_state(Appender&) override { return false; }
    bool restore_state(Cursor& in) override {
        if (resumable_ == nullptr || !resumable_->restore_state(in)) return false;
        follow();
        return true;
    }
    std::optional<StringId> add_text(std::string_view text) override {
        auto id = resumable_ == nullptr ? std::nullopt : resumable_->add_text(text);
        if (!id) id = reader_->schema().intern(text);
        follow();
        return id;
    }
    bool can_restore() const override { return resumable_ != nullptr && resumable_->can_restore(); }
    /// Returns false if the schema of the reader is not the beginning of the complete one.
    bool fits() { return completion_.follow(); }

private:
    void follow() {
        if (!completion_.follow()) refuse_index(*index_);
    }

    std::unique_ptr<Reader> reader_;
    Resumable* resumable_;
    Schema& complete_;
    SchemaCompletion completion_;
    std::shared_ptr<const TraceIndex> index_;
};

}  // namespace

/// Opens the input with the schema that the index states. Returns false and reports nothing if that is impossible.
bool PreparedSource::open_with_outline(Input& input, Findings& findings) {
    if (settings_.window) {  // a reader that leaves out records itself has another schema
        Findings unheard(0);
        const auto probe = format_.format.open(input, scout_settings_, unheard);
        const auto* const resumable = dynamic_cast<const Resumable*>(probe.get());
        const bool is_whole = resumable != nullptr && resumable->can_restore();
        input.seek(0);
        if (!is_whole) return false;
    }
    std::optional<TraceOutline> outline = outline_in(*index_);
    if (!outline) return false;
    complete_.emplace(std::move(outline->schema));
    auto reader =
        std::make_unique<CompletedReader>(format_.format.open(input, settings_, findings), *complete_, index_);
    if (!reader->fits()) refuse_index(*index_);
    reader_ = std::move(reader);
    take_facts(*outline);
    return true;
}

void PreparedSource::take_facts(const TraceOutline& outline) {
    format_.reads.schema_upfront = true;
    format_.reads.time_ordered = outline.time_ordered;
    format_.lateness = outline.lateness;
    if (format_.format.writes.accepts_any_trace()) format_.reads.shapes = outline.shapes;
}

void PreparedSource::scout(Input& input) {
    input.spool(settings_.temporary_folder);
    std::unique_ptr<Reader> scout;
    try {
        scout = format_.format.open(input, scout_settings_, scout_findings_);
    } catch (const Error& error) {
        if (error.failure() != Failure::input) throw;
        input.seek(0);
        return;  // the reader will report the same error, with its findings
    }
    OutlineMeter meter;
    Batch batch;
    for (; scout->read(batch); batch.clear())
        meter.add(batch);
    const TraceOutline outline = meter.outline();
    complete_.emplace(std::move(scout->schema()));
    take_facts(outline);
    input.seek(0);
}

Settings PreparedSource::for_writer(const Format& to, Settings settings) const {
    const Facts facts = to.name == format_.format.name ? reader_->facts() : Facts();
    settings.source_compression = text_of(facts, "compression");
    settings.source_relations = text_of(facts, "relation elements");
    return settings;
}

}  // namespace hwtrace

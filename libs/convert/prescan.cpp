#include "convert/prescan.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "codec/ahead_reader.hpp"
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

PreparedSource::PreparedSource(const Format& from, const Settings& settings)
    : format_(from), settings_(settings), scout_settings_(settings), scout_findings_(0) {
    scout_settings_.check = CheckLevel::delivery;
}

PreparedSource::PreparedSource(Input& input, const Format& from, const Format& to, const Settings& settings,
                               Findings& findings, const RecordCriteria& criteria)
    : PreparedSource(from, settings) {
    // Raising also needs the complete schema at the start.
    const bool raises = to.writes.accepts_any_trace() && to.writes.raises(settings);
    open(input, findings, reads_twice(from, to) || ((raises || criteria.any()) && !from.reads.schema_upfront));
}

PreparedSource::PreparedSource(Input& input, const Format& from, const Settings& settings, Findings& findings,
                               const RecordCriteria& criteria)
    : PreparedSource(from, settings) {
    open(input, findings, criteria.any() && !from.reads.schema_upfront);
}

void PreparedSource::open(Input& input, Findings& findings, bool twice) {
    if (twice) scout(input);
    reader_ = open_ahead(format_.format, input, settings_, findings, complete_ ? &*complete_ : nullptr);
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
    bool ordered = true, framed = false;
    Tick last = std::numeric_limits<Tick>::min(), latest = last;
    std::uint64_t lateness = 0;
    Batch batch;
    Shapes shapes;
    for (; scout->read(batch); batch.clear()) {
        for (const Record& record : batch.records()) {
            shapes.add(carrier_of(record.kind));
            ordered = ordered && record.time >= last;
            last = record.time;
            latest = std::max(latest, last);
            lateness = std::max(lateness, static_cast<std::uint64_t>(latest) - static_cast<std::uint64_t>(last));
            framed = framed || (record.flags & record_first_of_frame) != 0;
        }
    }
    complete_.emplace(std::move(scout->schema()));
    format_.reads.schema_upfront = true;
    format_.reads.time_ordered = ordered;
    if (!framed) format_.lateness = lateness;
    if (format_.format.writes.accepts_any_trace()) format_.reads.shapes = shapes;
    input.seek(0);
}

Settings PreparedSource::for_writer(const Format& to, Settings settings) const {
    const Facts facts = to.name == format_.format.name ? reader_->facts() : Facts();
    settings.source_compression = text_of(facts, "compression");
    settings.source_relations = text_of(facts, "relation elements");
    return settings;
}

}  // namespace hwtrace

#include "convert/target.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "domain/conventions.hpp"

namespace hwtrace {

RowForm Target::row_form() const noexcept {
    const auto holds_any = [&](Shape shape) {
        if (!holds_foreign(shape)) return false;
        const Holding& limits = format.writes.holds.of(shape);
        return limits.accepts == nullptr && limits.only_text.empty() && limits.protocol.empty();
    };
    if (holds_any(Shape::signal)) return RowForm::changes;
    if (holds_any(Shape::stream)) return RowForm::intervals;
    // Events keep the order and the time bases of the source, unless the target limits them.
    const bool limits_time = format.writes.time != TimeLimit::any_base || format.writes.needs_time_order != nullptr;
    if (holds_any(Shape::event_type))
        return limits_time && holds_any(Shape::storage) ? RowForm::tables : RowForm::events;
    return holds_any(Shape::storage) ? RowForm::operations : RowForm::refused;
}

bool Target::holds_tables() const noexcept {
    return row_form() == RowForm::tables || (!protocol().empty() && holds(Shape::storage) && holds(Shape::event_type));
}

bool Target::holds_only_signals() const noexcept {
    return std::ranges::all_of(all_shapes,
                               [&](Shape shape) { return holds_foreign(shape) == (shape == Shape::signal); });
}

bool Target::holds_only_intervals() const noexcept {
    constexpr Shape others[] = {Shape::event_type, Shape::storage, Shape::signal, Shape::hart, Shape::notes};
    return holds(Shape::stream) && std::ranges::none_of(others, [&](Shape shape) { return holds(shape); });
}

bool Target::holds_only_instructions() const noexcept {
    return holds(Shape::hart) && !holds_any_trace() && row_form() == RowForm::refused && protocol().empty();
}

bool Target::accepts_any(const Schema& schema) const noexcept {
    return std::ranges::any_of(schema.tracks(), [&](const Track& track) { return accepts(schema, track); });
}

bool Target::accepts_all(const Schema& schema) const noexcept {
    return std::ranges::all_of(schema.tracks(), [&](const Track& track) { return accepts(schema, track); });
}

bool Target::accepts_any_foreign(const Schema& schema) const noexcept {
    return std::ranges::any_of(schema.tracks(), [&](const Track& track) {
        if (!accepts(schema, track)) return false;
        if (track.kind == Shape::relation_type) return format.writes.holds.of(track.kind).accepts == nullptr;
        return track.kind == Shape::stream || !belongs_to(track, format.name);
    });
}

bool Target::keeps(std::string_view mark, const Schema& schema, const Settings& settings) const {
    if (format.writes.foresee == nullptr) return true;
    std::vector<ExpectedLoss> losses;
    format.writes.foresee(schema, settings, losses);
    return std::ranges::none_of(losses, [&](const ExpectedLoss& loss) {
        return loss.loss == Loss::metadata_dropped && (loss.subject == mark || loss.subject == "*");
    });
}

bool Target::keeps_marks(const Settings& settings) const {
    Schema marked;
    marked.describe(std::string(conventions::signal_source), {});
    return keeps(conventions::signal_source, marked, settings);
}

}  // namespace hwtrace

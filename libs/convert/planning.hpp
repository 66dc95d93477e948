// convert/planning.hpp - a plan in the making. Each transform looks at the schema so far and adds its stages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/format.hpp"
#include "convert/plan.hpp"
#include "convert/target.hpp"
#include "domain/record_mark.hpp"
#include "select/criteria.hpp"
#include "select/selection.hpp"

namespace hwtrace {

/// A plan in the making, and what is known about the records behind its stages.
struct Planning {
    Planning(const Schema& source_schema, const Choices& user_choices, Losses& actual_losses)
        : source(source_schema), choices(user_choices), losses(actual_losses), criteria(user_choices.criteria) {}

    const Schema& source;
    const Choices& choices;
    Losses& losses;
    const Format* from = nullptr;  ///< format of the source; null if a plan does not read
    Plan plan;
    Criteria criteria;                        ///< criteria of the choices that no stage applies yet
    ReadCapabilities reads;                   ///< capabilities of the source's format; no shapes if unknown
    bool time_ordered = true;                 ///< times never decrease
    std::optional<std::uint64_t> lateness{};  ///< SourceFormat::lateness behind the first `lateness_stages` stages
    std::size_t lateness_stages = 0;
    bool of_model = false;       ///< the source is in a format of the model itself, so any tracks may occur together
    bool numbers_harts = false;  ///< times of the source's instructions are positions
    bool signals_in_tables = false;       ///< tables hold the values of signals
    bool restores_records = false;        ///< intervals became the records of another format's trace again
    std::vector<std::string> rescaled{};  ///< tracks whose times become another time base

    /// Returns the schema behind the stages so far.
    const Schema& here() const noexcept { return plan.target_schema(source); }
    /// Returns true if the schema has a track of this shape.
    bool has(Shape shape) const noexcept;
    /// Returns true if the times of all tracks can be compared directly.
    bool has_one_base() const noexcept;
    RecordOrder order() const noexcept { return time_ordered ? RecordOrder::by_time : RecordOrder::any; }
    const std::string& folder() const noexcept { return choices.settings.temporary_folder; }
    /// Returns the length of a cycle: the user's choice, or the assumed one.
    std::uint64_t period() const noexcept { return choices.time.period_ps.value_or(assumed_period_ps); }

    void step(std::string name, std::string what, std::vector<Mapping> becomes = {}) {
        plan.steps.push_back({std::move(name), std::move(what), std::move(becomes), plan.losses.size()});
    }
    /// Adds a step whose description is its list of mappings.
    void step(std::string name, std::vector<Mapping> becomes);
    /// Adds the step of a transform that undoes an earlier one. Records of other tools cannot be restored.
    void step_of_raising(std::string name, std::vector<Mapping> becomes) {
        step(std::move(name), std::move(becomes));
        foretell(Loss::kind_dropped, "*", "records that another tool added");
        plan.raises = true;
    }
    void foretell(Loss loss, std::string subject, std::string why) {
        plan.losses.push_back({loss, std::move(subject), std::move(why)});
    }
    void assume(std::string assumption) { plan.assumptions.push_back(std::move(assumption)); }
    template <typename T, typename... Arguments>
    void append(Arguments&&... arguments) {
        plan.stages.push_back(std::make_unique<T>(std::forward<Arguments>(arguments)...));
    }
    /// Adds the stage that sorts records by time.
    void sort();
    /// Returns the greatest number of ticks by which a record precedes a record before it, if all tracks have one time
    /// base and this is known.
    std::optional<std::uint64_t> known_lateness() const noexcept;
    /// Called behind a stage that changes times only by scaling them. `before` and `base` are known_lateness() and the
    /// time base of the tracks before it.
    void keep_lateness(std::optional<std::uint64_t> before, const TimeBase& base) noexcept;
    /// Registers the output of the stages so far as a slice of `whole`.
    void keep_part_of(const Schema& whole);
};

/// Returns the loss that counts dropped records of tracks of this shape.
Loss loss_of(Shape shape) noexcept;
/// Returns a record of this shape in words: "an interval".
std::string_view name_of_records(Shape shape) noexcept;
/// Returns why records of the track are dropped: "ftr has no place for note records".
std::string no_place(const Target& to, const Track& track);

/// Returns the assumption for the tracks that `takes` accepts and whose ticks have no known length. Names the tracks if
/// there are several time bases. `what` follows the length: " for each cycle or position".
std::string assumed_ticks(const Schema& schema, std::uint64_t period_ps, std::string_view what,
                          const std::function<bool(const Track&)>& takes);

/// Adds the stages that keep the slice of the user's choices.
/// `keeps_positions`: see SelectionOptions.
void plan_slice(Planning& p, Earlier earlier = Earlier::restated, bool keeps_positions = false);
/// Throws Failure::input if the trace has several harts and the target holds one.
void refuse_several_harts(const Planning& p, const Target& to);
/// Refuses a trace if the target can hold none of its tracks.
void refuse_pointless(Planning& p, const Target& to);

}  // namespace hwtrace

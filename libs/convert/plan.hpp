// convert/plan.hpp - plans a conversion: the stages between a source and a target format, and the losses.
#pragma once

#include <compare>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "convert/part_losses.hpp"
#include "convert/source_format.hpp"
#include "select/criteria.hpp"
#include "select/range.hpp"
#include "select/stage.hpp"

namespace hwtrace {

class TraceIndex;

/// The length of a clock cycle that is assumed if none is known.
inline constexpr std::uint64_t assumed_period_ps = 1'000;

/// The conversion of positions in a stream to time (--clock, --ipc).
struct TimeModel {
    std::optional<std::uint64_t> period_ps;       ///< length of a clock cycle; none: 1 ns is assumed if needed
    std::optional<Ratio> instructions_per_cycle;  ///< none: 1 is assumed if needed
};

/// The user's choices for a conversion.
struct Choices {
    TimeModel time;
    std::optional<Range> range;                 ///< none: everything
    Settings settings;                          ///< for the target's writer
    Criteria criteria{};                        ///< restrict the range further
    std::shared_ptr<const TraceIndex> index{};  ///< an index of the source; null: none
};

/// A construct of the source and its construct in the target: "an interval", "a row in a table".
struct Mapping {
    std::string fact, becomes;

    friend auto operator<=>(const Mapping&, const Mapping&) = default;
};

/// One step of a plan, as --explain prints it.
struct PlanStep {
    std::string name;                ///< "lower instructions to the cpu protocol"
    std::string what;                ///< a description for the user
    std::vector<Mapping> becomes{};  ///< the mappings of the step; empty if it maps nothing
    std::size_t first_loss = 0;  ///< index into Plan::losses of the step's first loss; the next step's losses follow
};

/// The steps from a source to a target. `stages` run in order. The schema of each stage is the source schema of the
/// next stage.
struct Plan {
    std::vector<PlanStep> steps;
    std::vector<ExpectedLoss> losses;      ///< every loss that can occur; actual losses are a subset
    std::vector<std::string> assumptions;  ///< assumptions that running the plan makes
    std::vector<std::unique_ptr<Stage>> stages;
    bool gives_time = false;  ///< uses the TimeModel, or may use it for tracks that the source has not declared yet
    bool raises = false;      ///< undoes an earlier lowering
    bool lowers = false;      ///< turns record kinds that the target lacks into others; raising restores them
    /// The conversion is refused with this message if records reach stage `refusing` but none leaves it. Empty: the
    /// conversion is never refused.
    std::string refusal = {};
    std::size_t refusing = 0;
    std::optional<PartLosses> part = {};  ///< set if a slice was selected; settled after the plan has run
    bool time_ordered = true;             ///< the resulting records are known to be in time order
    bool reorders = false;                ///< raising sorts the records by time, even if the source had another order
    std::shared_ptr<const TraceIndex> index = {};  ///< an index of the source; null: none
    std::optional<std::uint64_t> renumbered = {};  ///< the position of the source that the slice counts as 0

    /// Returns the schema for creating the writer. `source` is the reader's schema.
    const Schema& target_schema(const Schema& source) const noexcept {
        return stages.empty() ? source : stages.back()->schema();
    }
};

/// Plans the conversion of `source`, a trace in format `from`, to format `to`. The plan refers to `source`, `to` and
/// `losses`, so they must outlive the plan. `source` and `from` must come from a PreparedSource. If
/// PreparedSource::reads_twice() is true, `source` must be complete. Throws Failure::input if no part of the source can
/// be written in the target format. Throws Failure::usage if a choice does not fit the source.
Plan make_plan(const Schema& source, const SourceFormat& from, const Format& to, const Choices& choices,
               Losses& losses);

/// Plans only the stages that undo an earlier lowering. The plan has no stages if there was no lowering, or if `to`
/// cannot hold the result.
Plan make_raising_plan(const Schema& source, const Format& to, const Choices& choices, Losses& losses);

/// Plans the stages for one source before it is merged with other sources for `to`. The stages undo an earlier
/// lowering, even if `to` cannot hold the result, and keep the selected records. With `lower_harts`, the stages also
/// lower instructions if `to` cannot hold instructions. The merged trace may have several harts, but a lowering handles
/// only one hart.
Plan make_source_plan(const Schema& source, const SourceFormat& from, const Format& to, const Choices& choices,
                      Losses& losses, bool lower_harts);
/// Returns a pseudo-format that accepts every record kind. Planning towards it undoes all lowerings.
const Format& whole_model() noexcept;

/// Plans only the stages that keep the selected records. With `raised`, they follow the stages that undo an earlier
/// lowering, provided that `raised` accepts the result.
Plan make_selection_plan(const Schema& source, const SourceFormat& from, const Choices& choices, Losses& losses,
                         const Format* raised = nullptr);

}  // namespace hwtrace

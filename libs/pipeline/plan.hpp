// pipeline/plan.hpp - which stages lie between a source and a target format, and what they will cost.
#pragma once

#include <compare>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "pipeline/criteria.hpp"
#include "pipeline/part_losses.hpp"
#include "pipeline/range.hpp"
#include "pipeline/stage.hpp"

namespace hwtrace {

/// The clock cycle that is assumed where nobody says how long one is.
inline constexpr std::uint64_t assumed_period_ps = 1'000;

/// How positions in a stream become time (--clock, --ipc).
struct TimeModel {
    std::optional<std::uint64_t> period_ps;       ///< of a clock cycle; none: 1 ns is assumed where it is needed
    std::optional<Ratio> instructions_per_cycle;  ///< none: 1 is assumed where it is needed
};

/// What the user chose about a conversion.
struct Choices {
    TimeModel time;
    std::optional<Range> range;  ///< none: everything
    Settings settings;           ///< those that the target's writer gets
    Criteria criteria{};         ///< what of the range is wanted
};

/// A fact of the source, and what it becomes: "an interval", "a row in a table".
struct Mapping {
    std::string fact, becomes;

    friend auto operator<=>(const Mapping&, const Mapping&) = default;
};

/// One line of --explain.
struct PlanStep {
    std::string name;                ///< "lower instructions to the cpu protocol"
    std::string what;                ///< what it does
    std::vector<Mapping> becomes{};  ///< the same fact by fact, where it makes something of something
    std::size_t first_loss = 0;      ///< in Plan::losses: those from there up to the next step's are of this one
};

/// The way from a source to a target. `stages` run in order; each one's schema is the next one's source.
struct Plan {
    std::vector<PlanStep> steps;
    std::vector<ExpectedLoss> losses;      ///< every loss that can happen; the actual ones are among them
    std::vector<std::string> assumptions;  ///< made when the plan is run
    std::vector<std::unique_ptr<Stage>> stages;
    bool gives_time = false;  ///< the TimeModel is used, or may be by tracks that the source has not declared yet
    bool raises = false;      ///< an earlier lowering is undone
    bool lowers = false;      ///< kinds that the target lacks become others, which can be raised again
    /// Of a trace whose records may all be such as the target cannot hold: why it is refused if some come to the stage
    /// `refusing` and nothing comes out of it. Empty: it is not.
    std::string refusal = {};
    std::size_t refusing = 0;
    std::optional<PartLosses> part = {};  ///< where a part was selected; settled when the plan has been run
    bool time_ordered = true;             ///< what comes of it is in order of time, as far as that is known
    bool reorders = false;                ///< what is raised again comes in order of time, whatever the source's is

    /// The schema that the writer is created with. `source` is the reader's.
    const Schema& target_schema(const Schema& source) const noexcept {
        return stages.empty() ? source : stages.back()->schema();
    }
};

/// Plans the conversion of `source` (a `from` trace) to `to`. The plan refers to `source`, `to` and `losses`, which
/// outlive it. Where PreparedSource::reads_twice, `source` is complete: both come from a PreparedSource. Throws
/// Failure::input when nothing of the source can be written in the target format, Failure::usage when a choice does not
/// fit the source.
Plan make_plan(const Schema& source, const Format& from, const Format& to, const Choices& choices, Losses& losses);

/// The stages that undo an earlier lowering, and nothing else; none where there was none that `to` can take.
Plan make_raising_plan(const Schema& source, const Format& to, const Choices& choices, Losses& losses);

/// What happens to a trace before it is merged with others into one for `to`: an earlier lowering is undone, whatever
/// the target takes, what the user selected is kept, and with `lower_harts` its instructions are lowered where the
/// target has none: a lowering takes one hart.
Plan make_source_plan(const Schema& source, const Format& from, const Format& to, const Choices& choices,
                      Losses& losses, bool lower_harts);
/// A format that takes everything, to which a trace is raised as far as it can be.
const Format& whole_model() noexcept;

/// The stages that keep what the user selected, and nothing else; before them, those that undo an earlier lowering that
/// `raised` can take, where that is given.
Plan make_selection_plan(const Schema& source, const Format& from, const Choices& choices, Losses& losses,
                         const Format* raised = nullptr);

}  // namespace hwtrace

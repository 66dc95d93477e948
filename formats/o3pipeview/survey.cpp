#include "survey.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <utility>

#include "io/error.hpp"
#include "timeline.hpp"
#include "trace.hpp"

namespace hwtrace::o3pipeview {

namespace {

constexpr std::size_t objects_per_core = 16;  ///< tracks and scopes

/// Collects the facts of a survey while the instructions pass in order of time.
class Surveyor {
public:
    Surveyor(Input& input, const Limits& limits) : limits_(limits), trace_(input, limits, unheard_) {}

    void read() {
        Timeline timeline(Timeline::widest_window);
        const auto refill = [&] {
            Instruction instruction;
            if (!trace_.next(instruction)) return timeline.end();
            note(instruction);
            timeline.add(instruction);
        };
        const auto cycle = [&] { return static_cast<Tick>(cycle_ == 0 ? default_cycle : cycle_); };
        Underway::Place place;
        try {
            while (Underway* const underway = timeline.next(place, refill, cycle)) {
                timeline.left_out().clear();
                if (place.step == Step::fetch) enter(underway->instruction);
                if (place.step == Step::leave) --in_flight_[underway->instruction.core];
            }
        } catch (const Error& error) {
            // The reader stops at this line too, after delivering the records before it.
            if (error.failure() != Failure::limit || too_many_cores_) throw;
        }
        window_ = timeline.needed_window();
    }
    bool is_known() const noexcept { return trace_.is_known(); }

    Survey result(Findings& findings) {
        Survey survey;
        survey.cores = trace_.cores();
        if (survey.cores.empty()) survey.cores.emplace_back(unnamed_core);
        // The order of names does not depend on the order of instructions: cpu2 precedes cpu10.
        std::ranges::sort(survey.cores, [](const std::string& a, const std::string& b) {
            return a.size() != b.size() ? a.size() < b.size() : a < b;
        });
        survey.stages = stages_;
        survey.stores = stores_;
        survey.microops = microops_;
        const std::uint64_t stated = trace_.stated_cycle();
        survey.cycle = stated != 0 ? stated : cycle_ != 0 ? cycle_ : default_cycle;
        if (trace_.stated_rate() != 0) survey.rate = trace_.stated_rate();
        // Instructions of equal tick and number are ordered by core, and the cores had another order here.
        survey.window = window_ + survey.cores.size();
        survey.slots = static_cast<std::uint32_t>(
            std::bit_ceil(std::clamp<std::uint64_t>(most_in_flight_, survey.slots, Survey::most_slots)));
        if (many_in_flight_) {
            many_in_flight_->got = std::to_string(most_in_flight_);
            findings.report(std::move(*many_in_flight_));
        }
        return survey;
    }

private:
    void note(const Instruction& instruction) {
        for (std::size_t stage = 0; stage < stage_count; ++stage) {
            const Tick tick = instruction.ticks[stage];
            stages_[stage] = stages_[stage] || tick != 0 || stage == 0;
            if (cycle_ != 1) cycle_ = std::gcd(cycle_, static_cast<std::uint64_t>(tick));
        }
        stores_ = stores_ || instruction.store != 0;
        microops_ = microops_ || instruction.microop != 0;
        if (instruction.core < in_flight_.size()) return;
        in_flight_.resize(instruction.core + std::size_t{1});
        too_many_cores_ = true;
        check_limit(in_flight_.size() * objects_per_core, limits_.schema_objects, "the number of cores",
                    "--max-schema");
        too_many_cores_ = false;
    }
    void enter(const Instruction& instruction) {
        const std::uint32_t core = instruction.core;
        most_in_flight_ = std::max(most_in_flight_, ++in_flight_[core]);
        if (in_flight_[core] > Survey::most_slots && !many_in_flight_)
            many_in_flight_ = trace_.finding(instruction, Check::many_in_flight,
                                             "at most " + std::to_string(Survey::most_slots) + " at once");
    }

    const Limits& limits_;
    Findings unheard_{0};  ///< the reader reports faults of lines
    Trace trace_;
    std::array<bool, stage_count> stages_{};
    bool stores_ = false, microops_ = false, too_many_cores_ = false;
    std::uint64_t cycle_ = 0;               ///< the greatest common divisor of all ticks but those of stores
    std::vector<std::uint64_t> in_flight_;  ///< by core
    std::uint64_t most_in_flight_ = 0;
    std::size_t window_ = 1;
    std::optional<Finding> many_in_flight_;
};

/// Reports why a file is no trace, and throws.
[[noreturn]] void refuse(Input& input, const Limits& limits, Findings& findings) {
    Trace trace(input, limits, findings);
    for (Instruction instruction; trace.next(instruction);) {
    }
    findings.report({.rule = &rule(Check::no_trace), .expected = "O3PipeView:fetch:TICK:0xPC:MICROOP:SEQUENCE:TEXT"});
    fail(Failure::input, input.name() + ": not an O3PipeView trace");
}

}  // namespace

Survey survey(Input& input, const Settings& settings, Findings& findings) {
    Surveyor surveyor(input, settings.limits);
    surveyor.read();
    if (!surveyor.is_known()) refuse(input, settings.limits, findings);
    return surveyor.result(findings);
}

}  // namespace hwtrace::o3pipeview

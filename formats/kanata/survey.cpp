#include "survey.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/sized_text.hpp"
#include "log.hpp"
#include "rules.hpp"

namespace hwtrace::kanata {

namespace {

/// Gathers the survey of a log from its commands.
class Gathering {
public:
    Gathering(const Log& log, const Limits& limits) : log_(log), most_names_(limits.schema_objects) {}

    void take(const Command& command);
    /// Returns the number of stages so far.
    std::size_t stages() const noexcept { return survey_.stages.names().size() + others_.names().size(); }
    /// Returns the survey of the commands so far. Reports what does not fit the model.
    Survey finish(Findings& findings);

private:
    void begin_instruction();
    void add_stage(NameTable& names, const NameTable& rest, std::string_view name);

    const Log& log_;
    std::uint64_t most_names_;
    Survey survey_;
    NameTable others_;  // stages that do not start in lane 0
    bool any_ = false;
    std::uint64_t in_flight_ = 0, most_in_flight_ = 0;
    std::size_t named_ = 0;  // distinct stages in both lists
    std::optional<Finding> many_in_flight_, many_stages_;
};

void Gathering::begin_instruction() {
    most_in_flight_ = std::max(most_in_flight_, ++in_flight_);
    if (in_flight_ > Survey::most_slots && !many_in_flight_)
        many_in_flight_ =
            log_.finding(Check::many_in_flight,
                         std::string("at most ").append(std::to_string(Survey::most_slots)).append(" at once"));
}

/// Adds a stage to one list of names. `rest` is the other list.
void Gathering::add_stage(NameTable& names, const NameTable& rest, std::string_view name) {
    const std::size_t before = names.names().size();
    if (names.add(name) == before && rest.find(name) == none && ++named_ == Survey::most_named_stages + 1)
        many_stages_ =
            log_.finding(Check::many_stages,
                         std::string("at most ").append(std::to_string(Survey::most_named_stages)).append(" stages"));
    check_limit(stages(), most_names_, "the number of stages", "--max-schema");
}

void Gathering::take(const Command& command) {
    any_ = true;
    survey_.last_command = log_.started() ? log_.cycle() : std::numeric_limits<std::int64_t>::min();
    switch (command.action) {
        case Action::begin:
            begin_instruction();
            break;
        case Action::retire:
            in_flight_ -= in_flight_ == 0 ? 0u : 1u;
            break;
        case Action::stage_start:
            if (command.kind == 0)
                add_stage(survey_.stages, others_, command.text);
            else
                add_stage(others_, survey_.stages, command.text);
            break;
        case Action::stage_end:
            add_stage(others_, survey_.stages, command.text);
            break;
        case Action::dependency:
            survey_.wide_dependencies = survey_.wide_dependencies || command.kind > 0xFF;
            break;
        case Action::remark:
        case Action::unknown:
        case Action::malformed:
            survey_.other_lines = true;
            break;
        case Action::label:
        case Action::blank:
        case Action::start_cycle:
        case Action::advance:
            break;
    }
}

Survey Gathering::finish(Findings& findings) {
    for (const std::string& name : others_.names())
        survey_.stages.add(name);
    if (many_in_flight_) {
        many_in_flight_->got = std::to_string(most_in_flight_);
        findings.report(std::move(*many_in_flight_));
    }
    if (many_stages_) {
        many_stages_->got = std::to_string(survey_.stages.names().size());
        findings.report(std::move(*many_stages_));
    }
    survey_.first_cycle = log_.first_cycle();
    survey_.last_cycle = log_.cycle();
    if (!any_ || survey_.last_command < survey_.first_cycle) survey_.last_command = survey_.first_cycle;
    survey_.clock_ps = log_.clock_ps();
    survey_.version = log_.version();
    survey_.slots = static_cast<std::uint32_t>(
        std::bit_ceil(std::clamp<std::uint64_t>(most_in_flight_, survey_.slots, Survey::most_slots)));
    return std::move(survey_);
}

}  // namespace

Survey survey(Input& input, const Settings& settings, Findings& findings) {
    // Reports only faults that make opening fail. The reader reports the others when it reads their lines.
    Findings unheard(0);
    std::optional<Log> log;
    try {
        log.emplace(input, settings.limits, unheard);
    } catch (const Error& error) {
        if (error.failure() == Failure::input) Log(input, settings.limits, findings);
        throw;
    }
    Gathering gathering(*log, settings.limits);
    try {
        for (Command command; log->next(command);)
            gathering.take(command);
    } catch (const Error& error) {
        // The reader stops at this line too, after delivering the records before it.
        if (error.failure() != Failure::limit || gathering.stages() > settings.limits.schema_objects) throw;
    }
    return gathering.finish(findings);
}

void append_survey(const Survey& survey, Appender& out) {
    out.leb128(survey.stages.names().size());
    for (const std::string& name : survey.stages.names())
        append_sized(name, out);
    out.leb128(survey.slots);
    for (const std::int64_t cycle : {survey.first_cycle, survey.last_cycle, survey.last_command})
        out.le(cycle);
    out.leb128(survey.clock_ps);
    append_sized(survey.version, out);
    out.le(static_cast<std::uint8_t>((survey.wide_dependencies ? 1u : 0u) | (survey.other_lines ? 2u : 0u)));
}

Survey restore_survey(Cursor& in, const Limits& limits) {
    Survey survey;
    for (std::uint64_t left = in.leb128(); left > 0; --left) {
        survey.stages.add(std::string(sized_text(in)));
        check_limit(survey.stages.names().size(), limits.schema_objects, "the number of stages", "--max-schema");
    }
    const std::uint64_t slots = in.leb128();
    for (std::int64_t* const cycle : {&survey.first_cycle, &survey.last_cycle, &survey.last_command})
        *cycle = in.le<std::int64_t>();
    survey.clock_ps = in.leb128();
    survey.version = sized_text(in);
    const auto flags = in.le<std::uint8_t>();
    survey.wide_dependencies = (flags & 1u) != 0;
    survey.other_lines = (flags & 2u) != 0;
    if (!std::has_single_bit(slots) || slots > Survey::most_slots)
        fail(Failure::input, "the survey of an index does not fit the log");
    survey.slots = static_cast<std::uint32_t>(slots);
    return survey;
}

}  // namespace hwtrace::kanata

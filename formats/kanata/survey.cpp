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

Survey survey(Input& input, const Settings& settings, Findings& findings) {
    Survey survey;
    NameTable others;
    // Reports only faults that make opening fail. The reader reports the others when it reads their lines.
    Findings unheard(0);
    std::optional<Log> opened;
    try {
        opened.emplace(input, settings.limits, unheard);
    } catch (const Error& error) {
        if (error.failure() == Failure::input) Log(input, settings.limits, findings);
        throw;
    }
    Log& log = *opened;
    std::uint64_t in_flight = 0, most_in_flight = 0;
    std::size_t named = 0;  // distinct stages in both lists
    std::optional<Finding> many_in_flight, many_stages;
    const auto add = [&](NameTable& names, std::string_view name) {
        const std::size_t before = names.names().size();
        const NameTable& rest = &names == &others ? survey.stages : others;
        if (names.add(name) == before && rest.find(name) == none && ++named == Survey::most_named_stages + 1)
            many_stages = log.finding(
                Check::many_stages,
                std::string("at most ").append(std::to_string(Survey::most_named_stages)).append(" stages"));
        check_limit(survey.stages.names().size() + others.names().size(), settings.limits.schema_objects,
                    "the number of stages", "--max-schema");
    };
    bool any = false;
    try {
        for (Command command; log.next(command);) {
            any = true;
            survey.last_command = log.started() ? log.cycle() : std::numeric_limits<std::int64_t>::min();
            switch (command.action) {
                case Action::begin:
                    most_in_flight = std::max(most_in_flight, ++in_flight);
                    if (in_flight > Survey::most_slots && !many_in_flight)
                        many_in_flight = log.finding(
                            Check::many_in_flight,
                            std::string("at most ").append(std::to_string(Survey::most_slots)).append(" at once"));
                    break;
                case Action::retire:
                    in_flight -= in_flight == 0 ? 0u : 1u;
                    break;
                case Action::stage_start:
                    add(command.kind == 0 ? survey.stages : others, command.text);
                    break;
                case Action::stage_end:
                    add(others, command.text);
                    break;
                case Action::dependency:
                    survey.wide_dependencies = survey.wide_dependencies || command.kind > 0xFF;
                    break;
                case Action::remark:
                case Action::unknown:
                case Action::malformed:
                    survey.other_lines = true;
                    break;
                case Action::label:
                case Action::blank:
                case Action::start_cycle:
                case Action::advance:
                    break;
            }
        }
    } catch (const Error& error) {
        // The reader stops at this line too, after delivering the records before it.
        if (error.failure() != Failure::limit ||
            survey.stages.names().size() + others.names().size() > settings.limits.schema_objects)
            throw;
    }
    for (const std::string& name : others.names())
        survey.stages.add(name);
    if (many_in_flight) {
        many_in_flight->got = std::to_string(most_in_flight);
        findings.report(std::move(*many_in_flight));
    }
    if (many_stages) {
        many_stages->got = std::to_string(survey.stages.names().size());
        findings.report(std::move(*many_stages));
    }
    survey.first_cycle = log.first_cycle();
    survey.last_cycle = log.cycle();
    if (!any || survey.last_command < survey.first_cycle) survey.last_command = survey.first_cycle;
    survey.clock_ps = log.clock_ps();
    survey.version = log.version();
    survey.slots = static_cast<std::uint32_t>(
        std::bit_ceil(std::clamp<std::uint64_t>(most_in_flight, survey.slots, Survey::most_slots)));
    return survey;
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

#include "convert/transforms/event_fields.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "codec/shapes.hpp"
#include "convert/transforms/interval_lowering.hpp"
#include "domain/conventions.hpp"
#include "domain/interval_identity.hpp"

namespace hwtrace {

std::string mask_name(std::size_t number) {
    return std::string(conventions::interval_attributes).append(number == 0 ? "" : std::to_string(number + 1));
}

std::size_t kept_attributes(const Track& stream) noexcept {
    return std::min(stream.fixed_fields(), IntervalLowering::most_attributes);
}

std::string_view number_name(const Track& stream) noexcept {
    return states_numbers(stream) ? conventions::interval_number : conventions::interval_id;
}

EventFields event_fields(const Track& stream) {
    const std::size_t kept = kept_attributes(stream);
    std::set<std::string, std::less<>> taken{std::string(number_name(stream)), std::string(conventions::interval_begin),
                                             std::string(conventions::interval_duration)};
    for (std::size_t i = 0; i < IntervalLowering::masks_for(kept); ++i)
        taken.insert(mask_name(i));
    EventFields result;
    bool any = false;
    for (std::size_t i = 0; i < stream.fields.size(); ++i) {
        if (i >= kept && i < stream.fixed_fields()) continue;
        Field shown = stream.fields[i];
        IntervalMark::Attribute& fact = result.facts.emplace_back();
        fact.phase = std::exchange(shown.phase, Phase::unknown);
        if (const Type type = event_type(shown.type); type != shown.type) fact.type = std::exchange(shown.type, type);
        const std::string stem = shown.name + "." + std::string(name_of(fact.phase));
        for (std::size_t number = fact.phase == Phase::unknown ? 2 : 1; !taken.insert(shown.name).second; ++number) {
            shown.name = stem + (number == 1 ? "" : std::to_string(number));
            fact.renamed = true;
        }
        any = any || fact != IntervalMark::Attribute{};
        result.fields.push_back(std::move(shown));
    }
    if (!any) result.facts.clear();
    return result;
}

Track with_event_types(Track track, std::vector<IntervalMark::Attribute>& facts) {
    bool any = false;
    for (Field& field : track.fields) {
        IntervalMark::Attribute& fact = facts.emplace_back();
        if (const Type type = event_type(field.type); type != field.type) fact.type = std::exchange(field.type, type);
        any = any || fact.type;
    }
    if (!any) facts.clear();
    return track;
}

}  // namespace hwtrace

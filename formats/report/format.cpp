// formats/report/format.cpp - the descriptor of HTML reports. hwtrace does not read them.
#include "codec/format.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "report_writer.hpp"
#include "time_scale.hpp"

namespace hwtrace {
namespace {

constexpr std::array<std::string_view, 2> extensions{".html", ".htm"};

constexpr bool never(Head) {
    return false;
}
constexpr bool always(const Settings&) {
    return true;
}
bool needs_time_order(const Schema& schema, const Settings&) {
    return std::ranges::any_of(schema.tracks(), [](const Track& track) { return track.kind == Track::Kind::stream; });
}
void foresee(const Schema& schema, const Settings&, std::vector<ExpectedLoss>& losses) {
    Losses none_yet;
    const report::TimeScale times(schema, none_yet);
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const Track& track = schema.tracks()[id];
        if (track.kind == Track::Kind::native)
            losses.push_back({Loss::native_dropped, track.name, "only its own format understands it"});
        if (times.may_round(id))
            losses.push_back({Loss::time_rounded, track.name, "a time that is no whole number of the report's unit"});
        else if (track.kind == Track::Kind::stream)
            losses.push_back({Loss::time_rounded, track.name, "an end after 2^63 - 1 ticks"});
    }
}

}  // namespace

extern const Format report_format;
constinit const Format report_format{
    .name = "report",
    .title = "report of a trace, a page for any browser",
    .extensions = extensions,
    .reads = {},
    .writes = {.holds = Holdings::everything(),
               .raises = always,
               .writes_text = always,
               .is_picture = true,
               .foresee = foresee,
               .needs_time_order = needs_time_order},
    .options = {},
    .views = {},
    .rules = {},
    .sniff = never,
    .make_reader = nullptr,
    .make_writer = report::make_report,
};

}  // namespace hwtrace

#include "codec/table_losses.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hwtrace {

namespace {

constexpr std::string_view last_values = "a row has the last value of each field, not the earlier ones";
constexpr std::string_view late_ends = "a begin or end after 2^63 - 1 ticks is shown there";

}  // namespace

void count_row_losses(const TableRows& rows, const Schema& schema, Losses& losses) {
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const std::string& track = schema.tracks()[id].name;
        if (const std::uint64_t earlier = rows.earlier_values(id); earlier != 0)
            losses.count(
                Loss::part_dropped, track, [] { return std::string(last_values); }, earlier);
        if (const std::uint64_t late = rows.late_ends(id); late != 0)
            losses.count(
                Loss::time_rounded, track, [] { return std::string(late_ends); }, late);
    }
}

void foresee_row_losses(const Schema& schema, std::vector<ExpectedLoss>& losses) {
    for (const Track& track : schema.tracks()) {
        if (track.kind == Track::Kind::storage && track.sparse)
            losses.push_back({Loss::part_dropped, track.name, std::string(last_values)});
        if (track.kind == Track::Kind::stream)
            losses.push_back({Loss::time_rounded, track.name, std::string(late_ends)});
    }
}

}  // namespace hwtrace

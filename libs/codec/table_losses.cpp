#include "codec/table_losses.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hwtrace {

namespace {

constexpr std::string_view last_values = "a row has the last value of each field, not the earlier ones";

}  // namespace

void count_earlier_values(const TableRows& rows, const Schema& schema, Losses& losses) {
    for (TrackId track = 0; track < schema.tracks().size(); ++track)
        if (const std::uint64_t earlier = rows.earlier_values(track); earlier != 0)
            losses.count(
                Loss::part_dropped, schema.tracks()[track].name, [] { return std::string(last_values); }, earlier);
}

void foresee_earlier_values(const Schema& schema, std::vector<ExpectedLoss>& losses) {
    for (const Track& track : schema.tracks())
        if (track.kind == Track::Kind::storage && track.sparse)
            losses.push_back({Loss::part_dropped, track.name, std::string(last_values)});
}

}  // namespace hwtrace

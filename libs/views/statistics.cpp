#include "views/statistics.hpp"

#include <algorithm>
#include <limits>

#include "domain/protocols.hpp"

namespace hwtrace {

namespace {

bool is_counted(Kind kind) noexcept {
    return kind == Kind::set || kind == Kind::add || kind == Kind::clear || kind == Kind::event;
}

}  // namespace

std::uint64_t Statistics::Unit::cycles() const noexcept {
    if (!first_cycle || !last_cycle || *last_cycle < *first_cycle) return 0;
    const std::uint64_t length = static_cast<std::uint64_t>(*last_cycle) - static_cast<std::uint64_t>(*first_cycle);
    return lives.in_flight != 0 ? length + 1 : std::max<std::uint64_t>(length, 1);
}

std::optional<std::uint64_t> Statistics::Unit::milli_ipc() const noexcept {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t length = cycles();
    if (length == 0) return std::nullopt;
    return static_cast<std::uint64_t>((static_cast<Wide>(lives.retired) * 1000 + length / 2) / length);
}

StatisticsMeter::Tally& StatisticsMeter::tally_of(TrackId id) {
    constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
    Tally& tally = tallies_[id];
    if (!tally.is_new) return tally;
    tally.is_new = false;
    const Track& track = schema_.tracks()[id];
    if (track.kind != Track::Kind::storage) return tally;
    tally.occupancy = Occupancy(track.slots);
    if (is_shard_) tally.touches = std::make_unique<OccupancyTouches>(track.slots);
    tally.fields = static_cast<std::uint16_t>(std::min(track.fields.size(), most));
    tally.properties = static_cast<std::uint16_t>(std::min(track.properties.size(), most));
    return tally;
}

void StatisticsMeter::add(const Batch& batch) {
    for (const Record& record : batch.records()) {
        if (!is_counted(record.kind)) continue;
        const std::uint64_t counted = (record.flags & record_restated) == 0 ? 1 : 0;
        if (is_shard_ && counted == 0) continue;  // the shards before it state their contents completely
        Tally& tally = tally_of(record.track);
        switch (record.kind) {
            case Kind::set:
                if (is_property(record)) {
                    tally.property_sets += counted;
                    if (record.field >= tally.properties) ++tally.out_of_range;
                    break;
                }
                tally.sets += counted;
                if (tally.reaches(record)) {
                    tally.value = record.value;
                    tally.is_absolute = true;
                }
                break;
            case Kind::add:
                ++tally.adds;
                if (tally.reaches(record)) tally.value += record.value;
                break;
            case Kind::clear:
                ++tally.clears;
                if (tally.occupancy.has(record.ref))
                    tally.free(record.ref);
                else
                    ++tally.out_of_range;
                break;
            case Kind::event:
                if (counted == 0) break;
                if (tally.events++ == 0) tally.first = tally.last = record.time;
                tally.first = std::min(tally.first, record.time);
                tally.last = std::max(tally.last, record.time);
                break;
            default:
                break;
        }
    }
    lives_.add(batch, listener());
    if (latencies_ && !lives_.catalogues().empty()) latencies_->add_stalls(batch, lives_.catalogues());
}

LifetimeListener StatisticsMeter::listener() {
    if (!latencies_) return {};
    return [this](const Lifetime& life) { latencies_->add(life, lives_.catalogues()[life.catalogue]); };
}

void StatisticsMeter::begin_shard() {
    is_shard_ = true;
    lives_.begin_shard();
}

void StatisticsMeter::save(StateOut& out) const {
    std::vector<TrackId> met;
    for (TrackId id = 0; id < schema_.tracks().size(); ++id)
        if (!tallies_.of(id).is_new) met.push_back(id);
    out(met.size());
    for (const TrackId id : met) {
        const Tally& tally = tallies_.of(id);
        out(id, tally.sets, tally.clears, tally.adds, tally.property_sets, tally.out_of_range, tally.events,
            tally.first, tally.last, tally.value, tally.is_absolute);
        out(tally.touches != nullptr);
        if (tally.touches) tally.touches->save(out);
    }
    lives_.save(out);
    if (latencies_) latencies_->save(out);
}

void StatisticsMeter::add(StateIn& in) {
    for (std::size_t left = in.count(); left > 0; --left) {
        Tally& tally = tally_of(static_cast<TrackId>(in.below(schema_.tracks().size())));
        for (std::uint64_t* const sum :
             {&tally.sets, &tally.clears, &tally.adds, &tally.property_sets, &tally.out_of_range})
            *sum += in.get<std::uint64_t>();
        const auto events = in.get<std::uint64_t>();
        const auto first = in.get<Tick>(), last = in.get<Tick>();
        if (events != 0) {
            tally.first = tally.events == 0 ? first : std::min(tally.first, first);
            tally.last = tally.events == 0 ? last : std::max(tally.last, last);
        }
        tally.events += events;
        const auto value = in.get<std::uint64_t>();
        tally.value = in.get<bool>() ? value : tally.value + value;
        if (in.get<bool>()) OccupancyTouches::apply(in, tally.occupancy);
    }
    const std::vector<std::uint32_t> catalogues = lives_.add(in, listener());
    if (latencies_) latencies_->add(in, catalogues);
}

std::string_view StatisticsMeter::not_reduced() const noexcept {
    const std::string_view lives = lives_.not_reduced();
    return !lives.empty() || !latencies_ ? lives : latencies_->not_reduced();
}

std::optional<Statistics> StatisticsMeter::result() {
    lives_.finish(listener());
    Statistics result;
    for (TrackId id = 0; id < schema_.tracks().size(); ++id) {
        const Track& track = schema_.tracks()[id];
        if (track.kind != Track::Kind::storage && track.kind != Track::Kind::event_type) continue;
        const Tally& tally = tallies_.of(id);
        const std::string scope = path_of(schema_, track.scope);
        if (track.kind == Track::Kind::storage) {
            result.tables.push_back({scope, track.name, tally.sets, tally.clears, tally.adds, tally.property_sets,
                                     tally.out_of_range, track.slots, tally.occupancy.used(),
                                     tally.occupancy.highest()});
            if (is_counter(track)) result.counters.push_back({scope, track.name, tally.value});
        } else {
            result.events.push_back({scope, track.name, tally.events, tally.first, tally.last});
        }
    }
    if (result.tables.empty() && result.events.empty()) return std::nullopt;
    for (std::size_t i = 0; i < lives_.catalogues().size(); ++i) {
        const Catalogue& catalogue = lives_.catalogues()[i];
        Statistics::Unit unit;
        unit.scope = catalogue.path;
        unit.protocol = catalogue.protocol;
        unit.lives = lives_.counts()[i];
        unit.assumed_period = catalogue.cycles.assumed();
        if (unit.lives.first) unit.first_cycle = catalogue.cycles.cycle(*unit.lives.first);
        if (unit.lives.last) unit.last_cycle = catalogue.cycles.cycle(*unit.lives.last);
        if (latencies_) unit.latencies = latencies_->result(static_cast<std::uint32_t>(i), catalogue);
        result.units.push_back(std::move(unit));
    }
    return result;
}

}  // namespace hwtrace

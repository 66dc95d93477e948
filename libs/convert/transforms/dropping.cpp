// Leaves out what the target cannot hold in any form.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "convert/transform.hpp"

namespace hwtrace::transforms {

namespace dropping_plan {

/// Drops and counts the records of tracks that the target does not accept.
class Dropping final : public Stage {
public:
    /// If `counts_unused`, also counts tracks without records, because a format may declare its own tracks in every
    /// trace.
    Dropping(const Schema& source, const Target& to, bool counts_unused, Losses& losses)
        : source_(source), to_(to), counts_unused_(counts_unused), losses_(losses) {}
    const Schema& schema() const override { return source_; }
    void apply(const Batch& in, Batch& out) override {
        while (keep_.size() < source_.tracks().size())  // tracks may appear while reading
            keep_.push_back(to_.accepts(source_, source_.tracks()[keep_.size()]));
        for (const Record& record : in.records()) {
            if (keep_[record.track]) {
                out.copy(in, record, record.track);
                continue;
            }
            used_.resize(source_.tracks().size());
            used_[record.track] = true;
            losses_.count(loss_of(source_.tracks()[record.track].kind), source_.tracks()[record.track].name,
                          [&] { return std::string(name_of(record.kind)) + " at " + std::to_string(record.time); });
        }
    }
    bool finish(Batch&) override {
        used_.resize(source_.tracks().size());
        for (TrackId id = 0; counts_unused_ && id < used_.size(); ++id)
            if (const Track& track = source_.tracks()[id];
                !used_[id] && track.kind != Shape::native && !to_.accepts(source_, track))
                losses_.count(loss_of(track.kind), Subject::unused(track.name),
                              [] { return std::string("the track, which has no records"); });
        counts_unused_ = false;
        return false;
    }

private:
    const Schema& source_;
    const Target to_;
    bool counts_unused_;
    std::vector<bool> keep_, used_;
    Losses& losses_;
};

}  // namespace dropping_plan

using namespace dropping_plan;

void drop_others(Planning& p, const Target& to) {
    const Schema& schema = p.here();
    const auto is_dropped = [&](const Track& track) { return !to.accepts(schema, track); };
    if (to.accepts_all(schema)) return;
    std::vector<Mapping> dropped;
    for (const Track& track : schema.tracks()) {
        Mapping one{std::string(name_of_records(track.kind)), "nothing"};
        if (is_dropped(track) && std::ranges::find(dropped, one) == dropped.end()) dropped.push_back(std::move(one));
    }
    p.step("drop", "records that " + std::string(to.format.name) + " cannot hold", std::move(dropped));
    for (const Track& track : schema.tracks())
        if (is_dropped(track)) p.foretell(loss_of(track.kind), track.name, no_place(to, track));
    p.append<Dropping>(schema, to, p.of_model, p.losses);
}

}  // namespace hwtrace::transforms

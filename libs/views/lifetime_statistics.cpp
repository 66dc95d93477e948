#include "views/lifetime_statistics.hpp"

#include <algorithm>
#include <array>

#include "domain/protocols.hpp"
#include "domain/value_text.hpp"
#include "io/text_output.hpp"

namespace hwtrace {

namespace {

constexpr std::array<std::string_view, 5> cause_names{"stall", "flush", "dependency", "retry", "timeout"};

/// Returns the label of a reason, or its number.
std::string reason_text(const Schema& schema, const Field* field, std::uint64_t reason) {
    if (field == nullptr) return std::to_string(reason);
    TextOutput text(-1);
    append_value(schema, *field, reason, text);
    return std::string(text.text());
}

}  // namespace

LifetimeStatistics::Tally& LifetimeStatistics::tally_of(std::uint32_t catalogue) {
    if (catalogue >= tallies_.size()) tallies_.resize(std::size_t{catalogue} + 1);
    Tally& tally = tallies_[catalogue];
    if (tally.is_new) {
        tally.is_new = false;
        tally.lifetimes = LengthMeter(&histograms_);
    }
    return tally;
}

void LifetimeStatistics::count(Tally& tally, Cause cause, std::uint64_t reason, std::uint64_t times) {
    const std::pair key{cause, reason};
    if (tally.reasons.size() < most_reasons || tally.reasons.contains(key))
        tally.reasons[key] += times;
    else
        not_reduced_ = "there are more than 256 reasons to wait";
}

void LifetimeStatistics::add(const Lifetime& life, const Catalogue& catalogue) {
    Tally& tally = tally_of(life.catalogue);
    const auto cycles = [&](Tick begin, Tick end) {
        return ticks_between(catalogue.cycles.cycle(begin), catalogue.cycles.cycle(std::max(begin, end)));
    };
    const bool is_complete = life.status == Lifetime::Status::retired || life.status == Lifetime::Status::flushed;
    if (is_complete && !life.born_before) tally.lifetimes.add(cycles(life.first, life.last));
    for (const Lifetime::Stage& stage : life.stages) {
        if (stage.stage >= most_stages || stage.open) continue;
        while (tally.stages.size() <= stage.stage)
            tally.stages.emplace_back(&histograms_);
        tally.stages[static_cast<std::size_t>(stage.stage)].add(cycles(stage.begin, stage.end));
    }
    if (life.flush_reason) count(tally, Cause::flush, *life.flush_reason);
    for (const Lifetime::Remark& remark : life.remarks) {
        if (remark.kind == Lifetime::Remark::Kind::dependency) count(tally, Cause::dependency, remark.type);
        if (remark.kind == Lifetime::Remark::Kind::retry) count(tally, Cause::retry, remark.what);
        if (remark.kind == Lifetime::Remark::Kind::timeout) count(tally, Cause::timeout, remark.what);
    }
}

void LifetimeStatistics::add_stalls(const Batch& batch, const std::vector<Catalogue>& catalogues) {
    if (stalls_.size() < schema_.tracks().size()) {
        stalls_.assign(schema_.tracks().size(), none);
        for (std::uint32_t i = 0; i < catalogues.size(); ++i) {
            if (catalogues[i].protocol != Catalogue::Protocol::cpu) continue;
            const TrackId stall =
                find_track_in(schema_, catalogues[i].scope, Track::Kind::event_type, cause_names.front());
            if (stall != none) stalls_[stall] = i;
        }
    }
    for (const Record& record : batch.records())
        if (record.kind == Kind::event && stalls_[record.track] != none && record.count != 0)
            count(tally_of(stalls_[record.track]), Cause::stall, batch.cells(record)[0]);
}

void LifetimeStatistics::save(StateOut& out) const {
    out(not_reduced_.empty(), tallies_.size());
    for (const Tally& tally : tallies_) {
        tally.lifetimes.save(out);
        out(tally.stages.size());
        for (const LengthMeter& stage : tally.stages)
            stage.save(out);
        out(tally.reasons.size());
        for (const auto& [key, times] : tally.reasons)
            out(key.first, key.second, times);
    }
}

void LifetimeStatistics::add(StateIn& in, const std::vector<std::uint32_t>& catalogues) {
    is_reduced_ = true;
    if (!in.get<bool>()) not_reduced_ = "there are more than 256 reasons to wait";
    const std::size_t tallies = in.count();
    StateIn::require(tallies <= catalogues.size());
    for (std::size_t i = 0; i < tallies; ++i) {
        Tally& tally = tally_of(catalogues[i]);
        tally.lifetimes.add(in);
        const std::size_t stages = in.count();
        StateIn::require(stages <= most_stages);
        while (tally.stages.size() < stages)
            tally.stages.emplace_back(&histograms_);
        for (std::size_t stage = 0; stage < stages; ++stage)
            tally.stages[stage].add(in);
        for (std::size_t left = in.count(); left > 0; --left) {
            const Cause cause = in.one_up_to(Cause::timeout);
            const auto reason = in.get<std::uint64_t>();
            count(tally, cause, reason, in.get<std::uint64_t>());
        }
    }
}

StageLatencies LifetimeStatistics::result(std::uint32_t catalogue_number, const Catalogue& catalogue) {
    StageLatencies result;
    if (catalogue_number >= tallies_.size()) return result;
    const Tally& tally = tallies_[catalogue_number];
    result.lifetimes = tally.lifetimes.summary();
    for (std::size_t stage = 0; stage < tally.stages.size(); ++stage) {
        if (tally.stages[stage].count() == 0) continue;
        const bool has_name = stage < catalogue.stages.size() && !catalogue.stages[stage].empty();
        result.stages.push_back(
            {has_name ? catalogue.stages[stage] : std::to_string(stage), tally.stages[stage].summary()});
    }
    const TrackId stall = find_track_in(schema_, catalogue.scope, Track::Kind::event_type, cause_names.front());
    const bool has_stall = stall != none && !schema_.tracks()[stall].fields.empty();
    const std::array<const Field*, 5> fields{has_stall ? schema_.tracks()[stall].fields.data() : nullptr,
                                             catalogue.flush_reason, catalogue.dependency_type, catalogue.retry_reason,
                                             nullptr};
    for (const auto& [key, times] : tally.reasons) {
        const auto cause = static_cast<std::size_t>(key.first);
        if (is_reduced_ && fields[cause] != nullptr && holds_text(fields[cause]->type)) {
            not_reduced_ = "reasons to wait are texts, which each shard numbers on its own";
            continue;
        }
        result.reasons.push_back({cause_names[cause], reason_text(schema_, fields[cause], key.second), times});
    }
    return result;
}

}  // namespace hwtrace

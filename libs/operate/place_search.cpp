#include "operate/place_search.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "codec/trace_index.hpp"
#include "domain/interval_ids.hpp"
#include "domain/picosecond_scale.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "select/positions.hpp"
#include "select/slice_entry.hpp"

namespace hwtrace {

namespace {

/// Compares records with a place.
class PlaceMatch {
public:
    PlaceMatch(const TracePlace& place, const Schema& schema) : place_(place), schema_(schema), ids_(schema) {}

    bool operator()(const Batch& batch, const Record& record) {
        switch (place_.kind) {
            case TracePlace::Kind::position:
                return false;
            case TracePlace::Kind::pc:
                return record.kind == Kind::instruction && record.value == place_.value;
            case TracePlace::Kind::id:
                return ids_.of(batch, record) == place_.value;
            case TracePlace::Kind::cycle:
            case TracePlace::Kind::time_ps:
                return record.time >= earliest_of(record.track);
        }
        return false;
    }

    /// Returns a checkpoint before the first match, or nullptr.
    const Checkpoint* checkpoint_in(const TraceIndex& index) {
        if (place_.kind != TracePlace::Kind::cycle && place_.kind != TracePlace::Kind::time_ps) return nullptr;
        return schema_.tracks().empty() ? nullptr : index.before_time(earliest_of(0));
    }

private:
    /// Returns the first tick of the track at or after the place.
    Tick earliest_of(TrackId track) {
        while (earliest_.size() <= track)
            earliest_.push_back(first_tick(schema_.tracks()[earliest_.size()]));
        return earliest_[track];
    }
    Tick first_tick(const Track& track) const {
        constexpr auto last = std::numeric_limits<Tick>::max();
        const Tick value = static_cast<Tick>(std::min<std::uint64_t>(place_.value, last));
        if (place_.kind == TracePlace::Kind::cycle && track.time.kind == TimeBase::Kind::cycles) return value;
        if (!has_duration(track.time)) return last;  // such records never match
        if (place_.kind == TracePlace::Kind::time_ps) return PicosecondScale(track.time, 0).tick(value);
        const std::uint64_t period = common_period(schema_, "--around");
        if (period == 0) fail(Failure::usage, "--around: the trace does not state the length of a cycle; use ps to s");
        std::uint64_t ps = 0;
        if (__builtin_mul_overflow(place_.value, period, &ps) || ps > std::uint64_t{last}) return last;
        return PicosecondScale(track.time, 0).tick(static_cast<Tick>(ps));
    }

    TracePlace place_;
    const Schema& schema_;
    IntervalIds ids_;
    std::vector<Tick> earliest_;  // by track
};

/// Throws Failure::usage if no track has the kind of time in which the place is given.
void check_has_times(const TracePlace& place, const Schema& schema) {
    if (place.kind != TracePlace::Kind::cycle && place.kind != TracePlace::Kind::time_ps) return;
    if (schema.tracks().empty()) return;
    const auto counts_cycles = [](const Track& track) { return track.time.kind == TimeBase::Kind::cycles; };
    const bool has_cycles = std::ranges::any_of(schema.tracks(), counts_cycles);
    if (std::ranges::any_of(schema.tracks(), [](const Track& track) { return has_duration(track.time); })) return;
    if (!has_cycles)
        fail(Failure::usage, "--around: the trace counts positions and has no times; use a position such as 100#");
    if (place.kind == TracePlace::Kind::time_ps)
        fail(Failure::usage, "--around: the trace does not state the length of a cycle; use a cycle such as 100cyc");
}

/// Returns the position of the first record that matches.
std::optional<std::uint64_t> find_position(Reader& reader, const TracePlace& place, Shapes shapes,
                                           const TraceIndex* index) {
    PlaceMatch matches(place, reader.schema());
    PositionCounter counter(position_kind(reader.schema(), shapes));
    if (index != nullptr)
        if (const Checkpoint* const checkpoint = matches.checkpoint_in(*index))
            if (resume_at(*index, *checkpoint, reader)) counter.lose(checkpoint->position);
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        counter.lose(batch.lost_positions());
        for (const Record& record : batch.records()) {
            const auto position = counter.add(record, reader.schema().tracks()[record.track]);
            if (position && matches(batch, record)) return position;
        }
    }
    check_has_times(place, reader.schema());
    return std::nullopt;
}

}  // namespace

TracePlace parse_trace_place(std::string_view text, std::string_view option) {
    const auto reject = [&] {
        std::string message(option);
        message.append(" ").append(text).append(
            ": expected a place such as 100000# (an instruction, transaction or record), 10us, 1313cyc, pc=0x80000010 "
            "or id=5");
        fail(Failure::usage, message);
    };
    for (const auto& [key, kind] :
         {std::pair{std::string_view("pc="), TracePlace::Kind::pc}, {"id=", TracePlace::Kind::id}}) {
        if (!text.starts_with(key)) continue;
        const auto value = parse_number(text.substr(key.size()));
        if (!value) reject();
        return {kind, *value};
    }
    if (text.ends_with('#') || text.starts_with('#')) {
        const std::string_view digits = text.starts_with('#') ? text.substr(1) : text.substr(0, text.size() - 1);
        const auto position = parse_digits(digits);
        if (!position) reject();
        return {TracePlace::Kind::position, *position};
    }
    constexpr std::string_view cycles = "cyc";
    const bool in_cycles = text.ends_with(cycles);
    const auto value = in_cycles ? parse_digits(text.substr(0, text.size() - cycles.size())) : parse_time_ps(text);
    if (!value) reject();
    return {in_cycles ? TracePlace::Kind::cycle : TracePlace::Kind::time_ps, *value};
}

std::optional<Range> range_around(const TracePlace& place, std::uint64_t context, Input& input, const Format& from,
                                  const Settings& settings, const TraceIndex* index) {
    std::optional<std::uint64_t> position = place.value;
    if (place.kind != TracePlace::Kind::position) {
        input.spool(settings.temporary_folder);
        Findings reported_later(0);
        const std::unique_ptr<Reader> reader = from.open(input, settings, reported_later);
        position = find_position(*reader, place, from.reads.shapes, index);
        input.seek(0);
    }
    if (!position) return std::nullopt;
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t behind = most - *position <= context ? most : *position + context + 1;
    return Range{Range::Unit::record, *position - std::min(context, *position), behind};
}

}  // namespace hwtrace

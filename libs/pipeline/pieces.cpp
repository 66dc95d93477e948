#include "pipeline/pieces.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "codec/settings.hpp"
#include "io/error.hpp"
#include "io/limits.hpp"
#include "io/number_text.hpp"
#include "model/conventions.hpp"
#include "model/protocols.hpp"
#include "pipeline/interval_time.hpp"
#include "pipeline/picosecond_scale.hpp"
#include "pipeline/position_count.hpp"
#include "pipeline/record_selection.hpp"
#include "pipeline/stage_run.hpp"

namespace hwtrace {

namespace {

__extension__ using UnsignedWide = unsigned __int128;

constexpr std::uint64_t beyond_all = std::numeric_limits<std::uint64_t>::max();

bool is_of(const Schema& schema, Track::Kind kind) {
    return std::ranges::any_of(schema.tracks(), [&](const Track& track) { return track.kind == kind; });
}

[[noreturn]] void refuse(const Track& track, std::string_view why) {
    std::string message = "--every: track '";
    message.append(track.name).append("' ").append(why);
    fail(Failure::usage, message);
}

/// Which pieces have anything.
class Occupied {
public:
    Occupied(const PieceLength& length, std::uint64_t most) : length_(length), most_(most) {}

    void mark(std::uint64_t first, std::uint64_t last) {
        if (first == last_first_ && last == last_last_) return;
        last_first_ = first;
        last_last_ = last;
        check(last - first == beyond_all ? beyond_all : last - first + 1);
        for (std::uint64_t number = first; number != last; ++number)
            numbers_.insert(number);
        numbers_.insert(last);
        check(numbers_.size());
    }
    void mark(std::uint64_t number) { mark(number, number); }

    std::vector<Range> ranges() const {
        std::vector<Range> ranges;
        for (const std::uint64_t number : numbers_) {
            Range range{length_.unit, 0, std::nullopt};
            if (__builtin_mul_overflow(number, length_.value, &range.begin)) break;
            std::uint64_t end = 0;
            if (!__builtin_add_overflow(range.begin, length_.value, &end)) range.end = end;
            ranges.push_back(range);
        }
        return ranges;
    }

private:
    void check(std::uint64_t pieces) const { check_limit(pieces, most_, "the number of pieces", "--max-pieces"); }

    PieceLength length_;
    std::uint64_t most_;
    std::set<std::uint64_t> numbers_;
    std::uint64_t last_first_ = beyond_all, last_last_ = 0;  // no piece
};

/// In which piece a time of a track is, exactly: RangeWindows divides the same way.
class PieceTimes {
public:
    PieceTimes(const Schema& schema, const PieceLength& length, std::optional<std::uint64_t> period_ps)
        : schema_(schema), length_(length), period_ps_(period_ps) {}

    /// The pieces of the record: of an interval, all that it overlaps.
    std::pair<std::uint64_t, std::uint64_t> pieces_of(const Batch& batch, const Record& record) {
        while (scales_.size() <= record.track)
            scales_.push_back(scale_of(schema_.tracks()[scales_.size()]));
        const Scale& scale = scales_[record.track];
        if (scale.den == 0) refuse_unit(schema_.tracks()[record.track]);
        const WideTick begin = exact_begin(schema_, batch, record);
        const std::uint64_t first = floor(scale, begin);
        if (record.kind != Kind::interval || record.value == 0) return {first, first};
        const WideTick end = begin + WideTick{record.value};
        return {first, end <= 0 ? 0 : std::max(first, floor(scale, end, end_of_interval))};
    }

private:
    /// A tick is num / den pieces; den 0: it cannot be compared with them.
    struct Scale {
        UnsignedWide num = 0, den = 0;
    };
    enum Edge : std::uint8_t { moment, end_of_interval };

    Scale scale_of(const Track& track) {
        TimeBase base = track.time;
        if (period_ps_ && base.kind == TimeBase::Kind::cycles && !has_duration(base))
            base = {TimeBase::Kind::cycles, *period_ps_, picoseconds_per_second};
        if (length_.unit == Range::Unit::cycle && base.kind == TimeBase::Kind::cycles) return {1, length_.value};
        if (!has_duration(base)) return {};
        UnsignedWide ps = length_.value;
        if (length_.unit == Range::Unit::cycle) {
            const std::uint64_t cycle_ps = common_period(schema_, "--every");
            if (cycle_ps == 0) return {};
            ps *= cycle_ps;
        }
        UnsignedWide num = UnsignedWide{base.num} * picoseconds_per_second, den = 0;
        std::uint64_t base_den = base.den;
        reduce(num, base_den);
        reduce(num, ps);
        // A piece that 128 bits cannot compare with a tick is longer than any trace.
        if (__builtin_mul_overflow(ps, UnsignedWide{base_den}, &den)) return {0, 1};
        return {num, den};
    }

    template <typename A, typename B>
    static void reduce(A& a, B& b) noexcept {
        UnsignedWide x = a, y = b;
        while (y != 0) {
            const UnsignedWide rest = x % y;
            x = y;
            y = rest;
        }
        a = static_cast<A>(a / x);
        b = static_cast<B>(b / x);
    }

    /// The piece of a moment; what ends where a piece begins is not in it.
    static std::uint64_t floor(const Scale& scale, WideTick time, Edge edge = moment) noexcept {
        if (time <= 0) return 0;
        UnsignedWide scaled = 0;
        if (__builtin_mul_overflow(static_cast<UnsignedWide>(time), scale.num, &scaled)) return beyond_all;
        if (edge == end_of_interval && scaled != 0) --scaled;
        return static_cast<std::uint64_t>(std::min<UnsignedWide>(scaled / scale.den, beyond_all));
    }

    [[noreturn]] void refuse_unit(const Track& track) const {
        switch (track.time.kind) {
            case TimeBase::Kind::seconds:
                refuse(track, "counts time, and the trace does not say how long a cycle is: use ps, ns, us, ms or s");
            case TimeBase::Kind::cycles:
                refuse(track, "counts cycles of an unknown clock: state it with --clock, or use cyc, such as 1000cyc");
            case TimeBase::Kind::ordinal:
                break;
        }
        refuse(track, "counts positions, which are no time: use #, such as 1000000#");
    }

    const Schema& schema_;
    PieceLength length_;
    std::optional<std::uint64_t> period_ps_;
    std::vector<Scale> scales_;  // by track
};

/// Hands all that comes out of the plan's stages to `look`.
template <typename Look>
void look_at_all(Reader& reader, Plan& plan, Look&& look) {
    StageRun stages(plan);
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        const std::uint64_t lost = batch.lost_positions();
        look(stages.apply(batch), lost);
    }
    stages.finish([&](Batch& rest) { look(rest, std::uint64_t{0}); });
}

/// What of the records decides in which pieces they are.
class RangeSearch {
public:
    RangeSearch(const Schema& schema, const PieceLength& length, const PieceSearch& search)
        : schema_(schema),
          length_(length),
          occupied_(length, search.most),
          times_(schema, length, search.period_ps),
          counted_(position_kind(schema, search.kinds)),
          has_hart_(is_of(schema, Track::Kind::hart)) {}

    void look(const Batch& batch, std::uint64_t lost) {
        position_ += lost;
        for (const Record& record : batch.records()) {
            if (has_hart_)
                look_at_group(batch, record);
            else
                look_at(batch, record);
        }
    }

    std::vector<Range> ranges() {
        if (loose_) occupied_.mark(loose_->first, loose_->second);
        return occupied_.ranges();
    }

private:
    using Pieces = std::pair<std::uint64_t, std::uint64_t>;

    Pieces pieces_of_position(std::uint64_t position) const noexcept {
        return {position / length_.value, position / length_.value};
    }
    bool counts_time() const noexcept { return length_.unit != Range::Unit::record; }

    /// What stands before an instruction is where that is; what stands behind the last, where its first record is.
    void look_at_group(const Batch& batch, const Record& record) {
        const bool is_instruction = record.kind == Kind::instruction;
        if (!is_instruction && loose_) return;
        const bool numbered = schema_.tracks()[record.track].time == ordinals;
        const std::uint64_t position = numbered ? static_cast<std::uint64_t>(record.time) : position_;
        const Pieces pieces = counts_time() ? times_.pieces_of(batch, record) : pieces_of_position(position);
        if (!is_instruction) {
            loose_ = pieces;
            return;
        }
        loose_.reset();
        position_ = position + 1;
        occupied_.mark(pieces.first, pieces.second);
    }

    void look_at(const Batch& batch, const Record& record) {
        const bool is_counted = !counted_ || record.kind == *counted_;
        const std::uint64_t position = is_counted ? position_++ : position_;
        if (record.kind == Kind::relation && (streams_ = streams_ || is_of(schema_, Track::Kind::stream))) return;
        const Pieces pieces = counts_time() ? times_.pieces_of(batch, record) : pieces_of_position(position);
        occupied_.mark(pieces.first, pieces.second);
    }

    const Schema& schema_;
    PieceLength length_;
    Occupied occupied_;
    PieceTimes times_;
    std::optional<Kind> counted_;
    bool has_hart_;
    bool streams_ = false;         // relations stay with the intervals that they lead to
    std::uint64_t position_ = 0;   // of the next record that is counted
    std::optional<Pieces> loose_;  // of records that no instruction has followed yet
};

/// "soc/core0"; empty for the root "/" and for no scope.
std::string name_of_scope(const Schema& schema, ScopeId scope) {
    std::string path = path_of(schema, scope);
    path.erase(0, path.find_first_not_of('/'));
    return path;
}

/// The scopes that a scope is in, from the outermost on, and itself; the root "/" aside.
std::vector<ScopeId> scopes_down_to(const Schema& schema, ScopeId scope) {
    std::vector<ScopeId> scopes;
    any_upwards(schema, scope, [&](ScopeId up) {
        if (schema.scopes()[up].name != "/") scopes.push_back(up);
        return false;
    });
    std::ranges::reverse(scopes);
    return scopes;
}

/// Which tracks are together, by the names of the pieces.
using NameOfPiece = std::function<std::string(const Track& track)>;

/// The pieces that have records. Tracks of one name are together; relations that follow intervals are in none.
std::vector<PieceTracks> pieces_by_name(const Schema& schema, const std::vector<bool>& has_records,
                                        const NameOfPiece& name_of_piece) {
    const bool relations_follow = relations_follow_intervals(schema, {});
    std::vector<PieceTracks> pieces;
    std::vector<bool> occupied;
    std::map<std::string, std::size_t, std::less<>> places;
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const Track& track = schema.tracks()[id];
        if (track.kind == Track::Kind::relation_type && relations_follow) continue;
        const auto [place, is_new] = places.emplace(name_of_piece(track), pieces.size());
        if (is_new) {
            pieces.push_back({place->first.empty() ? "rest" : place->first, {}});
            occupied.push_back(false);
        }
        pieces[place->second].tracks.push_back(id);
        if (id < has_records.size() && has_records[id]) occupied[place->second] = true;
    }
    std::vector<PieceTracks> kept;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (occupied[i]) kept.push_back(std::move(pieces[i]));
    return kept;
}

/// By the scopes `depth` levels down, or by those that are the last on the way there; 0: as far down as it takes for
/// more than one piece.
std::vector<PieceTracks> pieces_by_scope(const Schema& schema, const std::vector<bool>& has_records,
                                         std::uint64_t depth) {
    std::size_t deepest = 1;
    const auto at = [&](std::uint64_t levels) {
        return pieces_by_name(schema, has_records, [&](const Track& track) {
            const std::vector<ScopeId> scopes = scopes_down_to(schema, track.scope);
            deepest = std::max(deepest, scopes.size());
            std::string path;
            for (std::size_t level = 0; level < scopes.size() && level < levels; ++level)
                path.append(level == 0 ? "" : "/").append(schema.scopes()[scopes[level]].name);
            return path;
        });
    };
    if (depth != 0) return at(depth);
    std::vector<PieceTracks> outermost = at(1);
    for (std::uint64_t levels = 2; outermost.size() == 1 && levels <= deepest; ++levels) {
        std::vector<PieceTracks> below = at(levels);
        if (below.size() > 1) return below;
    }
    return outermost;
}

}  // namespace

PieceLength parse_piece_length(std::string_view text) {
    constexpr std::string_view cycles = "cyc";
    std::optional<std::uint64_t> value;
    Range::Unit unit = Range::Unit::time_ps;
    if (text.ends_with('#') || text.starts_with('#')) {
        unit = Range::Unit::record;
        value = parse_digits(text.starts_with('#') ? text.substr(1) : text.substr(0, text.size() - 1));
    } else if (text.ends_with(cycles)) {
        unit = Range::Unit::cycle;
        value = parse_digits(text.substr(0, text.size() - cycles.size()));
    } else {
        value = parse_time_ps(text);
    }
    if (value && *value != 0) return {unit, *value};
    std::string message = "--every ";
    message.append(text).append(
        ": takes how long a piece is, and not 0: 1000000# (instructions, transactions or "
        "records), 1000cyc, 500ns, 1ms");
    fail(Failure::usage, message);
}

std::vector<Range> find_ranges(Reader& reader, Plan& plan, const PieceLength& length, const PieceSearch& search) {
    RangeSearch found(plan.target_schema(reader.schema()), length, search);
    look_at_all(reader, plan, [&](const Batch& batch, std::uint64_t lost) { found.look(batch, lost); });
    return found.ranges();
}

std::vector<PieceTracks> find_tracks(Reader& reader, Plan& plan, PieceOf what, const PieceSearch& search) {
    std::vector<bool> has_records;
    look_at_all(reader, plan, [&](const Batch& batch, std::uint64_t) {
        for (const Record& record : batch.records()) {
            if (record.track >= has_records.size()) has_records.resize(record.track + std::size_t{1});
            has_records[record.track] = true;
        }
    });
    const Schema& schema = plan.target_schema(reader.schema());
    std::set<ScopeId> harts;
    for (const Track& track : schema.tracks())
        if (track.kind == Track::Kind::hart) harts.insert(track.scope);
    for (ScopeId scope = 0; scope < schema.scopes().size(); ++scope)
        if (schema.scopes()[scope].protocol == conventions::cpu_protocol) harts.insert(scope);
    if (what == PieceOf::hart && harts.empty())
        fail(Failure::usage, "--by hart: this trace has no harts; use --by scope or --by track");

    const auto path_of_track = [&](const Track& track) {
        const std::string path = name_of_scope(schema, track.scope);
        return path.empty() ? track.name : path + '/' + track.name;
    };
    const auto path_of_hart = [&](const Track& track) {
        std::string hart;
        any_upwards(schema, track.scope, [&](ScopeId up) {
            if (!harts.contains(up)) return false;
            hart = name_of_scope(schema, up);
            if (hart.empty()) hart = "hart";
            return true;
        });
        if (hart.empty() && track.kind == Track::Kind::hart) hart = track.name;
        return hart;
    };
    std::vector<PieceTracks> pieces = what == PieceOf::scope   ? pieces_by_scope(schema, has_records, search.depth)
                                      : what == PieceOf::track ? pieces_by_name(schema, has_records, path_of_track)
                                                               : pieces_by_name(schema, has_records, path_of_hart);
    check_limit(pieces.size(), search.most, "the number of pieces", "--max-pieces");
    return pieces;
}

}  // namespace hwtrace

#include "operate/pieces.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "codec/settings.hpp"
#include "convert/stage_run.hpp"
#include "domain/conventions.hpp"
#include "domain/interval_time.hpp"
#include "domain/picosecond_scale.hpp"
#include "domain/protocols.hpp"
#include "io/error.hpp"
#include "io/limits.hpp"
#include "io/number_text.hpp"
#include "select/positions.hpp"
#include "select/record_selection.hpp"

namespace hwtrace {

namespace {

__extension__ using UnsignedWide = unsigned __int128;

constexpr std::uint64_t beyond_all = std::numeric_limits<std::uint64_t>::max();

bool is_of(const Schema& schema, Track::Kind kind) {
    return std::ranges::any_of(schema.tracks(), [&](const Track& track) { return track.kind == kind; });
}

[[noreturn]] void refuse_length(const Track& track, std::string_view why) {
    std::string message = "--every: track '";
    message.append(track.name).append("' ").append(why);
    fail(Failure::usage, message);
}

/// The set of pieces that have records.
class Occupied {
public:
    Occupied(const PieceLength& length, const std::optional<Range>& range, std::uint64_t most)
        : length_(length), begin_(range ? range->begin : 0), end_(range ? range->end : std::nullopt), most_(most) {}

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

    std::vector<Range> ranges() const {
        std::vector<Range> ranges;
        for (const std::uint64_t number : numbers_) {
            Range range{length_.unit, 0, end_};
            if (__builtin_mul_overflow(number, length_.value, &range.begin) ||
                __builtin_add_overflow(range.begin, begin_, &range.begin))
                break;
            std::uint64_t end = 0;
            if (!__builtin_add_overflow(range.begin, length_.value, &end))
                range.end = std::min(end, end_.value_or(end));
            ranges.push_back(range);
        }
        return ranges;
    }

private:
    void check(std::uint64_t pieces) const { check_limit(pieces, most_, "the number of pieces", "--max-pieces"); }

    PieceLength length_;
    std::uint64_t begin_;  ///< start of the first piece
    std::optional<std::uint64_t> end_;
    std::uint64_t most_;
    std::set<std::uint64_t> numbers_;
    std::uint64_t last_first_ = beyond_all, last_last_ = 0;  // none yet
};

/// The first and the last piece of a record; nullopt if the record is in no piece.
using Pieces = std::optional<std::pair<std::uint64_t, std::uint64_t>>;

/// Computes the piece of a time exactly, with the same divisions as RangeWindows.
class PieceTimes {
public:
    PieceTimes(const Schema& schema, const PieceLength& length, const PieceSearch& search)
        : schema_(schema),
          length_(length),
          range_(search.range.value_or(Range{length.unit, 0, std::nullopt})),
          period_ps_(search.period_ps) {}

    /// Returns the pieces of a record. An interval is in all pieces that it overlaps.
    Pieces pieces_of(const Batch& batch, const Record& record) {
        while (scales_.size() <= record.track)
            scales_.push_back(scale_of(schema_.tracks()[scales_.size()]));
        const Scale& scale = scales_[record.track];
        if (scale.piece == 0) refuse_unit(schema_.tracks()[record.track]);
        const WideTick begin = exact_begin(schema_, batch, record);
        const UnsignedWide from = scaled(scale, begin);
        if (from >= scale.end) return std::nullopt;
        // An interval that ends where a piece begins is not in that piece.
        const bool lasts = record.kind == Kind::interval && record.value != 0;
        const UnsignedWide to = lasts ? std::min(scaled(scale, begin + WideTick{record.value}), scale.end) : from;
        if (from < scale.begin && to <= scale.begin) return std::nullopt;
        const std::uint64_t first = from <= scale.begin ? 0 : number_of(from - scale.begin, scale);
        if (!lasts || to <= scale.begin) return std::pair{first, first};
        return std::pair{first, std::max(first, number_of(to - scale.begin - 1, scale))};
    }

private:
    static constexpr UnsignedWide endless = ~UnsignedWide{0};

    /// The scale of a track in common units. A tick has `num` units, a piece has `piece` units, and the range is from
    /// `begin` to `end`. If `piece` is 0, ticks and pieces cannot be compared.
    struct Scale {
        UnsignedWide num = 0, piece = 0, begin = 0, end = endless;
    };

    Scale scale_of(const Track& track) {
        TimeBase base = track.time;
        if (period_ps_ && base.kind == TimeBase::Kind::cycles && !has_duration(base))
            base = {TimeBase::Kind::cycles, *period_ps_, picoseconds_per_second};
        if (length_.unit == Range::Unit::cycle && base.kind == TimeBase::Kind::cycles) return scale_by({1, 1}, 1);
        if (!has_duration(base)) return {};
        if (length_.unit != Range::Unit::cycle) return time_scale(base, 1);
        const std::uint64_t cycle_ps = common_period(schema_, "--every");
        return cycle_ps == 0 ? Scale{} : time_scale(base, cycle_ps);
    }

    /// Returns the scale of a track that counts time, for pieces whose unit lasts `unit_ps`.
    Scale time_scale(const TimeBase& base, std::uint64_t unit_ps) const {
        UnsignedWide common = UnsignedWide{base.num} * picoseconds_per_second;
        std::uint64_t den = base.den;
        reduce(common, den);
        return scale_by({common, den}, unit_ps);
    }

    /// A length of num / den common units.
    struct Length {
        UnsignedWide num = 1;
        std::uint64_t den = 1;
    };
    /// Returns the scale for ticks of this length. One unit of the piece length is `units` common units.
    Scale scale_by(const Length& length, std::uint64_t units) const {
        const UnsignedWide unit = UnsignedWide{units} * length.den;
        Scale scale{length.num, 0, 0, endless};
        const std::uint64_t end = range_.end.value_or(0);
        // A piece that exceeds 128 bits is longer than any trace.
        if (__builtin_mul_overflow(unit, UnsignedWide{length_.value}, &scale.piece)) return {0, 1, 0, endless};
        if (__builtin_mul_overflow(unit, UnsignedWide{range_.begin}, &scale.begin)) scale.begin = endless - 1;
        if (range_.end && __builtin_mul_overflow(unit, UnsignedWide{end}, &scale.end)) scale.end = endless;
        UnsignedWide divisor = scale.num;
        for (const UnsignedWide part : {scale.piece, scale.begin, range_.end ? scale.end : UnsignedWide{0}})
            divisor = common_divisor(divisor, part);
        for (UnsignedWide* const part : {&scale.num, &scale.piece, &scale.begin})
            *part /= divisor;
        if (range_.end) scale.end /= divisor;
        return scale;
    }

    static UnsignedWide common_divisor(UnsignedWide x, UnsignedWide y) noexcept {
        while (y != 0) {
            const UnsignedWide rest = x % y;
            x = y;
            y = rest;
        }
        return x;
    }
    static void reduce(UnsignedWide& a, std::uint64_t& b) noexcept {
        const UnsignedWide divisor = common_divisor(a, b);
        a /= divisor;
        b = static_cast<std::uint64_t>(b / divisor);
    }

    static UnsignedWide scaled(const Scale& scale, WideTick time) noexcept {
        if (time <= 0) return 0;
        UnsignedWide units = 0;
        return __builtin_mul_overflow(static_cast<UnsignedWide>(time), scale.num, &units) ? endless - 1 : units;
    }
    static std::uint64_t number_of(UnsignedWide units, const Scale& scale) noexcept {
        return static_cast<std::uint64_t>(std::min<UnsignedWide>(units / scale.piece, beyond_all));
    }

    [[noreturn]] void refuse_unit(const Track& track) const {
        switch (track.time.kind) {
            case TimeBase::Kind::seconds:
                refuse_length(
                    track, "counts time, and the trace does not state the length of a cycle: use ps, ns, us, ms or s");
            case TimeBase::Kind::cycles:
                refuse_length(track,
                              "counts cycles of an unknown clock: state it with --clock, or use cyc, such as 1000cyc");
            case TimeBase::Kind::ordinal:
                break;
        }
        refuse_length(track, "counts positions instead of time: use #, such as 1000000#");
    }

    const Schema& schema_;
    PieceLength length_;
    Range range_;
    std::optional<std::uint64_t> period_ps_;
    std::vector<Scale> scales_;  // by track
};

/// Passes all records that leave the plan's stages to `look`.
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

/// Passes records through several plans in sequence and determines which records lead to output.
class Kept {
public:
    explicit Kept(std::initializer_list<Plan*> plans) {
        for (Plan* const plan : plans)
            if (!plan->stages.empty()) runs_.emplace_back(*plan);
    }

    /// Returns true if passing in this record leads to output. Call it for all records in order.
    bool keeps(const Batch& batch, const Record& record) {
        if (runs_.empty()) return true;
        one_.clear();
        one_.copy(batch, record, record.track);
        return !apply(one_, 0).empty();
    }
    /// Returns true if more output follows after the last record.
    bool keeps_rest() {
        bool any = false;
        for (std::size_t i = 0; i < runs_.size(); ++i)
            runs_[i].finish([&](Batch& rest) { any = !apply(rest, i + 1).empty() || any; });
        return any;
    }

private:
    Batch& apply(Batch& batch, std::size_t first) {
        Batch* current = &batch;
        for (std::size_t i = first; i < runs_.size(); ++i)
            current = &runs_[i].apply(*current);
        return *current;
    }

    std::vector<StageRun> runs_;
    Batch one_;
};

/// Finds the pieces that have records.
class RangeSearch {
public:
    RangeSearch(const Schema& schema, PiecePlans& plans, const PieceLength& length, const PieceSearch& search)
        : schema_(schema),
          length_(length),
          range_(search.range.value_or(Range{length.unit, 0, std::nullopt})),
          kept_({&plans.part, &plans.records}),
          occupied_(length, search.range, search.most),
          times_(schema, length, search),
          counted_(position_kind(schema, search.shapes)),
          has_hart_(is_of(schema, Track::Kind::hart)),
          relations_follow_(plans.records.stages.empty() || relations_follow_intervals(schema, plans.wanted)) {}

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
        const bool any = kept_.keeps_rest() || keeps_group_;
        if (loose_ && any) mark(*loose_);
        return occupied_.ranges();
    }

private:
    Pieces pieces_of_position(std::uint64_t position) const noexcept {
        if (position < range_.begin || (range_.end && position >= *range_.end)) return std::nullopt;
        const std::uint64_t number = (position - range_.begin) / length_.value;
        return std::pair{number, number};
    }
    bool counts_time() const noexcept { return length_.unit != Range::Unit::record; }
    void mark(const Pieces& pieces) {
        if (pieces) occupied_.mark(pieces->first, pieces->second);
    }

    /// Marks the piece of each instruction. Records that precede an instruction belong to its piece. All records after
    /// the last instruction belong to one piece: the piece of the first of these records.
    void look_at_group(const Batch& batch, const Record& record) {
        const bool is_instruction = record.kind == Kind::instruction;
        keeps_group_ = kept_.keeps(batch, record) || keeps_group_;
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
        if (keeps_group_) mark(pieces);
        keeps_group_ = false;
    }

    void look_at(const Batch& batch, const Record& record) {
        const bool is_counted = !counted_ || record.kind == *counted_;
        const std::uint64_t position = is_counted ? position_++ : position_;
        const bool keeps = kept_.keeps(batch, record);
        const bool follows = record.kind == Kind::relation && relations_follow_;
        if (!keeps || (follows && (streams_ = streams_ || is_of(schema_, Track::Kind::stream)))) return;
        mark(counts_time() ? times_.pieces_of(batch, record) : pieces_of_position(position));
    }

    const Schema& schema_;
    PieceLength length_;
    Range range_;
    Kept kept_;
    Occupied occupied_;
    PieceTimes times_;
    std::optional<Kind> counted_;
    bool has_hart_;
    bool relations_follow_;        // relations stay with the intervals to which they lead
    bool streams_ = false;         // the trace has intervals that relations can follow
    bool keeps_group_ = false;     // some record after the last instruction led to output
    std::uint64_t position_ = 0;   // position of the next record that counts
    std::optional<Pieces> loose_;  // pieces of the records that wait for their instruction
};

/// Returns a path such as "soc/core0". The path is empty for the root "/" and for `none`.
std::string name_of_scope(const Schema& schema, ScopeId scope) {
    std::string path = path_of(schema, scope);
    path.erase(0, path.find_first_not_of('/'));
    return path;
}

/// Returns the scope and its ancestors, outermost first, without the root "/".
std::vector<ScopeId> scopes_down_to(const Schema& schema, ScopeId scope) {
    std::vector<ScopeId> scopes;
    any_upwards(schema, scope, [&](ScopeId up) {
        if (schema.scopes()[up].name != "/") scopes.push_back(up);
        return false;
    });
    std::ranges::reverse(scopes);
    return scopes;
}

/// The tracks to be grouped by piece.
struct TracksOfPieces {
    const Schema& schema;
    const std::vector<bool>& has_records;
    bool relations_follow;  ///< relations stay with the intervals to which they lead
};

/// Returns the name of the piece to which a track belongs.
using NameOfPiece = std::function<std::string(const Track& track)>;

/// Groups the tracks with records by the names of their pieces. Relations that follow intervals are in no group.
std::vector<PieceTracks> pieces_by_name(const TracksOfPieces& tracks, const NameOfPiece& name_of_piece) {
    const auto& [schema, has_records, relations_follow] = tracks;
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

/// Groups tracks by their ancestor scope at `depth`. A track whose own scope is less deep is grouped by that scope. If
/// `depth` is 0, uses the first depth with more than one piece.
std::vector<PieceTracks> pieces_by_scope(const TracksOfPieces& tracks, std::uint64_t depth) {
    const Schema& schema = tracks.schema;
    std::size_t deepest = 1;
    const auto at = [&](std::uint64_t levels) {
        return pieces_by_name(tracks, [&](const Track& track) {
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
        ": expected a length above 0: 1000000# (instructions, transactions or "
        "records), 1000cyc, 500ns, 1ms");
    fail(Failure::usage, message);
}

PiecePlans plan_pieces(const Schema& source, const SourceFormat& from, const Format& to, const Choices& choices,
                       Losses& losses) {
    // Criteria apply to raised records. A plan raises before it selects, so plan for a selection even if there is no
    // range.
    Choices selecting = choices;
    if (!selecting.range) selecting.range = Range{Range::Unit::record, 0, std::nullopt};
    PiecePlans plans;
    plans.raising = make_raising_plan(source, to, selecting, losses);
    const Schema& raised = plans.raising.target_schema(source);
    Criteria criteria = choices.criteria;
    settle(raised, criteria);
    plans.wanted = criteria.records;
    Choices part = choices, records = choices;
    part.criteria = {{}, criteria.instructions};
    plans.part = make_selection_plan(raised, from, part, losses);
    records.range.reset();
    records.criteria = {criteria.records, {}};
    plans.records = make_selection_plan(plans.part.target_schema(raised), from, records, losses);
    return plans;
}

std::vector<Range> find_ranges(Reader& reader, PiecePlans& plans, const PieceLength& length,
                               const PieceSearch& search) {
    if (search.range && search.range->unit != length.unit)
        fail(Failure::usage,
             "--every and the range need the same unit: positions (#, as --last), cyc, or ps to s. Alternatively, "
             "convert the range with hwtrace-convert and split the result");
    RangeSearch found(plans.raising.target_schema(reader.schema()), plans, length, search);
    look_at_all(reader, plans.raising, [&](const Batch& batch, std::uint64_t lost) { found.look(batch, lost); });
    return found.ranges();
}

std::vector<PieceTracks> find_tracks(Reader& reader, PiecePlans& plans, PieceOf what, const PieceSearch& search) {
    std::vector<bool> has_records;
    Kept kept({&plans.records});
    const auto look = [&](const Batch& batch) {
        for (const Record& record : batch.records()) {
            if (record.track >= has_records.size()) has_records.resize(record.track + std::size_t{1});
            if (kept.keeps(batch, record)) has_records[record.track] = true;
        }
    };
    StageRun part(plans.part);
    look_at_all(reader, plans.raising, [&](Batch& batch, std::uint64_t) { look(part.apply(batch)); });
    part.finish(look);
    const Schema& schema = plans.raising.target_schema(reader.schema());
    const TracksOfPieces tracks{schema, has_records, relations_follow_intervals(schema, plans.wanted)};
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
    std::vector<PieceTracks> pieces = what == PieceOf::scope   ? pieces_by_scope(tracks, search.depth)
                                      : what == PieceOf::track ? pieces_by_name(tracks, path_of_track)
                                                               : pieces_by_name(tracks, path_of_hart);
    check_limit(pieces.size(), search.most, "the number of pieces", "--max-pieces");
    return pieces;
}

}  // namespace hwtrace

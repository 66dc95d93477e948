#include <limits>
#include <vector>

#include "codec.hpp"
#include "codec/resumable.hpp"
#include "domain/conventions.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "model/hash.hpp"
#include "scan.hpp"

namespace hwtrace::pccx {

namespace {

constexpr std::uint64_t latest = std::numeric_limits<Tick>::max();

class FileReader final : public Reader, public Resumable {
public:
    FileReader(Input& input, const Settings& settings, Findings& findings)
        : limits_(settings.limits), scan_(input, settings, findings) {
        describe(scan_.header(), schema_);
        if (scan_.layout() == Layout::bincode4) schema_.describe(std::string(layout_key), "bincode4");
        if (const auto events = scan_.stated_events())
            schema_.describe(std::string(events_key), std::to_string(*events));
        describe_total();
        const std::uint64_t hertz = std::uint64_t{scan_.header().clock()} * 1'000'000;
        cycles_ = {TimeBase::Kind::cycles, 1, hertz};
        if (scan_.layout() == Layout::opaque) {
            Track payload;
            payload.kind = Track::Kind::native;
            payload.name = payload_track;
            payload.time = ordinals;
            opaque_ = schema_.declare(std::move(payload));
        } else {
            root_ = schema_.declare(Scope{std::string(root_scope), none, {}, none});
        }
    }

    Schema& schema() override { return schema_; }
    Facts facts() const override { return scan_.facts(); }
    std::uint64_t position() const override { return scan_.position(); }

    bool read(Batch& batch) override {
        if (opaque_ != none) return read_opaque(batch);
        Event event;
        while (!batch.full()) {
            if (!scan_.next(event)) {
                describe_total();
                break;
            }
            append(event, batch);
        }
        return !batch.empty();
    }

    bool keep_states() override { return opaque_ == none; }
    bool save_state(Appender& out) override {
        if (opaque_ != none || !scan_.save_place(out)) return false;
        out.leb128(growth_.size());
        for (const Growth& added : growth_) {
            out.le(static_cast<std::uint8_t>(added.what));
            out.leb128(added.core);
            out.leb128(added.type);
        }
        return true;
    }
    bool restore_state(Cursor& in) override {
        if (opaque_ != none || !scan_.restore_place(in)) return false;
        for (std::uint64_t left = in.leb128(); left > 0; --left) {
            const auto what = in.le<std::uint8_t>();
            const std::uint64_t core = in.leb128(), type = in.leb128();
            if (what > static_cast<std::uint8_t>(Growth::What::start) || core >= none || type >= scan_.types().size())
                fail(Failure::input, "the state states cores and types that the file lacks");
            Lane& lane = lane_of(static_cast<std::uint32_t>(core), static_cast<std::uint32_t>(type));
            if (what == static_cast<std::uint8_t>(Growth::What::name)) add_name(lane, core, type);
            if (what == static_cast<std::uint8_t>(Growth::What::start)) add_start(lane, core, type);
        }
        return true;
    }
    void save_survey(Appender& out) const override { scan_.save_survey(out); }

private:
    /// A track, or an attribute of it, that appeared while reading.
    struct Growth {
        enum class What : std::uint8_t { track, name, start } what = What::track;
        std::uint64_t core = 0, type = 0;
    };
    /// The track of one event type on one core.
    struct Lane {
        TrackId track = none;
        std::uint32_t name = none;   ///< attribute index of api_name; none until an event has it
        std::uint32_t start = none;  ///< attribute index of start_cycle; none until an event has it
    };
    static constexpr std::uint32_t near_types = 16;  ///< lower types are in Core::lanes; real files have 7 types
    struct Core {
        std::uint32_t number = 0;
        ScopeId scope = none;
        std::vector<Lane> lanes;  ///< by event type, for types below near_types
    };

    void describe_total() {
        if (total_described_ || !scan_.total_cycles()) return;
        schema_.describe(std::string(total_cycles_key), std::to_string(*scan_.total_cycles()));
        total_described_ = true;
    }

    bool read_opaque(Batch& batch) {
        while (!batch.full()) {
            const std::span<const std::byte> piece = scan_.next_bytes();
            if (piece.empty()) break;
            batch.native(opaque_, next_piece_++, piece);
        }
        return !batch.empty();
    }

    void append(const Event& event, Batch& batch) {
        Lane& lane = lane_of(event.core, event.type);
        if (!event.has_name && event.start <= latest) [[likely]] {
            batch.interval(lane.track, static_cast<Tick>(event.start), event.duration);
            return;
        }
        std::array<Attribute, 2> attributes{};
        std::size_t count = 0;
        if (event.has_name) {
            if (lane.name == none) add_name(lane, event.core, event.type);
            attributes[count++] = {lane.name, schema_.intern(event.name)};
        }
        if (event.start > latest) {
            if (lane.start == none) add_start(lane, event.core, event.type);
            attributes[count++] = {lane.start, event.start};
        }
        if (event.has_name) check_names();
        if (count == 2 && attributes[0].field > attributes[1].field) std::swap(attributes[0], attributes[1]);
        batch.interval(lane.track, static_cast<Tick>(std::min(event.start, latest)), event.duration,
                       std::span(attributes).first(count));
    }

    void add_name(Lane& lane, std::uint64_t core, std::uint64_t type) {
        growth_.push_back({Growth::What::name, core, type});
        lane.name = schema_.add_attribute(lane.track, Field{std::string(api_name), Type::text});
    }
    void add_start(Lane& lane, std::uint64_t core, std::uint64_t type) {
        growth_.push_back({Growth::What::start, core, type});
        lane.start = schema_.add_attribute(lane.track, Field{std::string(conventions::start_cycle), Type::u64});
    }

    /// Limits the memory for distinct names. `around` is the approximate overhead per name, in bytes.
    void check_names() {
        constexpr std::uint64_t around = 128;
        if (schema_.string_count() == known_names_) return;
        known_names_ = schema_.string_count();
        name_bytes_ += around + schema_.text(static_cast<StringId>(known_names_ - 1)).size();
        check_limit(name_bytes_, limits_.block, "bytes of the names of API calls", "max-block");
    }

    Lane& lane_of(std::uint32_t number, std::uint32_t type) {
        Core& core = core_of(number);
        if (type < core.lanes.size() && core.lanes[type].track != none) [[likely]]
            return core.lanes[type];
        return declare_lane(core, type);
    }

    Core& core_of(std::uint32_t number) {
        if (number < low_cores_.size() && low_cores_[number].scope != none) [[likely]]
            return low_cores_[number];
        return find_core(number);
    }

    Core& find_core(std::uint32_t number) {
        constexpr std::uint32_t most_low = 1u << 16;
        if (number < most_low && number >= low_cores_.size()) low_cores_.resize(number + std::size_t{1});
        Core& core = number < most_low ? low_cores_[number] : high_cores_[number];
        if (core.scope == none) {
            core.number = number;
            check_limit(schema_.scopes().size() + 1, limits_.schema_objects, "the number of cores", "max-schema");
            core.scope =
                schema_.declare(Scope{std::string(core_prefix).append(std::to_string(number)), root_, {}, none});
        }
        return core;
    }

    Lane& declare_lane(Core& core, std::uint32_t type) {
        Lane* lane = nullptr;
        if (type < near_types) {
            if (type >= core.lanes.size()) core.lanes.resize(type + std::size_t{1});
            lane = &core.lanes[type];
        } else {
            lane = &far_lanes_[std::uint64_t{core.number} << 32 | type];
            if (lane->track != none) return *lane;
        }
        check_limit(schema_.tracks().size() + 1, limits_.schema_objects, "the number of cores and event types",
                    "max-schema");
        growth_.push_back({Growth::What::track, core.number, type});
        lane->track = schema_.declare(make_track(Track::Kind::stream, core.scope, scan_.types().name(type), cycles_));
        return *lane;
    }

    const Limits limits_;
    Scan scan_;
    Schema schema_;
    ScopeId root_ = none;
    TrackId opaque_ = none;
    Tick next_piece_ = 0;
    TimeBase cycles_;
    std::vector<Core> low_cores_;
    HashMap<std::uint32_t, Core> high_cores_;
    std::vector<Growth> growth_;              ///< in order
    HashMap<std::uint64_t, Lane> far_lanes_;  ///< by core and type, for types from near_types on
    std::size_t known_names_ = 0;
    std::uint64_t name_bytes_ = 0;
    bool total_described_ = false;
};

}  // namespace

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings) {
    return std::make_unique<FileReader>(input, settings, findings);
}

}  // namespace hwtrace::pccx

#include "codec/chosen_rows.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <vector>

#include "codec/findings.hpp"
#include "codec/record_number.hpp"
#include "domain/protocols.hpp"
#include "io/error.hpp"
#include "io/input.hpp"
#include "model/hash.hpp"

namespace hwtrace {

namespace {

/// Delivers the records of a reader with the numbers of their rows, and attributes the records of a slice to rows.
class NumberedRows final : public Reader {
public:
    explicit NumberedRows(RowReader& whole) : whole_(whole) { whole_.separate_rows(); }

    Schema& schema() override { return whole_.schema(); }
    Facts facts() const override { return whole_.facts(); }
    std::uint64_t position() const override { return whole_.position(); }

    bool read(Batch& batch) override {
        read_.clear();
        const bool any = whole_.read(read_);
        step_ = (step_ + 1) % rows_.size();
        if (any) rows_[step_] = whole_.row();
        for (const Record& record : read_.records()) {
            numbered_.append(read_, record, is_of_slot(record) ? step_ : whole_.row(), batch);
            if (record.kind == Kind::set && !is_property(record) && record.field == life_field(record.track))
                begin_life(slot_of(record.track, record.ref), {record.time, whole_.row()});
        }
        return any;
    }

    /// Returns the row of a record in the slice, or nullopt for a record of no row. `part` is the schema of the slice.
    std::optional<std::uint64_t> row_of(const Schema& part, const Batch& batch, const Record& record) {
        if (const auto number = NumberedRecords::of(batch, record))
            return is_of_slot(record) ? rows_[static_cast<std::size_t>(*number)] : *number;
        // The slice begins with the contents of slots: with the rows that are under way.
        if (record.kind != Kind::set || is_property(record) || (record.flags & record_restated) == 0)
            return std::nullopt;
        const TrackId track = source_of(part, record.track);
        const auto found = track == none ? lives_.end() : lives_.find(slot_of(track, record.ref));
        if (found == lives_.end()) return std::nullopt;
        const Lives& lives = found->second;
        const auto before = std::ranges::find_if(lives, [&](const Life& life) { return life.since < record.time; });
        if (before != lives.end()) return before->row;
        const auto now = std::ranges::find_if(lives, [&](const Life& life) { return life.since == record.time; });
        return now == lives.end() ? std::nullopt : now->row;
    }

private:
    struct Life {
        Tick since = std::numeric_limits<Tick>::max();
        std::optional<std::uint64_t> row{};
    };
    /// The last lives of a slot, latest first. A slice delivers its first frame when it has read the next one.
    using Lives = std::array<Life, 3>;

    /// Returns true for a record whose number has few bits.
    static bool is_of_slot(const Record& record) noexcept {
        return record.kind == Kind::set || record.kind == Kind::add || record.kind == Kind::clear;
    }
    static std::uint64_t slot_of(TrackId track, std::uint32_t slot) noexcept {
        return std::uint64_t{track} << 32 | slot;
    }
    void begin_life(std::uint64_t slot, const Life& life) {
        Lives& lives = lives_[slot];
        std::ranges::move_backward(lives.begin(), std::prev(lives.end()), lives.end());
        lives.front() = life;
    }

    /// Returns the field that names the row in a slot of a storage, or no_field.
    std::uint16_t life_field(TrackId storage) {
        while (life_fields_.size() <= storage)
            life_fields_.push_back(life_id_field(schema(), static_cast<TrackId>(life_fields_.size())));
        return life_fields_[storage];
    }
    /// Returns the track of the whole trace from which the slice copied a track.
    TrackId source_of(const Schema& part, TrackId copied) {
        while (sources_.size() <= copied) {
            const Track& track = part.tracks()[sources_.size()];
            sources_.push_back(find_track_in(schema(), track.scope, track.kind, track.name));
        }
        return sources_[copied];
    }

    RowReader& whole_;
    NumberedRecords numbered_;
    Batch read_;
    /// The rows of the last steps. A slice holds back one frame of at most half as many records.
    std::vector<std::uint64_t> rows_ = std::vector<std::uint64_t>(std::size_t{1} << 17);
    std::size_t step_ = 0;
    std::vector<std::uint16_t> life_fields_;  ///< by track
    std::vector<TrackId> sources_;            ///< by track of the slice
    HashMap<std::uint64_t, Lives> lives_;     ///< by slot
};

}  // namespace

std::optional<ChosenRows> ChosenRows::of(Input& input, const Settings& settings, Open open) {
    if (!settings.part) return std::nullopt;
    Findings reported_later(0);
    const std::unique_ptr<RowReader> whole = open(input, settings, reported_later);
    std::optional<ChosenRows> chosen(std::in_place, *whole, settings);
    input.seek(0);
    return chosen;
}

ChosenRows::ChosenRows(RowReader& whole, const Settings& settings) {
    NumberedRows numbered(whole);
    const std::unique_ptr<Reader> part = settings.part(numbered);
    Batch batch;
    const auto next = [&] {
        batch.clear();
        try {
            return part->read(batch);
        } catch (const Error& error) {
            if (error.failure() != Failure::input) throw;
            return false;
        }
    };
    while (next()) {
        for (const Record& record : batch.records()) {
            const auto row = numbered.row_of(part->schema(), batch, record);
            if (row && rows_.insert(*row))
                check_limit(rows_.bytes(), settings.limits.block, "the rows in the slice", "--max-block");
        }
    }
}

}  // namespace hwtrace

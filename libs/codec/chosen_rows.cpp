#include "codec/chosen_rows.hpp"

#include <algorithm>
#include <vector>

#include "codec/findings.hpp"
#include "domain/protocols.hpp"
#include "io/error.hpp"
#include "io/input.hpp"
#include "model/hash.hpp"

namespace hwtrace {

namespace {

/// Passes on the records of a reader, and attributes the records of a slice to rows.
class WatchedRows final : public Reader {
public:
    explicit WatchedRows(RowReader& whole) : whole_(whole) { whole_.separate_rows(); }

    Schema& schema() override { return whole_.schema(); }
    Facts facts() const override { return whole_.facts(); }
    std::uint64_t position() const override { return whole_.position(); }

    bool read(Batch& batch) override {
        for (const std::uint64_t slot : begun_)
            rows_[slot] = whole_.row();
        begun_.clear();
        touched_.clear();
        any_ = whole_.read(batch);
        for (const Record& record : batch.records()) {
            if (!is_of_slot(record) || life_field(record.track) == no_field) continue;
            const std::uint64_t slot = slot_of(record.track, record.ref);
            touched_.push_back(slot);
            if (record.kind == Kind::set && record.field == life_field(record.track)) begun_.push_back(slot);
        }
        return any_;
    }

    /// Returns the row of a record that the slice made of the last batch, or nullopt for a record of no row. `part` is
    /// the schema of the slice.
    std::optional<std::uint64_t> row_of(const Schema& part, const Record& record) {
        if (is_of_slot(record)) {
            const TrackId track = source_of(part, record.track);
            const bool is_restated = (record.flags & record_restated) != 0;
            if (track == none || life_field(track) == no_field) {
                if (is_restated) return std::nullopt;  // a counter at the beginning of the slice
            } else if (const std::uint64_t slot = slot_of(track, record.ref); is_restated || !touches(slot)) {
                // Contents from before the last batch: the slice begins with the rows that are under way.
                if (const auto found = rows_.find(slot); found != rows_.end()) return found->second;
            }
        }
        return any_ ? std::optional(whole_.row()) : std::nullopt;
    }

private:
    static bool is_of_slot(const Record& record) noexcept {
        return (record.kind == Kind::set || record.kind == Kind::add || record.kind == Kind::clear) &&
               !is_property(record);
    }
    static std::uint64_t slot_of(TrackId track, std::uint32_t slot) noexcept {
        return std::uint64_t{track} << 32 | slot;
    }
    bool touches(std::uint64_t slot) const noexcept { return std::ranges::find(touched_, slot) != touched_.end(); }

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
    bool any_ = false;
    std::vector<std::uint16_t> life_fields_;      ///< by track
    std::vector<TrackId> sources_;                ///< by track of the slice
    HashMap<std::uint64_t, std::uint64_t> rows_;  ///< by slot, before the last batch
    std::vector<std::uint64_t> begun_, touched_;  ///< slots of the last batch
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
    WatchedRows watched(whole);
    const std::unique_ptr<Reader> part = settings.part(watched);
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
            const auto row = watched.row_of(part->schema(), record);
            if (row && rows_.insert(*row))
                check_limit(rows_.bytes(), settings.limits.block, "the rows in the slice", "--max-block");
        }
    }
}

}  // namespace hwtrace

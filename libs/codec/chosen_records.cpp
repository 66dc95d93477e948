#include "codec/chosen_records.hpp"

#include <memory>
#include <set>
#include <string_view>
#include <tuple>

#include "codec/record_number.hpp"
#include "io/error.hpp"

namespace hwtrace {

namespace {

/// Delivers the records of a reader with their numbers.
class NumberingReader final : public Reader {
public:
    explicit NumberingReader(Reader& whole) : whole_(whole) {}

    Schema& schema() override { return whole_.schema(); }
    Facts facts() const override { return whole_.facts(); }
    std::uint64_t position() const override { return whole_.position(); }

    bool read(Batch& batch) override {
        read_.clear();
        const bool any = whole_.read(read_);
        batch.set_lost_positions(read_.lost_positions());
        for (const Record& record : read_.records())
            numbered_.append(read_, record, next_++, batch);
        return any;
    }

private:
    Reader& whole_;
    NumberedRecords numbered_;
    Batch read_;
    std::uint64_t next_ = 0;
};

}  // namespace

ChosenRecords::ChosenRecords(Reader& whole, const Settings& settings) {
    NumberingReader numbered(whole);
    const std::unique_ptr<Reader> part = settings.part(numbered);
    Batch batch;
    std::vector<bool> met;  // by track of the slice
    for (; part->read(batch); batch.clear()) {
        for (const Record& record : batch.records()) {
            const auto number = NumberedRecords::of(batch, record);
            if (!number) continue;
            add(*number, settings.limits);
            if (record.track >= met.size()) met.resize(record.track + std::size_t{1});
            met[record.track] = true;
        }
    }
    add_tracks(whole.schema(), part->schema(), met);
}

void ChosenRecords::add_tracks(const Schema& whole, const Schema& part, const std::vector<bool>& met) {
    const auto key = [](const Track& track) {
        return std::tuple(track.scope, track.kind, std::string_view(track.name));
    };
    std::set<std::tuple<ScopeId, Track::Kind, std::string_view>> chosen;
    for (std::size_t id = 0; id < met.size(); ++id)
        if (met[id]) chosen.insert(key(part.tracks()[id]));
    for (const Track& track : whole.tracks())
        tracks_.push_back(chosen.contains(key(track)));
}

void ChosenRecords::add(std::uint64_t record, const Limits& limits) {
    if (record >= records_.size()) {
        constexpr std::uint64_t records_per_byte = 8;
        check_limit(record / records_per_byte, limits.block, "the numbers of the records in the slice", "--max-block");
        records_.resize(static_cast<std::size_t>(record) + 1);
    }
    records_[static_cast<std::size_t>(record)] = true;
}

}  // namespace hwtrace

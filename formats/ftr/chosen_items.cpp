#include "chosen_items.hpp"

#include <memory>

#include "reader.hpp"

namespace hwtrace::ftr {

ChosenItems::ChosenItems(Input& input, const Settings& settings) {
    Findings reported_later(0);
    FileReader whole(input, settings, reported_later, FileReader::Use::selection);
    const std::unique_ptr<Reader> part = settings.part(whole);
    Batch batch;
    for (; part->read(batch); batch.clear())
        for (const Record& record : batch.records())
            if (const auto number = NumberedRecords::of(batch, record)) choose(*number);
    looked_at_ = whole.items();
    for (const Track& track : part->schema().tracks())
        if (track.kind == Track::Kind::stream && track.native_id) generators_.insert(*track.native_id);
}

void ChosenItems::choose(std::uint64_t item) {
    if (item >= items_.size()) items_.resize(static_cast<std::size_t>(item) + 1);
    items_[static_cast<std::size_t>(item)] = true;
}

}  // namespace hwtrace::ftr

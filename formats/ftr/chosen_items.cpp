#include "chosen_items.hpp"

#include <memory>

#include "codec/reader.hpp"
#include "item_record.hpp"
#include "scan.hpp"

namespace hwtrace::ftr {

namespace {

/// Delivers transactions and relations in the directory's schema, each with its position in the file. A transaction
/// holds its position in a second value of attribute 0. A relation holds its position in its last cell.
class NumberedReader final : public Reader {
public:
    NumberedReader(Input& input, const Settings& settings) : scan_(input, settings, untold_, schema_) {}

    Schema& schema() override { return schema_; }
    Facts facts() const override { return scan_.facts(); }
    std::uint64_t position() const override { return scan_.position(); }
    std::uint64_t count() const noexcept { return count_; }

    bool read(Batch& batch) override {
        for (Item item; !batch.full() && scan_.next(item); ++count_) {
            if (item.kind == Item::Kind::relation) {
                cells_.assign(item.cells.begin(), item.cells.end());
                cells_.push_back(count_);
                item.cells = cells_;
            } else {
                attributes_.assign(1, item.attributes.front());
                attributes_.push_back({0, count_});
                item.attributes = attributes_;
            }
            append_record(item, now_, batch);
        }
        return !batch.empty();
    }

    /// Returns the position that read() appended.
    static std::uint64_t number_of(const Batch& batch, const Record& record) noexcept {
        return record.kind == Kind::relation ? batch.cells(record).back() : batch.attributes(record).back().value;
    }

private:
    Findings untold_{0};
    Schema schema_;
    Scan scan_;
    std::vector<std::uint64_t> cells_;
    std::vector<Attribute> attributes_;
    std::uint64_t count_ = 0;
    Tick now_ = 0;  ///< time of the latest record
};

}  // namespace

ChosenItems::ChosenItems(Input& input, const Settings& settings) {
    NumberedReader whole(input, settings);
    const std::unique_ptr<Reader> part = settings.part(whole);
    Batch batch;
    for (; part->read(batch); batch.clear())
        for (const Record& record : batch.records())
            choose(NumberedReader::number_of(batch, record));
    looked_at_ = whole.count();
    for (const Track& track : part->schema().tracks())
        if (track.kind == Track::Kind::stream) generators_.insert(track.native_id.value_or(0));
}

void ChosenItems::choose(std::uint64_t item) {
    if (item >= items_.size()) items_.resize(static_cast<std::size_t>(item) + 1);
    items_[static_cast<std::size_t>(item)] = true;
}

}  // namespace hwtrace::ftr

#include "codec/chosen_records.hpp"

#include <memory>

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
    for (; part->read(batch); batch.clear())
        for (const Record& record : batch.records())
            if (const auto number = NumberedRecords::of(batch, record)) add(*number, settings.limits);
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

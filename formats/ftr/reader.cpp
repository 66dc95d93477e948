#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec.hpp"
#include "codec/record_sorter.hpp"
#include "item_record.hpp"
#include "restoring.hpp"
#include "scan.hpp"

namespace hwtrace::ftr {

namespace {

class FileReader final : public Reader {
public:
    FileReader(Input& input, const Settings& settings, Findings& findings) : scan_(input, settings, findings, plain_) {
        scan_.stop_at_texts();
        restore();
        if (restoring_ && restoring_->numbers_tell_order()) sorter_.emplace(settings.temporary_folder);
    }

    Schema& schema() override { return restoring_ ? restoring_->schema() : plain_; }
    Facts facts() const override { return scan_.facts(); }
    std::uint64_t position() const override { return scan_.position(); }

    bool read(Batch& batch) override {
        if (!sorter_) return read_next(batch);
        if (!sorted_) sort();
        places_.clear();
        sorter_->give(batch, places_);
        return !batch.empty();
    }

private:
    /// If the file has a schema mark, restores the schema of the trace that was converted to this file.
    void restore() {
        std::optional<SchemaMark> mark = scan_.take_schema_mark();
        if (!mark) return;
        restoring_.emplace(plain_, std::move(*mark), scan_.exponent());
        for (const Metadata& entry : plain_.metadata())
            if (entry.key != schema_mark_key) restoring_->schema().describe(entry.key, entry.value);
    }

    bool read_next(Batch& batch) {
        Item item;
        do {
            while (!batch.full() && scan_.next(item))
                append(item, batch);
        } while (batch.empty() && scan_.next_part());
        return !batch.empty();
    }

    /// Sorts all records into the order of the source.
    void sort() {
        sorted_ = true;
        std::uint64_t number = 0;
        Item item;
        Batch one;
        do {
            while (scan_.next(item)) {
                if (item.kind == Item::Kind::transaction) number = item.attributes.front().value;
                one.clear();
                append(item, one);
                sorter_->add(number, 0, one, one.records().front());
            }
        } while (scan_.next_part());
    }

    void append(const Item& item, Batch& batch) {
        if (!restoring_) return append_record(item, now_, batch);
        if (item.kind == Item::Kind::relation) return restoring_->relation(item.track, now_, item.cells, batch);
        now_ = time_of(item);
        restoring_->interval(item.track, item.start, item.end, item.attributes, batch);
    }

    Schema plain_;  ///< the schema of the file's directory
    std::optional<Restoring> restoring_;
    Scan scan_;
    std::optional<RecordSorter> sorter_;  ///< set if the streams alternate in the source, but not in the file
    std::vector<RecordSorter::Place> places_;
    bool sorted_ = false;
    Tick now_ = 0;  ///< time of the latest record
};

}  // namespace

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings) {
    return std::make_unique<FileReader>(input, settings, findings);
}

}  // namespace hwtrace::ftr

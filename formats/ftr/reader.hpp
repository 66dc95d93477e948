// formats/ftr/reader.hpp - reads transactions and relations as records of the source's schema.
#pragma once

#include <optional>
#include <vector>

#include "codec/record_number.hpp"
#include "codec/record_sorter.hpp"
#include "codec/resumable.hpp"
#include "item_record.hpp"
#include "restoring.hpp"
#include "scan.hpp"

namespace hwtrace::ftr {

class FileReader final : public Reader, public Resumable {
public:
    /// Selects what records are delivered for.
    enum class Use : std::uint8_t {
        conversion,
        /// Each record has the position of its item in the file, from 0, as its number (NumberedRecords). Each stream
        /// track has the id of its generator in the file as native id.
        selection,
    };

    /// All arguments outlive the reader.
    FileReader(Input& input, const Settings& settings, Findings& findings, Use use = Use::conversion);

    Schema& schema() override { return restoring_ ? restoring_->schema() : plain_; }
    Facts facts() const override { return scan_.facts(); }
    std::uint64_t position() const override { return scan_.position(); }
    bool read(Batch& batch) override;
    bool keep_states() override { return can_restore(); }
    bool save_state(Appender& out) override;
    bool restore_state(Cursor& in) override;
    bool can_restore() const override { return use_ == Use::conversion && !sorter_ && scan_.can_resume(); }
    /// Returns the number of items read so far.
    std::uint64_t items() const noexcept { return items_; }

private:
    void restore();
    bool read_next(Batch& batch);
    void sort();
    void append(const Item& item, Batch& batch);
    void append_plain(const Item& item, Batch& batch);

    const Use use_;
    Schema plain_;  ///< the schema of the file's directory
    std::optional<Restoring> restoring_;
    Scan scan_;
    std::optional<RecordSorter> sorter_;  ///< set if the streams alternate in the source, but not in the file
    std::vector<RecordSorter::Place> places_;
    bool sorted_ = false;
    Tick now_ = 0;  ///< time of the latest record
    std::uint64_t items_ = 0;
    Batch one_;  ///< the latest record
    NumberedRecords numbered_;
};

}  // namespace hwtrace::ftr

// formats/uscope/api/trace_file.hpp - the implementation of a C reader: an open file, its states, and its items in a
// range of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "c_schema.hpp"
#include "codec/findings.hpp"
#include "codec/settings.hpp"
#include "error_text.hpp"
#include "hwtrace/uscope.h"
#include "io/input.hpp"
#include "model/record.hpp"
#include "model/state.hpp"
#include "uscope/reader.hpp"
#include "uscope/summary.hpp"

namespace hwtrace::uscope {

/// The dimensions of a storage, for checking ids. States share them and may outlive the file.
struct StorageShape {
    std::uint32_t slots = 0, fields = 0, properties = 0;
    bool sparse = false;
};

/// The state of all storages at one time.
class CState {
public:
    StateTable table;
    std::shared_ptr<const std::vector<StorageShape>> shapes;
};

/// A file that is open for a C reader.
class TraceFile {
public:
    /// Throws the same exceptions as Input::open and FileReader. Strings above the limits are omitted.
    TraceFile(const char* path, const uscope_reader_options_t& options);
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    FileReader& reader() noexcept { return reader_; }
    const FileReader& reader() const noexcept { return reader_; }
    const uscope_header_t& header() const noexcept { return header_; }
    const CSchema& c_schema() const noexcept { return c_schema_; }
    /// Returns the findings so far, each once, without those that the closing of the file has made obsolete.
    const std::vector<std::string>& findings() const noexcept { return finding_texts_; }

    std::shared_ptr<CState> state_at(std::uint64_t time);
    /// Checks whether the file has grown; no other call does. Returns true if there are more segments.
    bool poll();
    /// Returns the summary, read at the first call; null if there is none or it cannot be read.
    const Summary* summary();
    bool has_summary() const noexcept;
    const uscope_summary_t& c_summary() const noexcept { return c_summary_; }
    /// Returns the levels of a counter in the summary.
    const std::vector<std::vector<uscope_bucket_t>>& buckets(std::size_t counter) const { return buckets_[counter]; }

    /// Begins a turn, in which one iterator uses the position of the reader. All earlier turns end, because only one
    /// iterator at a time can use the position. Returns the number of the turn.
    std::uint64_t take_turn() noexcept { return ++turn_; }
    bool is_turn(std::uint64_t turn) const noexcept { return turn == turn_; }

    /// The error of the last failed call.
    ErrorText error;

private:
    void show_header();
    void forget_open_findings();
    void show_summary(Summary& summary);

    bool opened_ = false;  // reader_ exists
    Settings settings_;
    Input input_;
    Findings findings_;
    std::set<std::tuple<std::string_view, std::uint64_t, std::optional<std::uint64_t>>> seen_;
    std::vector<std::string> finding_texts_;
    std::vector<std::size_t> open_findings_;  // indexes of findings that closing the file makes obsolete
    std::vector<std::string> obsolete_texts_;
    FileReader reader_;
    CSchema c_schema_;
    uscope_header_t header_{};
    std::shared_ptr<const std::vector<StorageShape>> shapes_;
    bool summary_read_ = false;
    std::optional<Summary> summary_;
    uscope_summary_t c_summary_{};
    std::vector<std::vector<std::vector<uscope_bucket_t>>> buckets_;  // by counter and level
    std::uint64_t turn_ = 1;                                          // no iterator has turn number 0
};

/// Iterates over the items of a file in [begin, end]. Other iterators may use the file between two calls.
class ItemRange {
public:
    ItemRange(const std::shared_ptr<TraceFile>& file, std::uint64_t begin, std::uint64_t end);

    /// Returns null if the file has been closed.
    std::shared_ptr<TraceFile> file() const noexcept { return file_.lock(); }
    bool is_open() const noexcept { return !file_.expired(); }
    /// Reads the next item. Returns false at the end. Throws Error for system errors and limits.
    bool next(uscope_item_t& item);
    /// Reads the next event that fits the schema.
    bool next_event(uscope_item_t& item);

private:
    const Record* next_record();
    bool refill();
    void show(const Record& record, uscope_item_t& item);

    std::weak_ptr<TraceFile> file_;
    Tick begin_, end_;
    std::uint64_t turn_ = 0;
    Batch batch_;
    std::size_t at_ = 0;       // index in batch_
    bool behind_ = false;      // the next record is after the range
    Tick time_;                // time of the last returned record; begin_ before the first
    std::uint64_t taken_ = 0;  // number of returned records of that time
    std::uint64_t skip_ = 0;   // number of these records that must be skipped after a seek
    bool resuming_ = false;    // skipping until the first new record
    std::size_t storages_;
    std::vector<std::byte> payload_;
};

}  // namespace hwtrace::uscope

// formats/uscope/api/trace_file.hpp - what is behind a C reader: one open file, its states and its items by time.
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

/// What storages have, for checking ids; shared with the states, which may live longer than the file is open.
struct StorageShape {
    std::uint32_t slots = 0, fields = 0, properties = 0;
    bool sparse = false;
};

/// The state of all storages at one moment.
class CState {
public:
    StateTable table;
    std::shared_ptr<const std::vector<StorageShape>> shapes;
};

class TraceFile {
public:
    /// Throws Error as Input::open and FileReader do. Strings above the limits are left out.
    TraceFile(const char* path, const uscope_reader_options_t& options);
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    FileReader& reader() noexcept { return reader_; }
    const FileReader& reader() const noexcept { return reader_; }
    const uscope_header_t& header() const noexcept { return header_; }
    const CSchema& c_schema() const noexcept { return c_schema_; }
    /// All findings so far, each once.
    const std::vector<std::string>& findings() const noexcept { return finding_texts_; }

    std::shared_ptr<CState> state_at(std::uint64_t time);
    /// Looks whether the file has grown; nothing else does. True when there are more segments.
    bool poll();
    /// Read when it is first asked for; null: there is none, or none that can be read.
    const Summary* summary();
    bool has_summary() const noexcept;
    const uscope_summary_t& c_summary() const noexcept { return c_summary_; }
    /// The summary's levels of a counter, as C shows them.
    const std::vector<std::vector<uscope_bucket_t>>& buckets(std::size_t counter) const { return buckets_[counter]; }

    /// The reader stands where one caller at a time has left it: taking a turn ends that of all others. The number of
    /// the new turn.
    std::uint64_t take_turn() noexcept { return ++turn_; }
    bool is_turn(std::uint64_t turn) const noexcept { return turn == turn_; }

    /// The last call that failed.
    ErrorText error;

private:
    void show_header();
    void show_summary(Summary& summary);

    Settings settings_;
    Input input_;
    Findings findings_;
    std::set<std::tuple<std::string_view, std::uint64_t, std::optional<std::uint64_t>>> seen_;
    std::vector<std::string> finding_texts_;
    FileReader reader_;
    CSchema c_schema_;
    uscope_header_t header_{};
    std::shared_ptr<const std::vector<StorageShape>> shapes_;
    bool summary_read_ = false;
    std::optional<Summary> summary_;
    uscope_summary_t c_summary_{};
    std::vector<std::vector<std::vector<uscope_bucket_t>>> buckets_;  // by counter and level
    std::uint64_t turn_ = 1;                                          // 0 is nobody's
};

/// The items of a file from one time to another, both inside. Others may use the file in between.
class ItemRange {
public:
    ItemRange(const std::shared_ptr<TraceFile>& file, std::uint64_t begin, std::uint64_t end);

    /// Null when it has been closed.
    std::shared_ptr<TraceFile> file() const noexcept { return file_.lock(); }
    bool is_open() const noexcept { return !file_.expired(); }
    /// The next item; false at the end. Throws Error for the system and for limits.
    bool next(uscope_item_t& item);
    /// The next event that fits the schema.
    bool next_event(uscope_item_t& item);

private:
    const Record* next_record();
    bool refill();
    void show(const Record& record, uscope_item_t& item);

    std::weak_ptr<TraceFile> file_;
    Tick begin_, end_;
    std::uint64_t turn_ = 0;
    Batch batch_;
    std::size_t at_ = 0;       // in batch_
    bool behind_ = false;      // what comes lies behind the range
    Tick time_;                // of the record handed out last; before one, begin_
    std::uint64_t taken_ = 0;  // records of that time that have been handed out
    std::uint64_t skip_ = 0;   // of them, those that come again because the reader went back
    bool resuming_ = false;    // until the first new one
    std::size_t storages_;
    std::vector<std::byte> payload_;
};

}  // namespace hwtrace::uscope

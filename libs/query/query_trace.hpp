// query/query_trace.hpp - a trace whose tables are queried: opens it as often as queries read it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "codec/trace_index.hpp"
#include "convert/convert.hpp"
#include "domain/sql_tables.hpp"
#include "domain/trace_tables.hpp"
#include "io/input.hpp"
#include "query/trace_findings.hpp"
#include "select/criteria.hpp"
#include "select/range.hpp"
#include "select/selection.hpp"

namespace hwtrace {

class KeptRows;

/// The slice of a trace that is queried, and how it is read.
struct QueryOptions {
    Settings settings{};
    std::optional<Range> range{};  ///< none: everything
    Criteria criteria{};
    std::shared_ptr<const TraceIndex> index{};  ///< an index of the trace; null: none
    std::optional<std::uint64_t> period_ps{};   ///< length of a cycle, for tracks that do not state it
    /// The memory, in bytes, for the rows of tables that a query reads repeatedly, as joins do.
    std::uint64_t memory = 256u << 20;
    /// Returns a listener for one reading of the trace, which exists until the reading ends. Null: none.
    std::function<ProgressListener()> progress{};
};

/// The times of the records that a query needs, in ticks of their track.
struct TickBounds {
    Tick first = std::numeric_limits<Tick>::min(), last = std::numeric_limits<Tick>::max();

    bool has_first() const noexcept { return first != std::numeric_limits<Tick>::min(); }
    bool has_last() const noexcept { return last != std::numeric_limits<Tick>::max(); }
};

/// A trace whose tables are queried.
class QueryTrace {
public:
    class Reading;

    /// Opens the trace once more. All inputs have the same bytes and can be read independently.
    using Reopen = std::function<Input()>;

    /// If the tables appear while the trace is read, reads it once. `findings` must outlive this object.
    QueryTrace(std::string name, Reopen reopen, const Format& format, QueryOptions options, Findings& findings);
    ~QueryTrace();
    QueryTrace(const QueryTrace&) = delete;
    QueryTrace& operator=(const QueryTrace&) = delete;

    const std::string& name() const noexcept { return name_; }
    const Format& format() const noexcept { return format_; }
    const TraceTables& tables() const noexcept { return *tables_; }
    const SqlTables& names() const noexcept { return *names_; }
    /// Returns true if nothing is known to be behind the slice: neither --range nor --select was given.
    bool is_whole() const noexcept { return !options_.range && !options_.criteria.any(); }

    /// Starts to read the trace from its beginning. If times never decrease, or the format can seek, skips records of
    /// `track` outside of `bounds`; others may be skipped as well.
    std::unique_ptr<Reading> read(TrackId track = none, TickBounds bounds = {});

    /// Returns the number of rows of a table, or an estimate until it has been read.
    std::uint64_t rows(std::size_t table) const noexcept;
    void set_rows(std::size_t table, std::uint64_t rows) { rows_[table] = rows; }

    /// The facts about a table that queries use.
    struct Known {
        std::uint64_t scans = 0;    ///< how often it was read from its beginning to its end
        std::uint64_t lookups = 0;  ///< of this statement: how often the file was read to look rows up
        bool is_too_large = false;
        std::shared_ptr<KeptRows> rows;  ///< null: not kept
    };
    Known& known(std::size_t table) { return known_[table]; }
    /// States that a statement begins. If it is never called, lookups of different statements are not told apart, and
    /// are not limited.
    void begin_statement() {
        knows_statements_ = true;
        for (auto& [table, known] : known_)
            known.lookups = 0;
    }
    bool knows_statements() const noexcept { return knows_statements_; }
    /// Returns the memory that may be used for more rows, in bytes.
    std::uint64_t memory_left() const noexcept;

private:
    friend class Reading;

    std::string name_;
    Reopen reopen_;
    std::uint64_t size_ = 0;  // of the file in bytes
    const Format& format_;
    QueryOptions options_;
    TraceFindings findings_;
    std::unique_ptr<Reading> scout_;   // with --select: provides the complete schema of the whole trace
    std::unique_ptr<Reading> schema_;  // provides the schema of the slice
    std::optional<TraceTables> tables_;
    std::optional<SqlTables> names_;
    std::map<std::size_t, std::uint64_t> rows_;
    std::map<std::size_t, Known> known_;
    bool knows_statements_ = false;
};

/// One reading of a trace.
class QueryTrace::Reading {
public:
    ~Reading();
    /// Reads the next batch. Returns false at the end, or behind the bounds.
    bool next();
    const Batch& batch() const noexcept { return batch_; }
    const Schema& schema() const noexcept { return part_ ? part_->schema() : reader_->schema(); }
    /// Returns true if next() has returned false because the trace has ended.
    bool has_ended() const noexcept { return has_ended_; }
    /// Returns true if the reading did not begin at the first record.
    bool has_skipped() const noexcept { return has_skipped_; }

private:
    friend class QueryTrace;
    Reading(QueryTrace& trace, bool is_sliced, TrackId track, TickBounds bounds);
    bool is_behind() const noexcept;

    const std::function<ProgressListener()>& start_progress_;
    ProgressListener progress_;
    TraceFindings& collected_;
    Input input_;
    Findings findings_;
    std::unique_ptr<Reader> reader_;
    mutable std::optional<RangedReader> part_;  // mutable: schema() of a reader is not const
    TrackId track_;
    TickBounds bounds_;
    Batch batch_;
    bool is_ordered_, has_ended_ = false, is_past_ = false, has_skipped_ = false;
};

}  // namespace hwtrace

// formats/tables/table_sink.hpp - what a format of tables implements: it stores rows, and knows nothing of records.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "codec/writer.hpp"
#include "domain/table_chunk.hpp"
#include "domain/trace_tables.hpp"
#include "io/output.hpp"

namespace hwtrace::tables {

/// Stores the rows of the tables of a trace.
class TableSink {
public:
    virtual ~TableSink() = default;
    /// Stores the rows of a chunk, after the earlier rows of the same table. `table` is an index into
    /// TraceTables::all(). May move the content away; the caller clears the chunk.
    virtual void add(std::size_t table, TableChunk& rows) = 0;
    /// Completes the output, also with tables that have no rows. The caller commits it.
    virtual void finish() = 0;
};

/// The objects that a sink uses. All references outlive the sink.
struct SinkContext {
    const TraceTables& tables;
    Output& output;  ///< an OutputFolder if the format's writes_folder() says so
    const Settings& settings;
    Losses& losses;
};

using MakeSink = std::unique_ptr<TableSink> (*)(const SinkContext& context);

/// Returns a writer that turns records into rows, and gives them to a sink. Counts what has no place in tables as
/// losses.
std::unique_ptr<Writer> make_tables_writer(Output& output, const Schema& schema, const Settings& settings,
                                           Losses& losses, MakeSink make_sink);

/// Counts facts of a trace's metadata that a sink does not store. Foreseen by foresee_tables().
void count_left_out_facts(std::size_t count, Losses& losses);

/// Foresees what make_tables_writer() and sinks count (WriteCapabilities::foresee).
void foresee_tables(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);

}  // namespace hwtrace::tables

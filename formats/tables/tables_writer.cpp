#include <string>
#include <utility>

#include "codec/table_losses.hpp"
#include "domain/table_rows.hpp"
#include "table_sink.hpp"

namespace hwtrace::tables {
namespace {

constexpr std::string_view no_place = "values without a place in tables";
constexpr std::string_view metadata = "metadata";

class TablesWriter final : public Writer {
public:
    TablesWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses, MakeSink make_sink)
        : losses_(losses),
          tables_(schema, settings.symbols),
          sink_(make_sink({tables_, output, settings, losses})),
          rows_(tables_, [this](std::size_t table, TableChunk& rows) { sink_->add(table, rows); }) {}

    void write(const Batch& batch) override { rows_.add(batch); }
    void finish() override {
        rows_.finish();
        sink_->finish();
        count_row_losses(rows_, tables_.schema(), losses_);
        if (rows_.left_out() != 0)
            losses_.count(
                Loss::part_dropped, Subject::general(no_place),
                [] { return std::string("a field that the track does not have, or a second value of an attribute"); },
                rows_.left_out());
    }

private:
    Losses& losses_;
    TraceTables tables_;
    std::unique_ptr<TableSink> sink_;
    TableRows rows_;
};

}  // namespace

std::unique_ptr<Writer> make_tables_writer(Output& output, const Schema& schema, const Settings& settings,
                                           Losses& losses, MakeSink make_sink) {
    return std::make_unique<TablesWriter>(output, schema, settings, losses, make_sink);
}

void count_left_out_facts(std::size_t count, Losses& losses) {
    if (count != 0)
        losses.count(
            Loss::metadata_dropped, Subject::general(metadata),
            [] { return std::string("facts about the whole trace"); }, count);
}

void foresee_tables(const Schema& schema, const Settings&, std::vector<ExpectedLoss>& losses) {
    losses.push_back({Loss::metadata_dropped, std::string(metadata),
                      "facts about the whole trace: all in CSV, long or many ones in Parquet", true});
    foresee_row_losses(schema, losses);
    if (!schema.tracks().empty())
        losses.push_back({Loss::part_dropped, std::string(no_place),
                          "a field that its track does not have, or a second value of an attribute", true});
}

}  // namespace hwtrace::tables

#include "report_writer.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "calls.hpp"
#include "chart.hpp"
#include "codec/shows_findings.hpp"
#include "details.hpp"
#include "durations.hpp"
#include "entities.hpp"
#include "instructions.hpp"
#include "intervals.hpp"
#include "io/error.hpp"
#include "json_stream.hpp"
#include "page_files.hpp"
#include "signals.hpp"
#include "tables.hpp"
#include "time_scale.hpp"
#include "track_counts.hpp"

namespace hwtrace::report {
namespace {

constexpr std::size_t most_facts = 2000, most_fact = 2000, most_findings = 1000;

class Report final : public Writer, public ShowsFindings {
public:
    Report(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
        : output_(output),
          schema_(schema),
          source_format_(settings.source_format),
          losses_(losses),
          times_(schema, losses),
          counts_(schema),
          chart_(schema),
          intervals_(schema, times_, chart_, histograms_),
          entities_(schema, times_, chart_, histograms_),
          instructions_(schema, times_, chart_),
          signals_(schema, times_, chart_),
          tables_(schema, times_, chart_),
          symbols_(settings.symbols),
          calls_(schema, symbols_),
          rows_(schema.tracks().size(), unknown_row) {}

    void write(const Batch& batch) override;
    void finish() override;
    void show(const Findings& findings) override { findings_ = &findings; }

private:
    static constexpr RowId unknown_row = none - 1;

    void add(const Batch& batch, const Record& record);
    void add_event(const Batch& batch, const Record& event);
    void add_note(const Batch& batch, const Record& note);
    RowId row_of(TrackId track);
    void write_data();
    void write_head(JsonStream& json);
    void write_findings(JsonStream& json);
    void write_text(std::string_view text) { output_.append(std::as_bytes(std::span(text))); }

    Output& output_;
    const Schema& schema_;
    std::string source_format_;
    Losses& losses_;
    const Findings* findings_ = nullptr;
    TimeScale times_;
    TrackCounts counts_;
    Chart chart_;
    HistogramBudget histograms_;
    Intervals intervals_;
    Entities entities_;
    Instructions instructions_;
    Signals signals_;
    Tables tables_;
    std::shared_ptr<const Symbols> symbols_;  ///< may be null
    Calls calls_;
    std::vector<RowId> rows_;  ///< by track of events or notes
};

void Report::write(const Batch& batch) {
    entities_.add(batch);
    if (batch.lost_positions() != 0) calls_.lose();
    for (const Record& record : batch.records()) {
        counts_.add(record);
        calls_.add(batch, record);
        add(batch, record);
    }
}

void Report::add(const Batch& batch, const Record& record) {
    switch (record.kind) {
        case Kind::event:
            return entities_.shows(record.track) ? void() : add_event(batch, record);
        case Kind::set:
        case Kind::clear:
        case Kind::add:
            return entities_.shows(record.track) ? void() : tables_.add(record);
        case Kind::change:
            return signals_.add(batch, record);
        case Kind::interval:
            return intervals_.add(batch, record);
        case Kind::instruction:
            return instructions_.add(batch, record);
        case Kind::note:
            return add_note(batch, record);
        case Kind::relation:
            return;  // only counted
        case Kind::native:
            break;
    }
    losses_.count(Loss::native_dropped, schema_.tracks()[record.track].name,
                  [] { return std::string("only its own format understands it"); });
}

RowId Report::row_of(TrackId id) {
    RowId& row = rows_[id];
    if (row != unknown_row) return row;
    const Track& track = schema_.tracks()[id];
    row = chart_.add_row(id, track.name, Row::Counting::never);
    return row;
}

void Report::add_event(const Batch& batch, const Record& event) {
    const Tick time = times_.at(event.track, event.time);
    chart_.add(row_of(event.track), time, time, [&](Slice& slice) {
        const Track& track = schema_.tracks()[event.track];
        slice.name = chart_.text(short_text(track.name, 200));
        append_cells(schema_, track, batch.cells(event), slice.detail);
    });
}

void Report::add_note(const Batch& batch, const Record& note) {
    const Tick time = times_.at(note.track, note.time);
    chart_.add(row_of(note.track), time, time, [&](Slice& slice) {
        slice.name = chart_.text(short_text(schema_.tracks()[note.track].name, 200));
        slice.detail = short_text(batch.text(note), 1000);
    });
}

void Report::write_head(JsonStream& json) {
    json.member("schema", std::string_view("hwtrace-report/1"));
    json.member("source", std::string_view(source_format_));
    json.key("unit");
    write_base(json, times_.unit());
    json.member("unknown_tracks", times_.unknown_tracks());
    json.member("begin", std::string_view(std::to_string(chart_.first())));
    json.member("end", std::string_view(std::to_string(chart_.last())));
    json.member("is_empty", chart_.is_empty());
    json.member("fact_count", schema_.metadata().size());
    json.array("metadata");
    for (std::size_t i = 0; i < std::min(schema_.metadata().size(), most_facts); ++i) {
        json.begin_array();
        json.text(short_text(schema_.metadata()[i].key, most_fact));
        json.text(short_text(schema_.metadata()[i].value, most_fact));
        json.end_array();
    }
    json.end_array();
}

void Report::write_findings(JsonStream& json) {
    if (findings_ == nullptr) return;
    json.object("findings");
    json.member("verdict", name_of(findings_->verdict()));
    json.object("totals");
    for (const auto& [rule, total] : findings_->totals())
        json.member(rule, total);
    json.end_object();
    json.array("kept");
    std::size_t left = most_findings;
    for (const Finding& finding : findings_->kept()) {
        if (left-- == 0) break;
        json.begin_array();
        json.text(finding.rule->id);
        json.text(name_of(findings_->severity(*finding.rule)));
        json.number(finding.offset);
        json.text(describe_place(finding));
        json.text(describe_fault(finding));
        json.end_array();
    }
    json.end_array();
    json.end_object();
}

void Report::write_data() {
    JsonStream json(output_);
    json.begin_object();
    write_head(json);
    counts_.write(json);
    json.array("types");
    intervals_.write_types(json);
    entities_.write_types(json);
    json.end_array();
    intervals_.write_names(json);
    json.array("code");
    entities_.write_code(json, symbols_.get());
    instructions_.write_code(json, symbols_.get());
    json.end_array();
    calls_.write(json);
    instructions_.write_rates(json);
    write_findings(json);
    json.array("assumptions");
    for (const std::string& assumption : losses_.assumptions())
        json.text(assumption);
    json.end_array();
    chart_.write(json, intervals_.scope_loads());
    json.end_object();
    json.flush();
}

void Report::finish() {
    entities_.finish();
    instructions_.finish();
    calls_.finish();
    signals_.finish();
    tables_.finish();
    std::string_view rest = page_html();
    while (!rest.empty()) {
        const std::size_t mark = std::min(rest.find('@'), rest.size());
        write_text(rest.substr(0, mark));
        if (mark == rest.size()) break;
        const std::size_t end = rest.find('@', mark + 1);
        if (end == std::string_view::npos) fail(Failure::internal, "page.html has half a mark");
        const std::string_view name = rest.substr(mark + 1, end - mark - 1);
        if (name == "style")
            write_text(page_style());
        else if (name == "script")
            write_text(page_script());
        else if (name == "style-hash")
            write_text(page_style_hash());
        else if (name == "script-hash")
            write_text(page_script_hash());
        else if (name == "data")
            write_data();
        rest.remove_prefix(end + 1);
    }
}

}  // namespace

std::unique_ptr<Writer> make_report(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<Report>(output, schema, settings, losses);
}

}  // namespace hwtrace::report

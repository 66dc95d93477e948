#include "cli/query_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <span>
#include <utility>

#include "cli/index_file.hpp"
#include "cli/process.hpp"
#include "cli/terminal.hpp"
#include "cli/time_options.hpp"
#include "cli/trace_file.hpp"
#include "cli/version.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"
#include "io/text_output.hpp"
#include "query/query_database.hpp"
#include "query/reopened_file.hpp"
#include "query/result_output.hpp"
#include "query/table_list.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view query_tool = "hwtrace-query";

TextForm query_form(std::string_view name) {
    for (const TextForm form : {TextForm::text, TextForm::json, TextForm::jsonl, TextForm::csv})
        if (name_of(form) == name) return form;
    fail(Failure::usage, fmt::format("--format {}: takes text, json, jsonl or csv", name));
}

/// The files and the statements of the command line.
struct Request {
    std::vector<std::string> files;
    std::string sql;
};

std::string standard_input() {
    std::string text;
    std::vector<std::byte> block(64u << 10);
    Input input = Input::open("-");
    for (std::size_t count = 0; (count = input.read(block)) != 0;)
        text.append(reinterpret_cast<const char*>(block.data()), count);
    return text;
}

Request request_of(const QueryCommandOptions& options) {
    Request request{options.arguments, {}};
    if (!options.list) {
        if (request.files.size() < 2)
            fail(Failure::usage,
                 "a file and a statement are needed, such as hwtrace-query x.ftr 'SELECT * FROM tracks'; "
                 "--list lists the tables");
        request.sql = std::move(request.files.back());
        request.files.pop_back();
    }
    if (request.files.empty()) fail(Failure::usage, "a file is needed; try hwtrace-query --help");
    const auto pipes = std::ranges::count(request.files, "-") + (request.sql == "-" ? 1 : 0);
    if (pipes > 1) fail(Failure::usage, "only one file, or the statements, can be standard input");
    if (request.sql == "-") request.sql = standard_input();
    return request;
}

/// A trace and its findings.
struct QueriedFile {
    Findings findings{findings_shown_per_rule};
    std::shared_ptr<QueryTrace> trace;
};

void open_file(const std::string& path, const QueryCommandOptions& options, Messages& messages, QueriedFile& file) {
    options.common.source_format();  // reports a wrong --from before any fault of the file
    refuse_written_folder(path, options.common.formats());
    const QueryTrace::Reopen reopen = reopened_file(path, options.common.temporary_folder());
    TraceFile trace{reopen(), nullptr};
    const std::string name = trace.name();
    const Format& format = known_format(trace.input, options.common, messages);
    trace.format = &format;
    QueryOptions how;
    how.settings = options.common.settings();
    how.memory = options.memory;
    how.criteria = options.part.criteria();
    if (!options.clock.empty()) how.period_ps = parse_clock(options.clock);
    how.progress = [&messages, form = options.common.progress(), name, size = trace.input.size()] {
        const auto progress = std::make_shared<Progress>(messages, form, name, size);
        return [progress](std::uint64_t bytes) { (*progress)(bytes); };
    };
    how.settings.symbols = options.elf.load(trace, how.settings, messages);
    naming(name, [&] {
        how.index = index_beside(path, trace, messages);
        how.range = options.part.range_in(trace, how.settings, how.index);
        report_findings(file.findings, name, messages);
        file.trace = std::make_shared<QueryTrace>(name, reopen, format, std::move(how), file.findings);
    });
    for (std::size_t i = 0; i < file.trace->tables().all().size(); ++i) {
        const SqlTable& table = file.trace->names().tables[i];
        const std::size_t columns = file.trace->tables().all()[i].columns.size();
        if (table.columns.size() < columns)
            messages.note(
                file.trace->name(),
                fmt::format("table {} has {} columns; SQLite takes {}, the last {} are left out", printable(table.name),
                            columns, most_sql_columns, columns - table.columns.size()));
    }
}

Exit conclude(const std::deque<QueriedFile>& files, const QueryCommandOptions& options, Messages& messages) {
    Exit exit = Exit::done;
    for (const QueriedFile& file : files) {
        report_hidden_findings(file.findings, file.trace->name(), messages);
        if (!breaks_its_format(file.findings) || options.allow_incomplete) continue;
        messages.error(file.trace->name(),
                       fmt::format("{}; --allow-incomplete accepts this", file.findings.effect() == Effect::harmless
                                                                              ? "the file violates its format"
                                                                              : "not everything could be read"));
        exit = Exit::incomplete;
    }
    return exit;
}

/// Passes rows on and counts them. On a terminal, erases the bar of progress before, because rows may be written there.
class CountedRows final : public QueryResult {
public:
    explicit CountedRows(QueryResult& result) : result_(result) {}

    void begin(std::span<const std::string> columns) override { result_.begin(columns); }
    void row(std::span<const SqlValue> values) override {
        ++rows_;
        if (is_on_terminal_) erase_status();
        result_.row(values);
    }
    void end() override {
        if (is_on_terminal_) erase_status();
        result_.end();
    }
    std::uint64_t rows() const noexcept { return rows_; }

private:
    QueryResult& result_;
    bool is_on_terminal_ = ::isatty(STDOUT_FILENO) != 0;
    std::uint64_t rows_ = 0;
};

}  // namespace

Exit query_command(const QueryCommandOptions& options) {
    Messages messages = options.common.messages(query_tool);
    const TextForm form = query_form(options.format);
    options.csv.apply(form == TextForm::csv);
    const Request request = request_of(options);
    options.common.refuse_unused(nullptr);
    Settings settings = options.common.settings();
    std::deque<QueriedFile> files;
    std::vector<std::shared_ptr<QueryTrace>> traces;
    for (const std::string& path : request.files) {
        open_file(path, options, messages, files.emplace_back());
        traces.push_back(files.back().trace);
    }
    settings.tool = query_tool;
    settings.version = version();
    TextOutput out(STDOUT_FILENO);
    if (form == TextForm::text) fit_to_terminal(out);
    bool is_unanswered = false;
    const std::unique_ptr<ResultOutput> result = make_result_output(form, settings, out, list_columns());
    CountedRows counted(*result);
    try {
        QueryDatabase::set_temporary_folder(options.common.temporary_folder());
        QueryDatabase database;
        const std::vector<std::string> schemas = database.add(traces);
        if (options.list) {
            const bool has_schema = traces.size() > 1;
            counted.begin(hwtrace::list_columns(has_schema));
            for (std::size_t i = 0; i < traces.size(); ++i)
                naming(traces[i]->name(),
                       [&] { list_tables(*traces[i], has_schema ? schemas[i] : std::string(), counted); });
            counted.end();
        } else {
            database.run(request.sql, counted);
            is_unanswered = options.part.require_match && counted.rows() == 0;
        }
    } catch (const Error&) {
        out.flush();  // prints the rows before the fault
        throw;
    }
    result->finish();
    out.flush();
    const Exit exit = conclude(files, options, messages);
    if (!is_unanswered) return exit;
    messages.error("", "--require-match: the answer has no rows");
    return worse(exit, Exit::no);
}

}  // namespace hwtrace::cli

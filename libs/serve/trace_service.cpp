#include "serve/trace_service.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <utility>

#include "io/http/url.hpp"
#include "serve/child_process.hpp"
#include "serve/page.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view json_type = "application/json; charset=utf-8";

HttpReply json_refusal(int status, std::string_view text) {
    HttpReply reply{status, std::string(json_type), "{\"error\":", {}};
    reply.body.append(json_quoted(text)).append("}\n");
    return reply;
}

bool is_ip_address(const std::string& host) {
    in6_addr binary{};
    return ::inet_pton(AF_INET, host.c_str(), &binary) == 1 || ::inet_pton(AF_INET6, host.c_str(), &binary) == 1;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Replaces every `from` in `text`.
std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; !from.empty() && (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

}  // namespace

/// A command to run for a request.
struct TraceService::Job {
    const File* file = nullptr;
    std::string command;                   ///< "hwtrace-dump"
    std::vector<std::string> arguments{};  ///< options, then the file
    std::string type{};                    ///< Content-Type of the reply
    PageForm form = PageForm::none;
    RowFilter::Page page{};
    bool as_columns = false;
    std::string policy{};  ///< Content-Security-Policy; empty: the strictest one
};

TraceService::TraceService(ServiceOptions options) : options_(std::move(options)) {
    for (std::string& host : options_.hosts)
        host = host_name(host);  // in lower case, and without a port, as the names that it is compared with
    for (const std::string& path : options_.files) {
        const std::string shown = shown_path(path);
        std::string name = shown.substr(shown.rfind('/') + 1);
        const std::string base = name;
        for (int i = 2; find(name) != nullptr || whole_number(name); ++i)
            name = base + " (" + std::to_string(i) + ")";
        files_.push_back({path, std::move(name)});
    }
}

const TraceService::File* TraceService::find(std::string_view name) const {
    if (const auto number = whole_number(name))
        return *number < files_.size() ? &files_[static_cast<std::size_t>(*number)] : nullptr;
    const auto found = std::ranges::find(files_, name, &File::name);
    return found == files_.end() ? nullptr : &*found;
}

/// Refuses requests that a page of another site may have caused. With the name of a site whose address it changed to
/// this machine's (DNS rebinding), it could read the answers.
std::optional<HttpReply> TraceService::refused(const HttpRequest& request) const {
    const std::string host = host_name(request.header("host"));
    if (host != "localhost" && !is_ip_address(host) && std::ranges::find(options_.hosts, host) == options_.hosts.end())
        return json_refusal(403, "the Host header names '" + host +
                                     "', which is not this server; --host NAME allows it, or use the IP address");
    const std::string_view site = request.header("sec-fetch-site");
    const bool is_foreign = site == "cross-site" || site == "same-site";
    if (is_foreign && request.header("sec-fetch-mode") != "navigate")
        return json_refusal(403, "pages of other sites cannot use this server");
    return std::nullopt;
}

HttpReply TraceService::answer(const HttpRequest& request) const {
    if (auto reply = refused(request)) return *reply;
    const std::string_view path = request.path;
    constexpr std::string_view report_prefix = "/report/";
    if (path == "/") return index();
    if (path == "/style.css") return {200, "text/css; charset=utf-8", std::string(page_style()), {}};
    if (path == "/api/files") return list();
    if (path == "/api/info") return info(request);
    if (path == "/api/dump") return dump(request);
    if (path == "/api/query" && options_.has_query) return query(request);
    if (path.starts_with(report_prefix)) return report(request, path.substr(report_prefix.size()));
    return json_refusal(404, "there is no such page; / lists the files");
}

namespace {

/// What the system says of a file that may grow.
struct FileState {
    bool exists = false;
    std::uint64_t size = 0;
    std::string etag, modified;  ///< for the headers of the same names
};

FileState state_of(const std::string& path) {
    FileState state;
    struct stat status {};
    if (is_url(path) || ::stat(path.c_str(), &status) != 0) return state;
    state.exists = true;
    state.size = static_cast<std::uint64_t>(status.st_size);
    state.etag = "\"" + std::to_string(status.st_ino) + "-" + std::to_string(status.st_size) + "-" +
                 std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec) + "\"";
    std::tm time{};
    std::array<char, 64> text{};
    if (::gmtime_r(&status.st_mtim.tv_sec, &time) != nullptr)
        state.modified.assign(text.data(), std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &time));
    return state;
}

/// The parameters of a request that become options of a command, as "--NAME=VALUE".
using Names = std::initializer_list<std::string_view>;

/// Adds the options. Returns the name of the first parameter that the request may not have.
std::optional<std::string> add_options(const HttpRequest& request, Names options, Names others,
                                       std::vector<std::string>& arguments) {
    for (const auto& [name, value] : request.query) {
        if (std::ranges::find(others, name) != others.end()) continue;
        if (std::ranges::find(options, name) == options.end()) return name;
        arguments.push_back("--" + name + "=" + value);
    }
    return std::nullopt;
}

HttpReply unknown_parameter(const std::string& name) {
    return json_refusal(400, "unknown parameter '" + name + "'");
}

HttpReply unknown_file() {
    return json_refusal(404, "the parameter file must be the number or the name of a file; /api/files lists them");
}

}  // namespace

HttpReply TraceService::index() const {
    std::vector<ListedFile> listed;
    for (const File& file : files_) {
        const FileState state = state_of(file.path);
        listed.push_back({file.name, state.size, state.modified});
    }
    return {200,
            "text/html; charset=utf-8",
            index_page(listed, options_.has_query),
            {{"Content-Security-Policy",
              "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"}}};
}

HttpReply TraceService::list() const {
    std::string text = "{\"schema\":\"hwtrace-serve-files/1\",\"tool\":\"hwtrace-serve\",\"version\":";
    text.append(json_quoted(options_.version)).append(",\"files\":[");
    for (std::size_t i = 0; i < files_.size(); ++i) {
        const FileState state = state_of(files_[i].path);
        text.append(i == 0 ? "" : ",").append("{\"file\":").append(std::to_string(i)).append(",\"name\":");
        text.append(json_quoted(files_[i].name));
        text.append(",\"size\":").append(state.exists ? std::to_string(state.size) : "null");
        text.append(",\"modified\":").append(state.exists ? json_quoted(state.modified) : "null").append("}");
    }
    return {200, std::string(json_type), text + "]}\n", {}};
}

HttpReply TraceService::info(const HttpRequest& request) const {
    Job job{.command = "hwtrace-info", .type = std::string(json_type)};
    job.file = find(request.parameter("file").value_or(""));
    if (job.file == nullptr) return unknown_file();
    job.arguments = {"--format=json"};
    if (const auto unknown =
            add_options(request, {"range", "first", "last", "shard", "select"}, {"file", "quick"}, job.arguments))
        return unknown_parameter(*unknown);
    if (const auto quick = request.parameter("quick"); quick && *quick != "0") job.arguments.emplace_back("--quick");
    job.arguments.insert(job.arguments.end(), {"--", job.file->path});
    return run(request, job);
}

namespace {

/// Chooses the form of the rows by the parameter `format`: "columns", which is not one of the commands', or theirs.
bool choose_form(std::string_view format, bool has_head, PageForm& form, std::string& type) {
    if (format == "json") {
        form = PageForm::none;
        type = json_type;
    } else if (format == "jsonl" || format == "columns") {
        form = has_head ? PageForm::jsonl : PageForm::lines;
        type = format == "columns" ? std::string(json_type) : "application/x-ndjson; charset=utf-8";
    } else if (format == "csv") {
        form = PageForm::csv;
        type = "text/csv; charset=utf-8";
    } else if (format == "text") {
        form = PageForm::lines;
        type = "text/plain; charset=utf-8";
    } else {
        return false;
    }
    return true;
}

constexpr std::string_view page_help = "since and limit take numbers, and not with format=json, which has no rows";

/// Sets the page by the parameters `since` and `limit`. Returns false if they are wrong; see page_help.
bool choose_page(const HttpRequest& request, PageForm form, std::uint64_t most_rows, std::size_t most_bytes,
                 RowFilter::Page& page) {
    if (form == PageForm::none && (request.parameter("since") || request.parameter("limit"))) return false;
    const auto since = whole_number(request.parameter("since").value_or("0"));
    const auto limit = whole_number(request.parameter("limit").value_or(std::to_string(most_rows)));
    if (!since || !limit) return false;
    page = {*since, std::min(*limit, most_rows), most_bytes};
    return true;
}

}  // namespace

HttpReply TraceService::dump(const HttpRequest& request) const {
    Job job{.command = "hwtrace-dump"};
    job.file = find(request.parameter("file").value_or(""));
    if (job.file == nullptr) return unknown_file();
    const std::string format = request.parameter("format").value_or("columns");
    if (!choose_form(format, true, job.form, job.type))
        return json_refusal(400, "format=" + format + ": takes columns, json, jsonl, csv or text");
    job.as_columns = format == "columns";
    job.arguments = {"--format=" + (job.as_columns ? "jsonl" : format)};
    const Names options{"view",   "range",  "first",   "last",     "around", "context", "shard",
                        "select", "entity", "counter", "interval", "at",     "disasm",  "json-u64"};
    if (const auto unknown = add_options(request, options, {"file", "format", "since", "limit"}, job.arguments))
        return unknown_parameter(*unknown);
    if (!choose_page(request, job.form, options_.most_rows, options_.most_bytes, job.page))
        return json_refusal(400, page_help);
    job.arguments.insert(job.arguments.end(), {"--", job.file->path});
    return run(request, job);
}

HttpReply TraceService::query(const HttpRequest& request) const {
    Job job{.command = "hwtrace-query"};
    job.file = find(request.parameter("file").value_or(""));
    if (job.file == nullptr) return unknown_file();
    const std::string sql = request.parameter("sql").value_or("");
    if (sql.empty() || sql == "-") return json_refusal(400, "the parameter sql must hold the statements");
    const std::string format = request.parameter("format").value_or("columns");
    if (!choose_form(format, false, job.form, job.type))
        return json_refusal(400, "format=" + format + ": takes columns, json, jsonl, csv or text");
    job.as_columns = format == "columns";
    job.arguments = {"--format=" + (job.as_columns ? "jsonl" : format)};
    if (const auto unknown = add_options(request, {"range", "first", "last", "shard", "select", "clock", "json-u64"},
                                         {"file", "sql", "format", "since", "limit"}, job.arguments))
        return unknown_parameter(*unknown);
    if (!choose_page(request, job.form, options_.most_rows, options_.most_bytes, job.page))
        return json_refusal(400, page_help);
    job.arguments.insert(job.arguments.end(), {"--", job.file->path, sql});
    return run(request, job);
}

HttpReply TraceService::report(const HttpRequest& request, std::string_view name) const {
    Job job{.command = "hwtrace-convert", .type = "text/html; charset=utf-8"};
    job.file = find(name);
    if (job.file == nullptr) return json_refusal(404, "there is no such file; / lists the files");
    job.arguments = {"--to=report", "--quiet"};
    if (const auto unknown = add_options(request, {"range", "first", "last", "select", "clock"}, {}, job.arguments))
        return unknown_parameter(*unknown);
    job.arguments.insert(job.arguments.end(), {"--", job.file->path, "-"});
    // The page itself allows only its own script and style, by their hashes; both policies must allow them.
    job.policy =
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'";
    return run(request, job);
}

/// Returns the messages of a command without its name and with the name of the file instead of its path.
std::string TraceService::messages_of(const Job& job, std::string_view messages) const {
    std::string text = replaced(std::string(messages), job.command + ": ", "");
    text = replaced(std::move(text), shown_path(job.file->path), job.file->name);
    while (text.ends_with('\n'))
        text.pop_back();
    return text;
}

HttpReply TraceService::failure(const Job& job, const ChildResult& result) const {
    using End = ChildResult::End;
    if (result.end == End::timed_out)
        return json_refusal(504, "the request took longer than " + std::to_string(options_.time_limit.count()) +
                                     " s; choose a range, or start hwtrace-serve with a larger --timeout");
    if (result.end == End::stopped)
        return json_refusal(413, "the answer has more than " + std::to_string(options_.most_bytes >> 20) +
                                     " MiB; choose a range, or rows by since and limit with format=jsonl");
    if (result.end != End::exited) return json_refusal(503, "the request was ended");
    // The exit codes of all commands: see apps/README.md.
    constexpr std::array<std::pair<int, int>, 4> statuses{{{2, 400}, {4, 422}, {5, 500}, {6, 413}}};
    const auto* const status =
        std::ranges::find(statuses, result.status, [](const auto& entry) { return entry.first; });
    return json_refusal(status == statuses.end() ? 500 : status->second, messages_of(job, result.messages));
}

/// Returns a page as an object with an array for each column; nullopt if it would be too long.
std::optional<std::string> TraceService::columns_body(const Job& job, const RowFilter& filter, bool is_incomplete,
                                                      std::string_view messages) const {
    const std::string_view text = filter.text();
    const auto columns = columns_of(text.substr(filter.head_size()), options_.most_bytes);
    if (!columns) return std::nullopt;
    std::string_view head = text.substr(0, filter.head_size());
    if (head.ends_with('\n')) head.remove_suffix(1);
    std::string body = "{\"schema\":\"hwtrace-serve-columns/1\",\"file\":" + json_quoted(job.file->name);
    body.append(",\"since\":").append(std::to_string(job.page.since));
    body.append(",\"next\":").append(std::to_string(filter.next()));
    body.append(",\"truncated\":").append(filter.is_cut() ? "true" : "false");
    body.append(",\"incomplete\":").append(is_incomplete ? "true" : "false");
    body.append(",\"messages\":").append(json_quoted(messages_of(job, messages)));
    if (!head.empty()) body.append(",\"head\":").append(head);
    body.append(",\"rows\":").append(std::to_string(filter.rows()));
    return body.append(",\"columns\":").append(*columns).append("}\n");
}

HttpReply TraceService::run(const HttpRequest& request, Job& job) const {
    const FileState state = state_of(job.file->path);
    if (!state.etag.empty() && request.header("if-none-match") == state.etag)
        return {304, job.type, {}, {{"ETag", state.etag}}};
    if (job.form == PageForm::none) job.page.most_bytes = options_.most_bytes;
    std::vector<std::string> arguments{sibling_command(job.command)};
    arguments.insert(arguments.end(), options_.arguments.begin(), options_.arguments.end());
    arguments.insert(arguments.end(), job.arguments.begin(), job.arguments.end());
    RowFilter filter(job.form, job.page);
    const ChildResult result = run_child(
        arguments, options_.time_limit, [&](std::string_view output) { return filter.take(output); },
        request.is_abandoned);
    constexpr int incomplete = 3;
    const bool is_page = result.end == ChildResult::End::stopped && job.form != PageForm::none && filter.rows() > 0;
    const bool is_whole = result.end == ChildResult::End::exited && (result.status == 0 || result.status == incomplete);
    const bool is_empty_page = result.end == ChildResult::End::stopped && job.page.limit == 0;
    if (!is_page && !is_whole && !is_empty_page) return failure(job, result);
    if (is_whole) filter.end();

    HttpReply reply{200, job.type, {}, {}};
    const bool is_incomplete = is_whole && result.status == incomplete;
    if (job.as_columns) {
        auto body = columns_body(job, filter, is_incomplete, result.messages);
        if (!body) return failure(job, {.end = ChildResult::End::stopped});
        reply.body = std::move(*body);
    } else {
        reply.body = filter.take_text();
    }
    if (job.form != PageForm::none) {
        reply.headers.emplace_back("X-Hwtrace-Next", std::to_string(filter.next()));
        reply.headers.emplace_back("X-Hwtrace-Truncated", filter.is_cut() ? "true" : "false");
    }
    if (is_incomplete) reply.headers.emplace_back("X-Hwtrace-Incomplete", "true");
    if (!state.etag.empty()) {
        reply.headers.emplace_back("ETag", state.etag);
        reply.headers.emplace_back("Last-Modified", state.modified);
    }
    if (!job.policy.empty()) reply.headers.emplace_back("Content-Security-Policy", job.policy);
    return reply;
}

}  // namespace hwtrace

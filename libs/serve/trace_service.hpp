// serve/trace_service.hpp - answers requests about traces by running the commands of hwtrace.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/http_message.hpp"
#include "serve/row_filter.hpp"

namespace hwtrace {

struct ServiceOptions {
    std::vector<std::string> files;        ///< paths or URLs
    std::vector<std::string> hosts;        ///< names that a Host header may have, besides IP addresses and localhost
    std::chrono::seconds time_limit{30};   ///< of a request
    std::uint64_t most_rows = 100000;      ///< of a response
    std::size_t most_bytes = 16u << 20;    ///< of a response
    bool has_query = false;                ///< hwtrace-query exists
    std::string version;                   ///< of hwtrace
    std::vector<std::string> arguments{};  ///< options for every command, such as --jobs=2
};

/// The requests that hwtrace-serve answers. Only the files of ServiceOptions are read, each by its number or name, so
/// that no request can name another file. Each request runs one command with bounded time and output: what it prints
/// is what the same command prints in a terminal. Several threads may call answer().
class TraceService {
public:
    explicit TraceService(ServiceOptions options);
    HttpReply answer(const HttpRequest& request) const;

private:
    struct File {
        std::string path, name;
    };
    struct Job;

    std::optional<HttpReply> refused(const HttpRequest& request) const;
    const File* find(std::string_view name) const;
    HttpReply index() const;
    HttpReply list() const;
    HttpReply info(const HttpRequest& request) const;
    HttpReply dump(const HttpRequest& request) const;
    HttpReply query(const HttpRequest& request) const;
    HttpReply report(const HttpRequest& request, std::string_view name) const;
    HttpReply run(const HttpRequest& request, Job& job) const;
    std::optional<std::string> columns_body(const Job& job, const RowFilter& filter, bool is_incomplete,
                                            std::string_view messages) const;
    HttpReply failure(const Job& job, const struct ChildResult& result) const;
    std::string messages_of(const Job& job, std::string_view messages) const;

    ServiceOptions options_;
    std::vector<File> files_;
};

}  // namespace hwtrace

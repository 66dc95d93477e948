// serve/http_message.hpp - requests and responses of a small HTTP/1.1 server.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hwtrace {

/// A GET or HEAD request.
struct HttpRequest {
    std::string method;
    std::string path;                                         ///< decoded, without the query
    std::vector<std::pair<std::string, std::string>> query;   ///< decoded, in order
    std::map<std::string, std::string, std::less<>> headers;  ///< names in lower case
    std::function<bool()> is_abandoned;                       ///< true if nobody waits for the response any more

    /// Returns the value of a header; empty if there is none.
    std::string_view header(std::string_view name) const;
    /// Returns the last value of a parameter.
    std::optional<std::string> parameter(std::string_view name) const;
};

struct HttpReply {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::string body{};
    std::vector<std::pair<std::string, std::string>> headers{};
};

/// Parses the head of a request, up to the empty line. Returns nullopt if it is malformed.
std::optional<HttpRequest> parse_request(std::string_view head);
/// Decodes %XX, and "+" as a blank if `plus_is_blank`. Returns nullopt for a broken escape or a NUL byte.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank);
/// Encodes everything but letters, digits and "-._~", for use in a URL.
std::string percent_encoded(std::string_view text);
/// Returns the host of a Host header without its port: "localhost:8080" becomes "localhost", "[::1]:80" becomes "::1".
std::string host_name(std::string_view host);
/// Returns the status line and the headers of a reply. Adds those that keep browsers from doing more than showing it.
std::string head_of(const HttpReply& reply);
/// Returns the text with & < > " ' escaped, for HTML.
std::string html_escaped(std::string_view text);

}  // namespace hwtrace

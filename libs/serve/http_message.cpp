#include "serve/http_message.hpp"

#include <algorithm>

namespace hwtrace {

namespace {

char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

int hex_value(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    const char small = lower(c);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

/// Returns the bytes before `separator` and removes them, with the separator, from `text`.
std::string_view take_until(std::string_view& text, std::string_view separator) {
    const std::size_t at = std::min(text.find(separator), text.size());
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(std::min(text.size(), at + separator.size()));
    return taken;
}

bool parse_query(std::string_view text, HttpRequest& request) {
    while (!text.empty()) {
        std::string_view value = take_until(text, "&");
        const std::string_view name = take_until(value, "=");
        if (name.empty() && value.empty()) continue;
        auto decoded_name = percent_decoded(name, true), decoded_value = percent_decoded(value, true);
        if (!decoded_name || !decoded_value) return false;
        request.query.emplace_back(std::move(*decoded_name), std::move(*decoded_value));
    }
    return true;
}

std::string_view reason(int status) noexcept {
    switch (status) {
        case 200:
            return "OK";
        case 304:
            return "Not Modified";
        case 400:
            return "Bad Request";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 413:
            return "Content Too Large";
        case 422:
            return "Unprocessable Content";
        case 431:
            return "Request Header Fields Too Large";
        case 503:
            return "Service Unavailable";
        case 504:
            return "Gateway Timeout";
        default:
            return "Internal Server Error";
    }
}

}  // namespace

std::string_view HttpRequest::header(std::string_view name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<std::string> HttpRequest::parameter(std::string_view name) const {
    for (auto it = query.rbegin(); it != query.rend(); ++it)
        if (it->first == name) return it->second;
    return std::nullopt;
}

std::optional<HttpRequest> parse_request(std::string_view head) {
    HttpRequest request;
    std::string_view line = take_until(head, "\r\n");
    request.method = take_until(line, " ");
    std::string_view target = take_until(line, " ");
    if (request.method.empty() || target.empty() || target[0] != '/' || !line.starts_with("HTTP/1."))
        return std::nullopt;
    target = target.substr(0, target.find('#'));
    auto path = percent_decoded(take_until(target, "?"), false);
    if (!path || !parse_query(target, request)) return std::nullopt;
    request.path = std::move(*path);
    while (!head.empty()) {
        line = take_until(head, "\r\n");
        if (line.empty()) break;
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || colon == 0) return std::nullopt;
        std::string name(line.substr(0, colon));
        std::ranges::transform(name, name.begin(), lower);
        const bool is_host = name == "host";
        const bool is_new = request.headers.emplace(std::move(name), without_blanks(line.substr(colon + 1))).second;
        if (is_host && !is_new) return std::nullopt;  // a client and a proxy could disagree which one counts
    }
    return request;
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
            const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
            if (high < 0 || low < 0) return std::nullopt;
            c = static_cast<char>(high * 16 + low);
            i += 2;
        } else if (c == '+' && plus_is_blank) {
            c = ' ';
        }
        if (c == '\0') return std::nullopt;  // would end an argument of a command early
        decoded += c;
    }
    return decoded;
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_plain = (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') ||
                              std::string_view("-._~").find(c) != std::string_view::npos;
        if (is_plain)
            encoded += c;
        else
            encoded.append(1, '%').append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
    }
    return encoded;
}

std::string host_name(std::string_view host) {
    host = without_blanks(host);
    if (host.starts_with('[')) return std::string(host.substr(1, std::min(host.find(']'), host.size()) - 1));
    std::string name(host.substr(0, host.find(':')));
    std::ranges::transform(name, name.begin(), lower);
    return name;
}

std::string head_of(const HttpReply& reply) {
    std::string head = "HTTP/1.1 " + std::to_string(reply.status) + " ";
    head.append(reason(reply.status)).append("\r\nContent-Type: ").append(reply.type);
    constexpr int not_modified = 304;
    if (reply.status != not_modified) head.append("\r\nContent-Length: ").append(std::to_string(reply.body.size()));
    head +=
        "\r\nConnection: close\r\nCache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n"
        "Referrer-Policy: no-referrer\r\nX-Frame-Options: DENY\r\nCross-Origin-Resource-Policy: same-origin\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\n";
    bool has_policy = false;
    for (const auto& [name, value] : reply.headers) {
        head.append(name).append(": ").append(value).append("\r\n");
        has_policy = has_policy || name == "Content-Security-Policy";
    }
    if (!has_policy)
        head +=
            "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action "
            "'none'\r\n";
    return head + "\r\n";
}

std::string html_escaped(std::string_view text) {
    std::string escaped;
    for (const char c : text)
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            case '\'':
                escaped += "&#39;";
                break;
            default:
                escaped += c;
        }
    return escaped;
}

}  // namespace hwtrace

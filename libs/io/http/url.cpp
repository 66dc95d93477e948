#include "io/http/url.hpp"

#include <algorithm>

#include "io/error.hpp"

namespace hwtrace {

namespace {

bool begins_with(std::string_view text, std::string_view lower_case) noexcept {
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; };
    return text.size() >= lower_case.size() &&
           std::equal(lower_case.begin(), lower_case.end(), text.begin(), [&](char b, char a) { return same(a, b); });
}

}  // namespace

bool is_url(std::string_view path) noexcept {
    return begins_with(path, "http://") || begins_with(path, "https://");
}

bool is_secure_url(std::string_view url) noexcept {
    return begins_with(url, "https://");
}

std::string shown_url(std::string_view url) {
    url = url.substr(0, url.find_first_of("?#"));
    const std::size_t host = std::min(url.find("//"), url.size() - std::min<std::size_t>(url.size(), 2)) + 2;
    if (host >= url.size()) return std::string(url);
    const std::size_t path = std::min(url.find('/', host), url.size());
    std::string_view authority = url.substr(host, path - host);
    std::string shown(url.substr(0, host));
    if (const std::size_t user = authority.rfind('@'); user != std::string_view::npos)
        authority.remove_prefix(user + 1);
    else if (const std::size_t colon = authority.rfind(':');
             !authority.starts_with('[') && colon != std::string_view::npos &&
             authority.find_first_not_of("0123456789", colon + 1) != std::string_view::npos)
        return shown;  // no port: a password that has "/", "?" or "#", so that the rest is not the path either
    return shown.append(authority).append(url.substr(path));
}

std::string shown_path(const std::string& path) {
    return is_url(path) ? shown_url(path) : path;
}

void refuse_url_as_output(const std::string& path) {
    if (is_url(path))
        fail(Failure::usage, shown_url(path) + ": an output cannot be a URL; write a file, then upload it");
}

}  // namespace hwtrace

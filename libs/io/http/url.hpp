// io/http/url.hpp - recognises URLs, and shows them without secrets.
#pragma once

#include <string>
#include <string_view>

namespace hwtrace {

/// Returns true for an address of a web server: "http://…" or "https://…", in upper or lower case.
bool is_url(std::string_view path) noexcept;
/// Returns true for a URL with https.
bool is_secure_url(std::string_view url) noexcept;
/// Returns the URL for messages: without user name and password, query and fragment, because presigned URLs carry
/// their signature in the query. "https://u:p@host/a.zstf?X-Amz-Signature=1" becomes "https://host/a.zstf". The end is
/// that of the path, so that the extension names a format.
std::string shown_url(std::string_view url);

/// Returns the path, or shown_url() of a URL.
std::string shown_path(const std::string& path);
/// Throws Failure::usage if `path` is a URL, because outputs are files.
void refuse_url_as_output(const std::string& path);

}  // namespace hwtrace

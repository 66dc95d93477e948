// Compiled in place of the other sources if libcurl's header was not found when hwtrace was built.
#include "io/error.hpp"
#include "io/http/http_source.hpp"
#include "io/http/url.hpp"

namespace hwtrace {

struct HttpSource::State {};

HttpPatience http_patience() {
    return {};
}

HttpSource::HttpSource(std::unique_ptr<State> state) : state_(std::move(state)) {}
HttpSource::~HttpSource() = default;

std::unique_ptr<HttpSource> HttpSource::open(const std::string& url, const HttpPatience&) {
    fail(Failure::usage, shown_url(url) +
                             ": this hwtrace reads no URLs, because it was built without libcurl "
                             "(Debian: libcurl4-openssl-dev); download the file");
}

std::optional<std::uint64_t> HttpSource::size() const noexcept {
    return std::nullopt;
}

std::uint64_t HttpSource::fingerprint() const noexcept {
    return 0;
}

std::size_t HttpSource::read_at(std::uint64_t, std::span<std::byte>) {
    return 0;
}

std::size_t HttpSource::read(std::span<std::byte>) {
    return 0;
}

}  // namespace hwtrace

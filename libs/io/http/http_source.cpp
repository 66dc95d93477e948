#include "io/http/http_source.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "io/fnv1a.hpp"
#include "io/http/block_cache.hpp"
#include "io/http/connection.hpp"
#include "io/http/url.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t enough_progress = 64u << 10;  // bytes, after which failures are counted anew
constexpr std::chrono::milliseconds longest_pause{10000};

/// Returns what a status says, and what to do.
std::string status_text(long status) {
    const std::string number = std::to_string(status);
    switch (status) {
        case 401:
        case 403:
            return "the server refuses access (status " + number +
                   "); if the URL is presigned, it may have expired: make a new one";
        case 404:
        case 410:
            return "the server has no such file (status " + number + "); check the URL";
        case 407:
            return "the proxy refuses access (status 407); see the variable https_proxy";
        case 429:
            return "the server refuses so many requests (status 429); try again later";
        default:
            return "the server answers with status " + number;
    }
}

bool is_passing(long status) noexcept {
    return status == 408 || status == 429 || status == 500 || (status >= 502 && status <= 504);
}

std::string text_of(const HttpRange& range) {
    return std::to_string(range.begin) + " to " + std::to_string(range.end - 1);
}

}  // namespace

HttpPatience http_patience() {
    HttpPatience patience;
    const char* const text = std::getenv("HWTRACE_HTTP_TIMEOUT");
    if (text == nullptr || *text == '\0') return patience;
    constexpr unsigned most_seconds = 86400;
    const std::string_view value = text;
    unsigned seconds = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
    if (error != std::errc() || end != value.data() + value.size() || seconds == 0 || seconds > most_seconds)
        fail(Failure::usage, "HWTRACE_HTTP_TIMEOUT=" + std::string(value) + ": takes seconds, 1 to 86400");
    patience.silence = std::chrono::seconds(seconds);
    return patience;
}

struct HttpSource::State {
    State(const std::string& url, const HttpPatience& how)
        : name(shown_url(url)), patience(how), connection(url, how.silence) {}

    const std::string name;
    const HttpPatience patience;
    HttpConnection connection;
    std::mutex mutex;
    std::optional<std::uint64_t> size;
    std::string etag, last_modified;      // of the first response
    std::optional<BlockCache> cache;      // with `size`
    std::optional<std::uint64_t> length;  // without `size`: what the server promised
    std::uint64_t delivered = 0;          // without `size`

    [[noreturn]] void refuse(const std::string& what) const { fail(Failure::io, name + ": " + what); }
    [[noreturn]] void refuse_changed() const {
        refuse("the file was changed on the server while it was read; start again");
    }

    /// Calls `request` until it succeeds. It throws TransferFailed, and sets `progress` to the bytes that it got.
    template <typename Request>
    void patiently(const Request& request) {
        unsigned failures = 0;
        std::chrono::milliseconds pause = patience.first_pause;
        for (;;) {
            std::size_t progress = 0;
            try {
                return request(progress);
            } catch (const TransferFailed& failure) {
                connection.stop();
                if (progress >= enough_progress) {
                    failures = 0;
                    pause = patience.first_pause;
                }
                if (!failure.may_pass()) refuse(failure.what());
                if (++failures >= patience.tries)
                    refuse(std::string(failure.what()) + " (" + std::to_string(failures) + " tries)");
            }
            std::this_thread::sleep_for(std::max(pause, std::min(asked_pause, longest_pause)));
            pause = std::min(pause * 2, longest_pause);
            asked_pause = {};
        }
    }
    std::chrono::milliseconds asked_pause{};  // by Retry-After

    /// Throws for a response that delivers no bytes of the file.
    void check_status(const HttpResponse& response) {
        if (response.status == 200 || response.status == 206) {
            if (response.is_encoded) refuse("the server compresses the file for transfer, which was not requested");
            return;
        }
        if (response.retry_seconds) asked_pause = std::chrono::seconds(std::min(*response.retry_seconds, 3600u));
        if (is_passing(response.status)) throw TransferFailed(status_text(response.status), true);
        refuse(status_text(response.status));
    }

    /// Throws if the response is not about the file that was opened, or not about the range.
    void check_range(const HttpResponse& response, const HttpRange& wanted) {
        if (response.status == 412 || response.status == 416) refuse_changed();
        check_status(response);
        if ((!etag.empty() && response.etag != etag) ||
            (!last_modified.empty() && response.last_modified != last_modified))
            refuse_changed();
        if (response.status == 200) {
            if (response.length && response.length != size) refuse_changed();
            refuse("the server ignored a range that it accepted before; try again");
        }
        if (!response.range || !response.range->bytes)
            refuse("the server does not state which bytes it sends (Content-Range)");
        if (response.range->size && response.range->size != size) refuse_changed();
        const HttpRange& sent = *response.range->bytes;
        if (sent.begin != wanted.begin || sent.end > wanted.end)
            refuse("the server sends bytes " + text_of(sent) + " where bytes " + text_of(wanted) + " were requested");
    }

    /// Reads the body of a response for a range of `into.size()` bytes. Adds the count to `progress`.
    void read_body(std::span<std::byte> into, std::size_t& progress) {
        while (progress < into.size()) {
            const std::size_t count = connection.read(into.subspan(progress));
            if (count == 0) throw TransferFailed("the connection ended before the response was complete", true);
            progress += count;
        }
        std::byte beyond{};
        std::size_t count = 0;
        try {
            count = connection.read({&beyond, 1});
        } catch (const TransferFailed&) {
            connection.stop();  // all bytes have arrived: what follows them does not matter
        }
        if (count != 0) refuse("the server sends more bytes than it states");
    }

    /// Fills `into` from `offset`, with as many requests as it takes.
    void fetch(std::uint64_t offset, std::span<std::byte> into) {
        while (!into.empty()) {
            std::size_t done = 0;
            patiently([&](std::size_t& progress) {
                const std::size_t before = done;
                const HttpRange wanted{offset + done, offset + into.size()};
                const HttpResponse& response = connection.get(wanted, is_strong(etag) ? etag : std::string());
                check_range(response, wanted);
                const HttpRange& sent = *response.range->bytes;
                try {
                    read_body(into.subspan(done, static_cast<std::size_t>(sent.end - sent.begin)), progress);
                } catch (const TransferFailed&) {
                    done = before + progress;  // the next try goes on from there
                    throw;
                }
                done = before + progress;
            });
            offset += done;
            into = into.subspan(done);
        }
    }

    void open();
    void open_ranges(const HttpResponse& response);
};

/// Requests the beginning of the file, and finds out whether the server supports ranges.
void HttpSource::State::open() {
    constexpr BlockCache::Shape shape;
    patiently([&](std::size_t&) {
        const HttpResponse* answer = &connection.get(HttpRange{0, shape.block}, {});
        if (answer->status == 416) answer = &connection.get(std::nullopt, {});  // an empty file has no ranges
        const HttpResponse& response = *answer;
        check_status(response);
        etag = response.etag;
        last_modified = response.last_modified;
        if (response.status == 206) {
            open_ranges(response);
            return;
        }
        length = response.length;  // the body is read by read()
    });
}

/// Takes over the first block of a server that supports ranges.
void HttpSource::State::open_ranges(const HttpResponse& response) {
    constexpr BlockCache::Shape shape;
    if (!response.range || !response.range->bytes || !response.range->size)
        refuse("the server does not state which bytes it sends, or the size of the file (Content-Range)");
    const HttpRange sent = *response.range->bytes;
    size = *response.range->size;
    if (sent.begin != 0 || sent.end > shape.block)
        refuse("the server sends bytes " + text_of(sent) + " where bytes " + text_of(HttpRange{0, shape.block}) +
               " were requested");
    cache.emplace(*size, shape, [this](std::uint64_t offset, std::span<std::byte> into) { fetch(offset, into); });
    std::vector<std::byte> first(static_cast<std::size_t>(sent.end));
    std::size_t count = 0;
    try {
        read_body(first, count);
    } catch (const TransferFailed& failure) {
        if (!failure.may_pass()) throw;
        connection.stop();  // read_at() requests the rest
    }
    cache->add_beginning(std::span<const std::byte>(first).first(count));
}

HttpSource::HttpSource(std::unique_ptr<State> state) : state_(std::move(state)) {}
HttpSource::~HttpSource() = default;

std::unique_ptr<HttpSource> HttpSource::open(const std::string& url, const HttpPatience& patience) {
    auto state = std::make_unique<State>(url, patience);
    state->open();
    return std::unique_ptr<HttpSource>(new HttpSource(std::move(state)));
}

std::optional<std::uint64_t> HttpSource::size() const noexcept {
    return state_->size;
}

std::uint64_t HttpSource::fingerprint() const noexcept {
    Fnv1a64 hash;
    for (const std::string_view text :
         {std::string_view(state_->etag), std::string_view("\n"), std::string_view(state_->last_modified)})
        hash.add(std::as_bytes(std::span(text)));
    return hash.value() ^ state_->size.value_or(state_->length.value_or(0));
}

std::size_t HttpSource::read_at(std::uint64_t offset, std::span<std::byte> into) {
    const std::lock_guard lock(state_->mutex);
    return state_->cache->read_at(offset, into);
}

std::size_t HttpSource::read(std::span<std::byte> into) {
    State& s = *state_;
    try {
        const std::size_t count = s.connection.read(into);
        s.delivered += count;
        if (count == 0 && s.length && s.delivered != *s.length)
            throw TransferFailed("the connection ended before the file was complete", true);
        return count;
    } catch (const TransferFailed& failure) {
        s.refuse(
            std::string(failure.what()) + ", at byte " + std::to_string(s.delivered) +
            "; the server ignores ranges, so that reading cannot go on from there: try again, or download the file");
    }
}

}  // namespace hwtrace

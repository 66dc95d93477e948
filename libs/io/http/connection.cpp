#include "io/http/connection.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "io/http/curl_library.hpp"
#include "io/http/url.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t most_waiting = 1u << 20;  // bytes that were received and not read
constexpr long most_redirects = 10;
constexpr std::size_t most_headers = 256u << 10;  // bytes of all headers of a request, with those of redirects
constexpr int poll_milliseconds = 200;

/// Returns true if the same request may succeed later.
bool may_pass(CURLcode code) noexcept {
    switch (code) {
        case CURLE_COULDNT_RESOLVE_HOST:
        case CURLE_COULDNT_CONNECT:
        case CURLE_OPERATION_TIMEDOUT:
        case CURLE_PARTIAL_FILE:
        case CURLE_GOT_NOTHING:
        case CURLE_SEND_ERROR:
        case CURLE_RECV_ERROR:
        case CURLE_HTTP2:
        case CURLE_HTTP2_STREAM:
        case CURLE_SSL_CONNECT_ERROR:
            return true;
        default:
            return false;
    }
}

/// `status` is that of the last response; 0 if there was none.
std::string message_of(CURLcode code, long status, const CurlLibrary& curl) {
    switch (code) {
        case CURLE_UNSUPPORTED_PROTOCOL:
            if (status == 0) return "the answer is not HTTP, or the installed libcurl lacks https";
            return "the server redirects to another protocol than https or http, or from https to http";
        case CURLE_TOO_MANY_REDIRECTS:
            return "the server redirects more than " + std::to_string(most_redirects) + " times";
        case CURLE_OUT_OF_MEMORY:
            return "a line of the headers is too long, or memory is exhausted";
        case CURLE_PARTIAL_FILE:
            return "the connection ended before the response was complete";
        default: {
            std::string text = curl.easy_strerror(code);
            if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z' && text.size() > 1 && text[1] >= 'a')
                text[0] = static_cast<char>(text[0] - 'A' + 'a');
            return text;
        }
    }
}

}  // namespace

struct HttpConnection::State {
    const CurlLibrary* curl = nullptr;
    CURL* easy = nullptr;
    CURLM* multi = nullptr;
    curl_slist* headers = nullptr;
    std::chrono::milliseconds patience{};
    HttpResponse response;
    std::vector<std::byte> waiting;  // received bytes that were not read; those before `at` were
    std::size_t at = 0;
    bool is_running = false, is_paused = false, has_body = false, has_news = false;
    std::size_t header_bytes = 0;
    bool has_head = false;  // the empty line after the headers has arrived
    CURLcode result = CURLE_OK;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        stop();
        if (easy != nullptr) curl->easy_cleanup(easy);
        if (multi != nullptr) curl->multi_cleanup(multi);
        if (headers != nullptr) curl->slist_free_all(headers);
    }

    void stop() noexcept {
        if (is_running) curl->multi_remove_handle(multi, easy);
        is_running = false;
    }

    template <typename Value>
    void set(CURLoption option, Value value) {
        if (curl->easy_setopt(easy, option, value) != CURLE_OK)
            fail(Failure::io, "the installed libcurl is too old or lacks https; install libcurl 7.85 or later");
    }

    /// Adds a header line to the request.
    void add_header(const std::string& line) {
        curl_slist* const longer = curl->slist_append(headers, line.c_str());
        if (longer == nullptr) throw std::bad_alloc();
        headers = longer;
    }

    static std::size_t take_header(const char* data, std::size_t, std::size_t size, void* self) noexcept {
        auto& state = *static_cast<State*>(self);
        state.has_news = true;
        state.header_bytes += size;
        if (state.header_bytes > most_headers) return 0;  // ends the transfer
        const std::string_view line(data, size);
        if (line.starts_with("HTTP/")) state.has_head = false;
        if (state.has_head || state.has_body) return size;  // a trailer says nothing about the file
        state.has_head = line == "\r\n" || line == "\n";
        try {
            state.response.add_line(line);
        } catch (...) {
            return 0;  // out of memory
        }
        return size;
    }

    static std::size_t take_body(const char* data, std::size_t, std::size_t size, void* self) noexcept {
        auto& state = *static_cast<State*>(self);
        state.has_body = state.has_news = true;
        if (state.waiting.size() - state.at >= most_waiting) {
            state.is_paused = true;
            return CURL_WRITEFUNC_PAUSE;
        }
        try {
            const auto* const bytes = reinterpret_cast<const std::byte*>(data);
            state.waiting.insert(state.waiting.end(), bytes, bytes + size);
        } catch (...) {
            return 0;
        }
        return size;
    }

    /// Waits for data or for the end of the transfer. Throws TransferFailed if neither comes.
    void advance() {
        const auto begin = std::chrono::steady_clock::now();
        has_news = false;
        while (is_running && !has_news) {
            int running = 0;
            if (curl->multi_perform(multi, &running) != CURLM_OK) throw TransferFailed("libcurl fails", false);
            int left = 0;
            for (const CURLMsg* message = nullptr; (message = curl->multi_info_read(multi, &left)) != nullptr;)
                if (message->msg == CURLMSG_DONE) finish(message->data.result);
            if (!is_running || has_news) break;
            if (std::chrono::steady_clock::now() - begin > patience) {
                stop();
                throw TransferFailed("the server sent nothing for " + std::to_string(patience.count() / 1000) + " s",
                                     true);
            }
            curl->multi_poll(multi, nullptr, 0, poll_milliseconds, nullptr);
        }
    }

    /// Throws TransferFailed if the transfer has ended by a failure.
    void check() const {
        if (header_bytes > most_headers)
            throw TransferFailed("the headers have more than " + std::to_string(most_headers >> 10) + " KiB", false);
        if (is_running) return;
        if (result != CURLE_OK) throw TransferFailed(message_of(result, response.status, *curl), may_pass(result));
        if (!has_head) throw TransferFailed("the connection ended before the response was complete", true);
    }

    void finish(CURLcode code) noexcept {
        result = code;
        stop();
    }
};

HttpConnection::HttpConnection(const std::string& url, std::chrono::milliseconds patience)
    : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.curl = curl_library();
    if (s.curl == nullptr)
        fail(Failure::io, "URLs are read by libcurl, which cannot be loaded; install it (Debian: libcurl4)");
    s.patience = patience;
    s.easy = s.curl->easy_init();
    s.multi = s.curl->multi_init();
    if (s.easy == nullptr || s.multi == nullptr) throw std::bad_alloc();
    s.set(CURLOPT_URL, url.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
    s.set(CURLOPT_PROTOCOLS_STR, "http,https");
    s.set(CURLOPT_REDIR_PROTOCOLS_STR, is_secure_url(url) ? "https" : "http,https");
#else
    s.set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    s.set(CURLOPT_REDIR_PROTOCOLS,
          static_cast<long>(is_secure_url(url) ? CURLPROTO_HTTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    s.set(CURLOPT_FOLLOWLOCATION, 1L);
    s.set(CURLOPT_MAXREDIRS, most_redirects);
    s.set(CURLOPT_NOSIGNAL, 1L);
    s.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    s.set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(patience.count()));
    s.set(CURLOPT_BUFFERSIZE, 256L << 10);
    s.set(CURLOPT_USERAGENT, "hwtrace");
    s.set(CURLOPT_HEADERFUNCTION, &State::take_header);
    s.set(CURLOPT_HEADERDATA, static_cast<void*>(&s));
    s.set(CURLOPT_WRITEFUNCTION, &State::take_body);
    s.set(CURLOPT_WRITEDATA, static_cast<void*>(&s));
}

HttpConnection::~HttpConnection() = default;

const HttpResponse& HttpConnection::get(const std::optional<HttpRange>& range, const std::string& if_match) {
    State& s = *state_;
    s.stop();
    s.response = {};
    s.waiting.clear();
    s.at = 0;
    s.is_paused = s.has_body = s.has_head = false;
    s.header_bytes = 0;
    s.result = CURLE_OK;
    if (s.headers != nullptr) s.curl->slist_free_all(std::exchange(s.headers, nullptr));
    s.add_header("Accept-Encoding: identity");  // the bytes of the file, not compressed
    if (!if_match.empty()) s.add_header("If-Match: " + if_match);
    s.set(CURLOPT_HTTPHEADER, s.headers);
    const std::string text =
        range ? std::to_string(range->begin) + "-" + std::to_string(range->end - 1) : std::string();
    s.set(CURLOPT_RANGE, range ? text.c_str() : nullptr);
    if (s.curl->multi_add_handle(s.multi, s.easy) != CURLM_OK) throw TransferFailed("libcurl fails", false);
    s.is_running = true;
    // The headers are complete when the body begins or the transfer ends. Bodies of redirects are not delivered.
    const auto begin = std::chrono::steady_clock::now();
    while (s.is_running && !s.has_body) {
        s.advance();
        // A server could send headers for ever, a few bytes at a time.
        if (s.is_running && !s.has_body &&
            std::chrono::steady_clock::now() - begin > s.patience * (most_redirects + 1)) {
            s.stop();
            throw TransferFailed("the server does not complete its headers", false);
        }
    }
    if (!s.has_body) s.check();
    return s.response;
}

std::size_t HttpConnection::read(std::span<std::byte> into) {
    State& s = *state_;
    while (s.at == s.waiting.size()) {
        s.waiting.clear();
        s.at = 0;
        s.check();
        if (!s.is_running) return 0;
        if (std::exchange(s.is_paused, false)) {
            s.curl->easy_pause(s.easy, CURLPAUSE_CONT);  // may deliver bytes
            if (!s.waiting.empty()) break;
        }
        s.advance();
    }
    const std::size_t count = std::min(into.size(), s.waiting.size() - s.at);
    std::memcpy(into.data(), s.waiting.data() + s.at, count);
    s.at += count;
    return count;
}

void HttpConnection::stop() noexcept {
    state_->stop();
}

}  // namespace hwtrace

// tests/flux_emitter/call_log.hpp - replays the logged calls of the first emitter with this emitter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hwtrace/flux_emitter.h"
#include "support/flux_log.hpp"

namespace hwtrace::test {

using Json = nlohmann::json;
using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(const std::filesystem::path& path);

/// A buffer with its memory, and the bytes that its handler received.
class Sink {
public:
    explicit Sink(std::uint32_t size);
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;

    flux_buffer buffer{};
    Bytes received;

private:
    Bytes memory_;
};

/// Repeats the calls of a log with this emitter.
class Replay {
public:
    /// With `several`, items are opened one by one.
    Replay(std::uint8_t version, bool several);

    /// Sends the entries of the current trace and of later traces to `buffer`.
    void write_into(flux_buffer& buffer);
    /// Makes a call. Returns FLUX_EXIT if the call writes no entry. Sets `can_say` to false if the interface lacks the
    /// call.
    flux_result perform(const Json& call, bool& can_say);

private:
    struct State {
        flux_trace trace{};
        std::vector<flux_item> items;
    };

    flux_trace& begin_trace(std::uint32_t id, std::uint32_t max_item, std::uint32_t max_entry);
    flux_result define(const Json& call, std::string_view name);
    flux_result write(const Json& call, std::string_view name, bool& can_say);
    flux_result write_array(const Json& call, std::string_view name);
    flux_result write_members(const Json& call, std::string_view name);

    std::uint8_t version_;
    bool several_;
    flux_buffer* buffer_ = nullptr;
    std::vector<std::unique_ptr<State>> traces_;
    flux_trace* trace_ = nullptr;
    std::uint32_t open_rate_ = 0;
    std::string open_domain_;
};

}  // namespace hwtrace::test

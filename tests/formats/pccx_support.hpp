// tests/formats/pccx_support.hpp - reads and writes .pccx traces in memory, and builds files by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "io/error.hpp"

namespace hwtrace {
extern const Format pccx_format;
}

namespace hwtrace::test {

using Bytes = std::vector<std::byte>;

struct TracedEvent {
    std::uint64_t core = 0, start = 0, duration = 0;
    std::string type;
    std::optional<std::string> name;

    friend bool operator==(const TracedEvent&, const TracedEvent&) = default;
};
/// Returns an event as one line. Long strings are truncated.
std::string shown(const TracedEvent& event);

/// The contents of a file as hwtrace reads it.
struct PccxTrace {
    std::vector<TracedEvent> events;
    Bytes opaque;
    std::map<std::string, std::string> metadata;
    Facts facts;
    std::map<std::string, std::uint64_t> rules;  ///< number of findings by rule
    std::vector<std::string> findings;           ///< findings as "PCX018@249", in order of occurrence
    bool broken = false;                         ///< an error was reported, or some data was not readable
    std::optional<Failure> failure;

    std::string fact(const std::string& key) const;
};
PccxTrace read_pccx(const Bytes& file, const Settings& settings = {});

/// Returns settings with the given options of the pccx writer.
Settings pccx_settings(const std::vector<std::pair<std::string_view, std::string>>& chosen);
/// Reads a file and writes it again, as `hwtrace-convert IN.pccx OUT.pccx` does without sorting.
Bytes rewrite_pccx(const Bytes& file, const Settings& settings, Losses& losses);
/// Rewrites a file with default settings. No loss is allowed.
Bytes rewrite_pccx(const Bytes& file);

// --- files made by hand ---

/// Returns a file made of prefix, header and payload. "%L" in the header is replaced with the payload's length.
Bytes pccx_file(std::string header, std::span<const std::byte> payload, std::uint8_t minor = 1);
/// Returns a regular header: 1000 cycles, 16 cores.
std::string plain_header(std::string_view encoding);
Bytes bincode(const std::vector<TracedEvent>& events, unsigned fields = 5, std::uint64_t total = 1000);
/// A flatbuf event without a name. Its type is an integer.
struct FlatEvent {
    std::uint32_t core = 0;
    std::uint64_t start = 0, duration = 0;
    std::uint32_t type = 0;
};
Bytes flat(const std::vector<FlatEvent>& events);
struct FlatName {
    std::uint32_t event = 0;
    std::string text;
};
void append_names(Bytes& payload, const std::vector<FlatName>& names);

}  // namespace hwtrace::test

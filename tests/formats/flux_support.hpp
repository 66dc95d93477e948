// tests/formats/flux_support.hpp - reads flux streams in memory and returns their records as lines of text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/findings.hpp"
#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "io/error.hpp"
#include "model/schema.hpp"

namespace hwtrace {
extern const Format flux_format;
}

namespace hwtrace::test {

/// The result of reading a stream, with one line per record: "0/12 @30 mark 1: value i64=5", "0/12 @30 none", "0 @30
/// flux.relation item=2 ...", "control <bytes>", "opening <bytes>".
struct FluxReading {
    FluxReading(std::vector<std::byte> stream, CheckLevel level = CheckLevel::full, Limits limits = {});

    std::vector<std::byte> bytes;
    Settings settings;
    Input input;
    Findings findings{1'000'000};
    std::unique_ptr<Reader> reader;  ///< null if the input is not flux
    std::optional<Failure> failure;
    std::vector<std::string> records;
    std::vector<std::string> rules;  ///< findings as "FLX003@45", in order of occurrence
    std::size_t largest_batch = 0;   ///< number of records

    const Schema& schema() const { return reader->schema(); }
    std::string fact(std::string_view key) const;
    std::string metadata(std::string_view key) const;
    /// Returns the number of findings of a rule.
    std::uint64_t total(std::string_view rule) const { return findings.total(rule); }
    /// Returns the records that begin with `front`.
    std::vector<std::string> records_of(std::string_view front) const;
};

/// Returns the id of the trace that contains a scope.
std::uint64_t flux_trace_of(const Schema& schema, ScopeId scope);
/// Returns the path of a track below the scope of its trace: "/top/sub/name".
std::string flux_path(const Schema& schema, const Track& track);
std::string hex_of(std::span<const std::byte> bytes);
/// Reads a stream and writes it again. `layout` is the value of --flux-layout.
std::vector<std::byte> flux_rewritten(std::vector<std::byte> stream, Losses& losses,
                                      std::string_view layout = "source");
/// Returns a value in the form used in the lines, such as "value i64=5".
std::string flux_value(const Schema& schema, const Track& track, const Attribute& value);

}  // namespace hwtrace::test

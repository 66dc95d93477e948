// tests/laws/law_support.hpp - what the laws do to traces, in memory: read, write, convert, as text that can be
// compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "io/error.hpp"
#include "pipeline/plan.hpp"
#include "support/testdata.hpp"

namespace hwtrace::test {

using Bytes = std::vector<std::byte>;

/// A trace that has been read to its end, or to where an Error ended it.
struct Story {
    std::string schema;                 ///< of the model dump
    std::string records;                ///< of the model dump
    std::vector<std::string> findings;  ///< "STF020@51", those that are kept, in the order they came
    std::uint64_t finding_count = 0;
    Effect effect = Effect::harmless;
    std::optional<Failure> failure;

    bool silent() const { return finding_count == 0 && !failure; }
};

/// Reads `file`; `verify` also checks what delivering records does not need.
Story read_story(const Bytes& file, const Format& format, bool verify = false);

/// Reads through every view as well, for what goes wrong there; the texts are thrown away.
void read_views(const Bytes& file, const Format& format);

struct Rewritten {
    Bytes bytes;
    Losses losses;
    std::vector<ExpectedLoss> foretold;

    /// Losses that happened and were not foretold, as "kind-dropped stf.event".
    std::vector<std::string> unexpected() const;
};

/// Converts `file`, without options. Throws Error where nothing can be written.
Rewritten convert_bytes(const Bytes& file, const Format& from, const Format& to, const TimeModel& time = {});

/// Where two texts differ first: "line 12: 'a' / 'b'"; empty when they are equal.
std::string difference(const std::string& a, const std::string& b);

}  // namespace hwtrace::test

// tests/laws/law_support.hpp - reads, writes and converts traces in memory, as text that can be compared.
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

/// A trace that was read to its end, or up to an Error.
struct Story {
    std::string schema;                 ///< of the model dump
    std::string records;                ///< of the model dump
    std::vector<std::string> findings;  ///< "STF020@51": the findings that were kept, in order
    std::vector<Expectation> places;    ///< the same with the bytes that they are about
    std::uint64_t finding_count = 0;
    std::uint64_t warning_count = 0;  ///< findings that are more than notes
    Effect effect = Effect::harmless;
    Verdict verdict = Verdict::valid;
    std::optional<Failure> failure;

    bool silent() const { return finding_count == 0 && !failure; }
    /// Returns the schema without storage facts.
    std::string lasting_schema() const;
    /// True if the trace has no faults; it may have notes.
    bool good() const { return warning_count == 0 && !failure; }
};

/// Reads `file` at check level `level`.
Story read_story(const Bytes& file, const Format& format, CheckLevel level = CheckLevel::delivery);

/// Returns true if the laws run on every file and every random model. HWTRACE_LAW_SAMPLE=N makes a sample run: each law
/// runs on about one file and one random model in N, the same ones each time.
bool is_full_run();
/// The number of random models to try: `count` in a full run, one in N of them in a sample run.
std::uint64_t share_of(std::uint64_t count);
/// The least number of comparisons that a law must have made: `count` in a full run, 1 in a sample run.
std::uint64_t at_least(std::uint64_t count);

/// The files of testdata/, and those of the corpus of at most `corpus_limit` bytes. A sample run gets, for each format,
/// the smallest valid and the smallest invalid file, and files whose name has a hash divisible by N.
std::vector<Sample> law_samples(std::uint64_t corpus_limit);
/// Returns all valid law_samples(); they may have notes. They are read once.
const std::vector<Sample>& good_samples();

/// Renders every view and discards the text, to find failures. Returns true if all views showed everything.
bool read_views(const Bytes& file, const Format& format);

struct Rewritten {
    Bytes bytes;
    Losses losses;
    std::vector<ExpectedLoss> foretold;

    /// Returns the losses of the trace in the form of unexpected(). Metadata about the files, "<format>.…", does not
    /// count.
    std::vector<std::string> lost_but_facts_of(const Format& from, const Format& to) const;
    /// Returns the losses that were not predicted, as "kind-dropped stf.event".
    std::vector<std::string> unexpected() const;
};

/// Returns choices for a conversion to `to` that undoes lowerings, even if the format does not request it.
Choices raised_choices(const Format& to, const TimeModel& time);

/// Converts `file` without format options. Throws Error if nothing can be written.
Rewritten convert_bytes(const Bytes& file, const Format& from, const Format& to, Choices choices);
Rewritten convert_bytes(const Bytes& file, const Format& from, const Format& to, const TimeModel& time = {});

/// Returns the first difference of two texts: "line 12: 'a' / 'b'"; empty if they are equal.
std::string difference(const std::string& a, const std::string& b);

}  // namespace hwtrace::test

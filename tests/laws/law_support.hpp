// tests/laws/law_support.hpp - reads, writes and converts traces in memory, and returns them as text for comparison.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "convert/plan.hpp"
#include "io/error.hpp"
#include "support/sample.hpp"
#include "support/testdata.hpp"

namespace hwtrace::test {

using Bytes = std::vector<std::byte>;

/// A trace that was read to its end, or up to an Error.
struct Story {
    std::string schema;                 ///< schema lines of the model dump
    std::string records;                ///< record lines of the model dump
    std::vector<std::string> findings;  ///< the kept findings as "STF020@51", in order
    std::vector<Expectation> places;    ///< the same findings, with the bytes that they concern
    std::uint64_t finding_count = 0;
    std::uint64_t warning_count = 0;  ///< number of findings above a note
    Effect effect = Effect::harmless;
    Verdict verdict = Verdict::valid;
    std::optional<Failure> failure;

    bool silent() const { return finding_count == 0 && !failure; }
    /// Returns the schema without the metadata that describes how the file stores the trace.
    std::string lasting_schema() const;
    /// Returns true if the trace has no faults. Notes are allowed.
    bool good() const { return warning_count == 0 && !failure; }
};

/// Reads `file` at the given check level.
Story read_story(const Bytes& file, const Format& format, CheckLevel level = CheckLevel::delivery);

/// Returns the files of testdata/, and the files of the corpus of at most `corpus_limit` bytes. In a sample run,
/// returns only the smallest valid and invalid file of each format, and the share of the files that share() states, by
/// the hash of their names.
std::vector<Sample> law_samples(std::uint64_t corpus_limit);
/// Returns all law_samples() that have no warnings and no errors. Notes are allowed. The files are read only once.
const std::vector<Sample>& good_samples();

/// Renders every view and discards the text, to find failures. Returns true if all views showed the whole trace.
bool read_views(const Bytes& file, const Format& format);

struct Rewritten {
    Bytes bytes;
    Losses losses;
    std::vector<ExpectedLoss> foretold;

    /// Returns the losses of the trace in the form of unexpected(). Metadata about the two files, "<format>.…", does
    /// not count.
    std::vector<std::string> lost_but_facts_of(const Format& from, const Format& to) const;
    /// Returns the losses that were not predicted, as "kind-dropped stf.event".
    std::vector<std::string> unexpected() const;
};

/// Returns choices for a conversion to `to` that undoes lowerings, even if the format does not request this.
Choices raised_choices(const Format& to, const TimeModel& time);

/// Converts `file` without format options. Throws Error if nothing can be written.
Rewritten convert_bytes(const Bytes& file, const Format& from, const Format& to, Choices choices);
Rewritten convert_bytes(const Bytes& file, const Format& from, const Format& to, const TimeModel& time = {});

/// Returns the first difference of two texts as "line 12: 'a' / 'b'", or an empty string if they are equal.
std::string difference(const std::string& a, const std::string& b);

}  // namespace hwtrace::test

// convert/verification.hpp - reads an output back, checks it, and compares it with what went into it (--verify).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/findings.hpp"
#include "codec/format.hpp"
#include "codec/losses.hpp"
#include "convert/plan.hpp"
#include "convert/verify.hpp"
#include "io/input.hpp"
#include "io/output.hpp"

namespace hwtrace {

/// The result of reading an output back.
struct Verification {
    bool done = false;
    std::string not_compared{};  ///< why the traces were not compared: "data was lost"; empty: they were
    /// The first error of the output that the source does not have.
    std::optional<Finding> violation{};
    std::string inherited{};                      ///< the rules that output and source violate: "STF020, STF031"
    std::optional<ModelDifference> difference{};  ///< the first difference between the traces

    /// Returns true if nothing speaks against the output.
    bool passed() const noexcept { return !violation && !difference; }
};

/// An output that was written, and the way to compare it with its source.
struct VerifiedOutput {
    Output& output;  ///< complete, but not committed
    const Format& to;
    const Choices& choices;
    std::string not_compared{};  ///< see reason_not_to_compare()
    /// Compares the source with the output, and reports findings about the output.
    std::function<std::optional<ModelDifference>(Input& written, Findings& findings)> compare;
    /// Returns the number of times that the source violates a rule of the output's format. Called only if the output
    /// violates that rule.
    std::function<std::uint64_t(std::string_view rule)> faults_of_source;
};

/// Throws Failure::usage if outputs of the format cannot be verified, because they do not hold the whole trace.
void check_verifiable(const Format& to);
/// Returns the reason why an output with `losses` cannot be compared with its source; empty if it can. `took_back`: see
/// PartLosses.
std::string reason_not_to_compare(const Format& to, const Choices& choices, const Losses& losses, Effect source,
                                  bool took_back);
/// Reads the output back, checks it at CheckLevel::full, and compares it.
Verification verify_output(const VerifiedOutput& written);

/// Counts the faults of the sources of an output, which must be read to count them.
class FaultsOfSources {
public:
    /// Adds a source. The arguments must outlive this object.
    void add(Input& source, const Format& from, const Settings& settings) {
        sources_.push_back({&source, &from, &settings});
    }
    /// Returns the number of violations of a rule in all sources. The first call reads them.
    std::uint64_t total(std::string_view rule);

private:
    struct Source {
        Input* input;
        const Format* format;
        const Settings* settings;
    };
    std::vector<Source> sources_;
    std::optional<Findings> findings_;
};

}  // namespace hwtrace

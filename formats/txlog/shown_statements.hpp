// formats/txlog/shown_statements.hpp - selects the statements of a log that the view shows, and converts their times.
#pragma once

#include <cstdint>
#include <memory>

#include "codec/settings.hpp"
#include "log.hpp"

namespace hwtrace::txlog {

/// Iterates over the statements of a log, or of the slice in Settings::part, in the order of the log.
class ShownStatements {
public:
    /// All arguments must outlive this object. Reads `input` twice, or three times for a slice. Throws as the reader
    /// does.
    ShownStatements(Input& input, const Settings& settings, Findings& findings);
    ~ShownStatements();

    /// Returns the exponent of the tick, which lasts 10^exponent seconds.
    int exponent() const noexcept { return exponent_; }
    /// Reads the next statement. Returns false at the end. Strings of the statement are valid until the next call.
    bool next(Statement& statement);
    /// Returns the time of the latest statement in ticks. Reports and clamps a time that is too large.
    std::uint64_t tick(const Statement& statement);

private:
    class Chosen;

    static std::unique_ptr<Chosen> choose(Input& input, const Settings& settings);

    std::unique_ptr<Chosen> chosen_;
    int exponent_;
    Log log_;
};

}  // namespace hwtrace::txlog

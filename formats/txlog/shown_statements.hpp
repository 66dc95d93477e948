// formats/txlog/shown_statements.hpp - the statements of a log that the view shows, and their times.
#pragma once

#include <cstdint>
#include <memory>

#include "codec/settings.hpp"
#include "log.hpp"

namespace hwtrace::txlog {

/// The statements of a log, or those of the slice in Settings::part, in the order of the log.
class ShownStatements {
public:
    /// All arguments outlive this object. Reads `input` twice, for a slice three times. Throws as the reader does.
    ShownStatements(Input& input, const Settings& settings, Findings& findings);
    ~ShownStatements();

    /// The tick of all times is 10^exponent seconds.
    int exponent() const noexcept { return exponent_; }
    /// Returns the next statement; false at the end. Its texts are valid until the next call.
    bool next(Statement& statement);
    /// Returns the time of the latest statement in ticks. A time that is too large is reported and clamped.
    std::uint64_t tick(const Statement& statement);

private:
    class Chosen;

    static std::unique_ptr<Chosen> choose(Input& input, const Settings& settings);

    std::unique_ptr<Chosen> chosen_;
    int exponent_;
    Log log_;
};

}  // namespace hwtrace::txlog

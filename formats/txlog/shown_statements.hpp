// formats/txlog/shown_statements.hpp - which statements of a log its view shows, and when.
#pragma once

#include <cstdint>
#include <memory>

#include "codec/settings.hpp"
#include "log.hpp"

namespace hwtrace::txlog {

/// Statements in the order of the log: all, or those of what Settings::part leaves.
class ShownStatements {
public:
    /// All outlive this object; `input` is read twice, of a part three times. Throws as a reading does.
    ShownStatements(Input& input, const Settings& settings, Findings& findings);
    ~ShownStatements();

    /// Of the tick of all times, in seconds.
    int exponent() const noexcept { return exponent_; }
    /// The next one; false at the end. Its texts are valid until the next call.
    bool next(Statement& statement);
    /// When the one that came last is; of a time that is too large, after a finding, the greatest there is.
    std::uint64_t tick(const Statement& statement);

private:
    class Chosen;

    static std::unique_ptr<Chosen> choose(Input& input, const Settings& settings);

    std::unique_ptr<Chosen> chosen_;
    int exponent_;
    Log log_;
};

}  // namespace hwtrace::txlog

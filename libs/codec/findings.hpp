// codec/findings.hpp - what is wrong or suspicious about an input: rules, findings, and the ledger that counts them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hwtrace {

enum class Severity : std::uint8_t { off, note, warning, error };
std::string_view name_of(Severity severity) noexcept;

/// What a finding of a rule means for the data behind it.
enum class Effect : std::uint8_t {
    harmless,    ///< every record is still delivered
    incomplete,  ///< the input ends early; every whole record before the end is delivered
    damaged,     ///< records are missing or cannot be trusted
};

/// One thing a file can be checked for. Ids are stable and never reused: STF001, USC001, GEN001, ...
struct Rule {
    std::string_view id;
    Severity severity;  ///< by default: error violates the format, warning is legal but suspicious
    Effect effect;
    std::string_view title;      ///< a short sentence: "the trace ends inside a record"
    std::string_view section;    ///< the heading in the format's README.md that explains it; empty for general rules
    std::string_view why;        ///< what goes wrong for users of such a file, and how to fix it
    std::string_view text = {};  ///< the section of the public format text: "4.4"; empty where that text is silent
};

/// Bytes of a file, from `offset` on; 1 where only the first is known.
struct ByteRange {
    constexpr ByteRange(std::uint64_t first, std::uint64_t count = 1) noexcept : offset(first), length(count) {}
    std::uint64_t offset;
    std::uint64_t length;
};

/// One occurrence. Offsets are bytes from the start of the file.
struct Finding {
    const Rule* rule = nullptr;
    std::uint64_t offset = 0;
    /// Bytes of the file, from `offset`, that it is about: a line, a record, a field, a segment; 1 where only that is
    /// known. What is cut may end before them.
    std::uint64_t length = 1;
    std::optional<std::uint64_t> inner_offset{};  ///< byte inside the decompressed data, where the input is compressed
    std::optional<std::uint64_t> ordinal{};       ///< of the record (STF: record number from 0; µScope: segment)
    std::optional<std::int64_t> time{};           ///< in the format's own ticks
    std::string where{};                          ///< the structure: "chunk 35", "segment 4, frame 12"
    std::string expected{};                       ///< "12 bytes of INST_REG"
    std::string got{};                            ///< "7 bytes"

    /// Bytes of a file of `size` bytes that it is about; none behind the last one.
    std::uint64_t length_in(std::uint64_t size) const noexcept {
        return std::min(length, size - std::min(size, offset));
    }
};

/// What findings say of the whole input.
enum class Verdict : std::uint8_t {
    valid,       ///< every record is delivered, and nothing violates the format
    invalid,     ///< it violates its format
    incomplete,  ///< it ends early, or holds what is not delivered, and is valid otherwise
};
std::string_view name_of(Verdict verdict) noexcept;

/// Collects findings: exact totals for each rule, the first few kept. Severities may be changed per rule.
class Findings {
public:
    explicit Findings(std::size_t keep_per_rule = 20) : keep_per_rule_(keep_per_rule) {}

    /// Counts `finding` under its rule; keeps it while the rule has fewer than the cap, and shows it to the listener.
    void report(Finding finding);
    /// Called for each finding that is kept, as it comes.
    void listen(std::function<void(const Finding&)> listener) { listener_ = std::move(listener); }
    /// Called for each finding that counts, kept or not. Where it returns true, the finding is known already: it is
    /// counted in known() alone, and not kept; the verdict and the effect are those of all.
    void screen(std::function<bool(const Finding&)> is_known) { is_known_ = std::move(is_known); }

    /// Overrides a rule's severity; Severity::off stops it from being kept or counted (its effect still counts).
    void set_severity(std::string_view rule_id, Severity severity);
    Severity severity(const Rule& rule) const noexcept;

    const std::deque<Finding>& kept() const noexcept { return kept_; }
    /// Occurrences by rule, in order of rule id.
    const std::map<std::string_view, std::uint64_t>& totals() const noexcept { return totals_; }
    std::uint64_t total(std::string_view rule_id) const noexcept;
    /// Occurrences at a severity or above.
    std::uint64_t total_at_least(Severity severity) const noexcept;
    /// Occurrences by rule that were known, in order of rule id; none of them is in totals().
    const std::map<std::string_view, std::uint64_t>& known() const noexcept { return known_; }
    /// The worst effect seen, whatever the severity.
    Effect effect() const noexcept { return effect_; }
    /// Occurrences at a severity or above, of rules that say more than that the input ends early.
    std::uint64_t violations(Severity severity) const noexcept;
    /// Whether something that was not known says that not everything is delivered.
    bool loses_data() const noexcept;
    /// Valid only where effect() is harmless and nothing is an error; a rule that is off makes no file invalid, but
    /// what it would tell of is not delivered all the same.
    Verdict verdict() const noexcept;

private:
    std::size_t keep_per_rule_;
    std::deque<Finding> kept_;
    std::map<std::string_view, std::uint64_t> totals_;
    std::map<std::string_view, std::uint64_t> known_;
    std::map<std::string_view, const Rule*> rules_;  ///< of the totals and of what is known
    std::map<std::string, Severity, std::less<>> overrides_;
    std::function<void(const Finding&)> listener_;
    std::function<bool(const Finding&)> is_known_;
    Effect effect_ = Effect::harmless;
};

/// "byte 660473 (byte 918204 of the decompressed data), chunk 35: expected ..., found ...": the middle of every
/// message.
std::string describe(const Finding& finding);

}  // namespace hwtrace

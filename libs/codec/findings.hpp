// codec/findings.hpp - rules, findings (violations of rules), and a collection that counts findings.
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

/// The severity of a finding, in ascending order.
enum class Severity : std::uint8_t { off, note, warning, error };
/// Returns "off", "note", "warning" or "error".
std::string_view name_of(Severity severity) noexcept;

/// The effect of a problem on the delivered data.
enum class Effect : std::uint8_t {
    harmless,    ///< every record is delivered
    incomplete,  ///< the input ends early; every complete record before the end is delivered
    damaged,     ///< records are missing or cannot be trusted
};

/// A rule that files are checked against. Ids such as STF001, USC001 or GEN001 are stable and never reused.
struct Rule {
    std::string_view id;
    Severity severity;  ///< the default: errors violate the format, warnings are legal but suspicious
    Effect effect;
    std::string_view title;      ///< the violation as a short sentence: "the trace ends inside a record"
    std::string_view section;    ///< heading in the format's README.md that explains the rule; empty for general rules
    std::string_view why;        ///< the consequence for users of such a file, and the remedy
    std::string_view text = {};  ///< section of the specification, such as "4.4"; empty if it does not cover the rule
};

/// Returns the id of a rule as rules spell it, in capitals: "STF062" for "stf062". People write ids in any case.
std::string rule_id(std::string_view text);

/// A range of bytes in a file. The length is 1 if only the first byte is known.
struct ByteRange {
    constexpr ByteRange(std::uint64_t first, std::uint64_t count = 1) noexcept : offset(first), length(count) {}
    std::uint64_t offset;
    std::uint64_t length;
};

/// One violation of a rule. Offsets are bytes from the start of the file.
struct Finding {
    const Rule* rule = nullptr;
    std::uint64_t offset = 0;
    /// The number of affected bytes: usually those of a line, a record, a field or a segment. It is 1 if only the first
    /// byte is known. The range may extend past the end of a truncated file.
    std::uint64_t length = 1;
    std::optional<std::uint64_t> inner_offset{};  ///< offset in the decompressed data, if the input is compressed
    std::optional<std::uint64_t> ordinal{};       ///< index of the record, from 0 (µScope: of the segment)
    std::optional<std::int64_t> time{};           ///< in ticks of the format
    std::string where{};                          ///< the place in the file: "chunk 35", "segment 4, frame 12"
    std::string expected{};                       ///< "12 bytes of INST_REG"
    std::string got{};                            ///< "7 bytes"

    /// Returns the length of the part of the range that is inside a file of `size` bytes.
    std::uint64_t length_in(std::uint64_t size) const noexcept {
        return std::min(length, size - std::min(size, offset));
    }
};

/// The result for a whole input.
enum class Verdict : std::uint8_t {
    valid,       ///< every record is delivered and nothing violates the format
    invalid,     ///< something violates the format
    incomplete,  ///< the input ends early or holds undeliverable data, and is valid otherwise
};
/// Returns "valid", "invalid" or "incomplete".
std::string_view name_of(Verdict verdict) noexcept;

/// Collects findings. Counts all findings of each rule and keeps the first `keep_per_rule` of them. The severity of
/// each rule can be changed.
class Findings {
public:
    explicit Findings(std::size_t keep_per_rule = 20) : keep_per_rule_(keep_per_rule) {}

    /// Counts a finding. Unless the limit of the rule is reached, keeps the finding and calls the listener.
    void report(Finding finding);
    /// Sets a function that is called for each finding that is kept.
    void listen(std::function<void(const Finding&)> listener) { listener_ = std::move(listener); }
    /// Sets a function that decides whether a finding is known. The function is called for each finding whose
    /// severity is not off. A known finding is counted in known() only and is not kept. It still affects verdict() and
    /// effect().
    void screen(std::function<bool(const Finding&)> is_known) { is_known_ = std::move(is_known); }

    /// Overrides the severity of a rule. With Severity::off, findings are neither counted nor kept, but still affect
    /// effect().
    void set_severity(std::string_view rule_id, Severity severity);
    /// Returns the overridden or default severity of a rule.
    Severity severity(const Rule& rule) const noexcept;

    /// Returns the kept findings in order.
    const std::deque<Finding>& kept() const noexcept { return kept_; }
    /// Returns the number of findings by rule id, without known findings.
    const std::map<std::string_view, std::uint64_t>& totals() const noexcept { return totals_; }
    /// Returns the number of findings of a rule, without known findings.
    std::uint64_t total(std::string_view rule_id) const noexcept;
    /// Returns the number of findings of at least this severity, without known findings.
    std::uint64_t total_at_least(Severity severity) const noexcept;
    /// Returns the number of known findings by rule id.
    const std::map<std::string_view, std::uint64_t>& known() const noexcept { return known_; }
    /// Returns the worst effect of all findings, regardless of severity.
    Effect effect() const noexcept { return effect_; }
    /// Returns the number of findings of at least this severity. Known findings and findings about an early end of the
    /// input do not count.
    std::uint64_t violations(Severity severity) const noexcept;
    /// Returns true if an unknown finding shows that data is missing.
    bool loses_data() const noexcept;
    /// Returns invalid if any error is not about an early end of the input. Otherwise, returns valid if effect() is
    /// harmless, else incomplete. A rule that is off cannot make a file invalid, but can make it incomplete.
    Verdict verdict() const noexcept;

private:
    std::size_t keep_per_rule_;
    std::deque<Finding> kept_;
    std::map<std::string_view, std::uint64_t> totals_;
    std::map<std::string_view, std::uint64_t> known_;
    std::map<std::string_view, const Rule*> rules_;  ///< the rules of totals_ and known_
    std::map<std::string, Severity, std::less<>> overrides_;
    std::function<void(const Finding&)> listener_;
    std::function<bool(const Finding&)> is_known_;
    Effect effect_ = Effect::harmless;
};

/// Returns a finding as the middle part of a message: "byte 660473 (chunk 35, byte 918204 of the decompressed data):
/// TITLE; expected ..., found ...".
std::string describe(const Finding& finding);
/// Returns the parts of describe(): the place "byte 45 (...)", and the title with what was expected and found.
std::string describe_place(const Finding& finding);
std::string describe_fault(const Finding& finding);
/// Returns the line of a finding in a text file, from 1; nullopt for other files, and for texts in compressed data.
std::optional<std::uint64_t> line_of(const Finding& finding);

}  // namespace hwtrace

// select/criteria.hpp - the selection of records and instructions by their properties (--select).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.hpp"

namespace hwtrace {

/// A comparison operator.
enum class Operator : std::uint8_t { equal, unequal, less, at_most, greater, at_least };
/// Returns "=", "!=", "<", "<=", ">" or ">=".
std::string_view name_of(Operator comparison) noexcept;

/// A comparison of a field with a value, such as addr>=0x1000.
struct FieldCriterion {
    std::string field;
    Operator comparison = Operator::equal;
    std::string value;  ///< number, time, label or text, depending on the field's type; labels and texts are patterns

    friend bool operator==(const FieldCriterion&, const FieldCriterion&) = default;
};

/// Criteria for records: their kind, origin and contents. An empty list restricts nothing.
struct RecordCriteria {
    std::vector<Kind> kinds;
    std::vector<std::string> scopes;  ///< patterns; a matching scope includes all its descendants
    std::vector<std::string> tracks;  ///< patterns
    /// Ids of the tracks to keep, in ascending order, in the selection's source schema. Empty: all tracks.
    std::vector<TrackId> only{};
    std::vector<FieldCriterion> fields{};  ///< see FieldMatch

    /// Returns true if any criterion is set.
    bool any() const noexcept {
        return !kinds.empty() || !scopes.empty() || !tracks.empty() || !only.empty() || !fields.empty();
    }
    friend bool operator==(const RecordCriteria&, const RecordCriteria&) = default;
};

/// Criteria for the instructions of a trace.
struct InstructionCriteria {
    std::optional<std::uint64_t> mode;  ///< the privilege mode, an index into conventions::modes
    // A region extends from an instruction that begins it to the next instruction that ends it, both included. If
    // neither `from_opcode` nor `from_pc` is set, the first region begins with the trace.
    std::optional<std::uint64_t> from_opcode, from_pc;  ///< a region begins at an instruction that matches either
    std::optional<std::uint64_t> to_opcode, to_pc;      ///< a region ends at an instruction that matches either
    std::vector<FieldCriterion> fields{};               ///< see FieldMatch

    bool has_begin() const noexcept { return from_opcode || from_pc; }
    /// Returns true if the decision about an instruction depends on earlier instructions.
    bool needs_earlier() const noexcept { return mode || has_begin() || to_opcode || to_pc; }
    bool any() const noexcept { return needs_earlier() || !fields.empty(); }
    friend bool operator==(const InstructionCriteria&, const InstructionCriteria&) = default;
};

/// The criteria of --select.
struct Criteria {
    RecordCriteria records;
    InstructionCriteria instructions;

    bool any() const noexcept { return records.any() || instructions.any(); }
    friend bool operator==(const Criteria&, const Criteria&) = default;
};

/// Parses a list such as "kind=instruction,scope=core0*,mode=user,size>=4": keys with values, and comparisons of
/// fields, separated by commas. A record must satisfy all of them. Several values of kind, scope or track are
/// alternatives, as are several values that one field may equal. Values and field names with commas or blanks are
/// written in double quotes, with the escapes \" and \\. A field that has the name of a key is written with a leading
/// dot. Throws Failure::usage for anything else.
Criteria parse_criteria(std::string_view text);
/// Returns the list of keys, without fields: "kind, scope, ...".
std::string_view criteria_keys() noexcept;

/// Returns true if `text` matches `pattern`, where * matches any number of characters and ? matches one.
bool fits_pattern(std::string_view text, std::string_view pattern) noexcept;

}  // namespace hwtrace

// pipeline/criteria.hpp - what is wanted of a trace besides a range of it (--select).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.hpp"

namespace hwtrace {

enum class Operator : std::uint8_t { equal, unequal, less, at_most, greater, at_least };
/// "=", "!=", "<", "<=", ">", ">=".
std::string_view name_of(Operator comparison) noexcept;

/// What is asked of a field, such as addr>=0x1000.
struct FieldCriterion {
    std::string field;
    Operator comparison = Operator::equal;
    std::string value;  ///< a number, a time, a label or a text, by the field's type; patterns for the latter two

    friend bool operator==(const FieldCriterion&, const FieldCriterion&) = default;
};

/// Which records, by what they are, where they come from, and what they hold. Empty lists ask for nothing.
struct RecordCriteria {
    std::vector<Kind> kinds;
    std::vector<std::string> scopes;       ///< patterns: a scope is wanted with all that is in it
    std::vector<std::string> tracks;       ///< patterns
    std::vector<TrackId> only{};           ///< in ascending order: of them alone, by their ids where it is selected
    std::vector<FieldCriterion> fields{};  ///< see FieldMatch

    bool any() const noexcept {
        return !kinds.empty() || !scopes.empty() || !tracks.empty() || !only.empty() || !fields.empty();
    }
    friend bool operator==(const RecordCriteria&, const RecordCriteria&) = default;
};

/// Which instructions of a trace that has some.
struct InstructionCriteria {
    std::optional<std::uint64_t> mode;  ///< executed in this one of conventions::modes
    // From every instruction that begins a region to the next one that ends it, both included. Nothing begins one:
    // there is one, from the beginning of the trace on.
    std::optional<std::uint64_t> from_opcode, from_pc;  ///< an instruction that is either begins a region
    std::optional<std::uint64_t> to_opcode, to_pc;      ///< one that is either ends it
    std::vector<FieldCriterion> fields{};               ///< see FieldMatch

    bool has_begin() const noexcept { return from_opcode || from_pc; }
    /// Whether it takes the instructions before it to know if one is wanted.
    bool needs_earlier() const noexcept { return mode || has_begin() || to_opcode || to_pc; }
    bool any() const noexcept { return needs_earlier() || !fields.empty(); }
    friend bool operator==(const InstructionCriteria&, const InstructionCriteria&) = default;
};

struct Criteria {
    RecordCriteria records;
    InstructionCriteria instructions;

    bool any() const noexcept { return records.any() || instructions.any(); }
    friend bool operator==(const Criteria&, const Criteria&) = default;
};

/// "kind=instruction,scope=core0*,mode=user,size>=4": keys with values, and comparisons of fields, separated by commas.
/// What is selected fits all of them, and where kind, scope, track or a field with = stand several times, one of their
/// values. A value, or a field's name, in double quotes may have commas and blanks in it, and \" and \\; a field that
/// is called like a key has a dot before its name. Throws Failure::usage for anything else.
Criteria parse_criteria(std::string_view text);
/// The keys that are no fields: "kind, scope, ...".
std::string_view criteria_keys() noexcept;

/// Whether `text` fits `pattern`, in which * stands for any characters and ? for one.
bool fits_pattern(std::string_view text, std::string_view pattern) noexcept;

}  // namespace hwtrace

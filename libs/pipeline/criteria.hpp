// pipeline/criteria.hpp - what is wanted of a trace besides a range of it (--select).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/record.hpp"

namespace hwtrace {

/// Which records, by what they are and where they come from. Empty lists ask for nothing.
struct RecordCriteria {
    std::vector<Kind> kinds;
    std::vector<std::string> scopes;  ///< patterns: a scope is wanted with all that is in it
    std::vector<std::string> tracks;  ///< patterns
    std::vector<TrackId> only{};      ///< in ascending order: of them alone, by their ids where it is selected

    bool any() const noexcept { return !kinds.empty() || !scopes.empty() || !tracks.empty() || !only.empty(); }
    friend bool operator==(const RecordCriteria&, const RecordCriteria&) = default;
};

/// Which instructions of a trace that has some.
struct InstructionCriteria {
    std::optional<std::uint64_t> mode;  ///< executed in this one of conventions::modes
    // From every instruction that begins a region to the next one that ends it, both included. Nothing begins one:
    // there is one, from the beginning of the trace on.
    std::optional<std::uint64_t> from_opcode, from_pc;  ///< an instruction that is either begins a region
    std::optional<std::uint64_t> to_opcode, to_pc;      ///< one that is either ends it

    bool has_begin() const noexcept { return from_opcode || from_pc; }
    bool any() const noexcept { return mode || has_begin() || to_opcode || to_pc; }
    friend bool operator==(const InstructionCriteria&, const InstructionCriteria&) = default;
};

struct Criteria {
    RecordCriteria records;
    InstructionCriteria instructions;

    bool any() const noexcept { return records.any() || instructions.any(); }
    friend bool operator==(const Criteria&, const Criteria&) = default;
};

/// "kind=instruction,scope=core0*,mode=user": keys with values, separated by commas. What is selected fits every key,
/// and where kind, scope or track stand several times, one of their values. Throws Failure::usage for anything else.
Criteria parse_criteria(std::string_view text);

/// Whether `text` fits `pattern`, in which * stands for any characters and ? for one.
bool fits_pattern(std::string_view text, std::string_view pattern) noexcept;

}  // namespace hwtrace

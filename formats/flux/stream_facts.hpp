// formats/flux/stream_facts.hpp - what the metadata of a trace says of the flux stream that it was read from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/schema.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

struct MemberFact {
    std::string path;
    std::uint8_t type = 0;  ///< MemberType and its modifiers
    std::string descriptor;
    std::optional<std::uint64_t> number = {};  ///< none: the next one
};

/// One that no value has.
struct LabelFact {
    std::uint64_t use = 0;  ///< see EnumDomain
    std::uint64_t value = 0;
    std::string text;
};

struct ItemFacts {
    bool is_defined = false;         ///< something is stated that a definition says
    std::optional<SignalType> type;  ///< none: it was not defined as a signal
    bool redefined = false;          ///< several were stated, of which these are the last ones
    std::string description, descriptor;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> bits;  ///< of a part of a scattered signal
    std::optional<std::uint64_t> part_of;
    std::vector<MemberFact> members;
    std::vector<std::pair<std::uint64_t, std::string>> indexes;
    std::vector<LabelFact> labels;
};

struct OpenFacts {
    std::string domain;
    std::int64_t start = 0;
    std::uint64_t rate = 0;
};

struct ReferenceFacts {
    std::uint64_t item = 0, parent = 0;
    std::string name, description;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> bits;
};

/// Something that stood in the stream.
struct FactStep {
    enum class Kind : std::uint8_t { item, member, index, label, reference, open, close };
    Kind kind = Kind::item;
    std::uint64_t number = 0;  ///< of the item or the reference
    std::size_t index = 0;     ///< in the item's members, indexes or labels
};

/// Of one trace of the stream.
struct TraceFacts {
    std::optional<std::uint8_t> version;  ///< none: it had no HEAD
    std::string magic{flux::magic};
    std::string description;
    bool sync = false;  ///< its HEAD is one for late joiners
    std::map<std::uint64_t, ItemFacts> items;
    std::map<std::uint64_t, OpenFacts> opens;
    std::map<std::uint64_t, std::int64_t> closes;
    std::map<std::uint64_t, ReferenceFacts> references;
    std::vector<FactStep> steps;  ///< in the order in which they stood there
};

struct StreamFacts {
    std::map<std::uint64_t, TraceFacts> traces;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> closes;  ///< traces and items, in their order
    std::vector<const Metadata*> own, others;                     ///< facts of flux, and those that are none

    /// Whether `schema` still has what they speak of: a scope for each trace. Another format may keep facts alone.
    bool stand_in(const Schema& schema) const;

    /// `schema` outlives the result.
    static StreamFacts of(const Schema& schema);
};

}  // namespace hwtrace::flux

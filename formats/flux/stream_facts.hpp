// formats/flux/stream_facts.hpp - parses the metadata that describe the flux stream a trace was read from.
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
    std::optional<std::uint64_t> number = {};  ///< none: the next number
};

/// A label that nothing uses.
struct LabelFact {
    std::uint64_t use = 0;  ///< see EnumDomain
    std::uint64_t value = 0;
    std::string text;
};

struct ItemFacts {
    bool is_defined = false;         ///< the metadata contain a definition
    std::optional<SignalType> type;  ///< none: not defined as a signal
    bool redefined = false;          ///< there were several definitions; these are the last facts
    std::string description, descriptor;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> bits;  ///< bits of a part of a scattered signal
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

/// A definition, reference, OPEN or CLOS of the source stream.
struct FactStep {
    enum class Kind : std::uint8_t { item, member, index, label, reference, open, close };
    Kind kind = Kind::item;
    std::uint64_t number = 0;  ///< number of the item or reference
    std::size_t index = 0;     ///< in the item's members, indexes or labels
};

/// The facts of one trace of the stream.
struct TraceFacts {
    std::optional<std::uint8_t> version;  ///< none: no HEAD
    std::string magic{flux::magic};
    std::string description;
    bool sync = false;  ///< the HEAD is for late joiners
    std::map<std::uint64_t, ItemFacts> items;
    std::map<std::uint64_t, OpenFacts> opens;
    std::map<std::uint64_t, std::int64_t> closes;
    std::map<std::uint64_t, ReferenceFacts> references;
    std::vector<FactStep> steps;  ///< in the order of the stream
};

struct StreamFacts {
    std::map<std::uint64_t, TraceFacts> traces;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> closes;  ///< traces and items, in the order of CLOS
    std::vector<const Metadata*> own, others;                     ///< metadata of flux; all other metadata

    /// Returns true if `schema` still has a scope for each trace. Other formats may keep the metadata without them.
    bool stand_in(const Schema& schema) const;

    /// Parses the metadata of `schema`, which outlives the result.
    static StreamFacts of(const Schema& schema);
};

}  // namespace hwtrace::flux

// formats/flux/stream_facts.hpp - parses the metadata that describe the flux stream from which a trace was read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "display.hpp"
#include "model/schema.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

/// A member of a struct, or the label of an array index. An index has no path, but always a number.
struct MemberFact {
    std::string path;
    std::uint8_t type = 0;                     ///< MemberType and its modifiers
    std::optional<std::uint64_t> number = {};  ///< none: the previous number + 1
    std::optional<std::string> label = {};     ///< none: the last part of the path
    Display display = {};
};

/// A label that no value, relation or label uses.
struct LabelFact {
    std::uint64_t use = 0;  ///< see EnumDomain
    std::uint64_t value = 0;
    std::string text;
};

struct ItemFacts {
    bool is_defined = false;         ///< the metadata define the item
    std::optional<SignalType> type;  ///< none: not defined as a signal
    std::uint8_t unknown_type = 0;   ///< the stored number, if the type is unknown
    bool redefined = false;          ///< the source defined the item several times; this is the last definition
    Display display;
    std::optional<std::pair<std::uint64_t, std::uint64_t>>
        bits;  ///< range of bits, if the item is a part of a scattered signal
    std::optional<std::uint64_t> part_of;
    std::vector<MemberFact> members;
    std::vector<MemberFact> indexes;
    bool ends_with_index = false;  ///< the latest of its members and indexes is an index
    std::vector<LabelFact> labels;
};

struct OpenFacts {
    std::string domain;
    std::int64_t start = 0;
    std::uint64_t rate = 0;
};

struct ReferenceFacts {
    std::uint64_t item = 0, parent = 0;
    std::string name, description, tags;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> bits;
};

/// A definition, reference, OPEN or CLOS of the source stream.
struct FactStep {
    enum class Kind : std::uint8_t { item, member, index, label, reference, open, close };
    Kind kind = Kind::item;
    std::uint64_t number = 0;  ///< id of the item, or number of the reference
    std::size_t index = 0;     ///< index in the item's members, indexes or labels
};

/// The facts about one trace of the stream.
struct TraceFacts {
    std::optional<std::uint8_t> version;  ///< none: no HEAD
    bool is_impulse_3 = false;            ///< the layout of the definitions
    std::string magic{flux::magic};
    std::string description;
    bool sync = false;  ///< the HEAD is a sync head, for readers that join late
    std::map<std::uint64_t, ItemFacts> items;
    std::map<std::uint64_t, OpenFacts> opens;
    std::map<std::uint64_t, std::int64_t> closes;
    std::map<std::uint64_t, ReferenceFacts> references;
    std::vector<FactStep> steps;  ///< in stream order
};

struct StreamFacts {
    std::map<std::uint64_t, TraceFacts> traces;
    std::vector<std::pair<std::uint64_t, std::uint64_t>>
        closes;                                ///< trace and item ids, in the order of the CLOS entries
    std::vector<const Metadata*> own, others;  ///< "flux." metadata; all other metadata

    /// Returns true if `schema` still has a scope for each trace. Other formats may keep the metadata but lose the
    /// scopes.
    bool stand_in(const Schema& schema) const;

    /// Parses the metadata of `schema`, which outlives the result.
    static StreamFacts of(const Schema& schema);
};

}  // namespace hwtrace::flux

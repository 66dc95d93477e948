// formats/flux/items.hpp - what the definitions of a trace say: its items, what is open, and where positions stand.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/hash.hpp"
#include "model/number_table.hpp"
#include "model/schema.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

/// Texts by number.
class Labels {
public:
    /// The label, or null.
    const std::string* find(std::uint64_t value) const;
    enum class Set : std::uint8_t { known, added, changed };
    Set set(std::uint64_t value, std::string_view label);
    const std::vector<EnumValue>& values() const noexcept { return values_; }
    /// The label, or null; it is one that a relation or a label has.
    const std::string* use(std::uint64_t value);
    /// Whether anything has the label at that place of values().
    bool is_used(std::size_t place) const noexcept { return used || used_[place]; }

    EnumId declared = none;  ///< the enum of the schema that has those that were not changed since
    bool used = false;       ///< a field has them

private:
    std::vector<EnumValue> values_;
    std::vector<bool> used_;  ///< by place, since the label was changed
    NumberTable by_value_;
};

/// A member of a struct, or (type unknown) the name of an array's index.
struct MemberDefinition {
    std::uint64_t number = 0;
    std::uint64_t parent = 0;  ///< 0: none; else the number of the struct member that it is in, and 1
    std::uint8_t type = 0;     ///< MemberType and its modifiers
    std::string label, descriptor;
    std::string path = {};  ///< labels of the members that it is in, and its own, as they were when it was defined

    /// Whether both definitions say the same; paths follow from where they stand.
    bool is_same_statement(const MemberDefinition& other) const noexcept {
        return number == other.number && parent == other.parent && type == other.type && label == other.label &&
               descriptor == other.descriptor;
    }
};

/// What SCPD, SIGD and the like say of an item.
struct Definition {
    enum class Form : std::uint8_t { undefined, scope, signal, part };
    Form form = Form::undefined;
    SignalType type = SignalType::unknown;
    std::uint64_t parent = 0;
    std::string name, description, descriptor;
    std::uint64_t from = 0, to = 0;  ///< of a part of a scattered signal: its bits

    friend bool operator==(const Definition&, const Definition&) = default;
};

/// The fields of a track that samples of an item have used, by what they hold.
class Uses {
public:
    /// The field, or hwtrace::none. Quick for the one that was asked for last, and the one that came behind it.
    std::uint32_t find(std::uint64_t key) {
        for (unsigned tries = 0; tries < 2; ++tries) {
            if (next_ >= uses_.size()) next_ = 0;
            if (next_ < uses_.size() && uses_[next_].key == key) [[likely]]
                return uses_[next_].field;
            ++next_;
        }
        return find_far(key);
    }
    /// Whether `key` is what would be found at once; its field then.
    bool is_next(std::uint64_t key, std::uint32_t& field) noexcept {
        if (next_ >= uses_.size() || uses_[next_].key != key) return false;
        field = uses_[next_].field;
        return true;
    }
    void set(std::uint64_t key, std::uint32_t field);
    void clear() noexcept;

private:
    struct Use {
        std::uint64_t key = 0;
        std::uint32_t field = none;
    };
    std::uint32_t find_far(std::uint64_t key);

    std::vector<Use> uses_;
    HashMap<std::uint64_t, std::uint32_t> places_;  ///< in `uses_`
    std::size_t next_ = 0;
};

struct Item {
    std::uint64_t id = 0;
    TrackId track = none;
    std::vector<TrackId> tracks;   ///< one for each base of time
    std::uint32_t context = none;  ///< of the trace's contexts, as of `epoch`
    std::uint32_t epoch = 0;
    std::uint32_t track_epoch = 0;  ///< when the track's base of time was last compared with the context's
    bool sampled = false;
    bool sampled_below = false;  ///< it has samples, or of a scope what is in it
    bool is_mark = false;        ///< of the scope with facts of other formats
    bool told_sign = false;
    Tick last = 0;           ///< position of its last sample
    std::uint64_t gaps = 0;  ///< that were in front of that sample
    Uses uses;
    std::uint32_t width = 1;  ///< states of a logic signal
    Definition definition;
    ScopeId scope = none;  ///< of a scope: itself
    std::vector<MemberDefinition> members;
    NumberTable member_by_number;
    std::uint64_t next_member = 0;           ///< the number that the next member has where none is stated
    std::map<std::uint64_t, Labels> labels;  ///< by EnumDomain

    const MemberDefinition* member(std::uint64_t number) const;
};

/// Places where something is missing in a stream.
struct Gaps {
    std::uint64_t count = 0;    ///< so far
    std::uint64_t damaged = 0;  ///< the last of them that is damage, from 1 on
};

/// What one OPEN began: items share its position.
struct Context {
    enum class Known : std::uint8_t { yes, distances, no };
    std::uint64_t item = 0;
    bool opened = false, closed = false;
    bool told_not_open = false, told_behind_close = false;
    Known known = Known::yes;
    std::uint64_t gaps = 0;  ///< that `known` takes into account
    Tick position = 0;
    Tick last = 0;            ///< the latest position of a sample
    std::optional<Tick> end;  ///< of the last CLOS
    TimeBase base = ordinals;

    /// How far the position is known, behind all gaps.
    Known settle(const Gaps& all) noexcept {
        if (gaps != all.count) [[unlikely]] {
            if (all.damaged > gaps)
                known = Known::no;
            else if (known == Known::yes)
                known = Known::distances;
            gaps = all.count;
        }
        return known;
    }
    /// The position is that one.
    void place(Tick at, const Gaps& all) noexcept {
        position = at;
        known = Known::yes;
        gaps = all.count;
    }
};

/// One trace of a stream.
class Trace {
public:
    explicit Trace(std::uint64_t id) : id_(id) {}

    std::uint64_t id() const noexcept { return id_; }
    Item* find(std::uint64_t item) {
        const std::uint32_t index = by_id_.find(item);
        return index == none ? nullptr : &items_[index];
    }
    Item& add(std::uint64_t item);
    std::deque<Item>& items() noexcept { return items_; }

    /// The context that an item's samples count in, made at need: what was opened of it or above it, else the root's.
    Context& context_of(Item& item) {
        if (item.epoch != epoch_) [[unlikely]]
            find_context(item);
        return contexts_[item.context];
    }
    Context& context(std::uint64_t opened_item);
    /// The scope that an item is in; 0: the root, as where its parent is no scope.
    std::uint64_t scope_above(std::uint64_t item);
    const std::deque<Context>& contexts() const noexcept { return contexts_; }
    /// Nothing is opened any more: a HEAD behind so many gaps began the trace.
    void begin(std::uint64_t gaps);
    /// A first sample: see Item::sampled_below.
    void count_sampled(Item& item);
    /// Something was opened, or defined: contexts of items are looked for again.
    void renew() noexcept { ++epoch_; }

    bool has_head = false;
    bool any_sample = false;
    bool late = false;      ///< its HEAD was one for late joiners, and nothing has told a position since
    bool anew = false;      ///< a HEAD has begun it again
    bool restated = false;  ///< definitions that follow are those of a HEAD for late joiners, which are known
    std::uint8_t version = 0;
    std::uint64_t greatest_item = 0, longest_entry = 0;
    std::string default_domain;
    ScopeId scope = none;
    std::vector<TrackId> relations, labels, openings;  ///< one for each base of time
    TimeBase head_base = ordinals;                     ///< of the positions in front of the HEAD that began it again
    Tick head_time = 0;
    HashSet<std::string> references;  ///< entries of them
    std::vector<Context*> closed;     ///< in the order of their CLOS, which no record has yet
    std::size_t undeclared = 0;       ///< the first item that may have no track yet

private:
    void find_context(Item& item);

    const std::uint64_t id_;
    std::deque<Item> items_;
    NumberTable by_id_;
    std::deque<Context> contexts_;
    NumberTable context_by_item_;
    std::uint32_t epoch_ = 1;
    std::uint64_t gaps_ = 0;  ///< in front of its HEAD
};

/// "8..300" of a descriptor's keys: the value of `key` in "name<key=value,...>"; empty where it has none.
std::string_view descriptor_value(std::string_view descriptor, std::string_view key) noexcept;

/// How long a position of that domain is; none where the text is no unit that is known.
std::optional<TimeBase> base_of(std::string_view domain) noexcept;

/// "event", "integer", ...
std::string_view name_of(SignalType type) noexcept;
std::string_view name_of(MemberType type) noexcept;

}  // namespace hwtrace::flux

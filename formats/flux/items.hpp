// formats/flux/items.hpp - the state of a trace: items, labels, open items and current positions.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "display.hpp"
#include "lane.hpp"
#include "layout.hpp"
#include "model/hash.hpp"
#include "model/number_table.hpp"
#include "model/schema.hpp"
#include "wire.hpp"

namespace hwtrace::flux {

/// The labels of values.
class Labels {
public:
    /// Returns the label of a value, or null.
    const std::string* find(std::uint64_t value) const;
    enum class Set : std::uint8_t { known, added, changed };
    Set set(std::uint64_t value, std::string_view label);
    const std::vector<EnumValue>& values() const noexcept { return values_; }
    /// Returns the total size of the labels in bytes.
    std::size_t text_size() const noexcept { return text_size_; }
    /// Returns the label of a value, or null. Marks the label as used by a relation or label entry.
    const std::string* use(std::uint64_t value);
    /// Returns true if a record or field uses the label at index `place` of values().
    bool is_used(std::size_t place) const noexcept { return used || used_[place]; }
    /// Returns true if a relation or label entry uses it.
    bool was_used(std::size_t place) const noexcept { return used_[place]; }

    EnumId declared = none;  ///< schema enumeration with these labels; none after a label was changed
    bool used = false;       ///< a field uses the labels

private:
    std::vector<EnumValue> values_;
    std::vector<bool> used_;  ///< by index of values_; reset when a label changes
    std::size_t text_size_ = 0;
    NumberTable by_value_;
};

/// A member of a struct, or the label of an array index if the type is `unknown`.
struct MemberDefinition {
    std::uint64_t number = 0;
    std::uint64_t parent = 0;  ///< 0: none; else the number of the enclosing struct member + 1
    std::uint8_t type = 0;     ///< MemberType and its modifiers
    std::string label;
    Display display = {};
    /// Names of the enclosing members and its own name, at the time of definition. No other member of the item has it.
    std::string path = {};
    std::string name = {};  ///< the label; if another member has this path, "#" and the number follow

    /// Returns true if both entries define the member in the same way. Ignores the paths, which depend on earlier
    /// entries.
    bool is_same_statement(const MemberDefinition& other) const noexcept {
        return number == other.number && parent == other.parent && type == other.type && label == other.label &&
               display == other.display;
    }
};

/// The definition of an item by SCPD, SIGD, MSGD or SSGD.
struct Definition {
    enum class Form : std::uint8_t { undefined, scope, signal, part };
    Form form = Form::undefined;
    SignalType type = SignalType::unknown;
    std::uint8_t unknown_type = 0;  ///< the stored number, if the type is unknown
    std::uint64_t parent = 0;
    std::string name;
    Display display;
    std::uint64_t from = 0, to = 0;  ///< range of bits, if the item is a part of a scattered signal

    friend bool operator==(const Definition&, const Definition&) = default;
};

/// The fields of a track that samples of an item have used so far, by key (see Values::key_of()).
class Uses {
public:
    /// Returns the field, or hwtrace::none. Fast if keys recur in the same order.
    std::uint32_t find(std::uint64_t key) {
        for (unsigned tries = 0; tries < 2; ++tries) {
            if (next_ >= uses_.size()) next_ = 0;
            if (next_ < uses_.size() && uses_[next_].key == key) [[likely]]
                return uses_[next_].field;
            ++next_;
        }
        return find_far(key);
    }
    /// Returns true and sets `field` if `key` is the expected next key.
    bool is_next(std::uint64_t key, std::uint32_t& field) noexcept {
        if (next_ >= uses_.size() || uses_[next_].key != key) return false;
        field = uses_[next_].field;
        return true;
    }
    /// Does the same as find(), but does not expect the next key in order.
    std::uint32_t field(std::uint64_t key) const;
    void set(std::uint64_t key, std::uint32_t field);
    void clear() noexcept;

private:
    struct Use {
        std::uint64_t key = 0;
        std::uint32_t field = none;
    };
    std::uint32_t find_far(std::uint64_t key);

    std::vector<Use> uses_;
    HashMap<std::uint64_t, std::uint32_t> places_;  ///< indexes in `uses_`, by key
    std::size_t next_ = 0;
};

struct Item {
    std::uint64_t id = 0;
    TrackId track = none;
    std::vector<TrackId> tracks;   ///< one track per time base
    std::uint32_t context = none;  ///< index of its context in the trace; valid during `epoch`
    std::uint32_t epoch = 0;
    std::uint32_t track_epoch = 0;  ///< last epoch in which the time bases of track and context were compared
    bool sampled = false;
    bool sampled_below = false;  ///< the item, or an item inside it, has samples
    bool is_mark = false;        ///< the item holds metadata of other formats
    bool reported_sign = false;  ///< FLX022 was reported
    Tick last = 0;               ///< position of its last sample
    std::uint64_t gaps = 0;      ///< number of gaps before that sample
    Uses uses;
    std::uint32_t width = 1;  ///< states of a logic signal
    Definition definition;
    ScopeId scope = none;  ///< its scope in the schema, if the item is a scope
    std::vector<MemberDefinition> members;
    NumberTable member_by_number;
    HashMap<std::string, std::uint64_t> paths;  ///< numbers of members, by every path that members had
    std::uint64_t next_member = 0;              ///< default number of the next member
    std::map<std::uint64_t, Labels> labels;     ///< by EnumDomain
    Lane lane;

    const MemberDefinition* member(std::uint64_t number) const;
    /// Drops what is known about the fields of values, because a definition changes them.
    void forget_fields() noexcept {
        uses.clear();
        lane.epoch = 0;
    }
    /// Returns true if values have labels: those of the signal (`owner` is 0), or of the member with the number
    /// `owner` - 1.
    bool has_labels(std::uint64_t owner) const;
};

/// Gaps of a stream, numbered from 1.
struct Gaps {
    std::uint64_t count = 0;    ///< number of gaps so far
    std::uint64_t damaged = 0;  ///< number of the last gap caused by damage; 0: none
};

/// A current position. An OPEN entry starts it; all items inside the opened item share it.
struct Context {
    enum class Known : std::uint8_t { yes, distances, no };
    std::uint64_t item = 0;
    bool opened = false, closed = false;
    bool reported_not_open = false, reported_behind_close = false;
    Known known = Known::yes;
    std::uint64_t gaps = 0;  ///< number of gaps that `known` accounts for
    Tick position = 0;
    Tick last = 0;            ///< latest position of a sample
    std::optional<Tick> end;  ///< position of the last CLOS
    TimeBase base = ordinals;

    /// Accounts for the gaps since the last call. Returns what is still known about the position.
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
    /// Sets a known position.
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

    /// Returns the context of the item if it was opened, else of the nearest opened scope around it, else of the root.
    /// Creates the root's context if necessary.
    Context& context_of(Item& item) {
        if (item.epoch != epoch_) [[unlikely]]
            find_context(item);
        return contexts_[item.context];
    }
    Context& context(std::uint64_t opened_item);
    /// Returns the scope around an item; 0 (the root) if it has none or its parent is not a scope.
    std::uint64_t scope_above(std::uint64_t item);
    const std::deque<Context>& contexts() const noexcept { return contexts_; }
    /// Begins the trace at a HEAD: closes all items. `gaps` is the number of gaps before the HEAD.
    void begin(std::uint64_t gaps);
    /// Sets Item::sampled_below of an item and of all scopes around it.
    void count_sampled(Item& item);
    /// Invalidates the cached contexts of all items, after an OPEN or a definition.
    void renew() noexcept { ++epoch_; }
    std::uint32_t epoch() const noexcept { return epoch_; }

    bool has_head = false;
    bool any_sample = false;
    bool late = false;      ///< the trace began with a sync HEAD, and no position has been stated since
    bool anew = false;      ///< a later HEAD restarted the trace
    bool restated = false;  ///< after a sync HEAD: the definitions that follow are repetitions
    std::uint8_t version = 0;
    Layout layout = Layout::emitters_6;
    Layout stated_layout = Layout::emitters_6;  ///< layout according to the metadata
    bool keeps_layout = false;                  ///< records of repeated definitions have the stated layout
    std::uint64_t greatest_item = 0, longest_entry = 0;
    std::string default_domain;
    ScopeId scope = none;
    std::vector<TrackId> relations, labels, openings;  ///< one per time base
    TimeBase head_base = ordinals;                     ///< time base before the HEAD that restarted the trace
    Tick head_time = 0;
    HashSet<std::string> references;  ///< bytes of the reference entries
    std::vector<Context*> closed;     ///< contexts whose CLOS has no record yet, in the order of the CLOS entries
    std::size_t undeclared = 0;       ///< index of the first item that may have no track yet

private:
    void find_context(Item& item);

    const std::uint64_t id_;
    std::deque<Item> items_;
    NumberTable by_id_;
    std::deque<Context> contexts_;
    NumberTable context_by_item_;
    std::uint32_t epoch_ = 1;
    std::uint64_t gaps_ = 0;  ///< number of gaps before the HEAD
};

/// Returns the value of `key` in a descriptor "name<key=value,...>"; empty if the key is missing.
std::string_view descriptor_value(std::string_view descriptor, std::string_view key) noexcept;

/// Returns the time base of a domain; nullopt if the unit is unknown.
std::optional<TimeBase> base_of(std::string_view domain) noexcept;

/// Returns "event", "integer", and so on.
std::string_view name_of(SignalType type) noexcept;
/// Returns the metadata that states a signal's type: its name, and for an unknown type also the stored number if it is
/// not 0, as in "unknown 13".
std::string type_text(SignalType type, std::uint8_t unknown_type);
std::string_view name_of(MemberType type) noexcept;

}  // namespace hwtrace::flux

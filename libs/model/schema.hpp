// model/schema.hpp - what exists in a trace: scopes, clocks, enums, tracks and metadata, all append-only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/hash.hpp"
#include "model/time.hpp"

namespace hwtrace {

using StringId = std::uint32_t;  ///< index into Schema's runtime strings
using ScopeId = std::uint32_t;
using ClockId = std::uint32_t;
using EnumId = std::uint32_t;
using TrackId = std::uint32_t;

constexpr std::uint32_t none = 0xFFFF'FFFF;  ///< "no such object" for every id

/// The type of a field's cell. A cell is 64 bits: unsigned values zero-extended, signed ones sign-extended, floats as
/// their bits, enums as their numeric value, every kind of text (holds_text) and bytes as a StringId.
enum class Type : std::uint8_t {
    u8,
    u16,
    u32,
    u64,
    i8,
    i16,
    i32,
    i64,
    f32,
    f64,
    boolean,
    enumeration,
    text,
    label,    ///< one of a set of names that the trace does not list: text
    bits,     ///< a vector of 0 and 1: text of one character a bit, the most significant first
    logic,    ///< likewise of 0, 1, X, Z and the like
    fixed,    ///< a signed fixed-point number, as the bits of the double it is
    ufixed,   ///< an unsigned one
    pointer,  ///< an address in the program that was traced
    time,     ///< ticks of the track's time base
    blob,     ///< bytes that mean nothing here
};

/// The name used in dumps and reports: "u8", "text", ...
std::string_view name_of(Type type) noexcept;

/// True for types whose cells are StringIds.
constexpr bool holds_text(Type type) noexcept {
    return type == Type::text || type == Type::label || type == Type::bits || type == Type::logic || type == Type::blob;
}

/// When an interval's attribute was stated.
enum class Phase : std::uint8_t {
    unknown,  ///< of a source that does not tell
    begin,    ///< as it began
    record,   ///< while it lasted
    end,      ///< as it ended
};
/// "begin", "record", "end"; empty for unknown.
std::string_view name_of(Phase phase) noexcept;

struct Field {
    std::string name;
    Type type = Type::u64;
    EnumId enumeration = none;  ///< for Type::enumeration
    bool repeated = false;      ///< the trailing repeated fields form a row; an event carries any number of rows
    std::uint8_t role = 0;      ///< of a storage property: 1 head pointer, 2 tail pointer (uscope 4.3, bytes 4 and 5)
    std::uint8_t pair = 0;      ///< head and tail of one ring share this number
    Phase phase = Phase::unknown;  ///< of an interval's attribute
    std::uint8_t width = 0;        ///< of a number that is a vector of so many bits, 1 to 64; 0: of any other

    friend bool operator==(const Field&, const Field&) = default;
};

struct EnumValue {
    std::uint64_t value = 0;
    std::string name;

    friend bool operator==(const EnumValue&, const EnumValue&) = default;
};

struct Enum {
    std::string name;
    std::vector<EnumValue> values;

    /// The label of `value`, or nullptr.
    const std::string* label(std::uint64_t value) const noexcept;
    friend bool operator==(const Enum&, const Enum&) = default;
};

struct Clock {
    std::string name;
    std::uint64_t period_ps = 0;  ///< 0: unknown

    friend bool operator==(const Clock&, const Clock&) = default;
};

struct Scope {
    std::string name;
    ScopeId parent = none;  ///< none: a root
    std::string protocol;   ///< what kind of thing it is, by the source's own word for that; empty: none
    ClockId clock = none;   ///< none: inherited from the parent
    std::optional<std::uint64_t> native_id = {};  ///< the number by which the source refers to it

    friend bool operator==(const Scope&, const Scope&) = default;
};

/// Where records come from. The kind of a track says which kinds of records it carries.
struct Track {
    enum class Kind : std::uint8_t {
        event_type,     ///< Kind::event
        storage,        ///< Kind::set, clear, add
        signal,         ///< Kind::change
        stream,         ///< Kind::interval
        relation_type,  ///< Kind::relation; the first two fields are conventions::relation_from and relation_to
        hart,           ///< Kind::instruction
        notes,          ///< Kind::note
        native,         ///< Kind::native; `name` begins with the owning format's name and a dot
    };
    Kind kind = Kind::event_type;
    ScopeId scope = none;
    std::string name;
    TimeBase time;
    /// Of an event's or a relation's payload, of each slot, the attributes an interval may have, or the values of a
    /// signal; repeated ones of these two may occur any number of times in one interval or change.
    std::vector<Field> fields;
    std::vector<Field> properties;                ///< of a storage: scalars beside the slots
    std::uint32_t slots = 0;                      ///< of a storage
    bool sparse = false;                          ///< of a storage: slots are valid only after a set, until a clear
    bool buffer = false;                          ///< of a storage: shown as a buffer (uscope 4.6.1)
    std::optional<std::uint64_t> native_id = {};  ///< the number by which the source refers to it

    /// Number of leading fields that are not repeated.
    std::size_t fixed_fields() const noexcept;
    friend bool operator==(const Track&, const Track&) = default;
};
std::string_view name_of(Track::Kind kind) noexcept;
/// A track of these parts; the others are as they are by default.
Track make_track(Track::Kind kind, ScopeId scope, std::string_view name, TimeBase time, std::vector<Field> fields = {});

/// One ordered, namespaced fact about the whole trace, such as {"stf.version", "1.5"}. Values are bytes, usually UTF-8.
struct Metadata {
    std::string key;
    std::string value;

    friend bool operator==(const Metadata&, const Metadata&) = default;
};

/// Append-only tables. Ids are indexes; nothing is removed or renumbered, so a reader may go on declaring while a
/// writer is already at work. References returned stay valid for the Schema's life.
class Schema {
public:
    ScopeId declare(Scope scope);
    ClockId declare(Clock clock);
    EnumId declare(Enum enumeration);
    TrackId declare(Track track);  ///< behind a repeated field of an event, a relation or a stream all are made so
    /// Appends the label of a value that has had none.
    void add_label(EnumId enumeration, EnumValue label);
    /// Appends an attribute that the intervals of a stream, or the changes of a signal, may have from now on (to a
    /// stream as by declare()); its index.
    std::uint32_t add_attribute(TrackId track, Field attribute);
    /// Appends; the same key may stand several times (STF comments do).
    void describe(std::string key, std::string value);

    /// The id of a runtime string (a cell of Type::text), the same for equal bytes.
    StringId intern(std::string_view text);
    /// Appends without looking for an equal one: keeps the index identity of a file's own string table.
    StringId append(std::string_view text);
    /// The id that intern() would give without appending, or `none`.
    StringId find_text(std::string_view text) const noexcept;
    std::string_view text(StringId id) const { return strings_.at(id); }
    std::size_t string_count() const noexcept { return strings_.size(); }

    const std::deque<Scope>& scopes() const noexcept { return scopes_; }
    const std::deque<Clock>& clocks() const noexcept { return clocks_; }
    const std::deque<Enum>& enums() const noexcept { return enums_; }
    const std::deque<Track>& tracks() const noexcept { return tracks_; }
    const std::deque<Metadata>& metadata() const noexcept { return metadata_; }

    /// The label of a value, or nullptr; of `none`, or what is no enumeration, too. Quick for enumerations of any size.
    const std::string* label(EnumId enumeration, std::uint64_t value) const noexcept;
    /// One of those that add_label() appended.
    struct AddedLabel {
        EnumId enumeration = none;
        std::size_t index = 0;  ///< in the enumeration's values
    };
    /// In their order: for those who follow a schema that grows.
    const std::vector<AddedLabel>& added_labels() const noexcept { return added_labels_; }

    /// The first value of `key`, or nullptr.
    const std::string* metadata(std::string_view key) const noexcept;
    /// The first track of that kind and name in any scope, or `none`.
    TrackId find_track(Track::Kind kind, std::string_view name) const noexcept;

private:
    /// By value, of enumerations that have many.
    using LabelPlaces = HashMap<std::uint64_t, std::size_t>;

    std::deque<Scope> scopes_;
    std::deque<Clock> clocks_;
    std::deque<Enum> enums_;
    HashMap<EnumId, LabelPlaces> label_places_;
    std::vector<AddedLabel> added_labels_;
    std::deque<Track> tracks_;
    std::deque<Metadata> metadata_;
    std::deque<std::string> strings_;
    HashMap<std::string_view, StringId> string_ids_;
};

/// True if a track of `schema` holds the instructions of a hart.
inline bool has_hart(const Schema& schema) noexcept {
    return std::ranges::any_of(schema.tracks(), [](const Track& track) { return track.kind == Track::Kind::hart; });
}

}  // namespace hwtrace

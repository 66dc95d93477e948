// model/schema.hpp - the objects of a trace: scopes, clocks, enums, tracks and metadata, all append-only.
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
#include "model/text_index.hpp"
#include "model/time.hpp"

namespace hwtrace {

using StringId = std::uint32_t;  ///< index into Schema's runtime strings
using ScopeId = std::uint32_t;
using ClockId = std::uint32_t;
using EnumId = std::uint32_t;
using TrackId = std::uint32_t;

constexpr std::uint32_t none = 0xFFFF'FFFF;  ///< "no such object" for every id

/// The type of a field's cell. A cell has 64 bits. Unsigned values are zero-extended, and signed values are
/// sign-extended. Floats are stored as their bits, enums as numbers, and types for which holds_text() is true as a
/// StringId.
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
    label,    ///< text: a name from a set that the trace does not list
    bits,     ///< text: a vector of 0 and 1, one character per bit, most significant first
    logic,    ///< like `bits`, but with the characters 0, 1, X, Z and so on
    fixed,    ///< a signed fixed-point number, stored as the bits of a double
    ufixed,   ///< an unsigned fixed-point number
    pointer,  ///< an address in the traced program
    time,     ///< ticks of the track's time base
    blob,     ///< a StringId of bytes without a known meaning
};

/// Returns the name used in dumps and reports: "u8", "text", ...
std::string_view name_of(Type type) noexcept;

/// Returns true for types whose cells are StringIds.
constexpr bool holds_text(Type type) noexcept {
    return type == Type::text || type == Type::label || type == Type::bits || type == Type::logic || type == Type::blob;
}

/// The phase of an interval in which an attribute was recorded.
enum class Phase : std::uint8_t {
    unknown,  ///< not stated by the source
    begin,    ///< when the interval began
    record,   ///< while it lasted
    end,      ///< when it ended
};
/// Returns "begin", "record", "end"; empty for unknown.
std::string_view name_of(Phase phase) noexcept;

/// A field of a payload, a slot, an interval or a signal.
struct Field {
    std::string name;
    Type type = Type::u64;
    EnumId enumeration = none;     ///< the enum, if the type is Type::enumeration
    bool repeated = false;         ///< the trailing repeated fields form a row; an event carries any number of rows
    std::uint8_t role = 0;         ///< storage property: 1 head pointer, 2 tail pointer (µScope specification, 4.3)
    std::uint8_t pair = 0;         ///< the same number for head and tail of one ring
    Phase phase = Phase::unknown;  ///< phase in which an interval's attribute was recorded
    std::uint8_t width = 0;        ///< 1 to 64: the field is a bit vector of that many bits; 0: no bit vector

    friend bool operator==(const Field&, const Field&) = default;
};

/// A label of an enum.
struct EnumValue {
    std::uint64_t value = 0;
    std::string name;

    friend bool operator==(const EnumValue&, const EnumValue&) = default;
};

/// A set of labelled values.
struct Enum {
    std::string name;
    std::vector<EnumValue> values;

    /// Returns the label of `value`, or nullptr.
    const std::string* label(std::uint64_t value) const noexcept;
    friend bool operator==(const Enum&, const Enum&) = default;
};

/// A clock domain.
struct Clock {
    std::string name;
    std::uint64_t period_ps = 0;  ///< 0: unknown

    friend bool operator==(const Clock&, const Clock&) = default;
};

/// A node of the design hierarchy, such as a core.
struct Scope {
    std::string name;
    ScopeId parent = none;                        ///< none: a root
    std::string protocol;                         ///< the source's name for the kind of scope ("cpu"); empty: unknown
    ClockId clock = none;                         ///< none: inherited from the parent
    std::optional<std::uint64_t> native_id = {};  ///< the id that the source uses

    friend bool operator==(const Scope&, const Scope&) = default;
};

/// A source of records. The kind of a track determines the kinds of its records.
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
    /// The payload of an event or a relation; the fields of each slot; the attributes of an interval; or the values of
    /// a signal. A repeated attribute or value may occur any number of times in one interval or change.
    std::vector<Field> fields;
    std::vector<Field> properties;  ///< storage: scalars besides the slots
    std::uint32_t slots = 0;        ///< storage: number of slots
    bool sparse = false;            ///< storage: a slot is valid from a set record until a clear record
    bool buffer = false;            ///< storage: shown as a buffer (µScope Trace Format Specification, 4.6.1)
    std::optional<std::uint64_t> native_id = {};  ///< the id that the source uses

    /// Returns the number of leading fields that are not repeated.
    std::size_t fixed_fields() const noexcept;
    friend bool operator==(const Track&, const Track&) = default;
};
/// Returns "event", "storage", …: the name used in dumps and reports.
std::string_view name_of(Track::Kind kind) noexcept;
/// Returns a track with these members. The other members keep their defaults.
Track make_track(Track::Kind kind, ScopeId scope, std::string_view name, TimeBase time, std::vector<Field> fields = {});

/// One fact about the whole trace, such as {"stf.version", "1.5"}. Most keys begin with a format's name. The order of
/// facts is kept. Values are bytes, usually UTF-8.
struct Metadata {
    std::string key;
    std::string value;

    friend bool operator==(const Metadata&, const Metadata&) = default;
};

/// The objects of a trace in append-only tables. Ids are indexes. Nothing is removed or renumbered, so a reader may
/// declare more objects while a writer is already at work. Returned references stay valid for the lifetime of the
/// Schema.
class Schema {
public:
    /// Each declare() appends an object and returns its id.
    ScopeId declare(Scope scope);
    ClockId declare(Clock clock);
    EnumId declare(Enum enumeration);
    TrackId declare(Track track);  ///< in events, relations and streams, fields after a repeated field become repeated
    /// Appends a label for a value that has no label yet.
    void add_label(EnumId enumeration, EnumValue label);
    /// Appends an attribute to a stream, or a value to a signal, and returns its index. Later intervals or changes may
    /// use it. On a stream, an attribute after a repeated attribute becomes repeated, as in declare().
    std::uint32_t add_attribute(TrackId track, Field attribute);
    /// Appends a fact. Keys may occur repeatedly, as STF comments do.
    void describe(std::string key, std::string value);

    /// Returns the id of a runtime string (a cell of Type::text). Equal bytes get the same id.
    StringId intern(std::string_view text);
    /// Does the same for several strings, and sets `ids` to their ids. Faster than one call per string if there are
    /// many strings.
    void intern(std::span<const std::string_view> texts, std::vector<StringId>& ids);
    /// Appends a runtime string even if an equal string exists, so that ids match the indexes of a file's own string
    /// table.
    StringId append(std::string_view text);
    /// Returns the id of a runtime string, or `none` if there is no such string. Appends nothing.
    StringId find_text(std::string_view text) const noexcept;
    /// Returns the string; an id out of range throws std::out_of_range.
    std::string_view text(StringId id) const { return strings_.at(id); }
    std::size_t string_count() const noexcept { return strings_.size(); }

    const std::deque<Scope>& scopes() const noexcept { return scopes_; }
    const std::deque<Clock>& clocks() const noexcept { return clocks_; }
    const std::deque<Enum>& enums() const noexcept { return enums_; }
    const std::deque<Track>& tracks() const noexcept { return tracks_; }
    const std::deque<Metadata>& metadata() const noexcept { return metadata_; }

    /// Returns the label of `value`. Returns nullptr if the value has no label, or if `enumeration` is `none` or out of
    /// range. Fast for enumerations of any size.
    const std::string* label(EnumId enumeration, std::uint64_t value) const noexcept;
    /// A label that add_label() appended.
    struct AddedLabel {
        EnumId enumeration = none;
        std::size_t index = 0;  ///< index into the enumeration's values
    };
    /// Returns all added labels in order, for observers of a growing schema.
    const std::vector<AddedLabel>& added_labels() const noexcept { return added_labels_; }
    /// An attribute that add_attribute() appended.
    struct AddedAttribute {
        TrackId track = none;
        std::uint32_t index = 0;  ///< index into the track's fields
    };
    /// Returns all added attributes in order, likewise.
    const std::vector<AddedAttribute>& added_attributes() const noexcept { return added_attributes_; }

    /// Returns the first value of `key`, or nullptr.
    const std::string* metadata(std::string_view key) const noexcept;
    /// Returns the first track with that kind and name in any scope, or `none`.
    TrackId find_track(Track::Kind kind, std::string_view name) const noexcept;

private:
    /// The index of each value, for enumerations with many values.
    using LabelPlaces = HashMap<std::uint64_t, std::size_t>;

    std::deque<Scope> scopes_;
    std::deque<Clock> clocks_;
    std::deque<Enum> enums_;
    HashMap<EnumId, LabelPlaces> label_places_;
    std::vector<AddedLabel> added_labels_;
    std::deque<Track> tracks_;
    std::vector<AddedAttribute> added_attributes_;
    std::deque<Metadata> metadata_;
    std::deque<std::string> strings_;
    TextIndex string_index_;
};

/// Returns true if a track of `schema` holds the instructions of a hart.
inline bool has_hart(const Schema& schema) noexcept {
    return std::ranges::any_of(schema.tracks(), [](const Track& track) { return track.kind == Track::Kind::hart; });
}

}  // namespace hwtrace

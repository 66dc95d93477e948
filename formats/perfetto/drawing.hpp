// formats/perfetto/drawing.hpp - what a timeline consists of: a tree of tracks with slices, instants and counters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "codec/shown_times.hpp"
#include "model/time.hpp"

namespace hwtrace::perfetto {

/// Number of a name that many items share.
using NameId = std::uint32_t;
/// Number of a text that many items have as a category or a value.
using PhraseId = std::uint32_t;
/// Number of a track in the timeline; 0 is the root.
using RowId = std::uint32_t;
constexpr RowId root_row = 0;

/// A named value of a slice or an instant. Consecutive arguments with the same name are the elements of an array.
struct Argument {
    enum class Kind : std::uint8_t { boolean, number, signed_number, real, address, text, phrase };
    NameId name = 0;
    Kind kind = Kind::number;
    std::uint64_t bits = 0;      ///< a number, the bits of a double, or the PhraseId of a phrase
    std::string_view text = {};  ///< UTF-8
};

/// A track of the timeline.
struct Row {
    enum class Kind : std::uint8_t {
        group,     ///< it only has other tracks below it
        slices,    ///< slices and instants
        integers,  ///< a counter
        reals,     ///< a counter of doubles
    };
    Kind kind = Kind::group;
    RowId parent = root_row;
    std::string_view name = {};
};

/// The name of an item: shared, or a text of its own (UTF-8).
struct Label {
    std::optional<NameId> name = {};
    std::string_view text = {};
};

/// One end of an arrow between two slices.
struct ArrowEnd {
    std::uint64_t arrow = 0;  ///< both ends of an arrow, and no other ones, have the same number
    bool is_first = true;     ///< the arrow leads from this slice
};

/// Something that lasts from `begin` to `end`.
struct Slice {
    RowId row = root_row;
    Tick begin = 0, end = 0;
    Label label = {};
    std::span<const Argument> arguments = {};
    std::span<const ArrowEnd> arrows = {};
};

/// The begin of a slice whose end is not known yet.
struct SliceBegin {
    RowId row = root_row;
    Tick time = 0;
    NameId name = 0;
    PhraseId category = 0;
    std::span<const Argument> arguments = {};
};

/// A file format for timelines. Times are nanoseconds, at least 0. The slices of one row may only overlap if one
/// contains the other.
class Drawing {
public:
    virtual ~Drawing() = default;
    /// Returns the times that readers of the format can hold, in nanoseconds.
    virtual ShownRange times() const { return {}; }
    /// Adds a row and returns its number. Numbers count from 1.
    virtual RowId add(const Row& row) = 0;
    /// Returns the number of a shared name.
    virtual NameId name(std::string_view text) = 0;
    /// Returns the number of a shared text for categories and values.
    virtual PhraseId phrase(std::string_view text) = 0;
    virtual void slice(const Slice& slice) = 0;
    /// Begins a slice inside those of its row that have no end yet.
    virtual void begin_slice(const SliceBegin& slice) = 0;
    /// Ends the slice of the row that began last, and adds arguments to it.
    virtual void end_slice(RowId row, Tick time, std::span<const Argument> arguments) = 0;
    virtual void instant(RowId row, Tick time, const Label& label, std::span<const Argument> arguments) = 0;
    virtual void count(RowId row, Tick time, std::int64_t value) = 0;
    virtual void count(RowId row, Tick time, double value) = 0;
    /// Completes the file.
    virtual void finish() = 0;
};

}  // namespace hwtrace::perfetto

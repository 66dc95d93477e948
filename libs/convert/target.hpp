// convert/target.hpp - what a conversion needs to know about its target, in shapes and limits.
#pragma once

#include <cstdint>
#include <string_view>

#include "codec/format.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The form in which a target holds rows: records of any track with all their values.
enum class RowForm : std::uint8_t {
    refused,     ///< it cannot hold them
    changes,     ///< changes of signals
    intervals,   ///< intervals with attributes
    tables,      ///< changes of signals, which become tables of their values
    events,      ///< events
    operations,  ///< operations on tables
};

/// The target of a conversion. The format must outlive this object.
class Target {
public:
    explicit Target(const Format& target) : format(target) {}

    const Format& format;

    /// Returns true for a format that stores the model itself.
    bool holds_any_trace() const noexcept { return format.writes.accepts_any_trace(); }
    /// Returns true if the target holds some tracks of the shape.
    bool holds(Shape shape) const noexcept { return format.writes.holds.has(shape); }
    /// Returns true if the target holds tracks of the shape that are not its own.
    bool holds_foreign(Shape shape) const noexcept { return format.writes.holds.has_foreign(shape); }
    /// Returns true if all attributes of intervals are kept; otherwise only one text is.
    bool keeps_attributes() const noexcept { return format.writes.holds.only_text().empty(); }
    /// Returns the protocol of all scopes whose tracks are held. Empty: there is no such limit.
    std::string_view protocol() const noexcept { return format.writes.holds.protocol(); }

    /// Returns the form of rows for this target (signal_rows.cpp).
    RowForm row_form() const noexcept;
    /// Returns true if the target holds signals, and otherwise only tracks of its own.
    bool holds_only_signals() const noexcept;
    /// Returns true if the target holds intervals, perhaps with relations, and nothing that states a moment.
    bool holds_only_intervals() const noexcept;
    /// Returns true if tables, and events beside them, are the form in which the target shows other records.
    bool holds_tables() const noexcept;
    /// Returns true if the target holds instructions, and no rows of other records.
    bool holds_only_instructions() const noexcept;

    /// Returns true if the target holds the records of a track of `schema` unchanged.
    bool accepts(const Schema& schema, const Track& track) const noexcept {
        return holds_any_trace() || format.writes.holds.accepts(schema, track, format.name);
    }
    /// Returns true if the target holds some track of `schema`.
    bool accepts_any(const Schema& schema) const noexcept;
    /// Returns true if the target holds all tracks of `schema`.
    bool accepts_all(const Schema& schema) const noexcept;
    /// Returns true if the target holds a track of `schema` that is not its own. Relations count only if the target
    /// holds all of them, and intervals count even if they are its own.
    bool accepts_any_foreign(const Schema& schema) const noexcept;
    /// Returns true if the target keeps this mark in a trace with this schema.
    bool keeps(std::string_view mark, const Schema& schema, const Settings& settings) const;
    /// Returns true if the target keeps the marks of transforms, so that they can be undone.
    bool keeps_marks(const Settings& settings) const;
};

}  // namespace hwtrace

// codec/shapes.hpp - what a format holds, in the words of the model: shapes of records, and limits of each shape.
// Readers and writers use the same words, and a conversion is planned from them alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "model/record_kinds.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Returns true if the name of a track or the key of a fact belongs to the format: it is "<format>.…".
inline bool belongs_to(std::string_view name, std::string_view format) noexcept {
    return name.size() > format.size() && name.starts_with(format) && name[format.size()] == '.';
}
inline bool belongs_to(const Track& track, std::string_view format) noexcept {
    return belongs_to(track.name, format);
}

/// A shape that a writer holds, and its limits. Without limits, it holds tracks of any name in any scope.
struct Holding {
    Shape shape = Shape::native;
    bool only_own = false;                    ///< only tracks of the format itself; always so for Shape::native
    bool (*accepts)(const Track&) = nullptr;  ///< only these tracks; null: all
    bool only_one = false;                    ///< at most one track
    std::string_view only_text = {};  ///< the only attribute of an interval that is kept, a text; empty: all are kept
    std::string_view protocol = {};   ///< only tracks of scopes with this protocol; empty: any scope

    constexpr Holding() = default;
    constexpr Holding(Shape any) : shape(any) {}  // NOLINT(google-explicit-constructor): Holdings{Shape::stream}

    // Each of these functions returns the holding with one more limit.
    constexpr Holding own() const {
        Holding limited = *this;
        limited.only_own = true;
        return limited;
    }
    constexpr Holding single() const {
        Holding limited = *this;
        limited.only_one = true;
        return limited;
    }
    constexpr Holding which(bool (*accepted)(const Track&)) const {
        Holding limited = *this;
        limited.accepts = accepted;
        return limited;
    }
    constexpr Holding with_only_text(std::string_view attribute) const {
        Holding limited = *this;
        limited.only_text = attribute;
        return limited;
    }
    constexpr Holding in_scopes_of(std::string_view name) const {
        Holding limited = *this;
        limited.protocol = name;
        return limited;
    }
};

/// The shapes that a writer holds. Each shape has at most one holding.
class Holdings {
public:
    constexpr Holdings() = default;
    constexpr Holdings(std::initializer_list<Holding> holdings) {
        for (const Holding& one : holdings)
            add(one);
    }
    /// Returns holdings of all shapes, without limits.
    static constexpr Holdings everything() {
        Holdings all;
        for (const Shape shape : all_shapes)
            all.add(shape);
        return all;
    }
    /// Replaces the holding of this shape.
    constexpr void add(const Holding& holding) {
        shapes_.add(holding.shape);
        holdings_[static_cast<std::size_t>(holding.shape)] = holding;
    }
    constexpr Shapes shapes() const noexcept { return shapes_; }
    /// Returns true if the writer holds some tracks of the shape.
    constexpr bool has(Shape shape) const noexcept { return shapes_.has(shape); }
    /// Returns true if the writer holds tracks of the shape that are not the format's own.
    constexpr bool has_foreign(Shape shape) const noexcept {
        return has(shape) && shape != Shape::native && !of(shape).only_own;
    }
    /// Returns the limits of a shape that the writer holds.
    constexpr const Holding& of(Shape shape) const noexcept { return holdings_[static_cast<std::size_t>(shape)]; }
    /// Returns the only attribute of an interval that is kept. Empty: all are kept, or intervals are not held.
    constexpr std::string_view only_text() const noexcept { return of(Shape::stream).only_text; }
    /// Returns the protocol of all scopes whose tracks are held. Empty: there is no such limit.
    constexpr std::string_view protocol() const noexcept {
        for (const Holding& one : holdings_)
            if (!one.protocol.empty()) return one.protocol;
        return {};
    }
    /// Returns true if the writer of the format `format` holds a track of `schema`.
    bool accepts(const Schema& schema, const Track& track, std::string_view format) const noexcept {
        if (!has(track.kind)) return false;
        const Holding& limit = of(track.kind);
        if (!limit.protocol.empty() &&
            (track.scope >= schema.scopes().size() || schema.scopes()[track.scope].protocol != limit.protocol))
            return false;
        if ((limit.only_own || track.kind == Shape::native) && !belongs_to(track, format)) return false;
        return limit.accepts == nullptr || limit.accepts(track);
    }

private:
    Shapes shapes_;
    std::array<Holding, all_shapes.size()> holdings_ = {};
};

/// The times that a writer accepts.
enum class TimeLimit : std::uint8_t {
    any_base,
    known_length,  ///< for intervals, only ticks of known length
    only_picoseconds,
};

}  // namespace hwtrace

// codec/schema_state.hpp - the objects of a schema in bytes, for indexes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "model/record.hpp"
#include "model/record_kinds.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Appends all objects of a schema except its runtime strings.
void append_schema(const Schema& schema, Appender& out);
/// Returns the schema that append_schema() wrote, without strings. Throws Truncated or Failure::input if the bytes
/// state no schema.
Schema restore_schema(Cursor& in);

/// Appends the attributes that a schema has gained: those behind the first `first` of Schema::added_attributes().
void append_attributes(const Schema& schema, std::size_t first, Appender& out);
/// Adds the attributes that append_attributes() wrote. Throws Truncated or Failure::input if they do not fit the
/// schema.
void restore_attributes(Schema& schema, Cursor& in);

/// The result of reading a trace in advance of a conversion.
struct TraceOutline {
    Schema schema;                            ///< of the whole trace, without strings
    bool time_ordered = false;                ///< times never decrease
    std::optional<std::uint64_t> lateness{};  ///< see SourceFormat::lateness; none: the trace has frames
    Shapes shapes;                            ///< of its records
};
/// Measures the outline of a trace, except for its schema.
class OutlineMeter {
public:
    void add(const Batch& batch) noexcept;
    TraceOutline outline() const;

private:
    bool is_ordered_ = true, has_frames_ = false;
    Tick last_ = std::numeric_limits<Tick>::min(), latest_ = last_;
    std::uint64_t lateness_ = 0;
    Shapes shapes_;
};
/// Appends an outline. `schema` replaces that of the outline.
void append_outline(const TraceOutline& outline, const Schema& schema, Appender& out);
/// Returns the outline that append_outline() wrote. Throws Truncated or Failure::input if the bytes state none.
TraceOutline restore_outline(Cursor& in);

/// Follows a growing schema, checks that it grows towards a complete one, and carries its new strings there. The ids of
/// both schemas are equal.
class SchemaCompletion {
public:
    /// Both schemas must outlive this object. `complete` must have no strings.
    SchemaCompletion(const Schema& growing, Schema& complete);

    /// Takes what `growing` has gained; at first, all of it. Returns false if `complete` lacks some of it.
    bool follow();

private:
    const Schema& growing_;
    Schema& complete_;
    // The objects of `growing` that were compared.
    std::size_t clocks_ = 0, scopes_ = 0, enums_ = 0, tracks_ = 0, metadata_ = 0, labels_ = 0, attributes_ = 0;
};

}  // namespace hwtrace

// formats/flux/value_writer.hpp - encodes field values as samples and members.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/appender.hpp"
#include "item_plan.hpp"
#include "model/record.hpp"

namespace hwtrace::flux {

/// Appends the header of a sample (size << 4 | nibble) and the bytes of its value.
void append_sample_value(Appender& out, Nibble nibble, std::span<const std::byte> bytes);

/// Encodes the values of samples.
class ValueWriter {
public:
    /// `schema` must outlive this object.
    explicit ValueWriter(const Schema& schema) : schema_(schema) {}

    /// Appends the header and value of a sample that is neither a struct nor an array.
    void append_single(const TrackPlan& track, const Attribute& value, Appender& out);
    /// Appends the header and value of a struct sample. append_array() does the same for an array sample.
    void append_struct(const TrackPlan& track, std::span<const Attribute> values, Appender& out);
    void append_array(const TrackPlan& track, std::span<const Attribute> values, Appender& out);

private:
    std::span<const std::byte> text(const Attribute& value) const;
    void append_vector(std::uint64_t bits, std::uint32_t states, Appender& out);
    void append_states(std::string_view states, Appender& out);
    void element(const FieldPlan& field, const Attribute& value, Appender& out);
    unsigned width_of(const TrackPlan& track, std::span<const Attribute> values) const;
    void open_structs(const FieldPlan& field);
    void close_structs(std::size_t depth);
    void append_member(const TrackPlan& track, std::span<const Attribute> values);

    const Schema& schema_;
    Appender value_;
    std::vector<Appender> levels_;     ///< encoded members of the open structs, outermost first
    std::vector<std::uint64_t> open_;  ///< member numbers of the open structs, except the sample itself
    std::size_t depth_ = 0;
    Layout layout_ = Layout::emitters_6;  ///< layout of the current sample's trace
};

}  // namespace hwtrace::flux

#include "proto_drawing.hpp"

#include <bit>
#include <string>

#include <protozero/pbf_writer.hpp>

#include "domain/utf8.hpp"
#include "model/name_table.hpp"

namespace hwtrace::perfetto {
namespace {

using protozero::pbf_writer;

// The numbers of fields and values in Perfetto's messages (protos/perfetto/trace).
namespace trace {
constexpr protozero::pbf_tag_type packet = 1;
}
namespace trace_packet {
constexpr protozero::pbf_tag_type timestamp = 8, sequence_id = 10, track_event = 11, interned_data = 12,
                                  sequence_flags = 13, track_descriptor = 60;
constexpr std::uint32_t state_cleared = 1, needs_state = 2;
}  // namespace trace_packet
namespace track_descriptor {
constexpr protozero::pbf_tag_type uuid = 1, name = 2, parent_uuid = 5, counter = 8, child_ordering = 11,
                                  sibling_order_rank = 12;
constexpr std::int32_t explicit_order = 3;
}  // namespace track_descriptor
namespace track_event {
constexpr protozero::pbf_tag_type category_iids = 3, debug_annotations = 4, type = 9, name_iid = 10, track_uuid = 11,
                                  name = 23, counter_value = 30, double_counter_value = 44, flow_ids = 47;
constexpr std::int32_t slice_begin = 1, slice_end = 2, instant = 3, counter = 4;
}  // namespace track_event
namespace debug_annotation {
constexpr protozero::pbf_tag_type name_iid = 1, bool_value = 2, uint_value = 3, int_value = 4, double_value = 5,
                                  string_value = 6, pointer_value = 7, array_values = 12, string_value_iid = 17;
}
namespace interned_data {
constexpr protozero::pbf_tag_type event_categories = 1, event_names = 2, debug_annotation_names = 3,
                                  debug_annotation_texts = 29, iid = 1, name = 2;
}

constexpr std::uint32_t sequence = 1;

void put_value(pbf_writer& annotation, const Argument& argument) {
    switch (argument.kind) {
        case Argument::Kind::boolean:
            return annotation.add_bool(debug_annotation::bool_value, argument.bits != 0);
        case Argument::Kind::number:
            return annotation.add_uint64(debug_annotation::uint_value, argument.bits);
        case Argument::Kind::signed_number:
            return annotation.add_int64(debug_annotation::int_value, static_cast<std::int64_t>(argument.bits));
        case Argument::Kind::real:
            return annotation.add_double(debug_annotation::double_value, std::bit_cast<double>(argument.bits));
        case Argument::Kind::address:
            return annotation.add_uint64(debug_annotation::pointer_value, argument.bits);
        case Argument::Kind::text:
            return annotation.add_string(debug_annotation::string_value, argument.text.data(), argument.text.size());
        case Argument::Kind::phrase:
            return annotation.add_uint64(debug_annotation::string_value_iid, argument.bits + 1);
    }
}

void put_arguments(pbf_writer& event, std::span<const Argument> arguments) {
    while (!arguments.empty()) {
        const Argument& first = arguments.front();
        std::size_t count = 1;
        while (count < arguments.size() && arguments[count].name == first.name)
            ++count;
        pbf_writer annotation(event, track_event::debug_annotations);
        annotation.add_uint64(debug_annotation::name_iid, first.name + std::uint64_t{1});
        if (count == 1) {
            put_value(annotation, first);
        } else {
            for (const Argument& element : arguments.first(count)) {
                pbf_writer value(annotation, debug_annotation::array_values);
                put_value(value, element);
            }
        }
        arguments = arguments.subspan(count);
    }
}

class ProtoDrawing final : public Drawing {
public:
    ProtoDrawing(Output& output, std::string_view title) : output_(output) {
        buffer_.reserve(2 * buffer_size);
        pbf_writer file(buffer_);
        pbf_writer packet(file, trace::packet);
        packet.add_uint32(trace_packet::sequence_id, sequence);
        packet.add_uint32(trace_packet::sequence_flags, trace_packet::state_cleared);
        pbf_writer root(packet, trace_packet::track_descriptor);
        root.add_uint64(track_descriptor::uuid, uuid_of(root_row));
        root.add_string(track_descriptor::name, title.data(), title.size());
        root.add_enum(track_descriptor::child_ordering, track_descriptor::explicit_order);
    }

    RowId add(const Row& row) override {
        ++rows_;
        {
            pbf_writer file(buffer_);
            pbf_writer packet = begin_packet(file);
            pbf_writer track(packet, trace_packet::track_descriptor);
            track.add_uint64(track_descriptor::uuid, uuid_of(rows_));
            track.add_uint64(track_descriptor::parent_uuid, uuid_of(row.parent));
            track.add_string(track_descriptor::name, row.name.data(), row.name.size());
            track.add_enum(track_descriptor::child_ordering, track_descriptor::explicit_order);
            track.add_int32(track_descriptor::sibling_order_rank, static_cast<std::int32_t>(rows_));
            if (row.kind == Row::Kind::integers || row.kind == Row::Kind::reals)
                track.add_message(track_descriptor::counter, "", 0);  // its presence makes the row a counter
        }
        flush_if_full();
        return rows_;
    }

    NameId name(std::string_view text) override {
        return intern(names_, text, interned_data::event_names, interned_data::debug_annotation_names);
    }
    PhraseId phrase(std::string_view text) override {
        return intern(phrases_, text, interned_data::event_categories, interned_data::debug_annotation_texts);
    }

    void slice(const Slice& slice) override {
        {
            pbf_writer file(buffer_);
            pbf_writer packet = begin_packet(file, slice.begin);
            pbf_writer event = begin_event(packet, track_event::slice_begin, slice.row);
            put_label(event, slice.label);
            for (const ArrowEnd& end : slice.arrows)  // the viewer draws from the earlier slice to the later one
                event.add_fixed64(track_event::flow_ids, end.arrow);
            put_arguments(event, slice.arguments);
        }
        {
            pbf_writer file(buffer_);
            pbf_writer packet = begin_packet(file, slice.end);
            begin_event(packet, track_event::slice_end, slice.row);
        }
        flush_if_full();
    }

    void begin_slice(const SliceBegin& slice) override {
        {
            pbf_writer file(buffer_);
            pbf_writer packet = begin_packet(file, slice.time);
            pbf_writer event = begin_event(packet, track_event::slice_begin, slice.row);
            event.add_uint64(track_event::category_iids, slice.category + std::uint64_t{1});
            event.add_uint64(track_event::name_iid, slice.name + std::uint64_t{1});
            put_arguments(event, slice.arguments);
        }
        flush_if_full();
    }

    void end_slice(RowId row, Tick time, std::span<const Argument> arguments) override {
        {
            pbf_writer file(buffer_);
            pbf_writer packet = begin_packet(file, time);
            pbf_writer event = begin_event(packet, track_event::slice_end, row);
            put_arguments(event, arguments);
        }
        flush_if_full();
    }

    void instant(RowId row, Tick time, const Label& label, std::span<const Argument> arguments) override {
        {
            pbf_writer file(buffer_);
            pbf_writer packet = begin_packet(file, time);
            pbf_writer event = begin_event(packet, track_event::instant, row);
            put_label(event, label);
            put_arguments(event, arguments);
        }
        flush_if_full();
    }

    void count(RowId row, Tick time, std::int64_t value) override {
        {
            pbf_writer file(buffer_);
            pbf_writer packet = begin_packet(file, time);
            pbf_writer event = begin_event(packet, track_event::counter, row);
            event.add_int64(track_event::counter_value, value);
        }
        flush_if_full();
    }

    void count(RowId row, Tick time, double value) override {
        {
            pbf_writer file(buffer_);
            pbf_writer packet = begin_packet(file, time);
            pbf_writer event = begin_event(packet, track_event::counter, row);
            event.add_double(track_event::double_counter_value, value);
        }
        flush_if_full();
    }

    void finish() override { flush(); }

private:
    static constexpr std::size_t buffer_size = std::size_t{1} << 18;

    /// Uuid 0 is the track of traces without descriptors.
    static std::uint64_t uuid_of(RowId row) noexcept { return row + std::uint64_t{1}; }

    /// Returns the number of `text` in `table`. Writes a new text as an entry of both lists.
    std::uint32_t intern(NameTable& table, std::string_view text, protozero::pbf_tag_type first,
                         protozero::pbf_tag_type second) {
        const std::size_t known = table.names().size();
        const std::uint32_t id = table.add(text);
        if (id < known) return id;
        const std::string repaired = as_utf8(text);
        pbf_writer file(buffer_);
        pbf_writer packet = begin_packet(file);
        pbf_writer data(packet, trace_packet::interned_data);
        for (const protozero::pbf_tag_type list : {first, second}) {
            pbf_writer entry(data, list);
            entry.add_uint64(interned_data::iid, id + std::uint64_t{1});
            entry.add_string(interned_data::name, repaired);
        }
        return id;
    }
    pbf_writer begin_packet(pbf_writer& file) {
        pbf_writer packet(file, trace::packet);
        packet.add_uint32(trace_packet::sequence_id, sequence);
        packet.add_uint32(trace_packet::sequence_flags, trace_packet::needs_state);
        return packet;
    }
    pbf_writer begin_packet(pbf_writer& file, Tick time) {
        pbf_writer packet = begin_packet(file);
        packet.add_uint64(trace_packet::timestamp, static_cast<std::uint64_t>(time));
        return packet;
    }
    static pbf_writer begin_event(pbf_writer& packet, std::int32_t type, RowId row) {
        pbf_writer event(packet, trace_packet::track_event);
        event.add_enum(track_event::type, type);
        event.add_uint64(track_event::track_uuid, uuid_of(row));
        return event;
    }
    static void put_label(pbf_writer& event, const Label& label) {
        if (label.name)
            event.add_uint64(track_event::name_iid, *label.name + std::uint64_t{1});
        else
            event.add_string(track_event::name, label.text.data(), label.text.size());
    }
    void flush_if_full() {
        if (buffer_.size() >= buffer_size) flush();
    }
    void flush() {
        output_.append(std::as_bytes(std::span(buffer_)));
        buffer_.clear();
    }

    Output& output_;
    std::string buffer_;
    NameTable names_, phrases_;
    RowId rows_ = 0;
};

}  // namespace

std::unique_ptr<Drawing> draw_protobuf(Output& output, std::string_view title) {
    return std::make_unique<ProtoDrawing>(output, title);
}

}  // namespace hwtrace::perfetto

#include "proto_drawing.hpp"

#include <string>

#include "domain/utf8.hpp"
#include "model/name_table.hpp"
#include "protobuf.hpp"

namespace hwtrace::perfetto {
namespace {

// The numbers of fields and values in Perfetto's messages (protos/perfetto/trace).
namespace trace {
constexpr FieldNumber packet = 1;
}
namespace trace_packet {
constexpr FieldNumber timestamp = 8, sequence_id = 10, track_event = 11, interned_data = 12, sequence_flags = 13,
                      track_descriptor = 60;
constexpr std::uint32_t state_cleared = 1, needs_state = 2;
}  // namespace trace_packet
namespace track_descriptor {
constexpr FieldNumber uuid = 1, name = 2, parent_uuid = 5, counter = 8, child_ordering = 11, sibling_order_rank = 12;
constexpr std::uint32_t explicit_order = 3;
}  // namespace track_descriptor
namespace track_event {
constexpr FieldNumber category_iids = 3, debug_annotations = 4, type = 9, name_iid = 10, track_uuid = 11, name = 23,
                      counter_value = 30, double_counter_value = 44, flow_ids = 47;
constexpr std::uint32_t slice_begin = 1, slice_end = 2, instant = 3, counter = 4;
}  // namespace track_event
namespace debug_annotation {
constexpr FieldNumber name_iid = 1, bool_value = 2, uint_value = 3, int_value = 4, double_value = 5, string_value = 6,
                      pointer_value = 7, array_values = 12, string_value_iid = 17;
}
namespace interned_data {
constexpr FieldNumber event_categories = 1, event_names = 2, debug_annotation_names = 3, debug_annotation_texts = 29,
                      iid = 1, name = 2;
}

constexpr std::uint32_t sequence = 1;

void put_value(Protobuf& out, const Argument& argument) {
    switch (argument.kind) {
        case Argument::Kind::boolean:
            return out.number(debug_annotation::bool_value, argument.bits != 0 ? 1 : 0);
        case Argument::Kind::number:
            return out.number(debug_annotation::uint_value, argument.bits);
        case Argument::Kind::signed_number:
            return out.number(debug_annotation::int_value, argument.bits);
        case Argument::Kind::real:
            return out.fixed64(debug_annotation::double_value, argument.bits);
        case Argument::Kind::address:
            return out.number(debug_annotation::pointer_value, argument.bits);
        case Argument::Kind::text:
            return out.text(debug_annotation::string_value, argument.text);
        case Argument::Kind::phrase:
            return out.number(debug_annotation::string_value_iid, argument.bits + 1);
    }
}

void put_arguments(Protobuf& out, std::span<const Argument> arguments) {
    while (!arguments.empty()) {
        const Argument& first = arguments.front();
        std::size_t count = 1;
        while (count < arguments.size() && arguments[count].name == first.name)
            ++count;
        out.message(track_event::debug_annotations, [&] {
            out.number(debug_annotation::name_iid, first.name + std::uint64_t{1});
            if (count == 1) return put_value(out, first);
            for (const Argument& element : arguments.first(count))
                out.message(debug_annotation::array_values, [&] { put_value(out, element); });
        });
        arguments = arguments.subspan(count);
    }
}

class ProtoDrawing final : public Drawing {
public:
    ProtoDrawing(Output& output, std::string_view title) : output_(output) {
        out_.message(trace::packet, [&] {
            out_.number(trace_packet::sequence_id, sequence);
            out_.number(trace_packet::sequence_flags, trace_packet::state_cleared);
            out_.message(trace_packet::track_descriptor, [&] {
                out_.number(track_descriptor::uuid, uuid_of(root_row));
                out_.text(track_descriptor::name, title);
                out_.number(track_descriptor::child_ordering, track_descriptor::explicit_order);
            });
        });
    }

    RowId add(const Row& row) override {
        ++rows_;
        packet([&] {
            out_.message(trace_packet::track_descriptor, [&] {
                out_.number(track_descriptor::uuid, uuid_of(rows_));
                out_.number(track_descriptor::parent_uuid, uuid_of(row.parent));
                out_.text(track_descriptor::name, row.name);
                out_.number(track_descriptor::child_ordering, track_descriptor::explicit_order);
                out_.number(track_descriptor::sibling_order_rank, rows_);
                if (row.kind == Row::Kind::integers || row.kind == Row::Kind::reals)
                    out_.message(track_descriptor::counter, [] {});  // its presence makes the row a counter
            });
        });
        return rows_;
    }

    NameId name(std::string_view text) override {
        return intern(names_, text, interned_data::event_names, interned_data::debug_annotation_names);
    }
    PhraseId phrase(std::string_view text) override {
        return intern(phrases_, text, interned_data::event_categories, interned_data::debug_annotation_texts);
    }

    void slice(const Slice& slice) override {
        event(slice.begin, track_event::slice_begin, slice.row, [&] {
            put_label(slice.label);
            for (const ArrowEnd& end : slice.arrows)  // the viewer draws from the earlier slice to the later one
                out_.fixed64(track_event::flow_ids, end.arrow);
            put_arguments(out_, slice.arguments);
        });
        event(slice.end, track_event::slice_end, slice.row, [] {});
    }
    void begin_slice(const SliceBegin& slice) override {
        event(slice.time, track_event::slice_begin, slice.row, [&] {
            out_.number(track_event::category_iids, slice.category + std::uint64_t{1});
            out_.number(track_event::name_iid, slice.name + std::uint64_t{1});
            put_arguments(out_, slice.arguments);
        });
    }
    void end_slice(RowId row, Tick time, std::span<const Argument> arguments) override {
        event(time, track_event::slice_end, row, [&] { put_arguments(out_, arguments); });
    }
    void instant(RowId row, Tick time, const Label& label, std::span<const Argument> arguments) override {
        event(time, track_event::instant, row, [&] {
            put_label(label);
            put_arguments(out_, arguments);
        });
    }
    void count(RowId row, Tick time, std::int64_t value) override {
        event(time, track_event::counter, row,
              [&] { out_.number(track_event::counter_value, static_cast<std::uint64_t>(value)); });
    }
    void count(RowId row, Tick time, double value) override {
        event(time, track_event::counter, row, [&] { out_.real(track_event::double_counter_value, value); });
    }

    void finish() override { flush(); }

private:
    static constexpr std::size_t buffer_size = std::size_t{1} << 18;

    /// Uuid 0 is the track of traces without descriptors.
    static std::uint64_t uuid_of(RowId row) noexcept { return row + std::uint64_t{1}; }

    /// Returns the number of `text` in `table`. Writes a new text as an entry of both lists.
    std::uint32_t intern(NameTable& table, std::string_view text, FieldNumber first, FieldNumber second) {
        const std::size_t known = table.names().size();
        const std::uint32_t id = table.add(text);
        if (id < known) return id;
        const std::string repaired = as_utf8(text);
        packet([&] {
            out_.message(trace_packet::interned_data, [&] {
                for (const FieldNumber list : {first, second})
                    out_.message(list, [&] {
                        out_.number(interned_data::iid, id + std::uint64_t{1});
                        out_.text(interned_data::name, repaired);
                    });
            });
        });
        return id;
    }
    /// Appends a packet with what `content()` appends.
    template <typename Content>
    void packet(Content content) {
        out_.message(trace::packet, [&] {
            out_.number(trace_packet::sequence_id, sequence);
            out_.number(trace_packet::sequence_flags, trace_packet::needs_state);
            content();
        });
        if (out_.size() >= buffer_size) flush();
    }
    /// Appends a packet with an event, which has the fields that `content()` appends.
    template <typename Content>
    void event(Tick time, std::uint32_t type, RowId row, Content content) {
        packet([&] {
            out_.number(trace_packet::timestamp, static_cast<std::uint64_t>(time));
            out_.message(trace_packet::track_event, [&] {
                out_.number(track_event::type, type);
                out_.number(track_event::track_uuid, uuid_of(row));
                content();
            });
        });
    }
    void put_label(const Label& label) {
        if (label.name)
            out_.number(track_event::name_iid, *label.name + std::uint64_t{1});
        else
            out_.text(track_event::name, label.text);
    }
    void flush() {
        output_.append(out_.span());
        out_.clear();
    }

    Output& output_;
    Protobuf out_;
    NameTable names_, phrases_;
    RowId rows_ = 0;
};

}  // namespace

std::unique_ptr<Drawing> draw_protobuf(Output& output, std::string_view title) {
    return std::make_unique<ProtoDrawing>(output, title);
}

}  // namespace hwtrace::perfetto

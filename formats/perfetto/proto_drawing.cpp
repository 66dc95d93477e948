#include "proto_drawing.hpp"

#include <cassert>
#include <string>

#include "domain/utf8.hpp"
#include "io/appender.hpp"
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

inline std::byte* put_value(std::byte* at, const Argument& argument) {
    switch (argument.kind) {
        case Argument::Kind::boolean:
            return put_number(at, debug_annotation::bool_value, argument.bits != 0 ? 1 : 0);
        case Argument::Kind::number:
            return put_number(at, debug_annotation::uint_value, argument.bits);
        case Argument::Kind::signed_number:
            return put_number(at, debug_annotation::int_value, argument.bits);
        case Argument::Kind::real:
            return put_fixed64(at, debug_annotation::double_value, argument.bits);
        case Argument::Kind::address:
            return put_number(at, debug_annotation::pointer_value, argument.bits);
        case Argument::Kind::text:
            return put_text(at, debug_annotation::string_value, argument.text);
        case Argument::Kind::phrase:
            return put_number(at, debug_annotation::string_value_iid, argument.bits + 1);
    }
    return at;
}

std::byte* put_arguments(std::byte* at, std::span<const Argument> arguments) {
    while (!arguments.empty()) {
        const Argument& first = arguments.front();
        std::size_t count = 1;
        while (count < arguments.size() && arguments[count].name == first.name)
            ++count;
        at = put_message(at, track_event::debug_annotations, [&](std::byte* to) {
            to = put_number(to, debug_annotation::name_iid, first.name + std::uint64_t{1});
            if (count == 1) return put_value(to, first);
            for (const Argument& element : arguments.first(count))
                to = put_message(to, debug_annotation::array_values,
                                 [&](std::byte* value) { return put_value(value, element); });
            return to;
        });
        arguments = arguments.subspan(count);
    }
    return at;
}

/// Returns the most bytes that these arguments take.
std::size_t most_of(std::span<const Argument> arguments) noexcept {
    std::size_t most = 0;
    for (const Argument& argument : arguments)
        most += 2 * longest_frame + 2 * longest_number + argument.text.size();
    return most;
}

std::byte* put_label(std::byte* at, const Label& label) {
    if (label.name) return put_number(at, track_event::name_iid, *label.name + std::uint64_t{1});
    return put_text(at, track_event::name, label.text);
}
std::size_t most_of(const Label& label) noexcept {
    return longest_number + label.text.size();
}

class ProtoDrawing final : public Drawing {
public:
    ProtoDrawing(Output& output, std::string_view title) : output_(output) {
        const auto root = [&](std::byte* at) {
            return put_message(at, trace_packet::track_descriptor, [&](std::byte* fields) {
                fields = put_number(fields, track_descriptor::uuid, uuid_of(root_row));
                fields = put_text(fields, track_descriptor::name, title);
                return put_number(fields, track_descriptor::child_ordering, track_descriptor::explicit_order);
            });
        };
        packet(longest_frame + 2 * longest_number + longest_frame + title.size(), root, trace_packet::state_cleared);
    }

    RowId add(const Row& row) override {
        ++rows_;
        packet(7 * longest_number + row.name.size(), [&](std::byte* at) {
            return put_message(at, trace_packet::track_descriptor, [&](std::byte* fields) {
                fields = put_number(fields, track_descriptor::uuid, uuid_of(rows_));
                fields = put_number(fields, track_descriptor::parent_uuid, uuid_of(row.parent));
                fields = put_text(fields, track_descriptor::name, row.name);
                fields = put_number(fields, track_descriptor::child_ordering, track_descriptor::explicit_order);
                fields = put_number(fields, track_descriptor::sibling_order_rank, rows_);
                if (row.kind == Row::Kind::integers || row.kind == Row::Kind::reals)  // an empty message: a counter
                    fields = put_message(fields, track_descriptor::counter, [](std::byte* end) { return end; });
                return fields;
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
        const std::size_t most = most_of(slice.label) + longest_number * slice.arrows.size();
        event(slice.begin, track_event::slice_begin, slice.row, most, slice.arguments, [&](std::byte* at) {
            at = put_label(at, slice.label);
            for (const ArrowEnd& end : slice.arrows)  // the viewer draws from the earlier slice to the later one
                at = put_fixed64(at, track_event::flow_ids, end.arrow);
            return at;
        });
        end_slice(slice.row, slice.end, {});
    }
    void begin_slice(const SliceBegin& slice) override {
        event(slice.time, track_event::slice_begin, slice.row, 2 * longest_number, slice.arguments, [&](std::byte* at) {
            at = put_number(at, track_event::category_iids, slice.category + std::uint64_t{1});
            return put_number(at, track_event::name_iid, slice.name + std::uint64_t{1});
        });
    }
    void end_slice(RowId row, Tick time, std::span<const Argument> arguments) override {
        event(time, track_event::slice_end, row, 0, arguments, [](std::byte* at) { return at; });
    }
    void instant(RowId row, Tick time, const Label& label, std::span<const Argument> arguments) override {
        event(time, track_event::instant, row, most_of(label), arguments,
              [&](std::byte* at) { return put_label(at, label); });
    }
    void count(RowId row, Tick time, std::int64_t value) override {
        event(time, track_event::counter, row, longest_number, {}, [&](std::byte* at) {
            return put_number(at, track_event::counter_value, static_cast<std::uint64_t>(value));
        });
    }
    void count(RowId row, Tick time, double value) override {
        event(time, track_event::counter, row, longest_number, {},
              [&](std::byte* at) { return put_real(at, track_event::double_counter_value, value); });
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
        packet(longest_frame + 2 * (longest_frame + 2 * longest_number + repaired.size()), [&](std::byte* at) {
            return put_message(at, trace_packet::interned_data, [&](std::byte* lists) {
                for (const FieldNumber list : {first, second})
                    lists = put_message(lists, list, [&](std::byte* fields) {
                        fields = put_number(fields, interned_data::iid, id + std::uint64_t{1});
                        return put_text(fields, interned_data::name, repaired);
                    });
                return lists;
            });
        });
        return id;
    }
    /// Appends a packet with what `content(address)` writes, at most `most` bytes.
    template <typename Content>
    void packet(std::size_t most, Content content, std::uint32_t flags = trace_packet::needs_state) {
        most += longest_frame + 2 * longest_number;
        std::byte* const begin = out_.grow(most);
        const std::byte* const end = put_message(begin, trace::packet, [&](std::byte* at) {
            at = put_number(at, trace_packet::sequence_id, sequence);
            at = put_number(at, trace_packet::sequence_flags, flags);
            return content(at);
        });
        const auto size = static_cast<std::size_t>(end - begin);
        assert(size <= most);
        out_.shrink(most - size);
        if (out_.size() >= buffer_size) flush();
    }
    /// Appends a packet with an event, which has the fields that `content(address)` writes, at most `most` bytes, and
    /// the arguments.
    template <typename Content>
    void event(Tick time, std::uint32_t type, RowId row, std::size_t most, std::span<const Argument> arguments,
               Content content) {
        packet(longest_frame + 3 * longest_number + most + most_of(arguments), [&](std::byte* at) {
            at = put_number(at, trace_packet::timestamp, static_cast<std::uint64_t>(time));
            return put_message(at, trace_packet::track_event, [&](std::byte* fields) {
                fields = put_number(fields, track_event::type, type);
                fields = put_number(fields, track_event::track_uuid, uuid_of(row));
                return put_arguments(content(fields), arguments);
            });
        });
    }
    void flush() {
        output_.append(out_.span());
        out_.clear();
    }

    Output& output_;
    Appender out_;
    NameTable names_, phrases_;
    RowId rows_ = 0;
};

}  // namespace

std::unique_ptr<Drawing> draw_protobuf(Output& output, std::string_view title) {
    return std::make_unique<ProtoDrawing>(output, title);
}

}  // namespace hwtrace::perfetto

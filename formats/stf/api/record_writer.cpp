// formats/stf/api/record_writer.cpp - records into a container, as the caller gives them.
#include <limits>

#include "guarded.hpp"
#include "stf/codec.hpp"
#include "stf/container_writer.hpp"
#include "stf/encode.hpp"
#include "stf/header_writer.hpp"
#include "storage.hpp"
#include "trace_header.hpp"

#include "hwtrace/stf.hpp"

namespace hwtrace::stf {

struct RecordWriter::State {
    State(const std::string& path, const Header& header, const Storage& storage)
        : wrapping(wrapping_of(storage, path)), output(open_output(storage, path)), container(*output, wrapping) {
        Schema schema;
        describe_header(header, schema);
        Losses losses;
        const HeaderFacts facts = append_header(container.stream(), schema, header.pc, losses);
        if (!losses.none())
            fail(Failure::usage, path + ": the header cannot hold " + losses.entries().begin()->first.second);
        tracker.force(facts.start_pc);
        event64 = facts.event64;
        vector_words = facts.vector_words;
    }

    void check_open() const {
        if (finished) fail(Failure::usage, "the trace is finished");
    }
    Appender& stream() {
        check_open();
        container.settle();
        return container.stream();
    }
    void opcode(std::uint32_t encoding, std::uint8_t size);
    std::size_t size_of(const RawRecord& record) const;
    void learn(const RawRecord& record);

    Wrapping wrapping;
    std::unique_ptr<Output> output;
    ContainerWriter container;
    PcTracker tracker;
    bool event64 = true;
    std::size_t vector_words = 0;
    bool finished = false;
};

void RecordWriter::State::opcode(std::uint32_t encoding, std::uint8_t size) {
    if ((size != 2 && size != 4) || (size == 2 && encoding > 0xFFFF))
        fail(Failure::usage, "an opcode has 2 or 4 bytes, and its encoding fits them");
    append_opcode(stream(), encoding, size);
    tracker.step(size);
    container.instruction(tracker.next);
}

/// The bytes that a record of that type and head has; 0 for one that may not stand behind a header.
std::size_t RecordWriter::State::size_of(const RawRecord& record) const {
    const auto has = [&](std::size_t head) { return record.size >= head; };
    switch (record.descriptor) {
        case Descriptor::comment:
            return has(comment_head) ? comment_head + record.at<std::uint32_t>(1) : comment_head;
        case Descriptor::inst_reg:
            if (!has(vector_head)) return vector_head;
            if ((record.at<std::uint8_t>(3) & 0xFu) == register_vector) return vector_head + 8 * vector_words;
            break;
        case Descriptor::page_table_walk:
            return has(page_walk_head) ? page_walk_head + page_walk_entry * record.at<std::uint8_t>(21)
                                       : page_walk_head;
        case Descriptor::event: {
            const std::size_t head = event64 ? event_head64 : event_head32;
            return has(head) ? head + 8 * std::size_t{record.at<std::uint8_t>(head - 1)} : head;
        }
        default:
            if (is_header_only(record.descriptor)) return 0;
            break;
    }
    return fixed_sizes[static_cast<std::size_t>(record.descriptor)];
}

/// Where the pc goes.
void RecordWriter::State::learn(const RawRecord& record) {
    switch (record.descriptor) {
        case Descriptor::force_pc:
            tracker.force(record.at<std::uint64_t>(1));
            break;
        case Descriptor::inst_pc_target:
        case Descriptor::event_pc_target:
            tracker.branch(record.at<std::uint64_t>(1));
            break;
        default:
            break;
    }
}

RecordWriter::RecordWriter(const std::string& path, const Header& header, const Storage& storage)
    : state_(guarded([&] { return std::make_unique<State>(path, header, storage); })) {}
RecordWriter::~RecordWriter() = default;
RecordWriter::RecordWriter(RecordWriter&&) noexcept = default;
RecordWriter& RecordWriter::operator=(RecordWriter&&) noexcept = default;

void RecordWriter::comment(std::string_view text) {
    guarded([&] {
        if (text.size() > std::numeric_limits<std::uint32_t>::max()) fail(Failure::usage, "the comment is too long");
        Appender& out = state_->stream();
        append_record(out, Descriptor::comment, static_cast<std::uint32_t>(text.size()));
        out.text(text);
    });
}

void RecordWriter::process_id(const ProcessId& id) {
    guarded([&] {
        Appender& out = state_->stream();
        append_record(out, Descriptor::process_id_ext, id.hardware_thread);
        out.le(id.process);
        out.le(id.thread);
    });
}

void RecordWriter::force_pc(std::uint64_t pc) {
    guarded([&] {
        append_record(state_->stream(), Descriptor::force_pc, pc);
        state_->tracker.force(pc);
    });
}

void RecordWriter::target(std::uint64_t pc) {
    guarded([&] {
        append_record(state_->stream(), Descriptor::inst_pc_target, pc);
        state_->tracker.branch(pc);
    });
}

void RecordWriter::event_target(std::uint64_t pc) {
    guarded([&] {
        append_record(state_->stream(), Descriptor::event_pc_target, pc);
        state_->tracker.branch(pc);
    });
}

void RecordWriter::register_value(const Register& value) {
    guarded([&] {
        const Operand operand{value.number,
                              static_cast<RegisterClass>(value.kind),
                              static_cast<OperandRole>(value.role),
                              value.value,
                              {}};
        const bool is_vector = value.kind == RegisterKind::vector;
        if (is_vector && (state_->vector_words == 0 || value.words.size() != state_->vector_words))
            fail(Failure::usage, "a vector register has the words that vector_bits of the header says");
        append_operand(state_->stream(), operand, value.words);
    });
}

void RecordWriter::memory_access(const MemoryAccess& access) {
    guarded([&] {
        const Access written{access.address, access.size, access.attributes, static_cast<AccessType>(access.kind), {}};
        append_access(state_->stream(), written, access.data);
    });
}

void RecordWriter::event(std::uint64_t id, std::span<const std::uint64_t> fields) {
    guarded([&] {
        if (fields.size() > 0xFF) fail(Failure::usage, "an event has at most 255 fields");
        if (!state_->event64 && id > 0xFFFF'FFFF)
            fail(Failure::usage, "the header says that ids of events have 32 bits");
        Appender& out = state_->stream();
        if (state_->event64)
            append_record(out, Descriptor::event, id);
        else
            append_record(out, Descriptor::event, static_cast<std::uint32_t>(id));
        out.le(static_cast<std::uint8_t>(fields.size()));
        for (const std::uint64_t field : fields)
            out.le(field);
    });
}

void RecordWriter::opcode(std::uint32_t encoding, std::uint8_t size) {
    guarded([&] { state_->opcode(encoding, size); });
}

void RecordWriter::record(std::span<const std::byte> bytes) {
    guarded([&] {
        if (bytes.empty()) fail(Failure::usage, "a record has at least a type");
        const RawRecord raw{static_cast<Descriptor>(bytes[0]), bytes.data(), bytes.size()};
        if (const std::size_t size = state_->size_of(raw); size == 0 || size != bytes.size())
            fail(Failure::usage, "these bytes are no whole record that may stand behind the header");
        if (is_marker(raw.descriptor)) {
            const bool small = raw.descriptor == Descriptor::inst_opcode16;
            state_->opcode(small ? raw.at<std::uint16_t>(1) : raw.at<std::uint32_t>(1), small ? 2 : 4);
            return;
        }
        state_->stream().bytes(bytes);
        state_->learn(raw);
    });
}

void RecordWriter::finish() {
    guarded([&] {
        state_->check_open();
        state_->finished = true;
        state_->container.finish();
        state_->output->commit();
    });
}

}  // namespace hwtrace::stf

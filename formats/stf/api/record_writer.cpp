// formats/stf/api/record_writer.cpp - writes the caller's records into a container.
#include <algorithm>
#include <array>
#include <bitset>
#include <limits>

#include "guarded.hpp"
#include "stf/codec.hpp"
#include "stf/container_writer.hpp"
#include "stf/encode.hpp"
#include "stf/header_writer.hpp"
#include "stf/transaction_encode.hpp"
#include "storage.hpp"
#include "trace_header.hpp"
#include "usable_values.hpp"

#include "hwtrace/stf.hpp"

namespace hwtrace::stf {

namespace {
enum class TraceKind : std::uint8_t { instructions, transactions };
}  // namespace

struct RecordWriter::State {
    State(const std::string& path, const Header& header, const Storage& storage)
        : wrapping(wrapping_of(storage, path)), output(open_output(storage, path)), container(*output, wrapping) {
        Schema schema;
        describe_header(header, schema);
        Losses losses;
        if (header.transactions) {
            kind = TraceKind::transactions;
            protocol = header.protocol;
            if (header.clocks.empty())
                fail(Failure::usage, path + ": a trace of transactions needs at least one clock");
            for (const TransactionClock& clock : header.clocks)
                clocks[clock.id] = true;
            append_transaction_header(container.stream(), schema, losses);
        } else {
            const HeaderFacts facts = append_header(container.stream(), schema, header.pc, losses);
            tracker.force(facts.start_pc);
            event64 = facts.event64;
            vector_words = facts.vector_words;
        }
        if (!losses.none())
            fail(Failure::usage, path + ": the header cannot hold " + losses.entries().begin()->first.second);
    }

    void check_open() const {
        if (finished) fail(Failure::usage, "the trace is finished");
    }
    Appender& stream() {
        check_open();
        container.settle();
        return container.stream();
    }
    /// Returns the stream. Throws Failure::usage if the trace is not of the kind that the record requires.
    Appender& stream_of(TraceKind wanted) {
        check_open();
        if (kind != wanted)
            fail(Failure::usage, kind == TraceKind::transactions
                                     ? "the record does not belong in a trace of transactions"
                                     : "the record does not belong in a trace of instructions");
        return stream();
    }
    void opcode(std::uint32_t encoding, std::uint8_t size);
    void transaction(const TileLinkTransaction& transaction);
    std::size_t size_of(const RawRecord& record) const;
    void learn(const RawRecord& record);

    Wrapping wrapping;
    std::unique_ptr<Output> output;
    ContainerWriter container;
    PcTracker tracker;
    bool event64 = true;
    std::size_t vector_words = 0;
    TraceKind kind = TraceKind::instructions;
    std::uint8_t protocol = 0;  // transactions only
    std::bitset<256> clocks;    // transactions only: known ids
    bool finished = false;
};

void RecordWriter::State::opcode(std::uint32_t encoding, std::uint8_t size) {
    if ((size != 2 && size != 4) || (size == 2 && encoding > 0xFFFF))
        fail(Failure::usage, "the size of an opcode must be 2 or 4, and its encoding must fit");
    append_opcode(stream(), encoding, size);
    tracker.step(size);
    container.instruction(tracker.next);
}

void RecordWriter::State::transaction(const TileLinkTransaction& transaction) {
    Appender& out = stream_of(TraceKind::transactions);
    const TileLinkMessage& message = transaction.message;
    constexpr std::size_t most = 0xFFFF;
    const auto code = static_cast<std::uint8_t>(message.channel);
    if (protocol != protocol_tilelink || !is_channel(code))
        fail(Failure::usage, "the header's protocol must be TileLink, and the channel 1 to 5");
    const auto channel = static_cast<Channel>(code);
    if (!clocks[transaction.clock]) fail(Failure::usage, "the header lacks the transaction's clock");
    if (message.data.size() > (has_request(channel) ? most : 0) ||
        message.mask.size() != (has_mask(channel) ? bytes_of_mask(message.mask_bits) : 0))
        fail(Failure::usage, "data and mask must match the message's channel and mask_bits");
    if (transaction.metadata.size() > most) fail(Failure::usage, "a transaction has at most 65535 metadata elements");
    const auto type_of = [](const TransactionMetadata& element) {
        const auto size = std::find(metadata_sizes.begin(), metadata_sizes.end(), element.width);
        if (size == metadata_sizes.end() || (element.width < 8 && element.value >> 8u * element.width != 0))
            fail(Failure::usage, "the width of metadata must be 1, 2, 4 or 8 bytes, and the value must fit");
        return static_cast<std::uint8_t>(size - metadata_sizes.begin());
    };
    for (const TransactionMetadata& element : transaction.metadata)
        type_of(element);

    append_record(out, Descriptor::transaction, transaction.id);
    out.le(transaction.cycle_delta);
    out.le(transaction.clock);
    out.le(static_cast<std::uint16_t>(transaction.metadata.size()));
    for (const TransactionMetadata& element : transaction.metadata) {
        out.le(type_of(element));
        for (unsigned byte = 0; byte < element.width; ++byte)
            out.le(static_cast<std::uint8_t>(element.value >> 8u * byte));
    }
    append_message(out, {channel, message.code, message.param, message.size, message.source, message.address,
                         message.sink, message.data, message.mask_bits, message.mask});
    container.instruction(0);
}

/// Returns the size that the record's type and head require, or 0 if the record may not follow a header.
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
        case Descriptor::transaction: {
            if (kind != TraceKind::transactions || protocol != protocol_tilelink || !has(transaction_head)) return 0;
            const TransactionExtent extent = transaction_extent(record.bytes());
            return extent.state == TransactionExtent::State::whole ? extent.size : 0;
        }
        case Descriptor::transaction_dependency:
            return kind == TraceKind::transactions ? dependency_size : 0;
        default:
            if (is_header_only(record.descriptor)) return 0;
            break;
    }
    return fixed_sizes[static_cast<std::size_t>(record.descriptor)];
}

/// Updates the pc from a record.
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
        Appender& out = state_->stream_of(TraceKind::instructions);
        append_record(out, Descriptor::process_id_ext, id.hardware_thread);
        out.le(id.process);
        out.le(id.thread);
    });
}

void RecordWriter::force_pc(std::uint64_t pc) {
    guarded([&] {
        append_record(state_->stream_of(TraceKind::instructions), Descriptor::force_pc, pc);
        state_->tracker.force(pc);
    });
}

void RecordWriter::target(std::uint64_t pc) {
    guarded([&] {
        append_record(state_->stream_of(TraceKind::instructions), Descriptor::inst_pc_target, pc);
        state_->tracker.branch(pc);
    });
}

void RecordWriter::event_target(std::uint64_t pc) {
    guarded([&] {
        append_record(state_->stream_of(TraceKind::instructions), Descriptor::event_pc_target, pc);
        state_->tracker.branch(pc);
    });
}

void RecordWriter::register_value(const Register& value) {
    guarded([&] {
        check_register(value);
        const Operand operand{value.number,
                              static_cast<RegisterClass>(value.kind),
                              static_cast<OperandRole>(value.role),
                              value.value,
                              {}};
        const bool is_vector = value.kind == RegisterKind::vector;
        if (is_vector && (state_->vector_words == 0 || value.words.size() != state_->vector_words))
            fail(Failure::usage, "a vector register needs exactly the words that the header's vector_bits require");
        append_operand(state_->stream_of(TraceKind::instructions), operand, value.words);
    });
}

void RecordWriter::memory_access(const MemoryAccess& access) {
    guarded([&] {
        check_access(access);
        const Access written{access.address, access.size, access.attributes, static_cast<AccessType>(access.kind), {}};
        append_access(state_->stream_of(TraceKind::instructions), written, access.data);
    });
}

void RecordWriter::event(std::uint64_t id, std::span<const std::uint64_t> fields) {
    guarded([&] {
        if (fields.size() > 0xFF) fail(Failure::usage, "an event has at most 255 fields");
        if (!state_->event64 && id > 0xFFFF'FFFF)
            fail(Failure::usage, "the header's features limit event ids to 32 bits");
        Appender& out = state_->stream_of(TraceKind::instructions);
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
    guarded([&] {
        state_->stream_of(TraceKind::instructions);
        state_->opcode(encoding, size);
    });
}

void RecordWriter::transaction(const TileLinkTransaction& transaction) {
    guarded([&] { state_->transaction(transaction); });
}

void RecordWriter::dependency(std::uint64_t id, std::uint64_t cycle_delta, std::uint8_t clock) {
    guarded([&] {
        Appender& out = state_->stream_of(TraceKind::transactions);
        if (!state_->clocks[clock]) fail(Failure::usage, "the header lacks the dependency's clock");
        const std::array<std::uint64_t, dependency_cells> cells{id, 0, cycle_delta, clock};
        append_dependency(out, cells);
    });
}

void RecordWriter::record(std::span<const std::byte> bytes) {
    guarded([&] {
        if (bytes.empty()) fail(Failure::usage, "a record has at least one byte, its type");
        const RawRecord raw{static_cast<Descriptor>(bytes[0]), bytes.data(), bytes.size()};
        if (const std::size_t size = state_->size_of(raw); size == 0 || size != bytes.size())
            fail(Failure::usage, "the bytes are not one whole record that may follow the header");
        if (is_marker(raw.descriptor)) {
            const bool small = raw.descriptor == Descriptor::inst_opcode16;
            state_->opcode(small ? raw.at<std::uint16_t>(1) : raw.at<std::uint32_t>(1), small ? 2 : 4);
            return;
        }
        if (raw.descriptor == Descriptor::transaction) {
            state_->stream().bytes(bytes);
            state_->container.instruction(0);
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

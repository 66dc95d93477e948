// formats/stf/api/instruction_writer.cpp - writes instructions for C++ programs.
#include <algorithm>
#include <optional>

#include "codec/losses.hpp"
#include "codec/writer.hpp"
#include "guarded.hpp"
#include "stf/codec.hpp"
#include "stf/tracks.hpp"
#include "storage.hpp"
#include "trace_header.hpp"
#include "usable_values.hpp"

#include "hwtrace/stf.hpp"

namespace hwtrace::stf {

struct InstructionWriter::State {
    State(const std::string& path, const Header& header, const Storage& storage)
        : settings(settings_of(storage, path)), tracks(declare_tracks(schema)), output(open_output(storage, path)) {
        describe_header(header, schema);
        writer = create_writer(*output, schema, settings, losses, wrapping_of(storage, path));
    }

    void check_open() const {
        if (finished) fail(Failure::usage, "the trace is finished");
    }
    void check(std::span<const Event> events) const;
    void put(const Event& event);
    void put(const Instruction& instruction);
    void flush() {
        writer->write(batch);
        batch.clear();
    }

    Settings settings;
    Schema schema;
    Tracks tracks;
    Losses losses;
    std::unique_ptr<Output> output;
    std::unique_ptr<Writer> writer;
    Batch batch;
    Tick index = 0;
    bool finished = false;
};

/// Checks all events before the first one is written, so that a call that throws has written nothing.
void InstructionWriter::State::check(std::span<const Event> events) const {
    for (const Event& event : events)
        if (event.bytes.empty() && event.type != RecordType::comment &&
            tracks.of(static_cast<Descriptor>(event.type)) == none)
            fail(Failure::usage, "a record of this type is part of its instruction, or does not exist");
}

void InstructionWriter::State::put(const Event& event) {
    if (!event.bytes.empty()) {
        batch.native(tracks.natives, index, event.bytes);
    } else if (event.type == RecordType::comment) {
        batch.note(tracks.comments, index, event.text);
    } else {
        batch.event(tracks.of(static_cast<Descriptor>(event.type)), index, event.values);
    }
}

void InstructionWriter::State::put(const Instruction& instruction) {
    if ((instruction.size != 2 && instruction.size != 4) || (instruction.size == 2 && instruction.encoding > 0xFFFF))
        fail(Failure::usage, "the size of an instruction must be 2 or 4, and its encoding must fit");
    check(instruction.events);
    for (const Register& value : instruction.registers)
        check_register(value);
    for (const MemoryAccess& access : instruction.accesses)
        check_access(access);
    for (const Event& event : instruction.events)
        put(event);
    for (const Register& value : instruction.registers) {
        if (value.kind == RegisterKind::vector)
            batch.vector_operand(value.number, static_cast<OperandRole>(value.role), value.words);
        else
            batch.operand(value.number, static_cast<RegisterClass>(value.kind), static_cast<OperandRole>(value.role),
                          value.value);
    }
    for (const MemoryAccess& access : instruction.accesses) {
        batch.access(access.address, access.size, access.attributes, static_cast<AccessType>(access.kind));
        for (const std::uint64_t word : access.data)
            batch.access_data(word);
    }
    hwtrace::Instruction& put = batch.instruction(tracks.hart, index++, instruction.pc);
    put.encoding = instruction.encoding;
    put.size = instruction.size;
    put.has_target = instruction.target.has_value();
    put.target = instruction.target.value_or(0);
    if (!instruction.order.empty()) {
        std::vector<Part> order;
        for (const std::byte code : instruction.order)
            order.push_back(static_cast<Part>(std::min(std::to_integer<unsigned>(code), 3u)));
        batch.set_order(put, order);
    }
}

InstructionWriter::InstructionWriter(const std::string& path, const Header& header, const Storage& storage)
    : state_(guarded([&] { return std::make_unique<State>(path, header, storage); })) {}
InstructionWriter::~InstructionWriter() = default;
InstructionWriter::InstructionWriter(InstructionWriter&&) noexcept = default;
InstructionWriter& InstructionWriter::operator=(InstructionWriter&&) noexcept = default;

void InstructionWriter::write(const Instruction& instruction) {
    guarded([&] {
        state_->check_open();
        state_->put(instruction);
        if (state_->batch.full()) state_->flush();
    });
}

void InstructionWriter::rest(std::span<const Event> events) {
    guarded([&] {
        state_->check_open();
        state_->check(events);
        for (const Event& event : events)
            state_->put(event);
    });
}

std::vector<std::string> InstructionWriter::finish() {
    return guarded([&] {
        state_->check_open();
        state_->finished = true;
        if (!state_->batch.empty()) state_->flush();
        state_->writer->finish();
        state_->output->commit();
        std::vector<std::string> notes = state_->losses.assumptions();
        for (const auto& [key, entry] : state_->losses.entries())
            notes.push_back(std::string(name_of(key.first)) + " " + key.second + ": " + entry.first);
        return notes;
    });
}

}  // namespace hwtrace::stf

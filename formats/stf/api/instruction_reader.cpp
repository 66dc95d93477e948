// formats/stf/api/instruction_reader.cpp - reads a trace instruction by instruction through the model, for C++
// programs.
#include "codec/findings.hpp"
#include "guarded.hpp"
#include "io/input.hpp"
#include "stf/codec.hpp"
#include "stf/tracks.hpp"
#include "trace_header.hpp"

#include "hwtrace/stf.hpp"

namespace hwtrace::stf {

static_assert(static_cast<int>(RegisterKind::csr) == static_cast<int>(RegisterClass::csr) &&
              static_cast<int>(RegisterRole::destination) == static_cast<int>(OperandRole::destination) &&
              static_cast<int>(AccessKind::write) == static_cast<int>(AccessType::write));

struct InstructionReader::State {
    explicit State(const std::string& path) : input(Input::open(path)), reader(open_reader(input, settings, findings)) {
        const Schema& schema = reader->schema();
        if (schema.find_track(Track::Kind::hart, hart_name) == none)
            fail(Failure::input, path + ": not a trace of instructions");
        header = header_of(schema);
        types.resize(schema.tracks().size(), RecordType::comment);
        for (TrackId id = 0; id < types.size(); ++id)
            for (const EventTrack& event : event_tracks)
                if (event.name == schema.tracks()[id].name) types[id] = static_cast<RecordType>(event.descriptor);
    }

    /// Returns the next record of the trace, or null at the end.
    const hwtrace::Record* next_record();
    bool next(Instruction& instruction);
    void keep(const hwtrace::Record& record);
    void show_events();
    void give(const hwtrace::Record& record, Instruction& instruction);

    Settings settings;
    Findings findings;
    Input input;
    std::unique_ptr<Reader> reader;
    Header header;
    std::vector<RecordType> types;  // by track

    Batch batch;
    std::size_t at = 0;  // next record of the batch
    bool ended = false;

    // The records of a group are copied, because the group may begin in an earlier batch.
    struct Kept {
        Event event;
        Tick time;
        std::size_t first, count;  // range in `cells` or `bytes`
    };
    std::vector<Kept> kept;
    std::vector<std::uint64_t> cells;
    std::vector<std::byte> bytes;
    std::vector<Event> events;
    std::vector<Register> registers;
    std::vector<MemoryAccess> accesses;
};

const hwtrace::Record* InstructionReader::State::next_record() {
    while (at == batch.records().size()) {
        batch.clear();
        at = 0;
        if (!reader->read(batch)) return nullptr;
    }
    return &batch.records()[at++];
}

void InstructionReader::State::keep(const hwtrace::Record& record) {
    Kept& added = kept.emplace_back();
    added.event.type = types[record.track];
    added.time = record.time;
    if (record.kind == Kind::event) {
        const auto values = batch.cells(record);
        added.first = cells.size();
        added.count = values.size();
        cells.insert(cells.end(), values.begin(), values.end());
        return;
    }
    const auto content = batch.bytes(record);
    added.first = bytes.size();
    added.count = content.size();
    bytes.insert(bytes.end(), content.begin(), content.end());
    if (record.kind == Kind::native && !content.empty())
        added.event.bytes = content;  // marks a native record; show_events() sets the final span
}

/// Sets the spans of the events. Call when the vectors that the spans refer to no longer grow.
void InstructionReader::State::show_events() {
    for (Kept& entry : kept) {
        Event& event = entry.event;
        const std::span<const std::byte> content =
            std::span(bytes).subspan(std::min(entry.first, bytes.size()),
                                     std::min(entry.count, bytes.size() - std::min(entry.first, bytes.size())));
        if (!event.bytes.empty()) {
            event.bytes = content;
            event.type = static_cast<RecordType>(content[0]);
        } else if (event.type == RecordType::comment) {
            event.text = {reinterpret_cast<const char*>(content.data()), content.size()};
        } else {
            event.values = std::span(cells).subspan(entry.first, entry.count);
        }
        events.push_back(event);
    }
}

void InstructionReader::State::give(const hwtrace::Record& record, Instruction& instruction) {
    const hwtrace::Instruction& source = batch.instruction(record);
    instruction.index = static_cast<std::uint64_t>(record.time);  // also correct after damage
    instruction.pc = record.value;
    instruction.encoding = static_cast<std::uint32_t>(source.encoding);
    instruction.size = source.size;
    instruction.target = source.has_target ? std::optional(source.target) : std::nullopt;
    for (const Operand& operand : batch.operands(source))
        registers.push_back({static_cast<RegisterKind>(operand.register_class), static_cast<RegisterRole>(operand.role),
                             operand.number, operand.value, batch.cells(operand.words)});
    for (const Access& access : batch.accesses(source))
        accesses.push_back({static_cast<AccessKind>(access.type), access.address, access.size, access.attributes,
                            batch.cells(access.data)});
    instruction.events = events;
    instruction.registers = registers;
    instruction.accesses = accesses;
    instruction.order = batch.bytes(source.order);
}

bool InstructionReader::State::next(Instruction& instruction) {
    if (ended) return false;
    kept.clear();
    cells.clear();
    bytes.clear();
    events.clear();
    registers.clear();
    accesses.clear();
    while (const hwtrace::Record* const record = next_record()) {
        if (record->kind != Kind::instruction) {
            keep(*record);
            check_limit(cells.size() * sizeof(std::uint64_t) + bytes.size() + kept.size() * sizeof(Kept),
                        settings.limits.block, "the records before an instruction", "the library's limit");
            continue;
        }
        // Records of another time belong to an instruction that was lost by damage.
        std::erase_if(kept, [&](const Kept& entry) { return entry.time != record->time; });
        show_events();
        give(*record, instruction);
        return true;
    }
    show_events();
    ended = true;
    return false;
}

InstructionReader::InstructionReader(const std::string& path)
    : state_(guarded([&] { return std::make_unique<State>(path); })) {}
InstructionReader::~InstructionReader() = default;
InstructionReader::InstructionReader(InstructionReader&&) noexcept = default;
InstructionReader& InstructionReader::operator=(InstructionReader&&) noexcept = default;

const Header& InstructionReader::header() const noexcept {
    return state_->header;
}

bool InstructionReader::next(Instruction& instruction) {
    return guarded([&] { return state_->next(instruction); });
}

std::span<const Event> InstructionReader::rest() const noexcept {
    return state_->ended ? std::span<const Event>(state_->events) : std::span<const Event>();
}

std::vector<Fault> InstructionReader::faults() const {
    return faults_of(state_->findings);
}

bool InstructionReader::sound() const noexcept {
    return state_->findings.effect() == Effect::harmless;
}

}  // namespace hwtrace::stf

// formats/stf/writer.cpp - converts the model to STF: merges an instruction's parts and the records before it into one
// group (formats/stf/README.md#conversions-to-stf).
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "codec.hpp"
#include "container_writer.hpp"
#include "domain/value_text.hpp"
#include "encode.hpp"
#include "group_order.hpp"
#include "header_writer.hpp"
#include "io/error.hpp"
#include "tracks.hpp"
#include "transaction_tracks.hpp"
#include "transaction_writer.hpp"

namespace hwtrace::stf {

Wrapping wrapping_of(const Settings& settings) {
    const std::string chosen = settings.text(options, "stf-container");
    const auto named = [&](std::string_view extension) { return settings.output_name.ends_with(extension); };
    Wrapping wrapping;
    if (chosen == "zstf" || (chosen == "auto" && named(".zstf"))) {
        wrapping.kind = Wrapping::Kind::zstf;
    } else if (chosen == "gz" || (chosen == "auto" && named(".gz"))) {
        wrapping.kind = Wrapping::Kind::gzip;
    } else if (chosen == "zst" || (chosen == "auto" && named(".zst"))) {
        wrapping.kind = Wrapping::Kind::zstd;
    } else if (chosen == "xz" || (chosen == "auto" && named(".xz"))) {
        wrapping.kind = Wrapping::Kind::xz;
    }
    wrapping.chunk = settings.number(options, "stf-chunk");
    if (wrapping.chunk == 0) fail(Failure::usage, "--stf-chunk: a chunk holds at least 1 instruction or transaction");
    const std::uint64_t level = settings.number(options, "stf-level");
    if (level < 1 || level > 19) fail(Failure::usage, "--stf-level: the level is 1 to 19");
    wrapping.level = static_cast<int>(level);
    wrapping.jobs = settings.jobs;
    return wrapping;
}

namespace {

class StfWriter final : public Writer {
public:
    StfWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses, const Wrapping& wrapping);

    void write(const Batch& batch) override;
    bool has_threads() const noexcept override { return container_.has_threads(); }
    void finish() override;

private:
    /// A separate record that waits for its instruction. waiting_bytes_ holds its bytes.
    struct Waiting {
        std::size_t offset, size;
        Tick time;
        Descriptor descriptor;
    };
    /// The kind of STF record that a track's records are converted to.
    enum class Role : std::uint8_t { foreign, hart, event, note, native };
    struct TrackUse {
        Role role = Role::foreign;
        const EventTrack* event = nullptr;
    };

    void learn_tracks();
    void begin(const Batch& batch);
    void separate(const Batch& batch, const Record& record, const TrackUse& use);
    bool append_event(std::span<const std::uint64_t> cells, const EventTrack& event);
    void instruction(const Batch& batch, const Record& record);
    void write_parts(const Batch& batch, const Instruction& instruction);
    void write_merged(const Batch& batch, const Instruction& instruction);
    void write_target(const Instruction& instruction);
    void write_operand(const Batch& batch, const Operand& operand);
    void write_access(const Batch& batch, const Access& access);
    void force_pc(std::uint64_t pc);
    void follow_position(const Record& record);
    void release_waiting();
    void release(const Waiting& waiting);
    void release_piece();
    void end_pieces(Tick time);
    void drop_strangers(Tick time);
    void drop(Loss loss, const Record& record);

    const Schema& schema_;
    const Limits& limits_;
    Losses& losses_;
    const Settings& settings_;
    ContainerWriter container_;
    std::vector<TrackUse> tracks_;

    bool begun_ = false;
    PcTracker tracker_;
    bool event64_ = true;
    std::size_t vector_words_ = 0;
    std::uint64_t instructions_ = 0;
    std::uint64_t forced_ = 0;
    std::uint64_t next_position_ = 0;

    Appender waiting_bytes_;
    std::vector<Waiting> waiting_;
    std::uint64_t released_ =
        0;  ///< number of records, all of one time, that were written before their instruction was known
    Tick released_time_ = 0;
    std::vector<Descriptor> descriptors_;
    std::vector<Part> canonical_;
    std::vector<std::uint64_t> words_;
};

StfWriter::StfWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses,
                     const Wrapping& wrapping)
    : schema_(schema), limits_(settings.limits), losses_(losses), settings_(settings), container_(output, wrapping) {
    learn_tracks();
}

/// Looks up the tracks by name once, so that a record needs only an index.
void StfWriter::learn_tracks() {
    for (std::size_t id = tracks_.size(); id < schema_.tracks().size(); ++id) {
        const Track& track = schema_.tracks()[id];
        TrackUse use;
        switch (track.kind) {
            case Track::Kind::hart:
                use.role = Role::hart;
                break;
            case Track::Kind::notes:
                if (track.name == comment_track) use.role = Role::note;
                break;
            case Track::Kind::native:
                if (track.name == native_track) use.role = Role::native;
                break;
            case Track::Kind::event_type: {
                const auto* event = std::find_if(std::begin(event_tracks), std::end(event_tracks),
                                                 [&](const EventTrack& known) { return known.name == track.name; });
                if (event != std::end(event_tracks)) use = {Role::event, event};
                break;
            }
            default:
                break;
        }
        tracks_.push_back(use);
    }
}

/// Writes the header. Called for the first batch, because a missing FORCE_PC needs the pc of the first instruction.
void StfWriter::begin(const Batch& batch) {
    std::optional<std::uint64_t> first_pc;
    for (const Record& record : batch.records()) {
        if (record.kind == Kind::instruction) {
            first_pc = record.value;
            break;
        }
    }
    count_names(schema_, losses_);
    const HeaderFacts facts = append_header(container_.stream(), schema_, first_pc, losses_);
    tracker_.force(facts.start_pc);
    event64_ = facts.event64;
    vector_words_ = facts.vector_words;
    begun_ = true;
}

void StfWriter::write(const Batch& batch) {
    if (!begun_) begin(batch);
    if (tracks_.size() != schema_.tracks().size()) learn_tracks();
    for (const Record& record : batch.records()) {
        const TrackUse& use = tracks_[record.track];
        if (record.kind == Kind::instruction) {
            instruction(batch, record);
        } else {
            separate(batch, record, use);
        }
    }
    container_.settle();
}

void StfWriter::finish() {
    if (!begun_) begin(Batch{});
    release_waiting();
    if (forced_ > 0) {
        losses_.assume("FORCE_PC written before " + counted(forced_, "instruction") +
                       " whose pc does not follow from earlier records");
    }
    container_.finish();
}

void StfWriter::drop(Loss loss, const Record& record) {
    losses_.count(loss, schema_.tracks()[record.track].name,
                  [&] { return "before instruction " + std::to_string(instructions_); });
}

// --- separate records ------------------------------------------------------------------------------------------------

void StfWriter::separate(const Batch& batch, const Record& record, const TrackUse& use) {
    const std::size_t offset = waiting_bytes_.size();
    Descriptor descriptor = Descriptor::comment;
    if (use.role == Role::event && record.kind == Kind::event) {
        descriptor = use.event->descriptor;
        if (!append_event(batch.cells(record), *use.event)) {
            drop(Loss::kind_dropped, record);
            return;
        }
    } else if (use.role == Role::note && record.kind == Kind::note) {
        append_record(waiting_bytes_, descriptor, record.count);
        waiting_bytes_.bytes(batch.bytes(record));
    } else if (use.role == Role::native && record.kind == Kind::native && record.count > 0) {
        const auto bytes = batch.bytes(record);
        descriptor = static_cast<Descriptor>(bytes[0]);
        waiting_bytes_.bytes(bytes);
        // Even an invalid body record may change the event width that later events depend on.
        if (descriptor == Descriptor::trace_info_feature && bytes.size() == 9)
            event64_ = (load_le<std::uint64_t>(bytes.data() + 1) & feature_event64) != 0;
    } else {
        drop(record.kind == Kind::native ? Loss::native_dropped : Loss::kind_dropped, record);
        return;
    }
    waiting_.push_back({offset, waiting_bytes_.size() - offset, record.time, descriptor});
    if (waiting_.size() >= piece_records) release_piece();
}

/// Writes a full block of waiting records before their instruction. If that instruction is lost, the records join the
/// next one.
void StfWriter::release_piece() {
    const Tick time = waiting_.back().time;
    drop_strangers(time);
    if (waiting_.size() < piece_records) return;
    if (released_time_ != time) end_pieces(time);
    released_ += waiting_.size();
    released_time_ = time;
    release_waiting();
}

/// Counts the records of released blocks as a loss if the next records have another time.
void StfWriter::end_pieces(Tick time) {
    if (released_ != 0 && released_time_ != time)
        losses_.count(
            Loss::order_changed, lost_instructions,
            [&] { return "they now belong to instruction " + std::to_string(instructions_); }, released_);
    released_ = 0;
}

/// Appends the record of an event to the waiting records. Returns false if the payload does not fit the track.
bool StfWriter::append_event(std::span<const std::uint64_t> cells, const EventTrack& event) {
    if (cells.size() < event.fixed) return false;
    const auto rows = cells.subspan(event.fixed);
    if (event.repeated == 0 ? !rows.empty() : rows.size() % event.repeated != 0) return false;
    Appender& out = waiting_bytes_;
    switch (event.descriptor) {
        case Descriptor::force_pc:
        case Descriptor::event_pc_target:
            append_record(out, event.descriptor, cells[0]);
            return true;
        case Descriptor::inst_iem:
        case Descriptor::inst_ready_reg:
            append_record(out, event.descriptor, static_cast<std::uint16_t>(cells[0]));
            return true;
        case Descriptor::process_id_ext:
            append_record(out, event.descriptor, static_cast<std::uint32_t>(cells[0]));
            out.le(static_cast<std::uint32_t>(cells[1]));
            out.le(static_cast<std::uint32_t>(cells[2]));
            return true;
        case Descriptor::inst_microop:
            append_record(out, event.descriptor, static_cast<std::uint8_t>(cells[0]));
            out.le(static_cast<std::uint32_t>(cells[1]));
            return true;
        case Descriptor::bus_master_access:
            append_record(out, event.descriptor, cells[0]);
            out.le(static_cast<std::uint16_t>(cells[1]));
            out.le(static_cast<std::uint8_t>(cells[2]));
            out.le(static_cast<std::uint8_t>(cells[3]));
            out.le(static_cast<std::uint32_t>(cells[4]));
            out.le(static_cast<std::uint8_t>(cells[5]));
            for (const std::uint64_t word : rows)
                append_record(out, Descriptor::bus_master_content, word);
            return true;
        case Descriptor::page_table_walk:
            if (rows.size() / event.repeated > 0xFF) return false;
            append_record(out, event.descriptor, cells[0]);
            out.le(cells[1]);
            out.le(static_cast<std::uint32_t>(cells[2]));
            out.le(static_cast<std::uint8_t>(rows.size() / event.repeated));
            break;
        case Descriptor::event:
            if (rows.size() > 0xFF || (!event64_ && cells[0] > 0xFFFF'FFFF)) return false;
            if (event64_) {
                append_record(out, event.descriptor, cells[0]);
            } else {
                append_record(out, event.descriptor, static_cast<std::uint32_t>(cells[0]));
            }
            out.le(static_cast<std::uint8_t>(rows.size()));
            break;
        default:
            return false;
    }
    for (const std::uint64_t cell : rows)
        out.le(cell);
    return true;
}

void StfWriter::release(const Waiting& waiting) {
    const std::byte* bytes = waiting_bytes_.data() + waiting.offset;
    container_.stream().bytes({bytes, waiting.size});
    // Even an invalid body record may change the vector length that later registers depend on.
    if (waiting.descriptor == Descriptor::vlen_config && waiting.size == 5)
        vector_words_ = words_of_vector(load_le<std::uint32_t>(bytes + 1));
    if (waiting.size < 9) return;
    switch (waiting.descriptor) {
        case Descriptor::force_pc:
            tracker_.force(load_le<std::uint64_t>(bytes + 1));
            break;
        case Descriptor::inst_pc_target:
        case Descriptor::event_pc_target:
            tracker_.branch(load_le<std::uint64_t>(bytes + 1));
            break;
        default:
            break;
    }
}

/// Writes the waiting records in order of arrival.
void StfWriter::release_waiting() {
    for (const Waiting& waiting : waiting_)
        release(waiting);
    waiting_.clear();
    waiting_bytes_.clear();
}

// --- instructions ----------------------------------------------------------------------------------------------------

/// Counts gaps between the positions of instructions as losses, because an STF trace has none.
void StfWriter::follow_position(const Record& record) {
    const auto position = static_cast<std::uint64_t>(record.time);
    const std::uint64_t expected = std::exchange(next_position_, position + 1);
    if (position == expected) [[likely]]
        return;
    const Track& hart = schema_.tracks()[record.track];
    if (!counts_gaps(hart, settings_)) return;
    losses_.count(Loss::time_rounded, hart.name, [&] {
        return "position " + std::to_string(record.time) + " becomes " + std::to_string(instructions_);
    });
}

void StfWriter::instruction(const Batch& batch, const Record& record) {
    const Instruction& instruction = batch.instruction(record);
    follow_position(record);
    if (!waiting_.empty() && waiting_.front().time != record.time) [[unlikely]]
        drop_strangers(record.time);
    if (released_ != 0) [[unlikely]]
        end_pieces(record.time);
    const bool forces = std::any_of(waiting_.begin(), waiting_.end(),
                                    [](const Waiting& w) { return w.descriptor == Descriptor::force_pc; });
    if (!forces && tracker_.next != record.value) [[unlikely]]
        force_pc(record.value);
    if (waiting_.empty() && instruction.order.count == 0) {
        write_parts(batch, instruction);
    } else {
        write_merged(batch, instruction);
    }
    if (tracker_.next != record.value) [[unlikely]]
        force_pc(record.value);

    std::uint8_t size = instruction.size;
    const std::uint64_t most = size == 2 ? 0xFFFFu : 0xFFFF'FFFFu;
    if ((size != 2 && size != 4) || instruction.encoding > most) [[unlikely]] {
        losses_.count(Loss::value_narrowed, Subject::general("instruction encoding"),
                      [&] { return "instruction " + std::to_string(instructions_) + ": " + counted(size, "byte"); });
        size = 4;
    }
    append_opcode(container_.stream(), instruction.encoding, size);
    tracker_.step(size);
    ++instructions_;
    container_.instruction(tracker_.next);
    container_.settle();
}

/// Drops waiting records of another time. They belong to a lost instruction and would otherwise join the next one.
/// TRACE_INFO_FEATURE stays, because waiting events were encoded with its event width.
void StfWriter::drop_strangers(Tick time) {
    const auto is_strange = [&](const Waiting& waiting) {
        return waiting.time != time && waiting.descriptor != Descriptor::trace_info_feature;
    };
    const auto first = std::find_if(waiting_.begin(), waiting_.end(), is_strange);
    if (first == waiting_.end()) return;
    const Descriptor descriptor = first->descriptor;
    const std::size_t count = std::erase_if(waiting_, is_strange);
    Appender kept;
    for (Waiting& waiting : waiting_) {
        const auto bytes = waiting_bytes_.span().subspan(waiting.offset, waiting.size);
        waiting.offset = kept.size();
        kept.bytes(bytes);
    }
    waiting_bytes_ = std::move(kept);
    losses_.count(
        Loss::part_dropped, lost_instructions,
        [&] { return std::string(name_of(descriptor)) + " before instruction " + std::to_string(instructions_); },
        count);
}

/// Writes FORCE_PC. Called if the pc does not follow from earlier records, which is common in traces of other formats.
void StfWriter::force_pc(std::uint64_t pc) {
    append_record(container_.stream(), Descriptor::force_pc, pc);
    tracker_.force(pc);
    ++forced_;
}

void StfWriter::write_parts(const Batch& batch, const Instruction& instruction) {
    if (instruction.has_target) write_target(instruction);
    for (const Operand& operand : batch.operands(instruction))
        write_operand(batch, operand);
    for (const Access& access : batch.accesses(instruction))
        write_access(batch, access);
}

void StfWriter::write_merged(const Batch& batch, const Instruction& instruction) {
    const auto operands = batch.operands(instruction);
    const auto accesses = batch.accesses(instruction);
    auto order = batch.order(instruction);
    const auto stored = [&](Part part) {
        return static_cast<std::size_t>(std::count(order.begin(), order.end(), part));
    };
    const bool fits = stored(Part::record) == waiting_.size() && stored(Part::operand) == operands.size() &&
                      stored(Part::access) == accesses.size() &&
                      stored(Part::target) == (instruction.has_target ? 1u : 0u);
    if (!fits) {  // no stored order, or a pipeline stage has added or removed parts
        if (!order.empty()) {
            losses_.count(Loss::order_changed, Subject::general("instruction records"),
                          [&] { return "instruction " + std::to_string(instructions_); });
        }
        descriptors_.clear();
        for (const Waiting& waiting : waiting_)
            descriptors_.push_back(waiting.descriptor);
        canonical_order(descriptors_, instruction.has_target ? 1 : 0, operands.size(), accesses.size(), canonical_);
        order = canonical_;
    }
    std::size_t next = 0;
    auto operand = operands.begin();
    auto access = accesses.begin();
    for (const Part part : order) {
        switch (part) {
            case Part::record:
                release(waiting_[next++]);
                break;
            case Part::target:
                write_target(instruction);
                break;
            case Part::operand:
                write_operand(batch, *operand++);
                break;
            case Part::access:
                write_access(batch, *access++);
                break;
        }
    }
    waiting_.clear();
    waiting_bytes_.clear();
}

void StfWriter::write_target(const Instruction& instruction) {
    append_record(container_.stream(), Descriptor::inst_pc_target, instruction.target);
    tracker_.branch(instruction.target);
}

void StfWriter::write_operand(const Batch& batch, const Operand& operand) {
    const auto words = batch.cells(operand.words);
    if (operand.register_class != RegisterClass::vector || words.size() == vector_words_) [[likely]] {
        append_operand(container_.stream(), operand, words);
        return;
    }
    constexpr Subject vector_register = Subject::general("vector register");
    const auto first = [&] { return "instruction " + std::to_string(instructions_); };
    if (vector_words_ == 0) {  // unreadable without VLEN_CONFIG
        losses_.count(Loss::part_dropped, vector_register, first);
        return;
    }
    // The trace states the length, which may be far larger than the data.
    check_limit(8 * std::uint64_t{vector_words_}, limits_.record, "a vector register", "--max-record");
    if (words.size() > vector_words_) losses_.count(Loss::value_narrowed, vector_register, first);
    words_.assign(vector_words_, 0);
    std::copy_n(words.begin(), std::min(words.size(), vector_words_), words_.begin());
    append_operand(container_.stream(), operand, words_);
}

void StfWriter::write_access(const Batch& batch, const Access& access) {
    append_access(container_.stream(), access, batch.cells(access.data));
}

}  // namespace

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    const Wrapping wrapping = wrapping_of(settings);
    const bool has_chunks = wrapping.kind == Wrapping::Kind::zstf;
    if (settings.chosen("stf-chunk") && !has_chunks)
        fail(Failure::usage, "--stf-chunk changes nothing: only ZSTF has chunks (--stf-container zstf, or OUT.zstf)");
    if (settings.chosen("stf-level") && !has_chunks && wrapping.kind != Wrapping::Kind::zstd)
        fail(Failure::usage,
             "--stf-level changes nothing: only ZSTF and zstd have levels (--stf-container zstf or zst)");
    return create_writer(output, schema, settings, losses, wrapping);
}

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses,
                                      const Wrapping& wrapping) {
    if (has_transactions(schema)) return create_transaction_writer(output, wrapping, schema, settings.limits, losses);
    return std::make_unique<StfWriter>(output, schema, settings, losses, wrapping);
}

}  // namespace hwtrace::stf

#include "writer.hpp"

#include <algorithm>
#include <deque>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checkpoint.hpp"
#include "domain/value_text.hpp"
#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/error.hpp"
#include "io/task.hpp"
#include "model/hash.hpp"
#include "model/state.hpp"
#include "options.hpp"
#include "summary.hpp"
#include "wire.hpp"
#include "wire_schema.hpp"

namespace hwtrace::uscope {

namespace {

constexpr std::size_t segment_target = std::size_t{8} << 20;  // raw bytes; limits memory if checkpoints are rare
constexpr std::size_t frame_target = std::size_t{4} << 20;    // bytes; a larger frame is split
constexpr std::uint64_t default_cycles = 20'000;              // cycles of the first clock between checkpoints
constexpr std::size_t checkpoint_share = 16;                  // frames take at least 1/16 of the checkpoint's size
constexpr std::uint64_t small_summary = 1u << 20;             // a summary up to this size is always kept
constexpr std::uint64_t summary_share = 4;                  // a larger summary takes at most 1/4 of the file before it
constexpr std::size_t table_piece = std::size_t{64} << 10;  // bytes of the segment table written at once
constexpr std::size_t store_slack = 8;  // fields are stored as 8 bytes; the next field overwrites the excess

enum class Compression : std::uint8_t { lz4, zstd, none };

Compression chosen_compression(const Settings& settings) {
    const std::string text = settings.text(options, compression_option);
    return text == "none" ? Compression::none : text == "zstd" ? Compression::zstd : Compression::lz4;
}

std::uint64_t flags_of(Compression compression) noexcept {
    switch (compression) {
        case Compression::lz4:
            return flag_interleaved | flag_compressed | method_lz4 << method_shift;
        case Compression::zstd:
            return flag_interleaved | flag_compressed | method_zstd << method_shift;
        case Compression::none:
            break;
    }
    return flag_interleaved;
}

std::array<std::byte, 8> bytes_of(std::uint64_t value) noexcept {
    std::array<std::byte, 8> bytes{};
    store_le(bytes.data(), value);
    return bytes;
}

/// A segment that is being filled, or that is being compressed and appended.
struct Segment {
    SegmentHeader header;
    Appender checkpoint;
    Appender frames;
    Appender texts;  // a text block, or nothing
};

/// Compresses the frames of segments, one after the other.
class FrameCompressor {
public:
    explicit FrameCompressor(Compression compression) : compression_(compression) {}

    /// Returns the bytes to store, valid until the next call or as long as `raw`.
    std::span<const std::byte> compressed(std::span<const std::byte> raw) {
        if (compression_ == Compression::none) return raw;
        compressed_.clear();
        if (compression_ == Compression::lz4) {
            compressed_.le(static_cast<std::uint32_t>(raw.size()));  // the size prefix (README.md#compression)
            lz4_.compress(raw, compressed_);
        } else {
            zstd_.compress(raw, compressed_);
        }
        return compressed_.span();
    }

private:
    Compression compression_;
    Lz4 lz4_;
    ZstdBlock zstd_;
    Appender compressed_;
};

/// Appends and commits finished segments (2.2; README.md#commit-order).
class SegmentSink {
public:
    SegmentSink(Output& output, bool sync) : output_(output), sync_(sync) {}

    /// `stored` are the compressed frames.
    void write(Segment& segment, std::span<const std::byte> stored) {
        SegmentHeader& header = segment.header;
        header.previous = places_.empty() ? 0 : places_.back().offset;
        header.checkpoint_size = static_cast<std::uint32_t>(segment.checkpoint.size());
        header.raw_size = static_cast<std::uint32_t>(segment.frames.size());
        header.compressed_size = static_cast<std::uint32_t>(stored.size());
        const std::uint64_t offset = output_.size();
        output_.append(header.encode());
        output_.append(segment.checkpoint.span());
        output_.append(stored);
        output_.append(segment.texts.span());

        make_durable();
        places_.push_back({offset, header.time_start, header.time_end});
        output_.patch(at_tail_offset, bytes_of(offset));
        output_.patch(at_num_segments, std::span<const std::byte>(bytes_of(places_.size())).first(4));
    }

    /// If the option uscope-sync is `segment`, makes everything written so far durable. Called before readers can see
    /// the data.
    void make_durable() {
        if (sync_) output_.sync();
    }

    struct Entry {
        std::uint64_t offset, time_start, time_end;
    };
    const std::deque<Entry>& places() const noexcept { return places_; }

private:
    Output& output_;
    bool sync_;
    std::deque<Entry> places_;  // not a vector, whose growth would copy it
};

/// Numbers runtime strings in order of first use, after the long texts of metadata.
class StringNumbers {
public:
    explicit StringNumbers(std::size_t long_texts) noexcept : next_(static_cast<std::uint32_t>(long_texts)) {}

    std::uint32_t number(StringId id) {
        if (id < numbers_.size() && numbers_[id] != none) [[likely]]
            return numbers_[id];
        return assign(id);
    }
    bool used(StringId id) const noexcept { return id < numbers_.size() && numbers_[id] != none; }
    const std::vector<StringId>& in_order() const noexcept { return order_; }

private:
    std::uint32_t assign(StringId id) {
        if (id >= numbers_.size())
            numbers_.resize(std::max<std::size_t>(id + std::size_t{1}, numbers_.size() * 2), none);
        order_.push_back(id);
        return numbers_[id] = next_++;
    }
    std::uint32_t next_;
    std::vector<std::uint32_t> numbers_;  // index: StringId
    std::vector<StringId> order_;
};

/// The meaning of the cells of string fields.
enum class TextCells : std::uint8_t {
    ids,      ///< StringIds; strings are numbered in order of first use
    numbers,  ///< indexes into the string table
};

class FileWriter final : public LiveWriter {
public:
    FileWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses, TextCells texts)
        : output_(output),
          schema_(schema),
          losses_(losses),
          wire_(make_wire_schema(schema, settings, losses)),
          metadata_written_(schema.metadata().size()),
          texts_(texts),
          summary_(wire_.schema, wire_.schema.clocks().front().period_ps),
          strings_(wire_.long_texts.size()),
          compression_(chosen_compression(settings)),
          sink_(output, settings.text(options, sync_option) == "segment"),
          compressor_(compression_),
          most_pending_(std::clamp(settings.jobs, 1U, most_threads) - 1) {
        for (TrackPlan& plan : wire_.tracks)
            if (plan.role == TrackPlan::Role::storage) plan.counter = summary_.counter_of(plan.id);
        if (texts == TextCells::numbers) take_texts_as_numbers();
        check_limit(StateTable::bytes_needed(wire_.schema), std::min<std::uint64_t>(settings.limits.block, 0xFFFF'0000),
                    "the state of all storages", "--max-block");
        state_ = StateTable(wire_.schema);
        checkpoints_ = CheckpointWriter(wire_.preamble.storages);
        choose_interval(settings);
        write_preamble();
        begin_segment(0);
    }

    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;
    ~FileWriter() override {
        for (const std::unique_ptr<Sinking>& sinking : pending_)
            sinking->done.wait();  // the threads use this object
    }

    void write(const Batch& batch) override {
        for (const Record& record : batch.records()) {
            if ((record.flags & record_first_of_frame) != 0 || record.time != time_ || !frame_open_)
                next_frame(record.time);
            else
                make_room();
            const TrackPlan& plan = wire_.tracks[record.track];
            switch (record.kind) {
                case Kind::set:
                    if (is_property(record))
                        set_property(plan, record);
                    else
                        set(plan, record);
                    break;
                case Kind::add:
                    add(plan, record);
                    break;
                case Kind::clear:
                    clear(plan, record);
                    break;
                case Kind::event:
                    event(plan, record, batch.cells(record));
                    break;
                case Kind::native:
                    native(plan, batch.bytes(record));
                    break;
                default:
                    misplaced(record.track);
            }
        }
    }

    void finish() override {
        end_frame();
        if (building_.header.num_frames != 0) submit();
        wait();
        write_sections();
    }

    void begin_cycle(Tick time) override { next_frame(time); }
    // The hot path of recording: a full frame is handled in a tail call, so that no register is saved for it.
    void set(std::uint16_t storage, std::uint16_t slot, std::uint16_t field, std::uint64_t value) override {
        if (lacks_room()) [[unlikely]]
            return set_with_room(storage, slot, field, value);
        append_op(Action::set, storage, slot, field, value);
        state_.set_known(storage, slot, field, value);
        checkpoints_.change(storage);
        if (field == wire_.tracks[storage].instruction_field) summary_.instruction();
    }
    void add(std::uint16_t storage, std::uint16_t slot, std::uint16_t field, std::uint64_t value) override {
        make_room();
        append_add(wire_.tracks[storage], slot, field, value);
    }
    void clear(std::uint16_t storage, std::uint16_t slot) override {
        make_room();
        append_op(Action::clear, storage, slot, 0, 0);
        state_.clear_known(storage, slot);
        checkpoints_.change(storage);
    }
    void set_property(std::uint16_t storage, std::uint16_t property, std::uint64_t value) override {
        make_room();
        append_op(Action::set_property, storage, 0, property, value);
        state_.set_known_property(storage, property, value);
        checkpoints_.change(storage);
    }
    std::byte* event(std::uint16_t type) override {
        make_room();
        return append_event(wire_.tracks[wire_.preamble.storages + type]);
    }
    void end_cycle() override {
        end_frame();
        if (building_.header.num_frames != 0 && segment_due()) next_segment_revised();
    }

    void end_segment() override {
        end_frame();
        if (building_.header.num_frames != 0) next_segment_revised();
        wait();
    }

    void on_checkpoint(std::function<void(StateTable&)> revise) override { revise_ = std::move(revise); }
    std::uint32_t first_string() const override { return static_cast<std::uint32_t>(wire_.long_texts.size()); }

private:
    // --- frames ---
    bool frame_full() const noexcept {
        return items_ >= most_frame_items || building_.frames.size() - frame_at_ >= frame_target;
    }

    /// Returns true if the frame or its buffer may be too full for another operation.
    bool lacks_room() const noexcept { return building_.frames.size() > room_end_; }
    /// Continues a full frame in another one with the same time, and enlarges a full buffer.
    [[gnu::cold, gnu::noinline]] void make_room_now() {
        if (frame_full()) next_frame(time_);
        building_.frames.make_room(wide_op_size);
        find_room();
    }
    /// Finds the size up to which the buffer certainly has room for another operation and the frame for another item.
    void find_room() noexcept {
        const std::size_t buffer_end = building_.frames.size() + building_.frames.room() - wide_op_size;
        room_end_ = std::min(buffer_end, frame_at_ + (most_frame_items - 1) * event_header_size);
    }
    void make_room() {
        if (lacks_room()) [[unlikely]]
            make_room_now();
    }
    [[gnu::cold, gnu::noinline]] void set_with_room(std::uint16_t storage, std::uint16_t slot, std::uint16_t field,
                                                    std::uint64_t value) {
        make_room_now();
        FileWriter::set(storage, slot, field, value);
    }

    void next_frame(Tick time) {
        end_frame();
        if (time < time_)
            fail(Failure::input, "times must not decrease in a µScope file: " + std::to_string(time) + " ps follows " +
                                     std::to_string(time_) + " ps; hwtrace-recover omits the earlier records");
        if (segment_due()) next_segment();
        frame_at_ = building_.frames.size();
        building_.frames.leb128(static_cast<std::uint64_t>(time - time_));
        count_at_ = building_.frames.size();
        building_.frames.le(std::uint16_t{0});
        building_.frames.make_room(wide_op_size);
        find_room();
        time_ = time;
        frame_open_ = true;
        items_ = 0;
        wide_bits_ = 0;
        has_ops_ = false;
        summary_.begin_frame(static_cast<std::uint64_t>(time));
    }

    void end_frame() {
        if (!frame_open_) return;
        frame_open_ = false;
        if (has_ops_ && wide_bits_ <= 0xFFFF) make_compact();
        natives_.clear();
        building_.frames.patch(count_at_, static_cast<std::uint16_t>(items_));
        building_.header.time_end = static_cast<std::uint64_t>(time_);
        ++building_.header.num_frames;
        if (items_ != 0) ++building_.header.num_frames_active;
    }

    /// Replaces the wide operations of the open frame by compact ones, in place (8.6.6). Native items are not changed.
    void make_compact() {
        std::byte* const begin = building_.frames.data();
        const std::size_t end = building_.frames.size();
        std::size_t from = count_at_ + 2, to = from;
        auto next_native = natives_.begin();
        while (from < end) {
            std::size_t size = 0;
            const bool is_native = next_native != natives_.end() && next_native->first == from;
            if (is_native) {
                size = (next_native++)->second;
            } else if (Tag{std::to_integer<std::uint8_t>(begin[from])} == Tag::event) {
                size = event_header_size + load_le<std::uint32_t>(begin + from + 4);
            } else {
                const auto head = load_le<std::uint64_t>(begin + from);
                const auto value = load_le<std::uint16_t>(begin + from + 8);
                std::byte* at = begin + to;
                at = store_le(at, static_cast<std::uint8_t>(Tag::compact_op));
                at = store_le(at, static_cast<std::uint8_t>(head >> 8));
                at = store_le(at, static_cast<std::uint8_t>(head >> 16));
                at = store_le(at, static_cast<std::uint32_t>(head >> 32));
                store_le(at, value);
                from += wide_op_size;
                to += compact_op_size;
                continue;
            }
            std::memmove(begin + to, begin + from, size);
            from += size;
            to += size;
        }
        building_.frames.shrink(from - to);
    }

    // --- items ---
    /// Appends an operation. There must be room for it.
    void append_op(Action action, std::uint16_t storage, std::uint32_t slot, std::uint32_t field, std::uint64_t value) {
        const std::uint64_t head = std::uint64_t{static_cast<std::uint8_t>(Tag::wide_op)} |
                                   std::uint64_t{static_cast<std::uint8_t>(action)} << 8 |
                                   std::uint64_t{storage} << 16 | std::uint64_t{slot} << 32 |
                                   std::uint64_t{field} << 48;
        std::byte* at = building_.frames.grow_in_room(wide_op_size);
        store_le(store_le(at, head), value);
        wide_bits_ |= value | (storage & 0xFF00u) << 8;
        has_ops_ = true;
        ++items_;
    }

    bool has_slot(const TrackPlan& plan, const Record& record) {
        if (plan.role != TrackPlan::Role::storage) misplaced(record.track);
        if (record.ref <= 0xFFFF) [[likely]]
            return true;
        losses_.count(Loss::part_dropped, schema_.tracks()[record.track].name,
                      [&] { return "slot " + std::to_string(record.ref) + "; µScope holds slots up to 65535"; });
        return false;
    }

    void append_set(const TrackPlan& plan, std::uint32_t slot, std::uint32_t field, std::uint64_t value) {
        append_op(Action::set, plan.id, slot, field, value);
        state_.set(plan.id, slot, field, value);
        checkpoints_.change(plan.id);
        if (field == plan.instruction_field) summary_.instruction();
    }

    void append_add(const TrackPlan& plan, std::uint32_t slot, std::uint32_t field, std::uint64_t value) {
        append_op(Action::add, plan.id, slot, field, value);
        state_.add(plan.id, slot, field, value);
        checkpoints_.change(plan.id);
        if (plan.counter != none && slot == 0 && field == 0) summary_.add(plan.counter, value);
    }

    void append_clear(const TrackPlan& plan, std::uint32_t slot) {
        append_op(Action::clear, plan.id, slot, 0, 0);
        state_.clear(plan.id, slot);
        checkpoints_.change(plan.id);
    }

    void append_set_property(const TrackPlan& plan, std::uint32_t property, std::uint64_t value) {
        append_op(Action::set_property, plan.id, 0, property, value);
        state_.set_property(plan.id, property, value);
        checkpoints_.change(plan.id);
    }

    /// Appends an event and returns the place of its payload. 8 more bytes can be written after it.
    std::byte* append_event(const TrackPlan& plan) {
        std::byte* at = building_.frames.grow(event_header_size + plan.payload + store_slack);
        const std::uint64_t head = std::uint64_t{static_cast<std::uint8_t>(Tag::event)} | std::uint64_t{plan.id} << 16 |
                                   std::uint64_t{plan.payload} << 32;
        building_.frames.shrink(store_slack);
        ++items_;
        return store_le(at, head);
    }

    void set(const TrackPlan& plan, const Record& record) {
        if (!has_slot(plan, record)) return;
        std::uint64_t value = record.value;
        if (plan.has_text && record.field < plan.fields) value = wire_value(plan.first_field + record.field, value);
        append_set(plan, record.ref, record.field, value);
    }

    void add(const TrackPlan& plan, const Record& record) {
        if (has_slot(plan, record)) append_add(plan, record.ref, record.field, record.value);
    }

    void clear(const TrackPlan& plan, const Record& record) {
        if (has_slot(plan, record)) append_clear(plan, record.ref);
    }

    void set_property(const TrackPlan& plan, const Record& record) {
        if (plan.role != TrackPlan::Role::storage) misplaced(record.track);
        std::uint64_t value = record.value;
        if (plan.has_text && record.field < plan.properties)
            value = wire_value(plan.first_field + plan.fields + record.field, value);
        append_set_property(plan, record.field, value);
    }

    std::uint64_t wire_value(std::size_t field, std::uint64_t value) {
        return wire_.fields[field].is_text ? strings_.number(static_cast<StringId>(value)) : value;
    }

    void event(const TrackPlan& plan, const Record& record, std::span<const std::uint64_t> cells) {
        if (plan.role != TrackPlan::Role::event || cells.size() != plan.fields) misplaced(record.track);
        std::byte* at = append_event(plan);
        std::uint64_t lost = 0;
        const FieldPlan* field = wire_.fields.data() + plan.first_field;
        for (const std::uint64_t cell : cells) {
            const std::uint64_t value = field->is_text ? strings_.number(static_cast<StringId>(cell)) : cell;
            store_le(at, value);
            at += field->width;
            lost |= (value + field->bias) & field->overflow;
            ++field;
        }
        if (lost != 0) [[unlikely]]
            report_narrowed(plan, record, cells);
    }

    void report_narrowed(const TrackPlan& plan, const Record& record, std::span<const std::uint64_t> cells) {
        const Track& track = schema_.tracks()[record.track];
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const FieldPlan& field = wire_.fields[plan.first_field + i];
            if (((cells[i] + field.bias) & field.overflow) == 0) continue;
            losses_.count(Loss::value_narrowed, track.name + '.' + track.fields[i].name, [&] {
                return "at " + std::to_string(record.time) + " ps: " + std::to_string(cells[i]) + " in " +
                       counted(field.width, "byte");
            });
        }
    }

    void native(const TrackPlan& plan, std::span<const std::byte> bytes) {
        if (plan.role == TrackPlan::Role::frame) return;  // write() has opened the empty frame
        if (plan.role != TrackPlan::Role::item || !is_item(bytes))
            fail(Failure::internal, "a native record that is no item of a µScope frame");
        natives_.emplace_back(building_.frames.size(), bytes.size());
        building_.frames.bytes(bytes);
        ++items_;
        replay_native(bytes);
    }

    static bool is_item(std::span<const std::byte> bytes) noexcept {
        if (bytes.empty()) return false;
        switch (Tag{std::to_integer<std::uint8_t>(bytes[0])}) {
            case Tag::wide_op:
                return bytes.size() == wide_op_size;
            case Tag::compact_op:
                return bytes.size() == compact_op_size;
            case Tag::event:
                return bytes.size() >= event_header_size &&
                       bytes.size() - event_header_size == load_le<std::uint32_t>(bytes.data() + 4);
        }
        return false;
    }

    /// Updates the state for checkpoints with an operation that the model cannot express.
    void replay_native(std::span<const std::byte> bytes) noexcept {
        const std::byte* at = bytes.data();
        const Tag tag{std::to_integer<std::uint8_t>(at[0])};
        if (tag == Tag::event) return;
        const bool wide = tag == Tag::wide_op;
        const std::uint16_t storage =
            wide ? load_le<std::uint16_t>(at + 2) : std::uint16_t{std::to_integer<std::uint8_t>(at[2])};
        const std::byte* rest = at + (wide ? 4 : 3);
        const auto slot = load_le<std::uint16_t>(rest);
        const auto field = load_le<std::uint16_t>(rest + 2);
        const std::uint64_t value = wide ? load_le<std::uint64_t>(rest + 4) : load_le<std::uint16_t>(rest + 4);
        if (storage >= wire_.preamble.storages) return;
        checkpoints_.change(storage);
        switch (Action{std::to_integer<std::uint8_t>(at[1])}) {
            case Action::set:
                state_.set(storage, slot, field, value);
                break;
            case Action::add:
                state_.add(storage, slot, field, value);
                break;
            case Action::clear:
                state_.clear(storage, slot);
                break;
            case Action::set_property:
                state_.set_property(storage, field, value);
                break;
        }
    }

    [[noreturn, gnu::cold]] void misplaced(TrackId track) const {
        fail(Failure::internal, "a record that µScope cannot hold, on track " + schema_.tracks()[track].name);
    }

    // --- segments ---
    void take_texts_as_numbers() noexcept {
        for (TrackPlan& plan : wire_.tracks)
            plan.has_text = false;
        for (FieldPlan& field : wire_.fields)
            field.is_text = false;
    }

    void choose_interval(const Settings& settings) {
        std::uint64_t period = wire_.schema.clocks().front().period_ps;
        if (period == 0) period = 1000;
        std::uint64_t& stated = wire_.preamble.checkpoint_interval;
        if (settings.chosen(checkpoint_option))
            stated = settings.number(options, checkpoint_option);
        else if (!wire_.has_interval)
            stated = default_cycles * period;
        interval_ = stated != 0 ? stated : default_cycles * period;
    }

    bool segment_due() const noexcept {
        if (building_.frames.size() >= segment_target) return true;
        // A large checkpoint is delayed until there are enough frames.
        return building_.header.time_end >= next_checkpoint_ &&
               building_.frames.size() * checkpoint_share >= building_.checkpoint.size();
    }

    void next_segment() {
        submit();
        begin_segment(static_cast<std::uint64_t>(time_));
    }

    /// Begins a segment between two cycles, so that the program can revise the state in the checkpoint.
    void next_segment_revised() {
        submit();
        if (revise_) {
            revise_(state_);
            checkpoints_.change_all();
        }
        begin_segment(static_cast<std::uint64_t>(time_));
    }

    void begin_segment(std::uint64_t start) {
        building_.header = SegmentHeader{};
        building_.header.time_start = start;
        building_.header.time_end = start;
        building_.frames.clear();
        checkpoints_.write(state_, building_.checkpoint);
        next_checkpoint_ = start > ~interval_ ? ~std::uint64_t{0} : start + interval_;
    }

    void submit() {
        append_text_block(building_.texts);
        if (most_pending_ == 0) {
            sink_.write(building_, compressor_.compressed(building_.frames.span()));
            return;
        }
        while (!pending_.empty() &&
               (pending_.size() >= most_pending_ || pending_bytes_ + building_.frames.size() > most_pending_bytes))
            wait_for_oldest();
        std::unique_ptr<Sinking> sinking = std::move(spare_);
        if (!sinking) sinking = std::make_unique<Sinking>(compression_);
        std::swap(building_, sinking->segment);
        pending_bytes_ += sinking->segment.frames.size();
        Sinking* const before = pending_.empty() ? nullptr : pending_.back().get();
        Sinking& own = *sinking;
        pending_.push_back(std::move(sinking));
        if (before != nullptr) own.before = before->done;
        own.done = start_task([this, &own] {
                       const auto stored = own.compressor.compressed(own.segment.frames.span());
                       if (own.before.valid()) own.before.get();  // appends in order; passes on an error
                       sink_.write(own.segment, stored);
                   }).share();
    }

    void wait_for_oldest() {
        std::unique_ptr<Sinking> oldest = std::move(pending_.front());
        pending_.pop_front();
        pending_bytes_ -= oldest->segment.frames.size();
        oldest->done.get();
        oldest->before = {};
        spare_ = std::move(oldest);
    }
    void wait() {
        while (!pending_.empty())
            wait_for_oldest();
    }

    // --- the ends of the file ---
    void write_preamble() {
        Appender bytes;
        encode_preamble(wire_.schema, wire_.preamble, bytes);
        header_.flags = flags_of(compression_);
        header_.preamble_end = static_cast<std::uint32_t>(file_header_size + bytes.size());
        output_.append(header_.encode());
        output_.append(bytes.span());
    }

    struct SectionEntry {
        Section type;
        std::uint64_t offset, size;
    };

    void align() {
        static constexpr std::array<std::byte, 8> zeros{};
        if (const std::size_t rest = output_.size() % 8; rest != 0)
            output_.append(std::span<const std::byte>(zeros).first(8 - rest));
    }

    template <typename Write>
    void section(std::vector<SectionEntry>& table, Section type, Write write) {
        align();
        const std::uint64_t offset = output_.size();
        write();
        table.push_back({type, offset, output_.size() - offset});
    }

    void write_sections() {
        report_late_metadata();
        const std::vector<StringId> strings = all_strings();
        const bool has_strings = !strings.empty() || !wire_.long_texts.empty();
        std::vector<SectionEntry> table;
        if (has_strings) section(table, Section::strings, [&] { write_strings(strings); });
        if (!sink_.places().empty()) {
            section(table, Section::segments, [&] { write_segment_table(); });
            section(table, Section::counter_summary,
                    [&] { summary_.encode(std::max(small_summary, output_.size() / summary_share), output_); });
        }
        align();
        header_.section_table_offset = output_.size();
        table.push_back({Section::end, 0, 0});
        Appender bytes;
        for (const SectionEntry& entry : table) {
            bytes.le(static_cast<std::uint16_t>(entry.type));
            bytes.zeros(6);
            bytes.le(entry.offset);
            bytes.le(entry.size);
        }
        output_.append(bytes.span());
        sink_.make_durable();

        header_.flags |= flag_complete | (has_strings ? flag_strings : 0);
        header_.total_time = static_cast<std::uint64_t>(time_);
        header_.num_segments = static_cast<std::uint32_t>(sink_.places().size());
        header_.tail_offset = sink_.places().empty() ? 0 : sink_.places().back().offset;
        output_.patch(0, header_.encode());
    }

    void report_late_metadata() {
        const auto& metadata = schema_.metadata();
        for (std::size_t i = metadata_written_; i < metadata.size(); ++i)
            losses_.count(Loss::metadata_dropped, metadata[i].key, [] {
                return std::string("it is stated after the first frame, when the preamble is already written");
            });
    }

    /// Returns all strings: first the used ones in order of first use, then the others.
    std::vector<StringId> all_strings() const {
        std::vector<StringId> strings = strings_.in_order();
        HashSet<std::string_view> long_texts;  // already in the table
        if (texts_ == TextCells::ids) long_texts.insert(wire_.long_texts.begin(), wire_.long_texts.end());
        for (StringId id = 0; id < schema_.string_count(); ++id)
            if (!strings_.used(id) && !long_texts.contains(schema_.text(id))) strings.push_back(id);
        return strings;
    }

    void write_strings(const std::vector<StringId>& strings) {
        const auto for_each = [&](auto&& use) {
            for (const std::string& text : wire_.long_texts)
                use(std::string_view(text));
            for (const StringId id : strings)
                use(schema_.text(id));
        };
        constexpr std::size_t piece = std::size_t{1} << 20;
        Appender bytes;
        append_strings(bytes, wire_.long_texts.size() + strings.size(), 0, for_each, [&] {
            if (bytes.size() <= piece) return;
            output_.append(bytes.span());
            bytes.clear();
        });
        output_.append(bytes.span());
    }

    /// Appends `count` strings in the layout of a string table (7). The first has the index `first`. Calls `appended`
    /// after each entry and each string.
    template <typename ForEach, typename Appended>
    static void append_strings(Appender& bytes, std::size_t count, std::size_t first, ForEach for_each,
                               Appended appended) {
        bytes.le(static_cast<std::uint32_t>(count));
        bytes.le(static_cast<std::uint32_t>(first));
        std::uint64_t offset = 0;
        for_each([&](std::string_view text) {
            if (offset > 0xFFFF'FFFF || text.size() > 0xFFFF'FFFF)
                fail(Failure::input, "the runtime strings need more than the 4 GiB that a µScope string table holds");
            bytes.le(static_cast<std::uint32_t>(offset));
            bytes.le(static_cast<std::uint32_t>(text.size()));
            offset += text.size() + 1;
            appended();
        });
        for_each([&](std::string_view text) {
            bytes.text(text);
            bytes.le(std::uint8_t{0});
            appended();
        });
    }

    /// Fills `block` with the strings that are new since the last segment, so that a live writer commits them with this
    /// one (README.md#text-blocks).
    void append_text_block(Appender& block) {
        block.clear();
        const std::size_t long_texts = wire_.long_texts.size();
        const std::size_t count = long_texts + schema_.string_count();
        if (texts_ != TextCells::numbers || texts_committed_ == count) return;
        const auto for_each = [&](auto&& use) {
            for (std::size_t i = texts_committed_; i < count; ++i)
                use(i < long_texts ? std::string_view(wire_.long_texts[i])
                                   : schema_.text(static_cast<StringId>(i - long_texts)));
        };
        block.bytes(text_block_magic);
        block.le(std::uint32_t{0});
        append_strings(block, count - texts_committed_, texts_committed_, for_each, [] {});
        block.patch(text_block_magic.size(), static_cast<std::uint32_t>(block.size() - text_block_header_size));
        texts_committed_ = count;
    }

    void write_segment_table() {
        Appender bytes;
        for (const SegmentSink::Entry& entry : sink_.places()) {
            bytes.le(entry.offset);
            bytes.le(entry.time_start);
            bytes.le(entry.time_end);
            if (bytes.size() < table_piece) continue;
            output_.append(bytes.span());
            bytes.clear();
        }
        output_.append(bytes.span());
    }

    Output& output_;
    const Schema& schema_;
    Losses& losses_;
    WireSchema wire_;
    std::size_t metadata_written_;
    TextCells texts_;
    std::function<void(StateTable&)> revise_;  // called when a segment begins; may be empty
    FileHeader header_;
    SummaryBuilder summary_;
    StringNumbers strings_;
    std::size_t texts_committed_ = 0;  // number of strings in text blocks so far
    StateTable state_;
    CheckpointWriter checkpoints_;       // of state_
    std::uint64_t interval_ = 0;         // ps between checkpoints
    std::uint64_t next_checkpoint_ = 0;  // ps; a frame at or after this time is the last of its segment

    bool frame_open_ = false;
    bool has_ops_ = false;
    Tick time_ = 0;  // time of the current or last frame
    std::size_t frame_at_ = 0, count_at_ = 0;
    std::size_t room_end_ = 0;  // size of the frames up to which there is room for an operation
    std::size_t items_ = 0;
    std::uint64_t wide_bits_ = 0;  // exceeds 65535 if an operation does not fit the compact form
    std::vector<std::pair<std::size_t, std::size_t>> natives_;  // offset and size of the frame's native items

    Compression compression_;
    /// A segment that another thread compresses, and appends after the one before it.
    struct Sinking {
        explicit Sinking(Compression compression) : compressor(compression) {}

        Segment segment;
        FrameCompressor compressor;
        std::shared_future<void> before, done;
    };
    static constexpr unsigned most_threads = 8;
    static constexpr std::size_t most_pending_bytes = std::size_t{32} << 20;

    SegmentSink sink_;  // used by one thread at a time: by the oldest of pending_, if there are any
    FrameCompressor compressor_;
    Segment building_;
    std::size_t most_pending_;  // 0: this thread does everything
    std::size_t pending_bytes_ = 0;
    std::unique_ptr<Sinking> spare_;
    std::deque<std::unique_ptr<Sinking>> pending_;
};

}  // namespace

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<FileWriter>(output, schema, settings, losses, TextCells::ids);
}

std::unique_ptr<LiveWriter> create_live_writer(Output& output, const Schema& schema, const Settings& settings,
                                               Losses& losses) {
    return std::make_unique<FileWriter>(output, schema, settings, losses, TextCells::numbers);
}

}  // namespace hwtrace::uscope

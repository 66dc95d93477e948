#include "writer.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/value_text.hpp"
#include "io/appender.hpp"
#include "io/error.hpp"
#include "item_writer.hpp"
#include "model/hash.hpp"
#include "options.hpp"
#include "section_writer.hpp"
#include "segment_writer.hpp"
#include "string_writer.hpp"
#include "summary.hpp"
#include "wire.hpp"
#include "wire_schema.hpp"

namespace hwtrace::uscope {

namespace {

constexpr std::size_t segment_target = std::size_t{8} << 20;  // raw bytes; limits memory if checkpoints are rare
constexpr std::uint64_t default_cycles = 20'000;              // cycles of the first clock between checkpoints
constexpr std::size_t least_frames = std::size_t{16} << 10;   // bytes, so that a segment is worth its fixed cost
constexpr std::size_t checkpoint_share = 16;                  // frames take at least 1/16 of the checkpoint's size
constexpr std::uint64_t small_summary = 1u << 20;             // a summary up to this size is always kept
constexpr std::uint64_t summary_share = 4;  // a larger summary takes at most 1/4 of the file before it

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
          items_(make_items(settings)),
          segments_(output, settings) {
        if (texts == TextCells::numbers) take_texts_as_numbers();
        choose_interval(settings);
        write_preamble();
        begin_segment(0);
    }

    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;

    void write(const Batch& batch) override {
        for (const Record& record : batch.records()) {
            if ((record.flags & record_first_of_frame) != 0 || record.time != time_ || !items_.frame().is_open())
                next_frame(record.time);
            else if (items_.lacks_room()) [[unlikely]]
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

    bool has_threads() const noexcept override { return segments_.has_threads(); }

    void finish() override {
        end_frame();
        if (building_.header.num_frames != 0) submit();
        segments_.wait();
        write_sections();
    }

    void begin_cycle(Tick time) override { next_frame(time); }
    ItemWriter& items() noexcept override { return items_; }
    /// Continues a full frame in another one with the same time, and enlarges a full buffer.
    [[gnu::cold, gnu::noinline]] void make_room() override {
        if (items_.frame().is_full()) next_frame(time_);
        items_.frame().make_room();
    }
    void end_cycle() override {
        end_frame();
        if (building_.header.num_frames != 0 && segment_due()) next_segment_revised();
    }

    void end_segment() override {
        end_frame();
        if (building_.header.num_frames != 0) next_segment_revised();
        segments_.wait();
    }

    void on_checkpoint(std::function<void(StateTable&)> revise) override { revise_ = std::move(revise); }
    std::uint32_t first_string() const override { return static_cast<std::uint32_t>(wire_.long_texts.size()); }

private:
    // --- frames ---
    void next_frame(Tick time) {
        end_frame();
        if (time < time_)
            fail(Failure::input, "times must not decrease in a µScope file: " + std::to_string(time) + " ps follows " +
                                     std::to_string(time_) + " ps; hwtrace-recover omits the earlier records");
        if (segment_due()) next_segment();
        items_.frame().begin(static_cast<std::uint64_t>(time - time_));
        time_ = time;
        summary_.begin_frame(static_cast<std::uint64_t>(time));
    }

    void end_frame() {
        if (!items_.frame().is_open()) return;
        items_.frame().end();
        building_.header.time_end = static_cast<std::uint64_t>(time_);
        ++building_.header.num_frames;
        if (items_.frame().items() != 0) ++building_.header.num_frames_active;
    }

    // --- items ---
    bool has_slot(const TrackPlan& plan, const Record& record) {
        if (plan.role != TrackPlan::Role::storage) misplaced(record.track);
        if (record.ref <= 0xFFFF) [[likely]]
            return true;
        losses_.count(Loss::part_dropped, schema_.tracks()[record.track].name,
                      [&] { return "slot " + std::to_string(record.ref) + "; µScope holds slots up to 65535"; });
        return false;
    }

    void set(const TrackPlan& plan, const Record& record) {
        if (!has_slot(plan, record)) return;
        std::uint64_t value = record.value;
        if (plan.has_text && record.field < plan.fields) value = wire_value(plan.first_field + record.field, value);
        items_.set(plan.id, record.ref, record.field, value);
    }

    void add(const TrackPlan& plan, const Record& record) {
        if (has_slot(plan, record)) items_.add(plan.id, record.ref, record.field, record.value);
    }

    void clear(const TrackPlan& plan, const Record& record) {
        if (has_slot(plan, record)) items_.clear(plan.id, record.ref);
    }

    void set_property(const TrackPlan& plan, const Record& record) {
        if (plan.role != TrackPlan::Role::storage) misplaced(record.track);
        std::uint64_t value = record.value;
        if (plan.has_text && record.field < plan.properties)
            value = wire_value(plan.first_field + plan.fields + record.field, value);
        items_.set_property(plan.id, record.field, value);
    }

    std::uint64_t wire_value(std::size_t field, std::uint64_t value) {
        return wire_.fields[field].is_text ? strings_.number(static_cast<StringId>(value)) : value;
    }

    void event(const TrackPlan& plan, const Record& record, std::span<const std::uint64_t> cells) {
        if (plan.role != TrackPlan::Role::event || cells.size() != plan.fields) misplaced(record.track);
        std::byte* at = items_.frame().event(plan.id, plan.payload);
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
        items_.native(bytes);
    }

    [[noreturn, gnu::cold]] void misplaced(TrackId track) const {
        fail(Failure::internal, "a record that µScope cannot hold, on track " + schema_.tracks()[track].name);
    }

    ItemWriter make_items(const Settings& settings) {
        check_limit(StateTable::bytes_needed(wire_.schema), std::min<std::uint64_t>(settings.limits.block, 0xFFFF'0000),
                    "the state of all storages", "--max-block");
        for (TrackPlan& plan : wire_.tracks)
            if (plan.role == TrackPlan::Role::storage) plan.counter = summary_.counter_of(plan.id);
        return {wire_.schema, wire_.preamble.storages, wire_.tracks, building_.frames, summary_};
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
        // An interval that somebody chose is kept exactly. Whoever reads while the program records waits for segments.
        const bool is_own = !settings.chosen(checkpoint_option) && interval_ == default_cycles * period;
        least_frames_ = is_own && texts_ == TextCells::ids ? least_frames : 0;
    }

    bool segment_due() const noexcept {
        if (building_.frames.size() >= segment_target) return true;
        // A checkpoint is delayed until there are enough frames.
        return building_.header.time_end >= next_checkpoint_ && building_.frames.size() >= least_frames_ &&
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
            revise_(items_.state());
            items_.checkpoints().change_all();
        }
        begin_segment(static_cast<std::uint64_t>(time_));
    }

    void begin_segment(std::uint64_t start) {
        building_.header = SegmentHeader{};
        building_.header.time_start = start;
        building_.header.time_end = start;
        building_.frames.clear();
        items_.checkpoints().write(items_.state(), building_.checkpoint);
        next_checkpoint_ = start > ~interval_ ? ~std::uint64_t{0} : start + interval_;
    }

    void submit() {
        commit_texts();
        segments_.submit(building_);
    }

    /// Lets a live writer commit the strings that are new since the last segment with this one.
    void commit_texts() {
        building_.texts.clear();
        const std::size_t count = wire_.long_texts.size() + schema_.string_count();
        if (texts_ != TextCells::numbers || texts_committed_ == count) return;
        encode_text_block(wire_.long_texts, schema_, texts_committed_, building_.texts);
        texts_committed_ = count;
    }

    // --- the ends of the file ---
    void write_preamble() {
        Appender bytes;
        encode_preamble(wire_.schema, wire_.preamble, bytes);
        header_.flags = flags_of(segments_.compression());
        header_.preamble_end = static_cast<std::uint32_t>(file_header_size + bytes.size());
        output_.append(header_.encode());
        output_.append(bytes.span());
    }

    void write_sections() {
        report_late_metadata();
        const std::vector<StringId> strings = all_strings();
        const bool has_strings = !strings.empty() || !wire_.long_texts.empty();
        SectionWriter sections(output_);
        if (has_strings)
            sections.section(Section::strings, [&] { write_strings(wire_.long_texts, schema_, strings, output_); });
        if (!segments_.places().empty()) {
            sections.section(Section::segments, [&] { write_segment_table(segments_.places(), output_); });
            sections.section(Section::counter_summary, [&] {
                summary_.encode(std::max(small_summary, output_.size() / summary_share), output_);
            });
        }
        header_.section_table_offset = sections.finish();
        segments_.make_durable();

        header_.flags |= flag_complete | (has_strings ? flag_strings : 0);
        header_.total_time = static_cast<std::uint64_t>(time_);
        header_.num_segments = static_cast<std::uint32_t>(segments_.places().size());
        header_.tail_offset = segments_.places().empty() ? 0 : segments_.places().back().offset;
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
    std::size_t texts_committed_ = 0;    // number of strings in text blocks so far
    std::uint64_t interval_ = 0;         // ps between checkpoints
    std::size_t least_frames_ = 0;       // bytes of frames in a segment that ends because of its time
    std::uint64_t next_checkpoint_ = 0;  // ps; a frame at or after this time is the last of its segment

    Tick time_ = 0;  // time of the current or last frame
    SegmentContent building_;
    ItemWriter items_;  // of building_
    SegmentWriter segments_;
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

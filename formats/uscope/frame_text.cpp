#include "frame_text.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domain/value_text.hpp"
#include "reader.hpp"

namespace hwtrace::uscope {

namespace {

class FrameText {
public:
    FrameText(FileReader& reader, std::optional<TraceWindow> window, TextOutput& out)
        : reader_(reader), schema_(&reader.schema()), window_(window), out_(out) {
        name_tracks();
        if (!schema().clocks().empty()) period_ = schema().clocks().front().period_ps;
    }

    void head() {
        append_header();
        append_schema();
    }
    void frames() {
        if (window_)
            append_window();
        else
            append_all();
    }
    /// Prints the records of a slice of the reader, in their frames.
    void frames_of(Reader& part) {
        schema_ = &part.schema();
        name_tracks();
        std::optional<Tick> time;
        Batch batch;
        for (; part.read(batch); batch.clear()) {
            if (!batch.empty() && reader_.segment()) append_segments_up_to(*reader_.segment());
            for (Record& record : batch.mutable_records()) {
                // The record that began the frame may be left out.
                if (time != record.time) record.flags |= record_first_of_frame;
                time = record.time;
                append_record(batch, record);
            }
        }
    }

private:
    const Schema& schema() const noexcept { return *schema_; }

    void name_tracks() {
        paths_.clear();
        for (const Track& track : schema().tracks()) {
            std::string path = scope_path(track.scope);
            if (!path.empty()) path += '/';
            paths_.push_back(name_text(path + track.name));
        }
    }

    void append_all() {
        Batch batch;
        while (reader_.read(batch)) {
            append_segments_up_to(*reader_.segment());
            for (const Record& record : batch.records())
                append_record(batch, record);
            batch.clear();
        }
        if (reader_.segment()) append_segments_up_to(*reader_.segment());
    }

    /// Prints the frames in the time window and the segments that contain them.
    void append_window() {
        constexpr std::uint64_t last = std::numeric_limits<Tick>::max();
        const auto begin = static_cast<Tick>(std::min(window_->begin, last));
        reader_.seek(begin, nullptr);
        Batch batch;
        while (reader_.read(batch)) {
            for (const Record& record : batch.records()) {
                if (window_->end && static_cast<std::uint64_t>(record.time) >= *window_->end) return;
                if (record.time < begin) continue;
                append_segments_up_to(*reader_.segment());
                append_record(batch, record);
            }
            batch.clear();
        }
    }

    /// Returns a path such as "core0/lsu" without the root. Its length is bounded, because scopes of damaged files may
    /// form cycles.
    std::string scope_path(ScopeId scope) const {
        std::string path;
        for (std::size_t depth = 0; scope != none && depth < schema().scopes().size(); ++depth) {
            const Scope& s = schema().scopes()[scope];
            if (s.parent == none) break;
            if (!path.empty()) path.insert(0, 1, '/');
            path.insert(0, s.name);
            scope = s.parent;
        }
        return path;
    }

    void field(std::string_view name, std::uint64_t value) {
        out_.put(name);
        out_.decimal(value);
    }

    void append_header() {
        const FileHeader& header = reader_.header();
        field("uscope ", header.major);
        field(".", header.minor);
        out_.put(" flags=0x");
        out_.hex(header.flags, 2);
        field(" total_time_ps=", header.total_time);
        field(" segments=", reader_.segments());
        field(" preamble_end=", header.preamble_end);
        field(" section_table=", header.section_table_offset);
        field(" tail=", header.tail_offset);
        if (reader_.preamble().old_structures) out_.put(" storage_headers=12");
        if (!header.interleaved()) out_.put(" frames=0.1");
        field("\nconfig checkpoint_interval_ps=", reader_.preamble().checkpoint_interval);
        out_.put('\n');
    }

    void append_schema() {
        for (const Metadata& fact : schema().metadata()) {
            if (fact.key.starts_with(own_prefix)) continue;
            out_.put("dut ");
            append_name(fact.key, out_);
            out_.put('=');
            append_quoted(fact.value, out_);
            out_.put('\n');
        }
        for (std::size_t i = 0; i < schema().clocks().size(); ++i) {
            field("clock ", i);
            out_.put(' ');
            append_name(schema().clocks()[i].name, out_);
            field(" period_ps=", schema().clocks()[i].period_ps);
            out_.put('\n');
        }
        for (const ScopeId id : reader_.preamble().scope_ids)
            append_scope(schema().scopes()[id], reader_.preamble().number_of(id));
        for (std::size_t i = 0; i < schema().enums().size(); ++i) {
            field("enum ", i);
            out_.put(' ');
            append_name(schema().enums()[i].name, out_);
            for (const EnumValue& value : schema().enums()[i].values) {
                field(" ", value.value);
                out_.put('=');
                append_name(value.name, out_);
            }
            out_.put('\n');
        }
        for (TrackId id = 0; id < schema().tracks().size(); ++id)
            append_track(id, schema().tracks()[id]);
        for (const SummaryField& summary : reader_.preamble().summary_fields) {
            out_.put("summary_field ");
            append_name(summary.name, out_);
            field(" type=", summary.type);
            field(" scope=", reader_.preamble().number_of(summary.scope));
            out_.put('\n');
        }
        field("strings ", schema().string_count());
        out_.put('\n');
    }

    void append_scope(const Scope& scope, std::uint16_t number) {
        field("scope ", number);
        out_.put(' ');
        append_name(scope.name, out_);
        if (scope.parent != none) field(" parent=", reader_.preamble().number_of(scope.parent));
        if (!scope.protocol.empty()) {
            out_.put(" protocol=");
            append_name(scope.protocol, out_);
        }
        if (scope.clock != none) field(" clock=", scope.clock);
        out_.put('\n');
    }

    void append_fields(std::string_view what, const std::vector<Field>& fields) {
        for (const Field& f : fields) {
            out_.put(what);
            append_name(f.name, out_);
            out_.put(':');
            out_.put(name_of(f.type));
            if (f.enumeration != none) {
                out_.put('(');
                append_name(schema().enums()[f.enumeration].name, out_);
                out_.put(')');
            }
            if (f.role != 0) {
                out_.put(f.role == 1 ? " head/" : f.role == 2 ? " tail/" : " role/");
                out_.decimal(f.pair);
            }
        }
    }

    void append_track(TrackId id, const Track& track) {
        if (track.kind == Track::Kind::native) return;
        const bool is_storage = track.kind == Track::Kind::storage;
        field(is_storage ? "storage " : "event ", is_storage ? id : id - reader_.preamble().storages);
        out_.put(' ');
        out_.put(paths_[id]);
        if (is_storage) {
            field(" slots=", track.slots);
            if (track.sparse) out_.put(" sparse");
            if (track.buffer) out_.put(" buffer");
        }
        append_fields(" ", track.fields);
        append_fields(" property ", track.properties);
        out_.put('\n');
    }

    void append_segments_up_to(std::size_t number) {
        if (shown_segments_ > number) return;
        shown_segments_ = number + 1;
        const SegmentHeader& segment = reader_.segment_header();
        field("segment ", number);
        field(" offset=", reader_.segment_offset());
        field(" start_ps=", segment.time_start);
        field(" end_ps=", segment.time_end);
        field(" frames=", segment.num_frames);
        field(" active=", segment.num_frames_active);
        field(" checkpoint=", segment.checkpoint_size);
        field(" stored=", segment.compressed_size);
        field(" raw=", segment.raw_size);
        out_.put('\n');
    }

    void append_frame(Tick time) {
        out_.put('@');
        out_.decimal(static_cast<std::uint64_t>(time));
        if (period_ != 0) field(" cycle ", static_cast<std::uint64_t>(time) / period_);
        out_.put('\n');
    }

    void append_place(std::string_view action, const Record& record) {
        out_.put(action);
        out_.put(paths_[record.track]);
        out_.put('[');
        out_.decimal(record.ref);
        out_.put(']');
    }

    void append_assignment(const Field& f, std::string_view sign, std::uint64_t value) {
        out_.put('.');
        append_name(f.name, out_);
        out_.put(sign);
        append_value(schema(), f, value, out_);
    }

    void append_record(const Batch& batch, const Record& record) {
        if ((record.flags & record_first_of_frame) != 0) append_frame(record.time);
        const Track& track = schema().tracks()[record.track];
        switch (record.kind) {
            case Kind::set:
                if (is_property(record)) {
                    out_.put("  set ");
                    out_.put(paths_[record.track]);
                    append_assignment(track.properties[record.field], " = ", record.value);
                } else {
                    append_place("  set ", record);
                    append_assignment(track.fields[record.field], " = ", record.value);
                }
                break;
            case Kind::add:
                append_place("  add ", record);
                append_assignment(track.fields[record.field], " += ", record.value);
                break;
            case Kind::clear:
                append_place("  clear ", record);
                break;
            case Kind::event: {
                out_.put("  event ");
                out_.put(paths_[record.track]);
                const auto cells = batch.cells(record);
                for (std::size_t i = 0; i < cells.size(); ++i) {
                    out_.put(' ');
                    append_name(track.fields[i].name, out_);
                    out_.put('=');
                    append_value(schema(), track.fields[i], cells[i], out_);
                }
                break;
            }
            default:
                if (record.count == 0) return;  // an empty frame
                out_.put("  item ");
                for (const std::byte byte : batch.bytes(record))
                    out_.hex(std::to_integer<std::uint64_t>(byte), 2);
        }
        out_.put('\n');
    }

    FileReader& reader_;
    const Schema* schema_;  // of the records: those of the reader or of a slice
    std::optional<TraceWindow> window_;
    TextOutput& out_;
    std::vector<std::string> paths_;  // by track
    std::uint64_t period_ = 0;
    std::size_t shown_segments_ = 0;
};

}  // namespace

void render_frames(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    FileReader reader(input, settings, findings);
    FrameText text(reader, settings.window, out);
    text.head();
    if (!settings.part) return text.frames();
    const std::unique_ptr<Reader> part = settings.part(reader);
    text.frames_of(*part);
}

}  // namespace hwtrace::uscope

#include "views/timeline_view.hpp"

#include <algorithm>

#include "codec/json_object.hpp"
#include "domain/timeline.hpp"
#include "domain/value_text.hpp"
#include "views/interval_lifetimes.hpp"
#include "views/lifetime_notes.hpp"
#include "views/schema_tree.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view timeline_schema = "hwtrace-timeline/1";

/// A lifetime and the data needed to print it.
struct Shown {
    const Lifetime& life;
    const Catalogue& catalogue;
    const Track& table;
    const Lifetime::Remark* disassembly;
};

/// Formats the parts that all output forms share.
class LifetimeText {
public:
    LifetimeText(const Schema& schema, const Timeline& timeline) : schema_(schema), timeline_(timeline) {}

    Shown shown(const Lifetime& life) const {
        const Catalogue& catalogue = timeline_.catalogues()[life.catalogue];
        return {life, catalogue, schema_.tracks()[catalogue.storage], disassembly_of(schema_, catalogue, life)};
    }
    const CycleScale& scale(const Lifetime& life) const noexcept {
        return timeline_.catalogues()[life.catalogue].cycles;
    }

    /// Returns the cycle after the last cycle of a stage.
    Tick end_cycle(const Lifetime& life, const Lifetime::Stage& stage) const noexcept {
        return scale(life).cycle(stage.end) + (stage.open ? 1 : 0);
    }

    static std::string stage_name(const Catalogue& catalogue, std::uint64_t stage) {
        return stage < catalogue.stages.size() ? catalogue.stages[static_cast<std::size_t>(stage)]
                                               : std::to_string(stage);
    }

    /// Returns the label of a type or reason, or its number if it has no label.
    std::string label(const Field* field, std::uint64_t value) const {
        if (field != nullptr)
            if (const std::string* name = schema_.label(field->enumeration, value)) return *name;
        return std::to_string(value);
    }

    std::string text(const Shown& shown, const Lifetime::Remark& annotation) const {
        return text_of(schema_, shown.catalogue, annotation);
    }

    /// Returns all annotations except the disassembly, one per line.
    std::string tooltip(const Shown& shown) const {
        std::string lines;
        bool first = true;
        for (const Lifetime::Remark& remark : shown.life.remarks) {
            if (remark.kind != Lifetime::Remark::Kind::annotation || &remark == shown.disassembly) continue;
            if (!first) lines += '\n';
            first = false;
            lines += text(shown, remark);
        }
        return lines;
    }

    /// Writes the stages, as in "F 4-5 | D 5-6 | lane 1 stl 5-6 | X 6-".
    void append_stages(const Shown& shown, TextOutput& out) const {
        bool first = true;
        for (const Lifetime::Stage& stage : shown.life.stages) {
            if (!first) out.put(" | ");
            first = false;
            if (stage.lane != 0) {
                out.put("lane ");
                out.decimal(stage.lane);
                out.put(' ');
            }
            append_name(stage_name(shown.catalogue, stage.stage), out);
            out.put(' ');
            out.decimal_signed(scale(shown.life).cycle(stage.begin));
            out.put('-');
            if (!stage.open) out.decimal_signed(scale(shown.life).cycle(stage.end));
        }
    }

    const Schema& schema() const noexcept { return schema_; }
    const Timeline& timeline() const noexcept { return timeline_; }

private:
    const Schema& schema_;
    const Timeline& timeline_;
};

/// Writes lifetimes as text.
class LifetimeLines {
public:
    LifetimeLines(const LifetimeText& text, TextOutput& out) : text_(text), out_(out) {}

    void begin() {}

    void life(const Lifetime& life) {
        const Shown shown = text_.shown(life);
        append_name(shown.catalogue.path, out_);
        out_.put(" #");
        out_.decimal(life.id);
        out_.put(" slot ");
        out_.decimal(life.slot);
        append_fields(shown);
        if (shown.disassembly != nullptr) {
            out_.put(' ');
            append_quoted(text_.text(shown, *shown.disassembly), out_);
        }
        append_times(life);
        append_fate(shown);
        if (!life.stages.empty()) {
            out_.put("    ");
            text_.append_stages(shown, out_);
            out_.put('\n');
        }
        if (life.beats != 0) {
            out_.put("    ");
            out_.put(counted(life.beats, "beat"));
            out_.put(", ");
            out_.put(counted(life.beat_bytes, "byte"));
            out_.put('\n');
        }
        for (const Lifetime::Remark& remark : life.remarks)
            if (&remark != shown.disassembly) append_remark(shown, remark);
    }

    void interval(const Batch& batch, const Record& record, IntervalLifetimes& intervals) {
        intervals.append_text(batch, record, out_);
    }

    void end(const IntervalLifetimes& intervals) {
        for (std::size_t i = 0; i < text_.timeline().catalogues().size(); ++i) {
            const Catalogue& catalogue = text_.timeline().catalogues()[i];
            const LifetimeCounts& counts = text_.timeline().counts()[i];
            out_.put("# ");
            append_name(catalogue.path, out_);
            out_.put(": ");
            out_.put(summary(catalogue.protocol, counts));
            out_.put('\n');
        }
        intervals.append_counts(out_);
    }

private:
    void append_fields(const Shown& shown) {
        for (std::uint16_t i = 0; i < shown.table.fields.size(); ++i) {
            if (i == shown.catalogue.id || !shown.life.has(i)) continue;
            out_.put(' ');
            append_name(shown.table.fields[i].name, out_);
            out_.put(' ');
            append_value(text_.schema(), shown.table.fields[i], shown.life.cells[i], out_);
        }
    }

    void append_times(const Lifetime& life) {
        const CycleScale& scale = text_.scale(life);
        out_.put(life.born_before ? " cycles before " : " cycles ");
        out_.decimal_signed(scale.cycle(life.first));
        out_.put('-');
        out_.decimal_signed(scale.cycle(life.last));
        if (!scale.divides()) return;
        out_.put(" (");
        out_.decimal_signed(life.first);
        out_.put('-');
        out_.decimal_signed(life.last);
        out_.put(' ');
        append_unit(text_.schema().tracks()[text_.timeline().catalogues()[life.catalogue].storage].time, out_);
        out_.put(')');
    }

    void append_fate(const Shown& shown) {
        out_.put(' ');
        out_.put(name_of(shown.life.status));
        if (shown.life.flush_reason) {
            out_.put(" (");
            append_name(text_.label(shown.catalogue.flush_reason, *shown.life.flush_reason), out_);
            out_.put(')');
        }
        if (shown.life.retirement) {
            out_.put(" as ");
            out_.decimal(shown.life.retirement->id);
            if (shown.life.retirement->type != 0) {
                out_.put(" of type ");
                out_.decimal(shown.life.retirement->type);
            }
        }
        out_.put('\n');
    }

    void append_remark(const Shown& shown, const Lifetime::Remark& remark) {
        out_.put("    ");
        out_.decimal_signed(text_.scale(shown.life).cycle(remark.time));
        switch (remark.kind) {
            case Lifetime::Remark::Kind::annotation:
                out_.put(" note ");
                if (remark.type != 0) {
                    out_.put("of type ");
                    out_.decimal(remark.type);
                    out_.put(' ');
                }
                append_quoted(text_.text(shown, remark), out_);
                break;
            case Lifetime::Remark::Kind::dependency:
                out_.put(" needs #");
                out_.decimal(remark.what);
                out_.put(' ');
                append_name(text_.label(shown.catalogue.dependency_type, remark.type), out_);
                break;
            case Lifetime::Remark::Kind::retry:
                out_.put(" retry ");
                append_name(text_.label(shown.catalogue.retry_reason, remark.what), out_);
                break;
            case Lifetime::Remark::Kind::timeout:
                out_.put(" timeout of ");
                out_.put(counted(remark.what, "cycle"));
                break;
        }
        out_.put('\n');
    }

    const LifetimeText& text_;
    TextOutput& out_;
};

/// Writes lifetimes as JSON: one document, or one object per line.
class LifetimeObjects {
public:
    LifetimeObjects(const LifetimeText& text, const Settings& settings, bool lines, TextOutput& out)
        : text_(text), settings_(settings), lines_(lines), out_(out) {}

    void begin() {
        out_.put('{');
        append_json_head(timeline_schema, settings_, out_);
        out_.put(lines_ ? "}\n" : ",\n\"lives\":[");
    }

    void life(const Lifetime& life) {
        const Shown shown = text_.shown(life);
        const CycleScale& scale = text_.scale(life);
        JsonObject object = start("life");
        object.text("scope", shown.catalogue.path);
        append_json_integer(life.id, integers(), object.member(shown.table.fields[shown.catalogue.id].name));
        object.number("slot", std::uint64_t{life.slot});
        append_fields(shown, object);
        if (shown.disassembly != nullptr) object.text("disasm", text_.text(shown, *shown.disassembly));
        if (life.born_before) object.flag("born_before");
        object.number("first_cycle", scale.cycle(life.first));
        object.number("last_cycle", scale.cycle(life.last));
        object.number("first_time", life.first);
        object.number("last_time", life.last);
        object.text("retire_status", name_of(life.status));
        if (life.flush_reason)
            object.text("flush_reason", text_.label(shown.catalogue.flush_reason, *life.flush_reason));
        if (life.retirement) {
            object.number("retire_id", life.retirement->id);
            object.number("retire_type", life.retirement->type);
        }
        append_array(life.stages, object.known_member("stages"),
                     [&](const Lifetime::Stage& stage) { append_stage(shown, stage); });
        if (shown.catalogue.protocol == Catalogue::Protocol::noc) {
            object.number("beats", life.beats);
            object.number("beat_bytes", life.beat_bytes);
        }
        append_array(life.remarks, object.known_member("remarks"),
                     [&](const Lifetime::Remark& remark) { append_remark(shown, remark); });
        object.text("tooltip", text_.tooltip(shown));
        finish(object);
    }

    void interval(const Batch& batch, const Record& record, IntervalLifetimes& intervals) {
        JsonObject object = start("life");
        intervals.fill(batch, record, object);
        finish(object);
    }

    void end(const IntervalLifetimes&) {
        if (!lines_) {
            out_.put("],\n\"scopes\":[");
            first_ = true;
        }
        for (std::size_t i = 0; i < text_.timeline().catalogues().size(); ++i) {
            const Catalogue& catalogue = text_.timeline().catalogues()[i];
            const LifetimeCounts& counts = text_.timeline().counts()[i];
            JsonObject object = start("scope");
            object.text("scope", catalogue.path);
            object.text("protocol", catalogue.protocol == Catalogue::Protocol::cpu ? "cpu" : "noc");
            object.number("created", counts.created);
            object.number("retired", counts.retired);
            object.number("flushed", counts.flushed);
            object.number("replaced", counts.replaced);
            object.number("in_flight", counts.in_flight);
            if (counts.born_before != 0) object.number("born_before", counts.born_before);
            object.number("unattached_events", counts.unattached);
            if (catalogue.cycles.assumed()) object.number("assumed_period_ps", CycleScale::assumed_period_ps);
            finish(object);
        }
        if (!lines_) out_.put("]}\n");
    }

private:
    JsonIntegers integers() const noexcept { return settings_.json_integers; }

    JsonObject start(std::string_view type) {
        if (!lines_) out_.put(first_ ? "\n" : ",\n");
        first_ = false;
        JsonObject object(integers(), out_);
        if (lines_) object.text("type", type);
        return object;
    }
    void finish(JsonObject& object) {
        object.close();
        if (lines_) out_.put('\n');
    }

    void append_fields(const Shown& shown, JsonObject& object) {
        JsonObject fields(integers(), object.known_member("fields"));
        for (std::uint16_t i = 0; i < shown.table.fields.size(); ++i)
            if (i != shown.catalogue.id && shown.life.has(i))
                append_json_value(text_.schema(), shown.table.fields[i], shown.life.cells[i], integers(),
                                  fields.member(shown.table.fields[i].name));
        fields.close();
    }

    void append_stage(const Shown& shown, const Lifetime::Stage& stage) {
        JsonObject object(integers(), out_);
        object.text("name", LifetimeText::stage_name(shown.catalogue, stage.stage));
        if (stage.lane != 0) object.number("lane", std::uint64_t{stage.lane});
        object.number("start_cycle", text_.scale(shown.life).cycle(stage.begin));
        object.number("end_cycle", text_.end_cycle(shown.life, stage));
        object.number("start_time", stage.begin);
        if (stage.open)
            object.flag("open");
        else
            object.number("end_time", stage.end);
        object.close();
    }

    void append_remark(const Shown& shown, const Lifetime::Remark& remark) {
        JsonObject object(integers(), out_);
        object.number("cycle", text_.scale(shown.life).cycle(remark.time));
        object.number("time", remark.time);
        switch (remark.kind) {
            case Lifetime::Remark::Kind::annotation:
                object.text("annotation", text_.text(shown, remark));
                if (remark.type != 0) object.number("label_type", remark.type);
                break;
            case Lifetime::Remark::Kind::dependency:
                object.number("depends_on", remark.what);
                object.text("dependency", text_.label(shown.catalogue.dependency_type, remark.type));
                break;
            case Lifetime::Remark::Kind::retry:
                object.text("retry", text_.label(shown.catalogue.retry_reason, remark.what));
                break;
            case Lifetime::Remark::Kind::timeout:
                object.number("timeout_cycles", remark.what);
                break;
        }
        object.close();
    }

    const LifetimeText& text_;
    const Settings& settings_;
    bool lines_;
    TextOutput& out_;
    bool first_ = true;
};

class LifetimeRows {
public:
    LifetimeRows(const LifetimeText& text, const Settings& settings, TextOutput& out)
        : text_(text), settings_(settings), out_(out) {}

    void begin() {
        out_.put(
            "scope,id,slot,born_before,first_cycle,last_cycle,first_time,last_time,status,flush_reason,retire_id,"
            "retire_type,beats,beat_bytes,disasm,stages,dependencies,retries,timeouts,notes,tooltip,fields\n");
    }

    void life(const Lifetime& life) {
        const Shown shown = text_.shown(life);
        const CycleScale& scale = text_.scale(life);
        append_csv(shown.catalogue.path, out_);
        put(life.id);
        put(life.slot);
        out_.put(life.born_before ? ",true" : ",false");
        for (const Tick tick : {scale.cycle(life.first), scale.cycle(life.last), life.first, life.last}) {
            out_.put(',');
            out_.decimal_signed(tick);
        }
        out_.put(',');
        out_.put(name_of(life.status));
        out_.put(',');
        if (life.flush_reason) append_csv(text_.label(shown.catalogue.flush_reason, *life.flush_reason), out_);
        put(life.retirement ? std::optional(life.retirement->id) : std::nullopt);
        put(life.retirement ? std::optional(life.retirement->type) : std::nullopt);
        const bool has_beats = shown.catalogue.protocol == Catalogue::Protocol::noc;
        put(has_beats ? std::optional(life.beats) : std::nullopt);
        put(has_beats ? std::optional(life.beat_bytes) : std::nullopt);
        out_.put(',');
        if (shown.disassembly != nullptr) append_csv(text_.text(shown, *shown.disassembly), out_);
        out_.put(',');
        scratch_.clear();
        text_.append_stages(shown, scratch_);
        append_scratch();
        for (const auto kind : {Lifetime::Remark::Kind::dependency, Lifetime::Remark::Kind::retry,
                                Lifetime::Remark::Kind::timeout, Lifetime::Remark::Kind::annotation})
            append_remarks(shown, kind);
        out_.put(',');
        if (const std::string tooltip = text_.tooltip(shown); !tooltip.empty()) append_csv(tooltip, out_);
        out_.put(',');
        append_fields(shown);
        out_.put('\n');
    }

    void interval(const Batch& batch, const Record& record, IntervalLifetimes& intervals) {
        intervals.append_csv_row(batch, record, settings_.json_integers, out_);
    }

    void end(const IntervalLifetimes&) {}

private:
    void put(std::optional<std::uint64_t> number) {
        out_.put(',');
        if (number) out_.decimal(*number);
    }

    /// Writes the list in scratch_ unless the list is empty.
    void append_scratch() {
        if (!scratch_.text().empty()) append_csv(scratch_.text(), out_);
    }

    void append_remarks(const Shown& shown, Lifetime::Remark::Kind kind) {
        scratch_.clear();
        for (const Lifetime::Remark& remark : shown.life.remarks) {
            if (remark.kind != kind || &remark == shown.disassembly) continue;
            if (!scratch_.text().empty()) scratch_.put(" | ");
            scratch_.decimal_signed(text_.scale(shown.life).cycle(remark.time));
            scratch_.put(' ');
            append_remark(shown, remark);
        }
        out_.put(',');
        append_scratch();
    }

    void append_remark(const Shown& shown, const Lifetime::Remark& remark) {
        switch (remark.kind) {
            case Lifetime::Remark::Kind::annotation:
                scratch_.decimal(remark.type);
                scratch_.put(' ');
                return append_quoted(text_.text(shown, remark), scratch_);
            case Lifetime::Remark::Kind::dependency:
                scratch_.decimal(remark.what);
                scratch_.put(' ');
                return append_name(text_.label(shown.catalogue.dependency_type, remark.type), scratch_);
            case Lifetime::Remark::Kind::retry:
                return append_name(text_.label(shown.catalogue.retry_reason, remark.what), scratch_);
            case Lifetime::Remark::Kind::timeout:
                return scratch_.decimal(remark.what);
        }
    }

    void append_fields(const Shown& shown) {
        scratch_.clear();
        JsonObject fields(settings_.json_integers, scratch_);
        for (std::uint16_t i = 0; i < shown.table.fields.size(); ++i)
            if (i != shown.catalogue.id && shown.life.has(i))
                append_json_value(text_.schema(), shown.table.fields[i], shown.life.cells[i], settings_.json_integers,
                                  fields.member(shown.table.fields[i].name));
        fields.close();
        append_csv(scratch_.text(), out_);
    }

    const LifetimeText& text_;
    const Settings& settings_;
    TextOutput& out_;
    TextOutput scratch_{-1, 1024};
};

template <typename Show>
void follow(Reader& reader, Timeline& timeline, IntervalLifetimes& intervals, Show&& show,
            const ProgressListener& progress) {
    const LifetimeListener listener = [&](const Lifetime& life) { show.life(life); };
    show.begin();
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        timeline.add(batch, listener);
        for (const Record& record : batch.records())
            if (intervals.counts(batch, record)) show.interval(batch, record, intervals);
        if (progress) progress(reader.position());
    }
    timeline.finish(listener);
    show.end(intervals);
}

}  // namespace

std::vector<std::string> show_timeline(Reader& reader, TextForm form, const ViewOptions& options,
                                       const Settings& settings, TextOutput& out, const ProgressListener& progress) {
    const Schema& schema = reader.schema();
    Timeline timeline(schema, Timeline::Detail::whole, options.entity);
    const LifetimeText text(schema, timeline);
    IntervalLifetimes intervals(schema, options.entity);
    switch (form) {
        case TextForm::text:
            follow(reader, timeline, intervals, LifetimeLines(text, out), progress);
            break;
        case TextForm::csv:
            follow(reader, timeline, intervals, LifetimeRows(text, settings, out), progress);
            break;
        case TextForm::json:
        case TextForm::jsonl:
            follow(reader, timeline, intervals, LifetimeObjects(text, settings, form == TextForm::jsonl, out),
                   progress);
            break;
    }
    return lifetime_notes(schema, timeline, options, intervals.shown());
}

}  // namespace hwtrace

#include <algorithm>
#include <limits>
#include <utility>

#include "codec.hpp"
#include "codec/text_fetch.hpp"
#include "context_writer.hpp"
#include "domain/value_text.hpp"
#include "encode.hpp"
#include "entry.hpp"
#include "entry_writer.hpp"
#include "item_plan.hpp"
#include "items.hpp"
#include "label_writer.hpp"
#include "names.hpp"
#include "options.hpp"
#include "plan_losses.hpp"
#include "relation_writer.hpp"
#include "value_writer.hpp"
#include "writer_options.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::uint64_t longest_distance = std::numeric_limits<std::uint32_t>::max();
constexpr unsigned widest_number = 64;
constexpr std::uint64_t key_member = 0, value_member = 1;
constexpr std::uint64_t greatest_short_item = (std::uint64_t{1} << 29) - 1;

class FluxWriter final : public Writer {
public:
    FluxWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
        : schema_(schema),
          losses_(losses),
          plan_(StreamPlan::of(schema, wanted_layout(settings))),
          entries_(output, settings, losses, [this] { labels_.enter_section(); }),
          labels_(schema, plan_, entries_),
          contexts_(schema, plan_, entries_, labels_, losses),
          relations_(schema, plan_, entries_, labels_, losses),
          out_(entries_.out()),
          values_(schema),
          wanted_ring_(wanted_ring(settings)) {
        if (plan_.traces.size() > 1) entries_.expect_several_traces();
    }

    void write(const Batch& batch) override {
        begin(batch);
        fetch_texts_(batch);
        for (const Record& record : batch.records())
            put(batch, record);
    }

    bool has_threads() const noexcept override { return entries_.has_thread(); }
    void finish() override {
        begin({});
        for (const auto& [trace, context] : plan_.closes)
            entries_.close(plan_.traces[trace], plan_.traces[trace].contexts[context]);
        append_no_head();
        entries_.finish();
    }

private:
    // --- definitions before the samples ---

    void begin(const Batch& first) {
        if (begun_) return;
        begun_ = true;
        foresee_starts(first);
        for (TracePlan& trace : plan_.traces) {
            if (trace.has_head) entries_.append_head(trace);
            if (trace.mark_scope != 0) append_mark_items(trace);
            for (const StepPlan& step : trace.steps)
                append_step(trace, step);
            if (trace.mark_scope != 0) append_marks(trace);
        }
        count_plan();
        for (TrackPlan& track : plan_.tracks)
            if (track.use == TrackPlan::Use::signal) labels_.append_first_labels(track);
        if (wanted_ring_) entries_.start_ring(*wanted_ring_);
    }

    /// Counts the losses that the plan causes.
    void count_plan() {
        std::vector<ExpectedLoss> losses;
        foretell(schema_, plan_, losses);
        for (const ExpectedLoss& loss : losses)
            losses_.count(loss.loss, loss.subject, [&] { return loss.why; });
    }

    /// Lowers the start of each context to its lowest position in `first`, if that is negative.
    void foresee_starts(const Batch& first) {
        for (const Record& record : first.records()) {
            const TrackPlan& track = plan_.tracks[record.track];
            if (track.use != TrackPlan::Use::signal || record.time >= 0) continue;
            ContextPlan& context = plan_.traces[track.trace].contexts[track.context];
            if (context.from_first)
                context.open.start = std::min(context.open.start, contexts_.position_of(record, context));
        }
    }

    /// Writes a HEAD for a trace that has none, but only into an otherwise empty stream. An empty file is not a
    /// stream.
    void append_no_head() {
        const auto headless = std::ranges::find(plan_.traces, false, &TracePlan::has_head);
        if (headless == plan_.traces.end()) return;
        if (entries_.is_empty()) return entries_.append_head(*headless);
        losses_.assume("the trace has no HEAD, as in its source; readers need --from flux");
    }

    // --- rings ---

    /// Appends a sample with the value in `value_` to the ring. Reserves as much room as the emitter does.
    void append_into_ring(const TracePlan& trace, ContextPlan& context, std::uint64_t item, std::int64_t position,
                          std::uint64_t mark, bool is_number) {
        const std::size_t header = value_.size() < 8 ? 1 : 2;
        std::size_t room =
            is_number ? 2 + std::max<std::size_t>(4, value_.size() - header) : 5 + value_.size() - header;
        room += (item > greatest_short_item ? 15u : 10u) + (mark > 1 ? 1u : 0u);
        const bool back = position < context.position;
        const auto distance = static_cast<std::uint64_t>(position) - static_cast<std::uint64_t>(context.position);
        const bool states = back || distance > longest_distance;
        if (back) count_back(context, position);
        if (!entries_.make_room(states ? room + EntryWriter::room_of_current(context) : room, "a sample")) return;
        if (!states && context.lap != entries_.ring()->lap() &&
            !entries_.make_room(room + EntryWriter::room_of_current(context), "a sample"))
            return;
        entries_.switch_to(trace);
        if (states || context.lap != entries_.ring()->lap()) {
            if (states) context.position = position;
            entries_.append_position(context);
            context.lap = entries_.ring()->lap();
        }
        entries_.append_sample_head(context, item, position, mark);
        out_.bytes(value_.span());
        entries_.end();
        entries_.ring()->count_record();
        relations_.note_sample(trace.id, item);
    }

    void append_step(TracePlan& trace, const StepPlan& step) {
        switch (step.kind) {
            case StepPlan::Kind::item:
                return entries_.append_item(trace, trace.items[step.place]);
            case StepPlan::Kind::reference:
                return entries_.append_reference(trace, trace.references[step.place]);
            case StepPlan::Kind::open:
                return entries_.open(trace, trace.contexts[step.place]);
            case StepPlan::Kind::member:
                return entries_.append_member(trace, trace.items[step.place].id,
                                              trace.items[step.place].members[step.index]);
            case StepPlan::Kind::label: {
                const LabelFact& label = trace.items[step.place].labels[step.index];
                return labels_.append_label(trace, trace.items[step.place].id, label.use, label.text, label.value);
            }
            case StepPlan::Kind::index:
                return entries_.append_member(trace, trace.items[step.place].id,
                                              trace.items[step.place].indexes[step.index]);
        }
    }

    // --- metadata of other formats ---

    void append_mark_items(const TracePlan& trace) {
        ItemPlan scope;
        scope.id = trace.mark_scope;
        scope.is_scope = true;
        scope.name = scope.display.description = mark_scope;
        entries_.append_item(trace, scope);
        ItemPlan signal;
        signal.id = trace.mark_signal;
        signal.parent = trace.mark_scope;
        signal.name = mark_signal;
        entries_.append_item(trace, signal);
    }

    void append_marks(TracePlan& trace) {
        MemberPlan text;
        text.type = static_cast<std::uint8_t>(MemberType::text);
        for (const auto& [number, label] : {std::pair(key_member, "key"), std::pair(value_member, "value")}) {
            text.number = number;
            text.label = label;
            entries_.append_member(trace, trace.mark_signal, text);
        }
        ContextPlan& context = trace.contexts[trace.mark_context];
        for (const Metadata* const entry : plan_.others) {
            append_sample_front(trace, context, trace.mark_signal, context.position, 0);
            mark_.clear();
            for (const auto& [member, value] : {std::pair(key_member, &entry->key), {value_member, &entry->value}}) {
                mark_.leb128(member);
                mark_.le(stored_member_type(trace.layout, text.type));
                append_text(mark_, *value);
            }
            append_sample_value(out_, Nibble::value, mark_.span());
            entries_.end();
        }
    }

    // --- samples ---

    void count_back(const ContextPlan& context, std::int64_t position) {
        losses_.count(Loss::order_changed, position_subject,
                      [&] { return "from " + std::to_string(context.position) + " to " + std::to_string(position); });
    }

    /// Appends the fields before the header of a sample.
    void append_sample_front(const TracePlan& trace, ContextPlan& context, std::uint64_t item, std::int64_t position,
                             std::uint64_t mark) {
        if (position < context.position) [[unlikely]] {
            count_back(context, position);
            entries_.append_current(trace, context, position);
        }
        // Readers of version 4 support only distances of 32 bits.
        if (static_cast<std::uint64_t>(position) - static_cast<std::uint64_t>(context.position) > longest_distance)
            [[unlikely]]
            entries_.append_current(trace, context, position);
        entries_.switch_to(trace);
        entries_.append_sample_head(context, item, position, mark);
    }

    /// Appends a sample. `put` appends its header and value.
    template <typename Put>
    void append_sample(const TracePlan& trace, ContextPlan& context, std::uint64_t item, std::int64_t position,
                       std::uint64_t mark, bool is_number, Put&& put) {
        if (entries_.ring() != nullptr) [[unlikely]] {
            value_.clear();
            put(value_);
            return append_into_ring(trace, context, item, position, mark, is_number);
        }
        append_sample_front(trace, context, item, position, mark);
        put(out_);
        entries_.end();
    }

    void put(const Batch& batch, const Record& record) {
        TrackPlan& track = plan_.tracks[record.track];
        switch (track.use) {
            case TrackPlan::Use::signal:
                return sample(batch, record, track);
            case TrackPlan::Use::relation:
                return relations_.relation(batch.cells(record), track);
            case TrackPlan::Use::label:
                return relations_.label(batch.cells(record), track);
            case TrackPlan::Use::control:
                if (entries_.ring() != nullptr && !entries_.make_room(batch.bytes(record).size(), "an entry")) return;
                out_.bytes(batch.bytes(record));
                return entries_.end();
            case TrackPlan::Use::opening:
                return contexts_.opening(batch.bytes(record), track);
            case TrackPlan::Use::none:
                return;
        }
    }

    std::uint64_t mark_of(const Record& record, const TracePlan& trace) {
        const bool has_tags =
            trace.layout != Layout::emitters_4 || trace.was_this_version;  // a version 4 source keeps its tags
        const std::uint64_t greatest = has_tags ? 0xFF : std::uint64_t{change_conflict};
        if (record.value <= greatest) [[likely]]
            return record.value;
        losses_.count(Loss::value_narrowed, schema_.tracks()[record.track].name,
                      [&] { return "mark " + std::to_string(record.value); });
        return change_conflict;
    }

    void sample(const Batch& batch, const Record& record, TrackPlan& track) {
        const TracePlan& trace = plan_.traces[track.trace];
        if (track.epoch != trace.epoch) [[unlikely]]
            contexts_.settle(track, record);
        ContextPlan& context = plan_.traces[track.trace].contexts[track.context];
        const std::span<const Attribute> values = batch.attributes(record);
        const std::int64_t position = contexts_.position_of(record, context);
        const std::uint64_t mark = mark_of(record, trace);
        labels_.begin_sample();
        for (const Attribute& value : values)
            if (!track.fields[value.field].labelled) [[unlikely]]
                labels_.append_labels(track, track.fields[value.field]);
        const bool raw = values.size() == 1 && track.fields[values.front().field].as == As::raw;
        const bool formless = raw && is_formless(track, track.fields[values.front().field]);
        if (formless) [[unlikely]]
            losses_.count(Loss::part_dropped, schema_.tracks()[record.track].name, [&] {
                return counted(schema_.text(static_cast<StringId>(values.front().value)).size(), "byte") + " at " +
                       std::to_string(record.time);
            });
        if (formless || (record.flags & record_no_value) != 0)
            return append_sample(trace, context, track.item, position, mark, true,
                                 [](Appender& out) { out.le(std::uint8_t{0}); });
        if (!raw && track.type == SignalType::structure) {
            const std::span<const Attribute> members = track.drops ? kept(track, record, values) : values;
            return append_sample(trace, context, track.item, position, mark, false,
                                 [&](Appender& out) { values_.append_struct(track, members, out); });
        }
        if (!raw && track.type >= SignalType::event_array) {
            if (trace.layout == Layout::emitters_4 && track.type == SignalType::text_array)
                return no_text_array(record);
            return append_sample(trace, context, track.item, position, mark, false,
                                 [&](Appender& out) { values_.append_array(track, values, out); });
        }
        if (track.is_foreign) check_foreign(record, track, values);
        if (values.empty())
            return append_sample(trace, context, track.item, position, mark, true,
                                 [](Appender& out) { out.le(std::uint8_t{0}); });
        for (const Attribute& value : values) {  // a scattered signal may have several values
            const FieldPlan& field = track.fields[value.field];
            append_sample(trace, context, field.item, position, mark, field.as <= As::real, [&](Appender& out) {
                if (field.as == As::states && schema_.text(static_cast<StringId>(value.value)).empty())
                    out.le(std::uint8_t{0});
                else
                    values_.append_single(track, value, out);
            });
        }
    }

    /// Counts losses for traces of other formats. A flux signal has one value at a time, and a vector has a fixed
    /// width.
    void check_foreign(const Record& record, const TrackPlan& track, std::span<const Attribute> values) {
        const std::string& name = schema_.tracks()[record.track].name;
        const auto at = [&] { return " at " + std::to_string(record.time); };
        if (values.size() != 1)
            losses_.count(Loss::type_changed, name, [&] { return counted(values.size(), "value") + at(); });
        if (track.type != SignalType::logic) return;
        for (const Attribute& value : values) {
            const FieldPlan& field = track.fields[value.field];
            const std::string_view states = field.as == As::states
                                                ? std::string_view(schema_.text(static_cast<StringId>(value.value)))
                                                : std::string_view();
            const bool fits =
                field.as == As::states
                    ? states.size() == track.states && states.find_first_not_of(logic_states) == std::string_view::npos
                    : field.width == widest_number || value.value >> field.width == 0;
            if (fits) [[likely]]
                continue;
            losses_.count(Loss::value_narrowed, name, [&] {
                return (field.as == As::states ? name_text(states) : std::to_string(value.value)) + at() + ": " +
                       counted(track.states, "state");
            });
        }
    }

    /// Returns the values that the version can store.
    std::span<const Attribute> kept(const TrackPlan& track, const Record& record, std::span<const Attribute> values) {
        kept_.clear();
        for (const Attribute& value : values) {
            if (!track.fields[value.field].dropped) {
                kept_.push_back(value);
                continue;
            }
            const Track& source = schema_.tracks()[record.track];
            losses_.count(Loss::field_dropped, source.name,
                          [&] { return source.fields[value.field].name + " at " + std::to_string(record.time); });
        }
        return kept_;
    }

    void no_text_array(const Record& record) {
        losses_.count(Loss::part_dropped, schema_.tracks()[record.track].name,
                      [&] { return "texts at " + std::to_string(record.time) + ": version 4 has no text arrays"; });
    }

    const Schema& schema_;
    TextFetch fetch_texts_{schema_};
    Losses& losses_;
    StreamPlan plan_;
    EntryWriter entries_;
    LabelWriter labels_;
    ContextWriter contexts_;
    RelationWriter relations_;
    Appender& out_;
    ValueWriter values_;
    bool begun_ = false;
    Appender mark_;
    std::vector<Attribute> kept_;
    const std::optional<WantedRing> wanted_ring_;
    Appender value_;
};

}  // namespace

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    if (settings.chosen(block_option) && !wanted_packing(settings))
        fail(Failure::usage, "--flux-block changes nothing without packed blocks; add --flux-pack lz4");
    return std::make_unique<FluxWriter>(output, schema, settings, losses);
}

}  // namespace hwtrace::flux

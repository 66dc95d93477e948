#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "block_writer.hpp"
#include "codec.hpp"
#include "codec/value_text.hpp"
#include "encode.hpp"
#include "entry.hpp"
#include "item_plan.hpp"
#include "items.hpp"
#include "names.hpp"
#include "options.hpp"
#include "value_writer.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::uint64_t longest_entry = 64u << 10;  ///< stated in heads, for readers that make room for it
constexpr std::uint64_t longest_distance = std::numeric_limits<std::uint32_t>::max();
constexpr std::string_view position_subject = "positions";
constexpr std::uint64_t key_member = 0, value_member = 1;

std::uint8_t wanted_version(const Settings& settings) {
    const std::string text = settings.text(options, version_option);
    return text == "4" ? version_4 : text == "6" ? version_6 : std::uint8_t{0};
}

std::optional<Pack> wanted_packing(const Settings& settings) {
    const std::string text = settings.text(options, pack_option);
    if (text == "lz4") return Pack::lz4;
    if (text == "fastlz") return Pack::fastlz;
    if (text == "zlib") return Pack::zlib;
    if (text == "gzip") return Pack::gzip;
    return std::nullopt;
}

/// What is lost whatever the records are.
void foretell(const Schema& schema, const StreamPlan& plan, std::vector<ExpectedLoss>& losses) {
    const auto name = [&](TrackId id) { return schema.tracks()[id].name; };
    for (const TracePlan& trace : plan.traces)
        if (trace.was_version)
            losses.push_back(
                {Loss::type_changed, key_of(trace.id, version_key), "the versions that are known are 4 and 6"});
    for (const Metadata* const fact : plan.stale)
        losses.push_back({Loss::metadata_dropped, fact->key, "it is about a stream that the trace is no longer"});
    for (const TrackId id : plan.foreign_openings)
        losses.push_back({Loss::native_dropped, name(id), "it is about a stream that the trace is no longer"});
    for (const TrackId id : plan.merged)
        losses.push_back({Loss::name_changed, name(id), "tracks that are one item come back as one"});
    for (const auto& [trace, item] : plan.restated)
        losses.push_back({Loss::metadata_dropped,
                          key_of(plan.traces[trace].id, std::string(open_key) + std::to_string(item)),
                          "the item was opened again in another domain, which is the one that is kept"});
    for (TrackId id = 0; id < plan.tracks.size(); ++id) {
        const TrackPlan& track = plan.tracks[id];
        if (track.use != TrackPlan::Use::signal) continue;
        const TimeBase& time = schema.tracks()[id].time;
        const bool lasts = time.kind != TimeBase::Kind::ordinal && time.den != 0;
        const ContextPlan& context = plan.traces[track.trace].contexts[track.context];
        if (lasts && context.from_first && base_of(context.open.domain) == ordinals)
            losses.push_back(
                {Loss::type_changed, name(id), "no domain has positions that are that long: they are counted"});
    }
}

class FluxWriter final : public Writer {
public:
    FluxWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
        : schema_(schema),
          losses_(losses),
          packed_(wanted_packing(settings).has_value()),
          plan_(StreamPlan::of(schema, wanted_version(settings))),
          blocks_(output, wanted_packing(settings), static_cast<std::size_t>(settings.number(options, block_option))),
          out_(blocks_.entries()),
          values_(schema) {}

    void write(const Batch& batch) override {
        begin(batch);
        for (const Record& record : batch.records())
            put(batch, record);
    }

    void finish() override {
        begin({});
        for (const auto& [trace, context] : plan_.closes)
            close(plan_.traces[trace], plan_.traces[trace].contexts[context]);
        blocks_.flush();
    }

private:
    // --- in front of samples ---

    void begin(const Batch& first) {
        if (begun_) return;
        begun_ = true;
        foresee_starts(first);
        for (TracePlan& trace : plan_.traces) {
            put_head(trace);
            if (trace.mark_scope != 0) put_mark_items(trace);
            for (const StepPlan& step : trace.steps)
                put_step(trace, step);
            if (trace.mark_scope != 0) put_marks(trace);
        }
        count_plan();
        for (TrackPlan& track : plan_.tracks)
            if (track.use == TrackPlan::Use::signal) put_first_labels(track);
    }

    /// What the plan alone costs.
    void count_plan() {
        std::vector<ExpectedLoss> losses;
        foretell(schema_, plan_, losses);
        for (const ExpectedLoss& loss : losses)
            losses_.count(loss.loss, loss.subject, [&] { return loss.why; });
    }

    /// Positions below 0 need a start that is not behind them.
    void foresee_starts(const Batch& first) {
        for (const Record& record : first.records()) {
            const TrackPlan& track = plan_.tracks[record.track];
            if (track.use != TrackPlan::Use::signal || record.time >= 0) continue;
            ContextPlan& context = plan_.traces[track.trace].contexts[track.context];
            if (context.from_first) context.open.start = std::min(context.open.start, position_of(record, context));
        }
    }

    void put_head(const TracePlan& trace) {
        if (!trace.has_head) return;
        put_tag(out_, Tag::head);
        out_.text(trace.magic);
        out_.le(trace.version);
        out_.leb128(trace.id);
        put_text(out_, trace.name);
        put_text(out_, trace.description);
        out_.le(std::uint8_t{trace.sync});
        out_.leb128(trace.greatest_item);
        out_.leb128(longest_entry);
        current_ = &trace;
        any_head_ = true;
        if (packed_) blocks_.flush_plain();
    }

    /// What follows belongs to that trace.
    void switch_to(const TracePlan& trace) {
        if (current_ == &trace) return;
        if (any_head_ || current_ != nullptr) {
            put_tag(out_, Tag::switch_trace);
            out_.leb128(trace.id);
        }
        current_ = &trace;
    }

    void put_step(TracePlan& trace, const StepPlan& step) {
        switch (step.kind) {
            case StepPlan::Kind::item:
                return put_item(trace, trace.items[step.place]);
            case StepPlan::Kind::reference:
                return put_reference(trace, trace.references[step.place]);
            case StepPlan::Kind::open:
                return open(trace, trace.contexts[step.place]);
            case StepPlan::Kind::member:
                return put_member(trace, trace.items[step.place].id, trace.items[step.place].members[step.index]);
            case StepPlan::Kind::index:
                break;
        }
        const ItemPlan& item = trace.items[step.place];
        const auto& [index, label] = item.indexes[step.index];
        put_member(trace, item.id, {.number = index, .parent = 0, .type = 0, .label = label, .descriptor = {}});
    }

    void put_item(const TracePlan& trace, const ItemPlan& item) {
        if (!item.defined) return;
        switch_to(trace);
        put_tag(out_, item.is_scope ? Tag::scope : item.bits ? Tag::scattered : Tag::signal);
        out_.leb128(item.id);
        out_.leb128(item.parent);
        put_text(out_, item.name);
        put_text(out_, item.description);
        if (!item.is_scope) {
            out_.le(static_cast<std::uint8_t>(item.type));
            put_text(out_, item.descriptor);
        }
        if (item.bits) {
            out_.leb128(item.bits->first);
            out_.leb128(item.bits->second);
        }
        blocks_.entry_ended();
    }

    void put_reference(const TracePlan& trace, const ReferenceFacts& reference) {
        switch_to(trace);
        put_tag(out_, reference.bits ? Tag::scattered_reference : Tag::reference);
        out_.leb128(reference.item);
        out_.leb128(reference.parent);
        put_text(out_, reference.name);
        put_text(out_, reference.description);
        if (reference.bits) {
            out_.leb128(reference.bits->first);
            out_.leb128(reference.bits->second);
        }
        blocks_.entry_ended();
    }

    void put_member(const TracePlan& trace, std::uint64_t item, const MemberPlan& member) {
        switch_to(trace);
        put_tag(out_, Tag::member);
        out_.leb128(item);
        out_.leb128(member.number);
        if (trace.version != version_4) out_.leb128(member.parent);
        put_text(out_, member.label);
        out_.le(member.type);
        put_text(out_, member.descriptor);
        blocks_.entry_ended();
    }

    // --- facts of other formats ---

    void put_mark_items(const TracePlan& trace) {
        ItemPlan scope;
        scope.id = trace.mark_scope;
        scope.is_scope = true;
        scope.name = scope.description = mark_scope;
        put_item(trace, scope);
        ItemPlan signal;
        signal.id = trace.mark_signal;
        signal.parent = trace.mark_scope;
        signal.name = mark_signal;
        put_item(trace, signal);
    }

    void put_marks(TracePlan& trace) {
        const auto type = static_cast<std::uint8_t>(MemberType::text);
        put_member(trace, trace.mark_signal, {key_member, 0, type, "key", {}});
        put_member(trace, trace.mark_signal, {value_member, 0, type, "value", {}});
        ContextPlan& context = trace.contexts[trace.mark_context];
        for (const Metadata* const entry : plan_.others) {
            put_sample_front(trace, context, trace.mark_signal, context.position, 0);
            mark_.clear();
            for (const auto& [member, text] : {std::pair(key_member, &entry->key), {value_member, &entry->value}}) {
                mark_.leb128(member);
                mark_.le(type);
                put_text(mark_, *text);
            }
            put_sample_value(out_, Nibble::value, mark_.span());
            blocks_.entry_ended();
        }
    }

    // --- labels ---

    /// Those of enumerations that readers know before they see a value.
    void put_first_labels(TrackPlan& track) {
        std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
        for (FieldPlan& field : track.fields)
            if (seen.insert({field.item, field.member}).second) put_labels(track, field);
    }

    void put_labels(const TrackPlan& track, FieldPlan& field) {
        field.labelled = true;
        if (field.labels == none || field.labels >= schema_.enums().size()) return;
        if (!labels_written_.insert({track.trace, field.item, field.labels_of, field.labels}).second) return;
        const TracePlan& trace = plan_.traces[track.trace];
        auto& known = labels_[{track.trace, field.item, field.labels_of}];
        for (const EnumValue& value : schema_.enums()[field.labels].values) {
            const auto [place, is_new] = known.emplace(value.value, value.name);
            if (!is_new && place->second == value.name) continue;
            place->second = value.name;
            put_label(trace, field.item, field.labels_of, value.name, value.value);
        }
    }

    void put_label(const TracePlan& trace, std::uint64_t item, std::uint64_t domain, std::string_view label,
                   std::uint64_t value) {
        switch_to(trace);
        put_tag(out_, Tag::enumeration);
        out_.leb128(item);
        out_.leb128(domain);
        put_text(out_, label);
        out_.leb128(value);
        blocks_.entry_ended();
    }

    /// The number of a text that relations and labels of an item name.
    std::uint64_t number_of(const TrackPlan& track, std::uint64_t item, EnumDomain domain, std::uint64_t cell) {
        auto& known = texts_[{track.trace, item, static_cast<std::uint64_t>(domain)}];
        const auto [place, is_new] = known.emplace(static_cast<StringId>(cell), known.size() + 1);
        if (is_new)
            put_label(plan_.traces[track.trace], item, static_cast<std::uint64_t>(domain),
                      schema_.text(static_cast<StringId>(cell)), place->second);
        return place->second;
    }

    // --- positions ---

    std::int64_t position_of(const Record& record, const ContextPlan& context) {
        if (context.multiply == 1) [[likely]]
            return record.time;
        std::int64_t position = 0;
        const bool negative = record.time < 0;
        const auto multiply = static_cast<std::int64_t>(
            std::min<std::uint64_t>(context.multiply, std::numeric_limits<std::int64_t>::max()));
        if (!__builtin_mul_overflow(record.time, multiply, &position)) return position;
        losses_.count(Loss::time_rounded, schema_.tracks()[record.track].name, [&] {
            return "tick " + std::to_string(record.time) + " is beyond 64 bits of " + context.open.domain;
        });
        return negative ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    }

    void open(const TracePlan& trace, ContextPlan& context) {
        context.position = context.open.start;
        context.opened = context.opens;
        if (!context.opens) return;
        switch_to(trace);
        put_tag(out_, Tag::open);
        out_.leb128(context.item);
        put_text(out_, context.open.domain);
        put_signed(out_, context.open.start);
        put_unsigned(out_, context.open.rate);
        blocks_.entry_ended();
    }

    void close(const TracePlan& trace, const ContextPlan& context) {
        if (!context.closes) return;
        switch_to(trace);
        put_tag(out_, Tag::close);
        out_.leb128(context.item);
        put_signed(out_, context.end.value_or(context.position));
        blocks_.entry_ended();
    }

    void put_current(const TracePlan& trace, ContextPlan& context, std::int64_t position) {
        switch_to(trace);
        put_tag(out_, Tag::current);
        out_.leb128(context.item);
        put_signed(out_, position);
        context.position = position;
        blocks_.entry_ended();
    }

    // --- samples ---

    /// Everything in front of a sample's header.
    void put_sample_front(const TracePlan& trace, ContextPlan& context, std::uint64_t item, std::int64_t position,
                          std::uint64_t mark) {
        if (position < context.position) [[unlikely]] {
            losses_.count(Loss::order_changed, position_subject, [&] {
                return "from " + std::to_string(context.position) + " to " + std::to_string(position);
            });
            put_current(trace, context, position);
        }
        std::uint64_t delta = static_cast<std::uint64_t>(position) - static_cast<std::uint64_t>(context.position);
        if (delta > longest_distance) [[unlikely]] {  // readers of version 4 have distances of 32 bits
            put_current(trace, context, position);
            delta = 0;
        }
        switch_to(trace);
        context.position = position;
        const bool tagged = mark > 1;
        std::uint64_t front = item << item_shift;
        if (delta != 0) front |= flag_delta;
        if (mark != 0) front |= flag_marked;
        if (tagged) front |= flag_tag;
        out_.leb128(front);
        if (tagged) out_.le(static_cast<std::uint8_t>(mark));
        if (delta != 0) out_.leb128(delta);
    }

    void put(const Batch& batch, const Record& record) {
        TrackPlan& track = plan_.tracks[record.track];
        switch (track.use) {
            case TrackPlan::Use::signal:
                return sample(batch, record, track);
            case TrackPlan::Use::relation:
                return relation(batch.cells(record), track);
            case TrackPlan::Use::label:
                return label(batch.cells(record), track);
            case TrackPlan::Use::control:
                out_.bytes(batch.bytes(record));
                return blocks_.entry_ended();
            case TrackPlan::Use::opening:
                return opening(batch.bytes(record), track);
            case TrackPlan::Use::none:
                return;
        }
    }

    // --- what is opened anew ---

    void opening(std::span<const std::byte> bytes, const TrackPlan& track) {
        TracePlan& trace = plan_.traces[track.trace];
        Entry entry;
        EntryFault fault;
        Cursor cursor(bytes);
        try {
            if (!parse_entry(cursor, trace.source_version, entry, fault)) return no_entry(bytes);
        } catch (const Truncated&) {
            return no_entry(bytes);
        }
        switch (entry.tag) {
            case Tag::head:
                return begin_anew(trace, entry);
            case Tag::open:
                return open_anew(trace, entry);
            case Tag::member:
                return put_member(trace, entry.item,
                                  {.number = entry.number,
                                   .parent = entry.parent,
                                   .type = entry.type,
                                   .label = std::string(entry.name),
                                   .descriptor = std::string(entry.descriptor)});
            case Tag::scope:
            case Tag::signal:
            case Tag::signals:
            case Tag::scattered:
            case Tag::reference:
            case Tag::scattered_reference:
            case Tag::close:
            case Tag::enumeration:
                switch_to(trace);
                out_.bytes(entry.whole);
                return blocks_.entry_ended();
            default:
                return no_entry(bytes);
        }
    }

    void no_entry(std::span<const std::byte> bytes) {
        losses_.count(Loss::native_dropped, opening_track, [&] { return counted(bytes.size(), "byte"); });
    }

    /// Nothing is open any more, and texts of relations are stated again.
    void begin_anew(TracePlan& trace, const Entry& entry) {
        if (entry.version != trace.source_version)
            losses_.count(Loss::type_changed, key_of(trace.id, version_key),
                          [&] { return "it goes on as version " + std::to_string(entry.version); });
        put_tag(out_, Tag::head);
        out_.text(entry.magic);
        out_.le(trace.version);
        out_.leb128(trace.id);
        put_text(out_, entry.name);
        put_text(out_, entry.description);
        out_.le(entry.type);
        out_.leb128(entry.last);
        out_.leb128(entry.number);
        blocks_.entry_ended();
        current_ = &trace;
        any_head_ = true;
        for (ContextPlan& context : trace.contexts) {
            context.opened = false;
            context.position = 0;
        }
        const auto index =
            static_cast<std::size_t>(std::ranges::find(plan_.traces, trace.id, &TracePlan::id) - plan_.traces.begin());
        std::erase_if(texts_, [&](const auto& texts) { return std::get<0>(texts.first) == index; });
        ++trace.epoch;
    }

    void open_anew(TracePlan& trace, const Entry& entry) {
        ContextPlan& context = trace.contexts[context_of(trace, entry.item)];
        context.opens = true;
        context.open = {.domain = std::string(entry.name), .start = entry.position, .rate = entry.rate};
        context.base = base_of(context.open.domain).value_or(ordinals);
        context.multiply = 1;
        open(trace, context);
        ++trace.epoch;
    }

    /// The context that a signal's positions count in now: what is open of it, or above it, or, where they are of
    /// another domain, one of its own.
    void settle(TrackPlan& track, const Record& record) {
        TracePlan& trace = plan_.traces[track.trace];
        const TimeBase& base = schema_.tracks()[record.track].time;
        std::uint64_t item = track.item;
        for (std::size_t depth = 0; depth < trace.parents.size() && item != 0 && !is_open(trace, item); ++depth) {
            const auto parent = trace.parents.find(item);
            item = parent == trace.parents.end() ? 0 : parent->second;
        }
        if (!is_open(trace, item)) item = 0;
        track.context = context_of(trace, item);
        const ContextPlan& found = trace.contexts[track.context];
        if ((found.opened ? found.base : ordinals) != base) open_in(base, track, record);
        track.epoch = trace.epoch;
    }

    void open_in(const TimeBase& base, TrackPlan& track, const Record& record) {
        TracePlan& trace = plan_.traces[track.trace];
        const bool is_new = !trace.context_by_item.contains(track.item);
        track.context = context_of(trace, track.item);
        ContextPlan& context = trace.contexts[track.context];
        if (is_new) plan_.closes.emplace_back(track.trace, track.context);
        const auto [domain, multiply] = StreamPlan::domain_of(base);
        context.opens = context.closes = true;
        context.base = base;
        context.multiply = multiply;
        context.end.reset();
        context.open = {.domain = std::string(domain), .start = position_of(record, context), .rate = 0};
        if (base_of(domain) == ordinals && base.kind != TimeBase::Kind::ordinal && base.den != 0)
            losses_.count(Loss::type_changed, schema_.tracks()[record.track].name,
                          [&] { return "no domain has positions that are that long: they are counted"; });
        open(trace, context);
        ++trace.epoch;
    }

    static bool is_open(const TracePlan& trace, std::uint64_t item) {
        const auto found = trace.context_by_item.find(item);
        return found != trace.context_by_item.end() && trace.contexts[found->second].opened;
    }

    /// One that nothing opens and closes where there is none.
    static std::size_t context_of(TracePlan& trace, std::uint64_t item) {
        const auto [place, is_new] = trace.context_by_item.try_emplace(item, trace.contexts.size());
        if (is_new) {
            ContextPlan& made = trace.contexts.emplace_back();
            made.item = item;
            made.opens = made.closes = false;
        }
        return place->second;
    }

    std::uint64_t mark_of(const Record& record, const TracePlan& trace) {
        const bool has_tags = trace.version != version_4 || trace.was_this_version;  // as odd as it was
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
            settle(track, record);
        ContextPlan& context = plan_.traces[track.trace].contexts[track.context];
        const std::span<const Attribute> values = batch.attributes(record);
        const std::int64_t position = position_of(record, context);
        const std::uint64_t mark = mark_of(record, trace);
        for (const Attribute& value : values)
            if (!track.fields[value.field].labelled) [[unlikely]]
                put_labels(track, track.fields[value.field]);
        if ((record.flags & record_no_value) != 0) {
            put_sample_front(trace, context, track.item, position, mark);
            out_.le(std::uint8_t{0});
            return blocks_.entry_ended();
        }
        const bool raw = values.size() == 1 && track.fields[values.front().field].as == As::raw;
        if (!raw && track.type == SignalType::structure) {
            put_sample_front(trace, context, track.item, position, mark);
            values_.put_struct(track, track.drops ? kept(track, record, values) : values, out_);
            return blocks_.entry_ended();
        }
        if (!raw && track.type >= SignalType::event_array) {
            if (trace.version == version_4 && track.type == SignalType::text_array) return no_text_array(record);
            put_sample_front(trace, context, track.item, position, mark);
            values_.put_array(track, values, out_);
            return blocks_.entry_ended();
        }
        for (const Attribute& value : values) {  // of a scattered signal there may be several
            const FieldPlan& field = track.fields[value.field];
            put_sample_front(trace, context, field.item, position, mark);
            if (field.as == As::states && schema_.text(static_cast<StringId>(value.value)).empty())
                out_.le(std::uint8_t{0});
            else
                values_.put_single(track, value, out_);
            blocks_.entry_ended();
        }
    }

    /// Without those that the version has no members for.
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
                      [&] { return "texts at " + std::to_string(record.time) + ": version 4 has no arrays of them"; });
    }

    // --- what is attached to samples ---

    void relation(std::span<const std::uint64_t> cells, const TrackPlan& track) {
        constexpr std::size_t item = 0, target = 1, style = 2, type = 3, distance = 4, domain = 5, count = 6;
        if (cells.size() < count) return;
        const TracePlan& trace = plan_.traces[track.trace];
        const std::uint64_t target_number = number_of(track, cells[item], EnumDomain::relation_target, cells[target]);
        const std::uint64_t style_number = number_of(track, cells[item], EnumDomain::relation_style, cells[style]);
        const bool has_domain = !schema_.text(static_cast<StringId>(cells[domain])).empty();
        const bool is_old = trace.version == version_4;
        if (is_old && (has_domain || cells[type] != 0))
            losses_.count(Loss::value_narrowed, relation_track,
                          [&] { return "type " + std::to_string(cells[type]) + ": version 4 has distances alone"; });
        const std::uint64_t domain_number =
            has_domain && !is_old ? number_of(track, cells[item], EnumDomain::relation_domain, cells[domain]) : 0;
        switch_to(trace);
        put_tag(out_, Tag::relation);
        out_.leb128(cells[item]);
        if (!is_old) out_.le(static_cast<std::uint8_t>(cells[type]));
        out_.leb128(target_number);
        out_.leb128(style_number);
        put_signed(out_, static_cast<std::int64_t>(cells[distance]));
        if (!is_old) out_.leb128(domain_number);
        blocks_.entry_ended();
    }

    void label(std::span<const std::uint64_t> cells, const TrackPlan& track) {
        constexpr std::size_t item = 0, style = 1, x = 2, y = 3, count = 4;
        if (cells.size() < count) return;
        const std::uint64_t number = number_of(track, cells[item], EnumDomain::label_style, cells[style]);
        switch_to(plan_.traces[track.trace]);
        put_tag(out_, Tag::label);
        out_.leb128(cells[item]);
        out_.leb128(number);
        put_signed(out_, static_cast<std::int64_t>(cells[x]));
        put_signed(out_, static_cast<std::int64_t>(cells[y]));
        blocks_.entry_ended();
    }

    const Schema& schema_;
    Losses& losses_;
    const bool packed_;
    StreamPlan plan_;
    BlockWriter blocks_;
    Appender& out_;
    ValueWriter values_;
    bool begun_ = false, any_head_ = false;
    const TracePlan* current_ = nullptr;
    std::set<std::tuple<std::size_t, std::uint64_t, std::uint64_t, EnumId>> labels_written_;
    std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t>, std::unordered_map<std::uint64_t, std::string>>
        labels_;
    std::map<std::tuple<std::size_t, std::uint64_t, std::uint64_t>, std::unordered_map<StringId, std::uint64_t>> texts_;
    Appender mark_;
    std::vector<Attribute> kept_;
};

}  // namespace

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<FluxWriter>(output, schema, settings, losses);
}

bool wants_time_order(const Schema& schema, const Settings&) {
    return !is_from_flux(schema);
}

void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) {
    const StreamPlan plan = StreamPlan::of(schema, wanted_version(settings));
    foretell(schema, plan, losses);
    for (const auto& [id, member] : plan.dropped)
        losses.push_back({Loss::field_dropped, schema.tracks()[id].name, "version 4 has no member like " + member});
    for (const TracePlan& trace : plan.traces)
        if (trace.was_stream)
            losses.push_back({Loss::order_changed, std::string(position_subject),
                              "positions of a stream that is not as it should be go back"});
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const TrackPlan& track = plan.tracks[id];
        const bool is_old = plan.traces[track.trace].version == version_4;
        const std::string& name = schema.tracks()[id].name;
        if (track.use == TrackPlan::Use::relation && is_old)
            losses.push_back({Loss::value_narrowed, std::string(relation_track), "version 4 has distances alone"});
        if (track.use != TrackPlan::Use::signal) continue;
        losses.push_back(
            {Loss::value_narrowed, name, is_old ? "version 4 has one mark, of conflicts" : "marks go up to 255"});
        losses.push_back({Loss::time_rounded, name, "positions have 63 bits"});
        if (is_old && track.type == SignalType::text_array)
            losses.push_back({Loss::part_dropped, name, "version 4 has no arrays of texts"});
    }
}

}  // namespace hwtrace::flux

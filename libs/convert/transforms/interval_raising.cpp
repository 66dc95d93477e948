#include <algorithm>
#include <optional>

#include "convert/transforms/interval_binding.hpp"
#include "convert/transforms/interval_lowering.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"

namespace hwtrace {

bool IntervalRaising::is_lowered(const Schema& source) {
    return bind_intervals(source).has_value();
}

bool IntervalRaising::was_time_ordered(const Schema& source) {
    const std::optional<IntervalBinding> binding = bind_intervals(source);
    if (!binding) return false;
    const auto is_relation = [](const IntervalMark::SourceTrack& track) {
        return track.kept && track.kind == Track::Kind::relation_type;
    };
    // Relations state their positions only if the source was out of time order.
    const std::vector<IntervalMark::SourceTrack>& tracks = binding->mark.tracks;
    return std::ranges::any_of(tracks, is_relation) &&
           std::ranges::none_of(tracks, &IntervalMark::SourceTrack::positioned);
}

// --- the schema ----------------------------------------------------------------------------------------------------

IntervalRaising::IntervalRaising(const Schema& source, std::string folder, Losses& losses, std::size_t run_bytes)
    : source_(source), losses_(losses), translate_(source, schema_), sorter_(std::move(folder), run_bytes) {
    std::optional<IntervalBinding> binding = bind_intervals(source);
    if (!binding) fail(Failure::internal, "the trace to be raised was not made from intervals");
    mark_ = std::move(binding->mark);
    declare_scopes();
    for (const Metadata& entry : source.metadata())
        if (!IntervalLowering::drops_metadata(entry.key)) schema_.describe(entry.key, entry.value);

    // Relations that state a position may arrive late, so all intervals are held back.
    if (std::ranges::any_of(mark_.tracks, [](const auto& track) { return track.kept && track.positioned; }))
        held_from_ = 0;
    meanings_.resize(source.tracks().size());
    for (const TrackId table : binding->tables)
        meanings_[table].content = Meaning::Content::derived;
    for (std::size_t i = 0; i < mark_.tracks.size(); ++i) {
        if (binding->first[i] == none) continue;
        const bool has_rows = mark_.tracks[i].kind == Track::Kind::event_type && mark_.tracks[i].lists != 0;
        if (binding->second[i] != none && !has_rows) meanings_[binding->second[i]].content = Meaning::Content::derived;
        const std::span<const TrackId> rows = std::span(binding->second).subspan(i, 1);
        declare_track(mark_.tracks[i], binding->first[i], binding->order[i],
                      has_rows ? rows : std::span<const TrackId>(binding->lists[i]));
    }
}

ScopeId IntervalRaising::source_scope(ScopeId scope) const noexcept {
    if (!mark_.root_added || scope == none) return scope;
    return scope == 0 ? none : scope - 1;
}

void IntervalRaising::declare_scopes() {
    for (std::size_t id = 0; id < mark_.clocks; ++id) {
        Clock clock = source_.clocks()[id];
        if (std::binary_search(mark_.timeless_clocks.begin(), mark_.timeless_clocks.end(), id)) clock.period_ps = 0;
        schema_.declare(std::move(clock));
    }
    for (std::size_t id = 0; id < mark_.enums; ++id)
        schema_.declare(source_.enums()[id]);
    for (std::size_t id = mark_.root_added ? 1 : 0; id < source_.scopes().size(); ++id) {
        Scope scope = source_.scopes()[id];
        scope.parent = source_scope(scope.parent);
        if (scope.clock >= mark_.clocks) scope.clock = none;
        if (const std::size_t source = schema_.scopes().size(); source < mark_.scope_ids.size())
            scope.native_id = mark_.scope_ids[source];
        schema_.declare(std::move(scope));
    }
}

void IntervalRaising::declare_track(const IntervalMark::SourceTrack& track, TrackId lowered, TrackId order,
                                    std::span<const TrackId> lists) {
    using Content = Meaning::Content;
    Meaning& meaning = meanings_[lowered];
    Track raised = source_.tracks()[lowered];
    raised.kind = track.kind;
    raised.scope = source_scope(raised.scope);
    raised.time = track.time;
    raised.native_id = track.native_id;
    switch (track.kind) {
        case Track::Kind::stream: {
            meaning.masks = static_cast<std::uint32_t>(masks_in(raised));
            raised.fields.erase(
                raised.fields.begin(),
                raised.fields.begin() + static_cast<std::ptrdiff_t>(IntervalLowering::own_fields + meaning.masks));
            meaning.content = Content::interval;
            meaning.goes_on = !lists.empty() || order != none;
            if (order != none) {
                for (const auto& [id, what] :
                     {std::pair(order, Content::order), std::pair(order + 1, Content::again)}) {
                    meanings_[id].content = what;
                    meanings_[id].target = static_cast<TrackId>(schema_.tracks().size());
                }
            }
            for (const TrackId list : lists) {
                meanings_[list].content = Content::list;
                meanings_[list].target = static_cast<TrackId>(schema_.tracks().size());
                meanings_[list].attribute = static_cast<std::uint32_t>(raised.fields.size());
                meanings_[list].text = text_fields(source_.tracks()[list].fields);
                raised.fields.push_back(source_.tracks()[list].fields[1]);
                raised.fields.back().repeated = true;
            }
            break;
        }
        case Track::Kind::relation_type:
            meaning.content = Content::relation;
            meaning.positioned = track.positioned;
            if (track.positioned) raised.fields.pop_back();
            break;
        case Track::Kind::notes:
            raised.fields.clear();
            meaning.content = Content::note;
            break;
        case Track::Kind::native:
            raised.fields.clear();
            meaning.content = Content::native;
            break;
        case Track::Kind::storage:
            meaning.content = Content::storage;
            break;
        default:
            meaning.content = lists.empty() ? Content::event : Content::rows;
            if (!lists.empty()) raised.fields.pop_back();
            for (const TrackId row : lists) {
                meanings_[row].content = Content::row;
                meanings_[row].target = static_cast<TrackId>(schema_.tracks().size());
                meanings_[row].text = text_fields(source_.tracks()[row].fields);
                for (Field field : source_.tracks()[row].fields) {
                    field.repeated = true;
                    raised.fields.push_back(std::move(field));
                }
            }
            break;
    }
    for (std::size_t i = 0; i < std::min(track.attributes.size(), raised.fields.size()); ++i)
        restore_attribute(track.attributes[i], raised.fields[i]);
    for (Field& field : raised.fields)
        if (field.enumeration >= mark_.enums) field.enumeration = none;
    meaning.text = text_fields(raised.fields);
    meaning.text_properties = text_fields(raised.properties);
    scales_.emplace_back(track.time, mark_.period_ps);
    meaning.target = schema_.declare(std::move(raised));
}

// --- the records ---------------------------------------------------------------------------------------------------

void IntervalRaising::misfit(const Record& record) {
    losses_.count(record.kind == Kind::native ? Loss::native_dropped : Loss::kind_dropped,
                  source_.tracks()[record.track].name,
                  [&] { return "a record at " + std::to_string(record.time) + " ps"; });
}

void IntervalRaising::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        const Meaning& meaning = meanings_[record.track];
        const bool goes_on = meaning.content == Meaning::Content::list || meaning.content == Meaning::Content::order ||
                             meaning.content == Meaning::Content::again;
        if (open_.target != none && !goes_on) append_open(out);
        if (rows_.target != none && meaning.content != Meaning::Content::row) append_rows(out);
        switch (meaning.content) {
            case Meaning::Content::foreign:
                misfit(record);
                break;
            case Meaning::Content::derived:
                break;
            case Meaning::Content::interval:
                raise(in, record, meaning, out);
                break;
            case Meaning::Content::list:
                list(in, record, meaning);
                break;
            case Meaning::Content::order:
                order(in, record, meaning);
                break;
            case Meaning::Content::again:
                again(in, record, meaning);
                break;
            case Meaning::Content::relation:
                relate(in, record, meaning, out);
                break;
            case Meaning::Content::rows:
                begin_rows(in, record, meaning);
                if (rows_.left == 0) append_rows(out);
                break;
            case Meaning::Content::row:
                row(in, record, meaning, out);
                break;
            default:
                pass(in, record, meaning, out);
                break;
        }
    }
}

void IntervalRaising::raise(const Batch& in, const Record& record, const Meaning& meaning, Batch& out) {
    const std::span<const std::uint64_t> cells = in.cells(record);
    const std::uint64_t id = cells[0];
    const auto begin = static_cast<Tick>(cells[1]);
    attributes_.clear();
    order_.clear();
    again_.clear();
    constexpr std::size_t own_fields = IntervalLowering::own_fields;
    const std::span<const std::uint64_t> masks = cells.subspan(own_fields, meaning.masks);
    const std::span<const std::uint64_t> values = cells.subspan(own_fields + meaning.masks);
    for (std::size_t m = 0; m < masks.size(); ++m) {
        std::uint64_t mask = masks[m];
        for (std::size_t i = m * IntervalLowering::mask_bits; i < values.size() && mask != 0; ++i, mask >>= 1) {
            if ((mask & 1) == 0) continue;
            const bool text = !meaning.text.empty() && meaning.text[i];
            attributes_.push_back(
                {static_cast<std::uint32_t>(i), text ? translate_(static_cast<StringId>(values[i])) : values[i]});
        }
        if (mask != 0)
            losses_.count(Loss::part_dropped, source_.tracks()[record.track].name, [&] {
                return "interval " + std::to_string(id) + ": attributes that its stream does not declare";
            });
    }
    const std::optional<Tick> shown = begin < 0 ? Tick{0} : scales_[meaning.target].ps(begin);
    if (shown && *shown != record.time)
        losses_.count(Loss::time_rounded, source_.tracks()[record.track].name, [&] {
            return "interval " + std::to_string(id) + " is shown at " + std::to_string(record.time) +
                   " ps, but begins at tick " + std::to_string(begin);
        });
    open_ = {id, meaning.target, begin, cells[2]};
    if (!meaning.goes_on) append_open(out);
}

/// Adds an attribute to the interval of the preceding event.
void IntervalRaising::list(const Batch& in, const Record& record, const Meaning& meaning) {
    const std::span<const std::uint64_t> cells = in.cells(record);
    if (open_.target != meaning.target || open_.id != cells[0]) {
        misfit(record);
        return;
    }
    const std::uint64_t value = meaning.text.empty() ? cells[1] : translate_(static_cast<StringId>(cells[1]));
    attributes_.push_back({meaning.attribute, value});
}

/// Reads the attribute order of the interval of the preceding event.
void IntervalRaising::order(const Batch& in, const Record& record, const Meaning& meaning) {
    const std::span<const std::uint64_t> cells = in.cells(record);
    if (open_.target != meaning.target || open_.id != cells[0] || !order_.empty()) return misfit(record);
    std::string_view text = source_.text(static_cast<StringId>(cells[1]));
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::optional<std::uint64_t> index = parse_digits(text.substr(0, end));
        if (!index || *index >= schema_.tracks()[meaning.target].fields.size()) {
            order_.clear();
            return misfit(record);
        }
        order_.push_back(static_cast<std::uint32_t>(*index));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void IntervalRaising::again(const Batch& in, const Record& record, const Meaning& meaning) {
    const std::span<const std::uint64_t> cells = in.cells(record);
    const std::vector<Field>& fields = schema_.tracks()[meaning.target].fields;
    if (open_.target != meaning.target || open_.id != cells[0] || cells[1] >= fields.size()) return misfit(record);
    const bool text = holds_text(fields[cells[1]].type);
    again_.push_back(
        {static_cast<std::uint32_t>(cells[1]), text ? translate_(static_cast<StringId>(cells[3])) : cells[2]});
}

/// Sorts the open interval's attributes in the stated order. Attributes that the order lacks follow at the end.
void IntervalRaising::append_in_order() {
    in_order_.clear();
    std::size_t next_again = 0;
    const auto unused = [&](Attribute& attribute) {
        in_order_.push_back(attribute);
        attribute.field = none;
    };
    for (const std::uint32_t field : order_) {
        const auto found = std::find_if(attributes_.begin(), attributes_.end(),
                                        [&](const Attribute& attribute) { return attribute.field == field; });
        if (found != attributes_.end())
            unused(*found);
        else if (next_again < again_.size() && again_[next_again].field == field)
            in_order_.push_back(again_[next_again++]);
    }
    for (Attribute& attribute : attributes_)
        if (attribute.field != none) unused(attribute);
    in_order_.insert(in_order_.end(), again_.begin() + static_cast<std::ptrdiff_t>(next_again), again_.end());
    attributes_.swap(in_order_);
}

/// Writes the open interval, whose attributes are complete.
void IntervalRaising::append_open(Batch& out) {
    if (!order_.empty() || !again_.empty()) append_in_order();
    if (open_.id == expected_ && open_.id < held_from_) {
        ++expected_;
        out.interval(open_.target, open_.begin, open_.duration, attributes_);
    } else {
        held_.clear();
        sorter_.add(key_of(open_.id), 0, held_, held_.interval(open_.target, open_.begin, open_.duration, attributes_));
    }
    open_.target = none;
}

/// Writes a relation at its position among the intervals, if this position was stated.
void IntervalRaising::relate(const Batch& in, const Record& record, const Meaning& meaning, Batch& out) {
    if (!meaning.positioned) return pass(in, record, meaning, out);
    const std::uint64_t position = in.cells(record).back();
    held_.clear();
    held_.event(record.track, record.time, in.cells(record).first(in.cells(record).size() - 1));
    if (position == expected_ && position <= held_from_) {
        pass(held_, held_.records()[0], meaning, out);
        return;
    }
    held_from_ = std::min(held_from_, position);
    Batch& raised = raised_;
    raised.clear();
    pass(held_, held_.records()[0], meaning, raised);
    sorter_.add(key_before(position), 0, raised, raised.records()[0]);
}

void IntervalRaising::pass(const Batch& in, const Record& record, const Meaning& meaning, Batch& out) {
    const Tick tick = scales_[meaning.target].tick(record.time);
    switch (meaning.content) {
        case Meaning::Content::note:
            out.note(meaning.target, tick, source_.text(static_cast<StringId>(in.cells(record)[0])));
            return;
        case Meaning::Content::native:
            bytes_.clear();
            append_bytes_of_hex(source_.text(static_cast<StringId>(in.cells(record)[0])), bytes_);
            out.native(meaning.target, tick, bytes_);
            return;
        default:
            break;
    }
    Record& copy = out.copy(in, record, meaning.target);
    copy.time = tick;
    copy.flags &= record_property;
    if (meaning.content == Meaning::Content::relation) copy.kind = Kind::relation;
    if (record.kind == Kind::event) {
        const std::span<std::uint64_t> cells = out.mutable_cells(copy);
        for (std::size_t i = 0; i < cells.size() && i < meaning.text.size(); ++i)
            if (meaning.text[i]) cells[i] = translate_(static_cast<StringId>(cells[i]));
    } else if (record.kind == Kind::set) {
        const std::vector<bool>& text = is_property(record) ? meaning.text_properties : meaning.text;
        if (record.field < text.size() && text[record.field])
            copy.value = translate_(static_cast<StringId>(record.value));
    }
}

void IntervalRaising::begin_rows(const Batch& in, const Record& record, const Meaning& meaning) {
    const std::span<const std::uint64_t> cells = in.cells(record);
    rows_.target = meaning.target;
    rows_.time = scales_[meaning.target].tick(record.time);
    rows_.left = cells.back();
    rows_.cells.clear();
    for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
        const bool text = i < meaning.text.size() && meaning.text[i];
        rows_.cells.push_back(text ? translate_(static_cast<StringId>(cells[i])) : cells[i]);
    }
}

/// Adds a row to the preceding event.
void IntervalRaising::row(const Batch& in, const Record& record, const Meaning& meaning, Batch& out) {
    if (rows_.target != meaning.target) return misfit(record);
    const std::span<const std::uint64_t> cells = in.cells(record);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool text = i < meaning.text.size() && meaning.text[i];
        rows_.cells.push_back(text ? translate_(static_cast<StringId>(cells[i])) : cells[i]);
    }
    if (--rows_.left == 0) append_rows(out);
}

/// Writes the event whose rows were collected.
void IntervalRaising::append_rows(Batch& out) {
    if (rows_.left != 0)
        losses_.count(
            Loss::part_dropped, schema_.tracks()[rows_.target].name,
            [&] { return "rows of the event at " + std::to_string(rows_.time); }, rows_.left);
    out.event(rows_.target, rows_.time, rows_.cells);
    rows_.target = none;
}

bool IntervalRaising::finish(Batch& out) {
    if (open_.target != none) append_open(out);
    if (rows_.target != none) append_rows(out);
    const std::size_t first = out.records().size();
    places_.clear();
    const bool more = sorter_.give(out, places_);
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const std::uint64_t id = places_[i].key / 2;
        if (places_[i].key == key_before(id)) continue;  // a relation
        const std::string& stream = schema_.tracks()[out.records()[first + i].track].name;
        if (id < expected_)
            losses_.count(Loss::order_changed, stream,
                          [&] { return "interval " + std::to_string(id) + " occurs twice"; });
        else if (id > expected_)
            losses_.count(Loss::part_dropped, stream, [&] {
                return counted(id - expected_, "interval") + " before interval " + std::to_string(id) + " are missing";
            });
        expected_ = std::max(expected_, id + 1);
    }
    return more;
}

}  // namespace hwtrace

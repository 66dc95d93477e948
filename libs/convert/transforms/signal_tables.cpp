#include "convert/transforms/signal_tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <utility>

#include "convert/transforms/interval_mark.hpp"
#include "domain/conventions.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::uint64_t most_labels = 255;  // µScope's limit per enum

/// Returns true if µScope can hold the enum.
bool fits(const Enum& enumeration) noexcept {
    return enumeration.values.size() <= most_labels &&
           std::all_of(enumeration.values.begin(), enumeration.values.end(),
                       [](const EnumValue& one) { return one.value <= most_labels; });
}

/// Returns the mark of a source, with the enums that do not fit.
SignalMark mark_of(const Schema& source) {
    SignalMark mark = signals_in(source, SignalMark::Form::tables);
    for (EnumId id = 0; id < source.enums().size(); ++id)
        if (!fits(source.enums()[id])) mark.labels.push_back({id, source.enums()[id].values});
    return mark;
}

bool is_wide(const SignalMark& mark, EnumId enumeration) {
    return std::ranges::find(mark.labels, enumeration, &SignalMark::Labels::enumeration) != mark.labels.end();
}

/// How the labels of a field's enum are stored.
enum class LabelForm : std::uint8_t {
    none,   ///< there are no labels
    codes,  ///< as values of the enum
    texts,  ///< as texts, because µScope cannot hold the enum
};

LabelForm labels_of(const Schema& lowered, const SignalMark& mark, const Field& field) {
    if (field.type != Type::enumeration || field.enumeration >= lowered.enums().size()) return LabelForm::none;
    if (is_wide(mark, field.enumeration)) return LabelForm::texts;
    return lowered.enums()[field.enumeration].values.empty() ? LabelForm::none : LabelForm::codes;
}

/// Returns the type of the column or event field for values of type `type`. Enum values become numbers.
Type plain_type(Type type) noexcept {
    return type == Type::blob ? Type::text : type == Type::enumeration ? Type::u64 : event_type(type);
}

/// The tracks for a signal with these fields: the storage first, then its events in order.
struct Layout {
    std::vector<Track> tracks;
    std::vector<std::size_t> element;            ///< by field: index of its event in `tracks`; 0: the field is a column
    std::vector<SignalTables::Column> columns;   ///< by field
    std::vector<std::uint32_t> field_of_column;  ///< by column of values
    std::uint16_t members = 0, masks = 0, count = 0, mark = 0;
    bool has_order = false, has_arrays = false;
};

Layout layout_of(const Schema& lowered, const SignalMark& mark, ScopeId scope, std::string_view name, TimeBase time,
                 std::span<const Field> fields) {
    Layout layout;
    Track table = make_track(Track::Kind::storage, scope, name, time);
    table.slots = 1;
    table.sparse = true;
    layout.tracks.push_back({});
    std::set<std::string, std::less<>> taken;  // names of columns
    const auto add_column = [&](std::string column, Type type, EnumId enumeration, std::uint32_t number) {
        const std::string stem = column + "." + std::string(name_of(fields[number].type));
        for (std::size_t i = 1; !taken.insert(column).second; ++i)
            column = stem + (i == 1 ? "" : std::to_string(i));
        table.fields.push_back(Field{std::move(column), type, enumeration});
        layout.field_of_column.push_back(number);
        return static_cast<std::uint16_t>(table.fields.size() - 1);
    };
    for (std::uint32_t number = 0; number < fields.size(); ++number) {
        const Field& field = fields[number];
        SignalTables::Column& column = layout.columns.emplace_back();
        const LabelForm labels = labels_of(lowered, mark, field);
        layout.element.push_back(0);
        if (field.repeated) {
            layout.element.back() = layout.tracks.size();
            std::vector<Field> cells{{field.name, labels == LabelForm::none ? plain_type(field.type) : Type::text}};
            if (labels != LabelForm::none)
                cells.push_back(Field{field.name + std::string(names::number_suffix), Type::u64});
            layout.tracks.push_back(make_track(Track::Kind::event_type, scope,
                                               std::string(name).append(".").append(field.name), time,
                                               std::move(cells)));
        } else if (labels != LabelForm::none) {
            const bool are_codes = labels == LabelForm::codes;
            column.value = add_column(field.name, are_codes ? Type::enumeration : Type::text,
                                      are_codes ? field.enumeration : none, number);
            column.number = add_column(field.name + std::string(names::number_suffix), Type::u64, none, number);
        } else {
            column.value = add_column(field.name, plain_type(field.type), none, number);
        }
    }
    layout.has_arrays = layout.tracks.size() > 1;
    const auto own_column = [&](std::string_view column, Type type) {
        table.fields.push_back(Field{std::string(column), type});
        return static_cast<std::uint16_t>(table.fields.size() - 1);
    };
    const std::size_t columns = table.fields.size();
    if (columns > 1 || fields.empty() || (columns == 1 && layout.has_arrays)) {
        constexpr std::size_t bits = SignalTables::mask_bits;
        layout.masks = static_cast<std::uint16_t>(std::max((columns + bits - 1) / bits, std::size_t{1}));
        layout.members = static_cast<std::uint16_t>(columns);
        for (std::size_t i = 0; i < layout.masks; ++i)
            own_column(std::string(names::signal_members).append(i == 0 ? "" : std::to_string(i + 1)), Type::u64);
    }
    // If all fields have the same name, masks are not needed, because each value replaces the previous one.
    const bool has_members = std::ranges::any_of(
        fields, [&](const Field& field) { return field.repeated || field.name != fields.front().name; });
    if (fields.size() > 1 && has_members) {
        layout.has_order = true;
        layout.tracks.push_back(make_track(Track::Kind::event_type, scope,
                                           std::string(name).append(names::order_suffix), time,
                                           {Field{std::string(names::attribute_order), Type::text}}));
    }
    if (layout.has_arrays) layout.count = own_column(names::signal_elements, Type::u32);
    layout.mark = own_column(names::signal_mark, Type::u8);
    layout.tracks.front() = std::move(table);
    return layout;
}

Record& with_flags(Record& made, const Record& of) {
    made.flags = static_cast<std::uint8_t>(of.flags & (record_first_of_frame | record_restated));
    return made;
}

}  // namespace

// --- from signals to storages ----------------------------------------------------------------------------------------

SignalTables::SignalTables(const Schema& source, Losses& losses)
    : source_(source), losses_(losses), copies_(source, schema_) {
    const SignalMark mark = mark_of(source);
    declare_objects(source, schema_, [&](EnumId id) {
        return is_wide(mark, id) ? Enum{source.enums()[id].name, {}} : source.enums()[id];
    });
    describe_signals(source, mark, schema_);
    for (EnumId id = 0; id < source.enums().size(); ++id) {
        const Enum& enumeration = source.enums()[id];
        Labels& labels = labels_.emplace_back();
        labels.are_texts = is_wide(mark, id);
        labels.values = labelled_values(enumeration);
        for (std::size_t i = 0; i < enumeration.values.size(); ++i)
            if (const std::uint64_t value = enumeration.values[i].value;
                std::ranges::binary_search(labels.values, value))
                labels.by_value.emplace(value, Labels::Label{i, none});
        if (labels.are_texts) continue;
        labels.values.clear();
        for (const EnumValue& one : enumeration.values)
            labels.values.push_back(one.value);
        std::ranges::sort(labels.values);
    }
    for (const Track& track : source.tracks())
        declare(track, mark);
}

bool SignalTables::narrows(const Schema& source, const Track& track) noexcept {
    const auto is_wide_one = [&](const Field& field) {
        return field.enumeration < source.enums().size() && !fits(source.enums()[field.enumeration]);
    };
    return track.kind != Track::Kind::signal &&
           (std::ranges::any_of(track.fields, is_wide_one) || std::ranges::any_of(track.properties, is_wide_one));
}

void SignalTables::declare(const Track& track, const SignalMark& mark) {
    Signal& signal = signals_.emplace_back();
    targets_.push_back(none);
    if (track.kind != Track::Kind::signal) {
        Track same = track;
        for (std::vector<Field>* fields : {&same.fields, &same.properties})
            for (Field& field : *fields)
                if (is_wide(mark, field.enumeration)) {
                    field.type = Type::u64;
                    field.enumeration = none;
                    losses_.count(Loss::type_changed, track.name, [&] { return "field " + field.name; });
                }
        targets_.back() = schema_.declare(std::move(same));
        return;
    }
    Layout layout = layout_of(schema_, mark, track.scope, track.name, track.time, track.fields);
    layout.tracks.front().native_id = track.native_id;
    std::vector<TrackId> ids;
    for (Track& made : layout.tracks)
        ids.push_back(schema_.declare(std::move(made)));
    signal.table = ids.front();
    if (layout.has_order) signal.order = ids.back();
    for (const std::size_t element : layout.element)
        signal.elements.push_back(element == 0 ? none : ids[element]);
    signal.columns = std::move(layout.columns);
    signal.members = layout.members;
    signal.count = layout.count;
    signal.mark = layout.mark;
    signal.has_arrays = layout.has_arrays;
    signal.masks.assign(layout.masks, 0);
}

void SignalTables::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        if (record.kind == Kind::change)
            lower(in, record, signals_[record.track], out);
        else
            copies_.copy(in, record, targets_[record.track], out);
    }
}

void SignalTables::lower(const Batch& in, const Record& record, Signal& signal, Batch& out) {
    const std::size_t first = out.records().size();
    const bool has_value = (record.flags & record_no_value) == 0;
    if (has_value && !take_values(in, record, signal)) return;
    if (has_value && !is_sorted_) {
        if (signal.order != none)
            append_order(record, signal, out);
        else
            losses_.count(Loss::order_changed, source_.tracks()[record.track].name,
                          [&] { return "values at " + std::to_string(record.time); });
    }
    if (record.value != signal.marked) out.set(signal.table, record.time, 0, signal.mark, record.value);
    signal.marked = record.value;
    if (has_value) {
        append_values(record, signal, out);
    } else {
        out.clear_slot(signal.table, record.time, 0);
        signal.marked = 0;
        std::fill(signal.masks.begin(), signal.masks.end(), 0);
    }
    with_flags(out.mutable_records()[first], record);
}

/// Returns the column for a value. If an enum has no label for the value, this is the column for numbers.
std::uint16_t SignalTables::column_of(const Signal& signal, TrackId track, const Attribute& value) const {
    const Column& column = signal.columns[value.field];
    if (column.number == no_column) return column.value;
    const Labels& labels = labels_[source_.tracks()[track].fields[value.field].enumeration];
    return std::ranges::binary_search(labels.values, value.value) ? column.value : column.number;
}

/// Returns the label of a value as a string. A value without a label of its own gets an empty string.
StringId SignalTables::label_of(EnumId enumeration, std::uint64_t value) {
    const auto found = labels_[enumeration].by_value.find(value);
    if (found == labels_[enumeration].by_value.end()) return schema_.intern({});
    Labels::Label& label = found->second;
    if (label.text == none) label.text = schema_.intern(source_.enums()[enumeration].values[label.index].name);
    return label.text;
}

std::uint64_t SignalTables::cell_of(const Field& field, const Column& column, std::uint16_t chosen,
                                    std::uint64_t value) {
    const bool is_label = column.number != no_column && chosen == column.value;
    if (is_label && labels_[field.enumeration].are_texts) return label_of(field.enumeration, value);
    return copies_.cell_with_digits(field, value);
}

void SignalTables::append_element(const Record& record, const Field& field, TrackId event, std::uint64_t value,
                                  Batch& out) {
    if (schema_.tracks()[event].fields.size() == 1) {
        const std::uint64_t cell = copies_.cell_with_digits(field, value);
        out.event(event, record.time, std::span(&cell, 1));
        return;
    }
    const std::array<std::uint64_t, 2> cells{label_of(field.enumeration, value), value};
    out.event(event, record.time, cells);
}

/// Fills values_ in field order, masks_, and order_text_ if the source has another order. Returns false if a storage
/// can represent none of the values.
bool SignalTables::take_values(const Batch& in, const Record& record, const Signal& signal) {
    const auto lost = [&](std::string_view what) {
        losses_.count(Loss::part_dropped, source_.tracks()[record.track].name,
                      [&] { return std::string(what).append(" at ").append(std::to_string(record.time)); });
    };
    values_.clear();
    is_sorted_ = true;
    stated_.assign(signal.columns.size(), false);
    masks_.assign(signal.masks.size(), 0);
    for (const Attribute& value : in.attributes(record)) {
        if (value.field >= signal.columns.size()) {
            lost("a value without a field");
            continue;
        }
        if (signal.elements[value.field] == none) {
            const std::size_t column = column_of(signal, record.track, value);
            const std::uint64_t bit = std::uint64_t{1} << column % mask_bits;
            if (stated_[value.field]) {
                lost("another value of the same field");
                continue;
            }
            stated_[value.field] = true;
            if (!masks_.empty()) masks_[column / mask_bits] |= bit;
        }
        is_sorted_ = is_sorted_ && (values_.empty() || values_.back().field <= value.field);
        values_.push_back(value);
    }
    if (!is_sorted_) {
        order_text_.clear();
        for (const Attribute& value : values_)
            order_text_.append(order_text_.empty() ? "" : " ").append(std::to_string(value.field));
        std::ranges::stable_sort(values_, {}, &Attribute::field);
    }
    if (values_.empty() && masks_.empty() && !signal.has_arrays) {
        lost("a change without a value");
        return false;
    }
    return true;
}

void SignalTables::append_order(const Record& record, const Signal& signal, Batch& out) {
    const std::uint64_t cell = schema_.intern(order_text_);
    out.event(signal.order, record.time, std::span(&cell, 1));
}

void SignalTables::append_values(const Record& record, Signal& signal, Batch& out) {
    const std::vector<Field>& fields = source_.tracks()[record.track].fields;
    const bool is_empty = std::all_of(masks_.begin(), masks_.end(), [](std::uint64_t mask) { return mask == 0; });
    if (masks_ != signal.masks || (is_empty && !signal.has_arrays))
        for (std::size_t i = 0; i < masks_.size(); ++i)
            out.set(signal.table, record.time, 0, static_cast<std::uint16_t>(signal.members + i), masks_[i]);
    signal.masks = masks_;
    std::uint64_t elements = 0;
    for (const Attribute& value : values_) {
        if (signal.elements[value.field] == none) {
            const std::uint16_t column = column_of(signal, record.track, value);
            out.set(signal.table, record.time, 0, column,
                    cell_of(fields[value.field], signal.columns[value.field], column, value.value));
        } else {
            ++elements;
        }
    }
    if (!signal.has_arrays) return;
    out.set(signal.table, record.time, 0, signal.count, elements);
    for (const Attribute& value : values_) {
        if (const TrackId event = signal.elements[value.field]; event != none)
            append_element(record, fields[value.field], event, value.value, out);
    }
}

// --- from storages to signals ----------------------------------------------------------------------------------------

namespace {

/// Returns true if the tracks are equal except for the native id.
bool is_like(const Track& track, const Track& expected) {
    Track same = track;
    same.native_id = expected.native_id;
    return same == expected;
}

/// Returns the number of tracks for the signal at `first`, or 0 if there is no such signal.
std::size_t tracks_of(const Schema& schema, const SignalMark& mark, const SignalMark::SourceTrack& track,
                      TrackId first) {
    if (first >= schema.tracks().size()) return 0;
    const Track& table = schema.tracks()[first];
    const Layout layout = layout_of(schema, mark, table.scope, table.name, table.time, track.fields);
    if (layout.tracks.size() > schema.tracks().size() - first || table.time != track.time) return 0;
    for (std::size_t i = 0; i < layout.tracks.size(); ++i)
        if (!is_like(schema.tracks()[first + i], layout.tracks[i])) return 0;
    return layout.tracks.size();
}

}  // namespace

bool SignalsOfTables::is_lowered(const Schema& source) {
    const std::optional<SignalMark> mark = signal_mark_of(source);
    if (!mark || mark->form != SignalMark::Form::tables) return false;
    for (const SignalMark::SourceTrack& track : mark->tracks)
        if (track.kind && track.kind != Track::Kind::signal) return false;
    std::size_t next = 0;
    for (const SignalMark::SourceTrack& track : mark->tracks) {
        const std::size_t count = track.kind ? tracks_of(source, *mark, track, static_cast<TrackId>(next)) : 1;
        if (count == 0 || count > source.tracks().size() - next) return false;
        next += count;
    }
    return next == source.tracks().size();
}

SignalsOfTables::SignalsOfTables(const Schema& source, Losses& losses)
    : source_(source), losses_(losses), copies_(source, schema_) {
    const std::optional<SignalMark> mark = signal_mark_of(source);
    if (!mark || !is_lowered(source)) fail(Failure::internal, "the trace to be raised was not made from signals");
    declare_objects(source, schema_, [&](EnumId id) {
        Enum enumeration = source.enums()[id];
        const auto found = std::ranges::find(mark->labels, id, &SignalMark::Labels::enumeration);
        if (found != mark->labels.end()) enumeration.values = found->values;
        return enumeration;
    });
    describe_raised(source, schema_);
    values_of_labels_.resize(schema_.enums().size());
    for (const SignalMark::Labels& labels : mark->labels)
        if (labels.enumeration < values_of_labels_.size())
            for (const EnumValue& one : labels.values)
                values_of_labels_[labels.enumeration].emplace(one.name, one.value);
    meanings_.resize(source.tracks().size());
    TrackId next = 0;
    for (const SignalMark::SourceTrack& track : mark->tracks) {
        if (track.kind) {
            next = declare(*mark, track, next);
        } else {
            meanings_[next].target = schema_.declare(source.tracks()[next]);
            ++next;
        }
    }
}

TrackId SignalsOfTables::declare(const SignalMark& mark, const SignalMark::SourceTrack& track, TrackId first) {
    const Track& table = source_.tracks()[first];
    const Layout layout = layout_of(source_, mark, table.scope, table.name, table.time, track.fields);
    const auto number = static_cast<std::uint32_t>(signals_.size());
    Signal& signal = signals_.emplace_back();
    signal.members = layout.members;
    signal.count = layout.count;
    signal.mark = layout.mark;
    signal.has_arrays = layout.has_arrays;
    signal.masks.assign(layout.masks, 0);
    Track raised = make_track(Track::Kind::signal, table.scope, table.name, track.time, track.fields);
    raised.native_id = track.native_id;
    for (Field& field : raised.fields)
        if (field.enumeration != none && field.enumeration >= source_.enums().size()) field.enumeration = none;
    signal.target = schema_.declare(std::move(raised));
    for (std::size_t i = 0; i < layout.tracks.size(); ++i) {
        Meaning& meaning = meanings_[first + i];
        meaning.signal = number;
        meaning.content = i == 0 ? Meaning::Content::table : Meaning::Content::element;
    }
    if (layout.has_order) meanings_[first + layout.tracks.size() - 1].content = Meaning::Content::order;
    signal.fields = layout.field_of_column;
    for (std::uint32_t field = 0; field < track.fields.size(); ++field)
        if (layout.element[field] != 0) meanings_[first + layout.element[field]].field = field;
    return first + static_cast<TrackId>(layout.tracks.size());
}

void SignalsOfTables::misfit(const Record& record) {
    losses_.count(Loss::kind_dropped, source_.tracks()[record.track].name,
                  [&] { return std::string(name_of(record.kind)).append(" at ").append(std::to_string(record.time)); });
}

void SignalsOfTables::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        const Meaning& meaning = meanings_[record.track];
        switch (meaning.content) {
            case Meaning::Content::other:
                copies_.copy(in, record, meaning.target, out);
                break;
            case Meaning::Content::table:
                operate(record, signals_[meaning.signal], out);
                break;
            case Meaning::Content::element:
                element(in, record, meaning, out);
                break;
            case Meaning::Content::order:
                order(in, record, signals_[meaning.signal]);
                break;
        }
    }
}

void SignalsOfTables::operate(const Record& record, Signal& signal, Batch& out) {
    const bool is_ours = record.ref == 0 && !is_property(record);
    if (is_ours && record.kind == Kind::set) return set(record, signal, out);
    if (!is_ours || record.kind != Kind::clear) return misfit(record);
    signal.values.clear();
    signal.has_order = false;
    put(record, signal, out);
    signal.marked = 0;
    signal.elements_left = 0;
    std::fill(signal.masks.begin(), signal.masks.end(), 0);
}

/// Returns the value that a set record of a field states. None if it is a text that is no label.
std::optional<std::uint64_t> SignalsOfTables::value_of(const Record& record, const Field& type) {
    const bool is_label =
        type.type == Type::enumeration && source_.tracks()[record.track].fields[record.field].type == Type::text;
    if (!is_label) return copies_.cell_of_digits(type, record.value);
    if (type.enumeration >= values_of_labels_.size()) return std::nullopt;
    const auto& values = values_of_labels_[type.enumeration];
    const auto found = values.find(std::string(source_.text(static_cast<StringId>(record.value))));
    return found == values.end() ? std::nullopt : std::optional(found->second);
}

void SignalsOfTables::set(const Record& record, Signal& signal, Batch& out) {
    if (record.field == signal.mark) {
        signal.marked = record.value;
    } else if (record.field < signal.fields.size()) {
        const std::uint32_t field = signal.fields[record.field];
        const Field& type = schema_.tracks()[signal.target].fields[field];
        const std::optional<std::uint64_t> value = value_of(record, type);
        if (!value) return misfit(record);
        signal.values.push_back({field, *value});
        // The last member in the masks ends the change.
        std::size_t last = record.field;
        for (std::size_t i = signal.masks.size(); i-- > 0;) {
            if (signal.masks[i] == 0) continue;
            last = i * SignalTables::mask_bits + static_cast<std::size_t>(std::bit_width(signal.masks[i])) - 1;
            break;
        }
        if (!signal.has_arrays && record.field >= last) put(record, signal, out);
    } else if (!signal.masks.empty() && record.field >= signal.members &&
               std::size_t{record.field} - signal.members < signal.masks.size()) {
        signal.masks[record.field - signal.members] = record.value;
        const bool is_last = record.field - signal.members + 1u == signal.masks.size();
        const bool is_empty =
            std::all_of(signal.masks.begin(), signal.masks.end(), [](std::uint64_t mask) { return mask == 0; });
        if (is_last && is_empty && !signal.has_arrays) put(record, signal, out);
    } else if (signal.has_arrays && record.field == signal.count) {
        signal.elements_left = record.value;
        if (record.value == 0) put(record, signal, out);
    } else {
        misfit(record);
    }
}

void SignalsOfTables::element(const Batch& in, const Record& record, const Meaning& meaning, Batch& out) {
    Signal& signal = signals_[meaning.signal];
    if (signal.elements_left == 0) return misfit(record);
    const Field& type = schema_.tracks()[signal.target].fields[meaning.field];
    const std::span<const std::uint64_t> cells = in.cells(record);  // the number follows a label
    signal.values.push_back({meaning.field, copies_.cell_of_digits(type, cells.back())});
    if (--signal.elements_left == 0) put(record, signal, out);
}

/// Parses the order of the values of the next change.
void SignalsOfTables::order(const Batch& in, const Record& record, Signal& signal) {
    signal.order.clear();
    signal.has_order = true;
    std::string_view text = source_.text(static_cast<StringId>(in.cells(record)[0]));
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::optional<std::uint64_t> field = parse_digits(text.substr(0, end));
        if (!field || *field >= schema_.tracks()[signal.target].fields.size()) {
            signal.has_order = false;
            return misfit(record);
        }
        signal.order.push_back(static_cast<std::uint32_t>(*field));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// Writes the complete change. A change for a clear record has no values.
void SignalsOfTables::put(const Record& record, Signal& signal, Batch& out) {
    std::ranges::stable_sort(signal.values, {}, &Attribute::field);
    if (signal.has_order) append_in_order(signal);
    Record& change = out.change(signal.target, record.time, signal.values, signal.marked);
    change.flags = record.flags & record_restated;
    if (record.kind == Kind::clear) change.flags |= record_no_value;
    signal.values.clear();
    signal.has_order = false;
}

/// Sorts the values from field order into the stated order. Values that the order lacks are last.
void SignalsOfTables::append_in_order(Signal& signal) {
    const std::size_t fields = schema_.tracks()[signal.target].fields.size();
    next_.assign(fields, signal.values.size());
    for (std::size_t i = signal.values.size(); i-- > 0;)
        next_[signal.values[i].field] = i;
    in_order_.clear();
    for (const std::uint32_t field : signal.order) {
        const std::size_t i = next_[field];
        if (i == signal.values.size() || signal.values[i].field != field) continue;
        in_order_.push_back(signal.values[i]);
        signal.values[i].field = none;
        ++next_[field];
    }
    for (const Attribute& value : signal.values)
        if (value.field != none) in_order_.push_back(value);
    signal.values.swap(in_order_);
}

}  // namespace hwtrace

#include "convert/transforms/named_intervals.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>
#include <set>

#include "convert/model_dump.hpp"
#include "domain/conventions.hpp"
#include "domain/real_values.hpp"
#include "domain/schema_text.hpp"
#include "domain/tick_ratio.hpp"
#include "domain/utf8.hpp"
#include "domain/value_text.hpp"
#include "io/cursor.hpp"
#include "io/text_cursor.hpp"
#include "model/hash.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view scope_prefix = "core";
constexpr std::string_view bytes_prefix = "bytes:";

/// Returns the name of a track's scope. Tracks without a scope get a scope after all others.
std::string scope_name(const Schema& schema, ScopeId scope) {
    return std::string(scope_prefix) + std::to_string(scope == none ? schema.scopes().size() : scope);
}

/// Returns the unique name of each track of the source.
std::vector<std::string> track_names(const Schema& source) {
    std::vector<std::string> names;
    std::set<std::pair<ScopeId, std::string>> taken;
    for (TrackId id = 0; id < source.tracks().size(); ++id) {
        const Track& track = source.tracks()[id];
        std::string name = is_utf8(track.name) ? track.name : name_text(track.name);
        while (!taken.insert({track.scope, name}).second)
            name.append("#").append(std::to_string(id));
        names.push_back(std::move(name));
    }
    return names;
}

/// Returns which fields any value of which can be read back from its text: integers with a unique, plain name.
std::vector<bool> plain_fields(const std::vector<Field>& fields) {
    std::vector<bool> plain;
    for (const Field& field : fields)
        plain.push_back(!holds_text(field.type) && !is_real(field.type) && field.type != Type::enumeration &&
                        field.width == 0 && is_plain_name(field.name) &&
                        std::ranges::count(fields, field.name, &Field::name) == 1);
    return plain;
}

/// Reads the mark and declares the source's objects in `objects`, which must be empty. Returns the format of the
/// source, or nullopt if the mark is missing or invalid.
std::optional<std::string_view> read_mark(const Schema& schema, Schema& objects) {
    const std::string* const text = schema.metadata(conventions::named_source);
    if (text == nullptr) return std::nullopt;
    const std::size_t end = text->find(' ');
    if (end == std::string::npos) return std::nullopt;
    TextCursor at(std::string_view(*text).substr(end + 1));
    if (!read_objects(at, objects) || !NamedIntervals::takes(objects)) return std::nullopt;
    return std::string_view(*text).substr(0, end);
}

/// Parses the quoted string at the front of `text`, as append_quoted() writes it, and removes it from `text`. Returns
/// false if there is none.
bool read_quoted(std::string_view& text, std::string& value) {
    value.clear();
    if (!text.starts_with('"')) return false;
    for (std::size_t at = 1; at < text.size(); ++at) {
        if (text[at] == '"') {
            text.remove_prefix(at + 1);
            return true;
        }
        if (text[at] != '\\') {
            value += text[at];
            continue;
        }
        if (++at == text.size()) return false;
        if (text[at] == 'x') {
            unsigned code = 0;
            const char* const digits = text.data() + at + 1;
            if (text.size() - at < 3 || std::from_chars(digits, digits + 2, code, 16).ptr != digits + 2) return false;
            value += static_cast<char>(code);
            at += 2;
        } else {
            value += text[at] == 'n' ? '\n' : text[at] == 't' ? '\t' : text[at];
        }
    }
    return false;
}

/// Parses the word at the front of `text`, up to the next space or in quotes, and removes it from `text`. Returns false
/// if there is none.
bool read_word(std::string_view& text, std::string& word) {
    if (text.starts_with('"')) return read_quoted(text, word);
    const std::size_t end = std::min(text.find(' '), text.size());
    word = text.substr(0, end);
    text.remove_prefix(end);
    return end != 0;
}

template <typename Number>
bool read_all(std::string_view word, Number& number, int base) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
    return error == std::errc() && end == word.data() + word.size();
}

template <typename Float>
std::optional<Float> read_float(std::string_view word) {
    Float value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

/// Parses "0x" and hexadecimal digits. Returns false if `word` has another form.
bool read_hex(std::string_view word, std::uint64_t& value) {
    return word.starts_with("0x") && read_all(word.substr(2), value, 16);
}

bool read_natural(const Field& field, std::string_view word, std::uint64_t& cell) {
    if (word.starts_with('-')) {
        std::int64_t value = 0;
        if (!read_all(word, value, 10)) return false;
        cell = static_cast<std::uint64_t>(value);
        return true;
    }
    return read_hex(word, cell) || read_all(word, cell, field.width == 1 ? 16 : 10);
}

}  // namespace

// --- from strings to attributes --------------------------------------------------------------------------------------

bool AttributeReading::label(EnumId enumeration, std::string_view word, std::uint64_t& value) {
    const auto [known, is_new] = labels_.try_emplace(enumeration);
    if (is_new && enumeration < schema_.enums().size())
        for (const EnumValue& one : schema_.enums()[enumeration].values)
            known->second.emplace(one.name, one.value);
    const auto found = known->second.find(std::string(word));
    if (found != known->second.end()) value = found->second;
    return found != known->second.end();
}

bool AttributeReading::cell(const Field& field, std::string_view& text, std::uint64_t& cell) {
    if (holds_text(field.type) && field.type != Type::blob) {
        if (!read_quoted(text, text_)) return false;
        cell = schema_.intern(text_);
        return true;
    }
    if (!read_word(text, text_)) return false;
    const std::string_view word = text_;
    switch (field.type) {
        case Type::blob:
            if (!word.starts_with(bytes_prefix)) return false;
            append_bytes_of_hex(word.substr(bytes_prefix.size()), bytes_);
            cell = schema_.intern(as_text(bytes_));
            return true;
        case Type::enumeration:
            return label(field.enumeration, word, cell) || read_all(word, cell, 10);
        case Type::f32:
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            if (const std::size_t colon = word.find(':'); colon != std::string_view::npos)  // as in NaN:0x7ff8...
                return read_hex(word.substr(colon + 1), cell);
            if (field.type == Type::f32) {
                const auto value = read_float<float>(word);
                cell = std::bit_cast<std::uint32_t>(value.value_or(0));
                return value.has_value();
            } else {
                const auto value = read_float<double>(word);
                cell = std::bit_cast<std::uint64_t>(value.value_or(0));
                return value.has_value();
            }
        default:
            return read_natural(field, word, cell);
    }
}

bool AttributeReading::read(TrackId track, std::string_view text, std::vector<Attribute>& values) {
    values.clear();
    const std::vector<Field>& fields = schema_.tracks()[track].fields;
    if (names_.size() <= track) names_.resize(schema_.tracks().size());
    HashMap<std::string, std::uint32_t>& names = names_[track].fields;
    if (names.empty())
        for (std::uint32_t i = 0; i < fields.size(); ++i)
            names.emplace(fields[i].name, i);
    while (true) {
        std::string_view name;
        if (text.starts_with('"')) {
            if (!read_quoted(text, name_)) return false;
            name = name_;
        } else {
            name = text.substr(0, text.find('='));
            text.remove_prefix(name.size());
        }
        // Most attributes are in the order of the fields. If names recur, the first field counts.
        std::uint32_t field = values.empty() ? 0 : values.back().field + 1;
        if (names.size() != fields.size() || field >= fields.size() || fields[field].name != name) {
            const auto found = names.find(std::string(name));
            if (found == names.end()) return false;
            field = found->second;
        }
        if (!text.starts_with('=')) return false;
        text.remove_prefix(1);
        Attribute& value = values.emplace_back(Attribute{field, 0});
        if (!cell(fields[field], text, value.value)) return false;
        if (text.empty()) return true;
        if (!text.starts_with(' ')) return false;
        text.remove_prefix(1);
    }
}

// --- from attributes to strings --------------------------------------------------------------------------------------

bool NamedIntervals::takes(const Schema& schema) {
    return std::ranges::all_of(schema.tracks(), [&](const Track& track) {
        return track.kind == Track::Kind::stream && track.time == schema.tracks().front().time;
    });
}

NamedIntervals::NamedIntervals(const Schema& source, const Format& to, Losses& losses)
    : source_(source), losses_(losses), translate_(source, objects_) {
    const std::string mark = objects_text(source);
    TextCursor at(mark);
    read_objects(at, objects_);
    for (ScopeId id = 0; id <= source.scopes().size(); ++id)
        schema_.declare(Scope{scope_name(source, id), none, {}, none});
    const std::vector<std::string> names = track_names(source);
    for (TrackId id = 0; id < source.tracks().size(); ++id) {
        const Track& track = source.tracks()[id];
        const auto scope = track.scope == none ? static_cast<ScopeId>(source.scopes().size()) : track.scope;
        schema_.declare(make_track(Track::Kind::stream, scope, names[id], track.time,
                                   {Field{std::string(to.writes.holds.only_text()), Type::text}}));
        text_.push_back(text_fields(track.fields));
        plain_.push_back(plain_fields(track.fields));
    }
    for (const Metadata& fact : source.metadata())
        if (fact.key != conventions::named_source) schema_.describe(fact.key, fact.value);
    schema_.describe(std::string(conventions::named_source), std::string(to.name) + ' ' + mark);
}

void NamedIntervals::apply(const Batch& in, Batch& out) {
    make_names(in);
    std::size_t next = 0;
    for (const Record& record : in.records()) {
        const std::span<const Attribute> attributes = in.attributes(record);
        if (attributes.empty()) {
            out.interval(record.track, record.time, record.value);
            continue;
        }
        const std::string_view name = names_[next];
        out.interval(record.track, record.time, record.value, std::array{Attribute{0, ids_[next]}});
        ++next;
        if (is_readable(record, attributes, name)) [[likely]]
            continue;
        losses_.count(Loss::type_changed, source_.tracks()[record.track].name,
                      [&] { return std::string(name).append(" at ").append(std::to_string(record.time)); });
    }
}

/// Makes the names of all records with attributes.
void NamedIntervals::make_names(const Batch& in) {
    text_of_names_.clear();
    ends_.clear();
    for (const Record& record : in.records()) {
        const std::span<const Attribute> attributes = in.attributes(record);
        if (attributes.empty()) continue;
        append_attributes(source_, source_.tracks()[record.track], attributes, text_of_names_);
        ends_.push_back(text_of_names_.text().size());
    }
    names_.clear();
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
        names_.push_back(text_of_names_.text().substr(begin, end - begin));
        begin = end;
    }
    schema_.intern(names_, ids_);
}

/// Returns true if raising will restore the attributes from the name.
bool NamedIntervals::is_readable(const Record& record, std::span<const Attribute> attributes, std::string_view name) {
    const std::vector<bool>& plain = plain_[record.track];
    if (std::ranges::all_of(attributes,
                            [&](const Attribute& one) { return one.field < plain.size() && plain[one.field]; }))
        return true;
    const std::vector<bool>& text = text_[record.track];
    expected_.assign(attributes.begin(), attributes.end());
    for (Attribute& attribute : expected_)
        if (attribute.field < text.size() && text[attribute.field])
            attribute.value = translate_(static_cast<StringId>(attribute.value));
    return reading_.read(record.track, name, got_) && got_ == expected_;
}

// --- raising ---------------------------------------------------------------------------------------------------------

bool IntervalsOfNames::is_named(const Schema& schema) {
    Schema objects;
    return read_mark(schema, objects).has_value();
}

IntervalsOfNames::IntervalsOfNames(const Schema& source, Losses& losses) : source_(source), losses_(losses) {
    const std::string own = std::string(read_mark(source, schema_).value_or("")) + '.';
    // Metadata of the target format describes its file, not the trace.
    for (const Metadata& fact : source.metadata())
        if (fact.key != conventions::named_source && !fact.key.starts_with(own)) schema_.describe(fact.key, fact.value);
    const std::vector<std::string> names = track_names(schema_);
    for (TrackId id = 0; id < names.size(); ++id)
        by_name_.emplace(std::pair(scope_name(schema_, schema_.tracks()[id].scope), names[id]), id);
}

void IntervalsOfNames::meet(TrackId id) {
    for (auto next = static_cast<TrackId>(origins_.size()); next <= id; ++next) {
        const Track& track = source_.tracks()[next];
        Origin& origin = origins_.emplace_back();
        if (track.scope == none || track.kind != Track::Kind::stream) continue;
        const auto found = by_name_.find({source_.scopes()[track.scope].name, track.name});
        if (found == by_name_.end()) continue;
        const auto ticks = ticks_in(track.time, schema_.tracks()[found->second].time);
        if (!ticks) continue;
        origin = {found->second, *ticks};
    }
}

bool IntervalsOfNames::raise(const Batch& in, const Record& record, Batch& out) {
    if (record.track >= origins_.size()) meet(record.track);
    const Origin& origin = origins_[record.track];
    if (origin.target == none || record.kind != Kind::interval) return false;
    values_.clear();
    const std::span<const Attribute> attributes = in.attributes(record);
    if (attributes.size() > 1) return false;
    if (!attributes.empty()) {
        const Field& field = source_.tracks()[record.track].fields[attributes.front().field];
        if (!holds_text(field.type)) return false;
        const std::string_view text = source_.text(static_cast<StringId>(attributes.front().value));
        if (!reading_.read(origin.target, text, values_)) return false;
    }
    const Scaled begin = scale(record.time, origin.ticks);
    const auto duration = static_cast<Tick>(std::min<std::uint64_t>(record.value, std::numeric_limits<Tick>::max()));
    out.interval(origin.target, begin.value, static_cast<std::uint64_t>(scale(duration, origin.ticks).value), values_);
    return true;
}

void IntervalsOfNames::apply(const Batch& in, Batch& out) {
    for (const Record& record : in.records()) {
        if (raise(in, record, out)) continue;
        losses_.count(Loss::kind_dropped, source_.tracks()[record.track].name, [&] {
            return std::string(name_of(record.kind)).append(" at ").append(std::to_string(record.time));
        });
    }
}

}  // namespace hwtrace

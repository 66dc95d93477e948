#include "convert/transforms/signal_mark.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "domain/conventions.hpp"
#include "domain/schema_text.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view forms[] = {"tables", "held"};
constexpr std::string_view signal_kind_letters = "senb";
constexpr Track::Kind signal_kinds[] = {Track::Kind::signal, Track::Kind::event_type, Track::Kind::notes,
                                        Track::Kind::native};

void put(std::string& text, std::string_view before, std::uint64_t number) {
    text.append(before).append(std::to_string(number));
}

}  // namespace

std::string SignalMark::text() const {
    std::string text(forms[static_cast<std::size_t>(form)]);
    for (const Labels& one : labels) {
        put(text, " e", one.enumeration);
        text += '{';
        for (const EnumValue& label : one.values)
            append_label(text, label);
        text += '}';
    }
    for (std::size_t i = 0; i < scope_ids.size(); ++i) {
        text.append(i == 0 ? " ids=" : ",");
        if (scope_ids[i]) text.append(std::to_string(*scope_ids[i]));
    }
    std::size_t others = 0;
    char separator = ' ';
    const auto append_others = [&] {
        if (others == 0) return;
        text += std::exchange(separator, ',');
        put(text, "", std::exchange(others, 0));
    };
    for (const SourceTrack& track : tracks) {
        if (!track.kind) {
            ++others;
            continue;
        }
        append_others();
        text += std::exchange(separator, ',');
        for (std::size_t i = 0; i < signal_kind_letters.size(); ++i)
            if (signal_kinds[i] == *track.kind) text += signal_kind_letters[i];
        text += ':';
        append_base(text, track.time);
        if (track.native_id) put(text, "#", *track.native_id);
        append_fields(text, track.fields);
    }
    append_others();
    return text;
}

std::optional<SignalMark> SignalMark::parse(std::string_view text, std::size_t most_tracks) {
    SignalMark mark;
    TextCursor at(text);
    if (at.word(forms[1]))
        mark.form = Form::held;
    else if (!at.word(forms[0]))
        return std::nullopt;
    std::uint64_t enumeration = 0;
    // " e" without a number begins an event track.
    for (TextCursor next = at; next.word(" e") && next.number(enumeration); next = at) {
        at = next;
        if (enumeration >= none || !at.word("{")) return std::nullopt;
        Labels& one = mark.labels.emplace_back();
        one.enumeration = static_cast<EnumId>(enumeration);
        while (!at.word("}"))
            if (!read_label(at, one.values.emplace_back())) return std::nullopt;
    }
    if (at.word(" ids=")) {
        do {
            std::uint64_t id = 0;
            mark.scope_ids.push_back(at.number(id) ? std::optional(id) : std::nullopt);
        } while (at.word(","));
    }
    while (!at.ended()) {
        if (!at.word(mark.tracks.empty() ? " " : ",")) return std::nullopt;
        std::uint64_t others = 0;
        if (at.number(others)) {
            if (others == 0 || others > most_tracks - mark.tracks.size()) return std::nullopt;
            mark.tracks.resize(mark.tracks.size() + others);
            continue;
        }
        if (mark.tracks.size() == most_tracks) return std::nullopt;
        SourceTrack& track = mark.tracks.emplace_back();
        std::size_t kind = 0;
        if (!at.letter(signal_kind_letters, kind) || !at.word(":") || !read_base(at, track.time)) return std::nullopt;
        track.kind = signal_kinds[kind];
        if (std::uint64_t id = 0; at.word("#")) {
            if (!at.number(id)) return std::nullopt;
            track.native_id = id;
        }
        if (!read_fields(at, track.fields)) return std::nullopt;
    }
    return mark;
}

std::vector<std::uint64_t> labelled_values(const Enum& enumeration) {
    std::map<std::string_view, std::size_t> times;
    std::map<std::uint64_t, std::size_t> labels;
    for (const EnumValue& one : enumeration.values) {
        ++times[one.name];
        ++labels[one.value];
    }
    std::vector<std::uint64_t> values;
    for (const EnumValue& one : enumeration.values)
        if (times[one.name] == 1 && labels[one.value] == 1) values.push_back(one.value);
    std::ranges::sort(values);
    return values;
}

std::optional<SignalMark> signal_mark_of(const Schema& schema) {
    const std::string* text = schema.metadata(conventions::signal_source);
    return text == nullptr ? std::nullopt : SignalMark::parse(*text, schema.tracks().size());
}

SignalMark signals_in(const Schema& source, SignalMark::Form form) {
    SignalMark mark;
    mark.form = form;
    const bool numbered =
        std::ranges::any_of(source.scopes(), [](const Scope& scope) { return scope.native_id.has_value(); });
    if (form == SignalMark::Form::held && numbered)
        for (const Scope& scope : source.scopes())
            mark.scope_ids.push_back(scope.native_id);
    for (const Track& track : source.tracks()) {
        SignalMark::SourceTrack& fact = mark.tracks.emplace_back();
        const bool beside = track.kind == Track::Kind::event_type || track.kind == Track::Kind::notes ||
                            track.kind == Track::Kind::native;
        if (track.kind != Track::Kind::signal && !(beside && form == SignalMark::Form::held)) continue;
        fact.kind = track.kind;
        fact.time = track.time;
        fact.native_id = track.native_id;
        fact.fields = track.fields;
    }
    return mark;
}

void declare_objects(const Schema& from, Schema& to, const std::function<Enum(EnumId)>& enumeration,
                     const std::function<Scope(ScopeId)>& scope) {
    for (const Clock& clock : from.clocks())
        to.declare(clock);
    for (ScopeId id = 0; id < from.scopes().size(); ++id)
        to.declare(scope ? scope(id) : from.scopes()[id]);
    for (EnumId id = 0; id < from.enums().size(); ++id)
        to.declare(enumeration ? enumeration(id) : from.enums()[id]);
}

void declare_all_but_tracks(const Schema& from, Schema& to) {
    declare_objects(from, to);
    for (const Metadata& fact : from.metadata())
        to.describe(fact.key, fact.value);
}

void describe_signals(const Schema& from, const SignalMark& mark, Schema& to) {
    to.describe(std::string(conventions::signal_source), mark.text());
    describe_raised(from, to);
}

void describe_raised(const Schema& from, Schema& to) {
    for (const Metadata& fact : from.metadata())
        if (fact.key != conventions::signal_source) to.describe(fact.key, fact.value);
}

}  // namespace hwtrace

#include "pipeline/signal_mark.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "model/conventions.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view forms[] = {"tables", "held"};
constexpr std::string_view base_letters = "cto";
constexpr TimeBase::Kind bases[] = {TimeBase::Kind::cycles, TimeBase::Kind::seconds, TimeBase::Kind::ordinal};
constexpr std::string_view kind_letters = "sen";
constexpr Track::Kind kinds[] = {Track::Kind::signal, Track::Kind::event_type, Track::Kind::notes};
constexpr char first_type = 'a';
constexpr auto last_type = static_cast<std::uint64_t>(Type::blob);
constexpr auto last_phase = static_cast<std::uint64_t>(Phase::end);

void put(std::string& text, std::string_view before, std::uint64_t number) {
    text.append(before).append(std::to_string(number));
}

void put(std::string& text, const TimeBase& base) {
    for (std::size_t i = 0; i < base_letters.size(); ++i)
        if (bases[i] == base.kind) text += base_letters[i];
    put(text, "", base.num);
    put(text, "/", base.den);
}

void put_named(std::string& text, std::string_view name) {
    put(text, "=", name.size());
    text.append(":").append(name);
}

void put(std::string& text, const Field& field) {
    text += static_cast<char>(first_type + static_cast<int>(field.type));
    if (field.repeated) text += '*';
    if (field.width != 0) put(text, "w", field.width);
    if (field.enumeration != none) put(text, "e", field.enumeration);
    if (field.phase != Phase::unknown) put(text, "p", static_cast<std::uint64_t>(field.phase));
    put_named(text, field.name);
}

/// Takes what it reads from the front of a text; every function is false when the text does not go on so.
class Scan {
public:
    explicit Scan(std::string_view text) noexcept : text_(text) {}

    bool ended() const noexcept { return text_.empty(); }
    bool word(std::string_view expected) noexcept {
        if (!text_.starts_with(expected)) return false;
        text_.remove_prefix(expected.size());
        return true;
    }
    bool number(std::uint64_t most, std::uint64_t& value) noexcept {
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
        if (error != std::errc() || value > most) return false;
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return true;
    }
    bool base(TimeBase& base) noexcept {
        const std::size_t kind = text_.empty() ? std::string_view::npos : base_letters.find(text_.front());
        if (kind == std::string_view::npos) return false;
        text_.remove_prefix(1);
        base.kind = bases[kind];
        return number(UINT64_MAX, base.num) && word("/") && number(UINT64_MAX, base.den);
    }
    bool field(Field& field) {
        if (text_.empty() || text_.front() < first_type) return false;
        const auto type = static_cast<std::uint64_t>(text_.front() - first_type);
        if (type > last_type) return false;
        text_.remove_prefix(1);
        field.type = static_cast<Type>(type);
        field.repeated = word("*");
        std::uint64_t value = 0;
        if (word("w")) {
            if (!number(64, value)) return false;
            field.width = static_cast<std::uint8_t>(value);
        }
        if (word("e")) {
            if (!number(none, value)) return false;
            field.enumeration = static_cast<EnumId>(value);
        }
        if (word("p")) {
            if (!number(last_phase, value)) return false;
            field.phase = static_cast<Phase>(value);
        }
        return named(field.name);
    }
    bool kind(std::optional<Track::Kind>& kind) noexcept {
        const std::size_t index = text_.empty() ? std::string_view::npos : kind_letters.find(text_.front());
        if (index == std::string_view::npos) return false;
        text_.remove_prefix(1);
        kind = kinds[index];
        return true;
    }
    bool label(EnumValue& label) { return number(UINT64_MAX, label.value) && named(label.name); }

private:
    bool named(std::string& name) {
        std::uint64_t size = 0;
        if (!word("=") || !number(text_.size(), size) || !word(":") || size > text_.size()) return false;
        name = text_.substr(0, size);
        text_.remove_prefix(size);
        return true;
    }

    std::string_view text_;
};

}  // namespace

std::string SignalMark::text() const {
    std::string text(forms[static_cast<std::size_t>(form)]);
    for (const Labels& one : labels) {
        put(text, " e", one.enumeration);
        text += '{';
        for (const EnumValue& label : one.values) {
            put(text, "", label.value);
            put_named(text, label.name);
        }
        text += '}';
    }
    for (std::size_t i = 0; i < scope_ids.size(); ++i) {
        text.append(i == 0 ? " ids=" : ",");
        if (scope_ids[i]) text.append(std::to_string(*scope_ids[i]));
    }
    std::size_t others = 0;
    char separator = ' ';
    const auto put_others = [&] {
        if (others == 0) return;
        text += std::exchange(separator, ',');
        put(text, "", std::exchange(others, 0));
    };
    for (const SourceTrack& track : tracks) {
        if (!track.kind) {
            ++others;
            continue;
        }
        put_others();
        text += std::exchange(separator, ',');
        for (std::size_t i = 0; i < kind_letters.size(); ++i)
            if (kinds[i] == *track.kind) text += kind_letters[i];
        text += ':';
        put(text, track.time);
        if (track.native_id) put(text, "#", *track.native_id);
        text += '{';
        for (const Field& field : track.fields)
            put(text, field);
        text += '}';
    }
    put_others();
    return text;
}

std::optional<SignalMark> SignalMark::parse(std::string_view text, std::size_t most_tracks) {
    SignalMark mark;
    Scan at(text);
    if (at.word(forms[1]))
        mark.form = Form::held;
    else if (!at.word(forms[0]))
        return std::nullopt;
    while (at.word(" e")) {
        std::uint64_t enumeration = 0;
        if (!at.number(none - 1, enumeration) || !at.word("{")) return std::nullopt;
        Labels& one = mark.labels.emplace_back();
        one.enumeration = static_cast<EnumId>(enumeration);
        while (!at.word("}"))
            if (!at.label(one.values.emplace_back())) return std::nullopt;
    }
    if (at.word(" ids=")) {
        do {
            std::uint64_t id = 0;
            mark.scope_ids.push_back(at.number(UINT64_MAX, id) ? std::optional(id) : std::nullopt);
        } while (at.word(","));
    }
    while (!at.ended()) {
        if (!at.word(mark.tracks.empty() ? " " : ",")) return std::nullopt;
        std::uint64_t others = 0;
        if (at.number(most_tracks - mark.tracks.size(), others)) {
            if (others == 0) return std::nullopt;
            mark.tracks.resize(mark.tracks.size() + others);
            continue;
        }
        if (mark.tracks.size() == most_tracks) return std::nullopt;
        SourceTrack& track = mark.tracks.emplace_back();
        if (!at.kind(track.kind) || !at.word(":") || !at.base(track.time)) return std::nullopt;
        if (std::uint64_t id = 0; at.word("#")) {
            if (!at.number(UINT64_MAX, id)) return std::nullopt;
            track.native_id = id;
        }
        if (!at.word("{")) return std::nullopt;
        while (!at.word("}"))
            if (!at.field(track.fields.emplace_back())) return std::nullopt;
    }
    return mark;
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
        const bool beside = track.kind == Track::Kind::event_type || track.kind == Track::Kind::notes;
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

void describe_signals(const Schema& from, const SignalMark& mark, Schema& to) {
    to.describe(std::string(conventions::signal_source), mark.text());
    describe_raised(from, to);
}

void describe_raised(const Schema& from, Schema& to) {
    for (const Metadata& fact : from.metadata())
        if (fact.key != conventions::signal_source) to.describe(fact.key, fact.value);
}

}  // namespace hwtrace

#include "convert/transforms/interval_mark.hpp"

#include <algorithm>
#include <utility>

#include "io/text_cursor.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view interval_kind_letters = "senxtr";
constexpr Track::Kind kinds[] = {Track::Kind::stream, Track::Kind::event_type, Track::Kind::notes,
                                 Track::Kind::native, Track::Kind::storage,    Track::Kind::relation_type};
constexpr char positioned_relation = 'R';
constexpr char not_kept = '-';

constexpr std::string_view interval_type_letters = "lbgxupmdfo";
constexpr Type types[] = {Type::label,   Type::bits, Type::logic, Type::fixed, Type::ufixed,
                          Type::pointer, Type::time, Type::f64,   Type::f32,   Type::blob};
constexpr char own_type = '=';
constexpr unsigned renamed = 4;  // added to the number of the phase

constexpr std::string_view interval_base_letters = "cto";
constexpr TimeBase::Kind interval_bases[] = {TimeBase::Kind::cycles, TimeBase::Kind::seconds, TimeBase::Kind::ordinal};

char letter_of(const IntervalMark::SourceTrack& track) noexcept {
    if (track.kept && track.positioned) return positioned_relation;
    for (std::size_t i = 0; i < interval_kind_letters.size(); ++i)
        if (track.kept && kinds[i] == track.kind) return interval_kind_letters[i];
    return not_kept;
}

std::string text_of(const TimeBase& base) {
    std::string text;
    for (std::size_t i = 0; i < interval_base_letters.size(); ++i)
        if (interval_bases[i] == base.kind) text += interval_base_letters[i];
    return text.append(std::to_string(base.num)).append("/").append(std::to_string(base.den));
}

std::string text_of(const IntervalMark::Attribute& attribute) {
    std::string text(1, own_type);
    for (std::size_t i = 0; i < interval_type_letters.size(); ++i)
        if (attribute.type == types[i]) text[0] = interval_type_letters[i];
    const unsigned number = static_cast<unsigned>(attribute.phase) + (attribute.renamed ? renamed : 0);
    return text.append(std::to_string(number));
}

bool read(TextCursor& at, TimeBase& base) noexcept {
    std::size_t kind = 0;
    if (!at.letter(interval_base_letters, kind) || !at.number(base.num) || !at.word("/") || !at.number(base.den))
        return false;
    base.kind = interval_bases[kind];
    return true;
}

bool read(TextCursor& at, IntervalMark::Attribute& attribute) noexcept {
    std::size_t type = 0;
    if (!at.word(std::string_view(&own_type, 1))) {
        if (!at.letter(interval_type_letters, type)) return false;
        attribute.type = types[type];
    }
    std::size_t number = 0;
    if (!at.letter("01234567", number)) return false;
    attribute.phase = static_cast<Phase>(number % renamed);
    attribute.renamed = number >= renamed;
    return true;
}

}  // namespace

Type event_type(Type attribute) noexcept {
    switch (attribute) {
        case Type::label:
        case Type::bits:
        case Type::logic:
        case Type::blob:
            return Type::text;
        case Type::f32:
            return Type::u32;
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
        case Type::pointer:
        case Type::time:
            return Type::u64;
        default:
            return attribute;
    }
}

bool IntervalMark::SourceTrack::has_phases() const noexcept {
    return std::any_of(attributes.begin(), attributes.end(),
                       [](const Attribute& attribute) { return attribute.phase != Phase::unknown; });
}

std::string IntervalMark::text() const {
    std::string text = root_added ? "root=1" : "root=0";
    text.append(" clocks=").append(std::to_string(clocks));
    for (std::size_t i = 0; i < timeless_clocks.size(); ++i)
        text.append(i == 0 ? " timeless=" : ",").append(std::to_string(timeless_clocks[i]));
    text.append(" enums=").append(std::to_string(enums));
    text.append(" period=").append(std::to_string(period_ps));
    for (std::size_t i = 0; i < scope_ids.size(); ++i) {
        text.append(i == 0 ? " scopes=" : ",");
        if (scope_ids[i]) text.append(std::to_string(*scope_ids[i]));
    }
    text.append(" tracks=");
    const TimeBase* last = nullptr;
    for (const SourceTrack& track : tracks) {
        if (last != nullptr) text += ',';
        text += letter_of(track);
        if (track.lists != 0) text.append(std::to_string(track.lists));
        if (track.native_id) text.append("#").append(std::to_string(*track.native_id));
        if (!track.attributes.empty()) {
            text += '{';
            for (const Attribute& attribute : track.attributes)
                text += text_of(attribute);
            text += '}';
        }
        if (last == nullptr || *last != track.time) text.append(":").append(text_of(track.time));
        last = &track.time;
    }
    return text;
}

std::optional<IntervalMark> IntervalMark::parse(std::string_view text, std::size_t most_tracks) {
    IntervalMark mark;
    std::uint64_t root = 0;
    TextCursor at(text);
    const bool clocks =
        at.word("root=") && at.number(root) && root <= 1 && at.word(" clocks=") && at.number(mark.clocks);
    if (!clocks) return std::nullopt;
    if (at.word(" timeless=")) {
        do {
            std::uint64_t clock = 0;
            if (!at.number(clock) || clock >= mark.clocks) return std::nullopt;
            mark.timeless_clocks.push_back(clock);
        } while (at.word(","));
    }
    if (!at.word(" enums=") || !at.number(mark.enums) || !at.word(" period=") || !at.number(mark.period_ps))
        return std::nullopt;
    if (at.word(" scopes=")) {
        do {
            std::uint64_t id = 0;
            mark.scope_ids.push_back(at.number(id) ? std::optional(id) : std::nullopt);
        } while (at.word(","));
    }
    if (!at.word(" tracks=")) return std::nullopt;
    mark.root_added = root == 1;
    while (!at.ended()) {
        if (mark.tracks.size() == most_tracks || (!mark.tracks.empty() && !at.word(","))) return std::nullopt;
        SourceTrack track;
        std::size_t kind = 0;
        if (at.letter(interval_kind_letters, kind)) {
            track.kind = kinds[kind];
            if (track.kind == Track::Kind::stream || track.kind == Track::Kind::event_type) at.number(track.lists);
        } else if (at.word(std::string_view(&positioned_relation, 1))) {
            track.kind = Track::Kind::relation_type;
            track.positioned = true;
        } else if (at.word(std::string_view(&not_kept, 1))) {
            track.kept = false;
        } else {
            return std::nullopt;
        }
        if (std::uint64_t id = 0; at.word("#")) {
            if (!at.number(id)) return std::nullopt;
            track.native_id = id;
        }
        if (at.word("{"))
            while (!at.word("}"))
                if (!read(at, track.attributes.emplace_back())) return std::nullopt;
        if (!mark.tracks.empty()) track.time = mark.tracks.back().time;
        const bool own_base = at.word(":");
        if ((!own_base && mark.tracks.empty()) || (own_base && !read(at, track.time))) return std::nullopt;
        mark.tracks.push_back(std::move(track));
    }
    return mark;
}

}  // namespace hwtrace

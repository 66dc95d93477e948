#include "pipeline/interval_mark.hpp"

#include <charconv>

namespace hwtrace {

namespace {

constexpr std::string_view kind_letters = "senxtr";
constexpr Track::Kind kinds[] = {Track::Kind::stream, Track::Kind::event_type, Track::Kind::notes,
                                 Track::Kind::native, Track::Kind::storage,    Track::Kind::relation_type};
constexpr char not_kept = '-';

constexpr std::string_view base_letters = "cto";
constexpr TimeBase::Kind bases[] = {TimeBase::Kind::cycles, TimeBase::Kind::seconds, TimeBase::Kind::ordinal};

char letter_of(const IntervalMark::SourceTrack& track) noexcept {
    for (std::size_t i = 0; i < kind_letters.size(); ++i)
        if (track.kept && kinds[i] == track.kind) return kind_letters[i];
    return not_kept;
}

std::string text_of(const TimeBase& base) {
    std::string text;
    for (std::size_t i = 0; i < base_letters.size(); ++i)
        if (bases[i] == base.kind) text += base_letters[i];
    return text.append(std::to_string(base.num)).append("/").append(std::to_string(base.den));
}

/// Takes what it reads from the front of a text; every function is false when the text does not go on so.
class Scan {
public:
    explicit Scan(std::string_view text) noexcept : text_(text) {}

    bool word(std::string_view expected) noexcept {
        if (!text_.starts_with(expected)) return false;
        text_.remove_prefix(expected.size());
        return true;
    }
    bool number(std::uint64_t& value) noexcept {
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
        if (error != std::errc()) return false;
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return true;
    }
    /// One of `letters`, as its index.
    bool letter(std::string_view letters, std::size_t& index) noexcept {
        if (text_.empty()) return false;
        index = letters.find(text_.front());
        if (index == std::string_view::npos) return false;
        text_.remove_prefix(1);
        return true;
    }
    bool base(TimeBase& base) noexcept {
        std::size_t kind = 0;
        if (!letter(base_letters, kind) || !number(base.num) || !word("/") || !number(base.den)) return false;
        base.kind = bases[kind];
        return true;
    }
    bool ended() const noexcept { return text_.empty(); }

private:
    std::string_view text_;
};

}  // namespace

std::string IntervalMark::text() const {
    std::string text = root_added ? "root=1" : "root=0";
    text.append(" clocks=").append(std::to_string(clocks));
    for (std::size_t i = 0; i < timeless_clocks.size(); ++i)
        text.append(i == 0 ? " timeless=" : ",").append(std::to_string(timeless_clocks[i]));
    text.append(" enums=").append(std::to_string(enums));
    text.append(" period=").append(std::to_string(period_ps));
    text.append(" tracks=");
    const TimeBase* last = nullptr;
    for (const SourceTrack& track : tracks) {
        if (last != nullptr) text += ',';
        text += letter_of(track);
        if (track.lists != 0) text.append(std::to_string(track.lists));
        if (last == nullptr || *last != track.time) text.append(":").append(text_of(track.time));
        last = &track.time;
    }
    return text;
}

std::optional<IntervalMark> IntervalMark::parse(std::string_view text, std::size_t most_tracks) {
    IntervalMark mark;
    std::uint64_t root = 0;
    Scan at(text);
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
    const bool rest = at.word(" enums=") && at.number(mark.enums) && at.word(" period=") && at.number(mark.period_ps) &&
                      at.word(" tracks=");
    if (!rest) return std::nullopt;
    mark.root_added = root == 1;
    while (!at.ended()) {
        if (mark.tracks.size() == most_tracks || (!mark.tracks.empty() && !at.word(","))) return std::nullopt;
        SourceTrack track;
        std::size_t kind = 0;
        if (at.letter(kind_letters, kind)) {
            track.kind = kinds[kind];
            if (track.kind == Track::Kind::stream) at.number(track.lists);
        } else if (at.word(std::string_view(&not_kept, 1))) {
            track.kept = false;
        } else {
            return std::nullopt;
        }
        if (!mark.tracks.empty()) track.time = mark.tracks.back().time;
        const bool own_base = at.word(":");
        if ((!own_base && mark.tracks.empty()) || (own_base && !at.base(track.time))) return std::nullopt;
        mark.tracks.push_back(track);
    }
    return mark;
}

}  // namespace hwtrace

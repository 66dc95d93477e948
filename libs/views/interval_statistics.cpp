#include "views/interval_statistics.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "domain/protocols.hpp"

namespace hwtrace {

namespace {

constexpr unsigned class_bits = 6;  // 64 classes per power of two
constexpr std::size_t class_count = (64 - class_bits + 1) << class_bits;

/// Returns the class of a length. Each length below 64 has its own class. Longer lengths share a class if they have the
/// same bit width and the same highest 7 bits.
std::size_t class_of(std::uint64_t length) noexcept {
    const auto width = static_cast<unsigned>(std::bit_width(length));
    if (width <= class_bits) return static_cast<std::size_t>(length);
    const unsigned shift = width - class_bits - 1;
    return static_cast<std::size_t>((std::uint64_t{shift} << class_bits) + (length >> shift));
}

/// Returns the smallest length of a class.
std::uint64_t least_of(std::size_t number) noexcept {
    constexpr std::size_t first_wide = std::size_t{2} << class_bits;
    if (number < first_wide) return number;
    const std::size_t shift = (number >> class_bits) - 1;
    return static_cast<std::uint64_t>(number - (shift << class_bits)) << shift;
}

}  // namespace

void LengthCounts::add(std::uint64_t length, std::uint64_t times) {
    if (count_ == 0) only_ = length;
    if (has_one() && length != only_) lengths_.emplace(only_, count_);
    if (!exact())
        classes_[class_of(length)] += times;
    else if (!lengths_.empty())
        lengths_[length] += times;
    count_ += times;
    if (lengths_.size() > most_lengths) use_classes();
}

void LengthCounts::use_classes() {
    if (!exact()) return;
    classes_.resize(class_count);
    if (lengths_.empty()) classes_[class_of(only_)] = count_;
    for (const auto& [length, times] : lengths_)
        classes_[class_of(length)] += times;
    lengths_.clear();
}

void LengthCounts::add(const LengthCounts& other) {
    if (other.count_ == 0) return;
    if (other.has_one()) return add(other.only_, other.count_);
    for (const auto& [length, times] : other.lengths_)
        add(length, times);
    if (other.exact()) return;
    use_classes();
    for (std::size_t i = 0; i < class_count; ++i)
        classes_[i] += other.classes_[i];
    count_ += other.count_;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> LengthCounts::sorted() const {
    if (count_ == 0) return {};
    if (has_one()) return {{only_, count_}};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> result(lengths_.begin(), lengths_.end());
    std::ranges::sort(result);
    for (std::size_t i = 0; i < classes_.size(); ++i)
        if (classes_[i] != 0) result.emplace_back(least_of(i), classes_[i]);
    return result;
}

std::uint64_t LengthCounts::at_rank(std::uint64_t rank) const {
    if (has_one()) return only_;
    std::uint64_t passed = 0;
    for (const auto& [length, times] : sorted())
        if ((passed += times) >= rank) return length;
    return 0;
}

std::uint64_t LengthCounts::percentile(unsigned percent) const {
    __extension__ using Wide = unsigned __int128;
    return at_rank(std::max<std::uint64_t>(1, static_cast<std::uint64_t>((Wide{count_} * percent + 99) / 100)));
}

void IntervalStatisticsMeter::Tally::merge(const Tally& other) {
    if (other.summary.count == 0) return;
    const bool first = summary.count == 0;
    summary.count += other.summary.count;
    summary.first = first ? other.summary.first : std::min(summary.first, other.summary.first);
    summary.last = first ? other.summary.last : std::max(summary.last, other.summary.last);
    summary.shortest = first ? other.summary.shortest : std::min(summary.shortest, other.summary.shortest);
    summary.longest = std::max(summary.longest, other.summary.longest);
    lengths.add(other.lengths);
}

IntervalSummary IntervalStatisticsMeter::Tally::finished() const {
    IntervalSummary result = summary;
    result.median = std::max(lengths.median(), summary.shortest);
    result.exact_median = lengths.exact();
    return result;
}

void IntervalStatisticsMeter::add(const Batch& batch) {
    for (const Record& record : batch.records()) {
        if (record.kind != Kind::interval) continue;
        Tally& tally = tallies_[record.track];
        IntervalSummary& summary = tally.summary;
        const WideTick begin = exact_begin(schema_, batch, record);
        const WideTick end = begin + WideTick{record.value};
        const bool first = summary.count++ == 0;
        summary.first = first ? begin : std::min(summary.first, begin);
        summary.last = first ? end : std::max(summary.last, end);
        summary.shortest = first ? record.value : std::min(summary.shortest, record.value);
        summary.longest = std::max(summary.longest, record.value);
        tally.lengths.add(record.value);
        for (const Attribute& attribute : batch.attributes(record)) {
            if (attribute.field >= tally.attributes.size())
                tally.attributes.resize(schema_.tracks()[record.track].fields.size());
            ++tally.attributes[attribute.field];
        }
    }
}

std::optional<IntervalStatistics> IntervalStatisticsMeter::result() const {
    IntervalStatistics result;
    std::map<ScopeId, Tally> scopes;
    for (TrackId id = 0; id < schema_.tracks().size(); ++id) {
        const Track& track = schema_.tracks()[id];
        if (track.kind != Track::Kind::stream) continue;
        const Tally& tally = tallies_.of(id);
        IntervalStatistics::OfTrack& of_track = result.tracks.emplace_back();
        of_track.scope = path_of(schema_, track.scope);
        of_track.name = track.name;
        of_track.summary = tally.finished();
        for (std::size_t i = 0; i < track.fields.size(); ++i)
            of_track.attributes.push_back({track.fields[i].name, track.fields[i].phase, track.fields[i].type,
                                           i < tally.attributes.size() ? tally.attributes[i] : 0});
        scopes[track.scope].merge(tally);
    }
    if (result.tracks.empty()) return std::nullopt;
    for (const auto& [scope, tally] : scopes)
        result.scopes.push_back({path_of(schema_, scope), tally.finished()});
    return result;
}

}  // namespace hwtrace

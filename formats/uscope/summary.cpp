#include "summary.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "domain/conventions.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"

namespace hwtrace::uscope {

namespace {

constexpr std::uint32_t fan_out = 4;
constexpr unsigned first_shift = 10;  // 1024 cycles
constexpr unsigned last_shift = 31;   // the base interval is 32 bits wide
constexpr std::size_t most_buckets_each = std::size_t{1} << 18;
constexpr std::size_t most_buckets_in_all = std::size_t{1} << 19;  // at most 12 MiB; touching pages costs time
constexpr std::size_t bucket_size = 24;

template <typename T>
std::uint32_t count_of(const std::vector<T>& values) noexcept {
    return static_cast<std::uint32_t>(values.size());
}

std::vector<std::uint32_t> merged_density(const std::vector<std::uint32_t>& level, std::size_t group) {
    std::vector<std::uint32_t> next((level.size() + group - 1) / group);
    for (std::size_t i = 0; i < level.size(); ++i) {
        const std::uint64_t sum = std::uint64_t{next[i / group]} + level[i];
        next[i / group] = static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, 0xFFFF'FFFF));
    }
    return next;
}

/// Appends values to an output in pieces of limited size.
class Pieces {
public:
    explicit Pieces(Output& out) : out_(out) {}

    template <typename T>
    void le(T value) {
        piece_.le(value);
    }
    void text(std::string_view text) { piece_.text(text); }
    /// Appends the number of buckets of a level, then the buckets.
    void level(const std::vector<std::uint32_t>& counts) {
        piece_.le(count_of(counts));
        for (const std::uint32_t count : counts) {
            piece_.le(count);
            if (piece_.size() >= largest) flush();
        }
    }
    void level(const std::vector<SummaryBucket>& buckets) {
        piece_.le(count_of(buckets));
        for (const SummaryBucket& bucket : buckets) {
            piece_.le(bucket.min);
            piece_.le(bucket.max);
            piece_.le(bucket.sum);
            if (piece_.size() >= largest) flush();
        }
    }
    void flush() {
        out_.append(piece_.span());
        piece_.clear();
    }

private:
    static constexpr std::size_t largest = std::size_t{64} << 10;

    Output& out_;
    Appender piece_;
};

std::uint32_t levels_over(std::size_t buckets) noexcept {
    std::uint32_t levels = 1;
    for (; buckets > 1; buckets = (buckets + fan_out - 1) / fan_out)
        ++levels;
    return levels;
}

}  // namespace

InstructionField find_instruction_field(const Schema& schema) noexcept {
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const Track& track = schema.tracks()[id];
        if (track.kind != Track::Kind::storage || !track.sparse || track.buffer) continue;
        for (std::size_t field = 0; field < track.fields.size(); ++field)
            if (track.fields[field].name == conventions::entity_id) return {id, static_cast<std::uint16_t>(field)};
    }
    return {};
}

SummaryBuilder::SummaryBuilder(const Schema& schema, std::uint64_t period_ps)
    : period_(period_ps == 0 ? 1000 : period_ps), shift_(first_shift) {
    counter_of_.resize(schema.tracks().size(), none);
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const Track& track = schema.tracks()[id];
        if (!is_counter(track)) continue;
        counter_of_[id] = count_of(counters_);
        Counter& counter = counters_.emplace_back();
        counter.name = track.name;
        counter.storage = static_cast<std::uint16_t>(id);
    }
    most_buckets_ = std::clamp<std::size_t>(most_buckets_in_all / (counters_.size() + 1), 64, most_buckets_each);
}

std::uint32_t SummaryBuilder::counter_of(TrackId storage) const noexcept {
    return counter_of_[storage];
}

std::size_t SummaryBuilder::bucket_of(std::uint64_t cycle) const noexcept {
    return static_cast<std::size_t>(std::min<std::uint64_t>(cycle >> shift_, most_buckets_ - 1));
}

void SummaryBuilder::advance_to(std::uint64_t time) {
    empty_ = false;
    if (time - cycle_start_ < 2 * period_ && time >= cycle_start_ + period_) {
        ++cycle_;
        cycle_start_ += period_;
    } else {
        cycle_ = time / period_;
        cycle_start_ = cycle_ * period_;
    }
    while ((cycle_ >> shift_) >= most_buckets_ && shift_ < last_shift)
        coarsen();
    bucket_ = bucket_of(cycle_);
}

void SummaryBuilder::count_in_new_bucket() {
    density_.resize(bucket_ + 1);
    ++density_[bucket_];
}

void SummaryBuilder::settle(Counter& counter) {
    if (counter.pending == 0) return;
    const std::size_t at = bucket_of(counter.cycle);
    // All at once, because growing would need the memory of the old and the new buckets. Unused pages take no memory.
    if (counter.buckets.capacity() == 0) counter.buckets.reserve(most_buckets_);
    if (at >= counter.buckets.size()) counter.buckets.resize(at + 1);
    Bucket& bucket = counter.buckets[at];
    bucket.min = bucket.max == 0 ? counter.pending : std::min(bucket.min, counter.pending);
    bucket.max = std::max(bucket.max, counter.pending);
    bucket.sum += counter.pending;
    counter.pending = 0;
}

void SummaryBuilder::coarsen() {
    for (Counter& counter : counters_) {
        // In place: new memory for each interval would cost more than the rest of the summary.
        std::vector<Bucket>& buckets = counter.buckets;
        const std::size_t half = (buckets.size() + 1) / 2;
        for (std::size_t i = 0; i < half; ++i) {
            Bucket to = buckets[2 * i];
            const Bucket from = 2 * i + 1 < buckets.size() ? buckets[2 * i + 1] : Bucket{};
            if (from.max != 0) {  // the bucket is not empty
                to.min = to.max == 0 ? from.min : std::min(to.min, from.min);
                to.max = std::max(to.max, from.max);
                to.sum += from.sum;
            }
            buckets[i] = to;
        }
        buckets.resize(half);
    }
    density_ = merged_density(density_, 2);
    ++shift_;
}

void SummaryBuilder::fold(std::size_t most_buckets) {
    for (Counter& counter : counters_) {
        std::vector<Bucket>& buckets = counter.buckets;
        if (buckets.size() <= most_buckets) continue;
        Bucket& rest = buckets[most_buckets - 1];
        for (std::size_t i = most_buckets; i < buckets.size(); ++i) {
            if (buckets[i].max == 0) continue;
            rest.min = rest.max == 0 ? buckets[i].min : std::min(rest.min, buckets[i].min);
            rest.max = std::max(rest.max, buckets[i].max);
            rest.sum += buckets[i].sum;
        }
        buckets.resize(most_buckets);
    }
    for (std::size_t i = most_buckets; i < density_.size(); ++i)
        density_[most_buckets - 1] += density_[i];
    density_.resize(std::min(density_.size(), most_buckets));
    bucket_ = std::min(bucket_, most_buckets - 1);
}

std::uint64_t SummaryBuilder::total(std::uint32_t counter) const noexcept {
    std::uint64_t sum = counters_[counter].pending;
    for (const Bucket& bucket : counters_[counter].buckets)
        sum += bucket.sum;
    return sum;
}

std::vector<SummaryBuilder::Bucket> SummaryBuilder::merged(const std::vector<Bucket>& buckets, std::size_t group) {
    std::vector<Bucket> next;
    next.reserve((buckets.size() + group - 1) / group);
    for (std::size_t i = 0; i < buckets.size(); ++i) {
        const Bucket& from = buckets[i];
        if (i % group == 0) {
            next.push_back(from);
            continue;
        }
        Bucket& to = next.back();
        to.min = std::min(to.min, from.min);  // empty buckets count as 0, as in all known writers
        to.max = std::max(to.max, from.max);
        to.sum += from.sum;
    }
    return next;
}

/// Merges buckets until all levels together take at most `most_bytes`.
void SummaryBuilder::choose_base(std::uint64_t most_bytes) {
    const std::uint64_t bucket_bytes = sizeof(std::uint32_t) + counters_.size() * sizeof(Bucket);
    const auto bytes = [&] { return (bucket_ + 1) * bucket_bytes * fan_out / (fan_out - 1); };  // size of all levels
    while (bytes() > most_bytes && bucket_ != 0 && shift_ < last_shift) {
        coarsen();
        bucket_ = bucket_of(cycle_);
    }
    // At the longest base interval, the last bucket covers the rest of the trace.
    if (bytes() > most_bytes)
        fold(static_cast<std::size_t>(
            std::max<std::uint64_t>(most_bytes * (fan_out - 1) / (fan_out * bucket_bytes), 1)));
}

void SummaryBuilder::encode(std::uint64_t most_bytes, Output& output) {
    for (Counter& counter : counters_)
        settle(counter);
    choose_base(most_bytes);
    Pieces out(output);
    const std::size_t buckets = bucket_ + 1;
    const std::uint32_t levels = levels_over(buckets);
    out.text("TSUM");
    out.le(std::uint32_t{1} << shift_);
    out.le(fan_out);
    out.le(instructions_);

    out.le(levels);
    std::vector<std::uint32_t> density = density_;
    density.resize(buckets);
    for (std::uint32_t level = 0; level < levels; ++level) {
        if (level != 0) density = merged_density(density, fan_out);
        out.level(density);
    }

    out.le(count_of(counters_));
    for (Counter& counter : counters_) {
        out.le(static_cast<std::uint32_t>(counter.name.size()));
        out.text(counter.name);
        out.le(counter.storage);
        out.le(levels);
        std::vector<Bucket> entries = std::move(counter.buckets);
        entries.resize(buckets);
        for (std::uint32_t level = 0; level < levels; ++level) {
            if (level != 0) entries = merged(entries, fan_out);
            out.level(entries);
        }
    }
    out.flush();
}

namespace {

/// Reads values from a section of the file. Checks that each ends within the section.
class SectionCursor {
public:
    SectionCursor(const Input& input, std::uint64_t offset, std::uint64_t size) noexcept
        : input_(input), at_(offset), end_(offset + size) {}

    template <std::integral T>
    T le() {
        std::array<std::byte, sizeof(T)> bytes{};
        fill(bytes);
        return load_le<T>(bytes.data());
    }
    std::string text(std::size_t count) {
        std::string text(count, '\0');
        fill(std::as_writable_bytes(std::span(text)));
        return text;
    }
    void skip(std::uint64_t count) {
        need(count);
        at_ += count;
    }

private:
    void need(std::uint64_t count) const {
        if (end_ - at_ < count) throw Truncated(at_, count, end_ - at_);
    }
    void fill(std::span<std::byte> into) {
        need(into.size());
        const std::size_t got = input_.read_at(at_, into);
        if (got < into.size()) throw Truncated(at_, into.size(), got);
        at_ += into.size();
    }
    const Input& input_;
    std::uint64_t at_, end_;
};

constexpr std::uint32_t most_levels = 40;

}  // namespace

std::optional<SummaryTotals> read_summary_totals(const Input& input, std::uint64_t offset, std::uint64_t size,
                                                 std::size_t storages) try {
    SectionCursor at(input, offset, size);
    SummaryTotals totals;
    const std::string magic = at.text(4);
    if (magic != "TSUM" && magic != "CSUM") return std::nullopt;
    totals.base_interval = at.le<std::uint32_t>();
    at.skip(sizeof fan_out);
    if (magic == "TSUM") {
        totals.has_instructions = true;
        totals.instructions = at.le<std::uint64_t>();
        const auto levels = at.le<std::uint32_t>();
        if (levels > most_levels) return std::nullopt;
        for (std::uint32_t level = 0; level < levels; ++level)
            at.skip(std::uint64_t{at.le<std::uint32_t>()} * sizeof(std::uint32_t));
    }
    const auto counters = at.le<std::uint32_t>();
    if (counters > storages) return std::nullopt;
    for (std::uint32_t i = 0; i < counters; ++i) {
        SummaryTotals::Counter& counter = totals.counters.emplace_back();
        const auto length = at.le<std::uint32_t>();
        if (length > largest_pool) return std::nullopt;
        counter.name = at.text(length);
        counter.storage = at.le<std::uint16_t>();
        const auto levels = at.le<std::uint32_t>();
        if (levels > most_levels) return std::nullopt;
        for (std::uint32_t level = 0; level < levels; ++level) {
            const auto entries = at.le<std::uint32_t>();
            if (level + 1 < levels || entries != 1) {
                at.skip(std::uint64_t{entries} * bucket_size);
                continue;
            }
            at.skip(2 * sizeof(std::uint64_t));  // minimum and maximum of the whole trace
            counter.sum = at.le<std::uint64_t>();
        }
    }
    return totals;
} catch (const Truncated&) {
    return std::nullopt;
}

std::optional<Summary> read_summary(const Input& input, std::uint64_t offset, std::uint64_t size, std::size_t storages,
                                    const Limits& limits) try {
    check_limit(size, limits.block, "the summary", "--max-block");
    const std::vector<std::byte> bytes = input.read_all_at(offset, static_cast<std::size_t>(size));
    Cursor at(bytes, offset);
    const std::string_view magic = as_text(at.take(4));
    if (magic != "TSUM" && magic != "CSUM") return std::nullopt;
    Summary summary;
    summary.base_interval = at.le<std::uint32_t>();
    summary.fan_out = at.le<std::uint32_t>();
    // Read the bytes of a level before allocating memory for it. This checks that the bytes exist.
    if (magic == "TSUM") {
        summary.instructions = at.le<std::uint64_t>();
        const auto levels = at.le<std::uint32_t>();
        if (levels > most_levels) return std::nullopt;
        for (std::uint32_t i = 0; i < levels; ++i) {
            Cursor entries(at.take(std::size_t{at.le<std::uint32_t>()} * sizeof(std::uint32_t)));
            auto& level = summary.density.emplace_back(entries.left() / sizeof(std::uint32_t));
            for (std::uint32_t& count : level)
                count = entries.le<std::uint32_t>();
        }
    }
    const auto counters = at.le<std::uint32_t>();
    if (counters > storages) return std::nullopt;
    for (std::uint32_t i = 0; i < counters; ++i) {
        Summary::Counter& counter = summary.counters.emplace_back();
        counter.name = as_text(at.take(at.le<std::uint32_t>()));
        counter.storage = at.le<std::uint16_t>();
        const auto levels = at.le<std::uint32_t>();
        if (levels > most_levels) return std::nullopt;
        for (std::uint32_t number = 0; number < levels; ++number) {
            Cursor entries(at.take(std::size_t{at.le<std::uint32_t>()} * bucket_size));
            auto& level = counter.levels.emplace_back(entries.left() / bucket_size);
            for (SummaryBucket& bucket : level) {
                bucket.min = entries.le<std::uint64_t>();
                bucket.max = entries.le<std::uint64_t>();
                bucket.sum = entries.le<std::uint64_t>();
            }
        }
    }
    return summary;
} catch (const Truncated&) {
    return std::nullopt;
}

}  // namespace hwtrace::uscope

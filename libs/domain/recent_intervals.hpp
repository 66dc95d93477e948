// domain/recent_intervals.hpp - finds recent intervals by id, in bounded memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "model/hash.hpp"
#include "model/schema.hpp"
#include "model/time.hpp"

namespace hwtrace {

/// A table of intervals by id. It keeps at least the latest 2^19 of them (524,288), in up to 96 MiB. Ids that count up,
/// as usual, need a third of it.
class RecentIntervals {
public:
    struct Entry {
        std::uint64_t id = 0;
        Tick begin = 0;
        std::uint64_t duration = 0;
        TrackId track = none;      ///< `none`: a free place
        std::uint32_t serial = 0;  ///< set by add()
    };

    static constexpr std::uint32_t kept = 1u << 19;

    /// Returns the number of intervals that were added or skipped.
    std::uint32_t added() const noexcept { return serial_; }
    /// States that `count` intervals are missing before the next one.
    void skip(std::uint64_t count) noexcept { serial_ += static_cast<std::uint32_t>(count); }
    /// Loads the place of an interval into the cache: add() is faster if this is called some intervals before.
    void prefetch(std::uint64_t id) const noexcept {
        if (const Segment* const segment = segments_[segment_of(id)].get(); segment != nullptr)
            __builtin_prefetch(&(*segment)[id % segment_size], 1);
    }
    /// Adds an interval. It replaces an older one with the same id.
    void add(Entry entry) {
        entry.serial = ++serial_;
        std::unique_ptr<Segment>& segment = segments_[segment_of(entry.id)];
        if (segment == nullptr) segment = std::make_unique<Segment>();
        Entry& place = (*segment)[entry.id % segment_size];
        const bool is_free = place.track == none || place.id == entry.id || serial_ - place.serial >= kept;
        if (is_free)
            place = entry;
        else
            others_.add(entry);
    }
    /// Returns the interval, or null. Valid until the next add().
    const Entry* find(std::uint64_t id) const noexcept {
        const Segment* const segment = segments_[segment_of(id)].get();
        if (segment == nullptr) return nullptr;
        const Entry& place = (*segment)[id % segment_size];
        return place.track != none && place.id == id ? &place : others_.find(id);
    }

private:
    static constexpr std::size_t segment_size = 1024, segments = 1024;
    using Segment = std::array<Entry, segment_size>;

    static std::size_t segment_of(std::uint64_t id) noexcept {
        return static_cast<std::size_t>(id / segment_size % segments);
    }

    /// An open hash table of the latest intervals, and one of those before them. Its sizes are powers of two.
    class Overflow {
    public:
        void add(const Entry& entry) {
            if (current_.count == kept) older_ = std::exchange(current_, {});
            current_.add(entry);
        }
        const Entry* find(std::uint64_t id) const noexcept {
            const Entry* const entry = current_.find(id);
            return entry != nullptr ? entry : older_.find(id);
        }

    private:
        struct Table {
            std::vector<Entry> places{};
            std::size_t count = 0;

            std::size_t place_of(std::uint64_t id) const noexcept {
                const std::size_t mask = places.size() - 1;
                std::size_t place = KeyedHash<std::uint64_t>{}(id)&mask;
                while (places[place].track != none && places[place].id != id)
                    place = (place + 1) & mask;
                return place;
            }
            const Entry* find(std::uint64_t id) const noexcept {
                if (places.empty()) return nullptr;
                const Entry& entry = places[place_of(id)];
                return entry.track == none ? nullptr : &entry;
            }
            void add(const Entry& entry) {
                if (count >= places.size() / 2) {
                    std::vector<Entry> before(std::max<std::size_t>(places.size() * 2, 64));
                    before.swap(places);
                    for (const Entry& other : before)
                        if (other.track != none) places[place_of(other.id)] = other;
                }
                Entry& place = places[place_of(entry.id)];
                if (place.track == none) ++count;
                place = entry;
            }
        };

        Table current_, older_;
    };

    // A place for each value of the low 20 bits of an id. Neighbouring ids have neighbouring places.
    std::array<std::unique_ptr<Segment>, segments> segments_{};
    std::uint32_t serial_ = 0;
    Overflow others_;  // intervals whose place was taken by a recent one
};

}  // namespace hwtrace

// domain/recent_intervals.hpp - finds recent intervals by id, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/hash.hpp"
#include "model/schema.hpp"
#include "model/time.hpp"

namespace hwtrace {

/// A table of intervals by id. It keeps at least the latest 2^19 of them (524,288) and at most twice as many, in up to
/// 64 MiB.
class RecentIntervals {
public:
    struct Entry {
        std::uint64_t id = 0;
        Tick begin = 0;
        std::uint64_t duration = 0;
        TrackId track = none;  ///< `none`: a free place
    };

    /// Adds an interval. It replaces an older one with the same id.
    void add(const Entry& entry) {
        if (current_.count == most) {
            older_ = std::exchange(current_, {});
        }
        current_.add(entry);
    }
    /// Returns the interval, or null. Valid until the next add().
    const Entry* find(std::uint64_t id) const noexcept {
        const Entry* const entry = current_.find(id);
        return entry != nullptr ? entry : older_.find(id);
    }

private:
    static constexpr std::size_t most = std::size_t{1} << 19;

    /// An open hash table. Its size is a power of two. Neighbouring ids have neighbouring places.
    struct Table {
        std::vector<Entry> places{};
        std::size_t count = 0;

        std::size_t place_of(std::uint64_t id) const noexcept {
            const std::size_t mask = places.size() - 1;
            std::size_t place = (KeyedHash<std::uint64_t>{}(id >> 2) * 4 + (id & 3)) & mask;
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
            if (count >= places.size() / 2) grow();
            Entry& place = places[place_of(entry.id)];
            if (place.track == none) ++count;
            place = entry;
        }
        void grow() {
            std::vector<Entry> before(places.empty() ? 64 : places.size() * 2);
            before.swap(places);
            for (const Entry& entry : before)
                if (entry.track != none) places[place_of(entry.id)] = entry;
        }
    };

    Table current_, older_;
};

}  // namespace hwtrace

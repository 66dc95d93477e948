// model/text_index.hpp - finds texts of a list by their content.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "model/hash.hpp"

namespace hwtrace {

/// An index of a list of texts, which the caller keeps and only appends to. Takes 16 to 32 bytes per text. `Texts` is a
/// vector or deque of std::string; each call must pass the same list.
class TextIndex {
public:
    static constexpr std::uint32_t absent = 0xFFFF'FFFF;

    /// Returns the position of the first text with this content, or `absent`.
    template <typename Texts>
    std::uint32_t find(std::string_view text, const Texts& texts) const noexcept {
        return slots_.empty() ? absent : slots_[place_of(text, hash_of(text), texts)].number;
    }
    /// Returns the position of the first text with this content. Appends the text if it is new.
    template <typename Texts>
    std::uint32_t add(std::string_view text, Texts& texts) {
        make_room(texts.size() + 1);
        return add(text, hash_of(text), texts);
    }
    /// Does the same for several texts, and appends their positions to `numbers`. Loads the slots of many texts at
    /// once, because a large index is not in the cache.
    template <typename Texts>
    void add(std::span<const std::string_view> added, Texts& texts, std::vector<std::uint32_t>& numbers) {
        constexpr std::size_t at_once = 64;
        std::array<std::uint32_t, at_once> hashes;
        while (!added.empty()) {
            const std::span<const std::string_view> some = added.first(std::min(at_once, added.size()));
            added = added.subspan(some.size());
            make_room(texts.size() + some.size());
            for (std::size_t i = 0; i < some.size(); ++i) {
                hashes[i] = hash_of(some[i]);
                __builtin_prefetch(&slots_[hashes[i] & (slots_.size() - 1)]);
            }
            for (std::size_t i = 0; i < some.size(); ++i)
                numbers.push_back(add(some[i], hashes[i], texts));
        }
    }
    /// Appends the text even if an equal one exists, and returns its position.
    template <typename Texts>
    std::uint32_t append(std::string_view text, Texts& texts) {
        make_room(texts.size() + 1);
        Slot& slot = slot_for(text, hash_of(text), texts);
        texts.emplace_back(text);
        const auto number = static_cast<std::uint32_t>(texts.size() - 1);
        if (slot.number == absent) slot.number = number;
        return number;
    }

private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t number = absent;  ///< absent: free
    };

    static std::uint32_t hash_of(std::string_view text) noexcept {
        const std::uint64_t hash = keyed_hash(text, hash_key());
        return static_cast<std::uint32_t>(hash ^ hash >> 32);
    }
    /// Returns the position of the text, which is appended if it is new. There must be room for it.
    template <typename Texts>
    std::uint32_t add(std::string_view text, std::uint32_t hash, Texts& texts) {
        Slot& slot = slot_for(text, hash, texts);
        if (slot.number == absent) {
            texts.emplace_back(text);
            slot.number = static_cast<std::uint32_t>(texts.size() - 1);
        }
        return slot.number;
    }
    /// Returns the slot of `text`, or the free slot in which it belongs.
    template <typename Texts>
    std::size_t place_of(std::string_view text, std::uint32_t hash, const Texts& texts) const noexcept {
        const std::size_t mask = slots_.size() - 1;
        std::size_t place = hash & mask;
        while (slots_[place].number != absent && (slots_[place].hash != hash || texts[slots_[place].number] != text))
            place = (place + 1) & mask;
        return place;
    }
    /// Returns the slot of `text`. If it is free, the caller must append the text and set the slot's number.
    template <typename Texts>
    Slot& slot_for(std::string_view text, std::uint32_t hash, const Texts& texts) {
        Slot& slot = slots_[place_of(text, hash, texts)];
        slot.hash = hash;
        return slot;
    }
    /// Makes room for `count` texts in total.
    void make_room(std::size_t count) {
        while (2 * count > slots_.size())
            grow();
    }
    void grow() {
        std::vector<Slot> slots(slots_.empty() ? 8 : 2 * slots_.size());
        const std::size_t mask = slots.size() - 1;
        for (const Slot& slot : slots_) {
            if (slot.number == absent) continue;
            std::size_t place = slot.hash & mask;
            while (slots[place].number != absent)
                place = (place + 1) & mask;
            slots[place] = slot;
        }
        slots_ = std::move(slots);
    }

    std::vector<Slot> slots_;  ///< the size is a power of two; at least half of the slots are free
};

}  // namespace hwtrace

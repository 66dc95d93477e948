#include "checkpoint.hpp"

#include <algorithm>
#include <bit>

#include "domain/value_text.hpp"
#include "io/cursor.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

namespace {

/// The parts of one block. `mask` is empty for a dense storage.
struct Block {
    std::span<const std::byte> mask, slots, properties;
};

/// Calls `use(first, count)` for each run of valid slots.
template <typename Use>
void for_each_run(std::span<const std::byte> mask, std::size_t slots, Use use) {
    std::size_t run = 0, length = 0;
    const auto close = [&] {
        if (length != 0) use(run, length);
        length = 0;
    };
    for (std::size_t byte = 0; byte < mask.size(); ++byte) {
        const auto bits = std::to_integer<unsigned>(mask[byte]);
        if (bits == 0) {
            close();
            continue;
        }
        if (bits == 0xFF && byte * 8 + 8 <= slots) {
            if (length == 0) run = byte * 8;
            length += 8;
            continue;
        }
        for (std::size_t bit = 0; bit < 8 && byte * 8 + bit < slots; ++bit) {
            if ((bits >> bit & 1) == 0) {
                close();
                continue;
            }
            if (length == 0) run = byte * 8 + bit;
            ++length;
        }
    }
    close();
}

std::size_t valid_slots(std::span<const std::byte> mask) noexcept {
    std::size_t count = 0;
    for (const std::byte byte : mask)
        count += static_cast<std::size_t>(std::popcount(std::to_integer<unsigned>(byte)));
    return count;
}

Block split(std::span<const std::byte> payload, const StateTable& state, TrackId storage) {
    Block block;
    std::size_t slots = state.slots(storage).size();
    if (const std::size_t mask = state.mask(storage).size(); mask != 0) {
        block.mask = payload.first(mask);
        slots = valid_slots(block.mask) * state.slot_size(storage);
    }
    block.slots = payload.subspan(block.mask.size(), slots);
    block.properties = payload.subspan(block.mask.size() + slots);
    return block;
}

bool same_properties(std::span<const std::byte> stored, std::span<const std::byte> replayed) noexcept {
    if (!stored.empty()) return std::ranges::equal(stored, replayed);
    return std::ranges::all_of(replayed, [](std::byte byte) { return byte == std::byte{0}; });
}

bool same(const Block& block, const StateTable& state, TrackId storage) {
    if (!same_properties(block.properties, state.properties(storage))) return false;
    const auto slots = state.slots(storage);
    if (state.mask(storage).empty()) return std::ranges::equal(block.slots, slots);
    if (!std::ranges::equal(block.mask, state.mask(storage))) return false;
    const std::size_t size = state.slot_size(storage);
    auto stored = block.slots;
    bool equal = true;
    for_each_run(block.mask, size == 0 ? 0 : slots.size() / size, [&](std::size_t first, std::size_t count) {
        equal = equal && std::ranges::equal(stored.first(count * size), slots.subspan(first * size, count * size));
        stored = stored.subspan(count * size);
    });
    return equal;
}

void append_block(const StateTable& state, TrackId storage, Appender& out) {
    out.le(static_cast<std::uint16_t>(storage));
    out.le(std::uint16_t{0});
    const std::size_t size_at = out.size();
    out.le(std::uint32_t{0});
    const auto mask = state.mask(storage);
    const auto slots = state.slots(storage);
    const std::size_t size = state.slot_size(storage);
    out.bytes(mask);
    if (mask.empty())
        out.bytes(slots);
    else if (size != 0)
        for_each_run(mask, slots.size() / size, [&](std::size_t first, std::size_t count) {
            out.bytes(slots.subspan(first * size, count * size));
        });
    out.bytes(state.properties(storage));
    out.patch(size_at, static_cast<std::uint32_t>(out.size() - size_at - 4));
}

/// Calls `use(storage, payload)` for each block. The structure must have been checked.
template <typename Use>
void for_each_block(std::span<const std::byte> checkpoint, std::size_t storages, Use use) {
    Cursor at(checkpoint);
    for (TrackId storage = 0; storage < storages; ++storage) {
        at.skip(4);
        const auto size = at.le<std::uint32_t>();
        use(storage, at.take(size));
    }
}

}  // namespace

void CheckpointWriter::write(const StateTable& state, Appender& out) {
    out.clear();
    std::size_t same = 0;   // where the blocks begin in last_ that are still to be copied
    std::size_t begin = 0;  // of the block of `storage` in last_
    for (std::size_t storage = 0; storage < changed_.size(); ++storage) {
        const std::size_t end = ends_[storage];
        if (changed_[storage] != 0) {
            out.bytes(last_.span().subspan(same, begin - same));
            append_block(state, static_cast<TrackId>(storage), out);
            same = end;
            changed_[storage] = false;
        }
        begin = end;
        ends_[storage] = out.size() + (begin - same);
    }
    out.bytes(last_.span().subspan(same, begin - same));
    last_.clear();
    last_.bytes(out.span());
}

std::optional<CheckpointFault> check_checkpoint(std::span<const std::byte> checkpoint, const Schema& schema,
                                                std::size_t storages) try {
    Cursor at(checkpoint);
    for (TrackId storage = 0; storage < storages; ++storage) {
        const Track& track = schema.tracks()[storage];
        const auto offset = static_cast<std::size_t>(at.offset());
        if (const auto id = at.le<std::uint16_t>(); id != storage)
            return CheckpointFault{offset, "the block of storage " + std::to_string(storage), std::to_string(id)};
        at.skip(2);
        const auto payload = at.take(at.le<std::uint32_t>());

        std::uint64_t slot = 0, properties = 0;
        for (const Field& field : track.fields)
            slot += slot_width(field.type);
        for (const Field& field : track.properties)
            properties += slot_width(field.type);
        std::uint64_t expected = slot * track.slots;
        if (track.sparse) {
            const std::size_t mask = (std::size_t{track.slots} + 7) / 8;
            if (payload.size() < mask)
                return CheckpointFault{offset, counted(mask, "byte") + " of mask", std::to_string(payload.size())};
            if (track.slots % 8 != 0 && std::to_integer<unsigned>(payload[mask - 1]) >> (track.slots % 8) != 0)
                return CheckpointFault{offset + checkpoint_block_size + mask - 1, "mask bits for existing slots only",
                                       "others"};
            expected = mask + valid_slots(payload.first(mask)) * slot;
        }
        if (payload.size() != expected && payload.size() != expected + properties)
            return CheckpointFault{offset, counted(expected + properties, "byte") + " in a block",
                                   std::to_string(payload.size())};
    }
    if (!at.at_end())
        return CheckpointFault{static_cast<std::size_t>(at.offset()), "the end of the checkpoint",
                               counted(at.left(), "byte") + " more"};
    return std::nullopt;
} catch (const Truncated& end) {
    return CheckpointFault{static_cast<std::size_t>(end.offset()), counted(end.needed(), "byte") + " of a block",
                           std::to_string(end.left())};
}

bool has_all_properties(std::span<const std::byte> checkpoint, const Schema& schema, std::size_t storages) {
    bool all = true;
    for_each_block(checkpoint, storages, [&](TrackId storage, std::span<const std::byte> payload) {
        const Track& track = schema.tracks()[storage];
        std::size_t slot = 0;
        for (const Field& field : track.fields)
            slot += slot_width(field.type);
        const std::size_t mask = track.sparse ? (std::size_t{track.slots} + 7) / 8 : 0;
        const std::size_t slots = track.sparse ? valid_slots(payload.first(mask)) : track.slots;
        all = all && (track.properties.empty() || payload.size() > mask + slots * slot);
    });
    return all;
}

bool is_empty_checkpoint(std::span<const std::byte> checkpoint) noexcept {
    while (checkpoint.size() >= checkpoint_block_size) {
        const std::size_t size = std::min<std::size_t>(load_le<std::uint32_t>(checkpoint.data() + 4),
                                                       checkpoint.size() - checkpoint_block_size);
        for (const std::byte byte : checkpoint.subspan(checkpoint_block_size, size))
            if (byte != std::byte{0}) return false;
        checkpoint = checkpoint.subspan(checkpoint_block_size + size);
    }
    return true;
}

std::optional<std::size_t> first_difference(std::span<const std::byte> checkpoint, const StateTable& state,
                                            std::size_t storages) {
    std::optional<std::size_t> different;
    for_each_block(checkpoint, storages, [&](TrackId storage, std::span<const std::byte> payload) {
        if (!different && !same(split(payload, state, storage), state, storage)) different = storage;
    });
    return different;
}

void load_checkpoint(std::span<const std::byte> checkpoint, std::size_t storages, StateTable& state) {
    state.reset();
    for_each_block(checkpoint, storages, [&](TrackId storage, std::span<const std::byte> payload) {
        const Block block = split(payload, state, storage);
        std::ranges::copy(block.properties, state.mutable_properties(storage).begin());
        const auto slots = state.mutable_slots(storage);
        if (block.mask.empty()) {
            std::ranges::copy(block.slots, slots.begin());
            return;
        }
        std::ranges::copy(block.mask, state.mutable_mask(storage).begin());
        const std::size_t size = state.slot_size(storage);
        auto stored = block.slots;
        for_each_run(block.mask, size == 0 ? 0 : slots.size() / size, [&](std::size_t first, std::size_t count) {
            std::ranges::copy(stored.first(count * size), slots.subspan(first * size).begin());
            stored = stored.subspan(count * size);
        });
    });
}

}  // namespace hwtrace::uscope

// formats/kanata/log_ids.hpp - the ids in a log of the instructions of one core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "domain/in_flight.hpp"
#include "model/hash.hpp"

namespace hwtrace::kanata {

/// Maps entities to ids in the log. Remembers entities in flight and the latest ones that left, because records such as
/// dependencies refer to these.
class LogIds {
public:
    static constexpr std::size_t most_left = 1u << 16;

    /// Returns the id of an entity, or nothing if it has none yet or left long ago.
    std::optional<std::uint32_t> find(std::uint32_t entity) const {
        const auto found = ids_.find(entity);
        return found == ids_.end() ? std::nullopt : std::optional(found->second);
    }
    void set(std::uint32_t entity, std::uint32_t id) { ids_.insert_or_assign(entity, id); }
    /// Notes that an entity left the pipeline. Forgets the one that left first, unless it has begun again.
    void leave(std::uint32_t entity, const InFlight& in_flight) {
        const std::optional<std::uint32_t> id = find(entity);
        if (!id) return;
        left_.push_back({entity, *id});
        if (left_.size() <= most_left) return;
        const Left oldest = left_.front();
        left_.pop_front();
        if (find(oldest.entity) == oldest.id && in_flight.find(oldest.entity) == no_slot) ids_.erase(oldest.entity);
    }
    std::size_t size() const noexcept { return ids_.size(); }

private:
    struct Left {
        std::uint32_t entity = 0, id = 0;
    };
    HashMap<std::uint32_t, std::uint32_t> ids_;
    std::deque<Left> left_;  ///< the oldest first
};

}  // namespace hwtrace::kanata

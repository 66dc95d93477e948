// formats/ftr/identities.hpp - which transaction is in which stream, for checking what relations say of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/limits.hpp"
#include "model/number_table.hpp"

namespace hwtrace::ftr {

/// One end of a relation.
struct RelationEnd {
    std::uint64_t transaction = 0;
    std::optional<std::uint64_t> stream;  ///< the id that the relation states
    std::uint64_t offset = 0;             ///< where it says so, for findings
    std::optional<std::uint64_t> inner_offset;
};

/// Remembers transactions, and those ends of relations that have not come yet. Gives up, and answers no more, when they
/// take more than limits.block.
class Identities {
public:
    explicit Identities(const Limits& limits) : most_(limits.block / cost) {}

    /// False when there has been one of that number.
    bool add(std::uint64_t transaction, std::uint32_t stream) {
        if (gave_up()) return true;
        ++count_;
        if (streams_.find(transaction) != none) return false;
        streams_.set(transaction, stream);
        return true;
    }
    /// The stream of that transaction; none where it has not come.
    std::optional<std::uint32_t> stream_of(std::uint64_t transaction) const {
        const std::uint32_t found = streams_.find(transaction);
        return found == none ? std::nullopt : std::optional(found);
    }
    /// Keeps an end whose transaction has not come.
    void await(RelationEnd end) {
        if (gave_up()) return;
        ++count_;
        awaited_.push_back(end);
    }
    const std::vector<RelationEnd>& awaited() const noexcept { return awaited_; }
    bool gave_up() const noexcept { return count_ >= most_; }

private:
    static constexpr std::uint64_t cost = 64;  // bytes for each at most

    std::uint64_t most_;
    std::uint64_t count_ = 0;
    NumberTable streams_;
    std::vector<RelationEnd> awaited_;
};

}  // namespace hwtrace::ftr

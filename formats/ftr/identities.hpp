// formats/ftr/identities.hpp - maps transactions to streams, to check the ends of relations.
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
    std::optional<std::uint64_t> stream;  ///< the stream id that the relation states
    std::uint64_t offset = 0;             ///< offset of the relation, for findings
    std::optional<std::uint64_t> inner_offset;
};

/// Stores transactions, and relation ends whose transactions have not occurred yet. Stops storing when they need more
/// than limits.block bytes.
class Identities {
public:
    explicit Identities(const Limits& limits) : most_(limits.block / cost) {}

    /// Adds a transaction. Returns false if its id occurred before.
    bool add(std::uint64_t transaction, std::uint32_t stream) {
        if (gave_up()) return true;
        ++count_;
        if (streams_.find(transaction) != none) return false;
        streams_.set(transaction, stream);
        return true;
    }
    /// Returns the stream of the transaction, or nothing if it has not occurred.
    std::optional<std::uint32_t> stream_of(std::uint64_t transaction) const {
        const std::uint32_t found = streams_.find(transaction);
        return found == none ? std::nullopt : std::optional(found);
    }
    /// Stores an end whose transaction has not occurred yet.
    void await(RelationEnd end) {
        if (gave_up()) return;
        ++count_;
        awaited_.push_back(end);
    }
    const std::vector<RelationEnd>& awaited() const noexcept { return awaited_; }
    bool gave_up() const noexcept { return count_ >= most_; }

private:
    static constexpr std::uint64_t cost = 64;  // maximum bytes for each entry

    std::uint64_t most_;
    std::uint64_t count_ = 0;
    NumberTable streams_;
    std::vector<RelationEnd> awaited_;
};

}  // namespace hwtrace::ftr

// formats/ftr/transaction_numbers.hpp - assigns ids to the transactions of a file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "io/limits.hpp"
#include "model/id_set.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Keeps the transaction ids that the source states and assigns unused ids to other transactions.
class TransactionNumbers {
public:
    /// `limits` must outlive this object.
    explicit TransactionNumbers(const Limits& limits) : limits_(limits) {}

    /// Finds the tracks that state ids. Must be called before the first transaction.
    void decide(const Schema& schema);
    /// Returns true if all ids are new. They then preserve the order of transactions (see SchemaMark).
    bool all_are_made() const noexcept { return source_ == Source::none_stated; }

    /// Registers an id that the source states. Returns false if another transaction already has it.
    bool take(std::uint64_t number) {
        if (source_ == Source::some_stated) [[unlikely]]
            if (!take_beside_made(number)) return false;
        note(number);
        return true;
    }
    /// Returns a new id for a transaction without one.
    std::uint64_t make();
    /// Returns an unused id for a transaction that is written after all others. Must be called after every other
    /// transaction has received its id. Throws Failure::input if no id is left.
    std::uint64_t make_last();

private:
    enum class Source : std::uint8_t { none_stated, some_stated, all_stated };
    static constexpr std::uint64_t half = std::uint64_t{1} << 63;

    void note(std::uint64_t number) noexcept {
        if (number < half)
            greatest_ = std::max(greatest_, number);
        else
            least_large_ = std::min(least_large_, number);
    }
    bool take_beside_made(std::uint64_t number);

    const Limits& limits_;
    Source source_ = Source::all_stated;
    std::uint64_t made_ = 0;                                                 ///< the latest new id
    std::uint64_t greatest_ = 0;                                             ///< greatest stated id below 2^63
    std::uint64_t least_large_ = std::numeric_limits<std::uint64_t>::max();  ///< least stated id that is at least 2^63
    IdSet stated_;  ///< ids stated so far; used only if some tracks state ids and others do not
};

}  // namespace hwtrace::ftr

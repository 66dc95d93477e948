// formats/ftr/transaction_numbers.hpp - by what numbers a file knows its transactions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "io/limits.hpp"
#include "model/id_set.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Numbers that the source states stay; what has none gets one that nothing had before.
class TransactionNumbers {
public:
    /// `limits` outlive this object.
    explicit TransactionNumbers(const Limits& limits) : limits_(limits) {}

    /// Before the first transaction: which tracks of the schema state numbers.
    void decide(const Schema& schema);
    /// True where all numbers are made: they tell the order of transactions (see SchemaMark).
    bool all_are_made() const noexcept { return source_ == Source::none_stated; }

    /// The source states `number`. False where a transaction that had none has been given it.
    bool take(std::uint64_t number) {
        if (source_ == Source::some_stated) [[unlikely]]
            if (!take_beside_made(number)) return false;
        note(number);
        return true;
    }
    /// A number for a transaction that has none.
    std::uint64_t make();
    /// A number that no transaction has; none come behind it. Throws Failure::input where there is none.
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
    std::uint64_t made_ = 0;                                                 ///< the last one
    std::uint64_t greatest_ = 0;                                             ///< below 2^63
    std::uint64_t least_large_ = std::numeric_limits<std::uint64_t>::max();  ///< from 2^63 on
    IdSet stated_;                                                           ///< so far, where only some are
};

}  // namespace hwtrace::ftr

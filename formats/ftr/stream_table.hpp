// formats/ftr/stream_table.hpp - finds the stream of a transaction, for relations that do not state it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "io/limits.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Maps transaction ids to stream indexes, in pages. Dense ids take about five bytes each, sparse ids up to 304.
class StreamTable {
public:
    /// Pages take at most limits.block bytes. Further transactions are not stored.
    explicit StreamTable(const Limits& limits) : limits_(limits) {}

    /// Stores the stream of a transaction.
    void set(std::uint64_t transaction, std::uint32_t stream) {
        const std::uint64_t page = transaction / page_size;
        if (last_ == nullptr || page != last_page_) turn_to(page);
        if (last_ != nullptr) (*last_)[transaction % page_size] = stream;
    }
    /// Returns the stream, or none if it is unknown or the transaction was not stored.
    std::uint32_t find(std::uint64_t transaction) const {
        const auto found = pages_.find(transaction / page_size);
        return found == pages_.end() ? none : (*found->second)[transaction % page_size];
    }
    /// Throws Failure::limit if a transaction was not stored.
    void check_complete() const {
        if (is_full_)
            check_limit(bytes() + page_bytes, limits_.block, "the table of transactions and their streams",
                        "max-block");
    }

private:
    static constexpr std::size_t page_size = 64;
    using Page = std::array<std::uint32_t, page_size>;
    static constexpr std::size_t page_bytes = sizeof(Page) + 48;  // with its place in the map

    std::size_t bytes() const noexcept { return pages_.size() * page_bytes; }

    void turn_to(std::uint64_t number) {
        last_ = nullptr;
        const auto found = pages_.find(number);
        if (found != pages_.end()) {
            last_ = found->second.get();
        } else if (bytes() + page_bytes > limits_.block) {
            is_full_ = true;
            return;
        } else {
            last_ = pages_.emplace(number, std::make_unique<Page>()).first->second.get();
            last_->fill(none);
        }
        last_page_ = number;
    }

    Limits limits_;
    HashMap<std::uint64_t, std::unique_ptr<Page>> pages_;
    Page* last_ = nullptr;
    std::uint64_t last_page_ = 0;
    bool is_full_ = false;  ///< a transaction was not stored
};

}  // namespace hwtrace::ftr

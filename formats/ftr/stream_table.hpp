// formats/ftr/stream_table.hpp - finds the stream of a transaction, for relations that do not state it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "io/limits.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Maps transaction ids to stream indexes, in pages. Dense ids take four bytes each.
class StreamTable {
public:
    /// Pages take at most limits.block bytes.
    explicit StreamTable(const Limits& limits) : limits_(limits) {}

    /// Stores the stream of a transaction. Throws Failure::limit if the pages become too large.
    void set(std::uint64_t transaction, std::uint32_t stream) {
        const std::uint64_t page = transaction / page_size;
        if (last_ == nullptr || page != last_page_) turn_to(page);
        (*last_)[transaction % page_size] = stream;
    }
    /// Returns the stream, or none if it is unknown.
    std::uint32_t find(std::uint64_t transaction) const {
        const auto found = pages_.find(transaction / page_size);
        return found == pages_.end() ? none : (*found->second)[transaction % page_size];
    }

private:
    static constexpr std::size_t page_size = 4096;
    using Page = std::array<std::uint32_t, page_size>;

    void turn_to(std::uint64_t number) {
        std::unique_ptr<Page>& page = pages_[number];
        if (!page) {
            check_limit(pages_.size() * sizeof(Page), limits_.block, "the table of transactions and their streams",
                        "max-block");
            page = std::make_unique<Page>();
            page->fill(none);
        }
        last_ = page.get();
        last_page_ = number;
    }

    Limits limits_;
    HashMap<std::uint64_t, std::unique_ptr<Page>> pages_;
    Page* last_ = nullptr;
    std::uint64_t last_page_ = 0;
};

}  // namespace hwtrace::ftr

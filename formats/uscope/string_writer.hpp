// formats/uscope/string_writer.hpp - numbers runtime strings and encodes string tables (7; README.md#text-blocks).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/appender.hpp"
#include "io/output.hpp"
#include "model/schema.hpp"

namespace hwtrace::uscope {

/// Numbers runtime strings in order of first use, after the long texts of metadata.
class StringNumbers {
public:
    explicit StringNumbers(std::size_t long_texts) noexcept : next_(static_cast<std::uint32_t>(long_texts)) {}

    std::uint32_t number(StringId id) {
        if (id < numbers_.size() && numbers_[id] != none) [[likely]]
            return numbers_[id];
        return assign(id);
    }
    bool used(StringId id) const noexcept { return id < numbers_.size() && numbers_[id] != none; }
    const std::vector<StringId>& in_order() const noexcept { return order_; }

private:
    std::uint32_t assign(StringId id) {
        if (id >= numbers_.size())
            numbers_.resize(std::max<std::size_t>(id + std::size_t{1}, numbers_.size() * 2), none);
        order_.push_back(id);
        return numbers_[id] = next_++;
    }
    std::uint32_t next_;
    std::vector<std::uint32_t> numbers_;  // index: StringId
    std::vector<StringId> order_;
};

/// Writes a string table: first `long_texts`, then the `strings` of `schema`. Throws Failure::input if they need more
/// than 4 GiB.
void write_strings(const std::vector<std::string>& long_texts, const Schema& schema,
                   const std::vector<StringId>& strings, Output& output);

/// Sets `block` to a text block with the strings from number `first` on. The long texts have the first numbers, and the
/// strings of `schema` follow in order.
void encode_text_block(const std::vector<std::string>& long_texts, const Schema& schema, std::size_t first,
                       Appender& block);

}  // namespace hwtrace::uscope

#include "string_pool.hpp"

#include <cstddef>

#include "domain/utf8.hpp"
#include "io/error.hpp"
#include "rules.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

bool is_pool_text(std::string_view text) noexcept {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = text[at] == '\0' ? 0 : utf8_length(text, at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

void fail_pool_full() {
    fail(Failure::input,
         "the names of this trace exceed the 65535 bytes of µScope's string pool; "
         "leave out tracks with --select");
}

std::uint16_t StringPool::offset(std::string_view text) {
    const auto [found, is_new] = offsets_.try_emplace(std::string(text), static_cast<std::uint16_t>(bytes_.size()));
    if (is_new) {
        if (bytes_.size() + text.size() + 1 > largest_pool) fail_pool_full();
        bytes_ += text;
        bytes_ += '\0';
    }
    return found->second;
}

bool StringPool::fits(std::string_view text) const {
    return bytes_.size() + text.size() + 1 <= largest_pool || offsets_.contains(std::string(text));
}

std::string PoolReader::text(std::uint16_t offset, std::uint64_t named_at, std::string_view what) {
    if (offset >= pool_.size()) {
        report(findings_, Check::pool_string, {named_at, 2}, "an offset below " + std::to_string(pool_.size()),
               std::to_string(offset), {std::string(what), {}, {}});
        return {};
    }
    const std::string_view rest = pool_.substr(offset);
    const std::size_t end = rest.find('\0');
    const std::string_view found = rest.substr(0, end);
    total_ += found.size();
    check_limit(total_, limits_.record, "the names of a schema", "--max-record");
    if (end == std::string_view::npos)
        report(findings_, Check::pool_string, base_ + offset, "a NUL at the end", "the end of the pool",
               {std::string(what), {}, {}});
    else if (!is_pool_text(found))
        report(findings_, Check::pool_string, base_ + offset, "UTF-8", "other bytes", {std::string(what), {}, {}});
    return std::string(found);
}

}  // namespace hwtrace::uscope

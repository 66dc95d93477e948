#include "event_search.hpp"

#include <algorithm>

#include "io/cursor.hpp"
#include "payload.hpp"

namespace hwtrace::pccx {

bool is_known_type(std::string_view name) noexcept {
    if (std::ranges::find(event_types, name) != event_types.end()) return true;
    if (!name.starts_with(unnamed_type_prefix) || name.size() == unnamed_type_prefix.size()) return false;
    return std::ranges::all_of(name.substr(unnamed_type_prefix.size()), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_printable(std::string_view text) noexcept {
    return std::ranges::none_of(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7F;
    });
}

std::uint64_t EventForm::event_size(std::span<const std::byte> bytes, std::uint64_t left, Type type) const noexcept {
    if (bytes.size() < bincode_event_head_size) return 0;
    const auto length = load_le<std::uint64_t>(bytes.data() + 20);
    if (length == 0 || length > longest_type || load_le<std::uint32_t>(bytes.data()) >= cores_) return 0;
    std::uint64_t size = bincode_event_head_size + length;
    if (size > bytes.size()) return 0;
    const std::string_view name = as_text(bytes.subspan(bincode_event_head_size, static_cast<std::size_t>(length)));
    const bool fits = type == Type::any
                          ? is_printable(name)
                          : is_known_type(name) || std::ranges::find(own_types_, name) != own_types_.end();
    if (!fits) return 0;
    if (layout_ == Layout::bincode4) return size;
    if (size >= bytes.size()) return 0;
    const auto option = std::to_integer<unsigned>(bytes[static_cast<std::size_t>(size++)]);
    if (option == 0) return size;
    if (option != 1 || size + 8 > bytes.size()) return 0;
    const auto text = load_le<std::uint64_t>(bytes.data() + size);
    size += 8;
    if (text > left - size) return 0;
    const std::span<const std::byte> seen = bytes.subspan(static_cast<std::size_t>(size));
    const bool printable = is_printable(as_text(seen.first(std::min<std::size_t>(seen.size(), text))));
    return printable ? size + text : 0;
}

bool EventForm::begins_events(std::span<const std::byte> bytes, std::uint64_t left, bool whole) const noexcept {
    const std::uint64_t size = event_size(bytes, left, Type::known);
    if (size == 0) return false;
    return (whole && size == left) || (size < bytes.size() && event_size(bytes.subspan(static_cast<std::size_t>(size)),
                                                                         left - size, Type::any) != 0);
}

std::optional<std::uint64_t> EventForm::find(const Input& input, std::uint64_t begin, std::uint64_t end) const {
    PayloadBytes bytes(input, begin, end, false);
    while (bytes.left() >= bincode_event_head_size) {
        const std::uint64_t left = bytes.left();
        if (!bytes.ensure(std::min<std::uint64_t>(left, 2 * view_size))) break;
        const std::span<const std::byte> some = bytes.some();
        // The last places in memory lack the bytes behind them, unless the payload ends there.
        const std::size_t places = some.size() == left ? some.size() : some.size() - view_size;
        for (std::size_t at = 0; at < places; ++at)
            if (event_size(some.subspan(at), left - at, Type::known) != 0) return bytes.offset() + at;
        bytes.skip(places);
    }
    return std::nullopt;
}

std::uint64_t EventForm::count(const Input& input, std::uint64_t begin, std::uint64_t end, std::uint64_t last,
                               bool whole) const {
    std::uint64_t found = 0;
    for (PayloadBytes bytes(input, begin, end, false); bytes.left() != 0 && bytes.offset() < last;) {
        if (!bytes.ensure(std::min<std::uint64_t>(bytes.left(), view_size))) break;
        const std::span<const std::byte> some = bytes.some();
        const std::uint64_t size =
            begins_events(some, bytes.left(), whole) ? event_size(some, bytes.left(), Type::known) : 1;
        found += size > 1 ? 1 : 0;
        bytes.skip(static_cast<std::size_t>(std::min<std::uint64_t>(size, some.size())));
    }
    return found;
}

}  // namespace hwtrace::pccx

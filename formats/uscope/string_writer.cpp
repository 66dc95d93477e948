#include "string_writer.hpp"

#include "io/error.hpp"
#include "wire.hpp"

namespace hwtrace::uscope {

namespace {

/// Appends `count` strings in the layout of a string table (7). The first has the index `first`. Calls `appended` after
/// each entry and each string.
template <typename ForEach, typename Appended>
void append_strings(Appender& bytes, std::size_t count, std::size_t first, ForEach for_each, Appended appended) {
    bytes.le(static_cast<std::uint32_t>(count));
    bytes.le(static_cast<std::uint32_t>(first));
    std::uint64_t offset = 0;
    for_each([&](std::string_view text) {
        if (offset > 0xFFFF'FFFF || text.size() > 0xFFFF'FFFF)
            fail(Failure::input, "the runtime strings need more than the 4 GiB that a µScope string table holds");
        bytes.le(static_cast<std::uint32_t>(offset));
        bytes.le(static_cast<std::uint32_t>(text.size()));
        offset += text.size() + 1;
        appended();
    });
    for_each([&](std::string_view text) {
        bytes.text(text);
        bytes.le(std::uint8_t{0});
        appended();
    });
}

}  // namespace

void write_strings(const std::vector<std::string>& long_texts, const Schema& schema,
                   const std::vector<StringId>& strings, Output& output) {
    const auto for_each = [&](auto&& use) {
        for (const std::string& text : long_texts)
            use(std::string_view(text));
        for (const StringId id : strings)
            use(schema.text(id));
    };
    constexpr std::size_t piece = std::size_t{1} << 20;
    Appender bytes;
    append_strings(bytes, long_texts.size() + strings.size(), 0, for_each, [&] {
        if (bytes.size() <= piece) return;
        output.append(bytes.span());
        bytes.clear();
    });
    output.append(bytes.span());
}

void encode_text_block(const std::vector<std::string>& long_texts, const Schema& schema, std::size_t first,
                       Appender& block) {
    const std::size_t before = long_texts.size();
    const std::size_t count = before + schema.string_count();
    const auto for_each = [&](auto&& use) {
        for (std::size_t i = first; i < count; ++i)
            use(i < before ? std::string_view(long_texts[i]) : schema.text(static_cast<StringId>(i - before)));
    };
    block.clear();
    block.bytes(text_block_magic);
    block.le(std::uint32_t{0});
    append_strings(block, count - first, first, for_each, [] {});
    block.patch(text_block_magic.size(), static_cast<std::uint32_t>(block.size() - text_block_header_size));
}

}  // namespace hwtrace::uscope

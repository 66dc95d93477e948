// formats/flux/format.cpp - the descriptor of flux, the only export of this folder.
#include <algorithm>
#include <array>
#include <string_view>

#include "codec.hpp"
#include "entry.hpp"
#include "io/unpacked.hpp"
#include "options.hpp"
#include "rules.hpp"

namespace hwtrace {
namespace {

constexpr std::array<std::string_view, 10> extensions{".flux.gz",   ".flux.lz4",  ".flux.zst", ".flux.xz", ".recTr.gz",
                                                      ".recTr.lz4", ".recTr.zst", ".recTr.xz", ".recTr",   ".flux"};

/// Returns false, so that without --view the samples of the model are printed, which are what a stream is about.
bool for_nobody_who_does_not_ask(const Schema&) noexcept {
    return false;
}

constexpr std::array views{
    View{.name = "tree",
         .title = "traces, scopes, signals, members and labels",
         .render = flux::render_tree,
         .render_data = flux::render_tree_data,
         .suits = for_nobody_who_does_not_ask,
         .parts = true},
    View{.name = "entries",
         .title = "one line per entry, with its offset",
         .render = flux::render_entries,
         .render_data = flux::render_entries_data,
         .suits = for_nobody_who_does_not_ask,
         .parts = true},
};

}  // namespace

extern const Format flux_format;
constinit const Format flux_format{
    .name = "flux",
    .title = "flux trace of signals",
    .extensions = extensions,
    .reads = {.shapes = {Shape::signal, Shape::event_type, Shape::native},
              .streams = true,
              .schema_upfront = false,
              .time_ordered = false,
              .ends_anywhere = true},
    .writes = {.holds = {Shape::signal, Holding(Shape::event_type).own(), Shape::native},
               .stated_base = flux::stated_base,
               .foresee = flux::foresee_losses,
               .needs_time_order = flux::needs_time_order},
    .options = flux::options,
    .views = views,
    .rules = flux::rules(),
    .text_title = "flux trace format",
    .sniff = flux::recognise,
    .make_reader = flux::open_reader,
    .make_writer = flux::create_writer,
};

namespace flux {

namespace {

/// Returns true if the bytes after a HEAD tag look like the fields of a HEAD.
bool is_head(std::span<const std::byte> body) {
    if (body.size() <= magic.size()) return false;
    const std::string_view word = as_text(body.first(magic.size()));
    const bool printable = std::ranges::all_of(word, [](char c) { return c >= ' ' && c <= '~'; });
    const auto version = std::to_integer<std::uint8_t>(body[magic.size()]);
    return word == magic || (printable && (version == version_4 || version == version_6));
}

}  // namespace

bool recognise(Head head) {
    std::array<std::byte, 64> first{};
    const std::span<const std::byte> bytes = std::span(first).first(unpack_head(head, first));
    if (bytes.size() < 2 || bytes[0] != std::byte{0}) return false;
    std::span<const std::byte> body = bytes.subspan(2);
    if (bytes[1] == static_cast<std::byte>(Tag::switch_trace)) {  // a HEAD must follow
        while (!body.empty() && (body.front() & std::byte{0x80}) != std::byte{0})
            body = body.subspan(1);
        const bool leads_to_head =
            body.size() > 3 && body[1] == std::byte{0} && body[2] == static_cast<std::byte>(Tag::head);
        return leads_to_head && is_head(body.subspan(3));
    }
    if (bytes[1] == static_cast<std::byte>(Tag::head)) return is_head(body);
    if (bytes[1] != static_cast<std::byte>(Tag::packed) || body.empty()) return false;
    // The sizes of a block must be plausible: not 0, and with a possible compression ratio.
    if (body.front() > static_cast<std::byte>(Pack::gzip)) return false;
    try {
        Cursor cursor(body.subspan(1));
        const std::uint64_t raw = cursor.leb128(), packed = cursor.leb128();
        return raw != 0 && packed != 0 && packed <= raw + raw / 8 + smallest_block && raw / largest_expansion <= packed;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace flux
}  // namespace hwtrace

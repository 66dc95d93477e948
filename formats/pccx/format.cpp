// formats/pccx/format.cpp - the descriptor of pccx. The rest of the program uses the format only through this
// descriptor.
#include <array>
#include <string_view>

#include "codec.hpp"
#include "io/cursor.hpp"
#include "rules.hpp"
#include "wire.hpp"

namespace hwtrace {

namespace {

constexpr std::array<std::string_view, 1> extensions{".pccx"};
constexpr std::array views{
    View{"events", "the header, then one line per event: core, start, duration, type, name", pccx::render_events,
         pccx::render_event_data, std::nullopt, nullptr, true},
};

/// Returns true if the file begins with the magic, major version 1 and a JSON header (formats/pccx/README.md#header).
bool sniff(Head head) {
    if (head.size() <= pccx::prefix_size || as_text(head.first(pccx::magic.size())) != pccx::magic) return false;
    if (std::to_integer<std::uint8_t>(head[pccx::magic.size()]) != pccx::major_version) return false;
    const std::string_view json = as_text(head.subspan(pccx::prefix_size));
    const std::size_t first = json.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return first == std::string_view::npos || json[first] == '{' || json[first] == '[';
}

}  // namespace

extern const Format pccx_format;
constinit const Format pccx_format{
    .name = "pccx",
    .title = "pccx-lab trace: activities of the cores of an NPU, in cycles",
    .extensions = extensions,
    .reads = {.shapes = {Shape::stream, Shape::native},
              .streams = false,
              .schema_upfront = false,
              .time_ordered = false},
    .writes = {.holds = {Holding(Shape::stream).with_only_text(pccx::api_name), Shape::native},
               .needs_patch = true,
               .growing_schema = true,
               .foresee = pccx::foresee_losses,
               .needs_time_order = pccx::needs_start_order},
    .options = pccx::options,
    .views = views,
    .rules = pccx::rules(),
    .text_title = ".pccx File Format Specification",
    .sniff = sniff,
    .make_reader = pccx::open_reader,
    .make_writer = pccx::create_writer,
};

}  // namespace hwtrace

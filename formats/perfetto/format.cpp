// formats/perfetto/format.cpp - the descriptors of the formats that Perfetto's viewer opens. hwtrace does not read
// them.
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "codec/format.hpp"
#include "json_drawing.hpp"
#include "presentation.hpp"
#include "proto_drawing.hpp"

namespace hwtrace {
namespace {

constexpr std::string_view unit_values = "auto|ns|ps|fs";
constexpr std::string_view unit_help =
    "the real time that a nanosecond of the viewer stands for; auto: the coarsest in which all ticks are exact";

constexpr std::array<std::string_view, 1> perfetto_extensions{".pftrace"};
constexpr std::array<std::string_view, 1> chrome_extensions{".trace.json"};
constexpr std::array perfetto_options{Option{"perfetto-unit", unit_values, "auto", unit_help}};
constexpr std::array chrome_options{Option{"chrome-unit", unit_values, "auto", unit_help}};

constexpr bool never(Head) {
    return false;
}
constexpr bool always(const Settings&) {
    return true;
}

template <std::unique_ptr<perfetto::Drawing> (*draw)(Output&, std::string_view), const auto& options>
std::unique_ptr<Writer> create(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    const perfetto::Unit unit = perfetto::choose_unit(schema, settings.text(options, options[0].key));
    const std::string note = unit.note();
    const std::string title = note.empty() ? "trace" : "trace (" + note + ')';
    return perfetto::make_presentation(draw(output, title), schema, settings, unit, losses);
}

}  // namespace

extern const Format perfetto_format;
constinit const Format perfetto_format{
    .name = "perfetto",
    .title = "timeline of Perfetto's viewer",
    .extensions = perfetto_extensions,
    .reads = {},
    .writes = {.holds = Holdings::everything(),
               .raises = always,
               .is_picture = true,
               .foresee = perfetto::foresee_losses,
               .needs_time_order = perfetto::needs_time_order},
    .options = perfetto_options,
    .views = {},
    .rules = {},
    .sniff = never,
    .make_reader = nullptr,
    .make_writer = create<perfetto::draw_protobuf, perfetto_options>,
};

extern const Format chrome_format;
constinit const Format chrome_format{
    .name = "chrome",
    .title = "timeline of Chrome's trace viewer, in JSON",
    .extensions = chrome_extensions,
    .reads = {},
    .writes = {.holds = Holdings::everything(),
               .raises = always,
               .writes_text = always,
               .is_picture = true,
               .foresee = perfetto::foresee_losses,
               .needs_time_order = perfetto::needs_time_order},
    .options = chrome_options,
    .views = {},
    .rules = {},
    .sniff = never,
    .make_reader = nullptr,
    .make_writer = create<perfetto::draw_json, chrome_options>,
};

}  // namespace hwtrace

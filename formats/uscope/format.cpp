// formats/uscope/format.cpp - the descriptor of µScope. The rest of the program uses the format only through this
// descriptor.
#include "codec/format.hpp"

#include <algorithm>
#include <array>

#include "domain/conventions.hpp"
#include "foreseen.hpp"
#include "frame_text.hpp"
#include "options.hpp"
#include "preamble.hpp"
#include "reader.hpp"
#include "rules.hpp"
#include "wire.hpp"
#include "writer.hpp"

namespace hwtrace {

namespace {

constexpr std::array<std::string_view, 1> extensions{".uscope"};
constexpr std::array views{View{"frames", "header, schema and every frame, as readable text", uscope::render_frames,
                                nullptr, TraceWindow::Unit::time_ps, nullptr, true}};

}  // namespace

extern const Format uscope_format;
constinit const Format uscope_format{
    .name = "uscope",
    .title = "µScope trace (cycle-accurate hardware introspection)",
    .extensions = extensions,
    .reads = {.shapes = {Shape::event_type, Shape::storage, Shape::native},
              .streams = false,
              .schema_upfront = true,
              .is_too_young = uscope::is_too_young},
    .writes = {.holds = {Shape::event_type, Shape::storage, Shape::native},
               .time = TimeLimit::only_picoseconds,
               .needs_patch = true,
               .foresee = uscope::foresee_losses,
               .needs_time_order = [](const Schema&, const Settings&) { return true; },
               .shown_protocol = [](const Settings& settings) -> std::string_view {
                   constexpr std::string_view cpu = conventions::cpu_protocol;
                   return settings.text(uscope::options, uscope::protocol_option) == cpu ? cpu : std::string_view();
               }},
    .options = uscope::options,
    .views = views,
    .rules = uscope::rules(),
    .text_title = "µScope Trace Format Specification",
    .sniff =
        [](Head head) {
            return head.size() >= uscope::file_magic.size() &&
                   std::equal(uscope::file_magic.begin(), uscope::file_magic.end(), head.begin());
        },
    .make_reader = uscope::open_reader,
    .make_writer = uscope::create_writer,
};

}  // namespace hwtrace

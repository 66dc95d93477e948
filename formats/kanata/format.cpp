// formats/kanata/format.cpp - the descriptor of Kanata. The rest of the program uses the format only through this
// descriptor.
#include <array>
#include <string_view>

#include "codec.hpp"
#include "domain/conventions.hpp"
#include "log.hpp"
#include "rules.hpp"

namespace hwtrace {
namespace {

constexpr std::array<std::string_view, 5> extensions{".kanata.gz", ".kanata.lz4", ".kanata.zst", ".kanata.xz",
                                                     ".kanata"};

constexpr std::array views{
    View{.name = "log", .title = "one line per command, with its cycle", .render = kanata::render_log, .parts = true},
};

constexpr Holding held(Shape shape) {
    return Holding(shape).in_scopes_of(conventions::cpu_protocol);
}

}  // namespace

extern const Format kanata_format;
constinit const Format kanata_format{
    .name = "kanata",
    .title = "Kanata log of instructions in a pipeline",
    .extensions = extensions,
    // The reader needs two passes: the schema lists stages and slots before the first record.
    .reads = {.shapes = {Shape::event_type, Shape::storage},
              .streams = false,
              .schema_upfront = true,
              .ends_anywhere = true},
    .writes = {.holds = {held(Shape::event_type), held(Shape::storage)},
               .writes_text =
                   [](const Settings& settings) {
                       return chosen_packing(settings, kanata::options, kanata::container_option) == Packing::plain;
                   },
               .foresee = kanata::foresee_losses,
               .needs_time_order = [](const Schema&, const Settings&) { return true; }},
    .options = kanata::options,
    .views = views,
    .rules = kanata::rules(),
    .text_title = "Kanata Log Format",
    .sniff = kanata::recognise,
    .make_reader = kanata::open_reader,
    .make_writer = kanata::create_writer,
};

}  // namespace hwtrace

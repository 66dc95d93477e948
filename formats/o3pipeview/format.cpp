// formats/o3pipeview/format.cpp - the descriptor of O3PipeView. The rest of the program uses the format only through
// this descriptor.
#include <array>
#include <string_view>

#include "codec.hpp"
#include "domain/conventions.hpp"
#include "rules.hpp"
#include "trace.hpp"

namespace hwtrace {
namespace {

constexpr std::array<std::string_view, 5> extensions{".o3pipeview.gz", ".o3pipeview.lz4", ".o3pipeview.zst",
                                                     ".o3pipeview.xz", ".o3pipeview"};

constexpr std::array views{
    View{.name = "instructions",
         .title = "one line per instruction, with its cycles in each stage",
         .render = o3pipeview::render_instructions,
         .render_data = o3pipeview::render_instruction_data,
         .parts = true},
    View{.name = "lines",
         .title = "one line per line of the file, as gem5 writes it",
         .render = o3pipeview::render_lines,
         .parts = true},
};

constexpr Holding held(Shape shape) {
    return Holding(shape).in_scopes_of(conventions::cpu_protocol);
}

}  // namespace

extern const Format o3pipeview_format;
constinit const Format o3pipeview_format{
    .name = "o3pipeview",
    .title = "gem5 O3PipeView trace of instructions in a pipeline",
    .extensions = extensions,
    // The reader needs two passes: the schema lists cores, stages and slots before the first record.
    .reads = {.shapes = {Shape::event_type, Shape::storage},
              .streams = false,
              .schema_upfront = true,
              .ends_anywhere = true},
    .writes = {.holds = {held(Shape::event_type), held(Shape::storage)},
               .writes_text =
                   [](const Settings& settings) {
                       return chosen_packing(settings, o3pipeview::options, o3pipeview::container_option) ==
                              Packing::plain;
                   },
               .foresee = o3pipeview::foresee_losses,
               .needs_time_order = [](const Schema&, const Settings&) { return true; }},
    .options = o3pipeview::options,
    .views = views,
    .rules = o3pipeview::rules(),
    .sniff = o3pipeview::recognise,
    .make_reader = o3pipeview::open_reader,
    .make_writer = o3pipeview::create_writer,
};

}  // namespace hwtrace

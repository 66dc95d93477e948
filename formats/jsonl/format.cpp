// formats/jsonl/format.cpp - the descriptor of jsonl. The rest of the program uses the format only through this
// descriptor.
#include <array>
#include <string_view>

#include "codec.hpp"
#include "rules.hpp"

namespace hwtrace {
namespace {

constexpr std::array<std::string_view, 5> extensions{".jsonl.gz", ".jsonl.lz4", ".jsonl.zst", ".jsonl.xz", ".jsonl"};

constexpr std::array views{
    View{.name = "lines",
         .title = "each line with its number, offset and fault",
         .render = jsonl::render_lines,
         .parts = true},
};

}  // namespace

extern const Format jsonl_format;
constinit const Format jsonl_format{
    .name = "jsonl",
    .title = "the trace model as JSON Lines",
    .extensions = extensions,
    .reads = {.shapes = every_shape,
              .streams = true,
              .schema_upfront = false,
              .time_ordered = false,
              .ends_anywhere = true,
              .relations = RelationPlace::anywhere},
    .writes = {.holds = Holdings::everything(),
               .raises = [](const Settings& settings) { return settings.text(jsonl::options, "jsonl-raise") == "on"; },
               .writes_text =
                   [](const Settings& settings) {
                       return chosen_packing(settings, jsonl::options, jsonl::container_option) == Packing::plain;
                   },
               .keeps_texts = [](const Settings&) { return true; },  // numbers them
               .growing_schema = true,
               .foresee = jsonl::foresee_losses},
    .options = jsonl::options,
    .views = views,
    .rules = jsonl::rules(),
    .sniff = jsonl::recognise,
    .make_reader = jsonl::open_reader,
    .make_writer = jsonl::create_writer,
};

}  // namespace hwtrace

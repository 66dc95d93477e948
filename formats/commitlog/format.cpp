// formats/commitlog/format.cpp - the descriptor of commit logs. The rest of the program uses the format only through
// this descriptor.
#include <array>
#include <string_view>

#include "codec.hpp"
#include "log.hpp"
#include "rules.hpp"

namespace hwtrace {
namespace {

constexpr std::array<std::string_view, 5> extensions{".commitlog.gz", ".commitlog.lz4", ".commitlog.zst",
                                                     ".commitlog.xz", ".commitlog"};

constexpr std::array views{
    View{"instructions",
         "one line per instruction, with registers, accesses and events",
         commitlog::render_instructions,
         commitlog::render_instruction_data,
         {},
         nullptr,
         true},
};

}  // namespace

extern const Format commitlog_format;
constinit const Format commitlog_format{
    .name = "commitlog",
    .title = "commit log of a RISC-V simulator (Spike, Dromajo, CVA6, Rocket, Sail)",
    .extensions = extensions,
    // Harts, and the length of vector registers, appear while reading.
    .reads = {.shapes = {Shape::hart, Shape::event_type},
              .streams = true,
              .schema_upfront = false,
              .time_ordered = false,
              .is_too_young = commitlog::is_too_young,
              .ends_anywhere = true},
    .writes = {},
    .options = {},
    .views = views,
    .rules = commitlog::rules(),
    .sniff = commitlog::recognise,
    .make_reader = commitlog::open_reader,
    .make_writer = nullptr,
};

}  // namespace hwtrace

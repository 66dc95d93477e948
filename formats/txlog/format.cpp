// formats/txlog/format.cpp - the descriptor of transaction logs. The rest of the program uses the format only through
// this descriptor.
#include <array>
#include <string_view>

#include "codec.hpp"
#include "log.hpp"
#include "rules.hpp"

namespace hwtrace {
namespace {

constexpr std::array<std::string_view, 12> extensions{".txlog.lz4", ".lwtrt.lz4", ".txlog.zst", ".lwtrt.zst",
                                                      ".txlog.lz",  ".lwtrt.lz",  ".txlog.gz",  ".lwtrt.gz",
                                                      ".txlog.xz",  ".lwtrt.xz",  ".txlog",     ".lwtrt"};

constexpr std::array views{
    View{"log", "one line per statement", txlog::render_log, txlog::render_log_data, std::nullopt, nullptr, true},
};

}  // namespace

extern const Format txlog_format;
constinit const Format txlog_format{
    .name = "txlog",
    .title = "transaction log of SCV or LWTR4SC",
    .extensions = extensions,
    // The log is read twice: the smallest unit of its times must be known before the first record.
    .reads = {.shapes = {Shape::stream, Shape::relation_type},
              .streams = false,
              .schema_upfront = false,
              .time_ordered = false,
              .ends_anywhere = true,
              .relations = RelationPlace::anywhere},
    .writes = {.holds = {Shape::stream, Shape::relation_type},
               .writes_text =
                   [](const Settings& settings) {
                       return chosen_packing(settings, txlog::options, txlog::container_option) == Packing::plain;
                   },
               .foresee = txlog::foresee_losses},
    .options = txlog::options,
    .views = views,
    .rules = txlog::rules(),
    .sniff = txlog::recognise,
    .make_reader = txlog::open_reader,
    .make_writer = txlog::create_writer,
};

}  // namespace hwtrace

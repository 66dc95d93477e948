// formats/champsim/format.cpp - the descriptor of ChampSim's traces. hwtrace does not read them.
#include <array>
#include <string_view>

#include "codec.hpp"

namespace hwtrace {
namespace {

constexpr std::array<std::string_view, 6> champsim_extensions{
    ".champsimtrace.xz", ".champsimtrace.gz", ".champsimtrace", ".champsim.xz", ".champsim.gz", ".champsim"};

constexpr bool claims_no_head(Head) {
    return false;
}

}  // namespace

extern const Format champsim_format;
constinit const Format champsim_format{
    .name = "champsim",
    .title = "instruction trace of the simulator ChampSim",
    .extensions = champsim_extensions,
    .reads = {},
    .writes = {.holds = {Holding(Shape::hart), Holding(Shape::event_type).which(champsim::is_read_event)},
               .is_picture = true,
               .foresee = champsim::foresee_losses},
    .options = champsim::options,
    .views = {},
    .rules = {},
    .sniff = claims_no_head,
    .make_reader = nullptr,
    .make_writer = champsim::create_writer,
};

}  // namespace hwtrace

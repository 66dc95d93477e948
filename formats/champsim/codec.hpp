// formats/champsim/codec.hpp - the options and the writer that format.cpp registers.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "codec/format.hpp"

namespace hwtrace::champsim {

inline constexpr std::string_view container_option = "champsim-container";
inline constexpr std::string_view hart_option = "champsim-hart";
inline constexpr std::string_view branches_option = "champsim-branches";
inline constexpr std::string_view layout_option = "champsim-layout";
inline constexpr std::array options{
    Option{container_option, "auto|plain|gz|xz", "auto",
           "compression of the file (auto: by its extension .gz or .xz, else plain)"},
    Option{hart_option, "count", "",
           "the hart whose instructions are written: its id in an STF trace, else its place in the trace, from 0; "
           "required if the trace has several"},
    Option{branches_option, "registers|flags", "registers",
           "what conditional branches read; registers: what they compare, for ChampSim since August 2023; flags: for "
           "earlier versions"},
    Option{layout_option, "input|cloudsuite", "input",
           "the records; input: 64 bytes, 2 destinations; cloudsuite: 96 bytes, 4 destinations (ChampSim's option "
           "--cloudsuite)"},
};

/// Creates the writer. Throws Failure::input if the trace has no instructions, or several harts of which none was
/// chosen.
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);
/// Lists the losses that the writer may cause.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);
/// Returns true for the event types that the writer reads: the hart and the width of the following instructions.
bool is_read_event(const Track& track);

}  // namespace hwtrace::champsim

// formats/waveform/presentation.hpp - draws a whole trace as a waveform. VCD and FST share it.
#pragma once

#include <memory>
#include <vector>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "codec/writer.hpp"
#include "model/schema.hpp"
#include "variables.hpp"

namespace hwtrace::waveform {

/// Returns a writer that draws the records of a trace with this schema.
std::unique_ptr<Writer> make_presentation(std::unique_ptr<Encoder> encoder, const Schema& schema,
                                          const Settings& settings, Losses& losses);
/// Appends the losses that the writer may count.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);
/// Returns true: times of a waveform never decrease.
bool needs_time_order(const Schema& schema, const Settings& settings);

/// The reasons of losses that an encoder counts.
inline constexpr std::string_view vcd_states = "VCD has only the states 0, 1, x and z";
inline constexpr std::string_view fst_states = "FST has only the states 0, 1, x, z, h, u, w, l and -";

}  // namespace hwtrace::waveform

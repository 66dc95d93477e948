// formats/perfetto/presentation.hpp - draws a whole trace. The formats that show timelines share it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "codec/writer.hpp"
#include "drawing.hpp"
#include "model/schema.hpp"
#include "nanoseconds.hpp"

namespace hwtrace::perfetto {

/// Returns a writer that draws the records of a trace with this schema.
std::unique_ptr<Writer> make_presentation(std::unique_ptr<Drawing> drawing, const Schema& schema,
                                          const Settings& settings, const Unit& unit, Losses& losses);
/// Appends the losses that the writer may count.
void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses);
/// Returns true if the writer needs records sorted by time.
bool needs_time_order(const Schema& schema, const Settings& settings);

}  // namespace hwtrace::perfetto

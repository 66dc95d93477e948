// formats/report/report_writer.hpp - collects what a report shows, and writes the page.
#pragma once

#include <memory>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "codec/writer.hpp"
#include "io/output.hpp"
#include "model/schema.hpp"

namespace hwtrace::report {

/// Returns a writer that makes a report of a trace with this schema.
std::unique_ptr<Writer> make_report(Output& output, const Schema& schema, const Settings& settings, Losses& losses);

}  // namespace hwtrace::report

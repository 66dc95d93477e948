// formats/uscope/writer.hpp - writes µScope 0.3.
#pragma once

#include <memory>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "codec/writer.hpp"
#include "io/output.hpp"
#include "model/schema.hpp"

namespace hwtrace::uscope {

/// Format::create of this format. Times of records are picoseconds and do not decrease; write() throws Failure::input
/// where they do. Strings of `schema` may grow; metadata that grow later are losses.
std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses);

}  // namespace hwtrace::uscope

// formats/report/hot_code.hpp - writes how often each pc and each basic block of a hart was executed.
#pragma once

#include <cstddef>

#include "domain/hot_code.hpp"
#include "json_stream.hpp"

namespace hwtrace::report {

/// Writes the totals and the `most` most frequent pcs and blocks.
void write_hot_code(JsonStream& json, const HotCode& code, std::size_t most);

}  // namespace hwtrace::report

// formats/report/hot_code.hpp - writes how often each pc and each basic block of a hart was executed.
#pragma once

#include <cstddef>

#include "domain/hot_code.hpp"
#include "json_stream.hpp"
#include "symbols/symbols.hpp"

namespace hwtrace::report {

/// Writes the totals and the `most` most frequent pcs and blocks, with their functions and source lines unless
/// `symbols` is null.
void write_hot_code(JsonStream& json, const HotCode& code, std::size_t most, const Symbols* symbols);

}  // namespace hwtrace::report

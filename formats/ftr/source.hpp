// formats/ftr/source.hpp - whether a trace that is to be written is one of transaction recordings.
#pragma once

#include "codec/settings.hpp"
#include "model/schema.hpp"

namespace hwtrace::ftr {

/// True for a trace as the reader of this format tells it: of streams with numbers, whose transactions have numbers
/// too, and from such a file, or created at some time.
bool is_of_ftr(const Schema& schema, const Settings& settings);

}  // namespace hwtrace::ftr

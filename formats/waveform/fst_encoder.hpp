// formats/waveform/fst_encoder.hpp - writes a waveform as an FST file.
#pragma once

#include <memory>

#include "codec/losses.hpp"
#include "io/output.hpp"
#include "variables.hpp"

namespace hwtrace::waveform {

/// `output` and `losses` must outlive the result. The output must allow patches.
std::unique_ptr<Encoder> encode_fst(Output& output, Losses& losses);

}  // namespace hwtrace::waveform

// formats/waveform/vcd_encoder.hpp - writes a waveform as a Value Change Dump (IEEE Std 1364-2005, clause 18).
#pragma once

#include <memory>

#include "codec/losses.hpp"
#include "io/output.hpp"
#include "variables.hpp"

namespace hwtrace::waveform {

/// `output` and `losses` must outlive the result.
std::unique_ptr<Encoder> encode_vcd(Output& output, Losses& losses);

}  // namespace hwtrace::waveform

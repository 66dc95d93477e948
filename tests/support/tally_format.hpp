// tests/support/tally_format.hpp - the smallest complete format: fixed-size records that are read, written, dumped and
// validated. The format shows how little a codec needs (formats/README.md), and that no other code depends on the list
// of formats.
#pragma once

#include "codec/format.hpp"

namespace hwtrace::test {

/// The format of a small file: "TALY", the number of lanes (u32), and records of 24 bytes. A record has lane u32, kind
/// u32, begin u64 and duration u64, with times in ns.
extern const Format tally_format;

}  // namespace hwtrace::test

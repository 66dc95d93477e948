// tests/support/tally_format.hpp - the smallest format that is a whole one: fixed records, read, written, dumped and
// validated. It shows what a codec costs (formats/README.md), and that nothing else knows the formats there are.
#pragma once

#include "codec/format.hpp"

namespace hwtrace::test {

/// "TALY", number of lanes u32, then records of 24 bytes: lane u32, kind u32, begin u64 and duration u64 in ns.
extern const Format tally_format;

}  // namespace hwtrace::test

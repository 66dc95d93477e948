// pipeline/verify.hpp - --verify: does an output, read back, say what its source says?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codec/format.hpp"
#include "pipeline/plan.hpp"

namespace hwtrace {

/// Where two models differ: the first differing line of their dumps.
struct ModelDifference {
    std::uint64_t line = 0;  ///< of the model dumps, from 1
    std::string expected;    ///< the source's line; empty when it has ended
    std::string got;
};

/// Reads `output` (a `to` trace) back to the model of `from` and compares it with `source`, read again from its
/// beginning; where the conversion raised what had been lowered before, both are compared raised. Only meaningful when
/// no loss was counted. None when they are equal.
std::optional<ModelDifference> verify_conversion(Input& source, const Format& from, Input& output, const Format& to,
                                                 const Settings& settings);

}  // namespace hwtrace

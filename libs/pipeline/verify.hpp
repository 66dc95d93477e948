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

/// False where verify_conversion() would find differences that are none: the target derives numbers of its model from
/// all of its records (slots, stages), which are others for a part; or the source is damaged, and what stands behind
/// the damage has positions that count what is lost; or options ask for them (Option::restates).
bool can_verify(const Format& to, const Choices& choices, Effect source) noexcept;

/// Reads `output` (a `to` trace), which `source` was converted to with `choices`, and compares the two as models. What
/// was lowered is raised again and compared with the source; everything else is compared with what the plan's stages
/// make of the source. How a file stores its trace (conventions::is_storage_fact) is not compared, nor the order of
/// facts and of tracks that appear while reading, nor what the output's
/// format wants beyond the source: further metadata, and a clock where the source has none. Both inputs are read from
/// their beginnings. Only meaningful when no loss was counted. None when they are equal.
std::optional<ModelDifference> verify_conversion(Input& source, const Format& from, Input& output, const Format& to,
                                                 const Choices& choices);

}  // namespace hwtrace

// formats/o3pipeview/core_plan.hpp - what a writer decides before the first record, and the losses that follow from the
// schema alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "domain/pipeline_roles.hpp"
#include "domain/protocols.hpp"
#include "model/schema.hpp"
#include "stages.hpp"

namespace hwtrace::o3pipeview {

struct CorePlan {
    static constexpr std::uint32_t most_slots = 1u << 20;

    CpuScope cpu;
    std::uint16_t microop = no_field;
    std::vector<std::optional<Stage>> stages;  ///< by stage number; nullopt: no counterpart
    std::vector<bool> stores;                  ///< by stage number; true: the stage of waiting stores
    std::string prefix;                        ///< the name in front of each line; empty: none

    bool is_store(std::uint64_t stage) const noexcept {
        return stage < stores.size() && stores[static_cast<std::size_t>(stage)];
    }
};

struct WriterPlan {
    bool is_native = false;     ///< the trace was read from a file of this format, directly or through another format
    std::uint64_t rate = 0;     ///< ticks per second
    Tick cycle = 0;             ///< ticks per cycle
    std::vector<Ratio> ratios;  ///< one per track: ticks of the output per tick of the track
    std::string assumption;     ///< what had to be assumed; may be empty
    std::vector<CorePlan> cores;
};

/// Plans the writing of a trace. Throws Failure::input if its times do not fit.
WriterPlan plan_of(const Schema& schema, const Settings& settings);

/// Calls `lose(loss, subject, what)` for each loss that follows from the schema.
void lose_of_schema(const Schema& schema, const WriterPlan& plan, const std::vector<PipelineUse>& uses,
                    const std::function<void(Loss, std::string_view, std::string)>& lose);

/// Removes the address `pc` at the beginning of a label, and the colon and one blank after it.
void remove_address(std::uint64_t pc, std::string& label);

}  // namespace hwtrace::o3pipeview

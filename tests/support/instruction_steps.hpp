// support/instruction_steps.hpp - traces of RISC-V instructions with calls, for tests of functions.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/conventions.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "symbols/symbols.hpp"

namespace hwtrace::test {

/// A trace of one hart, with the events that state its thread and its traps.
struct InstructionSteps {
    static constexpr std::uint32_t nop = 0x00000013, call = 0x000000EF, jump = 0x0000006F, ret = 0x00008067,
                                   mret = 0x30200073;
    static constexpr std::uint64_t main = 0x1000, a = 0x1100, b = 0x1200, handler = 0x8000, nowhere = 0x9000;

    Schema schema;
    TrackId hart = none, process = none, traps = none;
    Batch batch;
    Tick time = 0;

    InstructionSteps() {
        schema.describe(std::string(conventions::isa), "1");
        Scope core;
        core.name = "core0";
        const ScopeId scope = schema.declare(std::move(core));
        hart = schema.declare(make_track(Track::Kind::hart, scope, "core0", ordinals));
        process = declare_event(scope, conventions::process_id, {"hw_thread", "pid", "tid"});
        traps = declare_event(scope, conventions::trap, {"id"});
    }

    /// The functions main, a and b of 0x100 bytes, and a handler.
    static std::shared_ptr<const Symbols> symbols() {
        return Symbols::of({{main, main + 0x100, "main"},
                            {a, a + 0x100, "a"},
                            {b, b + 0x100, "b"},
                            {handler, handler + 0x100, "handler"}});
    }
    /// Executes an instruction without a transfer.
    InstructionSteps& at(std::uint64_t pc, std::uint32_t encoding = nop) {
        Instruction& instruction = batch.instruction(hart, time++, pc);
        instruction.encoding = encoding;
        instruction.size = 4;
        return *this;
    }
    /// Executes a transfer to `target`.
    InstructionSteps& go(std::uint64_t pc, std::uint32_t encoding, std::uint64_t target) {
        Instruction& instruction = batch.instruction(hart, time++, pc);
        instruction.encoding = encoding;
        instruction.size = 4;
        instruction.has_target = true;
        instruction.target = target;
        return *this;
    }
    /// States that this thread runs from now on.
    InstructionSteps& run(std::uint64_t hart_number, std::uint64_t process_number, std::uint64_t thread_number) {
        batch.event(process, time, std::array{hart_number, process_number, thread_number});
        return *this;
    }
    /// States that the next instruction traps.
    InstructionSteps& trap(std::uint64_t id) {
        batch.event(traps, time, std::array{id});
        return *this;
    }

private:
    TrackId declare_event(ScopeId scope, std::string_view name, const std::vector<std::string>& names) {
        std::vector<Field> fields;
        for (const std::string& field_name : names) {
            Field& field = fields.emplace_back();
            field.name = field_name;
            field.type = Type::u64;
        }
        return schema.declare(make_track(Track::Kind::event_type, scope, name, ordinals, std::move(fields)));
    }
};

}  // namespace hwtrace::test

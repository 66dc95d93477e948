#include "branches.hpp"

namespace hwtrace::champsim {
namespace {

/// Fills slots in order.
class Filling {
public:
    Filling(Slots& slots, const Layout& layout) : slots_(slots), layout_(layout) {}
    void read(std::uint8_t number) noexcept {
        if (number == 0) return;
        for (std::size_t slot = 0; slot < slots_.source_count; ++slot)
            if (slots_.sources[slot] == number) return;
        if (slots_.source_count < layout_.sources)
            slots_.sources[slots_.source_count++] = number;
        else
            ++slots_.lost_sources;
    }
    void write(std::uint8_t number) noexcept {
        if (number == 0) return;
        if (slots_.destination_count < layout_.destinations)
            slots_.destinations[slots_.destination_count++] = number;
        else
            ++slots_.lost_destinations;
    }

private:
    Slots& slots_;
    const Layout& layout_;
};

}  // namespace

Slots slots_of(const riscv::Encoding& encoding, const riscv::Operands& operands, const Layout& layout,
               BranchRegisters branch_registers) noexcept {
    using riscv::Class;
    Slots slots;
    Filling filling(slots, layout);
    const Class kind = encoding.instruction_class;
    const bool is_conditional = kind == Class::branch, is_call = kind == Class::call,
               is_return = kind == Class::returns;
    slots.is_branch = encoding.transfers();
    slots.is_taken = encoding.jumps();
    if (slots.is_branch) {
        // An indirect jump must not read IP, and a return must not either.
        const bool is_direct = encoding.has_offset || operands.sources().empty();
        if (is_conditional || is_call || (is_direct && !is_return)) filling.read(instruction_pointer);
        filling.write(instruction_pointer);
    }
    if (is_call || is_return) {
        filling.read(stack_pointer);
        filling.write(stack_pointer);
    }
    // Without any register, a conditional branch would be a direct jump to ChampSim.
    const bool by_flags = is_conditional && (branch_registers == BranchRegisters::flags || operands.sources().empty());
    if (by_flags) {
        filling.read(flags);
        slots.lost_compared = static_cast<std::uint8_t>(operands.sources().size());
    } else {
        for (const riscv::Register source : operands.sources())
            filling.read(number_of(source));
    }
    for (const riscv::Register destination : operands.destinations())
        filling.write(number_of(destination));
    return slots;
}

}  // namespace hwtrace::champsim

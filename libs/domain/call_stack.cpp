#include "domain/call_stack.hpp"

#include <algorithm>

namespace hwtrace {

namespace {

/// Returns true for a JALR that pops and pushes return addresses: both registers are link registers, but different
/// ones.
bool swaps_links(std::uint64_t encoding) noexcept {
    constexpr auto is_link = [](std::uint64_t number) { return number == 1 || number == 5; };
    if ((encoding & 3) != 3) return (encoding >> 7 & 31) == 5 && (encoding & 0xF07F) == 0x9002;  // c.jalr x5
    const std::uint64_t to = encoding >> 7 & 31, from = encoding >> 15 & 31;
    return (encoding & 0x7F) == 0x67 && is_link(to) && is_link(from) && to != from;
}

}  // namespace

std::string_view name_of(CallStack::Cause cause) noexcept {
    switch (cause) {
        case CallStack::Cause::root:
            return "root";
        case CallStack::Cause::call:
            return "call";
        case CallStack::Cause::tail_call:
            return "tail call";
        case CallStack::Cause::jump:
            return "jump";
        case CallStack::Cause::trap:
            break;
    }
    return "trap";
}

void CallStack::move_to(std::uint64_t pc) {
    if (frames_.empty()) {
        enter(pc, Cause::root, unknown_address);
    } else if (lost_) {
        resynchronise(pc);
    } else if (last_.has_target) {
        if (!transfer(last_.target))
            interrupt(pc, next_);
        else if (pc != last_.target)
            interrupt(pc, last_.target);
    } else if (pc == next_) {
        jump(pc);  // falls into another function
    } else if (trap_ || !transfer(pc)) {
        interrupt(pc, next_);
    }
    trap_ = lost_ = false;
    range_ = symbols_->range_at(pc, recent_);
}

bool CallStack::transfer(std::uint64_t target) {
    if (isa_ == Isa::other) {
        if (last_.has_target) jump(target);
        return last_.has_target;
    }
    switch (riscv::class_of(last_.encoding, last_.size, xlen())) {
        case riscv::Class::call:
            call(target);
            return true;
        case riscv::Class::returns:
            return_to(target);
            return true;
        case riscv::Class::jump:
        case riscv::Class::branch:
            jump(target);
            return true;
        case riscv::Class::system:
            if (!riscv::decode(last_.encoding, last_.size, xlen()).returns_from_trap()) return false;
            return_from_trap(target);
            return true;
        default:
            return false;
    }
}

void CallStack::call(std::uint64_t target) {
    if (swaps_links(last_.encoding) && frames_.size() > 1 && omitted_ == 0) unwind(frames_.size() - 1);
    enter(target, Cause::call, last_.pc + last_.size);
}

void CallStack::jump(std::uint64_t target) {
    if (omitted_ == 0 && function_at(target) != frames_.back().function) replace(target);
}

void CallStack::return_to(std::uint64_t target) {
    if (omitted_ != 0) {
        --omitted_;
        return;
    }
    for (std::size_t i = frames_.size(); i-- > 1;) {
        if (frames_[i].return_address != target) continue;
        unwind(i);
        settle(target);
        return;
    }
    // A return as an indirect jump, or from a handler of a signal to code that ends it.
    const bool ends_handler = frames_.back().cause == Cause::trap && !has_frame_of(target);
    if (begins_function(target) || ends_handler)
        jump(target);
    else
        resynchronise(target);
}

void CallStack::return_from_trap(std::uint64_t pc) {
    for (std::size_t i = frames_.size(); i-- > 0;) {
        if (frames_[i].cause != Cause::trap) continue;
        omitted_ = 0;
        unwind(i);
        break;
    }
    if (frames_.empty() || frames_.back().function != function_at(pc)) resynchronise(pc);
}

void CallStack::interrupt(std::uint64_t pc, std::uint64_t expected) {
    for (std::size_t i = frames_.size(); i-- > 1;) {
        if (frames_[i].cause != Cause::trap || frames_[i].return_address != pc) continue;
        omitted_ = 0;
        unwind(i);
        settle(pc);
        return;
    }
    if (trap_ || begins_function(pc))
        enter(pc, Cause::trap, expected);
    else
        resynchronise(pc);
}

void CallStack::resynchronise(std::uint64_t pc) {
    omitted_ = 0;
    const Symbols::FunctionId function = function_at(pc);
    std::size_t kept = has_frame_of(pc) ? frames_.size() : 0;
    while (kept > 0 && frames_[kept - 1].function != function)
        --kept;
    unwind(kept);
    if (frames_.empty()) enter(pc, Cause::root, unknown_address);
}

void CallStack::finish() {
    events_.clear();
    unwind(0);
    omitted_ = 0;
}

void CallStack::enter(std::uint64_t pc, Cause cause, std::uint64_t return_address) {
    if (frames_.size() == most_frames) {
        ++omitted_;
        return;
    }
    const Frame frame{function_at(pc), cause, return_address};
    events_.push_back({Event::Kind::enter, static_cast<std::uint32_t>(frames_.size()), frame});
    frames_.push_back(frame);
}

/// Replaces the innermost frame by one for the function at `pc`.
void CallStack::replace(std::uint64_t pc) {
    const Frame top = frames_.back();
    unwind(frames_.size() - 1);
    const bool is_root = top.cause == Cause::root, is_trap = top.cause == Cause::trap;
    enter(pc,
          is_root               ? Cause::root
          : is_trap             ? Cause::trap
          : begins_function(pc) ? Cause::tail_call
                                : Cause::jump,
          top.return_address);
}

void CallStack::unwind(std::size_t frames) {
    while (frames_.size() > frames) {
        const auto depth = static_cast<std::uint32_t>(frames_.size() - 1);
        events_.push_back({Event::Kind::leave, depth, frames_.back()});
        frames_.pop_back();
    }
}

/// Adds a frame if a return leads to another function than that of the innermost frame: one that swapped its links.
void CallStack::settle(std::uint64_t pc) {
    if (frames_.back().function != function_at(pc)) enter(pc, Cause::jump, unknown_address);
}

bool CallStack::begins_function(std::uint64_t pc) noexcept {
    const Symbols::Function* const function = symbols_->function_at(pc, recent_);
    return function != nullptr && function->begin == pc;
}

bool CallStack::has_frame_of(std::uint64_t pc) noexcept {
    const Symbols::FunctionId function = function_at(pc);
    return function != Symbols::no_function && std::ranges::find(frames_, function, &Frame::function) != frames_.end();
}

}  // namespace hwtrace

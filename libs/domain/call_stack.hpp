// domain/call_stack.hpp - reconstructs the calls of a thread from the instructions that it executes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/riscv.hpp"
#include "symbols/symbols.hpp"

namespace hwtrace {

/// The call stack of one thread.
///
/// Calls and returns follow the hints of RISC-V (Volume I, "Unconditional Jumps"): a jump that links calls, an indirect
/// jump through a link register returns. A jump to another function replaces the function on top (a tail call). A
/// return unwinds to the frame that called with this return address; if there is none, as after longjmp, to the
/// innermost frame of the function that it reaches. An interrupted flow at the begin of a function is a handler, which
/// ends with xRET or by going on where it interrupted. Everything else that does not fit begins a new stack.
///
/// Steps allocate nothing once the stack has reached its greatest depth.
class CallStack {
public:
    /// Deeper calls are counted, but get no frame: their instructions belong to the innermost frame.
    static constexpr std::size_t most_frames = 1024;

    /// Why a frame exists.
    enum class Cause : std::uint8_t {
        root,       ///< the outermost known function
        call,       ///< a call
        tail_call,  ///< a jump to the begin of a function
        jump,       ///< a jump or a fall into the middle of a function, as to its cold part
        trap,       ///< an exception, interrupt or signal
    };
    static constexpr std::size_t causes = 5;  ///< number of causes
    struct Frame {
        Symbols::FunctionId function = Symbols::no_function;
        Cause cause = Cause::root;
        std::uint64_t return_address = unknown_address;  ///< where the function returns to

        friend bool operator==(const Frame&, const Frame&) = default;
    };
    static constexpr std::uint64_t unknown_address = ~std::uint64_t{0};
    /// A frame that was entered or left directly before the latest instruction.
    struct Event {
        enum class Kind : std::uint8_t { enter, leave };
        Kind kind = Kind::enter;
        std::uint32_t depth = 0;  ///< index of the frame, 0 for the root
        Frame frame;
    };
    /// An executed instruction.
    struct Step {
        std::uint64_t pc = 0, encoding = 0;
        std::uint64_t target = 0;  ///< where execution continues, if has_target
        unsigned size = 0;         ///< in bytes
        bool has_target = false;   ///< of a taken branch or jump
    };
    /// How instructions are interpreted. Instructions that are not RISC-V only jump.
    enum class Isa : std::uint8_t { rv32, rv64, other };

    /// `symbols` must outlive the stack.
    CallStack(const Symbols& symbols, Isa isa) : symbols_(&symbols), isa_(isa) {}

    /// Takes the next instruction of the thread. frames() then is the stack in which it executed, and events() what
    /// changed before it.
    void step(const Step& now) {
        events_.clear();
        if (is_checked_ || now.pc != next_ || !range_.contains(now.pc)) [[unlikely]]
            move_to(now.pc);
        last_ = now;
        is_checked_ = now.has_target;
        next_ = now.pc + now.size;
    }
    /// States that the latest instruction traps: if execution continues elsewhere, this begins a handler.
    void trap() noexcept { trap_ = is_checked_ = true; }
    /// States that instructions are missing before the next one.
    void lose() noexcept { lost_ = is_checked_ = true; }
    /// Leaves all frames.
    void finish();

    /// Returns the frames, the outermost first. Valid until the next step.
    std::span<const Frame> frames() const noexcept { return frames_; }
    /// Returns the changes by the latest step or finish(), in order.
    std::span<const Event> events() const noexcept { return events_; }
    /// Returns how many calls deeper than most_frames the latest instruction is.
    std::uint64_t omitted_frames() const noexcept { return omitted_; }

private:
    void move_to(std::uint64_t pc);
    /// Follows the latest instruction to `target`. Returns false if it does not transfer control.
    bool transfer(std::uint64_t target);
    void call(std::uint64_t target);
    void jump(std::uint64_t target);
    void return_to(std::uint64_t target);
    void return_from_trap(std::uint64_t pc);
    /// Continues at `pc`, although the latest instruction leads to `expected`.
    void interrupt(std::uint64_t pc, std::uint64_t expected);
    /// Unwinds to the innermost frame of the function at `pc`, or begins a new stack.
    void resynchronise(std::uint64_t pc);

    void enter(std::uint64_t pc, Cause cause, std::uint64_t return_address);
    void replace(std::uint64_t pc);
    void unwind(std::size_t frames);
    void settle(std::uint64_t pc);
    bool begins_function(std::uint64_t pc) noexcept;
    bool has_frame_of(std::uint64_t pc) noexcept;
    Symbols::FunctionId function_at(std::uint64_t pc) noexcept { return symbols_->range_at(pc, recent_).function; }
    riscv::Xlen xlen() const noexcept { return isa_ == Isa::rv32 ? riscv::Xlen::rv32 : riscv::Xlen::rv64; }

    const Symbols* symbols_;
    Isa isa_;
    bool is_checked_ = false;  // the next instruction may change the stack although it follows the latest one
    bool trap_ = false, lost_ = false;
    std::uint64_t next_ = unknown_address;  // directly behind the latest instruction
    Symbols::Range range_;                  // that contains the latest instruction
    Step last_;
    std::uint64_t omitted_ = 0;
    std::vector<Frame> frames_;
    std::vector<Event> events_;
    Symbols::Recent recent_;
};

/// Returns "root", "call", "tail call", "jump" or "trap".
std::string_view name_of(CallStack::Cause cause) noexcept;

}  // namespace hwtrace

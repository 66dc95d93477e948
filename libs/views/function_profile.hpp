// views/function_profile.hpp - how many instructions each function of a program executes, and how often it is called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "domain/call_stacks.hpp"
#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

struct FunctionProfile {
    struct Function {
        Symbols::FunctionId id = Symbols::no_function;  ///< no_function: code without a symbol
        std::uint64_t self = 0;                         ///< instructions of the function itself
        std::uint64_t inclusive = 0;  ///< also those of all functions that it calls; recursion counts once
        std::uint64_t calls = 0;      ///< calls, tail calls, and traps that it handles
    };
    std::vector<Function> functions;   ///< those with the most instructions of their own first, at most 64
    std::uint64_t executed = 0;        ///< number of functions that executed
    std::uint64_t omitted_frames = 0;  ///< instructions in calls deeper than CallStack::most_frames
};

/// Counts the instructions of functions in one pass. All harts and threads count together.
class FunctionProfileMeter {
public:
    /// `schema` must outlive the meter and may grow.
    FunctionProfileMeter(const Schema& schema, std::shared_ptr<const Symbols> symbols);

    void add(const Batch& batch);
    /// Returns the result. Call it once, after the last batch.
    FunctionProfile result();

private:
    static constexpr std::size_t most_listed = 64;

    /// A function on the stack of a thread.
    struct Active {
        std::uint64_t frames = 0;  ///< how many frames are of this function
        std::uint64_t since = 0;   ///< instructions of the thread before the outermost frame
    };
    struct Thread {
        std::uint64_t instructions = 0;
        HashMap<std::uint32_t, Active> active;
    };

    void follow(const CallStack& stack, Thread& thread);
    std::size_t index_of(Symbols::FunctionId function) const noexcept;

    CallStacks stacks_;
    std::uint64_t omitted_frames_ = 0;
    std::vector<Thread> threads_;
    std::vector<FunctionProfile::Function> functions_;  // by id; the last one is for code without a symbol
};

}  // namespace hwtrace

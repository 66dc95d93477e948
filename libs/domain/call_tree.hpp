// domain/call_tree.hpp - counts the instructions of the calls of a program, by path and by function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "domain/call_stacks.hpp"
#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The calls of all threads as one tree, and the totals of each function. Needs memory for functions and for
/// most_nodes different paths, however long the trace is.
class CallTree {
public:
    /// Instructions of still other paths count for the innermost path that has a node.
    static constexpr std::size_t most_nodes = std::size_t{1} << 16;

    /// A path of calls. The root, at index 0, is no function. Parents come before their children.
    struct Node {
        std::uint32_t parent = 0;
        Symbols::FunctionId function = Symbols::no_function;
        std::uint64_t self = 0;       ///< instructions of the innermost function of the path
        std::uint64_t inclusive = 0;  ///< also those of all calls; set by finish()
        std::uint64_t calls = 0;      ///< how often the path was entered
    };
    struct Totals {
        std::uint64_t self = 0;       ///< instructions of the function itself
        std::uint64_t inclusive = 0;  ///< also those of all functions that it calls; recursion counts once
        std::uint64_t calls = 0;      ///< calls, tail calls, and traps that it handles
    };

    /// `schema` must outlive this object and may grow.
    CallTree(const Schema& schema, std::shared_ptr<const Symbols> symbols);

    const Symbols& symbols() const noexcept { return stacks_.symbols(); }
    /// States that instructions are missing before the next record.
    void lose() { stacks_.lose(); }
    /// Takes the next record. Records other than instructions may state the thread that runs, or a trap.
    void add(const Record& record, const Batch& batch) {
        const auto index = stacks_.take(record, batch);
        if (!index) return;
        if (*index >= threads_.size()) threads_.resize(*index + 1);
        Thread& thread = threads_[*index];
        const CallStack& stack = stacks_.stack(*index);
        if (!stack.events().empty()) [[unlikely]]
            follow(stack, thread);
        ++thread.instructions;
        ++nodes_[thread.path.back()].self;
        ++totals_[index_of(stack.frames().back().function)].self;
        if (stack.omitted_frames() != 0) [[unlikely]]
            ++omitted_frames_;
    }
    /// Ends all calls. Call it once, after the last record.
    void finish();

    /// Returns the paths, in order of appearance.
    std::span<const Node> nodes() const noexcept { return nodes_; }
    /// Returns the totals by FunctionId. The last ones are for code without a function.
    std::span<const Totals> totals() const noexcept { return totals_; }
    /// Returns how many calls had no node of their own, because there were too many paths.
    std::uint64_t merged_calls() const noexcept { return merged_calls_; }
    /// Returns how many instructions are in calls deeper than CallStack::most_frames. They count for the function at
    /// that depth.
    std::uint64_t omitted_frames() const noexcept { return omitted_frames_; }

private:
    /// A function on the stack of a thread.
    struct Active {
        std::uint64_t frames = 0;  ///< how many frames are of this function
        std::uint64_t since = 0;   ///< instructions of the thread before the outermost frame
    };
    struct Thread {
        std::uint64_t instructions = 0;
        std::vector<std::uint32_t> path;  ///< the node of each frame
        HashMap<std::uint32_t, Active> active;
    };

    void follow(const CallStack& stack, Thread& thread);
    std::uint32_t child(std::uint32_t parent, Symbols::FunctionId function);
    std::size_t index_of(Symbols::FunctionId function) const noexcept {
        return function == Symbols::no_function ? totals_.size() - 1 : function;
    }

    CallStacks stacks_;
    std::vector<Thread> threads_;
    std::vector<Node> nodes_{1};
    HashMap<std::uint64_t, std::uint32_t> children_;  ///< nodes by parent and function
    std::vector<Totals> totals_;
    std::uint64_t merged_calls_ = 0, omitted_frames_ = 0;
};

}  // namespace hwtrace

// views/stack_counts.hpp - counts the instructions of a trace by the call stack in which they executed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "domain/call_stacks.hpp"
#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// A tree of call stacks, of all threads together. Inlined calls are frames, too, if the debug information names them.
class StackCounts {
public:
    /// Instructions of further stacks count for the frame "[other stacks]".
    static constexpr std::size_t most_stacks = std::size_t{1} << 18;

    /// `schema` must outlive this object and may grow. `most` is a limit on stacks below most_stacks, for tests.
    StackCounts(const Schema& schema, std::shared_ptr<const Symbols> symbols, std::size_t most = most_stacks);

    void add(const Batch& batch);
    std::uint64_t instructions() const noexcept { return instructions_; }
    /// Returns the instructions that count for "[other stacks]".
    std::uint64_t omitted() const noexcept { return nodes_[other].count; }

    /// A stack with instructions of its own.
    struct Stack {
        std::string_view text;  ///< names from the root to the innermost frame, separated by ";"
        std::uint64_t instructions = 0;
    };
    /// Calls `take(Stack)` for each stack, sorted by the names of the frames from the root on; callers precede their
    /// callees.
    template <typename Take>
    void each(Take&& take) const {
        std::string text;
        struct Level {
            std::vector<std::uint32_t> children;
            std::size_t next = 0, length = 0;
        };
        std::vector<Level> levels;
        const std::vector<std::vector<std::uint32_t>> children = children_by_name();
        levels.push_back({children[root], 0, 0});
        while (!levels.empty()) {
            Level& level = levels.back();
            text.resize(level.length);
            if (level.next == level.children.size()) {
                levels.pop_back();
                continue;
            }
            const std::uint32_t node = level.children[level.next++];
            if (!text.empty()) text += ';';
            text += names_[nodes_[node].name];
            if (nodes_[node].count != 0) take(Stack{text, nodes_[node].count});
            if (!children[node].empty()) levels.push_back({children[node], 0, text.size()});
        }
    }

private:
    using NodeId = std::uint32_t;
    using NameId = std::uint32_t;
    static constexpr NodeId root = 0, other = 1;
    static constexpr NameId unnamed = ~NameId{0};

    struct Node {
        NodeId parent = root;
        NameId name = 0;
        std::uint64_t count = 0;
    };
    /// The frames of a thread.
    struct Thread {
        struct Frame {
            NodeId under = root;  ///< the stack that called it
            NodeId node = root;
        };
        std::vector<Frame> frames;
        NodeId leaf = root;  ///< the stack of the latest instruction, with its inlined calls
    };

    void follow(const CallStack& stack, Thread& thread);
    NodeId leaf_at(std::uint64_t pc, NodeId frame);
    NodeId child(NodeId parent, NameId name);
    NodeId inlined_child(NodeId parent, const Symbols::InlinedCall* call);
    NameId name_of(Symbols::FunctionId function);
    NameId intern(std::string text);
    std::vector<std::vector<std::uint32_t>> children_by_name() const;

    CallStacks stacks_;
    std::size_t most_;
    bool has_lines_;
    std::uint64_t instructions_ = 0;
    std::vector<Thread> threads_;
    std::vector<Node> nodes_;
    HashMap<std::uint64_t, NodeId> children_;  // key: parent and name
    std::vector<std::string> names_;
    HashMap<std::string, NameId> name_ids_;
    std::vector<NameId> function_names_;            // by function; the last one is for code without a symbol
    HashMap<std::uint64_t, NameId> inlined_names_;  // by address of the InlinedCall
    /// Recent answers about inlined calls, by the low bits of the pc.
    struct Leaf {
        Symbols::Inlining inlining;
        NodeId frame = other, leaf = other;
    };
    std::array<Leaf, 256> leaves_{};
};

}  // namespace hwtrace

#include "views/stack_counts.hpp"

#include <algorithm>
#include <utility>

namespace hwtrace {

namespace {

/// Returns a name in which no character has a meaning in folded stacks.
std::string frame_name(std::string_view name) {
    std::string text(name);
    std::ranges::replace(text, ';', ':');
    return text;
}

}  // namespace

StackCounts::StackCounts(const Schema& schema, std::shared_ptr<const Symbols> symbols, std::size_t most)
    : stacks_(schema, std::move(symbols)),
      most_(most),
      has_lines_(stacks_.symbols().has_lines()),
      function_names_(stacks_.symbols().functions().size() + 1, unnamed) {
    nodes_.push_back({root, intern(""), 0});
    nodes_.push_back({root, intern("[other stacks]"), 0});
}

void StackCounts::add(const Batch& batch) {
    if (batch.lost_positions() != 0) stacks_.lose();
    for (const Record& record : batch.records()) {
        const auto index = stacks_.take(record, batch);
        if (!index) continue;
        if (*index >= threads_.size()) threads_.resize(*index + 1);
        Thread& thread = threads_[*index];
        const CallStack& stack = stacks_.stack(*index);
        if (!stack.events().empty()) follow(stack, thread);
        const NodeId frame = thread.frames.back().node;
        thread.leaf = has_lines_ ? leaf_at(record.value, frame) : frame;
        ++nodes_[thread.leaf].count;
        ++instructions_;
    }
}

void StackCounts::follow(const CallStack& stack, Thread& thread) {
    NodeId under = thread.leaf;
    for (const CallStack::Event& event : stack.events()) {
        if (event.kind == CallStack::Event::Kind::leave) {
            under = thread.frames.back().under;
            thread.frames.pop_back();
        } else {
            const NodeId node = child(under, name_of(event.frame.function));
            thread.frames.push_back({under, node});
            under = node;
        }
    }
}

StackCounts::NodeId StackCounts::leaf_at(std::uint64_t pc, NodeId frame) {
    Leaf& known = leaves_[static_cast<std::size_t>(pc >> 1) % leaves_.size()];
    const bool holds = pc >= known.inlining.begin && pc < known.inlining.end;
    if (holds && known.frame == frame) return known.leaf;
    if (!holds) known.inlining = stacks_.symbols().inlining_at(pc);
    known.frame = frame;
    known.leaf = inlined_child(frame, known.inlining.innermost);
    return known.leaf;
}

StackCounts::NodeId StackCounts::inlined_child(NodeId parent, const Symbols::InlinedCall* call) {
    if (call == nullptr) return parent;
    NameId& name = inlined_names_.try_emplace(reinterpret_cast<std::uintptr_t>(call), unnamed).first->second;
    if (name == unnamed) name = intern(frame_name(call->name) + "_[i]");  // as flamegraph.pl marks them
    const NameId own = name;
    return child(inlined_child(parent, call->caller), own);
}

StackCounts::NodeId StackCounts::child(NodeId parent, NameId name) {
    if (parent == other) return other;
    const auto known = children_.find(std::uint64_t{parent} << 32 | name);
    if (known != children_.end()) return known->second;
    if (nodes_.size() == most_) return other;
    const auto node = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({parent, name, 0});
    children_.emplace(std::uint64_t{parent} << 32 | name, node);
    return node;
}

StackCounts::NameId StackCounts::name_of(Symbols::FunctionId function) {
    const Symbols& symbols = stacks_.symbols();
    const std::size_t index = std::min<std::size_t>(function, symbols.functions().size());
    NameId& name = function_names_[index];
    if (name == unnamed)
        name = intern(function == Symbols::no_function ? "[unknown]" : frame_name(symbols.function(function).name));
    return name;
}

StackCounts::NameId StackCounts::intern(std::string text) {
    const auto known = name_ids_.find(text);
    if (known != name_ids_.end()) return known->second;
    const auto id = static_cast<NameId>(names_.size());
    names_.push_back(text);
    name_ids_.emplace(std::move(text), id);
    return id;
}

std::vector<std::vector<std::uint32_t>> StackCounts::children_by_name() const {
    std::vector<std::vector<std::uint32_t>> children(nodes_.size());
    for (NodeId node = other; node < nodes_.size(); ++node)
        children[nodes_[node].parent].push_back(node);
    for (std::vector<std::uint32_t>& list : children)
        std::ranges::sort(list, {}, [&](NodeId node) { return std::string_view(names_[nodes_[node].name]); });
    return children;
}

}  // namespace hwtrace

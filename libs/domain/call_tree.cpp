#include "domain/call_tree.hpp"

#include <utility>

namespace hwtrace {

CallTree::CallTree(const Schema& schema, std::shared_ptr<const Symbols> symbols)
    : stacks_(schema, std::move(symbols)), totals_(stacks_.symbols().functions().size() + 1) {}

void CallTree::follow(const CallStack& stack, Thread& thread) {
    for (const CallStack::Event& event : stack.events()) {
        Totals& function = totals_[index_of(event.frame.function)];
        Active& active = thread.active[event.frame.function];
        if (event.kind == CallStack::Event::Kind::leave) {
            thread.path.pop_back();
            if (--active.frames == 0) function.inclusive += thread.instructions - active.since;
            continue;
        }
        if (active.frames++ == 0) active.since = thread.instructions;
        if (event.frame.cause != CallStack::Cause::root && event.frame.cause != CallStack::Cause::jump)
            ++function.calls;
        thread.path.push_back(child(thread.path.empty() ? 0 : thread.path.back(), event.frame.function));
    }
}

std::uint32_t CallTree::child(std::uint32_t parent, Symbols::FunctionId function) {
    const std::uint64_t key = std::uint64_t{parent} << 32 | function;
    const auto found = children_.find(key);
    std::uint32_t node = parent;
    if (found != children_.end()) {
        node = found->second;
    } else if (nodes_.size() < most_nodes) {
        node = static_cast<std::uint32_t>(nodes_.size());
        children_.emplace(key, node);
        nodes_.push_back({parent, function});
    } else {
        ++merged_calls_;
        return parent;
    }
    ++nodes_[node].calls;
    return node;
}

void CallTree::finish() {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        stacks_.finish(i);
        follow(stacks_.stack(i), threads_[i]);
    }
    for (std::size_t i = nodes_.size(); i-- > 0;) {
        Node& node = nodes_[i];
        node.inclusive += node.self;
        if (i != 0) nodes_[node.parent].inclusive += node.inclusive;
    }
}

}  // namespace hwtrace

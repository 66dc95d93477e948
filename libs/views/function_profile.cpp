#include "views/function_profile.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace hwtrace {

FunctionProfileMeter::FunctionProfileMeter(const Schema& schema, std::shared_ptr<const Symbols> symbols)
    : stacks_(schema, std::move(symbols)), functions_(stacks_.symbols().functions().size() + 1) {
    for (std::size_t i = 0; i + 1 < functions_.size(); ++i)
        functions_[i].id = static_cast<Symbols::FunctionId>(i);
}

std::size_t FunctionProfileMeter::index_of(Symbols::FunctionId function) const noexcept {
    return std::min<std::size_t>(function, functions_.size() - 1);
}

void FunctionProfileMeter::add(const Batch& batch) {
    if (batch.lost_positions() != 0) stacks_.lose();
    for (const Record& record : batch.records()) {
        const auto index = stacks_.take(record, batch);
        if (!index) continue;
        if (*index >= threads_.size()) threads_.resize(*index + 1);
        Thread& thread = threads_[*index];
        const CallStack& stack = stacks_.stack(*index);
        if (!stack.events().empty()) follow(stack, thread);
        ++thread.instructions;
        ++functions_[index_of(stack.frames().back().function)].self;
        if (stack.omitted_frames() != 0) [[unlikely]]
            ++omitted_frames_;
    }
}

void FunctionProfileMeter::follow(const CallStack& stack, Thread& thread) {
    using Cause = CallStack::Cause;
    for (const CallStack::Event& event : stack.events()) {
        FunctionProfile::Function& function = functions_[index_of(event.frame.function)];
        Active& active = thread.active[event.frame.function];
        if (event.kind == CallStack::Event::Kind::enter) {
            if (active.frames++ == 0) active.since = thread.instructions;
            if (event.frame.cause != Cause::root && event.frame.cause != Cause::jump) ++function.calls;
        } else if (--active.frames == 0) {
            function.inclusive += thread.instructions - active.since;
        }
    }
}

FunctionProfile FunctionProfileMeter::result() {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        stacks_.finish(i);
        follow(stacks_.stack(i), threads_[i]);
    }
    FunctionProfile profile;
    profile.omitted_frames = omitted_frames_;
    for (const FunctionProfile::Function& function : functions_)
        if (function.inclusive != 0) profile.functions.push_back(function);
    profile.executed = profile.functions.size();
    const auto order = [](const FunctionProfile::Function& left, const FunctionProfile::Function& right) {
        return std::tuple(right.self, right.inclusive, left.id) < std::tuple(left.self, left.inclusive, right.id);
    };
    const std::size_t listed = std::min(most_listed, profile.functions.size());
    std::partial_sort(profile.functions.begin(), profile.functions.begin() + static_cast<std::ptrdiff_t>(listed),
                      profile.functions.end(), order);
    profile.functions.resize(listed);
    return profile;
}

}  // namespace hwtrace

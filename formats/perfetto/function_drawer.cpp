#include "function_drawer.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace hwtrace::perfetto {
namespace {

constexpr std::size_t nobody = ~std::size_t{0};

std::string row_name(const CallStacks::Thread& thread) {
    if (thread.hart == 0 && thread.process == 0 && thread.thread == 0) return "functions";
    return "functions of hart " + std::to_string(thread.hart) + ", process " + std::to_string(thread.process) +
           ", thread " + std::to_string(thread.thread);
}

}  // namespace

FunctionDrawer::FunctionDrawer(Timelines& to, std::shared_ptr<const Symbols> symbols)
    : to_(to),
      stacks_(to.schema, std::move(symbols)),
      texts_(stacks_.symbols().functions().size() + 1),
      running_(to.schema.tracks().size(), nobody),
      address_(to.drawing.name("address")),
      cause_(to.drawing.name("cause")),
      source_(to.drawing.name("source")),
      instructions_(to.drawing.name("instructions")),
      functions_(to.drawing.phrase("function")),
      traps_(to.drawing.phrase("trap")) {
    for (std::size_t cause = 0; cause < causes_.size(); ++cause)
        causes_[cause] = to.drawing.phrase(name_of(static_cast<CallStack::Cause>(cause)));
}

FunctionDrawer::Thread& FunctionDrawer::add_thread(std::size_t index, RowId group) {
    threads_.resize(index + 1);
    threads_[index].row = to_.drawing.add({Row::Kind::slices, group, row_name(stacks_.thread(index))});
    return threads_[index];
}

void FunctionDrawer::draw(const Batch& batch, const Record& record, const Place& place) {
    const std::size_t index = *stacks_.take(record, batch);
    Thread& thread = index < threads_.size() ? threads_[index] : add_thread(index, place.group);
    const CallStack& stack = stacks_.stack(index);
    if (!stack.events().empty()) {
        // Functions that a thread left while others ran end where it stopped.
        const bool ran_before = running_[record.track] == index;
        change(thread, stack, record.value, ran_before ? place.begin : thread.end, place.begin);
    }
    running_[record.track] = index;
    thread.end = std::max(thread.end, place.end);
    ++thread.instructions;
}

void FunctionDrawer::change(Thread& thread, const CallStack& stack, std::uint64_t pc, Tick leaves, Tick enters) {
    for (const CallStack::Event& event : stack.events()) {
        if (event.depth >= most_depth) continue;
        const bool is_enter = event.kind == CallStack::Event::Kind::enter;
        thread.clock = std::max(thread.clock, is_enter ? enters : leaves);
        if (is_enter)
            enter(thread, event.frame, pc);
        else
            leave(thread);
    }
}

void FunctionDrawer::enter(Thread& thread, const CallStack::Frame& frame, std::uint64_t pc) {
    const bool is_known = frame.function != Symbols::no_function;
    const Texts& texts = texts_of(frame.function);
    const std::array arguments{
        Argument{address_, Argument::Kind::address, is_known ? stacks_.symbols().function(frame.function).begin : pc},
        Argument{cause_, Argument::Kind::phrase, causes_[static_cast<std::size_t>(frame.cause)]},
        Argument{source_, Argument::Kind::phrase, texts.source.value_or(0)}};
    SliceBegin slice;
    slice.row = thread.row;
    slice.time = thread.clock;
    slice.name = texts.name;
    slice.category = frame.cause == CallStack::Cause::trap ? traps_ : functions_;
    slice.arguments = std::span(arguments).first(texts.source ? 3 : 2);
    to_.drawing.begin_slice(slice);
    thread.entered.push_back(thread.instructions);
}

void FunctionDrawer::leave(Thread& thread) {
    const std::array arguments{
        Argument{instructions_, Argument::Kind::number, thread.instructions - thread.entered.back()}};
    thread.entered.pop_back();
    to_.drawing.end_slice(thread.row, thread.clock, arguments);
}

const FunctionDrawer::Texts& FunctionDrawer::texts_of(Symbols::FunctionId id) {
    const bool is_known = id != Symbols::no_function;
    Texts& texts = is_known ? texts_[id] : texts_.back();
    if (texts.is_known) return texts;
    texts.is_known = true;
    if (!is_known) {
        texts.name = to_.drawing.name("[unknown]");
        return texts;
    }
    const Symbols::Function& function = stacks_.symbols().function(id);
    texts.name = to_.drawing.name(function.name);
    const Symbols::Line line = stacks_.symbols().line_at(function.begin);
    if (!line.file.empty()) texts.source = to_.drawing.phrase(std::string(line.file) + ":" + std::to_string(line.line));
    return texts;
}

void FunctionDrawer::finish() {
    for (std::size_t index = 0; index < threads_.size(); ++index) {
        stacks_.finish(index);
        change(threads_[index], stacks_.stack(index), 0, threads_[index].end, 0);
    }
}

}  // namespace hwtrace::perfetto

// domain/call_stacks.hpp - the call stacks of all threads of a trace.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "domain/call_stack.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Gives each thread of a trace its own call stack. Instructions of a hart belong to the thread that the latest process
/// record of the hart (conventions::process_id) names.
class CallStacks {
public:
    /// Traces with more threads are refused.
    static constexpr std::size_t most_threads = 4096;

    /// A thread of a hart. Numbers are 0 until a process record states them.
    struct Thread {
        TrackId track = none;  ///< of the instructions
        std::uint64_t hart = 0, process = 0, thread = 0;

        friend auto operator<=>(const Thread&, const Thread&) = default;
    };
    struct Entry {
        Thread thread;
        CallStack stack;
    };

    /// `schema` must outlive this object and may grow.
    CallStacks(const Schema& schema, std::shared_ptr<const Symbols> symbols);

    const Symbols& symbols() const noexcept { return *symbols_; }
    /// States that instructions of all threads are missing before the next record, such as Batch::lost_positions().
    void lose();
    /// Takes the next record. For an instruction, returns the index of the thread that executed it, and its stack is
    /// that in which the instruction executed. Returns nullopt for other records. Throws Failure::limit for more than
    /// most_threads threads.
    std::optional<std::size_t> take(const Record& record, const Batch& batch) {
        if (record.kind == Kind::instruction) [[likely]]
            return step(record, batch.instruction(record));
        if (record.kind == Kind::event) learn(record, batch);
        return std::nullopt;
    }

    /// Returns the threads in order of appearance.
    std::size_t size() const noexcept { return entries_.size(); }
    const Thread& thread(std::size_t index) const noexcept { return entries_[index]->thread; }
    const CallStack& stack(std::size_t index) const noexcept { return entries_[index]->stack; }
    /// Leaves all frames of a thread; see CallStack::finish().
    void finish(std::size_t index) { entries_[index]->stack.finish(); }

private:
    enum class Role : std::uint8_t { other, process, trap };
    static constexpr std::size_t unknown = ~std::size_t{0};
    /// The state of a scope, which holds at most one hart.
    struct Hart {
        std::uint64_t number = 0, process = 0, thread = 0;
        bool traps = false;  ///< the next instruction does
        std::vector<TrackId> tracks;
    };
    struct TrackState {
        Role role = Role::other;
        ScopeId scope = 0;
        std::size_t current = unknown;  ///< the thread that runs, for a track of instructions
    };

    std::size_t step(const Record& record, const Instruction& instruction);
    void learn(const Record& record, const Batch& batch);
    void meet_tracks();
    std::size_t find(TrackId track);

    const Schema& schema_;
    std::shared_ptr<const Symbols> symbols_;
    CallStack::Isa isa_ = CallStack::Isa::other;
    bool wide_events_ = false;
    Hart first_;  // as the trace's header states it
    std::vector<TrackState> tracks_;
    std::vector<Hart> harts_;  // by scope + 1; the first one is for tracks without a scope
    std::map<Thread, std::size_t> threads_;
    std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace hwtrace

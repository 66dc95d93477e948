// formats/perfetto/function_drawer.hpp - draws the functions that threads execute as nested slices.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domain/call_stacks.hpp"
#include "model/record.hpp"
#include "timelines.hpp"

namespace hwtrace::perfetto {

class FunctionDrawer {
public:
    /// The viewer's engine refuses deeper slices. Deeper calls belong to the innermost slice.
    static constexpr std::uint32_t most_depth = 500;

    /// The row and the time in which an instruction is drawn.
    struct Place {
        RowId group = root_row;  ///< of the hart
        Tick begin = 0, end = 0;
    };

    FunctionDrawer(Timelines& to, std::shared_ptr<const Symbols> symbols);

    /// States that instructions are missing before the next record.
    void lose() { stacks_.lose(); }
    /// Takes an event, which may state the thread that runs, or a trap.
    void learn(const Batch& batch, const Record& event) { stacks_.take(event, batch); }
    void draw(const Batch& batch, const Record& instruction, const Place& place);
    /// Ends the functions of each thread where its last instruction ends.
    void finish();

private:
    struct Thread {
        RowId row = root_row;
        Tick clock = 0;                      ///< time of the latest begin or end of a slice
        Tick end = 0;                        ///< of the latest instruction
        std::uint64_t instructions = 0;      ///< executed so far
        std::vector<std::uint64_t> entered;  ///< for each open slice: the instructions before it
    };
    /// The texts of a function, once it was entered.
    struct Texts {
        NameId name = 0;
        std::optional<PhraseId> source;  ///< file and line
        bool is_known = false;
    };

    Thread& add_thread(std::size_t index, RowId group);
    void change(Thread& thread, const CallStack& stack, std::uint64_t pc, Tick leaves, Tick enters);
    void enter(Thread& thread, const CallStack::Frame& frame, std::uint64_t pc);
    void leave(Thread& thread);
    const Texts& texts_of(Symbols::FunctionId function);

    Timelines& to_;
    CallStacks stacks_;
    std::vector<Texts> texts_;                        ///< by function; the last ones are for code without a function
    std::vector<Thread> threads_;                     ///< as in stacks_
    std::vector<std::size_t> running_;                ///< by track: the thread of the latest instruction
    NameId address_, cause_, source_, instructions_;  ///< the arguments
    PhraseId functions_, traps_;                      ///< the categories
    std::array<PhraseId, CallStack::causes> causes_{};
};

}  // namespace hwtrace::perfetto

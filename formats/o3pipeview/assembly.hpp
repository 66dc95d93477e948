// formats/o3pipeview/assembly.hpp - the instructions that a writer assembles from records, and the order in which it
// writes them (formats/o3pipeview/README.md#order-of-instructions).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "trace.hpp"

namespace hwtrace::o3pipeview {

/// An instruction of which not all records have been seen.
struct Assembled {
    Instruction instruction;
    std::string label;
    std::uint64_t number = 0;  ///< counts the instructions, from 1
    Tick begun = 0;            ///< no stage is earlier
    std::uint32_t entity = 0, slot = 0;
    std::optional<std::uint64_t> encoding = {};
    bool is_fetched = false;  ///< the fetch tick is that of a stage
    bool is_flushed = false, has_left = false, is_done = false;
    bool store_waits = false;  ///< the store has not completed
    Tick left = 0;
};

/// Holds the instructions of all cores, and delivers complete ones in the order of their fetch, sequence number
/// and core. A reader delivers the same order, so that writing a trace again does not change it.
class Assembly {
public:
    /// More complete instructions than this are delivered even if an older one is incomplete.
    static constexpr std::size_t most_complete = std::size_t{1} << 17;

    /// Begins an instruction, and returns its index.
    std::uint32_t begin(Tick time);
    Assembled& operator[](std::uint32_t index) noexcept { return pool_[index]; }
    /// States that the instruction is complete.
    void complete(std::uint32_t index);
    /// Returns the next complete instruction, or nullptr if another one may precede it. Every later begin() has at
    /// least the time `now`. The instruction is valid until the next begin().
    Assembled* next(Tick now);
    /// Returns the oldest incomplete instruction, or nullopt.
    std::optional<std::uint32_t> oldest();

private:
    struct Key {
        Tick fetch = 0;
        std::uint64_t seq = 0, number = 0;
        std::uint32_t core = 0, index = 0;

        bool precedes(const Key& other) const noexcept {
            if (fetch != other.fetch) return fetch < other.fetch;
            if (seq != other.seq) return seq < other.seq;
            if (core != other.core) return core < other.core;
            return number < other.number;
        }
    };
    /// Orders a heap whose first key precedes all others.
    struct Later {
        bool operator()(const Key& a, const Key& b) const noexcept { return b.precedes(a); }
    };
    struct Begun {
        std::uint64_t number = 0;
        std::uint32_t index = 0;
    };

    std::vector<Assembled> pool_;
    std::vector<std::uint32_t> free_;
    std::vector<Key> complete_;  ///< heap
    std::deque<Begun> begun_;    ///< in order; the first one is incomplete after oldest()
    std::uint64_t count_ = 0;
};

}  // namespace hwtrace::o3pipeview

#include "support/out_of_order.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <queue>
#include <random>
#include <vector>

namespace hwtrace::test {
namespace {

enum class Sort : std::uint8_t { simple, load, store, branch, nop };

struct Code {
    Sort sort;
    unsigned microops;
    const char* text;
};

/// The loop that the CPU runs. Each instruction takes four bytes.
constexpr std::array<Code, 12> loop{{{Sort::load, 1, "  ldr   x3, [x1, #8]"},
                                     {Sort::simple, 1, "  add   w6, w6, w7"},
                                     {Sort::simple, 1, "  mul   x4, x3, x6"},
                                     {Sort::store, 2, "  stp   x4, x6, [x2], #16"},
                                     {Sort::nop, 1, "  nop"},
                                     {Sort::load, 3, "  ldm   x1: {r0, r1, r2}"},
                                     {Sort::branch, 1, "  cbnz  w6, 0x1000"},
                                     {Sort::simple, 1, "  eor   x5, x5, x4"},
                                     {Sort::store, 1, "  str   x5, [x2, #24]"},
                                     {Sort::simple, 1, "  sub   x0, x0, #1"},
                                     {Sort::simple, 1, "  cmp   x0, #0"},
                                     {Sort::branch, 1, "  b.ne  0x1000"}}};

/// One micro-op, in cycles. Cycle 0 means that a stage was not reached.
struct Op {
    std::uint64_t seq = 0, pc = 0;
    unsigned microop = 0;
    const Code* code = nullptr;
    std::array<std::uint64_t, 7> cycles{};
    std::uint64_t store = 0;
    std::uint64_t leaves = 0;
};
struct LeavesLater {
    bool operator()(const Op& a, const Op& b) const {
        return a.leaves != b.leaves ? a.leaves > b.leaves : a.seq > b.seq;
    }
};

class Cpu {
public:
    Cpu(const OutOfOrder& about, const std::function<void(std::string_view)>& give)
        : about_(about), give_(give), random_(about.seed), seq_(about.first_seq) {}

    void run() {
        while (retired_ < about_.instructions) {
            const Code& code = loop[place_ % loop.size()];
            bool mispredicts = false;
            for (unsigned microop = 0; microop < code.microops; ++microop)
                mispredicts = run_op(code, microop) || mispredicts;
            ++place_;
            if (mispredicts) run_wrong_path();
            print_until(fetch_cycle_);
        }
        print_until(~std::uint64_t{0});
    }

private:
    unsigned below(unsigned most) { return static_cast<unsigned>(random_() % most); }

    /// Returns the next micro-op after its front end.
    Op fetch(const Code& code, unsigned microop, std::uint64_t place) {
        if (++fetched_ % width == 0) ++fetch_cycle_;
        // A full reorder buffer stops the fetch.
        if (rob_.size() >= rob_size) {
            fetch_cycle_ = std::max(fetch_cycle_, rob_.front());
            rob_.pop_front();
        }
        Op op;
        op.seq = seq_++;
        op.pc = 0x1000 + place % loop.size() * 4;
        op.microop = microop;
        op.code = &code;
        op.cycles[0] = fetch_cycle_;
        for (std::size_t stage = 1; stage < 4; ++stage)
            op.cycles[stage] = op.cycles[stage - 1] + 1 + (below(8) == 0 ? below(3) : 0);
        if (code.sort == Sort::nop) return op;
        op.cycles[4] = op.cycles[3] + 1 + below(6);
        const unsigned latency =
            code.sort == Sort::load ? (below(20) == 0 ? 60 + below(100) : 2 + below(3)) : 1 + below(2);
        op.cycles[5] = op.cycles[4] + latency;
        return op;
    }

    /// Runs one micro-op of the right path to its retirement. Returns true if it was mispredicted.
    bool run_op(const Code& code, unsigned microop) {
        Op op = fetch(code, microop, place_);
        const std::uint64_t done = std::max(op.cycles[5], op.cycles[3]) + 1;
        if (++committed_ % width == 0) ++commit_cycle_;
        commit_cycle_ = std::max(commit_cycle_, done);
        op.cycles[6] = commit_cycle_;
        op.leaves = op.cycles[6];
        rob_.push_back(op.cycles[6]);
        if (code.sort == Sort::store && microop == 0) {
            op.store = op.cycles[6] + 2 + below(40);
            op.leaves = op.store;
        }
        if (about_.replays && code.sort == Sort::load && below(50) == 0) op.cycles[4] = op.cycles[5] + 1;
        const bool mispredicts = code.sort == Sort::branch && below(6) == 0;
        resolved_ = op.cycles[5];
        leaving_.push(op);
        ++retired_;
        return mispredicts;
    }

    /// Fetches instructions behind a mispredicted branch until it completes.
    void run_wrong_path() {
        const std::uint64_t resolved = std::max(resolved_, fetch_cycle_ + 1);
        for (std::uint64_t place = place_ + 5; fetch_cycle_ < resolved; ++place) {
            const Code& code = loop[place % loop.size()];
            for (unsigned microop = 0; microop < code.microops && fetch_cycle_ < resolved; ++microop) {
                Op op = fetch(code, microop, place);
                for (std::uint64_t& cycle : op.cycles)
                    if (cycle > resolved) cycle = 0;
                if (op.cycles[0] == 0) continue;
                op.leaves = resolved + 1;
                leaving_.push(op);
            }
        }
        fetch_cycle_ = std::max(fetch_cycle_, resolved + 2);
    }

    void print_until(std::uint64_t cycle) {
        for (; !leaving_.empty() && leaving_.top().leaves <= cycle; leaving_.pop())
            print(leaving_.top());
    }

    void line(std::uint64_t tick, const char* text) {
        if (!about_.cpu.empty()) text_.append(std::to_string(tick)).append(": ").append(about_.cpu).append(": ");
        text_.append("O3PipeView:").append(text).append("\n");
    }
    void print(const Op& op) {
        constexpr std::array<const char*, 7> words{"fetch", "decode",   "rename", "dispatch",
                                                   "issue", "complete", "retire"};
        const auto tick = [&](std::uint64_t cycle) { return cycle * about_.ticks_per_cycle; };
        char buffer[160];
        text_.clear();
        const std::uint64_t now = tick(op.leaves);
        if (about_.other_lines && op.seq % 16 == 0)
            text_.append("  ")
                .append(std::to_string(now))
                .append(": system.cpu.commit: [tid:0] Committing instruction [sn:")
                .append(std::to_string(op.seq))
                .append("]\n");
        std::snprintf(buffer, sizeof buffer, "fetch:%llu:0x%08llx:%u:%llu:%s",
                      static_cast<unsigned long long>(tick(op.cycles[0])), static_cast<unsigned long long>(op.pc),
                      op.microop, static_cast<unsigned long long>(op.seq), op.code->text);
        line(now, buffer);
        for (std::size_t stage = 1; stage < 7; ++stage) {
            std::snprintf(buffer, sizeof buffer, "%s:%llu", words[stage],
                          static_cast<unsigned long long>(tick(op.cycles[stage])));
            std::string stated = buffer;
            // The memory system has a clock of its own.
            if (stage == 6) stated += ":store:" + std::to_string(op.store == 0 ? 0 : tick(op.store) + 1);
            line(now, stated.c_str());
        }
        give_(text_);
    }

    static constexpr std::uint64_t width = 4;
    static constexpr std::size_t rob_size = 96;

    const OutOfOrder& about_;
    const std::function<void(std::string_view)>& give_;
    std::mt19937 random_;
    std::uint64_t seq_, place_ = 0, fetched_ = 0, committed_ = 0, retired_ = 0;
    std::uint64_t fetch_cycle_ = 10, commit_cycle_ = 0, resolved_ = 0;
    std::deque<std::uint64_t> rob_;  ///< the cycles in which the instructions of the right path leave the buffer
    std::priority_queue<Op, std::vector<Op>, LeavesLater> leaving_;
    std::string text_;
};

}  // namespace

void run_out_of_order(const OutOfOrder& about, const std::function<void(std::string_view)>& give) {
    Cpu(about, give).run();
}

std::string out_of_order_text(const OutOfOrder& about) {
    std::string text;
    run_out_of_order(about, [&](std::string_view lines) { text.append(lines); });
    return text;
}

}  // namespace hwtrace::test

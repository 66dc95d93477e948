// formats/commitlog/hart.hpp - collects the lines of one hart and turns them into instructions with their events
// (formats/commitlog/README.md#model).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "log.hpp"
#include "model/record.hpp"
#include "step.hpp"

namespace hwtrace::commitlog {

/// The tracks of a hart.
struct HartTracks {
    TrackId instructions = none, traps = none, trap_targets = none, resumptions = none;
};

/// Appends each instruction of a hart when the next line of the hart has shown its outcome. An instruction with two
/// lines, as Spike prints with -l and --log-commits, is appended once.
class Hart {
public:
    /// `log` must outlive the hart; it reports the hart's findings. `is_checked` is set for CheckLevel::semantic. The
    /// results of an instruction take at most `most_bytes`.
    Hart(Log& log, HartTracks tracks, riscv::Xlen xlen, bool is_checked, std::uint64_t most_bytes)
        : log_(&log), tracks_(tracks), xlen_(xlen), is_checked_(is_checked), most_bytes_(most_bytes) {}

    /// Takes a line of this hart and appends the instructions that it completes. The line's results are moved. Throws
    /// Failure::limit for an instruction with too many results.
    void take(Line& line, Batch& batch);
    /// Appends the last instructions.
    void finish(Batch& batch);

    /// Appends the instructions that are not appended to a batch yet, and what the lines so far teach.
    void save(Appender& out) const;
    /// Continues where another hart called save(), before the first line. Throws Truncated or Failure::input if the
    /// bytes are wrong.
    void restore(Cursor& in);

    /// Returns the number of the last line that the hart took.
    std::uint64_t last_line() const noexcept { return last_line_; }
    /// Returns the number of appended instructions.
    std::uint64_t count() const noexcept { return count_; }

private:
    static constexpr std::size_t most_traps = 64;
    static constexpr std::uint8_t machine_mode = 3;

    void begin(const Line& line);
    void commit(Line& line, Batch& batch);
    void add_effect(Line& line);
    void trap(const Line& line, Batch& batch);
    void trap_value(const Line& line);
    void check_encoding(const Line& line);
    void check_last();

    bool is_last_open() const noexcept;
    void promote(Batch& batch);
    void append_last(Step* next, Batch& batch);
    void append_events(const Step* next, Batch& batch);
    void append_mode(std::uint64_t mode, Batch& batch);
    std::optional<std::uint64_t> target_of_last(const Step* next) const;
    void append_registers(Batch& batch);
    void append_accesses(Batch& batch);
    std::uint64_t masked(std::uint64_t address) const noexcept {
        return xlen_ == riscv::Xlen::rv64 ? address : address & 0xFFFF'FFFF;
    }
    Tick now() const noexcept { return static_cast<Tick>(count_); }

    Log* log_;
    HartTracks tracks_;
    riscv::Xlen xlen_;
    bool is_checked_;
    std::uint64_t most_bytes_;
    Step last_;    ///< the instruction before `listed_`
    Step listed_;  ///< an instruction whose results or trap may follow
    std::uint8_t mode_ = machine_mode;
    bool has_commits_ = false, has_accesses_ = false;
    std::uint64_t count_ = 0, last_line_ = 0;
};

}  // namespace hwtrace::commitlog

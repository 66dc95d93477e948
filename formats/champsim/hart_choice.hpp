// formats/champsim/hart_choice.hpp - selects the instructions of one hart, because a record does not state its core.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/settings.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::champsim {

/// Follows the hart of each instruction. If a trace has one track of instructions, events `stf.process_id` state the
/// hart. If it has several tracks, each is a hart, numbered from 0.
class HartChoice {
public:
    /// Throws Failure::input if the trace has no instructions, if it has several tracks of which none was chosen, or if
    /// it lacks the chosen one.
    HartChoice(const Schema& schema, const Settings& settings);

    /// Returns true if each track of instructions is a hart.
    bool by_track() const noexcept { return by_track_; }
    /// Learns the hart of the following instructions.
    void learn_process(std::uint64_t hart) noexcept { hart_ = hart; }
    /// Returns true if the next instruction, which has this track, is to be written. Throws Failure::input if it runs
    /// on another hart than the ones before and no hart was chosen.
    bool selects(TrackId track, std::uint64_t instruction) {
        const std::uint64_t hart = by_track_ ? number_of_track_[track] : hart_;
        if (hart == written_) [[likely]]
            return true;
        return meet(hart, instruction);
    }
    /// Returns the number of the hart that is written.
    std::uint64_t written() const noexcept { return written_.value_or(0); }
    /// Throws Failure::input if no instruction ran on the chosen hart, although others ran.
    void check_found() const;

private:
    bool meet(std::uint64_t hart, std::uint64_t instruction);

    bool by_track_ = false;
    std::vector<std::uint64_t> number_of_track_;
    std::uint64_t hart_ = 0;
    std::optional<std::uint64_t> chosen_, written_;
    std::vector<std::uint64_t> others_;  ///< harts that were met and are not written, at most most_named
};

}  // namespace hwtrace::champsim

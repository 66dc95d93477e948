// formats/waveform/fst_changes.hpp - decodes a block of changes of an FST file, in the order of time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fst_file.hpp"
#include "fst_hierarchy.hpp"
#include "io/limits.hpp"
#include "model/record.hpp"
#include "signal_tracks.hpp"

namespace hwtrace::waveform {

class FstChanges {
public:
    /// All arguments must outlive this object.
    FstChanges(const FstFile& file, const FstHierarchy& hierarchy, const FstFindings& findings, const Limits& limits,
               SignalTracks& tracks)
        : file_(file), hierarchy_(hierarchy), findings_(findings), limits_(limits), tracks_(tracks) {}

    /// Loads a block. The first block of a file may state values at its beginning.
    void load(const FstBlock& block, bool is_first);
    /// Appends changes until the batch is full. Returns false if no change is left in the block.
    bool read(Batch& batch);

private:
    /// The changes of a handle that are not delivered yet.
    struct Chain {
        std::uint32_t at = 0, end = 0;   ///< in data_
        std::uint32_t next = no_number;  ///< the next chain with a change at the same time
    };
    /// The place of a chain in a block.
    struct Place {
        std::uint64_t at = 0, size = 0;  ///< behind the byte that states the compression; size 0: no changes
    };

    /// A handle whose changes are those of an earlier one.
    struct Alias {
        std::uint32_t handle, of;
    };

    bool load_times(std::span<const std::byte> bytes);
    bool load_frame(const std::byte*& at, const std::byte* end, bool is_first);
    bool find_chains(std::span<const std::byte> index, std::uint64_t handles, std::uint64_t size);
    void load_chains(std::span<const std::byte> chains, char packing);
    bool load_chain(std::span<const std::byte> packed, char packing, Chain& chain);
    void schedule(std::uint32_t handle, std::uint32_t time);
    void collect_due();
    bool decode(Batch& batch, std::uint32_t handle, Tick time);
    bool decode_state(Batch& batch, std::uint32_t handle, Tick time, std::uint64_t head);
    void put_states(Batch& batch, std::uint32_t handle, Tick time, std::string_view states);
    void put_real(Batch& batch, std::uint32_t handle, Tick time, const std::byte* bytes);
    void put_frame(Batch& batch);
    /// Returns the times that pass before the next change of a chain; none if the chain is malformed.
    std::uint64_t passed_times(const Chain& chain, const FstHandle& handle) const noexcept;
    void report(FstCheck check, std::string expected = {}, std::string got = {}) const {
        findings_.report(check, block_.offset, block_.size + 1, std::move(expected), std::move(got));
    }
    Tick tick_of(std::uint64_t time);

    const FstFile& file_;
    const FstHierarchy& hierarchy_;
    const FstFindings& findings_;
    const Limits& limits_;
    SignalTracks& tracks_;

    FstBlock block_;
    std::vector<std::uint64_t> times_;
    std::vector<std::uint32_t> heads_;  ///< by time: the first chain with a change then
    std::vector<Chain> chains_;         ///< by handle
    std::vector<Place> places_;         ///< by handle
    std::vector<Alias> aliases_;
    std::vector<std::byte> data_;   ///< all chains
    std::vector<std::byte> frame_;  ///< values at the beginning; empty: they are known
    std::uint32_t frame_handles_ = 0;
    std::uint64_t begin_ = 0;         ///< the time of these values
    bool states_events_ = false;      ///< events have values at this time, but do not happen
    std::uint32_t time_ = 0;          ///< index of the time that is delivered
    std::vector<std::uint32_t> due_;  ///< handles with changes at this time
    std::size_t next_due_ = 0;
    Tick now_ = 0;
    std::string text_;
};

}  // namespace hwtrace::waveform

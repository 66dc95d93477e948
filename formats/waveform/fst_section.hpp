// formats/waveform/fst_section.hpp - collects the changes of a period, and writes them as a block of an FST file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/output.hpp"
#include "model/time.hpp"

namespace hwtrace::waveform {

/// The changes of a block, by handle. Handles count from 0 here.
class FstSection {
public:
    /// The form of a handle's values.
    struct Shape {
        std::uint32_t size = 1;  ///< states, or bytes of a real; 0: a text
        bool is_real = false;
    };

    explicit FstSection(std::vector<Shape> shapes);

    void move_to(Tick time);
    /// Appends a change of one bit to a state of FST.
    void put_state(std::uint32_t handle, char state);
    /// Appends a change to a number, whose states are the lowest bits.
    void put_number(std::uint32_t handle, std::uint64_t number);
    /// Appends a change to states of FST; exactly as many as the handle has.
    void put_states(std::uint32_t handle, std::string_view states);
    void put_real(std::uint32_t handle, std::uint64_t bits);
    void put_text(std::uint32_t handle, std::string_view text);

    bool is_full() const noexcept { return changes_.size() >= most_changes_ || data_.size() >= most_data; }
    bool is_empty() const noexcept { return times_.empty(); }
    /// Writes the block and begins another one at the same time. Call it if the section is not empty.
    void write(Output& output);

private:
    // A small block stays in the cache while its chains are built. Its initial values must not outweigh its changes.
    static constexpr std::size_t fewest_changes = 1u << 16, many_changes = 1u << 20, changes_of_a_handle = 16;
    static constexpr std::size_t most_data = 16u << 20;

    struct Change {
        std::uint32_t time;  ///< index of the time
        std::uint32_t next;  ///< the next change of the handle, or no_change
        std::uint32_t at;    ///< the first byte in data_; for a single bit, its state
        std::uint32_t size_and_form;
    };
    static constexpr std::uint32_t no_change = 0xFFFF'FFFF, is_packed = 1u << 31;

    void append(std::uint32_t handle, std::uint32_t at, std::uint32_t size_and_form);
    /// Appends the chain of a handle in its final form.
    void build_chain(std::uint32_t handle);
    void update_frame(std::uint32_t handle);
    void append_frame();
    void append_chains();
    void append_times();

    std::vector<Shape> shapes_;
    std::vector<std::size_t> frame_at_;  ///< by handle: its states in frame_
    std::vector<std::byte> frame_;       ///< all values at the beginning of the block
    std::vector<std::uint32_t> first_, last_;
    std::vector<Change> changes_;
    std::size_t most_changes_;
    Appender data_, chain_, packed_, block_, index_;
    std::vector<Tick> times_;
    Lz4 lz4_;
};

}  // namespace hwtrace::waveform

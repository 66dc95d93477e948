// formats/commitlog/step.hpp - an instruction that has not been appended to a batch yet.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "domain/riscv.hpp"
#include "line.hpp"

namespace hwtrace {
class Appender;
class Cursor;
}  // namespace hwtrace

namespace hwtrace::commitlog {

/// A trap after an instruction, or of it.
struct Trap {
    std::uint64_t id = 0, value = 0;
    std::optional<std::uint64_t> epc = {};
    bool has_value = false;
};

/// An instruction with its results. Reused, so that its vectors keep their memory.
struct Step {
    bool is_present = false;
    bool is_committed = false;
    bool has_mode = false;
    bool is_resumed = false;   ///< the pc does not follow from the instruction before
    bool is_faulting = false;  ///< the first trap belongs to this instruction
    bool has_length = false;
    std::uint8_t mode = 0;
    std::uint8_t size = 4;
    std::uint64_t pc = 0, encoding = 0;
    std::uint64_t vector_length = 0, element_bits = 0;
    riscv::Encoding decoded;
    std::vector<Written> registers;
    std::vector<std::uint64_t> words;  ///< of all vector registers, in their order
    std::vector<Touched> accesses;
    std::vector<Trap> traps;

    /// Starts a new instruction with the place, encoding and mode of a line.
    void begin(const Line& line, riscv::Xlen xlen);
    /// Adds the results of a line.
    void add(Line& line);
    /// Returns the memory that the results take.
    std::uint64_t bytes() const noexcept {
        return registers.size() * sizeof(Written) + words.size() * sizeof(std::uint64_t) +
               accesses.size() * sizeof(Touched);
    }
    /// Appends the instruction.
    void save(Appender& out) const;
    /// Reads what save() appended. Throws Truncated or Failure::input if the bytes are wrong.
    void restore(Cursor& in, riscv::Xlen xlen);

    /// Returns true if only the next line shows what the instruction did.
    bool is_open() const noexcept;

    /// Returns the words of a vector register; empty if the instruction does not write it.
    std::span<const std::uint64_t> vector_register(unsigned number) const noexcept;
    /// Returns true if the loads of the log are the bytes of one load, as old versions of Spike print misaligned loads.
    bool is_split() const noexcept;
    /// Returns the size of an access in bytes. `is_split` is the result of is_split().
    unsigned size_of(const Touched& touched, bool is_split, riscv::Xlen xlen) const noexcept;
    /// Returns the data that the `index`-th load has read, taken from the destination register. Returns nullopt if the
    /// log does not say it.
    std::optional<std::uint64_t> loaded(std::size_t index, unsigned size, bool is_split, riscv::Xlen xlen) const;

private:
    unsigned element_size() const noexcept;
    std::optional<std::uint64_t> loaded_element(std::size_t index) const;
    const Written* find(RegisterClass register_class, unsigned number) const noexcept;
};

}  // namespace hwtrace::commitlog

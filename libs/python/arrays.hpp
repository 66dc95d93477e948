// python/arrays.hpp - records in memory of their own, as numpy arrays without a copy.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "hwtrace/model.hpp"

namespace hwtrace::python {

namespace py = pybind11;

/// The records of several batches with their data. References into the pools are as in one Batch.
class Block {
public:
    /// No pool gets more elements than this by appending one batch to a block that is not full.
    static constexpr std::size_t most_elements = std::size_t{1} << 22;

    void append(const Batch& batch);
    void clear() noexcept;
    /// Returns true if the block has at least `wanted` records, or takes much memory.
    bool full(std::size_t wanted) const noexcept {
        return records.size() >= wanted || cells.size() >= most_elements || bytes.size() >= 8 * most_elements ||
               attributes.size() >= most_elements || operands.size() >= most_elements;
    }

    Pool<Record> records;
    Pool<std::uint64_t> cells;
    Pool<std::byte> bytes;
    Pool<Attribute> attributes;
    Pool<Operand> operands;
    Pool<Access> accesses;
    Pool<Instruction> instructions;
    std::uint64_t lost_positions = 0;  ///< positions lost to damage before or inside the block

private:
    struct Extents;
    static Extents extents_of(const Batch& batch) noexcept;
    void append_pools(const Batch& batch, const Extents& used);
};

/// A batch of Python. Its arrays refer to the block and keep the batch alive; nothing changes the block while the batch
/// lives.
struct PythonBatch {
    std::shared_ptr<Block> block;
};

/// Returns a read-only array of `size` values at `data`, which `owner` keeps alive.
py::array read_only_array(const py::dtype& type, std::size_t size, const void* data, py::handle owner);

/// Declares the class Batch.
void register_batch(py::module_& module);

}  // namespace hwtrace::python

// python/trace.hpp - a trace that Python reads.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>

#include "hwtrace/hwtrace.hpp"
#include "python/arrays.hpp"

namespace hwtrace::python {

/// An open trace with the blocks into which it is read. Every function requires the GIL.
class PythonTrace {
public:
    explicit PythonTrace(Trace&& trace);

    /// Reads the next `records` records, fewer if they take much memory or the trace ends. Returns nullopt at the end.
    /// Releases the GIL, and handles signals. If a signal handler throws, the next call continues.
    std::optional<PythonBatch> next(std::size_t records);
    /// Returns the trace. Throws Failure::usage while another thread reads it.
    const Trace& trace() const;
    const Schema& schema() const { return trace().schema(); }

private:
    std::shared_ptr<Block> unused_block();

    Trace trace_;
    std::array<std::shared_ptr<Block>, 2> blocks_;
    std::shared_ptr<Block> pending_;  ///< filled in part by a call that was interrupted
    std::exception_ptr failure_;      ///< the error behind the last batch
    bool ended_ = false;
    bool in_use_ = false;
};

/// Returns the options of a trace that the keyword arguments of hwtrace.open state.
TraceOptions trace_options(const py::dict& arguments);

/// Declares the class Trace and the function open.
void register_trace(py::module_& module);

}  // namespace hwtrace::python

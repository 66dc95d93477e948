// python/recording.hpp - recording of transactions for Python.
#pragma once

#include <pybind11/pybind11.h>

namespace hwtrace::python {

/// Declares the classes behind hwtrace.record.
void register_recording(pybind11::module_& module);

}  // namespace hwtrace::python

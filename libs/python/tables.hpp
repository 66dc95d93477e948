// python/tables.hpp - tracks as tables with columns for numpy.
#pragma once

#include <pybind11/pybind11.h>

namespace hwtrace::python {

/// Declares the class TableData and the functions tables and table.
void register_tables(pybind11::module_& module);

}  // namespace hwtrace::python

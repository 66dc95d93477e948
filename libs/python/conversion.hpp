// python/conversion.hpp - conversions and validations for Python.
#pragma once

#include <pybind11/pybind11.h>

#include "hwtrace/conversion.hpp"
#include "python/choices.hpp"

namespace hwtrace::python {

/// Returns the options of a conversion to `target`.
ConversionOptions conversion_options(const Choice& chosen, const std::string& target);
/// Returns a report as a dictionary. Requires the GIL.
py::dict report_of(const ConversionReport& report, const std::string& target);

/// Declares the functions convert, validate and formats.
void register_conversion(py::module_& module);

}  // namespace hwtrace::python

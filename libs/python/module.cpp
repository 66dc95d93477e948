// The extension module hwtrace._hwtrace. The package hwtrace, in the folder of that name, is its only user.
#include <pybind11/pybind11.h>

#include "hwtrace/model.hpp"
#include "python/arrays.hpp"
#include "python/conversion.hpp"
#include "python/errors.hpp"
#include "python/recording.hpp"
#include "python/tables.hpp"
#include "python/trace.hpp"
#include "python/writer.hpp"

namespace {

/// Returns the names of an enumeration of the model, in the order of its values.
template <typename Enumeration>
pybind11::list names(int count) {
    pybind11::list list;
    for (int value = 0; value < count; ++value)
        list.append(std::string(name_of(static_cast<Enumeration>(value))));
    return list;
}

}  // namespace

PYBIND11_MODULE(_hwtrace, module) {
    module.attr("version") = HWTRACE_VERSION;
    module.attr("kinds") = names<hwtrace::Kind>(10);
    module.attr("register_classes") = names<hwtrace::RegisterClass>(4);
    module.attr("operand_roles") = names<hwtrace::OperandRole>(3);
    module.attr("access_types") = names<hwtrace::AccessType>(3);
    hwtrace::python::register_errors();
    hwtrace::python::register_batch(module);
    hwtrace::python::register_trace(module);
    hwtrace::python::register_tables(module);
    hwtrace::python::register_conversion(module);
    hwtrace::python::register_writer(module);
    hwtrace::python::register_recording(module);
}

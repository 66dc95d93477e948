#include "python/errors.hpp"

#include <exception>
#include <string>
#include <string_view>

#include "hwtrace/io.hpp"
#include "hwtrace/recording.hpp"

namespace hwtrace::python {

namespace {

void raise(std::string_view kind, std::string_view message) {
    const py::object type = py::module_::import("hwtrace._types").attr("Error");
    // A message may quote a file name that is not UTF-8.
    const py::object text = py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "surrogateescape"));
    PyErr_SetObject(type.ptr(), type(text, std::string(kind)).ptr());
}

std::string_view kind_of(Failure failure) noexcept {
    switch (failure) {
        case Failure::usage:
            return "usage";
        case Failure::input:
            return "input";
        case Failure::io:
            return "io";
        case Failure::limit:
            return "limit";
        case Failure::internal:
            break;
    }
    return "internal";
}

std::string_view kind_of(recording::Error::Kind kind) noexcept {
    switch (kind) {
        case recording::Error::Kind::usage:
            return "usage";
        case recording::Error::Kind::io:
            return "io";
        case recording::Error::Kind::limit:
            return "limit";
        case recording::Error::Kind::bug:
            break;
    }
    return "internal";
}

}  // namespace

void register_errors() {
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const AdvisedError& error) {
            raise(kind_of(error.failure()), error.fact());  // the advice is about options of the commands
        } catch (const Error& error) {
            raise(kind_of(error.failure()), error.what());
        } catch (const recording::Error& error) {
            raise(kind_of(error.kind()), error.what());
        }
    });
}

}  // namespace hwtrace::python

// python/errors.hpp - exceptions of the library as hwtrace.Error, and Ctrl-C during long work.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>

#include "hwtrace/hwtrace.hpp"

namespace hwtrace::python {

namespace py = pybind11;

/// Registers the translation of hwtrace::Error and recording::Error to hwtrace.Error.
void register_errors();

/// Leaves C++ code in which a signal handler of Python has raised an exception. call_without_gil() turns it into that
/// exception.
struct Interrupted {};

/// Lets Python handle signals during work that runs without the GIL, at most every 50 ms.
class SignalCheck {
public:
    /// Throws Interrupted if a signal handler raised an exception. The caller must not hold the GIL.
    void operator()() {
        const auto time = std::chrono::steady_clock::now();
        if (time < next_) return;
        next_ = time + std::chrono::milliseconds(50);
        now();
    }
    /// Does the same at once.
    void now() const {
        const py::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw Interrupted{};
    }

private:
    std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
};

/// Runs `work` without the GIL and returns its result. `work` must not use objects of Python.
template <typename Work>
auto call_without_gil(Work&& work) {
    try {
        const py::gil_scoped_release released;
        return work();
    } catch (const Interrupted&) {
        throw py::error_already_set();
    }
}

/// Marks an object as used by one call. Another thread that uses it meanwhile gets Failure::usage, because the GIL,
/// which is released during the call, does not protect the object.
class InUse {
public:
    /// `what` is a noun phrase such as "the trace". Requires the GIL, as the destructor does.
    InUse(bool& flag, const char* what) : flag_(flag) {
        if (flag_) fail(Failure::usage, std::string(what) + " is in use by another thread");
        flag_ = true;
    }
    ~InUse() { flag_ = false; }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

private:
    bool& flag_;
};

}  // namespace hwtrace::python

// python/choices.hpp - keyword arguments of Python as options of the library, with the syntax of the commands.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "hwtrace/conversion.hpp"
#include "hwtrace/format.hpp"
#include "hwtrace/plan.hpp"

namespace hwtrace::python {

namespace py = pybind11;

/// Reads keyword arguments from a dictionary. An argument that is None is not given. Every function throws
/// Failure::usage for an invalid value, and py::type_error for a value of another type.
class Choice {
public:
    /// `options` must outlive this object.
    explicit Choice(const py::dict& options) : options_(options) {}

    bool has(const char* key) const { return options_.contains(key) && !options_[key].is_none(); }
    bool flag(const char* key) const { return has(key) && options_[key].cast<bool>(); }
    std::string text(const char* key) const { return py::str(options_[key]); }

    /// Returns the format that `key` names, or null.
    const Format* format(const char* key) const;
    std::optional<Range> range() const;
    std::optional<std::uint64_t> last() const;
    Criteria criteria() const;
    std::optional<std::uint64_t> period_ps() const;
    TimeModel time() const;
    CheckLevel level() const;
    std::size_t findings_per_rule() const;
    /// Returns settings with the number of threads, the limits and the symbols of "elf": a path, or a list of paths and
    /// pairs of a path and a base address.
    Settings settings() const;
    /// Sets the options of the format `target` in `settings`: the entries of the dictionary "format_options".
    void set_format_options(const Format* target, Settings& settings) const;

private:
    std::shared_ptr<const Symbols> symbols(const Limits& limits) const;
    std::optional<std::uint64_t> count(const char* key) const;

    const py::dict& options_;
};

}  // namespace hwtrace::python

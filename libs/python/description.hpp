// python/description.hpp - schemas, findings and losses as lists and dictionaries, from which hwtrace/_types.py makes
// objects.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string_view>

#include "hwtrace/format.hpp"
#include "hwtrace/model.hpp"

namespace hwtrace::python {

namespace py = pybind11;

/// Returns text of a trace as str. Bytes that are not UTF-8 become lone surrogates, as os.fsdecode() does it.
py::str text_of_bytes(std::string_view bytes);
/// Returns the string with this id as str. Throws IndexError if there is none.
py::str text_of_id(const Schema& schema, std::uint64_t id);

py::list tracks_of(const Schema& schema);
py::list enums_of(const Schema& schema);
py::list clocks_of(const Schema& schema);
py::list scopes_of(const Schema& schema);
/// Returns pairs of key and value, in order.
py::list metadata_of(const Schema& schema);
py::dict facts_of(const Facts& facts);
py::dict finding_of(const Finding& finding, const Findings& findings);
/// Returns the findings that were kept.
py::list findings_of(const Findings& findings);
/// Returns the number of all findings by the id of the rule.
py::dict totals_of(const Findings& findings);
py::list losses_of(const Losses& losses);

}  // namespace hwtrace::python

// The class Trace: opening, slices, description, batches.
#include "python/trace.hpp"

#include <pybind11/stl.h>

#include <utility>

#include "hwtrace/format.hpp"
#include "hwtrace/plan.hpp"
#include "python/arrays.hpp"
#include "python/choices.hpp"
#include "python/description.hpp"
#include "python/errors.hpp"

namespace hwtrace::python {

PythonTrace::PythonTrace(Trace&& trace) : trace_(std::move(trace)) {}

std::shared_ptr<Block> PythonTrace::unused_block() {
    // A loop still holds the batch before, so two blocks take turns. A batch that the program keeps is never reused.
    for (std::shared_ptr<Block>& block : blocks_) {
        if (block != nullptr && block.use_count() > 1) continue;
        if (block == nullptr) block = std::make_shared<Block>();
        block->clear();
        return block;
    }
    std::swap(blocks_[0], blocks_[1]);
    return blocks_[1] = std::make_shared<Block>();
}

std::optional<PythonBatch> PythonTrace::next(std::size_t records) {
    const InUse use(in_use_, "the trace");
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    if (pending_ == nullptr) pending_ = unused_block();
    Block* const block = pending_.get();  // stays pending if a signal interrupts the loop
    call_without_gil([&] {
        SignalCheck check_signals;
        while (!ended_ && !block->full(records)) {
            try {
                ended_ = !trace_.next();
            } catch (const Error&) {
                if (block->records.empty()) throw;
                failure_ = std::current_exception();  // thrown after the records before it are delivered
                return;
            }
            if (!ended_) block->append(trace_.batch());
            check_signals();
        }
    });
    if (block->records.empty()) return std::nullopt;
    return PythonBatch{std::exchange(pending_, nullptr)};
}

const Trace& PythonTrace::trace() const {
    if (in_use_) fail(Failure::usage, "the trace is in use by another thread");
    return trace_;
}

TraceOptions trace_options(const py::dict& arguments) {
    const Choice chosen(arguments);
    TraceOptions options;
    options.formats = targets();
    options.format = chosen.format("format");
    options.range = chosen.range();
    options.last = chosen.last();
    options.criteria = chosen.criteria();
    options.period_ps = chosen.period_ps();
    options.settings = chosen.settings();
    options.findings_per_rule = chosen.findings_per_rule();
    return options;
}

namespace {

std::unique_ptr<PythonTrace> open(const std::string& path, const py::dict& arguments) {
    TraceOptions options = trace_options(arguments);
    return call_without_gil([&] { return std::make_unique<PythonTrace>(Trace::open(path, std::move(options))); });
}

py::list texts_of(const PythonTrace& trace, const py::array_t<std::uint64_t, py::array::forcecast>& ids) {
    const Schema& schema = trace.schema();
    py::list texts;
    const auto values = ids.unchecked<1>();
    for (py::ssize_t i = 0; i < values.shape(0); ++i)
        texts.append(text_of_id(schema, values(i)));
    return texts;
}

}  // namespace

void register_trace(py::module_& module) {
    py::class_<PythonTrace>(module, "Trace")
        .def("next", &PythonTrace::next, py::arg("records"))
        .def_property_readonly("name", [](const PythonTrace& t) { return py::str(t.trace().name()); })
        .def_property_readonly("format", [](const PythonTrace& t) { return std::string(t.trace().format().name); })
        .def_property_readonly("is_schema_complete",
                               [](const PythonTrace& t) { return t.trace().format().reads.schema_upfront; })
        .def("tracks", [](const PythonTrace& t) { return tracks_of(t.schema()); })
        .def("enums", [](const PythonTrace& t) { return enums_of(t.schema()); })
        .def("clocks", [](const PythonTrace& t) { return clocks_of(t.schema()); })
        .def("scopes", [](const PythonTrace& t) { return scopes_of(t.schema()); })
        .def("metadata", [](const PythonTrace& t) { return metadata_of(t.schema()); })
        .def("facts", [](const PythonTrace& t) { return facts_of(t.trace().facts()); })
        .def("findings", [](const PythonTrace& t) { return findings_of(t.trace().findings()); })
        .def("totals", [](const PythonTrace& t) { return totals_of(t.trace().findings()); })
        .def("verdict", [](const PythonTrace& t) { return std::string(name_of(t.trace().findings().verdict())); })
        .def("text", [](const PythonTrace& t, std::uint64_t id) { return text_of_id(t.schema(), id); })
        .def("texts", &texts_of);
    module.def("open", &open, py::arg("path"), py::arg("options"));
}

}  // namespace hwtrace::python

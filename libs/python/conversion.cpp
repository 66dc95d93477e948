#include "python/conversion.hpp"

#include <pybind11/stl.h>

#include <utility>

#include "hwtrace/format.hpp"
#include "hwtrace/hwtrace.hpp"
#include "python/description.hpp"
#include "python/errors.hpp"

namespace hwtrace::python {

ConversionOptions conversion_options(const Choice& chosen, const std::string& target) {
    ConversionOptions options;
    options.from = chosen.format("from_format");
    options.to = chosen.format("to_format");
    options.existing = chosen.flag("force") ? Existing::replace : Existing::refuse;
    options.range = chosen.range();
    options.last = chosen.last();
    options.criteria = chosen.criteria();
    options.time = chosen.time();
    options.verify = chosen.flag("verify");
    options.strict = chosen.flag("strict");
    options.time_ordered = chosen.flag("time_ordered");
    options.settings = chosen.settings();
    options.findings_per_rule = chosen.findings_per_rule();
    const Format* const to = options.to != nullptr ? options.to : format_by_extension(options.formats, target);
    chosen.set_format_options(to, options.settings);
    return options;
}

py::dict report_of(const ConversionReport& report, const std::string& target) {
    using namespace py::literals;
    const auto format = [](const Format* known) {
        return known == nullptr ? py::object(py::none()) : py::object(text_of_bytes(known->name));
    };
    py::dict verification;
    verification["done"] = report.verification.done;
    verification["passed"] = report.verification.passed();
    verification["not_compared"] = report.verification.not_compared;
    return py::dict("source"_a = text_of_bytes(report.source), "target"_a = text_of_bytes(target),
                    "source_format"_a = format(report.from), "target_format"_a = format(report.to),
                    "written"_a = report.written, "is_whole"_a = report.is_whole(), "size"_a = report.size,
                    "records_read"_a = report.counts.records_read, "records_written"_a = report.counts.records_written,
                    "losses"_a = losses_of(report.losses), "assumptions"_a = report.losses.assumptions(),
                    "warnings"_a = report.losses.warnings(), "findings"_a = findings_of(report.findings),
                    "totals"_a = totals_of(report.findings), "verification"_a = verification);
}

namespace {

py::dict convert_file(const std::string& source, const std::string& target, const py::dict& arguments) {
    const Choice chosen(arguments);
    ConversionOptions options = conversion_options(chosen, target);
    SignalCheck check_signals;
    options.progress = [&](std::uint64_t, std::optional<std::uint64_t>) { check_signals(); };
    const ConversionReport report = call_without_gil([&] { return convert(source, target, options); });
    return report_of(report, target);
}

py::dict validate_file(const std::string& path, const py::dict& arguments) {
    using namespace py::literals;
    const Choice chosen(arguments);
    ValidationOptions options;
    options.formats = targets();
    options.format = chosen.format("format");
    options.level = chosen.level();
    options.settings = chosen.settings();
    options.findings_per_rule = chosen.findings_per_rule();
    SignalCheck check_signals;
    options.progress = [&](std::uint64_t, std::optional<std::uint64_t>) { check_signals(); };
    const ValidationReport report = call_without_gil([&] { return validate(path, options); });
    py::dict counts;
    for (std::size_t kind = 0; kind < report.counts.records_by_kind.size(); ++kind)
        if (const std::uint64_t count = report.counts.records_by_kind[kind]; count != 0)
            counts[text_of_bytes(name_of(static_cast<Kind>(kind)))] = py::int_(count);
    return py::dict(
        "file"_a = text_of_bytes(report.file),
        "format"_a = report.format == nullptr ? py::object(py::none()) : py::object(text_of_bytes(report.format->name)),
        "verdict"_a = report.verdict ? py::object(text_of_bytes(name_of(*report.verdict))) : py::object(py::none()),
        "findings"_a = findings_of(report.findings), "totals"_a = totals_of(report.findings),
        "records"_a = report.counts.records, "records_by_kind"_a = counts, "size"_a = report.size,
        "fault"_a = text_of_bytes(report.fault));
}

py::list formats_known() {
    using namespace py::literals;
    py::list list;
    for (const Format* const format : targets()) {
        py::list extensions;
        for (const std::string_view extension : format->extensions)
            extensions.append(text_of_bytes(extension));
        list.append(py::dict("name"_a = text_of_bytes(format->name), "title"_a = text_of_bytes(format->title),
                             "extensions"_a = extensions, "can_read"_a = format->can_read(),
                             "can_write"_a = format->can_write(), "is_picture"_a = format->writes.is_picture));
    }
    return list;
}

}  // namespace

void register_conversion(py::module_& module) {
    module.def("convert", &convert_file, py::arg("source"), py::arg("target"), py::arg("options"));
    module.def("validate", &validate_file, py::arg("path"), py::arg("options"));
    module.def("formats", &formats_known);
}

}  // namespace hwtrace::python

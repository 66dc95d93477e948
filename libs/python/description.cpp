#include "python/description.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <variant>

namespace hwtrace::python {

namespace {

py::object id_or_none(std::uint32_t id) {
    return id == none ? py::object(py::none()) : py::object(py::int_(id));
}

py::str name(std::string_view text) {
    return text_of_bytes(text);
}

py::dict time_base(const TimeBase& base) {
    using namespace py::literals;
    const char* const kind = base.kind == TimeBase::Kind::seconds  ? "seconds"
                             : base.kind == TimeBase::Kind::cycles ? "cycles"
                                                                   : "ordinal";
    return py::dict("kind"_a = kind, "num"_a = base.num, "den"_a = base.den);
}

py::list fields_of(const std::vector<Field>& fields) {
    using namespace py::literals;
    py::list list;
    for (const Field& field : fields) {
        const std::string_view phase = name_of(field.phase);
        list.append(py::dict("name"_a = name(field.name), "type"_a = name(name_of(field.type)),
                             "enum"_a = id_or_none(field.enumeration), "repeated"_a = field.repeated,
                             "phase"_a = phase.empty() ? py::object(py::none()) : py::object(name(phase)),
                             "width"_a = field.width));
    }
    return list;
}

}  // namespace

py::str text_of_bytes(std::string_view bytes) {
    return py::reinterpret_steal<py::str>(
        PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape"));
}

py::str text_of_id(const Schema& schema, std::uint64_t id) {
    if (id >= schema.string_count()) throw py::index_error("the trace has no string " + std::to_string(id));
    return text_of_bytes(schema.text(static_cast<StringId>(id)));
}

py::list tracks_of(const Schema& schema) {
    using namespace py::literals;
    py::list list;
    for (const Track& track : schema.tracks()) {
        const std::string scope = path_of(schema, track.scope);
        list.append(py::dict("id"_a = list.size(), "kind"_a = name(name_of(track.kind)), "name"_a = name(track.name),
                             "scope"_a = name(scope), "scope_id"_a = id_or_none(track.scope),
                             "time_base"_a = time_base(track.time), "fields"_a = fields_of(track.fields),
                             "properties"_a = fields_of(track.properties), "slots"_a = track.slots,
                             "native_id"_a = track.native_id));
    }
    return list;
}

py::list enums_of(const Schema& schema) {
    using namespace py::literals;
    py::list list;
    for (const Enum& enumeration : schema.enums()) {
        py::dict labels;
        for (const EnumValue& value : enumeration.values)
            labels[py::int_(value.value)] = name(value.name);
        list.append(py::dict("id"_a = list.size(), "name"_a = name(enumeration.name), "labels"_a = labels));
    }
    return list;
}

py::list clocks_of(const Schema& schema) {
    using namespace py::literals;
    py::list list;
    for (const Clock& clock : schema.clocks())
        list.append(py::dict(
            "id"_a = list.size(), "name"_a = name(clock.name),
            "period_ps"_a = clock.period_ps == 0 ? py::object(py::none()) : py::object(py::int_(clock.period_ps))));
    return list;
}

py::list scopes_of(const Schema& schema) {
    using namespace py::literals;
    py::list list;
    for (const Scope& scope : schema.scopes())
        list.append(py::dict("id"_a = list.size(), "name"_a = name(scope.name),
                             "path"_a = name(path_of(schema, static_cast<ScopeId>(list.size()))),
                             "parent"_a = id_or_none(scope.parent), "protocol"_a = name(scope.protocol),
                             "clock"_a = id_or_none(scope.clock)));
    return list;
}

py::list metadata_of(const Schema& schema) {
    py::list list;
    for (const Metadata& fact : schema.metadata())
        list.append(py::make_tuple(name(fact.key), name(fact.value)));
    return list;
}

py::dict facts_of(const Facts& facts) {
    py::dict dict;
    for (const Fact& fact : facts) {
        const py::str key = name(fact.key);
        if (const auto* const text = std::get_if<std::string>(&fact.value))
            dict[key] = name(*text);
        else if (const auto* const number = std::get_if<std::uint64_t>(&fact.value))
            dict[key] = py::int_(*number);
        else
            dict[key] = py::int_(std::get<std::int64_t>(fact.value));
    }
    return dict;
}

py::dict finding_of(const Finding& finding, const Findings& findings) {
    using namespace py::literals;
    const Rule& rule = *finding.rule;
    return py::dict("rule"_a = name(rule.id), "severity"_a = name(name_of(findings.severity(rule))),
                    "title"_a = name(rule.title), "message"_a = name(describe(finding)), "offset"_a = finding.offset,
                    "length"_a = finding.length, "inner_offset"_a = finding.inner_offset, "ordinal"_a = finding.ordinal,
                    "time"_a = finding.time, "where"_a = name(finding.where), "expected"_a = name(finding.expected),
                    "found"_a = name(finding.got), "hint"_a = name(rule.why));
}

py::list findings_of(const Findings& findings) {
    py::list list;
    for (const Finding& finding : findings.kept())
        list.append(finding_of(finding, findings));
    return list;
}

py::dict totals_of(const Findings& findings) {
    py::dict totals;
    for (const auto& [rule, total] : findings.totals())
        totals[name(rule)] = py::int_(total);
    return totals;
}

py::list losses_of(const Losses& losses) {
    using namespace py::literals;
    py::list list;
    for (const auto& [key, entry] : losses.entries())
        list.append(py::dict("kind"_a = name(name_of(key.first)), "subject"_a = name(key.second),
                             "count"_a = entry.count, "first"_a = name(entry.first)));
    return list;
}

}  // namespace hwtrace::python

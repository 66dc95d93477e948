#include "python/tables.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hwtrace/hwtrace.hpp"
#include "hwtrace/model.hpp"
#include "python/arrays.hpp"
#include "python/description.hpp"
#include "python/errors.hpp"
#include "python/trace.hpp"

namespace hwtrace::python {

namespace {

/// All rows of a column, laid out as in TableChunk.
struct ColumnData {
    std::size_t index = 0;  ///< in TraceTable::columns
    Pool<std::uint64_t> cells;
    Pool<std::uint8_t> present;
    Pool<std::uint64_t> ends;
    Pool<char> own_texts;

    void append(const TableColumn& column, const TableChunk& rows);
};

void append_shifted(std::span<const std::uint64_t> values, std::uint64_t by, Pool<std::uint64_t>& to) {
    std::ranges::transform(values, to.grow(values.size()), [by](std::uint64_t value) { return value + by; });
}

void ColumnData::append(const TableColumn& column, const TableChunk& rows) {
    const TableChunk::Column& from = rows.column(index);
    const std::span<const std::uint64_t> added = rows.cells(index);
    if (column.is_nullable) present.append({from.present.data(), from.present.size()});
    if (column.is_repeated) {
        const std::uint64_t first = cells.size();
        std::uint64_t* end = ends.grow(from.ends.size());
        for (std::size_t row = 0; row < from.ends.size(); ++row)
            end[row] = from.ends[row] + first;
    }
    if (column.has_own_text()) {
        append_shifted(added, own_texts.size(), cells);
        own_texts.append({from.own_texts.data(), from.own_texts.size()});
    } else {
        cells.append(added);
    }
}

/// A trace whose schema is complete, and its tables. A format whose schema grows is read twice; both readers give the
/// same ids.
class Source {
public:
    /// Opens the trace, and reads all of it if its schema grows. Does not need the GIL.
    Source(const std::string& path, const TraceOptions& options, SignalCheck& check_signals)
        : trace_(Trace::open(path, options)) {
        if (path == "-") fail(Failure::usage, "a table needs a file; standard input can be read only once");
        if (!trace_.format().reads.schema_upfront) {
            while (trace_.next())
                check_signals();
            again_.emplace(Trace::open(path, options));
        }
        tables_.emplace(trace_.schema(), options.settings.symbols);
    }

    const TraceTables& tables() const noexcept { return *tables_; }
    /// Returns the trace that delivers the records.
    Trace& trace() noexcept { return again_ ? *again_ : trace_; }

    const TraceTable& table(const std::string& name) const {
        const std::size_t index = tables_->find(name);
        if (index < tables_->all().size()) return tables_->all()[index];
        constexpr std::size_t most_shown = 20;
        std::string known;
        for (const TraceTable& table : tables_->all().first(std::min(tables_->all().size(), most_shown)))
            known.append(known.empty() ? "" : ", ").append(table.name);
        fail(Failure::usage, trace_.name() + ": no table is called " + name + "; tables are " + known);
    }

private:
    Trace trace_;
    std::optional<Trace> again_;
    std::optional<TraceTables> tables_;
};

/// The rows of a table. Keeps the trace for texts and labels.
struct TableData {
    std::unique_ptr<Source> source;
    const TraceTable* table = nullptr;
    std::vector<ColumnData> columns;
    std::size_t rows = 0;
    std::uint64_t left_out = 0;

    const TableColumn& column(std::size_t at) const { return table->columns[columns.at(at).index]; }
};

void choose_columns(const std::optional<std::vector<std::string>>& names, TableData& data) {
    const std::vector<TableColumn>& all = data.table->columns;
    if (!names) {
        data.columns.resize(all.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            data.columns[i].index = i;
        return;
    }
    for (const std::string& name : *names) {
        const auto found = std::ranges::find(all, name, &TableColumn::name);
        if (found == all.end()) {
            std::string known;
            for (const TableColumn& column : all)
                known.append(known.empty() ? "" : ", ").append(column.name);
            fail(Failure::usage, data.table->name + ": no column is called " + name + "; columns are " + known);
        }
        data.columns.emplace_back().index = static_cast<std::size_t>(found - all.begin());
    }
}

std::unique_ptr<TableData> read_table(const std::string& path, const py::dict& arguments, const std::string& name,
                                      const std::optional<std::vector<std::string>>& columns) {
    const TraceOptions options = trace_options(arguments);
    return call_without_gil([&] {
        SignalCheck check_signals;
        auto data = std::make_unique<TableData>();
        data->source = std::make_unique<Source>(path, options, check_signals);
        const TraceTables& tables = data->source->tables();
        data->table = &data->source->table(name);
        choose_columns(columns, *data);
        const auto index = static_cast<std::size_t>(data->table - tables.all().data());
        TableRows rows(tables, {index}, [&](std::size_t, TableChunk& chunk) {
            for (ColumnData& column : data->columns)
                column.append(data->table->columns[column.index], chunk);
            data->rows += chunk.size();
        });
        Trace& trace = data->source->trace();
        while (trace.next()) {
            rows.add(trace.batch());
            check_signals();
        }
        rows.finish();
        data->left_out = rows.left_out();
        return data;
    });
}

py::dict describe(const TraceTables& tables, const TableColumn& column) {
    using namespace py::literals;
    const std::string_view phase = name_of(column.phase);
    py::object labels = py::none();
    if (const Enum* const known = tables.labels(column); column.type == Type::enumeration && known != nullptr) {
        py::dict all;
        for (const EnumValue& value : known->values)
            all[py::int_(value.value)] = text_of_bytes(value.name);
        labels = std::move(all);
    }
    if (column.has_growing_labels()) {
        py::dict all;
        for (std::uint32_t number = 0; number < tables.places()->sources(); ++number)
            all[py::int_(number)] = text_of_bytes(tables.places()->source(number));
        labels = std::move(all);
    }
    const bool is_field = column.content == TableColumn::Content::field;
    const bool is_bytes = column.content == TableColumn::Content::bytes;
    return py::dict("name"_a = text_of_bytes(column.name),
                    "type"_a = is_bytes                ? py::str("blob")
                               : column.has_own_text() ? py::str("text")
                                                       : text_of_bytes(name_of(column.type)),
                    "is_nullable"_a = column.is_nullable, "is_repeated"_a = column.is_repeated, "labels"_a = labels,
                    "field"_a = is_field ? py::object(py::int_(column.index)) : py::object(py::none()),
                    "phase"_a = phase.empty() ? py::object(py::none()) : py::object(text_of_bytes(phase)));
}

py::dict describe(const TraceTables& tables, const TraceTable& table) {
    using namespace py::literals;
    py::list columns;
    for (const TableColumn& column : table.columns)
        columns.append(describe(tables, column));
    return py::dict("name"_a = text_of_bytes(table.name), "path"_a = text_of_bytes(table.path),
                    "row"_a = text_of_bytes(name_of(table.row)), "track_id"_a = table.track, "columns"_a = columns);
}

py::list list_tables(const std::string& path, const py::dict& arguments) {
    const TraceOptions options = trace_options(arguments);
    const auto source = call_without_gil([&] {
        SignalCheck check_signals;
        return std::make_unique<Source>(path, options, check_signals);
    });
    py::list list;
    for (const TraceTable& table : source->tables().all())
        list.append(describe(source->tables(), table));
    return list;
}

template <typename T>
py::object array_of(const py::object& self, const Pool<T>& pool, const char* type) {
    return read_only_array(py::dtype(type), pool.size(), pool.data(), self);
}

/// Returns the texts of a column that has its own, as str, or bytes if it holds bytes.
py::list own_texts_of(const TableData& data, std::size_t at) {
    const ColumnData& column = data.columns.at(at);
    const bool is_text = data.column(at).content == TableColumn::Content::text;
    py::list texts;
    std::uint64_t begin = 0;
    for (std::size_t row = 0; row < column.cells.size(); ++row) {
        const std::uint64_t end = column.cells[row];
        const std::string_view text(column.own_texts.data() + begin, static_cast<std::size_t>(end - begin));
        if (is_text)
            texts.append(text_of_bytes(text));
        else
            texts.append(py::bytes(text.data(), text.size()));
        begin = end;
    }
    return texts;
}

/// Returns the strings with these ids, as str or bytes.
py::list shared_texts_of(TableData& data, const py::array_t<std::uint64_t>& ids, bool as_bytes) {
    const Schema& schema = data.source->trace().schema();
    py::list texts;
    const auto values = ids.unchecked<1>();
    for (py::ssize_t i = 0; i < values.shape(0); ++i) {
        if (!as_bytes) {
            texts.append(text_of_id(schema, values(i)));
            continue;
        }
        const std::string_view text = schema.text(static_cast<StringId>(values(i)));
        texts.append(py::bytes(text.data(), text.size()));
    }
    return texts;
}

}  // namespace

void register_tables(py::module_& module) {
    py::class_<TableData>(module, "TableData")
        .def_readonly("rows", &TableData::rows)
        .def_readonly("left_out", &TableData::left_out)
        .def("table", [](const TableData& data) { return describe(data.source->tables(), *data.table); })
        .def("column",
             [](const TableData& data, std::size_t at) { return describe(data.source->tables(), data.column(at)); })
        .def("columns", [](const TableData& data) { return data.columns.size(); })
        .def("has_own_text", [](const TableData& data, std::size_t at) { return data.column(at).has_own_text(); })
        .def("cells", [](const py::object& self,
                         std::size_t at) { return array_of(self, self.cast<TableData&>().columns.at(at).cells, "u8"); })
        .def("present",
             [](const py::object& self, std::size_t at) {
                 return array_of(self, self.cast<TableData&>().columns.at(at).present, "?");
             })
        .def("ends", [](const py::object& self,
                        std::size_t at) { return array_of(self, self.cast<TableData&>().columns.at(at).ends, "u8"); })
        .def("own_texts", &own_texts_of)
        .def("texts", &shared_texts_of);
    module.def("tables", &list_tables, py::arg("path"), py::arg("options"));
    module.def("table", &read_table, py::arg("path"), py::arg("options"), py::arg("name"), py::arg("columns"));
}

}  // namespace hwtrace::python

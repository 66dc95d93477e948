#include "python/writer.hpp"

#include <pybind11/stl.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "hwtrace/model.hpp"
#include "python/conversion.hpp"
#include "python/description.hpp"

namespace hwtrace::python {

namespace {

constexpr std::size_t records_per_batch = 1024;

std::optional<Track::Kind> kind_named(std::string_view name) noexcept {
    for (const Track::Kind kind :
         {Track::Kind::event_type, Track::Kind::stream, Track::Kind::signal, Track::Kind::notes})
        if (name_of(kind) == name) return kind;
    return std::nullopt;
}

Type type_named(const std::string& name) {
    for (int type = 0; type <= static_cast<int>(Type::blob); ++type)
        if (name_of(static_cast<Type>(type)) == name) return static_cast<Type>(type);
    fail(Failure::usage, "a field has the unknown type " + name);
}

/// The columns of the records of one call.
struct Columns {
    std::vector<const std::uint64_t*> cells;
    std::vector<const bool*> presence;  ///< null: in every record

    bool has(std::size_t column, std::size_t row) const noexcept {
        return presence[column] == nullptr || presence[column][row];
    }
};

}  // namespace

PythonWriter::PythonWriter(std::string target, const py::dict& options) : target_(std::move(target)) {
    options_ = conversion_options(Choice(options), target_);
}

PythonWriter::~PythonWriter() {
    if (is_foreign())
        // Its mutex and condition may be in use for ever, so that even their destructors would wait.
        static_cast<void>(feed_.release());
    else
        abandon();
}

long PythonWriter::current_process() noexcept {
    return static_cast<long>(getpid());
}

void PythonWriter::check_open() const {
    if (is_foreign()) fail(Failure::usage, target_ + ": the writer belongs to the process that has begun to write");
    if (is_closed_) fail(Failure::usage, target_ + ": the writer is closed");
}

void PythonWriter::check_declaring() const {
    check_open();
    if (feed_->is_started())
        fail(Failure::usage, target_ + ": everything must be declared before the first record is written");
}

ScopeId PythonWriter::scope(const std::string& path) {
    Schema& schema = feed_->schema();
    ScopeId at = none;
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        std::string name = path.substr(begin, end - begin);
        const auto [place, is_new] = scopes_.try_emplace({at, name}, none);
        if (is_new) place->second = schema.declare(Scope{std::move(name), at, {}, none});
        at = place->second;
        begin = end + 1;
    }
    return at;
}

EnumId PythonWriter::enumeration(const std::string& name,
                                 const std::vector<std::pair<std::uint64_t, std::string>>& labels) {
    const InUse use(in_use_, "the writer");
    check_declaring();
    Enum made{name, {}};
    for (const auto& [value, label] : labels)
        made.values.push_back({value, label});
    return feed_->schema().declare(std::move(made));
}

TrackId PythonWriter::track(const std::string& kind, const std::string& scope_path, const std::string& name,
                            const TimeBase& base,
                            const std::vector<std::tuple<std::string, std::string, std::uint32_t>>& fields) {
    const InUse use(in_use_, "the writer");
    check_declaring();
    const auto known = kind_named(kind);
    if (!known) fail(Failure::usage, "a track is of the unknown kind " + kind);
    std::vector<Field> made;
    for (const auto& [field_name, type, enumeration] : fields) {
        Field field{field_name, type_named(type)};
        if (field.type == Type::enumeration) {
            if (enumeration >= feed_->schema().enums().size()) fail(Failure::usage, field_name + ": unknown enum");
            field.enumeration = enumeration;
        }
        made.push_back(std::move(field));
    }
    return feed_->schema().declare(make_track(*known, scope(scope_path), name, base, std::move(made)));
}

void PythonWriter::describe(const std::string& key, const std::string& value) {
    const InUse use(in_use_, "the writer");
    check_declaring();
    feed_->schema().describe(key, value);
}

PythonWriter::Cells PythonWriter::intern(const py::sequence& texts) {
    const InUse use(in_use_, "the writer");
    check_open();
    Cells ids(static_cast<py::ssize_t>(texts.size()));
    std::uint64_t* id = ids.mutable_data();
    for (const py::handle text : texts) {
        const bool is_bytes = py::isinstance<py::bytes>(text);
        const py::bytes bytes =
            is_bytes
                ? py::reinterpret_borrow<py::bytes>(text)
                : py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
        if (!bytes) throw py::error_already_set();
        *id++ = feed_->schema().intern(std::string_view(bytes));
    }
    return ids;
}

const Track& PythonWriter::track_of(TrackId track) const {
    check_open();
    const auto& tracks = feed_->schema().tracks();
    if (track >= tracks.size()) fail(Failure::usage, target_ + ": the track belongs to another writer");
    return tracks[track];
}

void PythonWriter::start() {
    if (feed_->is_started()) return;
    feed_->start(target_, options_);
    process_ = current_process();
}

void PythonWriter::flush() {
    SignalCheck check_signals;
    try {
        feed_->put(batch_, check_signals);
    } catch (...) {
        is_closed_ = true;  // records are missing: nothing more can be written
        feed_->abandon();
        throw;
    }
}

void PythonWriter::end_use() {
    if (!is_closed_) return;
    call_without_gil([&] { feed_->abandon(); });
    check_open();
}

void PythonWriter::write(TrackId track, const Times& times, const py::object& durations,
                         const std::vector<Cells>& columns, const std::vector<py::object>& presences) {
    const InUse use(in_use_, "the writer");
    const Track& of = track_of(track);
    const auto rows = static_cast<std::size_t>(times.size());
    const bool is_interval = of.kind == Track::Kind::stream;
    Columns given;
    std::vector<Presence> kept;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (static_cast<std::size_t>(columns[i].size()) != rows)
            fail(Failure::usage, of.name + "." + of.fields.at(i).name + ": " + std::to_string(columns[i].size()) +
                                     " values for " + std::to_string(rows) + " times");
        given.cells.push_back(columns[i].data());
        if (!presences.at(i).is_none()) kept.push_back(presences[i].cast<Presence>());
        given.presence.push_back(presences[i].is_none() ? nullptr : kept.back().data());
    }
    if (columns.size() != of.fields.size()) fail(Failure::usage, of.name + ": a column is missing");
    Cells lengths;
    if (is_interval) lengths = durations.cast<Cells>();
    if (is_interval && static_cast<std::size_t>(lengths.size()) != rows)
        fail(Failure::usage, of.name + ": as many ends as begins are needed");
    const Tick* const time = times.data();
    const std::uint64_t* const length = is_interval ? lengths.data() : nullptr;

    start();
    call_without_gil([&] {
        std::vector<Attribute> attributes(columns.size());
        for (std::size_t row = 0; row < rows; ++row) {
            if (of.kind == Track::Kind::event_type) {
                const std::span<std::uint64_t> cells =
                    batch_.mutable_cells(batch_.event(track, time[row], static_cast<std::uint32_t>(columns.size())));
                for (std::size_t i = 0; i < cells.size(); ++i)
                    cells[i] = given.cells[i][row];
            } else {
                std::size_t count = 0;
                for (std::size_t i = 0; i < columns.size(); ++i)
                    if (given.has(i, row)) attributes[count++] = {static_cast<std::uint32_t>(i), given.cells[i][row]};
                const std::span<const Attribute> values(attributes.data(), count);
                if (is_interval)
                    batch_.interval(track, time[row], length[row], values);
                else if (count == 0)
                    batch_.change(track, time[row], values).flags = record_no_value;
                else
                    batch_.change(track, time[row], values);
            }
            if (batch_.records().size() >= records_per_batch) flush();
        }
    });
    end_use();
}

void PythonWriter::write_notes(TrackId track, const Times& times, const py::sequence& texts) {
    const InUse use(in_use_, "the writer");
    const Track& of = track_of(track);
    if (of.kind != Track::Kind::notes) fail(Failure::usage, of.name + ": the track holds no notes");
    if (texts.size() != static_cast<std::size_t>(times.size()))
        fail(Failure::usage, of.name + ": as many texts as times are needed");
    start();
    for (std::size_t row = 0; row < texts.size(); ++row) {
        batch_.note(track, times.data()[row], texts[row].cast<std::string>());
        if (batch_.records().size() >= records_per_batch) call_without_gil([&] { flush(); });
    }
    end_use();
}

py::dict PythonWriter::close() {
    const InUse use(in_use_, "the writer");
    check_open();
    is_closed_ = true;
    start();
    ConversionReport report = call_without_gil([&] {
        SignalCheck check_signals;
        if (!batch_.empty()) flush();
        try {
            ConversionReport finished = feed_->finish(check_signals);
            feed_->abandon();
            return finished;
        } catch (...) {
            feed_->abandon();
            throw;
        }
    });
    return report_of(report, target_);
}

void PythonWriter::abandon() noexcept {
    is_closed_ = true;
    if (!feed_->is_started() || is_foreign()) return;
    if (in_use_) return feed_->cancel();
    const InUse use(in_use_, "the writer");
    const py::gil_scoped_release released;
    feed_->abandon();
}

void register_writer(py::module_& module) {
    py::class_<PythonWriter>(module, "Writer")
        .def(py::init<std::string, const py::dict&>())
        .def("enumeration", &PythonWriter::enumeration)
        .def("track",
             [](PythonWriter& writer, const std::string& kind, const std::string& scope, const std::string& name,
                const std::string& unit, std::uint64_t num, std::uint64_t den,
                const std::vector<std::tuple<std::string, std::string, std::uint32_t>>& fields) {
                 const TimeBase::Kind base = unit == "seconds"  ? TimeBase::Kind::seconds
                                             : unit == "cycles" ? TimeBase::Kind::cycles
                                                                : TimeBase::Kind::ordinal;
                 return writer.track(kind, scope, name, TimeBase{base, num, den}, fields);
             })
        .def("describe", &PythonWriter::describe)
        .def("intern", &PythonWriter::intern)
        .def("write", &PythonWriter::write)
        .def("write_notes", &PythonWriter::write_notes)
        .def("close", &PythonWriter::close)
        .def("abandon", &PythonWriter::abandon);
}

}  // namespace hwtrace::python

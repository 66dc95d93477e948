// Recording of transactions: the classes behind hwtrace.record.
//
// A call passes all values at once, and the library calls no function of Python. So no other thread can run Python code
// while the database's lock is held, and threads that wait for the lock do not need the GIL of each other.
#include "hwtrace/recording.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/description.hpp"
#include "python/errors.hpp"
#include "python/recording.hpp"

namespace hwtrace::python {

namespace {

using recording::Database;
using recording::Fields;
using recording::Time;
using recording::Transaction;
using recording::Value;

/// Named values of Python, converted before a call of the library.
class Attributes {
public:
    Attributes() = default;
    explicit Attributes(const py::dict& values) {
        for (const auto& [name, value] : values)
            add(py::str(name), value);
    }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;

    /// A deeper value, as one that contains itself, is refused, and one with more parts.
    static constexpr int most_depth = 64;
    static constexpr std::size_t most_parts = std::size_t{1} << 20;

    bool empty() const noexcept { return values_.empty(); }
    /// Passes each value to the library.
    void describe(Fields& fields) const {
        for (const auto& [name, value] : values_)
            fields(name, value);
    }

    /// Adds a value under `name`: numbers, texts, labels of enumerations, vectors, and the parts of dictionaries,
    /// sequences and data classes, as the library names those of structs, arrays and maps. `depth` counts the values
    /// around it.
    void add(const std::string& name, py::handle value, int depth = 0);

private:
    using Type = Value::Type;

    void add_number(const std::string& name, Type type, std::uint64_t bits) {
        values_.emplace_back(name, Value(type, bits));
    }
    void add_text(const std::string& name, Type type, std::string text) {
        texts_.push_back(std::move(text));
        values_.emplace_back(name, Value(type, texts_.back()));
    }
    void add_integer(const std::string& name, py::handle value);
    void add_typed(const std::string& name, const std::string& type, py::handle value);
    void add_parts(const std::string& name, py::handle value, int depth);

    std::size_t parts_ = 0;
    std::deque<std::string> texts_;  ///< the values refer to them
    std::vector<std::pair<std::string, Value>> values_;
};

std::string text_of(py::handle value) {
    if (py::isinstance<py::bytes>(value)) return value.cast<std::string>();
    const auto bytes =
        py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(py::str(value).ptr(), "utf-8", "surrogateescape"));
    if (!bytes) throw py::error_already_set();
    return bytes;
}

std::uint64_t bits_of(double value) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

[[noreturn]] void refuse(const std::string& name, py::handle value, std::string_view why) {
    fail(Failure::usage, "attribute " + name + ": " + std::string(py::repr(value)) + " " + std::string(why));
}

void Attributes::add_integer(const std::string& name, py::handle value) {
    const py::object index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!index) throw py::error_already_set();
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    if (overflow == 0) {
        add_number(name, number < 0 ? Type::integer : Type::unsigned_integer, static_cast<std::uint64_t>(number));
        return;
    }
    const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(index.ptr()) : 0;
    if (overflow < 0 || PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        refuse(name, value, "does not fit into 64 bits; record a text, or a vector of bits");
    }
    add_number(name, Type::unsigned_integer, large);
}

void Attributes::add_typed(const std::string& name, const std::string& type, py::handle value) {
    if (type == "label") return add_text(name, Type::enumeration, text_of(value));
    if (type == "bits") return add_text(name, Type::bit_vector, text_of(value));
    if (type == "logic") return add_text(name, Type::logic_vector, text_of(value));
    try {
        if (type == "ticks") return add_number(name, Type::time, value.cast<std::uint64_t>());
        if (type == "pointer") return add_number(name, Type::pointer, value.cast<std::uint64_t>());
        if (type == "signed")
            return add_number(name, Type::integer, static_cast<std::uint64_t>(value.cast<std::int64_t>()));
    } catch (const py::cast_error&) {
        refuse(name, value, "is no number of 64 bits that the type " + type + " can hold");
    }
    refuse(name, value, "has an unknown type");
}

void Attributes::add_parts(const std::string& name, py::handle value, int depth) {
    const auto inner = [&](const std::string& part) { return name.empty() ? part : name + "." + part; };
    const auto add_part = [&](const std::string& part_name, py::handle part) {
        if (++parts_ > most_parts)
            fail(Failure::usage, "attribute " + name + ": values have more than " + std::to_string(most_parts) +
                                     " parts in all; record fewer, or a text");
        add(part_name, part, depth + 1);
    };
    if (py::isinstance<py::dict>(value)) {
        for (const auto& [key, part] : value.cast<py::dict>())
            add_part(inner(py::str(key)), part);
    } else if (py::hasattr(value, "__dataclass_fields__")) {
        for (const auto& [field, unused] : py::dict(value.attr("__dataclass_fields__")))
            add_part(inner(py::str(field)), value.attr(field.cast<py::str>()));
    } else if (py::hasattr(value, "__len__") && py::hasattr(value, "__getitem__")) {
        std::size_t index = 0;
        for (const py::handle part : value)
            add_part(name + "[" + std::to_string(index++) + "]", part);
    } else {
        refuse(name, value, "cannot be recorded; use a number, a text, a dict, a list or a data class");
    }
}

void Attributes::add(const std::string& name, py::handle value, int depth) {
    if (value.is_none()) return;
    if (depth > most_depth)  // the value is not quoted, because Python may refuse to print it
        fail(Failure::usage, "attribute " + name + ": the value is nested deeper than " + std::to_string(most_depth) +
                                 " levels, or contains itself; record a text, or fewer levels");
    if (py::isinstance<py::bool_>(value)) return add_number(name, Type::boolean, value.cast<bool>() ? 1 : 0);
    if (py::hasattr(value, "hwtrace_type"))  // the classes of hwtrace/record.py
        return add_typed(name, value.attr("hwtrace_type").cast<std::string>(), value.attr("value"));
    if (py::hasattr(value, "binstr"))  // a vector of cocotb 1, or a handle's value
        return add_text(name, Type::logic_vector, text_of(value.attr("binstr")));
    const std::string type = py::str(py::type::of(value).attr("__name__"));
    if (type == "LogicArray" || type == "Logic") return add_text(name, Type::logic_vector, text_of(py::str(value)));
    if (type == "bool_") return add_number(name, Type::boolean, value.cast<bool>() ? 1 : 0);  // of numpy
    if (py::hasattr(value, "name") && py::hasattr(py::type::of(value), "__members__"))        // of enum.Enum
        return add_text(name, Type::enumeration, text_of(value.attr("name")));
    if (py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value))
        return add_text(name, Type::string, text_of(value));
    if (py::isinstance<py::float_>(value)) return add_number(name, Type::floating_point, bits_of(value.cast<double>()));
    if (py::hasattr(value, "__index__") && PyIndex_Check(value.ptr()) != 0 && !py::hasattr(value, "__len__"))
        return add_integer(name, value);
    if (PyNumber_Check(value.ptr()) != 0 && py::hasattr(value, "__float__") && !py::hasattr(value, "__len__"))
        return add_number(name, Type::floating_point, bits_of(py::float_(py::reinterpret_borrow<py::object>(value))));
    if (py::hasattr(value, "item") && py::hasattr(value, "ndim") && py::object(value.attr("ndim")).equal(py::int_(0)))
        return add(name, value.attr("item")(), depth + 1);  // an array of numpy without dimensions
    add_parts(name, value, depth);
}

/// Misuses, kept until a call returns. The database reports them with its lock, but not always with the GIL.
class Misuses {
public:
    void add(const recording::MisuseReport& report) {
        constexpr std::size_t most = 1000;
        const std::lock_guard lock(mutex_);
        if (list_.size() < most)
            list_.push_back({std::string(name_of(report.misuse)), std::string(report.generator),
                             std::string(report.what), report.transaction});
    }
    py::list take() {
        std::vector<Misused> taken;
        {
            const std::lock_guard lock(mutex_);
            taken.swap(list_);
        }
        py::list list;
        for (const Misused& misused : taken)
            list.append(py::make_tuple(misused.misuse, misused.transaction, text_of_bytes(misused.generator),
                                       text_of_bytes(misused.what)));
        return list;
    }
    bool empty() const {
        const std::lock_guard lock(mutex_);
        return list_.empty();
    }

private:
    struct Misused {
        std::string misuse, generator, what;
        std::uint64_t transaction;
    };
    mutable std::mutex mutex_;
    std::vector<Misused> list_;
};

class PythonDatabase {
public:
    PythonDatabase(const std::string& path, const py::dict& arguments)
        : misused_(std::make_shared<Misuses>()), database_(path, options_of(arguments, misused_)) {}

    Database& database() noexcept { return database_; }
    /// Returns the misuses since the last call.
    py::list take_misuses() { return misused_->take(); }
    bool has_misuses() const { return !misused_->empty(); }
    py::dict misuses() const {
        py::dict counts;
        for (std::size_t i = 0; i < recording::misuse_kinds; ++i) {
            const auto misuse = static_cast<recording::Misuse>(i);
            if (const std::uint64_t count = database_.misuses(misuse); count != 0)
                counts[text_of_bytes(name_of(misuse))] = py::int_(count);
        }
        return counts;
    }

private:
    static recording::Options options_of(const py::dict& arguments, const std::shared_ptr<Misuses>& to) {
        recording::Options options;
        options.exponent = arguments["exponent"].cast<int>();
        if (!arguments["format"].is_none()) options.format = arguments["format"].cast<std::string>();
        for (const auto& [key, value] : arguments["format_options"].cast<py::dict>()) {
            std::string name = py::str(key);
            std::ranges::replace(name, '_', '-');
            options.format_options[name] = py::str(value);
        }
        if (arguments["growing"].cast<bool>()) options.visibility = recording::Visibility::growing;
        options.flush_every = arguments["flush_every"].cast<std::uint64_t>();
        options.replace = arguments["force"].cast<bool>();
        if (!arguments["epoch"].is_none()) options.epoch = arguments["epoch"].cast<std::int64_t>();
        options.on_misuse = [to](const recording::MisuseReport& report) { to->add(report); };
        return options;
    }

    std::shared_ptr<Misuses> misused_;
    Database database_;
};

/// A transaction, with its generator.
struct PythonGenerator {
    recording::Generator<> generator;
};

Transaction begin(const PythonGenerator& self, std::optional<Time> time, const py::dict& values) {
    const Attributes attributes(values);
    if (attributes.empty()) return time ? self.generator.begin_at(*time) : self.generator.begin();
    return time ? self.generator.begin_at(*time, attributes) : self.generator.begin(attributes);
}

void end(Transaction& self, std::optional<Time> time, const py::dict& values) {
    const Attributes attributes(values);
    if (attributes.empty())
        time ? self.end_at(*time) : self.end();
    else
        time ? self.end_at(*time, attributes) : self.end(attributes);
}

/// The attributes of an event as one value without a name.
void append_event(Transaction& self, const std::string& name, std::optional<Time> time, const py::dict& values) {
    const Attributes attributes(values);
    if (attributes.empty())
        time ? self.event_at(*time, name) : self.event(name);
    else
        time ? self.event_at(*time, name, "", attributes) : self.event(name, "", attributes);
}

}  // namespace

void register_recording(py::module_& module) {
    py::class_<PythonDatabase>(module, "RecordDatabase")
        .def(py::init<const std::string&, const py::dict&>())
        .def("stream", [](PythonDatabase& self, const std::string& name,
                          const std::string& kind) { return self.database().stream(name, kind); })
        .def("flush", [](PythonDatabase& self) { call_without_gil([&] { self.database().flush(); }); })
        .def("close", [](PythonDatabase& self) { call_without_gil([&] { self.database().close(); }); })
        .def("set_recording", [](PythonDatabase& self, bool on) { self.database().set_recording(on); })
        .def("has_misuses", &PythonDatabase::has_misuses)
        .def("take_misuses", &PythonDatabase::take_misuses)
        .def("misuses", &PythonDatabase::misuses)
        .def("losses", [](PythonDatabase& self) { return self.database().losses(); });
    py::class_<recording::Stream>(module, "RecordStream")
        .def("generator",
             [](const recording::Stream& self, const std::string& name, const std::string& begin_name,
                const std::string& end_name, bool events) {
                 return PythonGenerator{self.generator<>(name, begin_name, end_name,
                                                         events ? recording::Events::yes : recording::Events::no)};
             })
        .def("set_recording", [](const recording::Stream& self, bool on) { self.set_recording(on); });
    py::class_<PythonGenerator>(module, "RecordGenerator")
        .def("begin", &begin)
        .def("set_recording", [](const PythonGenerator& self, bool on) { self.generator.set_recording(on); });
    py::class_<Transaction>(module, "RecordTransaction")
        .def_property_readonly("id", &Transaction::id)
        .def_property_readonly("is_open", &Transaction::is_open)
        .def("record", [](Transaction& self, const py::dict& values) { self.record(Attributes(values)); })
        .def("event", &append_event)
        .def("relate", [](Transaction& self, const std::string& relation,
                          const Transaction& source) { self.relate(relation, source); })
        .def("end", &end);
}

}  // namespace hwtrace::python

// formats/uscope/dpi/uscope_dpi.cpp - connects SystemVerilog to the C writer. Declarations are collected until the
// first cycle creates the file.
#include "hwtrace/uscope_dpi.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hwtrace/uscope.h"
#include "uscope/api/declarations.hpp"
#include "uscope/api/error_text.hpp"
#include "uscope/api/handles.hpp"

// The simulator provides these functions for open arrays (IEEE 1800, annex H.12). The only dimension is 1.
extern "C" {
int svLow(void* array, int dimension);
int svHigh(void* array, int dimension);
void* svGetArrElemPtr1(void* array, int index);
}

namespace hwtrace::uscope {
namespace {

/// A trace that SystemVerilog records.
class DpiTrace {
public:
    explicit DpiTrace(const char* path) : path_(path) {}
    DpiTrace(const DpiTrace&) = delete;
    DpiTrace& operator=(const DpiTrace&) = delete;
    ~DpiTrace() { close(); }

    // --- declarations; each returns an id, or -1 ---
    int declare_clock(const char* name, std::uint32_t period) {
        if (!is_name(name)) return -1;
        return declared(all_.clocks, uscope_clock_t{all_.keep(name), period});
    }
    int declare_scope(const char* name, int parent, const char* protocol, int clock) {
        uscope_scope_t scope{};
        // The first scope is the root and has no parent.
        if (!is_name(name) ||
            !reference(parent, all_.scopes.size(), !all_.scopes.empty(), "a parent scope", scope.parent) ||
            !reference(clock, std::max<std::size_t>(all_.clocks.size(), 1), clock != -1, "a clock", scope.clock))
            return -1;
        scope.name = all_.keep(name);
        scope.protocol = protocol == nullptr || *protocol == '\0' ? nullptr : all_.keep(protocol);
        return declared(all_.scopes, scope);
    }
    int declare_enum(const char* name) {
        if (!is_name(name)) return -1;
        if (started_) return late();
        all_.values.emplace_back();
        return declared(all_.enums, uscope_enum_t{all_.keep(name), nullptr, 0});
    }
    int declare_enum_value(int id, std::uint8_t value, const char* name) {
        if (!exists(id, all_.enums)) return wrong("the enum was not declared");
        if (!is_name(name)) return -1;
        return declared(all_.values[static_cast<std::size_t>(id)], uscope_enum_value_t{value, all_.keep(name)});
    }
    int declare_storage(const char* name, std::uint32_t slots, int flags, int scope) {
        uscope_storage_t storage{};
        if (!is_name(name) || !narrow(flags, "the flags", storage.flags) || !scope_of(scope, storage.scope)) return -1;
        if (started_) return late();
        all_.fields.emplace_back();
        all_.properties.emplace_back();
        storage.name = all_.keep(name);
        storage.num_slots = slots;
        return declared(all_.storages, storage);
    }
    int declare_event(const char* name, int scope) {
        uscope_event_type_t event{};
        if (!is_name(name) || !scope_of(scope, event.scope)) return -1;
        if (started_) return late();
        all_.event_fields.emplace_back();
        event.name = all_.keep(name);
        return declared(all_.events, event);
    }
    int declare_field(int storage, const char* name, int type, int enumeration) {
        if (!exists(storage, all_.storages)) return wrong("the storage was not declared");
        return declare_in(all_.fields[static_cast<std::size_t>(storage)], name, type, enumeration, 0, 0);
    }
    int declare_property(int storage, const char* name, int type, int enumeration, int role, int pair) {
        if (!exists(storage, all_.storages)) return wrong("the storage was not declared");
        return declare_in(all_.properties[static_cast<std::size_t>(storage)], name, type, enumeration, role, pair);
    }
    int declare_event_field(int event, const char* name, int type, int enumeration) {
        if (!exists(event, all_.events)) return wrong("the event type was not declared");
        return declare_in(all_.event_fields[static_cast<std::size_t>(event)], name, type, enumeration, 0, 0);
    }
    int declare_dut_property(const char* key, const char* value) {
        if (!is_name(key)) return -1;
        return declared(all_.dut_properties, uscope_dut_property_t{all_.keep(key), all_.keep(value)});
    }
    void set_interval(std::uint64_t interval) {
        if (started_)
            late();
        else
            interval_ = interval;
    }
    void set_options(int compression, int sync, int threads) {
        uscope_writer_options_t options{};
        if (started_)
            late();
        else if (narrow(compression, "the compression", options.compression) &&
                 narrow(threads, "the number of threads", options.threads)) {
            options.sync_segments = sync != 0;
            options_ = options;
        }
    }

    /// Protects every use of the trace, because process exit closes it while other threads may record.
    std::mutex& mutex() noexcept { return mutex_; }

    /// Returns the writer and opens it at the first call; null if that failed or the trace was closed.
    uscope_writer_t* writer() {
        if (!started_) start();
        return writer_;
    }
    /// Keeps the error of a writer call.
    void check(uscope_status_t status) {
        if (status == USCOPE_OK) return;
        const bool stopped = uscope_writer_stopped(writer_);
        failed(stopped ? uscope_writer_error(writer_) : uscope_last_error(), stopped);
    }
    int wrong(const char* what) {
        ErrorText text;
        text.set(USCOPE_ERROR_ARGUMENT, "wrong declaration: %s", what);
        failed(text.text());
        return -1;
    }
    /// Keeps and prints the first error and the error that ends the recording. The simulation continues.
    void failed(const char* text, bool stopped = false) noexcept {
        if (stopped ? stop_reported_ : !error_.empty()) return;
        stop_reported_ = stopped;
        try {
            error_ = text;
        } catch (...) {  // out of memory: the text is only printed
        }
        std::fprintf(stderr, "uscope: %s: %s\n", path_.c_str(), text);
    }

    const char* error() const noexcept { return error_.c_str(); }

    /// Copies the elements of an open array, by ascending index.
    template <typename Element>
    static std::span<const Element> gather(void* array, std::vector<Element>& into) {
        into.clear();
        if (array == nullptr) return into;
        for (int i = svLow(array, 1), high = svHigh(array, 1); i <= high; ++i)
            if (const auto* element = static_cast<const Element*>(svGetArrElemPtr1(array, i))) into.push_back(*element);
        return into;
    }
    std::span<const unsigned char> bytes(void* array) { return gather(array, bytes_); }
    std::span<const std::uint64_t> words(void* array) { return gather(array, words_); }

    void close() noexcept {
        // A trace that has only declarations is written too.
        try {
            if (!started_) start();
        } catch (...) {
            failed(current_exception_text("uscope_close").text());
        }
        if (writer_ != nullptr) {
            const uscope_status_t before = uscope_writer_status(writer_);
            const uscope_status_t status = uscope_writer_close(writer_);
            // An error in closing the writer ends the recording.
            if (status != before) failed(uscope_last_error(), true);
        }
        writer_ = nullptr;
    }

private:
    int late() { return wrong("the schema is fixed after the first cycle"); }
    template <typename Element>
    int declared(std::vector<Element>& list, const Element& element) {
        if (started_) return late();
        list.push_back(element);
        return static_cast<int>(list.size() - 1);
    }
    template <typename Element>
    static bool exists(int id, const std::vector<Element>& list) noexcept {
        return id >= 0 && static_cast<std::size_t>(id) < list.size();
    }

    // --- checks; each reports its error ---
    bool is_name(const char* name) {
        if (name != nullptr && *name != '\0') return true;
        wrong("the name is missing");
        return false;
    }
    /// Converts an integer to the schema's type if it fits.
    template <typename To>
    bool narrow(int value, const char* what, To& to) {
        if (!std::in_range<To>(value)) {
            ErrorText text;
            text.set(USCOPE_ERROR_RANGE, "%s: %d is out of range", what, value);
            failed(text.text());
            return false;
        }
        to = static_cast<To>(value);
        return true;
    }
    /// Checks that an id is below `count`. Unless `needed` is set, -1 means no object and becomes the largest value of
    /// the type.
    template <typename To>
    bool reference(int id, std::size_t count, bool needed, const char* what, To& to) {
        to = std::numeric_limits<To>::max();
        if (id == -1 && !needed) return true;
        if (id >= 0 && static_cast<std::size_t>(id) < count) return narrow(id, what, to);
        ErrorText text;
        text.set(USCOPE_ERROR_RANGE, "wrong declaration: %s was not declared: %d (count: %zu)", what, id, count);
        failed(text.text());
        return false;
    }
    /// Checks a scope id. A root exists even if no scope is declared.
    bool scope_of(int scope, std::uint16_t& to) {
        return reference(scope, std::max<std::size_t>(all_.scopes.size(), 1), scope != -1, "a scope", to);
    }
    int declare_in(std::vector<uscope_field_t>& list, const char* name, int type, int enumeration, int role, int pair) {
        uscope_field_t field{};
        if (!is_name(name) || !narrow(type, "the type", field.type) || !narrow(role, "the role", field.role) ||
            !narrow(pair, "the pair", field.pair))
            return -1;
        if (type < USCOPE_U8 || type > USCOPE_ENUM) return wrong("the type does not exist");
        if (type == USCOPE_ENUM && !reference(enumeration, all_.enums.size(), true, "an enum", field.enum_id))
            return -1;
        field.name = all_.keep(name);
        return declared(list, field);
    }

    void start() {
        started_ = true;
        const uscope_schema_t schema = all_.schema();
        const uscope_dut_desc_t dut = all_.dut();
        writer_ = uscope_writer_open_with(path_.c_str(), &dut, &schema, interval_, &options_);
        if (writer_ == nullptr) failed(uscope_last_error());
    }

    std::mutex mutex_;
    std::string path_, error_;
    Declarations all_;
    std::uint64_t interval_ = 0;
    uscope_writer_options_t options_{};
    bool started_ = false;
    bool stop_reported_ = false;  // the end of the recording was reported
    uscope_writer_t* writer_ = nullptr;
    std::vector<unsigned char> bytes_;  // copy of the last open array
    std::vector<std::uint64_t> words_;
};

struct DpiHandle : Handle<DpiTrace> {};

DpiTrace* trace_of(void* w) noexcept {
    auto* handle = static_cast<DpiHandle*>(w);
    if (handle != nullptr && handle->body != nullptr) return handle->body.get();
    static std::atomic_flag reported;
    if (!reported.test_and_set())
        std::fprintf(stderr, "uscope: a call with a trace that %s\n", w == nullptr ? "is null" : "was closed");
    return nullptr;
}

/// Calls `call` with the trace. Returns `otherwise` if there is no trace or memory is exhausted.
template <typename Result, typename Call>
Result with(void* w, Result otherwise, Call call) noexcept {
    DpiTrace* trace = trace_of(w);
    if (trace == nullptr) return otherwise;
    const std::lock_guard lock(trace->mutex());
    try {
        return call(*trace);
    } catch (...) {
        trace->failed(current_exception_text("memory").text());
        return otherwise;
    }
}

/// Calls `call` with the writer of a trace.
template <typename Call>
void record(void* w, Call call) noexcept {
    with(w, false, [&](DpiTrace& trace) {
        uscope_writer_t* writer = trace.writer();
        if (writer != nullptr) trace.check(call(writer));
        return true;
    });
}

}  // namespace
}  // namespace hwtrace::uscope

using namespace hwtrace::uscope;

extern "C" {

void* uscope_dpi_open(const char* path) {
    try {
        static const int at_exit = std::atexit([] {
            handles_of<DpiHandle>().for_each_open([](DpiTrace& trace) {
                const std::lock_guard lock(trace.mutex());
                trace.close();
            });
        });
        static_cast<void>(at_exit);
        return handles_of<DpiHandle>().open(std::make_shared<DpiTrace>(path == nullptr ? "" : path));
    } catch (...) {
        std::fprintf(stderr, "uscope: out of memory\n");
        return nullptr;
    }
}

void uscope_dpi_close(void* w) {
    const bool open = with(w, false, [](DpiTrace& trace) {
        trace.close();
        return true;
    });
    if (open) handles_of<DpiHandle>().close(*static_cast<DpiHandle*>(w));
}

int uscope_dpi_declare_clock(void* w, const char* name, uint32_t period_ps) {
    return with(w, -1, [=](DpiTrace& trace) { return trace.declare_clock(name, period_ps); });
}

int uscope_dpi_declare_scope(void* w, const char* name, int parent, const char* protocol, int clock) {
    return with(w, -1, [=](DpiTrace& trace) { return trace.declare_scope(name, parent, protocol, clock); });
}

int uscope_dpi_declare_enum(void* w, const char* name) {
    return with(w, -1, [=](DpiTrace& trace) { return trace.declare_enum(name); });
}

int uscope_dpi_declare_enum_value(void* w, int enum_id, uint8_t value, const char* name) {
    return with(w, -1, [=](DpiTrace& trace) { return trace.declare_enum_value(enum_id, value, name); });
}

int uscope_dpi_declare_storage(void* w, const char* name, uint32_t slots, int flags, int scope) {
    return with(w, -1, [=](DpiTrace& trace) { return trace.declare_storage(name, slots, flags, scope); });
}

int uscope_dpi_declare_event(void* w, const char* name, int scope) {
    return with(w, -1, [=](DpiTrace& trace) { return trace.declare_event(name, scope); });
}

int uscope_dpi_declare_field(void* w, int storage_id, const char* name, int type, int enum_id) {
    return with(w, -1, [=](DpiTrace& trace) { return trace.declare_field(storage_id, name, type, enum_id); });
}

int uscope_dpi_declare_property(void* w, int storage_id, const char* name, int type, int enum_id, int role, int pair) {
    return with(w, -1,
                [=](DpiTrace& trace) { return trace.declare_property(storage_id, name, type, enum_id, role, pair); });
}

int uscope_dpi_declare_event_field(void* w, int event_type_id, const char* name, int type, int enum_id) {
    return with(w, -1, [=](DpiTrace& trace) { return trace.declare_event_field(event_type_id, name, type, enum_id); });
}

int uscope_dpi_declare_dut_property(void* w, const char* key, const char* value) {
    return with(w, -1, [=](DpiTrace& trace) { return trace.declare_dut_property(key, value); });
}

void uscope_dpi_set_checkpoint_interval(void* w, uint64_t interval_ps) {
    with(w, false, [=](DpiTrace& trace) {
        trace.set_interval(interval_ps);
        return true;
    });
}

void uscope_dpi_set_options(void* w, int compression, int sync_segments, int threads) {
    with(w, false, [=](DpiTrace& trace) {
        trace.set_options(compression, sync_segments, threads);
        return true;
    });
}

void uscope_dpi_begin_cycle(void* w, uint64_t time_ps) {
    record(w, [=](uscope_writer_t* writer) { return uscope_begin_cycle(writer, time_ps); });
}

void uscope_dpi_end_cycle(void* w) {
    record(w, [](uscope_writer_t* writer) { return uscope_end_cycle(writer); });
}

void uscope_dpi_slot_set(void* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value) {
    record(w, [=](uscope_writer_t* writer) { return uscope_slot_set(writer, storage_id, slot, field, value); });
}

void uscope_dpi_slot_clear(void* w, uint16_t storage_id, uint16_t slot) {
    record(w, [=](uscope_writer_t* writer) { return uscope_slot_clear(writer, storage_id, slot); });
}

void uscope_dpi_slot_add(void* w, uint16_t storage_id, uint16_t slot, uint16_t field, uint64_t value) {
    record(w, [=](uscope_writer_t* writer) { return uscope_slot_add(writer, storage_id, slot, field, value); });
}

void uscope_dpi_prop_set(void* w, uint16_t storage_id, uint16_t property, uint64_t value) {
    record(w, [=](uscope_writer_t* writer) { return uscope_prop_set(writer, storage_id, property, value); });
}

void uscope_dpi_event_raw(void* w, uint16_t event_type_id, void* payload) {
    with(w, false, [=](DpiTrace& trace) {
        uscope_writer_t* writer = trace.writer();
        if (writer == nullptr) return false;
        const auto bytes = trace.bytes(payload);
        trace.check(uscope_event_sized(writer, event_type_id, bytes.data(), bytes.size()));
        return true;
    });
}

void uscope_dpi_event_values(void* w, uint16_t event_type_id, void* values) {
    with(w, false, [=](DpiTrace& trace) {
        uscope_writer_t* writer = trace.writer();
        if (writer == nullptr) return false;
        const auto cells = trace.words(values);
        trace.check(uscope_event_values(writer, event_type_id, cells.data(), cells.size()));
        return true;
    });
}

int uscope_dpi_string(void* w, const char* text) {
    return with(w, -1, [=](DpiTrace& trace) {
        uscope_writer_t* writer = trace.writer();
        if (writer == nullptr) return -1;
        const std::int64_t string = uscope_string(writer, text);
        if (string < 0) trace.check(uscope_last_status());
        return static_cast<int>(string);
    });
}

void uscope_dpi_flush_segment(void* w) {
    record(w, [](uscope_writer_t* writer) { return uscope_flush_segment(writer); });
}

const char* uscope_dpi_error(void* w) {
    const DpiTrace* trace = trace_of(w);
    return trace != nullptr ? trace->error() : "the trace is null or was closed";
}

}  // extern "C"

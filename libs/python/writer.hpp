// python/writer.hpp - writes data of a Python program as a trace of any format.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hwtrace/hwtrace.hpp"
#include "python/errors.hpp"
#include "python/feed.hpp"

namespace hwtrace::python {

/// Writes arrays as records. Every function requires the GIL; those that write release it.
class PythonWriter {
public:
    /// Cells and values are numbers of 64 bits; see Type.
    using Cells = py::array_t<std::uint64_t, py::array::c_style>;
    using Times = py::array_t<Tick, py::array::c_style>;
    using Presence = py::array_t<bool, py::array::c_style>;

    /// Opens nothing yet: the first records do.
    PythonWriter(std::string target, const py::dict& options);
    ~PythonWriter();
    PythonWriter(const PythonWriter&) = delete;
    PythonWriter& operator=(const PythonWriter&) = delete;

    EnumId enumeration(const std::string& name, const std::vector<std::pair<std::uint64_t, std::string>>& labels);
    TrackId track(const std::string& kind, const std::string& scope, const std::string& name, const TimeBase& base,
                  const std::vector<std::tuple<std::string, std::string, std::uint32_t>>& fields);
    void describe(const std::string& key, const std::string& value);
    /// Returns the ids of texts.
    Cells intern(const py::sequence& texts);

    /// Writes one record per time. `durations` is None but for intervals. `presences[i]` is None if the field i is in
    /// every record.
    void write(TrackId track, const Times& times, const py::object& durations, const std::vector<Cells>& columns,
               const std::vector<py::object>& presences);
    void write_notes(TrackId track, const Times& times, const py::sequence& texts);
    /// Completes the file and returns the report as a dictionary.
    py::dict close();
    /// Ends the writer without a file. A call of another thread ends with an error.
    void abandon() noexcept;

private:
    /// Returns true in a child process, which has the memory of the conversion's thread, but not the thread.
    bool is_foreign() const noexcept { return feed_->is_started() && process_ != current_process(); }
    static long current_process() noexcept;
    void check_open() const;
    void check_declaring() const;
    ScopeId scope(const std::string& path);
    const Track& track_of(TrackId track) const;
    void start();
    void flush();
    /// Throws if another thread has abandoned the writer while a call used it.
    void end_use();

    std::string target_;
    ConversionOptions options_;
    std::unique_ptr<Feed> feed_ = std::make_unique<Feed>();
    long process_ = 0;                                           ///< the one that has started the feed
    std::map<std::pair<ScopeId, std::string>, ScopeId> scopes_;  ///< by parent and name
    Batch batch_;
    std::atomic<bool> is_closed_ = false;
    bool in_use_ = false;
};

/// Declares the class Writer.
void register_writer(py::module_& module);

}  // namespace hwtrace::python

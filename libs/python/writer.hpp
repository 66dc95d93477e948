// python/writer.hpp - writes data of a Python program as a trace of any format.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "hwtrace/hwtrace.hpp"
#include "python/errors.hpp"

namespace hwtrace::python {

/// The reader of a conversion in a thread of its own. The thread and the program take turns: the thread runs only while
/// the program waits in put() or finish(), so the program may add strings to the schema at any other time.
class Feed final : public Reader {
public:
    // --- for the conversion ---
    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    Facts facts() const override { return {}; }
    std::uint64_t position() const override { return delivered_; }

    // --- for the program ---
    /// Starts the conversion to `target`. The tracks must be declared.
    void start(std::string target, ConversionOptions options);
    /// Delivers the records of `batch`, clears it, and waits until they are written. Throws what the conversion threw,
    /// and Failure::usage after cancel().
    template <typename Check>
    void put(Batch& batch, Check&& check) {
        batch_ = &batch;
        run(Turn::conversion, check);
        batch.clear();
    }
    /// Lets the conversion complete the output, and waits for it. Throws as put() does. If it throws, the file does not
    /// appear: `check.now()` is called a last time before it does, and nothing is called while it does.
    template <typename Check>
    ConversionReport finish(Check&& check) {
        run(Turn::ending, check);
        if (is_complete_) {
            check.now();
            run(Turn::committing, [] {});
        }
        if (!report_) fail(Failure::internal, "the conversion has no result");
        return std::move(*report_);
    }
    /// Ends the conversion without an output. No other call may run.
    void abandon() noexcept;
    /// Lets the call end that another thread waits in, and all later ones, unless the file appears already.
    void cancel() noexcept;
    bool is_started() const noexcept { return thread_.joinable(); }

private:
    enum class Turn : std::uint8_t {
        program,
        conversion,
        ending,      ///< of the conversion, which gets no more records
        committing,  ///< of the conversion, which lets the complete file appear
        abandoned,   ///< of the conversion, which ends
        ended,
    };
    struct Abandoned {};

    void check_usable() const {
        if (failure_) std::rethrow_exception(failure_);
        if (is_cancelled_) fail(Failure::usage, "the writer was closed by another thread; nothing is written");
    }
    void convert_to(const std::string& target, const ConversionOptions& options);
    void wait_for_commit();

    /// Gives the turn away and waits until it comes back. `check` is called meanwhile, and may throw.
    template <typename Check>
    void run(Turn turn, Check&& check) {
        std::unique_lock lock(mutex_);
        check_usable();
        if (turn_ == Turn::ended) fail(Failure::usage, "the writer is closed");
        turn_ = turn;
        changed_.notify_all();
        const auto is_back = [&] {
            return turn_ == Turn::program || turn_ == Turn::ended || (is_cancelled_ && turn != Turn::committing);
        };
        while (!changed_.wait_for(lock, std::chrono::milliseconds(50), is_back)) {
            lock.unlock();
            check();
            lock.lock();
        }
        if (turn == Turn::committing && !failure_) return;
        check_usable();
    }

    Schema schema_;
    Batch* batch_ = nullptr;  ///< the records to deliver
    std::uint64_t delivered_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
    Turn turn_ = Turn::program;
    bool has_begun_ = false;     ///< the conversion has asked for records
    bool is_complete_ = false;   ///< the output is complete, but does not appear yet
    bool is_cancelled_ = false;  ///< by another thread than the one that waits
    std::optional<ConversionReport> report_;
    std::exception_ptr failure_;
    std::thread thread_;
};

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

// hwtrace/trace.hpp - opens a trace of any format and reads its records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "codec/findings.hpp"
#include "codec/format.hpp"
#include "codec/reader.hpp"
#include "codec/settings.hpp"
#include "formats.hpp"
#include "hwtrace/identify.hpp"
#include "hwtrace/record_view.hpp"
#include "io/input.hpp"
#include "select/criteria.hpp"
#include "select/range.hpp"

namespace hwtrace {

/// How a trace is opened.
struct TraceOptions {
    FormatList formats = hwtrace::formats();   ///< the formats to choose from
    const Format* format = nullptr;            ///< null: the content decides, else the extension
    Settings settings{};                       ///< limits, checks, threads
    std::size_t findings_per_rule = 20;        ///< the number of findings that are kept; all are counted
    NoteListener note{};                       ///< null: remarks are discarded
    std::optional<Range> range{};              ///< the slice to deliver, see parse_range(); none: everything
    std::optional<std::uint64_t> last{};       ///< only the last positions; not with `range`
    Criteria criteria{};                       ///< restrict the slice further, see parse_criteria()
    std::optional<std::uint64_t> period_ps{};  ///< the length of a cycle, if the trace does not state it

    /// Returns true if the options choose less than the whole trace.
    bool slices() const noexcept { return range || last || criteria.any(); }
};

/// An open trace. Owns the input, the reader and everything that the reader refers to. Can be moved while it is read.
class Trace {
public:
    /// Opens a file, or standard input for "-". Throws Failure::io if it cannot be read, Failure::input if it is not a
    /// trace of a known format, and Failure::usage if the trace has no such slice. A slice restates nothing from before
    /// its range, as in hwtrace-dump.
    static Trace open(const std::string& path, TraceOptions options = {});
    /// Opens an input, such as Input::memory().
    static Trace open(Input input, TraceOptions options = {});

    Trace(Trace&& other) noexcept;
    Trace& operator=(Trace&& other) noexcept;
    ~Trace();

    /// Returns the path, or "<stdin>".
    const std::string& name() const noexcept;
    const Format& format() const noexcept;
    /// Returns the schema. It covers the records read so far; if `format().reads.schema_upfront`, all records.
    const Schema& schema() const& noexcept;
    const Schema& schema() const&& = delete;
    /// Returns the problems of the input that were found so far.
    const Findings& findings() const& noexcept;
    const Findings& findings() const&& = delete;
    /// Returns facts about the file itself. They are complete after the last batch.
    Facts facts() const;
    /// Returns the reader, for functions that take one. Batches that it delivers are not delivered again.
    Reader& reader() noexcept;

    /// Reads the next batch. Returns false at the end of the trace. Throws Failure::limit or Failure::io; damage
    /// becomes findings.
    bool next();
    /// Returns the batch that next() has read. It is reused, so no memory is allocated per record.
    const Batch& batch() const noexcept;

    /// Iterates over the remaining batches.
    class Batches;
    /// Iterates over the records of the remaining batches.
    class Records;

    /// `for (const Batch& batch : trace)` reads the rest of the trace. A second loop continues after the batch at which
    /// the first one was left.
    Batches begin();
    std::default_sentinel_t end() const noexcept { return {}; }
    /// `for (const RecordView& record : trace.records())` does the same for single records.
    struct RecordRange;
    RecordRange records() & noexcept;
    RecordRange records() && = delete;

private:
    struct State;
    explicit Trace(std::unique_ptr<State> state) noexcept;
    static bool next(State& state);
    static const Batch& batch_of(const State& state) noexcept;
    static const Schema& schema_of(const State& state) noexcept;

    std::unique_ptr<State> state_;
};

class Trace::Batches {
public:
    using value_type = Batch;
    using difference_type = std::ptrdiff_t;

    const Batch& operator*() const noexcept { return batch_of(*state_); }
    Batches& operator++() {
        if (!next(*state_)) state_ = nullptr;
        return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const noexcept { return state_ == nullptr; }

private:
    friend class Trace;
    explicit Batches(State& state) : state_(&state) { ++*this; }

    State* state_;  // null: the end
};

class Trace::Records {
public:
    using value_type = RecordView;
    using difference_type = std::ptrdiff_t;

    RecordView operator*() const {
        const Batch& batch = batch_of(*state_);
        return {schema_of(*state_), batch, batch.records()[index_]};
    }
    Records& operator++() {
        if (++index_ == batch_of(*state_).records().size()) advance();
        return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const noexcept { return state_ == nullptr; }

private:
    friend struct Trace::RecordRange;
    explicit Records(State& state) : state_(&state) { advance(); }
    void advance() {
        index_ = 0;
        do {
            if (!next(*state_)) {
                state_ = nullptr;
                return;
            }
        } while (batch_of(*state_).empty());
    }

    State* state_;  // null: the end
    std::size_t index_ = 0;
};

struct Trace::RecordRange {
    Records begin() const { return Records(*state); }
    std::default_sentinel_t end() const noexcept { return {}; }
    State* state;
};

inline Trace::Batches Trace::begin() {
    return Batches(*state_);
}
inline Trace::RecordRange Trace::records() & noexcept {
    return {state_.get()};
}

}  // namespace hwtrace

// views/value_rows.hpp - writes changes of counters and of buffer occupancy as rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "domain/protocols.hpp"
#include "io/text_output.hpp"
#include "views/model_views.hpp"
#include "views/value_log.hpp"

namespace hwtrace {

/// The name of a value in a ValueLog.
struct ValueName {
    std::string scope, name;   ///< `scope` is a path
    std::string measure = {};  ///< buffers: "slots" (occupied slots), "ring" (from head to tail), or "ring N" (pair N)
    std::uint32_t capacity = 0;  ///< buffers: number of slots

    std::string full() const { return name_in(scope, name); }
};

/// Writes the changes that a ValueLog reports.
class ValueRows {
public:
    enum class Quantity : std::uint8_t { counters, buffers };

    /// Without options.interval, text gets an interval that divides the trace into 64 to 128 steps. Data forms show
    /// every cycle with a change. With options.following, text also shows every such cycle, so that each row is written
    /// as soon as it is complete. All arguments must outlive this object.
    ValueRows(Quantity quantity, TextForm form, const ViewOptions& options, const std::vector<ValueName>& names,
              const Settings& settings, TextOutput& out);

    ValueLog& log() noexcept { return log_; }
    /// Returns the listener to pass to the log.
    const ValueLog::Listener& listener() const noexcept { return listener_; }
    /// Extends the trace to the time of a record. Call it before the record is passed to the log. The last step ends
    /// with the last record.
    void see(Tick time) noexcept {
        if (!last_ || time > *last_) last_ = time;
    }
    void begin();
    /// Ends the output. Call it after finish() of the log.
    void end();

private:
    void take(const ValueLog::Change& change);
    void keep(const ValueLog::Change& change);
    void merge();
    std::uint64_t steps_kept() const noexcept;
    void put(const ValueLog::Change& change);
    void append_line(const ValueLog::Change& change);
    void append_object(const ValueLog::Change& change);
    void append_row(const ValueLog::Change& change);
    void append_total(std::uint32_t id);
    Tick cycles_covered(const ValueLog::Change& change) const noexcept;

    Quantity quantity_;
    TextForm form_;
    bool adapts_;      // chooses the interval while reading
    bool is_sampled_;  // rows cover intervals
    const std::vector<ValueName>& names_;
    const Settings& settings_;
    TextOutput& out_;
    ValueLog log_;
    ValueLog::Listener listener_;
    std::vector<ValueLog::Change> kept_;  // changes kept until the interval is chosen
    Tick first_step_ = 0;                 // step of the first change in kept_
    std::optional<Tick> last_;            // the latest time in the trace
    bool first_ = true;
};

}  // namespace hwtrace

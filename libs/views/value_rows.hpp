// views/value_rows.hpp - changes of counters and of the occupancy of buffers as rows, for people and programs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "views/value_log.hpp"

namespace hwtrace {

/// What a ValueLog's value is.
struct ValueName {
    std::string scope, name;
    std::string_view measure = {};  ///< of a buffer: "slots" that are occupied, or "ring": what head and tail enclose
    std::uint32_t capacity = 0;     ///< of a buffer

    std::string full() const { return scope.empty() ? name : scope + "/" + name; }
};

/// Writes what a ValueLog tells.
class ValueRows {
public:
    enum class Quantity : std::uint8_t { counters, buffers };

    /// Where `interval` is none, text shows steps of a length that gives 64 to 128 of them over the trace, data every
    /// cycle in which something changed. All arguments outlive the rows.
    ValueRows(Quantity quantity, TextForm form, std::optional<Tick> interval, const std::vector<ValueName>& names,
              const Settings& settings, TextOutput& out);

    ValueLog& log() noexcept { return log_; }
    /// What the log's listener is.
    const ValueLog::Listener& listener() const noexcept { return listener_; }
    void begin();
    /// After the log's finish(). `last` is the time of the trace's last record.
    void end(std::optional<Tick> last);

private:
    void take(const ValueLog::Change& change);
    void keep(const ValueLog::Change& change);
    void merge();
    std::uint64_t steps_kept() const noexcept;
    void put(const ValueLog::Change& change);
    void put_line(const ValueLog::Change& change);
    void put_object(const ValueLog::Change& change);
    void put_row(const ValueLog::Change& change);
    void put_total(std::uint32_t id, std::optional<Tick> last);

    Quantity quantity_;
    TextForm form_;
    bool adapts_;      // the interval is found on the way
    bool is_sampled_;  // an interval is shown
    const std::vector<ValueName>& names_;
    const Settings& settings_;
    TextOutput& out_;
    ValueLog log_;
    ValueLog::Listener listener_;
    std::vector<ValueLog::Change> kept_;  // while the interval is being found
    Tick first_step_ = 0;                 // of those
    bool first_ = true;
};

}  // namespace hwtrace

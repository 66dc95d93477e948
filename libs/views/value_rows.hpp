// views/value_rows.hpp - changes of counters and of the occupancy of buffers as rows, for people and programs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "io/text_output.hpp"
#include "model/protocols.hpp"
#include "views/model_views.hpp"
#include "views/value_log.hpp"

namespace hwtrace {

/// What a ValueLog's value is.
struct ValueName {
    std::string scope, name;     ///< the scope by its path
    std::string measure = {};    ///< of a buffer: "slots" that are occupied, or "ring": what head and tail enclose;
                                 ///< "ring N" of pair N, where it has several
    std::uint32_t capacity = 0;  ///< of a buffer

    std::string full() const { return name_in(scope, name); }
};

/// Writes what a ValueLog tells.
class ValueRows {
public:
    enum class Quantity : std::uint8_t { counters, buffers };

    /// Where options.interval is none, text shows steps of a length that gives 64 to 128 of them over the trace, data
    /// every cycle in which something changed; so does text where options.following is set, so that every row is
    /// written once it is complete. All arguments outlive the rows.
    ValueRows(Quantity quantity, TextForm form, const ViewOptions& options, const std::vector<ValueName>& names,
              const Settings& settings, TextOutput& out);

    ValueLog& log() noexcept { return log_; }
    /// What the log's listener is.
    const ValueLog::Listener& listener() const noexcept { return listener_; }
    /// Each record's time, before it is given to the log: the last step covers what of it the trace lasts.
    void see(Tick time) noexcept {
        if (!last_ || time > *last_) last_ = time;
    }
    void begin();
    /// After the log's finish().
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
    bool adapts_;      // the interval is found on the way
    bool is_sampled_;  // an interval is shown
    const std::vector<ValueName>& names_;
    const Settings& settings_;
    TextOutput& out_;
    ValueLog log_;
    ValueLog::Listener listener_;
    std::vector<ValueLog::Change> kept_;  // while the interval is being found
    Tick first_step_ = 0;                 // of those
    std::optional<Tick> last_;            // time in the trace
    bool first_ = true;
};

}  // namespace hwtrace

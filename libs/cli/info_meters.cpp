#include "cli/info_meters.hpp"

#include <utility>

#include "io/error.hpp"
#include "views/roofline.hpp"

namespace hwtrace::cli {

Meters::Meters(const Schema& schema, const Limits& limits, const std::optional<Range>& range,
               const ExtraMeasures& extra)
    : ordered(schema, histograms_, range),
      schema_(schema),
      intervals_(schema, histograms_),
      relations_(schema, histograms_),
      names_(schema, histograms_),
      signals_(schema),
      statistics_(schema, &histograms_),
      instructions_(schema, extra.interval, limits),
      profile_(schema, extra.reuse) {
    if (extra.symbols) functions_.emplace(schema, extra.symbols);
}

void Meters::begin_shard() {
    ordered.begin_shard();
    relations_.begin_shard();
    signals_.begin_shard();
    statistics_.begin_shard();
    profile_.begin_shard();
}

void Meters::add(const Batch& batch) {
    ordered.activity.add(batch);
    intervals_.add(batch);
    ordered.arrivals.add(batch);
    relations_.add(batch);
    names_.add(batch);
    signals_.add(batch);
    statistics_.add(batch);
    instructions_.add(batch);
    profile_.add(batch);
    if (functions_) functions_->add(batch);
}

void Meters::finish(FileInfo& info) {
    info.intervals = intervals_.result();
    info.relations = relations_.result();
    info.names = names_.result();
    info.signals = signals_.result();
    info.statistics = statistics_.result();
    info.instructions = instructions_.result();
    info.profile = profile_.result();
    if (functions_ && info.profile) info.functions = functions_->result();
}

std::vector<SavedSection> Meters::save(const OrderedMeters& in_order) const {
    std::vector<SavedSection> sections;
    each_section(*this, in_order, [&](std::string_view name, const auto& meter) {
        Appender bytes;
        StateOut out(bytes);
        meter.save(out);
        sections.push_back({std::string(name), {bytes.span().begin(), bytes.span().end()}});
    });
    return sections;
}

void Meters::add(const SavedSection& section, const Limits& limits, Schema& schema) {
    each_section(*this, ordered, [&](std::string_view name, auto& meter) {
        if (name != section.name) return;
        Cursor bytes(section.bytes);
        StateIn in(bytes, limits);
        if constexpr (requires { meter.add(in, schema); })
            meter.add(in, schema);
        else
            meter.add(in);
        StateIn::require(in.at_end());
    });
}

void Meters::finish_reduced(FileInfo& info) {
    finish(info);
    info.arrivals = ordered.arrivals.result();
    info.activity = ordered.activity.result();
    if (info.activity) info.roofline = roofline_of(schema_, *info.activity);
    const auto leave_out = [&](auto& result, std::string_view name, std::string_view why) {
        if (!result || why.empty()) return;
        result.reset();
        info.not_reduced.push_back({std::string(name), std::string(why)});
    };
    leave_out(info.roofline, "roofline", ordered.activity.not_reduced());
    leave_out(info.activity, "activity", ordered.activity.not_reduced());
    leave_out(info.arrivals, "arrivals", ordered.arrivals.not_reduced());
    leave_out(info.relations, "relations", relations_.not_reduced());
    leave_out(info.names, "names", names_.not_reduced());
    leave_out(info.signals, "signals", signals_.not_reduced());
    leave_out(info.instructions, "instructions", instructions_.not_reduced());
    leave_out(info.profile, "profile", profile_.not_reduced());
    leave_out(info.statistics, "statistics", statistics_.not_reduced());
    if (histograms_.exceeded())
        info.not_reduced.push_back({"percentiles", "there are more than 400 histograms; the whole trace gives fewer"});
}

std::string time_unit(const Schema& schema) {
    std::optional<TimeBase> base;
    for (const Track& track : schema.tracks()) {
        if (base && *base != track.time) return "ticks";
        base = track.time;
    }
    return base ? unit_of(*base) : "ticks";
}

}  // namespace hwtrace::cli

#include "views/histogram_view.hpp"

#include <algorithm>

#include "codec/json_object.hpp"
#include "domain/protocols.hpp"
#include "domain/timeline.hpp"
#include "io/counted.hpp"
#include "views/by_track.hpp"
#include "views/distribution.hpp"
#include "views/drawn_rows.hpp"
#include "views/signal_statistics.hpp"
#include "views/value_durations.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t most_histograms = 24;

/// Collects the durations of intervals by track, and of lifetimes by scope.
class DurationTallies {
public:
    explicit DurationTallies(const Schema& schema) : schema_(schema), timeline_(schema, Timeline::Detail::counts) {}

    void add(const Batch& batch) {
        timeline_.add(batch, [this](const Lifetime& life) { take(life); });
        for (const Record& record : batch.records())
            if (record.kind == Kind::interval) tracks_[record.track].take(record.value);
    }
    std::vector<Distribution> result() {
        timeline_.finish([this](const Lifetime& life) { take(life); });
        std::vector<Distribution> result;
        for (TrackId id = 0; id < schema_.tracks().size(); ++id) {
            const Track& track = schema_.tracks()[id];
            if (track.kind != Track::Kind::stream || tracks_.of(id).lengths.count() == 0) continue;
            Distribution& distribution = result.emplace_back();
            distribution.name = name_in(path_of(schema_, track.scope), track.name);
            distribution.unit = unit_of(track.time);
            tracks_.of(id).give(distribution);
        }
        for (std::uint32_t i = 0; i < timeline_.catalogues().size(); ++i) {
            if (scopes_.of(i).lengths.count() == 0) continue;
            Distribution& distribution = result.emplace_back();
            distribution.sort = Distribution::Sort::lifetimes;
            distribution.name = timeline_.catalogues()[i].path;
            distribution.unit = "cycles";
            scopes_.of(i).give(distribution);
        }
        return result;
    }

private:
    struct Durations {
        LengthCounts lengths;
        std::uint64_t shortest = 0, longest = 0;

        void take(std::uint64_t length) {
            shortest = lengths.count() == 0 ? length : std::min(shortest, length);
            longest = std::max(longest, length);
            lengths.add(length);
        }
        void give(Distribution& distribution) const { set_lengths(lengths, shortest, longest, distribution); }
    };

    void take(const Lifetime& life) {
        if (life.born_before || life.status == Lifetime::Status::in_flight || life.status == Lifetime::Status::replaced)
            return;
        const CycleScale& cycles = timeline_.catalogues()[life.catalogue].cycles;
        scopes_[life.catalogue].take(ticks_between(cycles.cycle(life.first), cycles.cycle(life.last)));
    }

    const Schema& schema_;
    Timeline timeline_;
    ByTrack<Durations> tracks_;
    ByTrack<Durations> scopes_;  // by catalogue
};

/// Draws histograms as text.
class HistogramDrawing {
public:
    explicit HistogramDrawing(TerminalCanvas& canvas) : canvas_(canvas) {}

    void draw(const Distribution& distribution) {
        append_heading(distribution);
        std::vector<std::string> labels, weights;
        std::size_t label_width = 0, weight_width = 0;
        std::uint64_t greatest = 0;
        long double total = 0;
        for (const Distribution::Bucket& bucket : distribution.buckets) {
            greatest = std::max(greatest, bucket.weight);
            total += static_cast<long double>(bucket.weight);
        }
        for (const Distribution::Bucket& bucket : distribution.buckets) {
            labels.push_back(label(distribution, bucket));
            weights.push_back(distribution.by_time ? percent(bucket.weight, total) : std::to_string(bucket.weight));
            label_width = std::max(label_width, display_width(labels.back()));
            weight_width = std::max(weight_width, weights.back().size());
        }
        const std::size_t used = label_width + weight_width + 4;
        const std::size_t width = std::max<std::size_t>(canvas_.drawing().width, used + 8) - used;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            canvas_.spaces(2);
            canvas_.right_label(labels[i], label_width);
            canvas_.text(" ");
            canvas_.right_label(weights[i], weight_width);
            if (const std::uint64_t weight = distribution.buckets[i].weight; weight != 0) {
                canvas_.text(" ");
                const long double share = static_cast<long double>(weight) / static_cast<long double>(greatest);
                canvas_.bar(std::max<std::size_t>(
                    1, static_cast<std::size_t>(share * static_cast<long double>(width * TerminalCanvas::full_bar))));
            }
            canvas_.end_line();
        }
    }

private:
    void append_heading(const Distribution& distribution) {
        canvas_.text(canvas_.printable_name(distribution.name));
        canvas_.text(": ");
        switch (distribution.sort) {
            case Distribution::Sort::intervals:
                canvas_.text(counted(distribution.count, "interval"));
                break;
            case Distribution::Sort::lifetimes:
                canvas_.text(counted(distribution.count, "lifetime"));
                break;
            case Distribution::Sort::values:
                canvas_.text(counted(distribution.count, "value"));
                canvas_.text(distribution.by_time ? ", weighted by time" : ", weighted by changes");
                break;
        }
        if (!distribution.unit.empty()) canvas_.text(", in " + distribution.unit);
        canvas_.end_line();
        canvas_.text("  min " + number_text(distribution.least));
        const std::string_view about = distribution.exact ? " " : " ~";
        for (const auto& [name, value] : {std::pair("  p50", distribution.median), std::pair("  p90", distribution.p90),
                                          std::pair("  p99", distribution.p99)})
            canvas_.text(std::string(name).append(about).append(number_text(value)));
        canvas_.text("  max " + number_text(distribution.greatest));
        canvas_.end_line();
    }
    /// Returns the values of a bucket: the first to the last integer, or the bounds.
    std::string label(const Distribution& distribution, const Distribution::Bucket& bucket) const {
        std::string text = short_number_text(bucket.from);
        const long double last = distribution.whole_numbers ? bucket.to - 1 : bucket.to;
        if (last > bucket.from) text.append(canvas_.range_sign()).append(short_number_text(last));
        return text;
    }
    static std::string percent(std::uint64_t weight, long double total) {
        const auto tenths = static_cast<std::uint64_t>(static_cast<long double>(weight) * 1000 / total + 0.5L);
        return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "%";
    }

    TerminalCanvas& canvas_;
};

std::string_view weight_unit(const Distribution& distribution) noexcept {
    return distribution.by_time ? "ticks" : "count";
}

void append_histogram_objects(const std::vector<Distribution>& all, TextForm form, const Settings& settings,
                              TextOutput& out) {
    const bool lines = form == TextForm::jsonl;
    out.put('{');
    append_json_head("hwtrace-histogram/1", settings, out);
    out.put(lines ? "}\n" : ",\n\"histograms\":[");
    for (const Distribution& distribution : all) {
        if (!lines) out.put(&distribution == &all.front() ? "\n" : ",\n");
        JsonObject object(settings.json_integers, out);
        if (lines) object.text("type", "histogram");
        object.text("name", distribution.name);
        object.text("of", name_of(distribution.sort));
        if (!distribution.unit.empty()) object.text("unit", distribution.unit);
        object.text("weight_unit", weight_unit(distribution));
        object.number("count", distribution.count);
        object.known_member("exact").put(distribution.exact ? "true" : "false");
        append_json_number(distribution.least, object.integers(), object.known_member("min"));
        append_json_number(distribution.median, object.integers(), object.known_member("p50"));
        append_json_number(distribution.p90, object.integers(), object.known_member("p90"));
        append_json_number(distribution.p99, object.integers(), object.known_member("p99"));
        append_json_number(distribution.greatest, object.integers(), object.known_member("max"));
        append_array(distribution.buckets, object.known_member("buckets"), [&](const Distribution::Bucket& bucket) {
            JsonObject members(settings.json_integers, out);
            append_json_number(bucket.from, members.integers(), members.known_member("from"));
            append_json_number(bucket.to, members.integers(), members.known_member("to"));
            members.number("weight", bucket.weight);
            members.close();
        });
        object.close();
        if (lines) out.put('\n');
    }
    if (!lines) out.put("]}\n");
}

void append_histogram_csv(const std::vector<Distribution>& all, TextOutput& out) {
    out.put("name,of,unit,weight_unit,count,exact,min,p50,p90,p99,max,from,to,weight\n");
    for (const Distribution& distribution : all) {
        for (const Distribution::Bucket& bucket : distribution.buckets) {
            append_csv(distribution.name, out);
            out.put(',');
            out.put(name_of(distribution.sort));
            out.put(',');
            if (!distribution.unit.empty()) append_csv(distribution.unit, out);
            out.put(',');
            out.put(weight_unit(distribution));
            out.put(',');
            out.decimal(distribution.count);
            out.put(distribution.exact ? ",true" : ",false");
            for (const long double value : {distribution.least, distribution.median, distribution.p90, distribution.p99,
                                            distribution.greatest, bucket.from, bucket.to}) {
                out.put(',');
                out.put(number_text(value));
            }
            out.put(',');
            out.decimal(bucket.weight);
            out.put('\n');
        }
    }
}

}  // namespace

std::vector<std::string> show_histogram(Reader& reader, TextForm form, const ViewOptions& options,
                                        const Settings& settings, TextOutput& out, const ProgressListener& progress) {
    DurationTallies durations(reader.schema());
    ValueDurations values(reader.schema(), options.range);
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        durations.add(batch);
        values.add(batch);
        if (progress) progress(reader.position());
    }
    std::vector<Distribution> all = durations.result();
    std::ranges::move(values.result(), std::back_inserter(all));
    std::vector<std::string> notes;
    if (form == TextForm::csv) {
        append_histogram_csv(all, out);
    } else if (form != TextForm::text) {
        append_histogram_objects(all, form, settings, out);
    } else {
        TerminalCanvas canvas(options.drawing, out);
        HistogramDrawing drawing(canvas);
        for (std::size_t i = 0; i < std::min(all.size(), most_histograms); ++i) {
            if (i != 0) canvas.end_line();
            drawing.draw(all[i]);
        }
        if (all.size() > most_histograms)
            canvas.text("\n# " + counted(all.size() - most_histograms, "more histogram") +
                        " not drawn; --select or --format csv shows them\n");
        if (values.not_finite() != 0) canvas.text("# " + not_finite_text(values.not_finite()) + "\n");
    }
    if (values.not_followed() != 0)
        notes.push_back(counted(values.not_followed(), "value") + " beyond the limit of the view; use --select");
    if (all.empty()) notes.emplace_back("the trace has no intervals, lifetimes, numeric signals or buffers");
    return notes;
}

}  // namespace hwtrace

// A format of our own, for add_format.cpp and spans_plugin.cpp: a log of spans.
//
// A file is a line "#spans", then one line per span, "lane name begin end", in nanoseconds. Lines that begin with '#'
// are comments.
#pragma once

#include <hwtrace/format.hpp>
#include <hwtrace/io.hpp>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace spans {
namespace {  // so that two plug-ins with this format do not share it

constexpr std::string_view first_line = "#spans";
constexpr hwtrace::TimeBase nanoseconds{hwtrace::TimeBase::Kind::seconds, 1, 1'000'000'000};

constexpr std::array options{
    hwtrace::Option{"spans-comment", "text", "", "Writes a comment below the first line"},
};

constexpr std::array rules{
    hwtrace::Rule{"SPN001", hwtrace::Severity::error, hwtrace::Effect::damaged, "a line is not a span",
                  "the comment of spans_format.hpp", "The line is skipped."},
};

std::vector<std::string_view> words(std::string_view line) {
    std::vector<std::string_view> found;
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(' '), line.size());
        if (end != 0) found.push_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return found;
}

class SpanReader final : public hwtrace::Reader {
public:
    SpanReader(hwtrace::Input& input, const hwtrace::Settings& settings, hwtrace::Findings& findings)
        : lines_(input, settings.limits.string), findings_(findings) {
        lines_.next();
    }
    hwtrace::Schema& schema() override { return schema_; }
    hwtrace::Facts facts() const override { return {{"lines", lines_.number()}}; }
    std::uint64_t position() const override { return lines_.offset(); }

    bool read(hwtrace::Batch& batch) override {
        while (!batch.full() && lines_.next()) {
            if (std::string_view(lines_.text()).starts_with('#')) continue;
            const auto parts = words(lines_.text());
            const auto begin = hwtrace::parse_digits(parts.size() == 4 ? parts[2] : "");
            const auto end = hwtrace::parse_digits(parts.size() == 4 ? parts[3] : "");
            if (!begin || !end || *end < *begin || *end > INT64_MAX) {
                hwtrace::Finding finding{rules.data(), lines_.offset()};
                finding.expected = "lane name begin end";
                finding.got = lines_.text();
                findings_.report(std::move(finding));
                continue;
            }
            batch.interval(track(parts[0], parts[1]), static_cast<hwtrace::Tick>(*begin), *end - *begin);
        }
        return !batch.empty();
    }

private:
    /// Returns the track of a lane and name. Declares it when it first appears in the file.
    hwtrace::TrackId track(std::string_view lane, std::string_view name) {
        auto scope = scopes_.find(lane);
        if (scope == scopes_.end())
            scope =
                scopes_
                    .emplace(lane, schema_.declare(hwtrace::Scope{std::string(lane), hwtrace::none, {}, hwtrace::none}))
                    .first;
        const auto [place, added] = tracks_.try_emplace({scope->second, std::string(name)});
        if (added)
            place->second = schema_.declare(make_track(hwtrace::Track::Kind::stream, scope->second, name, nanoseconds));
        return place->second;
    }

    hwtrace::TextLines lines_;
    hwtrace::Findings& findings_;
    hwtrace::Schema schema_;
    std::map<std::string, hwtrace::ScopeId, std::less<>> scopes_;
    std::map<std::pair<hwtrace::ScopeId, std::string>, hwtrace::TrackId> tracks_;
};

class SpanWriter final : public hwtrace::Writer {
public:
    SpanWriter(hwtrace::Output& output, const hwtrace::Schema& schema, const hwtrace::Settings& settings,
               hwtrace::Losses& losses)
        : output_(output), schema_(schema), losses_(losses) {
        text_.text(std::string(first_line) + "\n");
        if (settings.chosen("spans-comment")) text_.text("# " + settings.text(options, "spans-comment") + "\n");
    }

    void write(const hwtrace::Batch& batch) override {
        for (const hwtrace::Record& record : batch.records()) {
            const hwtrace::Track& track = schema_.tracks()[record.track];
            if (record.time < 0 || track.time.kind != hwtrace::TimeBase::Kind::seconds) {
                losses_.count(hwtrace::Loss::kind_dropped, track.name, [&] { return std::to_string(record.time); });
                continue;
            }
            if (record.count != 0)
                losses_.count(hwtrace::Loss::field_dropped, track.name, [&] { return std::to_string(record.time); });
            const hwtrace::Ratio ratio{track.time.num * nanoseconds.den, track.time.den};
            const auto begin = hwtrace::scale(record.time, ratio);
            const auto end = hwtrace::scale(record.time + static_cast<hwtrace::Tick>(record.value), ratio);
            if (!begin.exact || !end.exact)
                losses_.count(hwtrace::Loss::time_rounded, track.name, [&] { return std::to_string(record.time); });
            text_.text(word(track.scope == hwtrace::none ? "" : schema_.scopes()[track.scope].name) + " " +
                       word(track.name) + " " + std::to_string(begin.value) + " " + std::to_string(end.value) + "\n");
        }
        output_.append(text_.span());
        text_.clear();
    }
    void finish() override { output_.append(text_.span()); }

private:
    /// Returns a name as one word.
    std::string word(std::string_view name) {
        std::string text(name.empty() ? "-" : name);
        for (char& letter : text)
            if (letter == ' ' || letter == '\n' || letter == '\r') letter = '_';
        if (text != name) losses_.count(hwtrace::Loss::name_changed, name, [&] { return text; });
        return text;
    }

    hwtrace::Output& output_;
    const hwtrace::Schema& schema_;
    hwtrace::Losses& losses_;
    hwtrace::Appender text_;
};

/// Predicts the losses of write().
void foresee(const hwtrace::Schema&, const hwtrace::Settings&, std::vector<hwtrace::ExpectedLoss>& losses) {
    losses.push_back({hwtrace::Loss::kind_dropped, "*", "spans have neither negative times nor positions"});
    losses.push_back({hwtrace::Loss::field_dropped, "*", "a span has no attributes"});
    losses.push_back({hwtrace::Loss::name_changed, "*", "a name is one word"});
    losses.push_back({hwtrace::Loss::time_rounded, "*", "spans are stored in nanoseconds"});
}

/// A view: the lanes with the number of their spans and the sum of their lengths.
void print_lanes(hwtrace::Input& input, hwtrace::TextOutput& out, const hwtrace::Settings& settings,
                 hwtrace::Findings& findings) {
    SpanReader reader(input, settings, findings);
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> lanes;
    hwtrace::Batch batch;
    while (batch.clear(), reader.read(batch))
        for (const hwtrace::Record& record : batch.records()) {
            const hwtrace::Schema& schema = reader.schema();
            auto& [count, sum] = lanes[std::string(schema.scopes()[schema.tracks()[record.track].scope].name)];
            ++count;
            sum += record.value;
        }
    for (const auto& [lane, totals] : lanes) {
        out.put(lane + ": ");
        out.decimal(totals.first);
        out.put(" spans, ");
        out.decimal(totals.second);
        out.put(" ns\n");
    }
}

constexpr std::array views{hwtrace::View{"lanes-sum", "number and sum of the spans of each lane", print_lanes}};

constexpr std::array<std::string_view, 1> extensions{".spans"};

const hwtrace::Format format{
    .name = "spans",
    .title = "a log of spans",
    .extensions = extensions,
    .reads = {.shapes = {hwtrace::Shape::stream}, .streams = true, .schema_upfront = false, .time_ordered = false},
    .writes = {.holds = {hwtrace::Shape::stream}, .growing_schema = true, .foresee = foresee},
    .options = options,
    .views = views,
    .rules = rules,
    .sniff = [](hwtrace::Head head) { return hwtrace::as_text(head).starts_with(first_line); },
    .make_reader = [](hwtrace::Input& input, const hwtrace::Settings& settings, hwtrace::Findings& findings)
        -> std::unique_ptr<hwtrace::Reader> { return std::make_unique<SpanReader>(input, settings, findings); },
    .make_writer = [](hwtrace::Output& output, const hwtrace::Schema& schema, const hwtrace::Settings& settings,
                      hwtrace::Losses& losses) -> std::unique_ptr<hwtrace::Writer> {
        return std::make_unique<SpanWriter>(output, schema, settings, losses);
    },
};

}  // namespace
}  // namespace spans

#include "support/tally_format.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "domain/value_text.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"

namespace hwtrace::test {

namespace {

constexpr std::string_view magic = "TALY";
constexpr std::size_t header_size = 8;
constexpr std::size_t record_size = 24;
constexpr std::array<std::string_view, 3> kinds{"idle", "busy", "stalled"};
constexpr TimeBase nanoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000};

constexpr std::array rules{
    Rule{"TLY001", Severity::error, Effect::damaged, "the file does not begin with TALY", "tally_format.hpp",
         "The file is of another format, or its beginning is lost."},
    Rule{"TLY002", Severity::error, Effect::incomplete, "the file ends inside a record", "tally_format.hpp",
         "The file was cut; the whole records before the end are read."},
    Rule{"TLY003", Severity::error, Effect::damaged, "a record has an invalid lane or kind, or its time is too large",
         "tally_format.hpp", "The record is left out."},
};

void report(Findings& findings, const Rule& rule, std::uint64_t at, std::string expected, std::string got) {
    Finding finding{&rule, at};
    finding.expected = std::move(expected);
    finding.got = std::move(got);
    findings.report(std::move(finding));
}

class TallyReader final : public Reader {
public:
    TallyReader(Input& input, const Settings& settings, Findings& findings) : window_(input), findings_(findings) {
        const auto head = window_.peek(header_size);
        if (head.size() < header_size || as_text(head.first(magic.size())) != magic) {
            report(findings, rules[0], 0, "TALY and a number of lanes", std::to_string(head.size()) + " bytes");
            fail(Failure::input, "this is not a tally file");
        }
        const auto lanes = load_le<std::uint32_t>(head.data() + magic.size());
        check_limit(lanes, settings.limits.schema_objects / kinds.size(), "the number of lanes", "max-schema");
        window_.consume(header_size);
        const ScopeId root = schema_.declare(Scope{"tally", none, {}, none});
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            const ScopeId scope = schema_.declare(Scope{"lane" + std::to_string(lane), root, {}, none});
            for (const std::string_view kind : kinds) {
                Track track;
                track.kind = Track::Kind::stream;
                track.scope = scope;
                track.name = kind;
                track.time = nanoseconds;
                schema_.declare(std::move(track));
            }
        }
    }

    Schema& schema() override { return schema_; }
    Facts facts() const override { return {{"records", std::to_string(records_)}}; }
    std::uint64_t position() const override { return window_.offset(); }

    bool read(Batch& batch) override {
        while (!batch.full()) {
            const auto bytes = window_.peek(record_size);
            if (bytes.size() < record_size) {
                if (!bytes.empty() && !cut_)
                    report(findings_, rules[1], window_.offset(), "24 bytes", std::to_string(bytes.size()));
                cut_ = true;
                break;
            }
            Cursor cursor(bytes.first(record_size), window_.offset());
            const auto lane = cursor.le<std::uint32_t>();
            const auto kind = cursor.le<std::uint32_t>();
            const auto begin = cursor.le<std::uint64_t>();
            const std::uint64_t track = std::uint64_t{lane} * kinds.size() + kind;
            if (kind < kinds.size() && track < schema_.tracks().size() && begin <= std::numeric_limits<Tick>::max())
                batch.interval(static_cast<TrackId>(track), static_cast<Tick>(begin), cursor.le<std::uint64_t>());
            else
                report(findings_, rules[2], window_.offset(), "a valid lane, kind and time",
                       std::to_string(lane) + ", " + std::to_string(kind) + ", " + std::to_string(begin));
            window_.consume(record_size);
            ++records_;
        }
        return !batch.empty();
    }

private:
    Window window_;
    Findings& findings_;
    Schema schema_;
    std::uint64_t records_ = 0;
    bool cut_ = false;
};

class TallyWriter final : public Writer {
public:
    TallyWriter(Output& output, const Schema& schema, Losses& losses)
        : output_(output), schema_(schema), losses_(losses) {
        std::uint32_t lanes = 0;
        for (const Track& track : schema.tracks()) {
            if (track.scope == none) continue;
            const auto kind = std::find(kinds.begin(), kinds.end(), track.name);
            if (scopes_.empty() || scopes_.back() != track.scope) {
                scopes_.push_back(track.scope);
                ++lanes;
            }
            places_.push_back({lanes - 1, static_cast<std::uint32_t>(kind - kinds.begin())});
        }
        bytes_.text(magic);
        bytes_.le(lanes);
    }

    void write(const Batch& batch) override {
        for (const Record& record : batch.records()) {
            const auto [lane, kind] = places_.at(record.track);
            if (kind >= kinds.size() || schema_.tracks()[record.track].time != nanoseconds || record.time < 0) {
                losses_.count(Loss::kind_dropped, schema_.tracks()[record.track].name,
                              [&] { return "at " + std::to_string(record.time); });
                continue;
            }
            bytes_.le(lane);
            bytes_.le(kind);
            bytes_.le(static_cast<std::uint64_t>(record.time));
            bytes_.le(record.value);
        }
        output_.append(bytes_.span());
        bytes_.clear();
    }
    void finish() override { output_.append(bytes_.span()); }

private:
    struct Place {
        std::uint32_t lane, kind;
    };
    Output& output_;
    const Schema& schema_;
    Losses& losses_;
    std::vector<ScopeId> scopes_;
    std::vector<Place> places_;  // by track
    Appender bytes_;
};

void render(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    TallyReader reader(input, settings, findings);
    for (Batch batch; reader.read(batch); batch.clear()) {
        for (const Record& record : batch.records()) {
            const Track& track = reader.schema().tracks()[record.track];
            out.put(reader.schema().scopes()[track.scope].name + ' ' + track.name + ' ');
            out.decimal_signed(record.time);
            out.put(' ');
            out.decimal(record.value);
            out.put('\n');
        }
    }
}

constexpr std::array<std::string_view, 1> extensions{".tally"};
constexpr std::array views{View{"records", "a line for each record", render}};

}  // namespace

const Format tally_format{
    .name = "tally",
    .title = "Tally: activity of lanes",
    .extensions = extensions,
    .reads = {.shapes = {Shape::stream}, .streams = true, .schema_upfront = true, .time_ordered = false},
    .writes = {.holds = {Shape::stream}},
    .options = {},
    .views = views,
    .rules = rules,
    .sniff = [](Head head) { return head.size() >= header_size && as_text(head.first(magic.size())) == magic; },
    .make_reader = [](Input& input, const Settings& settings, Findings& findings) -> std::unique_ptr<Reader> {
        return std::make_unique<TallyReader>(input, settings, findings);
    },
    .make_writer = [](Output& output, const Schema& schema, const Settings&, Losses& losses)
        -> std::unique_ptr<Writer> { return std::make_unique<TallyWriter>(output, schema, losses); },
};

}  // namespace hwtrace::test

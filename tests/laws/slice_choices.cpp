#include "laws/slice_choices.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "codec/findings.hpp"
#include "convert/prescan.hpp"
#include "io/text_output.hpp"
#include "select/selection.hpp"

namespace hwtrace::test {

namespace {

/// Returns comparisons with the values of a field that records of the file have.
void add_comparisons(const Schema& schema, const Field& field, std::uint64_t value, std::vector<Choice>& choices) {
    const bool is_text = holds_text(field.type);
    if (field.type == Type::time || field.type == Type::f32 || field.type == Type::f64) return;
    const std::string text = is_text ? std::string(schema.text(static_cast<StringId>(value))) : std::to_string(value);
    const auto add = [&](Operator comparison) {
        Choice& choice = choices.emplace_back();
        choice.name = field.name + std::string(name_of(comparison)) + text;
        choice.criteria.records.fields = {{field.name, comparison, text}};
    };
    add(Operator::equal);
    if (!is_text) add(Operator::greater);
}

}  // namespace

std::unique_ptr<Reader> slice_of(Reader& whole, const Format& format, const Choice& choice, const Schema& complete) {
    SelectionOptions options;
    options.earlier = Earlier::left_out;
    options.instructions = choice.criteria.instructions;
    options.reads = format.reads;
    return std::make_unique<RangedReader>(whole, choice.range, options, choice.criteria.records, &complete);
}

std::vector<Choice> choices_of(const Bytes& file, const Format& format) {
    std::vector<Choice> choices;
    Findings findings(0);
    Input input = Input::memory("sample", file);
    const Settings settings;  // the reader refers to them
    const auto reader = format.open(input, settings, findings);
    std::map<std::pair<TrackId, std::uint32_t>, int> met;
    std::set<std::uint64_t> durations, marks;
    Batch batch;
    const auto add_field = [&](const Record& record, std::uint32_t field, std::uint64_t value) {
        const Track& track = reader->schema().tracks()[record.track];
        if (field < track.fields.size() && met[{record.track, field}]++ < 2)
            add_comparisons(reader->schema(), track.fields[field], value, choices);
    };
    constexpr std::size_t most = 12;
    for (; choices.size() < most && reader->read(batch); batch.clear()) {
        for (const Record& record : batch.records()) {
            if (choices.size() >= most) break;
            if (record.kind == Kind::interval) durations.insert(record.value);
            if (record.kind == Kind::change) marks.insert(record.value);
            if (record.kind == Kind::interval || record.kind == Kind::change)
                for (const Attribute& attribute : batch.attributes(record))
                    add_field(record, attribute.field, attribute.value);
            if (record.kind == Kind::event || record.kind == Kind::relation)
                for (std::uint32_t cell = 0; cell < batch.cells(record).size(); ++cell)
                    add_field(record, cell, batch.cells(record)[cell]);
        }
    }
    const auto add = [&](const std::string& text) { choices.push_back({text, parse_criteria(text)}); };
    for (const Track& track : reader->schema().tracks()) {
        Choice choice{"track=" + track.name};
        choice.criteria.records.tracks = {track.name};
        choices.push_back(choice);
        if (choices.size() > most + 6) break;
    }
    for (const Scope& scope : reader->schema().scopes()) {
        Choice choice{"scope=" + scope.name};
        choice.criteria.records.scopes = {scope.name};
        choices.push_back(choice);
        if (choices.size() > most + 10) break;
    }
    for (const char* const kind : {"event", "relation", "interval", "change", "note"})
        add(std::string("kind=") + kind);
    if (!marks.empty()) add("mark=" + std::to_string(*marks.rbegin()));
    if (!durations.empty()) add("duration=" + std::to_string(*durations.rbegin()));
    for (const auto& [begin, end] : {std::pair(0u, 1u), std::pair(1u, 3u), std::pair(2u, 7u)})
        choices.push_back({std::to_string(begin) + "#:" + std::to_string(end) + "#",
                           {},
                           {Range::Unit::record, begin, std::uint64_t{end}}});
    return choices;
}

std::vector<Choice> choices_with_late_fields(const Bytes& file, const Format& format) {
    std::vector<Choice> choices = choices_of(file, format);
    const auto add = [&](const std::string& criteria, Range range) {
        choices.push_back({criteria + " from " + std::to_string(range.begin), parse_criteria(criteria), range});
    };
    constexpr Range all{Range::Unit::record, 0, std::nullopt};
    std::set<std::pair<std::string, std::uint64_t>> values;
    std::uint64_t records = 0;
    each_record(file, format, nullptr, [&](const Batch&, const Record& record, const Schema& schema) {
        ++records;
        if (record.kind != Kind::set || is_property(record)) return;
        const Field& field = schema.tracks()[record.track].fields[record.field];
        if (!holds_text(field.type)) values.emplace(field.name, record.value);
    });
    std::map<std::string, int> met;
    for (const auto& [field, value] : values) {
        if (met[field]++ >= 3) continue;
        for (const std::uint64_t begin : {std::uint64_t{0}, records / 3, records / 2}) {
            add(field + "=" + std::to_string(value), {Range::Unit::record, begin, std::nullopt});
            add(field + "!=" + std::to_string(value), {Range::Unit::record, begin, begin + 20});
        }
    }
    for (const char* const criteria : {"kind=clear", "track=retire", "track=flush", "track=annotate", "track=entities",
                                       "track=dependency", "track=stf.dependency", "kind=relation", "lane=1", "type=1"})
        add(criteria, all);
    for (const std::uint64_t begin : {records / 4, records / 2, records - records / 4}) {
        choices.push_back({std::to_string(begin) + "#", {}, {Range::Unit::record, begin, begin + 1}});
        choices.push_back({std::to_string(begin) + "#…", {}, {Range::Unit::record, begin, begin + 9}});
    }
    return choices;
}

std::vector<Sample> samples_of(const std::vector<std::string_view>& formats) {
    constexpr std::uint64_t corpus_limit = 20'000;
    std::vector<Sample> samples = law_samples(corpus_limit);
    std::erase_if(samples, [&](const Sample& sample) {
        return std::ranges::find(formats, sample.format->name) == formats.end() ||
               !read_story(sample.content.bytes, *sample.format).good();
    });
    return samples;
}

std::string each_record(const Bytes& file, const Format& format, const Choice* choice,
                        const std::function<void(const Batch&, const Record&, const Schema&)>& see) {
    try {
        Findings findings(0);
        Input input = Input::memory("sample", file);
        PreparedSource source(input, format, Settings{}, findings,
                              choice ? choice->criteria.records : RecordCriteria{});
        std::unique_ptr<Reader> slice;
        if (choice != nullptr) slice = slice_of(source.reader(), format, *choice, source.schema());
        Reader& reader = slice ? *slice : source.reader();
        for (Batch batch; reader.read(batch); batch.clear())
            for (const Record& record : batch.records())
                see(batch, record, reader.schema());
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

std::string shown(std::string_view view_name, TextForm form, const Bytes& file, const Format& format,
                  const Choice* choice) {
    TextOutput out(-1);
    Findings findings(0);
    Input input = Input::memory("sample", file);
    PreparedSource source(input, format, Settings{}, findings, choice ? choice->criteria.records : RecordCriteria{});
    input.seek(0);
    Settings settings;
    if (choice != nullptr)
        settings.part = [&](Reader& whole) { return slice_of(whole, format, *choice, source.schema()); };
    const View& view = *std::ranges::find(format.views, view_name, &View::name);
    if (form == TextForm::text)
        view.render(input, out, settings, findings);
    else
        view.render_data(input, form, out, settings, findings);
    return std::string(out.text());
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

}  // namespace hwtrace::test

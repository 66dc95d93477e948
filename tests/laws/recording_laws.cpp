// Laws of transaction recordings: slices have the records and relations that independent code selects, and recordings
// survive the formats listed here.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "convert/verify.hpp"
#include "formats.hpp"
#include "laws/law_support.hpp"
#include "select/range.hpp"

namespace recording_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t corpus_limit = 200'000;

struct Transaction {
    std::uint64_t id = 0;
    std::string stream, generator;
    Tick begin = 0;
    std::uint64_t duration = 0;
    std::string attributes;

    friend auto operator<=>(const Transaction&, const Transaction&) = default;
};

struct Relation {
    std::string name;
    std::vector<std::uint64_t> cells;

    friend auto operator<=>(const Relation&, const Relation&) = default;
};

struct Recording {
    std::vector<Transaction> transactions;
    std::vector<Relation> relations;
    std::uint64_t ticks_per_ns = 0;  ///< 0: a tick is longer than 1 ns

    bool has(std::uint64_t id) const {
        return std::any_of(transactions.begin(), transactions.end(), [&](const auto& one) { return one.id == id; });
    }
};

Recording recording_of(const Bytes& file, const Format& format) {
    Recording recording;
    Findings findings;
    Input input = Input::memory("sample", file);
    const Settings settings;
    const auto reader = format.open(input, settings, findings);
    const Schema& schema = reader->schema();
    Batch batch;
    for (; reader->read(batch); batch.clear()) {
        for (const Record& record : batch.records()) {
            const Track& track = schema.tracks()[record.track];
            if (track.time.kind == TimeBase::Kind::seconds && track.time.num == 1)
                recording.ticks_per_ns = track.time.den / 1'000'000'000;
            if (record.kind == Kind::relation) {
                const auto cells = batch.cells(record);
                recording.relations.push_back({track.name, {cells.begin(), cells.end()}});
                continue;
            }
            std::ostringstream text;
            for (const Attribute& attribute : batch.attributes(record)) {
                const Field& field = track.fields[attribute.field];
                text << field.name << ' ' << static_cast<int>(field.phase) << ' ' << static_cast<int>(field.type)
                     << '=';
                if (holds_text(field.type))
                    text << schema.text(static_cast<StringId>(attribute.value)) << '\n';
                else
                    text << attribute.value << '\n';
            }
            recording.transactions.push_back({batch.attributes(record).front().value, schema.scopes()[track.scope].name,
                                              track.name, record.time, record.value, text.str()});
        }
    }
    return recording;
}

/// Returns the samples whose transactions have ids in the file.
std::vector<Sample> recordings() {
    std::vector<Sample> samples = law_samples(corpus_limit);
    std::erase_if(samples, [](const Sample& sample) {
        if (sample.format->name != "ftr" && sample.format->name != "txlog") return true;
        if (!read_story(sample.content.bytes, *sample.format, CheckLevel::full).good()) return true;
        std::set<std::uint64_t> ids;
        for (const Transaction& one : recording_of(sample.content.bytes, *sample.format).transactions)
            if (!ids.insert(one.id).second) return true;
        return ids.size() < 3;
    });
    return samples;
}

template <typename T>
std::vector<T> sorted(std::vector<T> list) {
    std::sort(list.begin(), list.end());
    return list;
}

/// Checks the result of converting `sample` with `choices`. `keeps` returns true for transactions that must remain.
template <typename Keeps>
void check_part(const Sample& sample, const Recording& whole, const Choices& choices, Keeps&& keeps) {
    const Format& ftr = *find_format(formats(), "ftr");
    Recording wanted;
    for (std::size_t at = 0; at < whole.transactions.size(); ++at)
        if (keeps(whole.transactions[at], at)) wanted.transactions.push_back(whole.transactions[at]);
    std::uint64_t leading_out = 0;
    for (const Relation& relation : whole.relations) {
        if (!wanted.has(relation.cells[1])) continue;
        wanted.relations.push_back(relation);
        leading_out += wanted.has(relation.cells[0]) ? 0 : 1;
    }
    const Rewritten part = convert_bytes(sample.content.bytes, *sample.format, ftr, choices);
    CHECK(part.unexpected() == std::vector<std::string>{});
    const Recording got = recording_of(part.bytes, ftr);
    if (sample.format == &ftr)
        CHECK(got.transactions == wanted.transactions);
    else
        CHECK(sorted(got.transactions) == sorted(wanted.transactions));
    CHECK(sorted(got.relations) == sorted(wanted.relations));
    std::uint64_t told = 0;
    for (const auto& [key, entry] : part.losses.entries())
        if (key.first == Loss::part_dropped) told += entry.count;
    CHECK(told == leading_out);
    if (sample.format == &ftr) CHECK(part.losses.none() == (leading_out == 0));
    if (!part.losses.none()) return;
    Input source = Input::memory("sample", sample.content.bytes), output = Input::memory("output", part.bytes);
    const auto difference = verify_conversion(source, *sample.format, output, ftr, choices);
    CHECK_FALSE(difference.has_value());
}

}  // namespace

TEST_CASE("a slice of a recording has its transactions and all relations that lead to them") {
    std::size_t checked = 0, with_relations = 0;
    for (const Sample& sample : recordings()) {
        CAPTURE(sample.name);
        const Recording whole = recording_of(sample.content.bytes, *sample.format);
        const std::size_t count = whole.transactions.size();
        with_relations += whole.relations.empty() ? 0 : 1;
        for (const auto& part : std::vector<std::pair<std::size_t, std::size_t>>{{0, count},
                                                                                 {0, 1},
                                                                                 {1, count},
                                                                                 {count / 3, count - count / 4},
                                                                                 {count - 1, count},
                                                                                 {count, count + 7}}) {
            const auto begin = part.first, end = part.second;
            CAPTURE(begin);
            CAPTURE(end);
            Choices choices;
            choices.range = Range{Range::Unit::record, begin, end};
            check_part(sample, whole, choices,
                       [&](const Transaction&, std::size_t at) { return at >= begin && at < end; });
            ++checked;
        }
        if (whole.ticks_per_ns != 0) {
            Tick last = 0;
            for (const Transaction& one : whole.transactions)
                last = std::max(last, one.begin);
            const std::uint64_t ns = static_cast<std::uint64_t>(last) / whole.ticks_per_ns;
            for (const auto& part : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                     {0, ns / 2 + 1}, {ns / 3, ns / 2 + 1}, {ns / 2, ns + 1}, {0, ns + 1}}) {
                const auto begin = part.first, end = part.second;
                CAPTURE(begin);
                CAPTURE(end);
                Choices choices;
                choices.range = Range{Range::Unit::time_ps, begin * 1000, end * 1000};
                const auto from = static_cast<Tick>(begin * whole.ticks_per_ns);
                const auto to = static_cast<Tick>(end * whole.ticks_per_ns);
                check_part(sample, whole, choices, [&](const Transaction& one, std::size_t) {
                    return one.begin < to && (one.begin >= from || one.begin + static_cast<Tick>(one.duration) > from);
                });
                ++checked;
            }
        }
        std::set<std::string> streams, generators;
        for (const Transaction& one : whole.transactions) {
            streams.insert(one.stream);
            generators.insert(one.generator);
        }
        const auto is_plain = [](const std::string& name) {
            return !name.empty() && name.find_first_of("*?/,") == std::string::npos;
        };
        for (const std::string& stream : streams) {
            if (!is_plain(stream)) continue;
            CAPTURE(stream);
            Choices choices;
            choices.criteria.records.scopes = {stream};
            check_part(sample, whole, choices,
                       [&](const Transaction& one, std::size_t) { return one.stream == stream; });
            ++checked;
        }
        for (const std::string& generator : generators) {
            if (!is_plain(generator)) continue;
            CAPTURE(generator);
            Choices choices;
            choices.criteria.records.tracks = {generator};
            check_part(sample, whole, choices,
                       [&](const Transaction& one, std::size_t) { return one.generator == generator; });
            choices.range = Range{Range::Unit::record, 1, count - 1};
            check_part(sample, whole, choices, [&](const Transaction& one, std::size_t at) {
                return one.generator == generator && at >= 1 && at < count - 1;
            });
            checked += 2;
        }
    }
    CHECK(checked >= at_least(51));
    CHECK(with_relations >= at_least(4));
}

TEST_CASE("relations alone can be selected, by kind and by name") {
    std::size_t checked = 0;
    for (const Sample& sample : recordings()) {
        CAPTURE(sample.name);
        const Format& ftr = *find_format(formats(), "ftr");
        const Recording whole = recording_of(sample.content.bytes, *sample.format);
        if (whole.relations.empty()) continue;
        Choices choices;
        choices.criteria.records.kinds = {Kind::relation};
        Recording got = recording_of(convert_bytes(sample.content.bytes, *sample.format, ftr, choices).bytes, ftr);
        CHECK(got.transactions.empty());
        CHECK(sorted(got.relations) == sorted(whole.relations));
        choices.criteria.records = {};
        const std::string& name = whole.relations.front().name;
        choices.criteria.records.tracks = {name};
        got = recording_of(convert_bytes(sample.content.bytes, *sample.format, ftr, choices).bytes, ftr);
        CHECK(got.transactions.empty());
        CHECK(static_cast<std::ptrdiff_t>(got.relations.size()) ==
              std::count_if(whole.relations.begin(), whole.relations.end(),
                            [&](const Relation& relation) { return relation.name == name; }));
        choices.criteria.records = {};
        choices.criteria.records.kinds = {Kind::interval};
        got = recording_of(convert_bytes(sample.content.bytes, *sample.format, ftr, choices).bytes, ftr);
        CHECK(got.transactions.size() == whole.transactions.size());
        CHECK(got.relations.empty());
        ++checked;
    }
    CHECK(checked >= at_least(3));
}

TEST_CASE("a recording recompressed and restored has the same bytes") {
    const Format& ftr = *find_format(formats(), "ftr");
    std::size_t checked = 0;
    for (const Sample& sample : recordings()) {
        if (sample.format != &ftr) continue;
        CAPTURE(sample.name);
        const auto compressed = [&](const Bytes& file, const char* compression) {
            Choices choices;
            for (const Option& option : ftr.options)
                if (option.key == "ftr-compression") choices.settings.set(option, compression);
            return convert_bytes(file, ftr, ftr, choices).bytes;
        };
        const Bytes plain = compressed(sample.content.bytes, "none");
        const Bytes small = compressed(plain, "lz4");
        CHECK(small != plain);
        CHECK(compressed(small, "none") == plain);
        CHECK(recording_of(small, ftr).transactions == recording_of(sample.content.bytes, ftr).transactions);
        ++checked;
    }
    CHECK(checked >= at_least(2));
}

namespace {

/// The recordings that µScope cannot hold without loss. A tick shorter than a picosecond moves relations.
const std::map<std::string, std::string> lossy_in_uscope{{"variants/38e_timescale_-15.ftr", "time-rounded rel"},
                                                         {"variants/38f_timescale_-16.ftr", "time-rounded rel"}};
/// The recordings that pccx can hold. All of them are empty.
const std::set<std::string> whole_in_pccx{"edge/empty_info.ftr", "edge/empty_noinfo.ftr"};

std::string lost_in(const Rewritten& way) {
    std::string lost;
    for (const auto& entry : way.losses.entries())
        lost.append(lost.empty() ? "" : "; ").append(name_of(entry.first.first)).append(" ").append(entry.first.second);
    return lost;
}

}  // namespace

TEST_CASE(
    "recordings are restored from \xC2\xB5Scope except for ticks shorter than a picosecond, and pccx lists its "
    "losses") {
    const Format& ftr = *find_format(formats(), "ftr");
    const Format& uscope = *find_format(formats(), "uscope");
    const Format& pccx = *find_format(formats(), "pccx");
    std::size_t whole = 0;
    for (const Sample& sample : corpus_samples(1'000'000)) {
        if (sample.format != &ftr) continue;
        const Story original = read_story(sample.content.bytes, ftr, CheckLevel::full);
        if (original.effect != Effect::harmless) continue;  // skips incomplete samples, which have findings
        const std::string name = sample.name.substr(std::string("corpus/ftr/").size());
        CAPTURE(name);
        for (const Format* const other : {&uscope, &pccx}) {
            CAPTURE(other->name);
            const Rewritten there = convert_bytes(sample.content.bytes, ftr, *other);
            CHECK(there.unexpected() == std::vector<std::string>{});
            CHECK(read_story(there.bytes, *other, CheckLevel::full).good());
            const Rewritten back = convert_bytes(there.bytes, *other, ftr);
            CHECK(back.unexpected() == std::vector<std::string>{});
            if (back.losses.none()) {
                Input source = Input::memory("there", there.bytes), output = Input::memory("back", back.bytes);
                CHECK_FALSE(verify_conversion(source, *other, output, ftr, Choices{}).has_value());
            }
            const Story returned = read_story(back.bytes, ftr, CheckLevel::full);
            const bool is_same = difference(original.schema, returned.schema).empty();
            if (other == &pccx) {
                CHECK(there.losses.none() == (whole_in_pccx.contains(name)));
                continue;
            }
            const auto known = lossy_in_uscope.find(name);
            CHECK(lost_in(there) == (known == lossy_in_uscope.end() ? "" : known->second));
            CHECK(difference(original.records, returned.records) == "");
            CHECK(is_same);
            ++whole;
        }
    }
    if (whole != 0) CHECK(whole >= 35);
}

}  // namespace recording_laws

#include <doctest/doctest.h>

#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "domain/transaction_types.hpp"
#include "formats.hpp"
#include "hwtrace/recording.hpp"
#include "io/input.hpp"
#include "support/corpus.hpp"

namespace replay_test {

using namespace hwtrace::recording;

namespace {

struct Stated {
    Phase phase;
    std::string name;
    Value::Type type;
    std::uint64_t bits;
    std::string text;
};
/// The attributes of one phase, by name.
struct Statements {
    std::vector<const Stated*> list;
    void describe(Fields& fields) const {
        for (const Stated* one : list) {
            const Value numeric(one->type, one->bits), textual(one->type, std::string_view(one->text));
            fields(one->name, numeric.holds_text() ? textual : numeric);
        }
    }
};
struct Recorded {
    Time begin = 0, end = 0;
    std::vector<Stated> attributes;
    Statements of(Phase phase) const {
        Statements found;
        for (const Stated& one : attributes)
            if (one.phase == phase) found.list.push_back(&one);
        return found;
    }
};

/// The transactions of an FTR file of LWTR4SC, by id.
struct Recording {
    std::map<std::uint64_t, Recorded> transactions;
    int exponent = 0;
    std::int64_t epoch = 0;
};

Recording read_recording(const std::string& path) {
    Recording recording;
    const hwtrace::Settings settings;
    hwtrace::Findings findings;
    hwtrace::Input input = hwtrace::Input::open(path);
    const auto reader = hwtrace::find_format(hwtrace::formats(), "ftr")->open(input, settings, findings);
    const hwtrace::Schema& schema = reader->schema();
    hwtrace::Batch batch;
    while (reader->read(batch)) {
        for (const hwtrace::Record& record : batch.records()) {
            if (record.kind != hwtrace::Kind::interval) continue;
            const auto attributes = batch.attributes(record);
            Recorded& made = recording.transactions[attributes.front().value];
            made.begin = static_cast<Time>(record.time);
            made.end = made.begin + record.value;
            for (const hwtrace::Attribute& attribute : attributes.subspan(1)) {
                const hwtrace::Field& field = schema.tracks()[record.track].fields[attribute.field];
                const auto type = static_cast<Value::Type>(hwtrace::transaction_type_of(field.type).number);
                const bool is_text = Value(type, std::uint64_t{0}).holds_text();
                made.attributes.push_back(
                    {static_cast<Phase>(field.phase), field.name, type, attribute.value,
                     is_text ? std::string(schema.text(static_cast<hwtrace::StringId>(attribute.value))) : ""});
            }
        }
        batch.clear();
    }
    for (std::uint64_t rest = schema.tracks().front().time.den; rest > 1; rest /= 10)
        --recording.exponent;
    recording.epoch = std::stoll(*schema.metadata("ftr.epoch"));
    return recording;
}

/// Returns the text between the `index`-th quotation mark and the next one.
std::string quoted(const std::string& line, int index) {
    std::size_t at = line.find('"');
    for (; index > 0; --index)
        at = line.find('"', line.find('"', at + 1) + 1);
    return line.substr(at + 1, line.find('"', at + 1) - at - 1);
}

/// Returns the number that follows `head`.
std::uint64_t number_behind(const std::string& line, const std::string& head) {
    return std::stoull(line.substr(line.find(head) + head.size()));
}

/// The name that the log gives to unnamed begin and end values. LWTR4SC writes such values only to the log.
constexpr std::string_view unnamed = "unnamed";

/// Repeats the recorded calls in the order of the text log. Phases and values are taken from the FTR file of the same
/// run, because the log has none.
void replay(const std::string& log, const Recording& recording, Database& db) {
    std::map<std::uint64_t, Stream> streams;
    std::map<std::uint64_t, Generator<>> generators;
    std::map<std::uint64_t, Transaction> transactions;
    std::map<std::uint64_t, std::size_t> stated;
    std::istringstream lines(log);
    std::string line;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        std::string word;
        std::uint64_t id = 0, other = 0;
        words >> word;
        if (word == "scv_tr_stream") {
            const std::string kind = quoted(line, 1);
            streams[number_behind(line, "(ID ")] =
                db.stream(quoted(line, 0), kind == "<no_stream_kind>" ? std::string() : kind);
        } else if (word == "scv_tr_generator") {
            generators[number_behind(line, "(ID ")] =
                streams[number_behind(line, "scv_tr_stream ")].generator(quoted(line, 0));
        } else if (word == "tx_begin") {
            words >> id >> other;
            const Recorded& recorded = recording.transactions.at(id);
            transactions[id] = generators.at(other).begin_at(recorded.begin, recorded.of(Phase::begin));
            REQUIRE(transactions[id].id() == id);
        } else if (word == "tx_record_attribute") {
            words >> id;
            const std::vector<Stated>& attributes = recording.transactions.at(id).attributes;
            if (quoted(line, 0) == unnamed || stated[id] == attributes.size()) continue;
            const Stated& attribute = attributes[stated[id]++];
            if (attribute.phase == Phase::record) transactions[id].record(Statements{{&attribute}});
        } else if (word == "tx_relation") {
            words >> word >> id >> other;
            transactions[id].relate(quoted(line, 0), transactions.at(other));
        } else if (word == "tx_end") {
            words >> id;
            const Recorded& recorded = recording.transactions.at(id);
            transactions[id].end_at(recorded.end, recorded.of(Phase::end));
        }
    }
}

}  // namespace

TEST_CASE("the same calls produce the same bytes as LWTR4SC") {
    for (const std::string name : {"lwtr4sc/lwtr_event_example", "lwtr4sc/lwtr_example"}) {
        for (const std::string kind : {"u", "c"}) {
            const auto ftr = hwtrace::test::corpus("ftr/" + name + "_" + kind + ".ftr");
            const auto log = hwtrace::test::corpus("ftr/" + name + ".lwtrt");
            if (!ftr || !log) return;
            CAPTURE(name);
            CAPTURE(kind);
            const hwtrace::test::TemporaryFolder folder;
            const Recording recording = read_recording(*ftr);
            Options options{.exponent = recording.exponent, .epoch = recording.epoch};
            options.format_options = {{"ftr-doubles", "binary64"},
                                      {"ftr-block-times", "stream"},
                                      {"ftr-compression", kind == "c" ? "lz4" : "none"}};
            Database db(folder / "again.ftr", options);
            replay(hwtrace::test::read_text(*log), recording, db);
            db.close();
            CHECK(hwtrace::test::read_file(folder / "again.ftr") == hwtrace::test::read_file(*ftr));
        }
    }
}

}  // namespace replay_test

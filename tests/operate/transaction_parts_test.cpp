// Tests slices of transaction traces, and streams that only resemble transactions.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "convert/convert.hpp"
#include "convert/plan.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "io/little_endian.hpp"
#include "io/output.hpp"
#include "operate/position_count.hpp"
#include "select/positions.hpp"
#include "select/selection.hpp"
#include "stf/transaction_tracks.hpp"
#include "support/interval_support.hpp"
#include "support/traffic.hpp"

namespace transaction_parts_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

const Format& stf_format() {
    return *find_format(formats(), "stf");
}

std::vector<const Batch*> pointers(const Traffic& traffic) {
    std::vector<const Batch*> all;
    for (const Batch& batch : traffic.batches)
        all.push_back(&batch);
    return all;
}

/// The contents of a trace: relations and intervals by id, in order.
struct Content {
    struct Relation {
        std::uint64_t from = 0, to = 0;
    };
    std::vector<std::uint64_t> transactions;
    std::vector<Relation> relations;
    std::map<std::uint64_t, std::vector<std::uint64_t>> on;  ///< by transaction: the transactions on which it depends

    std::vector<std::uint64_t> before(std::uint64_t id) const {
        const auto found = on.find(id);
        return found == on.end() ? std::vector<std::uint64_t>{} : found->second;
    }

    void add(const Batch& batch) {
        std::vector<Relation> waiting;
        for (const Record& record : batch.records()) {
            if (record.kind == Kind::relation) {
                relations.push_back({batch.cells(record)[0], batch.cells(record)[1]});
                waiting.push_back(relations.back());
            } else if (record.kind == Kind::interval) {
                const std::uint64_t id = batch.attributes(record).front().value;
                transactions.push_back(id);
                for (const Relation& relation : waiting)
                    if (relation.to == id) on[id].push_back(relation.from);
                waiting.clear();
            }
        }
    }
};

struct Piece {
    Content content;
    std::map<std::uint64_t, std::string> clocks;  ///< by transaction: the name of its clock
    Losses losses;
    std::vector<ExpectedLoss> foreseen;
};

/// Converts a slice to STF and returns the contents of the file.
Piece cut(Traffic& traffic, const Choices& choices) {
    Piece piece;
    std::vector<std::byte> bytes;
    {
        Canned reader(traffic.schema, pointers(traffic));
        Plan plan = make_plan(traffic.schema, stf_format(), stf_format(), choices, piece.losses);
        piece.foreseen = plan.losses;
        const auto output = open_memory_output("part", [&](std::vector<std::byte> all) { bytes = std::move(all); });
        const Settings settings;
        const auto writer = stf_format().create(*output, plan.target_schema(traffic.schema), settings, piece.losses);
        convert(reader, plan, *writer);
        output->commit();
    }
    Input input = Input::memory("part", bytes);
    Findings findings;
    const Settings settings;
    const auto reader = stf_format().open(input, settings, findings);
    Batch batch;
    const Schema& read = reader->schema();
    for (; reader->read(batch); batch.clear()) {
        piece.content.add(batch);
        for (const Record& record : batch.records())
            if (record.kind == Kind::interval)
                piece.clocks[batch.attributes(record).front().value] =
                    read.scopes()[read.tracks()[record.track].scope].name;
    }
    CHECK(findings.kept().empty());
    return piece;
}

std::uint64_t lost(const Piece& piece, Loss loss) {
    const auto found = piece.losses.entries().find({loss, "stf.dependency"});
    return found == piece.losses.entries().end() ? 0 : found->second.count;
}

Schema with_stream(std::string name, TimeBase time, std::vector<Field> fields) {
    Schema schema;
    const ScopeId root = schema.declare(Scope{"/", none, {}, none});
    Track track;
    track.kind = Track::Kind::stream;
    track.scope = root;
    track.name = std::move(name);
    track.time = time;
    track.fields = std::move(fields);
    schema.declare(std::move(track));
    return schema;
}

std::string refusal(const Schema& schema) {
    Losses losses;
    try {
        make_plan(schema, intervals_only, stf_format(), {}, losses);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::input);
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE(
    "a slice by positions has all dependencies of its transactions and reports dependencies on transactions outside "
    "it") {
    Traffic traffic(6);
    Content whole;
    for (const Batch& batch : traffic.batches)
        whole.add(batch);
    REQUIRE(whole.relations.size() > 8);
    std::uint64_t leading_out = 0;
    for (std::uint64_t begin = 0; begin < whole.transactions.size(); ++begin) {
        for (const std::uint64_t end : {begin + 1, begin + 4, begin + 11}) {
            CAPTURE(begin);
            CAPTURE(end);
            Choices choices;
            choices.range = Range{Range::Unit::record, begin, end};
            const Piece piece = cut(traffic, choices);
            const std::set<std::uint64_t> there(piece.content.transactions.begin(), piece.content.transactions.end());
            std::uint64_t out = 0;
            for (const std::uint64_t id : piece.content.transactions) {
                CHECK(piece.content.before(id) == whole.before(id));
            }
            for (const Content::Relation& relation : piece.content.relations)
                out += there.contains(relation.from) ? 0 : 1;
            CHECK(lost(piece, Loss::part_dropped) == out);
            CHECK(lost(piece, Loss::relation_dropped) == 0);
            leading_out += out;
        }
    }
    CHECK(leading_out > 10);
}

TEST_CASE("positions of a transaction trace count its transactions; the records before a transaction belong to it") {
    Traffic traffic(6);
    const Piece whole = cut(traffic, {});
    const std::vector<std::uint64_t>& ids = whole.content.transactions;
    Canned reader(traffic.schema, pointers(traffic));
    Plan as_it_is;
    CHECK(count_positions(reader, as_it_is) == ids.size());
    for (std::uint64_t begin = 0; begin <= ids.size(); ++begin) {
        for (std::uint64_t end = begin; end <= ids.size(); ++end) {
            Choices choices;
            choices.range = Range{Range::Unit::record, begin, end};
            const auto at = [&](std::uint64_t position) { return ids.begin() + static_cast<std::ptrdiff_t>(position); };
            CHECK(cut(traffic, choices).content.transactions == std::vector<std::uint64_t>(at(begin), at(end)));
        }
    }
}

TEST_CASE("after damage, transactions keep their positions, in the model and in the record view") {
    Traffic traffic(6);
    Settings settings;
    for (const Option& option : stf_format().options) {
        if (option.key == "stf-container") settings.set(option, "zstf");
        if (option.key == "stf-chunk") settings.set(option, "5");
    }
    std::vector<std::byte> whole;
    Losses losses;
    {
        Canned reader(traffic.schema, pointers(traffic));
        Plan plan = make_plan(traffic.schema, stf_format(), stf_format(), {}, losses);
        const auto output = open_memory_output("whole", [&](std::vector<std::byte> all) { whole = std::move(all); });
        convert(reader, plan, *stf_format().create(*output, plan.target_schema(traffic.schema), settings, losses));
        output->commit();
    }
    const auto u64 = [&](std::size_t at) { return load_le<std::uint64_t>(whole.data() + at); };
    const std::size_t index = u64(12);
    REQUIRE(u64(index) >= 5);
    // Damages chunks 1 and 3, which hold the transactions at positions 5 to 9 and 15 to 19.
    std::vector<std::byte> damaged = whole;
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{3}})
        damaged[u64(index + 8 + 24 * chunk)] = std::byte{0};

    const Settings as_it_is;
    const auto ids = [&](const std::vector<std::byte>& bytes, const Range& range) {
        Input input = Input::memory("part", bytes);
        Findings findings;
        const auto reader = stf_format().open(input, as_it_is, findings);
        RangedReader part(*reader, range, {.earlier = Earlier::left_out});
        std::vector<std::uint64_t> found;
        Batch batch;
        for (; part.read(batch); batch.clear())
            for (const Record& record : batch.records())
                if (record.kind == Kind::interval) found.push_back(batch.attributes(record).front().value);
        return found;
    };
    const auto text = [&](const std::vector<std::byte>& bytes, const Range& range) {
        Input input = Input::memory("part", bytes);
        Findings findings;
        Settings window;
        window.window = TraceWindow{TraceWindow::Unit::records, range.begin, range.end};
        TextOutput out(-1);
        stf_format().views.front().render(input, out, window, findings);
        return std::string(out.text());
    };
    for (const auto& bounds : {std::pair{10u, 12u}, {12u, 15u}, {20u, 21u}, {3u, 5u}}) {
        const Range range{Range::Unit::record, bounds.first, bounds.second};
        CAPTURE(range.begin);
        CHECK(ids(whole, range).size() == *range.end - range.begin);
        CHECK(ids(damaged, range) == ids(whole, range));
        CHECK(text(damaged, range) == text(whole, range));
    }
    CHECK(ids(damaged, {Range::Unit::record, 5, 10}).empty());
    CHECK(ids(damaged, {Range::Unit::record, 9, 11}) == ids(whole, {Range::Unit::record, 10, 11}));
    // --last counts positions in the same way.
    const auto positions = [&](const std::vector<std::byte>& bytes) {
        Input input = Input::memory("part", bytes);
        Findings findings;
        const auto reader = stf_format().open(input, as_it_is, findings);
        Plan plan;
        return count_positions(*reader, plan);
    };
    CHECK(positions(damaged) == positions(whole));
}

TEST_CASE("a slice by clock reports lost dependencies on other transactions, and they are predicted") {
    Traffic traffic(4);
    Choices choices;
    choices.criteria =
        parse_criteria("track=memory_clock/stf.transaction,track=stf.dependency,kind=interval,kind=relation");
    const Piece piece = cut(traffic, choices);
    CHECK(!piece.content.transactions.empty());
    CHECK(lost(piece, Loss::part_dropped) > 0);
    CHECK(std::any_of(piece.foreseen.begin(), piece.foreseen.end(), [](const ExpectedLoss& loss) {
        return loss.loss == Loss::part_dropped && loss.subject == "stf.dependency";
    }));
    // The whole trace has no losses.
    const Piece whole = cut(traffic, {});
    CHECK(whole.losses.none());
}

TEST_CASE("a transaction keeps its clock, whatever other clocks a slice has") {
    Traffic traffic(4);
    const Piece whole = cut(traffic, {});
    for (const std::string clock : {"core_clock", "memory_clock"}) {
        CAPTURE(clock);
        for (const std::string& criterion : {"scope=" + clock, "track=" + clock + "/stf.transaction"}) {
            Choices choices;
            choices.criteria = parse_criteria(criterion);
            const Piece piece = cut(traffic, choices);
            CHECK(!piece.clocks.empty());
            CHECK(piece.clocks.size() < whole.clocks.size());
            for (const auto& [id, name] : piece.clocks) {
                CHECK(name == clock);
                CHECK(whole.clocks.at(id) == clock);
            }
        }
    }
}

TEST_CASE("clocks that the metadata does not state get ids, and the header lists these clocks") {
    const auto clocks = [](const Schema& schema) {
        std::vector<std::string> told;
        std::vector<std::byte> bytes;
        Losses losses;
        const Settings settings;
        const auto output = open_memory_output("trace", [&](std::vector<std::byte> all) { bytes = std::move(all); });
        stf_format().create(*output, schema, settings, losses)->finish();
        output->commit();
        Input input = Input::memory("trace", bytes);
        Findings findings;
        const auto reader = stf_format().open(input, settings, findings);
        for (const Metadata& entry : reader->schema().metadata())
            if (entry.key == "stf.clock") told.push_back(entry.value);
        for (const Finding& finding : findings.kept())
            FAIL_CHECK(finding.rule->id, ": expected ", finding.expected, ", found ", finding.got);
        return told;
    };
    const std::vector<Field> fields = stf::transaction_fields(none, none);
    Schema schema = with_stream("stf.transaction", stf::transaction_base, fields);
    const auto add = [&](std::string name, std::optional<std::uint64_t> id) {
        const ScopeId scope = schema.declare(Scope{std::move(name), 0, {}, none, id});
        Track stream = schema.tracks()[0];
        stream.scope = scope;
        schema.declare(std::move(stream));
    };
    add("far", 300);
    add("io", 1);
    add("io", 9);
    using Clocks = std::vector<std::string>;
    CHECK(clocks(schema) == Clocks{"1 io", "9 io", "2 /", "3 far"});
    schema.describe("stf.clock", "2 io");
    schema.describe("stf.clock", "1 far");
    CHECK(clocks(schema) == Clocks{"2 io", "1 far", "9 io", "3 /"});
    for (int i = 0; i < 260; ++i)
        add("more", std::nullopt);
    CHECK(clocks(schema).size() == 255);  // id 0 does not denote a clock
}

TEST_CASE("a stream that only resembles transactions is refused, and is lost if the trace has instructions") {
    CHECK(refusal(with_stream("stf.transaction", stf::transaction_base, {}))
              .find("nor intervals that the format can hold") != std::string::npos);
    std::vector<Field> fields = stf::transaction_fields(none, none);
    CHECK(refusal(with_stream("stf.transaction", stf::transaction_base, fields)) == "accepted");
    CHECK(refusal(with_stream("stf.transaction", gigahertz, fields)) == "accepted");
    CHECK(refusal(with_stream("stf.transaction", picoseconds, fields)) != "accepted");
    CHECK(refusal(with_stream("stf.other", stf::transaction_base, fields)) != "accepted");
    fields[0].type = Type::text;
    CHECK(refusal(with_stream("stf.transaction", stf::transaction_base, fields)) != "accepted");

    Schema schema = with_stream("stf.transaction", stf::transaction_base, fields);
    Track hart;
    hart.kind = Track::Kind::hart;
    hart.scope = 0;
    hart.name = "core0";
    schema.declare(std::move(hart));
    Losses losses;
    Plan plan = make_plan(schema, intervals_only, stf_format(), {}, losses);
    CHECK(std::count_if(plan.losses.begin(), plan.losses.end(), [](const ExpectedLoss& loss) {
              return loss.loss == Loss::kind_dropped && loss.subject == "stf.transaction";
          }) > 0);
}

}  // namespace transaction_parts_test

// Parts of transaction traces, and streams that only look like transactions.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "formats.hpp"
#include "io/error.hpp"
#include "io/output.hpp"
#include "pipeline/convert.hpp"
#include "pipeline/interval_support.hpp"
#include "pipeline/plan.hpp"
#include "stf/transaction_tracks.hpp"
#include "support/traffic.hpp"

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

/// A trace as relations and intervals by their identities, in order.
struct Content {
    struct Relation {
        std::uint64_t from = 0, to = 0;
    };
    std::vector<std::uint64_t> transactions;
    std::vector<Relation> relations;
    std::map<std::uint64_t, std::vector<std::uint64_t>> on;  ///< by transaction: what stands before it

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
    Losses losses;
    std::vector<ExpectedLoss> foreseen;
};

/// What is in the STF file of a part of the trace.
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
    for (; reader->read(batch); batch.clear())
        piece.content.add(batch);
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

TEST_CASE("a part by positions has every dependency of its transactions, and tells which lead out of it") {
    Traffic traffic(6);
    Content whole;
    std::uint64_t records = 0;
    for (const Batch& batch : traffic.batches) {
        whole.add(batch);
        records += batch.records().size();
    }
    REQUIRE(whole.relations.size() > 8);
    std::uint64_t parted = 0, leading_out = 0;
    for (std::uint64_t begin = 0; begin < records; ++begin) {
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
            // What stands at the end without its transaction is the writer's loss; its first end may be out, too.
            const std::uint64_t left = lost(piece, Loss::relation_dropped);
            CHECK(lost(piece, Loss::part_dropped) >= out);
            CHECK(lost(piece, Loss::part_dropped) <= out + left);
            parted += left;
            leading_out += out;
        }
    }
    CHECK(parted > 3);
    CHECK(leading_out > 10);
}

TEST_CASE("a part by clocks tells the dependencies on transactions of the others, and foretold it") {
    Traffic traffic(4);
    Choices choices;
    choices.criteria = parse_criteria("track=memory_clock/stf.transaction,track=stf.dependency,kind=interval,kind=relation");
    const Piece piece = cut(traffic, choices);
    CHECK(!piece.content.transactions.empty());
    CHECK(lost(piece, Loss::part_dropped) > 0);
    CHECK(std::any_of(piece.foreseen.begin(), piece.foreseen.end(), [](const ExpectedLoss& loss) {
        return loss.loss == Loss::part_dropped && loss.subject == "stf.dependency";
    }));
    // The whole trace loses nothing.
    const Piece whole = cut(traffic, {});
    CHECK(whole.losses.none());
}

TEST_CASE("a stream that has the name of transactions alone is refused, and lost beside instructions") {
    CHECK(refusal(with_stream("stf.transaction", stf::transaction_base, {})).find("intervals that this format knows") !=
          std::string::npos);
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

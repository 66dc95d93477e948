#include "convert/part_losses.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "convert/convert.hpp"
#include "formats.hpp"
#include "io/output.hpp"
#include "support/interval_support.hpp"

namespace part_losses_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Subjects = std::set<std::string>;

/// Returns a trace of two cores. Each has a stream `fast` or `slow`, and a stream `shared`. All transactions have an
/// attribute that pccx cannot hold. The second core is named `quiet`.
IntervalTrace two_cores() {
    IntervalTrace trace;
    const ScopeId root = trace.schema.declare(Scope{"soc", none, {}, none});
    trace.schema.describe("slow", "a fact by the name of a track");
    TrackId tracks[4];
    for (std::size_t core = 0; core < 2; ++core) {
        const ScopeId scope = trace.schema.declare(Scope{core == 0 ? "busy" : "quiet", root, {}, none});
        const std::vector<Field> fields{Field{"size", Type::u64}};
        tracks[core * 2] = trace.stream(scope, core == 0 ? "fast" : "slow", gigahertz, fields);
        tracks[core * 2 + 1] = trace.stream(scope, "shared", gigahertz, fields);
    }
    const Attribute size{0, 8};
    for (Tick time = 0; time < 40; ++time)
        trace.batch().interval(tracks[time / 10], time, 1, std::span(&size, 1));
    return trace;
}

struct Cut {
    Losses losses;
    Subjects lost, foretold;
    bool took_back = false;
};

/// Returns the losses of a slice when it is converted to pccx or another format. Checks that all losses were predicted.
Cut cut(const Choices& choices, std::string_view format = "pccx") {
    Cut made;
    IntervalTrace trace = two_cores();
    const Format& to = *find_format(formats(), format);
    Canned reader(trace.schema, trace.pointers());
    Plan plan = make_plan(trace.schema, intervals_only, to, choices, made.losses);
    const auto output = open_memory_output("part", [](const std::vector<std::byte>&) {});
    const auto writer = to.create(*output, plan.target_schema(trace.schema), choices.settings, made.losses);
    convert(reader, plan, *writer);
    for (const auto& entry : made.losses.entries()) {
        const Losses::Key& key = entry.first;
        made.lost.insert(key.second);
        CAPTURE(key.second);
        CHECK(std::ranges::any_of(plan.losses, [&](const ExpectedLoss& loss) {
            return loss.loss == key.first && (loss.subject == key.second || loss.subject == "*");
        }));
    }
    for (const ExpectedLoss& loss : plan.losses)
        made.foretold.insert(loss.subject);
    made.took_back = plan.part && plan.part->took_back();
    return made;
}

Choices of_scope(std::string name) {
    Choices choices;
    choices.criteria.records.scopes = {std::move(name)};
    return choices;
}

Choices of_range(const char* range) {
    Choices choices;
    choices.range = parse_range(range);
    return choices;
}

}  // namespace

TEST_CASE("for a whole trace, everything that the target cannot hold is a loss") {
    const Cut whole = cut({});
    for (const char* subject : {"busy", "quiet", "fast.size", "slow.size", "shared.size"})
        CHECK_MESSAGE(whole.lost.contains(subject), subject);
    CHECK_FALSE(whole.took_back);
}

TEST_CASE(
    "scopes and tracks that a selection leaves out are not losses; metadata of the trace is a loss, whatever its "
    "keys") {
    const Cut part = cut(of_scope("busy"));
    CHECK(part.took_back);
    for (const char* subject : {"busy", "fast.size", "shared.size"})
        CHECK_MESSAGE(part.lost.contains(subject), subject);
    for (const char* subject : {"quiet", "slow.size"})
        CHECK_MESSAGE(!part.lost.contains(subject), subject);
    const Cut log = cut(of_scope("busy"), "txlog");
    CHECK(log.losses.entries().contains({Loss::metadata_dropped, "slow"}));
    CHECK(log.losses.entries().contains({Loss::scope_flattened, "busy"}));
    CHECK_FALSE(log.losses.entries().contains({Loss::scope_flattened, "quiet"}));
}

TEST_CASE("tracks without a record in the range are not losses") {
    const Cut part = cut(of_range("#0:#10"));  // the slice has only the stream `fast`
    for (const char* subject : {"busy", "fast.size"})
        CHECK_MESSAGE(part.lost.contains(subject), subject);
    for (const char* subject : {"quiet", "slow.size", "shared.size"})
        CHECK_MESSAGE(!part.lost.contains(subject), subject);
    // Two tracks have the same name. Only the losses of the track in the slice are reported.
    const Cut shared = cut(of_range("#10:#20"));
    CHECK(shared.lost.contains("shared.size"));
    CHECK_FALSE(shared.losses.entries().contains({Loss::part_dropped, "shared"}));  // the track of the other core
    CHECK_FALSE(shared.lost.contains("fast.size"));
}

TEST_CASE("general losses are reported whatever the names of left-out tracks and scopes") {
    // Two streams with different time bases alternate. A third stream has no records.
    const auto lost = [](const std::string& name) {
        IntervalTrace trace;
        const ScopeId scope = trace.schema.declare(Scope{"soc", none, {}, none});
        const ScopeId left_out = trace.schema.declare(Scope{name, none, {}, none});
        const TrackId one = trace.stream(scope, "one", gigahertz, {});
        const TrackId other = trace.stream(scope, "other", TimeBase{TimeBase::Kind::seconds, 3, 1'000'000'000'000}, {});
        trace.stream(left_out, name, gigahertz, {});
        trace.batch().interval(one, 5, 1, {});
        trace.batch().interval(other, 3, 1, {});
        const Choices choices = of_range("0#:2#");
        Losses losses;
        const Format& log = *find_format(formats(), "txlog");
        Canned reader(trace.schema, trace.pointers());
        Plan plan = make_plan(trace.schema, intervals_only, log, choices, losses);
        const auto output = open_memory_output("part", [](const std::vector<std::byte>&) {});
        const auto writer = log.create(*output, plan.target_schema(trace.schema), choices.settings, losses);
        convert(reader, plan, *writer);
        std::set<Losses::Key> keys;
        for (const auto& [key, entry] : losses.entries())
            keys.insert(key);
        return keys;
    };
    const auto plain = lost("idle");
    REQUIRE(plain.contains({Loss::order_changed, "records"}));
    REQUIRE(plain.contains({Loss::part_dropped, "timescale"}));
    CHECK(lost("records") == plain);
    CHECK(lost("timescale") == plain);
}

TEST_CASE("an empty slice loses only metadata") {
    CHECK(cut(of_range("#50:#60")).losses.none());
    CHECK(cut(of_range("#50:#60"), "txlog").lost == Subjects{"slow"});  // "slow" is a metadata key here
}

TEST_CASE("losses of tracks that a selection excludes in any case are neither predicted nor counted") {
    Losses losses;
    IntervalTrace trace = two_cores();
    const Choices choices = of_scope("busy");
    const Format& log = *find_format(formats(), "txlog");
    const auto foretold = [&](const Choices& chosen) {
        Subjects subjects;
        Plan plan = make_plan(trace.schema, intervals_only, log, chosen, losses);
        for (const ExpectedLoss& loss : plan.losses)
            subjects.insert(loss.subject);
        const auto output = open_memory_output("part", [](const std::vector<std::byte>&) {});
        log.create(*output, plan.target_schema(trace.schema), chosen.settings, losses);
        if (plan.part) plan.part->settle_before_records();
        for (const auto& [key, entry] : losses.entries())
            subjects.insert(key.second);
        losses = {};
        return subjects;
    };
    CHECK(foretold({}).contains("quiet"));
    CHECK_FALSE(foretold(choices).contains("quiet"));
    CHECK(foretold(choices).contains("busy"));
}

TEST_CASE("losses of several conversions add up, each with its first example") {
    Losses first, second;
    first.count(Loss::kind_dropped, "a", [] { return "one"; });
    second.count(
        Loss::kind_dropped, "a", [] { return "two"; }, 3);
    second.count(Loss::field_dropped, "b", [] { return "three"; });
    second.assume("a clock");
    first.count(Loss::kind_dropped, Subject::unused("c"), [] { return "no record"; });
    second.count(Loss::kind_dropped, "c", [] { return "a record"; });
    second.count(Loss::kind_dropped, Subject::general("d"), [] { return "four"; });
    add_losses(second, first);
    CHECK(first.entries().at({Loss::kind_dropped, "a"}).count == 4);
    CHECK(first.entries().at({Loss::kind_dropped, "a"}).first == "one");
    CHECK(first.entries().at({Loss::field_dropped, "b"}).first == "three");
    const Losses::Entry& c = first.entries().at({Loss::kind_dropped, "c"});
    CHECK(c.count == 2);
    CHECK(c.unused == 1);
    CHECK(c.first == "a record");
    CHECK(first.entries().at({Loss::kind_dropped, "d"}).is_general);
    CHECK(first.assumptions() == std::vector<std::string>{"a clock"});
}

}  // namespace part_losses_test

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "call_log.hpp"
#include "support/corpus.hpp"

namespace misuse_test {

using namespace hwtrace::recording;
using hwtrace::test::CallLog;
using hwtrace::test::TemporaryFolder;

namespace {

struct Wrong {
    const char* name;
    std::vector<Misuse> told;
    std::function<void(Database&, const Generator<>&, Transaction& ended, Transaction& open)> calls;
};

/// A value that records while it is being recorded.
struct Recursive {
    const Generator<>* generator;
    Transaction* transaction;
    void describe(Fields& fields) const {
        (void)generator->begin(1);
        transaction->record("inner", 2).event("inner").relate("inner", *transaction);
        fields("outer", 3);
    }
};

/// Returns calls that crash other recorders, and similar calls. None of them may change the file.
std::vector<Wrong> wrong_calls() {
    using enum Misuse;
    return {
        {"an attribute after the end", {ended}, [](auto&, auto&, auto& done, auto&) { done.record("late", 1); }},
        {"a struct after the end",
         {ended},
         [](auto&, auto&, auto& done, auto&) { done.record("late", std::vector<std::string>(3, "text")); }},
        {"a second end", {ended}, [](auto&, auto&, auto& done, auto&) { done.end(); }},
        {"a second end with an attribute", {ended}, [](auto&, auto&, auto& done, auto&) { done.end_at(70, "late"); }},
        {"an end through a copy of the handle",
         {ended},
         [](auto&, auto&, auto& done, auto&) {
             Transaction copy = done;
             copy.end();
         }},
        {"an event after the end", {ended}, [](auto&, auto&, auto& done, auto&) { done.event("late", "x", 1); }},
        {"a handle whose slot is now used by another transaction",
         {ended, ended},
         [](auto&, auto&, auto& done, auto& open) {
             CHECK(open.is_open());
             CHECK_FALSE(done.is_open());
             done.record("x", 1).end();
         }},
        {"an event in a generator without events",
         {no_events},
         [](auto&, auto&, auto&, auto& open) { open.event("e", "x", 1); }},
        {"recording off at begin and on at end",
         {},
         [](auto& db, auto& generator, auto&, auto& open) {
             db.set_recording(false);
             Transaction off = generator.begin_at(1, "value");
             db.set_recording(true);
             off.record("x", 1).relate("r", open).event("e", "x", 1);
             open.relate("r", off);
             off.end("value");
             off.end();
         }},
        {"recording off and on while something is open",
         {},
         [](auto& db, auto& generator, auto&, auto& open) {
             db.set_recording(false);
             generator.set_recording(false);
             CHECK(open.is_open());
             generator.set_recording(true);
             db.set_recording(true);
         }},
        {"a relation to another database",
         {foreign, foreign},
         [](auto&, auto&, auto&, auto& open) {
             Database other{Options{}};
             const Transaction stranger = other.stream("s").generator("g").begin();
             open.relate("r", stranger).relate(other.relation("r"), open);
         }},
        {"empty handles",
         {},
         [](auto&, auto&, auto&, auto& open) {
             Transaction nothing;
             nothing.record("x", 1).event("e").relate("r", open).end();
             open.relate("r", nothing).relate(Relation(), open);
             Generator<int, int>().begin(1).end(2);
             Stream().generator("g").begin().end();
         }},
    };
}

/// Makes the same calls every time, with `wrong` in the middle.
void record(const std::string& path, const Wrong* wrong) {
    std::vector<Misuse> told;
    Database db(path, Options{.on_misuse = [&](const MisuseReport& report) { told.push_back(report.misuse); }});
    const Generator<> generator = db.stream("s", "kind").generator("g", "begin", "end");
    Transaction first = generator.begin_at(10, "first");
    first.record("value", 1.5);
    first.end_at(20, -1);
    Transaction second = generator.begin_at(15, 5);
    second.relate("follows", first);
    if (wrong != nullptr) wrong->calls(db, generator, first, second);
    second.end_at(30);
    db.close();
    if (wrong != nullptr) {
        CHECK(told == wrong->told);
        for (const Misuse misuse : wrong->told)
            CHECK(db.misuses(misuse) == static_cast<std::uint64_t>(std::ranges::count(wrong->told, misuse)));
    }
    second.record("late", 1).relate("late", first).end();
    CHECK(db.misuses(Misuse::closed) == 3);
}

}  // namespace

TEST_CASE("misuse is reported and does not change the file") {
    const TemporaryFolder folder;
    for (const char* name : {"right.ftr", "right.txlog", "right.txlog.gz", "right.uscope"}) {
        CAPTURE(name);
        record(folder / name, nullptr);
        const auto right = hwtrace::test::read_file(folder / name);
        REQUIRE_FALSE(right.empty());
        for (const Wrong& wrong : wrong_calls()) {
            CAPTURE(wrong.name);
            const std::string path = folder / ("wrong" + std::string(name).substr(5));
            record(path, &wrong);
            CHECK(hwtrace::test::read_file(path) == right);
        }
    }
}

TEST_CASE("functions that a database calls cannot record into it, and no thread deadlocks") {
    Database* db = nullptr;
    Generator<> generator;
    Transaction open;
    std::uint64_t heard = 0;
    const auto log = std::make_shared<CallLog>();
    const auto meddle = [&] {
        if (db == nullptr) return;
        CHECK(generator.begin(1).id() == 0);
        db->stream("inner").generator("g").begin().end();
        open.relate(db->relation("inner"), open).end();
        db->flush();
        db->close();
        CHECK(open.is_open());
        CHECK(db->losses().empty());
    };
    struct Meddler final : BackEnd {
        explicit Meddler(std::function<void()> what) : what_(std::move(what)) {}
        void attribute(const TransactionFacts&, Phase, std::string_view, const Value&) override { what_(); }
        std::function<void()> what_;
    };
    Options options;
    options.now = [&] {
        meddle();
        return Time{7};
    };
    options.on_misuse = [&](const MisuseReport&) {
        ++heard;
        meddle();
    };
    options.back_ends = {log, std::make_shared<Meddler>(meddle)};
    Database recorded(options);
    generator = recorded.stream("s").generator("g");
    open = generator.begin_at(1);
    log->lines.clear();
    db = &recorded;
    open.record("array", std::vector<int>{1, 2}).record("deep", Recursive{&generator, &open});
    (void)generator.begin();
    open.event("there are none");
    CHECK(log->lines == std::vector<std::string>{"1 record array[0] INTEGER 1", "1 record array[1] INTEGER 2",
                                                 "1 record deep.outer INTEGER 3", "begin 2 2 @7"});
    CHECK(recorded.misuses(Misuse::nested) > 20);
    CHECK(recorded.misuses(Misuse::no_events) == 1);
    CHECK(heard > 10);
    db = nullptr;
    open.end();
    CHECK_FALSE(open.is_open());
}

TEST_CASE("a listener that throws leaves no lock behind") {
    Database db{Options{.on_misuse = [](const MisuseReport&) { throw std::logic_error("misuse"); }}};
    auto generator = db.stream("s").generator("g");
    Transaction done = generator.begin();
    done.end();
    CHECK_THROWS_AS(done.record("late", 1), std::logic_error);
    CHECK_THROWS_AS(done.end(), std::logic_error);
    std::thread([&] {
        Transaction other = generator.begin();
        other.record("x", 1).end();
        CHECK(other.id() == 2);
    }).join();
    CHECK(db.misuses(Misuse::ended) == 2);
    CHECK(db.misuses(Misuse::nested) == 0);
}

TEST_CASE("vectors with invalid digits become texts") {
    const auto log = std::make_shared<CallLog>();
    Database db{Options{.back_ends = {log}}};
    Transaction t = db.stream("s").generator("g").begin();
    log->lines.clear();
    t.record("bits", BitVector{"01X"}).record("logic", LogicVector{"01xZ"}).record("logic", LogicVector{"01-"});
    t.record("none", BitVector{""});
    CHECK(log->lines == std::vector<std::string>{"1 record bits STRING 01X", "1 record logic LOGIC_VECTOR 01xZ",
                                                 "1 record logic STRING 01-", "1 record none BIT_VECTOR "});
    CHECK(db.misuses(Misuse::no_vector) == 2);
}

TEST_CASE("invalid values are not recorded as other values, and none ends the program") {
    CHECK_THROWS_AS(Database{std::string{}}, Error);
    CHECK_THROWS_AS((Database{Options{.back_ends = {nullptr}}}), Error);
    std::vector<std::string> misuses;
    Database db(
        Options{.on_misuse = [&](const MisuseReport& report) { misuses.emplace_back(name_of(report.misuse)); }});
    auto transaction = db.stream("s").generator("g").begin_at(~Time{0});
    transaction.record("nothing", nullptr).record("late", Ticks{~Time{0}});
    transaction.record("odd", Value(static_cast<Value::Type>(99), std::uint64_t{1}));
    CHECK(misuses == std::vector<std::string>{"beyond-time", "beyond-time"});
    db.close();
    (void)db.stream("late");
    (void)db.relation("late");
    CHECK(misuses == std::vector<std::string>{"beyond-time", "beyond-time", "not-finished", "closed", "closed"});
}

}  // namespace misuse_test

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <list>
#include <stdexcept>
#include <thread>
#include <utility>

#include "call_log.hpp"

namespace calls_test {

using namespace hwtrace::recording;
using hwtrace::test::CallLog;
using Lines = std::vector<std::string>;

namespace model {

enum class Command : std::uint8_t { read = 4, write };
std::string_view name_of(Command command) {
    return command == Command::read ? "READ" : "WRITE";
}
enum Plain { plain_zero, plain_one };

struct Address {
    std::uint64_t addr = 0;
    Command command = Command::read;
};
void describe(Fields& fields, const Address& address) {
    fields("addr", address.addr)("command", address.command);
}

struct Beat {
    Address first;
    std::array<int, 2> data{};
    std::optional<bool> last;
    void describe(Fields& fields) const { fields("first", first)("data", data)("last", last); }
};

/// A text that the program makes when it is recorded.
struct Made {
    operator std::string_view() const {
        if (made == nullptr) throw std::runtime_error("no text");
        ++*made;
        return "text";
    }
    int* made = nullptr;
};

struct Broken {
    void describe(Fields& fields) const {
        fields("given", 1);
        throw std::runtime_error("no more of it");
    }
};

}  // namespace model

namespace {

/// A database without a file. It has a clock and a log of the back end's calls.
struct Recorded {
    Time time = 0;
    std::shared_ptr<CallLog> log = std::make_shared<CallLog>();
    Lines misuses;
    Database db{Options{.now = [this] { return time; },
                        .on_misuse =
                            [this](const MisuseReport& report) {
                                misuses.push_back(std::string(name_of(report.misuse)) + " " +
                                                  std::to_string(report.transaction) + " " +
                                                  std::string(report.generator) + " " + std::string(report.what));
                            },
                        .back_ends = {log}}};

    /// Returns the calls since the last call of this function.
    Lines news() {
        Lines lines(log->lines.begin() + static_cast<std::ptrdiff_t>(told_), log->lines.end());
        told_ = log->lines.size();
        return lines;
    }

private:
    std::size_t told_ = 0;
};

}  // namespace

TEST_CASE("back ends receive everything in the order of recording") {
    Recorded recorded;
    Database& db = recorded.db;
    Stream bus = db.stream("bus", "transactor");
    auto read = bus.generator<model::Address, int>("read", "request", "status", Events::yes);
    recorded.time = 10;
    auto first = read.begin(model::Address{0x80, model::Command::write});
    recorded.time = 12;
    auto second = read.begin_at(5);
    second.relate("follows", first).record("length", 3u);
    first.event("stall", "reason", "full", "entries", -4);
    first.event_at(11, "retry");
    first.end(-1);
    second.end_at(20);
    db.close();
    CHECK(recorded.news() == Lines{"open ",
                                   "stream 1 bus (transactor)",
                                   "generator 2 of 1 read",
                                   "generator 3 of 1 read.events",
                                   "begin 1 2 @10",
                                   "1 begin request.addr UNSIGNED 128",
                                   "1 begin request.command ENUMERATION WRITE",
                                   "begin 2 2 @5",
                                   "relation follows 1 -> 2",
                                   "2 record length UNSIGNED 3",
                                   "begin 3 3 @12",
                                   "3 begin name STRING stall",
                                   "relation parent_of 1 -> 3",
                                   "3 record reason STRING full",
                                   "3 record entries INTEGER -4",
                                   "end 3 3 @12..12",
                                   "begin 4 3 @11",
                                   "4 begin name STRING retry",
                                   "relation parent_of 1 -> 4",
                                   "end 4 3 @11..11",
                                   "1 end status INTEGER -1",
                                   "end 1 2 @10..12",
                                   "end 2 2 @5..20",
                                   "close "});
    CHECK(recorded.misuses.empty());
}

TEST_CASE("attributes of every type are recorded; structs, arrays and optionals become one attribute for each part") {
    Recorded recorded;
    Transaction t = recorded.db.stream("s").generator("g").begin();
    recorded.news();
    const int variable = 0;
    t.record("bool", true)
        .record("label", Label{"IDLE"})
        .record("named", model::Command::read)
        .record("plain", model::plain_one)
        .record("char", 'a')
        .record("short", std::int16_t{-3})
        .record("byte", std::uint8_t{200})
        .record("largest", ~std::uint64_t{0})
        .record("float", 0.5f)
        .record("double", -0.25)
        .record("bits", BitVector{"0110"})
        .record("logic", LogicVector{"01XZ"})
        .record("fixed", Fixed{-1.5})
        .record("ufixed", UnsignedFixed{1.5})
        .record("pointer", Pointer{0x1000})
        .record("literal", "%n%s")
        .record("string", std::string(1100, 'x'))
        .record("view", std::string_view("a\0b", 3))
        .record("ticks", Ticks{42})
        .record("list", std::list<bool>{true, false})
        .record("beat", model::Beat{{1, model::Command::read}, {7, 8}, true})
        .record(model::Address{9, model::Command::write})
        .record(5)
        .record(std::string(2000, 'n'), 1)
        .record("nothing", std::optional<int>());
    CHECK(recorded.news() == Lines{"1 record bool BOOLEAN 1",
                                   "1 record label ENUMERATION IDLE",
                                   "1 record named ENUMERATION READ",
                                   "1 record plain UNSIGNED 1",
                                   "1 record char STRING a",
                                   "1 record short INTEGER -3",
                                   "1 record byte UNSIGNED 200",
                                   "1 record largest UNSIGNED 18446744073709551615",
                                   "1 record float FLOATING_POINT_NUMBER 0.500000",
                                   "1 record double FLOATING_POINT_NUMBER -0.250000",
                                   "1 record bits BIT_VECTOR 0110",
                                   "1 record logic LOGIC_VECTOR 01XZ",
                                   "1 record fixed FIXED_POINT_INTEGER -1.500000",
                                   "1 record ufixed UNSIGNED_FIXED_POINT_INTEGER 1.500000",
                                   "1 record pointer POINTER 4096",
                                   "1 record literal STRING %n%s",
                                   "1 record string STRING " + std::string(1100, 'x'),
                                   "1 record view STRING " + std::string("a\0b", 3),
                                   "1 record ticks TIME 42",
                                   "1 record list[0] BOOLEAN 1",
                                   "1 record list[1] BOOLEAN 0",
                                   "1 record beat.first.addr UNSIGNED 1",
                                   "1 record beat.first.command ENUMERATION READ",
                                   "1 record beat.data[0] INTEGER 7",
                                   "1 record beat.data[1] INTEGER 8",
                                   "1 record beat.last BOOLEAN 1",
                                   "1 record addr UNSIGNED 9",
                                   "1 record command ENUMERATION WRITE",
                                   "1 record unnamed INTEGER 5",
                                   "1 record " + std::string(2000, 'n') + " INTEGER 1"});
    t.record("address", &variable);
    CHECK(recorded.news() ==
          Lines{"1 record address POINTER " + std::to_string(reinterpret_cast<std::uintptr_t>(&variable))});
    CHECK(recorded.misuses.empty());
}

TEST_CASE("begin and end attributes have the types of their generator") {
    Recorded recorded;
    auto generator = recorded.db.stream("s").generator<std::uint16_t, double>("g", "begin", "end", Events::yes);
    auto t = generator.begin(7);
    recorded.news();
    t.relate("r", t).relate(recorded.db.relation("r"), t).event("e").event_at(0, "e").record("x", 1).record(2).end(3);
    const Lines news = recorded.news();
    CHECK(std::ranges::count(news, "1 end end FLOATING_POINT_NUMBER 3.000000") == 1);
    generator.begin_at(8, 9).record("x", 1).end_at(10, 11);
    CHECK(recorded.news() == Lines{"begin 4 2 @8", "4 begin begin UNSIGNED 9", "4 record x INTEGER 1",
                                   "4 end end FLOATING_POINT_NUMBER 11.000000", "end 4 2 @8..10"});
}

TEST_CASE("misused calls have no effect and are reported") {
    Recorded recorded;
    Database& db = recorded.db;
    Stream stream = db.stream("s");
    auto generator = stream.generator("g", "attr");
    Transaction t = generator.begin_at(10);
    Transaction copy = t;
    t.end_at(4);
    recorded.news();
    copy.record("late", 1);
    copy.end();
    copy.end(5);
    copy.event("late");
    CHECK(recorded.news().empty());
    Recorded other;
    Transaction foreign = other.db.stream("s").generator("g").begin();
    Transaction open = generator.begin();
    recorded.news();
    open.relate("r", foreign);
    open.relate(other.db.relation("r"), t);
    open.event("not here");
    CHECK(recorded.news().empty());
    open.end_at(~Time{0});
    CHECK(recorded.news() == Lines{"end 2 2 @0..9223372036854775807"});
    Transaction left = generator.begin_at(3);
    db.close();
    left.record("late", 1);
    left.end();
    CHECK(generator.begin().id() == 0);
    CHECK(recorded.misuses == Lines{"ends-early 1 g ", "ended 1 g late", "ended 1 g ", "ended 1 g ", "ended 1 g late",
                                    "foreign 2  r", "foreign 2  ", "no-events 2 g not here", "beyond-time 2 g ",
                                    "not-finished 3 g ", "closed 3 g late", "closed 3 g ", "closed 0 g "});
    CHECK(db.misuses(Misuse::ended) == 4);
    Transaction none;
    none.record("x", 1).relate("r", t).event("e");
    none.end();
    CHECK(none.id() == 0);
    CHECK_FALSE(none.is_open());
    CHECK_FALSE(left.is_open());
}

TEST_CASE("transactions that begin while recording is off are not recorded, and open ones continue") {
    Recorded recorded;
    Stream stream = recorded.db.stream("s");
    auto generator = stream.generator("g");
    auto other = stream.generator("h");
    Transaction open = generator.begin();
    recorded.db.set_recording(false);
    Transaction off = generator.begin();
    recorded.db.set_recording(true);
    generator.set_recording(false);
    CHECK(generator.begin().id() == 0);
    Transaction second = other.begin();
    stream.set_recording(false);
    CHECK(other.begin().id() == 0);
    recorded.news();
    off.record("x", 1).relate("r", open).event("e");
    off.end(5);
    open.record("y", 2).relate("r", off);
    open.end();
    CHECK(recorded.news() == Lines{"1 record y INTEGER 2", "end 1 2 @0..0"});
    CHECK(second.id() == 2);
    CHECK(recorded.misuses.empty());
}

TEST_CASE("without a clock, the current time is the latest explicit time") {
    auto log = std::make_shared<CallLog>();
    Database db(Options{.back_ends = {log}});
    auto generator = db.stream("s").generator("g");
    generator.begin_at(70).end();
    generator.begin().end_at(80);
    generator.begin().end();
    CHECK(std::count(log->lines.begin(), log->lines.end(), "end 1 2 @70..70") == 1);
    CHECK(std::count(log->lines.begin(), log->lines.end(), "end 2 2 @70..80") == 1);
    CHECK(std::count(log->lines.begin(), log->lines.end(), "end 3 2 @80..80") == 1);
}

TEST_CASE("handles may outlive their database, and databases are independent") {
    Transaction left;
    Generator<> generator;
    {
        Recorded one, two;
        generator = one.db.stream("s").generator("g");
        left = generator.begin();
        two.db.stream("t").generator("g").begin().end();
        CHECK(two.news().size() == 5);
        CHECK(one.news().size() == 4);
        one.db = Database(Options{});
        left.record("late", 1);  // the database may have dropped the listener
        CHECK(one.misuses == Lines{"not-finished 1 g "});
    }
    CHECK_FALSE(left.is_open());
}

TEST_CASE("a moved-from transaction is an empty handle") {
    Recorded recorded;
    Transaction one = recorded.db.stream("s").generator("g").begin();
    Transaction other = std::move(one);
    CHECK(other.id() == 1);
    CHECK(one.id() == 0);  // NOLINT: use after move is tested
    one.record("x", 1).relate("r", other).end();
    other.relate("r", one);
    CHECK(other.is_open());
    one = std::move(other);
    CHECK(one.id() == 1);
    CHECK(other.id() == 0);  // NOLINT: likewise
    one.end();
    CHECK(recorded.misuses.empty());
}

TEST_CASE("if the function that describes a value throws, the transaction ends, and no lock is held") {
    Recorded recorded;
    auto generator = recorded.db.stream("s").generator("g", "b", "e", Events::yes);
    recorded.time = 7;
    CHECK_THROWS_AS((void)generator.begin(model::Broken()), std::runtime_error);
    recorded.news();
    Transaction t = generator.begin_at(8);
    CHECK(t.id() == 2);
    CHECK_THROWS_AS(t.record("r", model::Broken()), std::runtime_error);
    CHECK_THROWS_AS(t.event_at(9, "tick", "x", model::Broken(), "y", 1), std::runtime_error);
    CHECK(t.is_open());
    CHECK_THROWS_AS(t.end_at(20, model::Broken()), std::runtime_error);
    CHECK_FALSE(t.is_open());
    CHECK(recorded.news() == Lines{"begin 2 2 @8", "2 record r.given INTEGER 1", "begin 3 3 @9",
                                   "3 begin name STRING tick", "relation parent_of 2 -> 3",
                                   "3 record x.given INTEGER 1", "end 3 3 @9..9", "2 end e.given INTEGER 1",
                                   "end 2 2 @8..20"});
    CHECK(std::ranges::count(recorded.log->lines, "1 record unfinished BOOLEAN 1") == 1);
    CHECK(std::ranges::count(recorded.log->lines, "end 1 2 @7..7") == 1);
    std::thread([&] { generator.begin().end(); }).join();
    recorded.db.close();
    CHECK(recorded.misuses == Lines{"not-finished 1 g "});
}

TEST_CASE("a conversion to a text is called only for a recorded value, and may throw") {
    Recorded recorded;
    auto generator = recorded.db.stream("s").generator("g", "b", "e");
    recorded.news();
    int made = 0;
    Transaction t = generator.begin_at(1, model::Made{&made});
    t.record("r", model::Made{&made});
    CHECK(made == 2);
    CHECK_THROWS_AS(t.record("broken", model::Made()), std::runtime_error);
    CHECK(t.is_open());
    CHECK_THROWS_AS(t.end_at(5, model::Made()), std::runtime_error);
    CHECK_FALSE(t.is_open());
    CHECK(recorded.news() == Lines{"begin 1 2 @1", "1 begin b STRING text", "1 record r STRING text", "end 1 2 @1..5"});
    CHECK_THROWS_AS((void)generator.begin_at(6, model::Made()), std::runtime_error);
    CHECK(recorded.news() == Lines{"begin 2 2 @6", "2 record unfinished BOOLEAN 1", "end 2 2 @6..6"});
    recorded.db.set_recording(false);
    generator.begin_at(7, model::Made{&made}).record("r", model::Made{&made}).end_at(8);
    t.record("late", model::Made{&made});
    CHECK(made == 2);
}

TEST_CASE("eight threads record into one database") {
    constexpr int threads = 8, each = 2000;
    auto log = std::make_shared<CallLog>();
    Database db(Options{.back_ends = {log}});
    Stream stream = db.stream("s");
    auto shared = stream.generator<int, int>("g", "begin", "end", Events::yes);
    const Relation follows = db.relation("follows");
    std::vector<std::thread> workers;
    for (int number = 0; number < threads; ++number)
        workers.emplace_back([&, number] {
            auto own = stream.generator("own" + std::to_string(number), "n");
            Transaction last;
            for (int i = 0; i < each; ++i) {
                auto t = shared.begin(number);
                t.record("i", i).relate(follows, last).event("tick", "i", i);
                Transaction mine = own.begin(i);
                mine.record("name", "thread " + std::to_string(number));
                mine.end();
                t.end(i);
                last = t;
            }
        });
    for (std::thread& worker : workers)
        worker.join();
    db.close();
    const auto count = [&](std::string_view head) {
        return std::count_if(log->lines.begin(), log->lines.end(),
                             [&](const std::string& line) { return line.starts_with(head); });
    };
    CHECK(count("begin ") == 3 * threads * each);
    CHECK(count("end ") == 3 * threads * each);
    CHECK(count("relation parent_of") == threads * each);
    CHECK(count("relation follows") == threads * (each - 1));
    CHECK(count("generator ") == threads + 2);
    for (std::size_t i = 0; i < misuse_kinds; ++i)
        CHECK(db.misuses(static_cast<Misuse>(i)) == 0);
}

TEST_CASE("a tick is a power of ten of a second from 10^3 to 10^-18") {
    for (const int exponent : {4, -19})
        CHECK_THROWS_AS(Database(Options{.exponent = exponent}), Error);
    for (const int exponent : {3, -18})
        CHECK_NOTHROW(Database(Options{.exponent = exponent}));
}

TEST_CASE("a moved-from database accepts all calls and records nothing") {
    Database db{Options{}};
    const Database taken = std::move(db);
    const Stream stream = db.stream("s");  // NOLINT: use after move is tested
    auto generator = stream.generator("g");
    generator.set_recording(false);
    stream.set_recording(false);
    db.set_recording(true);
    Transaction t = generator.begin(1);
    t.relate(db.relation("r"), t).record("x", 1).end();
    CHECK(t.id() == 0);
    CHECK_NOTHROW(db.flush());
    CHECK_NOTHROW(db.close());
    CHECK(db.misuses(Misuse::ended) == 0);
    CHECK(db.losses().empty());
}

}  // namespace calls_test

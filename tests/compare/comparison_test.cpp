#include "compare/comparison.hpp"

#include <doctest/doctest.h>

#include <random>

#include "compare/comparable_records.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "support/corpus.hpp"

namespace comparison_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Bytes = std::vector<std::byte>;

// --- sequences -----------------------------------------------------------------------------------------------------

/// A track that both traces have, with ticks of 1 ns. Its records are words.
class Words {
public:
    static constexpr TimeBase nanoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000};

    explicit Words(std::uint64_t tolerance_ps = 0, LaneComparison::Options options = {},
                   std::array<TimeBase, 2> bases = {nanoseconds, nanoseconds})
        : correspondence_(ignored_, {tolerance_ps, std::nullopt, true}), options_(options) {
        first_.declare(make_track(Track::Kind::event_type, none, "words", bases[0]));
        second_.declare(make_track(Track::Kind::event_type, none, "words", bases[1]));
        correspondence_.read(first_, second_);
        for (const std::size_t side : both_sides)
            CHECK(correspondence_.number_of(side, 0) == 0);
    }

    struct Word {
        Tick time = 0;
        std::string text;
    };

    /// The result of comparing two sequences. `turns` states from which sequence each record was read.
    struct Result {
        TrackCounts counts;
        std::vector<std::string> differences;

        friend bool operator==(const Result& a, const Result& b) {
            return a.differences == b.differences && a.counts.equal == b.counts.equal;
        }
    };
    template <typename Turns>
    Result compare(const std::vector<Word>& first, const std::vector<Word>& second, Turns&& turns) {
        ComparisonLedger ledger(correspondence_, 1'000'000);
        LaneComparison lane(correspondence_, ledger, options_);
        const std::array<const std::vector<Word>*, 2> words{&first, &second};
        std::array<std::size_t, 2> next{};
        while (next[0] < first.size() || next[1] < second.size()) {
            std::size_t side = turns();
            if (next[side] == words[side]->size()) side = 1 - side;
            add(lane, side, (*words[side])[next[side]], next[side]);
            if (++next[side] == words[side]->size()) lane.end(side);
        }
        lane.end(0);
        lane.end(1);
        Result result;
        if (!ledger.counts().empty()) result.counts = ledger.counts().front();
        for (const Difference& difference : ledger.differences()) {
            std::string text;
            for (const std::size_t side : both_sides)
                text.append(difference.missing == side ? "-" : std::to_string(difference.position[side].value()))
                    .append(side == 0 ? " " : "");
            result.differences.push_back(text);
        }
        return result;
    }
    Result compare(const std::vector<Word>& first, const std::vector<Word>& second) {
        std::size_t turn = 0;
        return compare(first, second, [&] { return ++turn % 2; });
    }

private:
    void add(LaneComparison& lane, std::size_t side, const Word& word, std::size_t position) {
        const std::uint32_t name = correspondence_.name("word"), size = static_cast<std::uint32_t>(word.text.size());
        Bytes parts(sizeof name + sizeof size + size);
        std::memcpy(parts.data(), &name, sizeof name);
        std::memcpy(parts.data() + sizeof name, &size, sizeof size);
        if (size != 0) std::memcpy(parts.data() + sizeof name + sizeof size, word.text.data(), size);
        lane.add(side, {0, word.time, 0, position, parts});
    }

    Ignored ignored_;
    Schema first_, second_;
    Correspondence correspondence_;
    LaneComparison::Options options_;
};

std::vector<Words::Word> words_of(std::string_view letters) {
    std::vector<Words::Word> words;
    for (const char letter : letters)
        words.push_back({0, std::string(1, letter)});
    return words;
}

// --- traces --------------------------------------------------------------------------------------------------------

const Format& format(std::string_view name) {
    const Format* found = find_format(formats(), name);
    REQUIRE(found != nullptr);
    return *found;
}

/// A transaction log of one stream, as SCV writes it. Times are in ns.
class Log {
public:
    void transaction(std::string_view generator, unsigned begin, unsigned end, unsigned address) {
        const unsigned id = ++count_;
        const unsigned number = generator == "read" ? 1 : 2;
        const auto at = [](unsigned time) { return std::to_string(time) + " ns\n"; };
        text_ += "tx_begin " + std::to_string(id) + " " + std::to_string(number) + " " + at(begin) + "a " +
                 std::to_string(address) + "\n" + "tx_end " + std::to_string(id) + " " + std::to_string(number) + " " +
                 at(end);
    }
    /// Returns the log. `declared` is inserted after the generators.
    Bytes bytes(std::string_view declared = {}) const {
        const std::string head =
            "scv_tr_stream (ID 1, name \"bus\", kind \"TRANSACTOR\")\n"
            "scv_tr_generator (ID 1, name \"read\", scv_tr_stream 1,\n"
            "begin_attribute (ID 0, name \"address\", type \"UNSIGNED\")\n)\n"
            "scv_tr_generator (ID 2, name \"write\", scv_tr_stream 1,\n"
            "begin_attribute (ID 0, name \"address\", type \"UNSIGNED\")\n)\n";
        const std::string all = head + std::string(declared) + text_;
        const auto bytes = std::as_bytes(std::span(all));
        return {bytes.begin(), bytes.end()};
    }

private:
    std::string text_;
    unsigned count_ = 0;
};

struct Compared {
    Comparison comparison;
    std::vector<std::string> lines;  ///< the differences, as "< ..." and "> ..."
};

Compared compared(const Bytes& first, const Bytes& second, const ComparisonOptions& options = {},
                  const Choices& choices = {}, const Format& of = format("txlog")) {
    Input a = Input::memory("a", first), b = Input::memory("b", second);
    Findings findings_of_a, findings_of_b;
    const std::array<ComparedTrace, 2> traces{ComparedTrace{a, of, choices, findings_of_a},
                                              ComparedTrace{b, of, choices, findings_of_b}};
    Compared result{compare(traces, options), {}};
    for (const Difference& difference : result.comparison.differences)
        for (const std::size_t side : both_sides) {
            if (difference.missing == side) continue;
            for (const ShownRecord& record : records_at(traces[side], false, {difference.position[side].value()}))
                result.lines.push_back((side == 0 ? "< " : "> ") + record.line);
        }
    return result;
}

/// Returns a log of alternating reads and writes, `count` of each.
Log busy_bus(unsigned count) {
    Log log;
    for (unsigned i = 0; i < count; ++i) {
        log.transaction("read", 10 * i, 10 * i + 5, 0x1000 + i);
        log.transaction("write", 10 * i + 1, 10 * i + 7, 0x2000 + i);
    }
    return log;
}

}  // namespace

TEST_CASE("a changed, a missing and an added record are one difference each, and later records are equal") {
    Words words;
    const auto differences = [&](std::string_view first, std::string_view second) {
        return words.compare(words_of(first), words_of(second)).differences;
    };
    using Lines = std::vector<std::string>;
    CHECK(differences("abcdef", "abcdef") == Lines{});
    CHECK(differences("abcdef", "abXdef") == Lines{"2 2"});
    CHECK(differences("abcdef", "abdef") == Lines{"2 -"});
    CHECK(differences("abcdef", "abcXdef") == Lines{"- 3"});
    CHECK(differences("abcdef", "bcdef") == Lines{"0 -"});
    CHECK(differences("abcdef", "abcdefX") == Lines{"- 6"});
    CHECK(differences("abcdef", "abcdeX") == Lines{"5 5"});
    CHECK(differences("abcdefgh", "aXcYefg") == Lines{"1 1", "3 3", "7 -"});
    CHECK(differences("abab", "abxyab") == Lines{"- 2", "- 3"});
    CHECK(differences("aXbYcd", "bcd") == Lines{"0 -", "1 -", "3 -"});
    CHECK(differences("abcd", "XbYd") == Lines{"0 0", "2 2"});
    CHECK(differences("abc", "") == Lines{"0 -", "1 -", "2 -"});
}

TEST_CASE("random edits are found exactly, whichever trace is read faster") {
    std::mt19937 random(7);
    for (unsigned round = 0; round < 30; ++round) {
        CAPTURE(round);
        Words words(0, {.window = 64});
        std::vector<Words::Word> first, second;
        TrackCounts made;
        for (unsigned i = 0; i < 400; ++i) {
            // Words recur, but two neighbours always differ.
            const Words::Word word{static_cast<Tick>(i), "w" + std::to_string(i % 40)};
            const unsigned edit = i % 20 == 10 ? random() % 4 : 0;
            if (edit != 2) first.push_back(word);
            if (edit == 1)
                second.push_back({word.time, "changed"});
            else if (edit != 3)
                second.push_back(word);
            made.different += edit == 1;
            made.only[1] += edit == 2;
            made.only[0] += edit == 3;
            made.equal += edit == 0;
        }
        const auto by_turns = words.compare(first, second);
        CHECK(by_turns.counts.equal == made.equal);
        CHECK(by_turns.counts.different == made.different);
        CHECK(by_turns.counts.only == made.only);
        CHECK(words.compare(first, second, [] { return std::size_t{0}; }) == by_turns);
        CHECK(words.compare(first, second, [] { return std::size_t{1}; }) == by_turns);
        CHECK(words.compare(first, second, [&] { return std::size_t{random() % 2}; }) == by_turns);
    }
}

TEST_CASE("matching records are searched for only within the window") {
    std::vector<Words::Word> first, second;
    for (unsigned i = 0; i < 100; ++i)
        first.push_back({static_cast<Tick>(i), std::to_string(i)});
    second.assign(first.begin() + 30, first.end());
    const auto only_in_first = [&](std::size_t window) {
        Words words(0, {.window = window});
        return words.compare(first, second).counts.only[0];
    };
    CHECK(only_in_first(40) == 30);
    Words near(0, {.window = 8});
    CHECK(near.compare(first, second).counts.equal == 0);
}

TEST_CASE("many separate differences do not take excessive time to find") {
    Words words;
    std::vector<Words::Word> first, second;
    for (unsigned i = 0; i < 40'000; ++i) {
        first.push_back({static_cast<Tick>(i), std::to_string(i)});
        second.push_back({static_cast<Tick>(i), i % 4 == 0 ? "other" : std::to_string(i)});
    }
    const auto result = words.compare(first, second);  // each search reads a few records, not the whole window
    CHECK(result.counts.equal == 30'000);
    CHECK(result.counts.different == 10'000);
}

TEST_CASE("times may differ by the tolerance, even after an insertion") {
    std::vector<Words::Word> first, second{{0, "new"}};
    for (unsigned i = 0; i < 50; ++i) {
        first.push_back({static_cast<Tick>(100 * i), "w"});
        second.push_back({static_cast<Tick>(100 * i + i % 6), "w"});
    }
    Words exact, tolerant(5'000), nearly(4'000);
    CHECK(exact.compare(first, second).counts.equal < 20);
    CHECK(tolerant.compare(first, second).counts.equal == 50);
    CHECK(tolerant.compare(first, second).differences == std::vector<std::string>{"- 0"});
    CHECK(nearly.compare(first, second).counts.different == 8);
}

TEST_CASE("times are compared exactly, in any units") {
    constexpr TimeBase at_300_mhz{TimeBase::Kind::cycles, 1, 300'000'000};
    constexpr TimeBase unknown{TimeBase::Kind::cycles, 1, 0};
    const std::vector<Words::Word> first{{3, "a"}, {300'000'000, "b"}, {std::int64_t{1} << 60, "c"}};
    const std::vector<Words::Word> second{{10, "a"}, {1'000'000'000, "b"}, {(std::int64_t{1} << 60) / 3 * 10, "c"}};
    const auto equal = [&](TimeBase base, TimeBase other, std::uint64_t tolerance_ps) {
        Words words(tolerance_ps, {}, {base, other});
        return words.compare(first, second).counts.equal;
    };
    CHECK(equal(at_300_mhz, Words::nanoseconds, 0) == 2);  // 2^60 is not a multiple of 3
    CHECK(equal(at_300_mhz, Words::nanoseconds, 3'334) == 3);
    CHECK(equal(at_300_mhz, Words::nanoseconds, 3'333) == 2);
    CHECK(equal(Words::nanoseconds, Words::nanoseconds, 0) == 0);
    CHECK(equal(ordinals, Words::nanoseconds, 0) == 3);  // ticks of unknown length are not compared
    CHECK(equal(unknown, Words::nanoseconds, 0) == 3);
    CHECK(equal(unknown, unknown, 0) == 0);
}

TEST_CASE("records of equal time may be in any order if order is ignored") {
    Words ordered, any(0, {.any_order = true});
    const std::vector<Words::Word> first{{1, "a"}, {1, "b"}, {1, "c"}, {2, "d"}, {2, "e"}};
    const std::vector<Words::Word> second{{1, "c"}, {1, "a"}, {1, "b"}, {2, "e"}, {2, "d"}};
    CHECK(ordered.compare(first, second).counts.equal < 5);
    CHECK(any.compare(first, second).counts.equal == 5);
}

TEST_CASE("a difference states its place and parts, and each track its number of equal records") {
    Log first = busy_bus(50), second = busy_bus(50);
    first.transaction("read", 1000, 1010, 7);
    second.transaction("read", 1000, 1020, 8);
    first.transaction("write", 1100, 1110, 9);
    const Compared result = compared(first.bytes(), second.bytes());
    CHECK_FALSE(result.comparison.equal());
    REQUIRE(result.comparison.differences.size() == 2);
    CHECK(result.comparison.differences[0].parts == std::vector<std::string>{"duration", "address begin"});
    CHECK(result.comparison.differences[1].missing == std::size_t{1});
    REQUIRE(result.lines.size() == 3);
    CHECK(result.lines[0].find("interval bus/read duration=10") != std::string::npos);
    CHECK(result.lines[1].find("interval bus/read duration=20") != std::string::npos);
    CHECK(result.lines[2].find("interval bus/write duration=10") != std::string::npos);
    CHECK(result.comparison.schema.empty());
    REQUIRE(result.comparison.tracks.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        const bool reads = result.comparison.tracks[i].path == "bus/read";
        CHECK(result.comparison.counts[i].equal == 50);
        CHECK(result.comparison.counts[i].different == (reads ? 1 : 0));
        CHECK(result.comparison.counts[i].only[0] == (reads ? 0 : 1));
    }
}

TEST_CASE("ignored parts cause no differences, and the rest is compared") {
    Log first = busy_bus(5), second = busy_bus(5);
    first.transaction("read", 1000, 1010, 7);
    second.transaction("read", 1002, 1012, 8);
    const auto equal = [&](std::vector<std::string> ignored) {
        ComparisonOptions options;
        options.ignored = parse_ignored(ignored);
        return compared(first.bytes(), second.bytes(), options).comparison.equal();
    };
    CHECK_FALSE(equal({}));
    CHECK_FALSE(equal({"time"}));
    CHECK_FALSE(equal({"field=addr*"}));
    CHECK(equal({"time", "field=addr*"}));
    CHECK(equal({"track=read"}));
    CHECK(equal({"track=bus/re?d"}));
    CHECK_FALSE(equal({"track=write"}));
    CHECK(equal({"kind=interval"}));
    CHECK(equal({"scope=bus"}));
    for (const char* wrong : {"", "nothing", "field=", "kind=bus", "time=5"})
        CHECK_THROWS_AS(parse_ignored(std::vector<std::string>{wrong}), Error);
}

TEST_CASE("declarations are compared by name, unless schemas are ignored") {
    const Log log = busy_bus(5);
    const Bytes plain = log.bytes();
    const Bytes more = log.bytes("scv_tr_stream (ID 2, name \"port\", kind \"TRANSACTOR\")\n");
    const Comparison comparison = compared(plain, more).comparison;
    CHECK(comparison.totals().same());
    REQUIRE(comparison.schema.size() == 1);
    CHECK(comparison.schema[0].what == "scope");
    CHECK(comparison.schema[0].subject == "port");
    CHECK_FALSE(comparison.schema[0].values[0].has_value());
    CHECK(comparison.schema[0].values[1] == "protocol=TRANSACTOR id=2");
    ComparisonOptions options;
    options.ignored = parse_ignored(std::vector<std::string>{"schema"});
    CHECK(compared(plain, more, options).comparison.equal());
    // For slices, only the records are compared.
    Choices part;
    part.range = Range{Range::Unit::record, 0, 3};
    CHECK(compared(plain, more, {}, part).comparison.equal());
}

TEST_CASE("records with a key are found anywhere") {
    Log first, second;
    for (unsigned i = 0; i < 200; ++i) {
        first.transaction("read", 10 * i, 10 * i + 5, i);
        second.transaction("read", 10 * i, 10 * i + (i == 150 ? 6 : 5), (i + 100) % 200);
    }
    ComparisonOptions options;
    options.ignored = parse_ignored(std::vector<std::string>{"time", "field=id"});
    CHECK(compared(first.bytes(), second.bytes(), options).comparison.totals().equal < 150);
    options.by_key = true;
    options.keys = {"address"};
    const Compared all = compared(first.bytes(), second.bytes(), options);
    CHECK(all.comparison.equal());
    CHECK(all.comparison.totals().equal == 200);
    options.ignored = parse_ignored(std::vector<std::string>{"field=id"});
    CHECK(compared(first.bytes(), second.bytes(), options).comparison.totals().different == 200);
}

TEST_CASE("traces whose order differs too much are sorted, with the same result") {
    Log first, second;
    for (unsigned i = 0; i < 2000; ++i)
        first.transaction("read", 10 * i, 10 * i + 5, i);
    for (unsigned i = 0; i < 2000; ++i)
        first.transaction("write", 40'000 + 10 * i, 40'000 + 10 * i + 5, i);
    for (unsigned i = 0; i < 2000; ++i) {
        second.transaction("write", 10 * i, 10 * i + 5, i);
        if (i != 77) second.transaction("read", 10 * i, 10 * i + 5, i + (i == 99 ? 1 : 0));
    }
    ComparisonOptions options;
    options.ignored = parse_ignored(std::vector<std::string>{"field=id", "track=none"});
    const Compared together = compared(first.bytes(), second.bytes(), options);
    CHECK_FALSE(together.comparison.sorted);
    options.memory = 10'000;
    const Compared sorted = compared(first.bytes(), second.bytes(), options);
    CHECK(sorted.comparison.sorted);
    CHECK(sorted.lines == together.lines);
    const TrackCounts a = sorted.comparison.totals(), b = together.comparison.totals();
    CHECK(a.equal == b.equal);
    CHECK(a.different == b.different);
    CHECK(a.only == b.only);
    CHECK(a.different == 2001);  // all writes, which have moved, and one read
    CHECK(a.only[0] == 1);
}

}  // namespace comparison_test

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "convert/convert.hpp"
#include "convert/model_dump.hpp"
#include "convert/plan.hpp"
#include "convert/prescan.hpp"
#include "convert/stage_run.hpp"
#include "formats.hpp"
#include "ftr/chunks.hpp"
#include "hwtrace/recording.hpp"
#include "io/error.hpp"
#include "io/input.hpp"
#include "io/text_output.hpp"
#include "support/corpus.hpp"

namespace file_test {

using namespace hwtrace::recording;

namespace {

namespace fs = std::filesystem;

/// Returns the records of the file after undoing all lowerings. Any finding except `allowed` is a failure.
std::string model_of(const std::string& path, const std::string& allowed = {}) {
    const hwtrace::Settings settings;
    hwtrace::Findings findings;
    hwtrace::Input input = hwtrace::Input::open(path);
    const hwtrace::Format* const format = hwtrace::sniff_format(hwtrace::formats(), input);
    REQUIRE(format != nullptr);
    const hwtrace::Format& ftr = *hwtrace::find_format(hwtrace::formats(), "ftr");
    hwtrace::PreparedSource source(input, *format, ftr, settings, findings);
    hwtrace::Losses losses;
    hwtrace::Choices choices;
    hwtrace::Plan plan = hwtrace::make_raising_plan(source.schema(), ftr, choices, losses);
    std::string text;
    hwtrace::TextOutput out(-1, 1 << 20);
    hwtrace::Batch batch;
    hwtrace::StageRun run(plan);
    const hwtrace::Schema& schema = plan.target_schema(source.schema());
    while (source.reader().read(batch)) {
        hwtrace::dump_records(schema, run.apply(batch), out);
        batch.clear();
    }
    run.finish([&](hwtrace::Batch& rest) { hwtrace::dump_records(schema, rest, out); });
    for (const hwtrace::Finding& finding : findings.kept()) {
        CAPTURE(hwtrace::describe(finding));
        CHECK(finding.rule->id == allowed);
    }
    CHECK(losses.none());
    return std::string(out.text());
}

/// Makes the same calls for every file.
void record(Database& db) {
    Stream bus = db.stream("bus", "transactor");
    auto read = bus.generator<std::uint32_t, bool>("read", "addr", "ok", Events::yes);
    auto write = db.stream("memory").generator("write", "addr");
    auto first = read.begin_at(10, 0x80u);
    auto second = write.begin_at(12, 3.25);
    second.relate("leads_to", first).record("data", BitVector{"0110"}).record("%n \"quoted\"", "100%");
    first.event_at(15, "stall", "reason", "full");
    second.end_at(20);
    first.end_at(30, true);
}

}  // namespace

TEST_CASE("a recording is an FTR file, plain or compressed") {
    constexpr std::size_t behind_info = 14;
    const hwtrace::test::TemporaryFolder folder;
    for (const char* compression : {"none", "lz4"}) {
        CAPTURE(compression);
        const std::string path = folder / "run.ftr";
        Database db(path, Options{.format_options = {{"ftr-compression", compression}}, .epoch = 1'700'000'000});
        record(db);
        db.close();
        CHECK(db.losses().empty());
        CHECK(model_of(path) ==
              "15 interval bus/read.events duration=0 id=0x3 name=\"stall\" reason=\"full\"\n"
              "10 interval bus/read duration=20 id=0x1 addr=0x80 ok=1\n"
              "12 interval memory/write duration=8 id=0x2 addr=3.25 data=\"0110\" \"%n \\\"quoted\\\"\"=\"100%\"\n"
              "12 relation leads_to from=1 to=2 source_stream=1 sink_stream=4\n"
              "12 relation parent_of from=1 to=3 source_stream=1 sink_stream=1\n");
        const auto dictionary = static_cast<int>(hwtrace::test::read_file(path).at(behind_info));
        CHECK(dictionary == (compression == std::string("lz4") ? 0xC9 : 0xC8));
    }
}

TEST_CASE("FTR doubles: a recording has the form that viewers read, and reports changed numbers") {
    const hwtrace::test::TemporaryFolder folder;
    const auto losses_of = [&](const std::string& name, const Options& options) {
        Database db(folder / name, options);
        (void)db.relation("never used");
        db.stream("s").generator("g", "value").begin_at(1, 0.1).record("half", 0.5).end_at(2);
        db.close();
        return db.losses();
    };
    CHECK(losses_of("run.ftr", {}) ==
          std::vector<std::string>{"value-narrowed g.value, 1 time, first at 1: the number is not exact in binary32"});
    CHECK(model_of(folder / "run.ftr") == "1 interval s/g duration=1 id=0x1 value=0.10000000149011612 half=0.5\n");
    CHECK(hwtrace::test::read_text(folder / "run.ftr").find("hwtrace") == std::string::npos);
    const std::vector<std::string> wide = losses_of("wide.ftr", {.format_options = {{"ftr-doubles", "binary64"}}});
    REQUIRE(wide.size() == 1);
    CHECK(wide.front().starts_with("warning: 2 numbers in binary64: SCViewer and Surfer lose"));
    CHECK(model_of(folder / "wide.ftr", "FTR036") == "1 interval s/g duration=1 id=0x1 value=0.1 half=0.5\n");
    // A recording of another format keeps the digits.
    CHECK(losses_of("run.txlog", {}).empty());
    CHECK(model_of(folder / "run.txlog").find("value=0.1 ") != std::string::npos);
}

TEST_CASE("a recording is a transaction log") {
    const hwtrace::test::TemporaryFolder folder;
    Database db(folder / "run.txlog"), packed(folder / "run.txlog.gz");
    for (Database* database : {&db, &packed}) {
        record(*database);
        database->close();
        CHECK(database->losses() ==
              std::vector<std::string>{"name-changed %n \"quoted\", 1 time, first it is written as %n_'quoted'"});
    }
    CHECK(hwtrace::test::read_text(folder / "run.txlog") == R"(scv_tr_stream (ID 1, name "bus", kind "transactor")
scv_tr_stream (ID 4, name "memory", kind "<no_stream_kind>")
scv_tr_generator (ID 2, name "read", scv_tr_stream 1,
begin_attribute (ID 0, name "addr", type "UNSIGNED")
end_attribute (ID 1, name "ok", type "BOOLEAN")
)
scv_tr_generator (ID 3, name "read.events", scv_tr_stream 1,
begin_attribute (ID 0, name "name", type "STRING")
)
scv_tr_generator (ID 5, name "write", scv_tr_stream 4,
begin_attribute (ID 0, name "addr", type "FLOATING_POINT_NUMBER")
)
tx_begin 1 2 10 ps
a 128
tx_begin 2 5 12 ps
a 3.25
tx_record_attribute 2 "data" BIT_VECTOR = "0110"
tx_record_attribute 2 "%n_'quoted'" STRING = "100%"
tx_relation "leads_to" 2 1
tx_relation "parent_of" 3 1
tx_begin 3 3 15 ps
a "stall"
tx_record_attribute 3 "reason" STRING = "full"
tx_end 3 3 15 ps
tx_end 2 5 20 ps
tx_end 1 2 30 ps
a true
)");
    CHECK(model_of(folder / "run.txlog.gz") == model_of(folder / "run.txlog"));
}

TEST_CASE("a recording becomes a file of any other suitable format, and its losses are listed") {
    const hwtrace::test::TemporaryFolder folder;
    Database db(folder / "run.pccx", Options{.temporary_folder = folder.path()});
    record(db);
    db.close();
    const std::vector<std::string> losses = db.losses();
    CHECK(losses.size() == 17);
    CHECK(std::ranges::find(losses, "relation-dropped leads_to, 1 time, first relation at 12") != losses.end());
    CHECK(std::ranges::find(losses, "type-changed read, 1 time, first its ticks become cycles") != losses.end());
    CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("a recording becomes a µScope trace and is restored from it") {
    const hwtrace::test::TemporaryFolder folder;
    {
        Database ftr(folder / "run.ftr"), uscope(folder / "run.uscope");
        record(ftr);
        record(uscope);
    }
    CHECK(model_of(folder / "run.uscope") == model_of(folder / "run.ftr"));
}

TEST_CASE("every format keeps names and texts of any length, even with percent signs") {
    const std::string long_name(100'000, 'n'), long_text(2'000'000, 't'), format = "%s%n%1000000d";
    const hwtrace::test::TemporaryFolder folder;
    for (const char* name : {"run.ftr", "run.txlog", "run.txlog.gz"}) {
        CAPTURE(name);
        Database db(folder / name);
        auto generator = db.stream(long_name, format).generator("g", long_name + "b", "%s");
        Transaction t = generator.begin_at(1, format);
        t.record(long_name, long_text).record("x", 1).end_at(2, format);
        db.close();
        CHECK(db.losses().empty());
        const std::string text = model_of(folder / name);
        CHECK(text.find(long_name + "/g duration=1 ") != std::string::npos);
        CHECK(text.find(long_name + "b=\"" + format) != std::string::npos);
        CHECK(text.find(long_name + "=\"" + long_text + "\" x=1 %s=\"" + format) != std::string::npos);
    }
}

TEST_CASE("a recording that close() cannot convert is kept as FTR") {
    const hwtrace::test::TemporaryFolder folder;
    std::string message;
    Database db(folder / "run.uscope", Options{.temporary_folder = folder.path()});
    db.stream("s").generator("g").begin_at(1).record(std::string(100'000, 'n'), 1).end();
    try {
        db.close();
    } catch (const Error& error) {
        message = error.what();
    }
    CHECK_FALSE(fs::exists(folder / "run.uscope"));
    const std::string where = "; the recorded data is in ";
    REQUIRE(message.find(where) != std::string::npos);
    const std::string kept = message.substr(message.find(where) + where.size());
    CHECK(fs::path(kept).parent_path() == folder.path());
    CHECK(model_of(kept) == "1 interval s/g duration=0 id=0x1 " + std::string(100'000, 'n') + "=1\n");
}

TEST_CASE("unfinished transactions are ended and marked, and the file is complete") {
    const hwtrace::test::TemporaryFolder folder;
    const std::string path = folder / "run.ftr";
    {
        Database db(path);
        (void)db.stream("s").generator("g").begin_at(5);
        db.stream("t").generator("h").begin_at(3).end_at(9);
    }
    const std::string model = model_of(path);
    CHECK(model.find("5 interval s/g duration=4 id=0x1 unfinished=1\n") != std::string::npos);
    CHECK(model.find("3 interval t/h duration=6 id=0x2\n") != std::string::npos);
}

TEST_CASE("a growing file keeps the flushed data when its writer is killed") {
    const hwtrace::test::TemporaryFolder folder;
    const std::string path = folder / "run.ftr";
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        auto* const db = new Database(path, Options{.visibility = Visibility::growing});
        auto generator = db->stream("s").generator("g", "n");
        for (int i = 0; i < 1000; ++i)
            generator.begin_at(static_cast<Time>(i), i).end();
        db->flush();
        generator.begin_at(2000, -1).end();
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    const std::string model = model_of(path, "FTR004");
    CHECK(model.find("999 interval s/g duration=0 id=0x3e8 n=999\n") != std::string::npos);
    CHECK(model.find("n=-1") == std::string::npos);
}

TEST_CASE("a growing file can flush itself and be read while it grows") {
    const hwtrace::test::TemporaryFolder folder;
    const std::string path = folder / "run.ftr";
    Database db(path, Options{.visibility = Visibility::growing, .flush_every = 10});
    auto generator = db.stream("s").generator("g", "n");
    for (int i = 0; i < 25; ++i)
        generator.begin_at(static_cast<Time>(i), i).end();
    const std::string early = model_of(path, "FTR004");
    CHECK(std::count(early.begin(), early.end(), '\n') == 20);
    auto late = db.stream("appears").generator("late", "text");
    late.begin_at(30, "later").end();
    db.flush();
    const std::string later = model_of(path, "FTR004");
    CHECK(std::count(later.begin(), later.end(), '\n') == 26);
    CHECK(later.ends_with("30 interval appears/late duration=0 id=0x1a text=\"later\"\n"));
    db.close();
    CHECK(model_of(path) == later);
}

TEST_CASE("every format keeps the tick of the database") {
    const hwtrace::test::TemporaryFolder folder;
    for (const int exponent : {3, 0, -3, -9, -11, -12, -15, -18}) {
        CAPTURE(exponent);
        const std::string path = folder / "run.ftr";
        Database db(path, Options{.exponent = exponent});
        db.stream("s").generator("g").begin_at(3, Ticks{5}).end_at(7);
        db.close();
        CHECK(model_of(path) == "3 interval s/g duration=4 id=0x1 unnamed=5\n");
        const hwtrace::Settings settings;
        hwtrace::Findings findings;
        hwtrace::Input input = hwtrace::Input::open(path);
        const auto reader = hwtrace::find_format(hwtrace::formats(), "ftr")->open(input, settings, findings);
        hwtrace::TimeBase tick{hwtrace::TimeBase::Kind::seconds, 1, 1};
        for (int i = 0; i < exponent; ++i)
            tick.num *= 10;
        for (int i = exponent; i < 0; ++i)
            tick.den *= 10;
        CHECK(reader->schema().tracks().front().time == tick);
    }
    const std::map<int, std::string> logged{{0, "tx_begin 1 2 3 s"}, {-9, "tx_begin 1 2 3 ns"}, {-11, "30 ps"}};
    for (const auto& wanted : logged) {
        {
            Database db(folder / "run.txlog", Options{.exponent = wanted.first});
            db.stream("s").generator("g").begin_at(3).end_at(7);
        }
        CAPTURE(wanted.second);
        CHECK(hwtrace::test::read_text(folder / "run.txlog").find(wanted.second) != std::string::npos);
    }
}

TEST_CASE("a loss names the text that a format cannot hold") {
    const hwtrace::test::TemporaryFolder folder;
    Database db(folder / "run.ftr");
    db.stream("s").generator("g").begin_at(1, "caf\xE9").end();
    db.close();
    const std::vector<std::string> losses = db.losses();
    REQUIRE(losses.size() == 1);
    CHECK(losses.front().ends_with(" is not UTF-8: caf\xEF\xBF\xBD"));
}

TEST_CASE("a loss states the new value of a time that a format cannot hold") {
    const hwtrace::test::TemporaryFolder folder;
    Database db(folder / "run.txlog", Options{.exponent = -5});
    db.stream("s").generator("g").begin_at(1).end_at(Time{1} << 40);
    db.close();
    std::vector<std::string> losses = db.losses();
    REQUIRE_FALSE(losses.empty());
    CHECK(losses.front() == "time-rounded g, 1 time, first tick 1099511627776 is clamped to 9223372036854775807 ps");

    for (const int exponent : {-3, -2, 3}) {
        CAPTURE(exponent);
        Database coarse(folder / "run.uscope", Options{.exponent = exponent});
        coarse.stream("s").generator("g").begin_at(1).end_at(2);
        coarse.close();
        losses = coarse.losses();
        const bool is_told =
            losses.size() == 1 && losses.front().starts_with("value-narrowed clk, 1 time, first a period of");
        CHECK(is_told == (exponent > -3));
    }
}

TEST_CASE("when the disk is full, flush() and close() name the file with the beginning of the recording") {
    for (const char* name : {"run.ftr", "growing.ftr", "packed.ftr", "run.txlog"}) {
        CAPTURE(name);
        const hwtrace::test::TemporaryFolder folder, temporary;
        const std::string path = folder / name, told = temporary / "told";
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            const rlimit small{300'000, 300'000};
            bool sound = setrlimit(RLIMIT_FSIZE, &small) == 0 && signal(SIGXFSZ, SIG_IGN) != SIG_ERR;
            Options options{.temporary_folder = temporary.path()};
            if (name == std::string("growing.ftr")) options.visibility = Visibility::growing;
            if (name == std::string("packed.ftr")) options.format_options["ftr-compression"] = "lz4";
            auto* const db = new Database(path, options);
            const auto generator = db->stream("s").generator("g", "text");
            for (int i = 0; i < 100'000; ++i)
                generator.begin_at(static_cast<Time>(i), std::to_string(i)).end();
            for (const bool closes : {false, true}) {
                try {
                    closes ? db->close() : db->flush();
                    sound = false;
                } catch (const Error& error) {
                    sound = sound && error.kind() == Error::Kind::io;
                    std::ofstream(told) << error.what();
                }
            }
            sound = sound && generator.begin_at(0).id() == 0;
            delete db;
            _exit(sound ? 0 : 1);
        }
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK(status == 0);
        const std::string message = hwtrace::test::read_text(told), where = "; the recorded data is in ";
        REQUIRE(message.find(where) != std::string::npos);
        const std::string kept = message.substr(message.find(where) + where.size());
        CHECK(fs::exists(path) == (name == std::string("growing.ftr")));
        CHECK(fs::path(kept).parent_path() == (name == std::string("run.txlog") ? temporary.path() : folder.path()));
        const std::string model = model_of(kept, "FTR005");
        CHECK(std::count(model.begin(), model.end(), '\n') > 1000);
        CHECK(model.find("1000 interval s/g duration=0 id=0x3e9 text=\"1000\"\n") != std::string::npos);
        CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) ==
              (name == std::string("run.txlog") ? 0 : 1));
    }
}

TEST_CASE("a block is preceded by the texts of its transactions, and not by later texts") {
    const hwtrace::test::TemporaryFolder folder;
    {
        Database db(folder / "run.ftr");
        auto generator = db.stream("s").generator("g", "text");
        for (int i = 0; i < 20'000; ++i)
            generator.begin_at(static_cast<Time>(i), "words " + std::to_string(i)).end();
    }
    hwtrace::Input input = hwtrace::Input::open(folder / "run.ftr");
    hwtrace::Findings findings;
    const hwtrace::Limits limits;
    hwtrace::ftr::ChunkWalk walk(input, limits, nullptr);
    hwtrace::ftr::ContentSource contents(input, limits, findings);
    hwtrace::ftr::ChunkHead chunk;
    hwtrace::ftr::Content content;
    int texts = 0, transactions = 0, blocks = 0;
    REQUIRE(walk.begin());
    while (walk.next(chunk)) {
        REQUIRE(contents.fetch(chunk, content));
        const std::string_view bytes(reinterpret_cast<const char*>(content.bytes.data()), content.bytes.size());
        const auto count = [&](std::string_view what) {
            int found = 0;
            for (std::size_t at = bytes.find(what); at != bytes.npos; at = bytes.find(what, at + 1))
                ++found;
            return found;
        };
        if (chunk.is(hwtrace::ftr::Chunk::dictionary)) texts += count("words ");
        if (!chunk.is(hwtrace::ftr::Chunk::block)) continue;
        transactions += count("\x82\xC6\x84");  // counts transactions with one attribute
        CHECK(texts == transactions);
        ++blocks;
    }
    CHECK(blocks > 3);
    CHECK(transactions == 20'000);
}

TEST_CASE("two databases can record at once, and eight threads can record into one file") {
    constexpr int threads = 8, each = 1000;
    const hwtrace::test::TemporaryFolder folder;
    {
        Database one(folder / "one.ftr"), two(folder / "two.ftr");
        auto shared = one.stream("s").generator<int, int>("g", "begin", "end");
        two.stream("t").generator("h").begin_at(1).end_at(2);
        std::vector<std::thread> workers;
        for (int number = 0; number < threads; ++number)
            workers.emplace_back([&, number] {
                for (int i = 0; i < each; ++i)
                    shared.begin_at(static_cast<Time>(i), number).end(i);
            });
        for (std::thread& worker : workers)
            worker.join();
    }
    const std::string model = model_of(folder / "one.ftr");
    CHECK(std::count(model.begin(), model.end(), '\n') == threads * each);
    CHECK(model_of(folder / "two.ftr") == "1 interval t/h duration=1 id=0x1\n");
}

TEST_CASE("exactly the formats that can hold any transaction can be recorded") {
    const hwtrace::Format& ftr = *hwtrace::find_format(hwtrace::formats(), "ftr");
    hwtrace::Schema schema;
    hwtrace::Track track;
    track.kind = hwtrace::Track::Kind::stream;
    track.time = {hwtrace::TimeBase::Kind::seconds, 1, 1};
    schema.declare(std::move(track));
    for (const hwtrace::Format* const format : hwtrace::formats()) {
        CAPTURE(format->name);
        bool has_place = true;
        try {
            hwtrace::Losses losses;
            hwtrace::make_plan(schema, ftr, *format, {}, losses);
        } catch (const hwtrace::Error&) {
            has_place = false;
        }
        CHECK(has_place == (hwtrace::find_format(hwtrace::transaction_formats(), std::string(format->name)) == format));
    }
}

TEST_CASE("unusable paths and options are refused when a database is opened") {
    const hwtrace::test::TemporaryFolder folder;
    const auto refused = [&](const std::string& path, Options options) {
        try {
            Database db(path, std::move(options));
        } catch (const Error& error) {
            return error.kind();
        }
        return Error::Kind::bug;
    };
    CHECK(refused(folder / "run.unknown", {}) == Error::Kind::usage);
    CHECK(refused(folder / "run.ftr", {.format = "nonsense"}) == Error::Kind::usage);
    CHECK(refused(folder / "run.ftr", {.format_options = {{"nonsense", "1"}}}) == Error::Kind::usage);
    CHECK(refused(folder / "run.ftr", {.format_options = {{"ftr-compression", "1"}}}) == Error::Kind::usage);
    CHECK(refused(folder / "run.stf", {}) == Error::Kind::usage);
    CHECK(refused(folder / "run.kanata", {}) == Error::Kind::usage);
    CHECK(refused(folder / "run.uscope", {.visibility = Visibility::growing}) == Error::Kind::usage);
    CHECK(refused(folder / "missing/run.ftr", {}) == Error::Kind::io);
    Database(folder / "run.ftr").close();
    CHECK(refused(folder / "run.ftr", {.replace = false}) == Error::Kind::usage);
    CHECK(fs::exists(folder / "run.ftr"));
}

TEST_CASE("a text in an array ends with the array") {
    const hwtrace::test::TemporaryFolder folder;
    const std::string path = folder / "run.ftr";
    Database db(path);
    const char tag[4] = {'a', 'b', 'c', 'd'};
    db.stream("s").generator("g").begin_at(1).record("tag", tag).record("text", "ab").end_at(2);
    db.close();
    const std::string model = model_of(path);
    CHECK(model.find("tag=\"abcd\" text=\"ab\"") != std::string::npos);
}

TEST_CASE("a file that appears during the recording is not replaced, and the recording is kept") {
    for (const char* name : {"run.txlog", "run.ftr"}) {
        CAPTURE(name);
        const hwtrace::test::TemporaryFolder folder, temporary;
        const std::string path = folder / name;
        Database db(path, Options{.replace = false, .temporary_folder = temporary.path()});
        record(db);
        std::ofstream(path) << "somebody else's";
        std::string message;
        try {
            db.close();
        } catch (const Error& error) {
            CHECK(error.kind() == Error::Kind::usage);
            message = error.what();
        }
        const std::string words =
            path + ": the output already exists; Options::replace replaces it; the recorded data is in ";
        REQUIRE(message.starts_with(words));
        CHECK(model_of(message.substr(words.size())).find("bus/read") != std::string::npos);
        CHECK(fs::file_size(path) == 15);
    }
}

TEST_CASE("errors name options of the library, not of the command line") {
    const hwtrace::test::TemporaryFolder folder;
    const std::string path = folder / "run.ftr";
    const auto refused = [](const std::string& name, const Options& options) {
        try {
            Database db(name, options);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    Database(path).close();
    CHECK(refused(path, {.replace = false}) == path + ": the output already exists; Options::replace replaces it");
    CHECK(refused("/dev/full", {.format = "ftr"}) == "/dev/full: the output is not a regular file");
}

TEST_CASE("two databases at once do not record into one file") {
    const hwtrace::test::TemporaryFolder folder;
    const std::string path = folder / "run.ftr";
    auto first = std::make_unique<Database>(path);
    for (const std::string& other : std::vector<std::string>{path, folder / "./run.ftr"})
        CHECK_THROWS_WITH_AS(Database(other, Options{.visibility = Visibility::growing}),
                             (other + ": another database of this program is recording it").c_str(), Error);
    Database elsewhere(folder / "other.ftr");
    first.reset();
    CHECK_NOTHROW(Database(path).close());
    Database again(path), closed(folder / "closed.ftr");
    closed.close();
    CHECK_NOTHROW(Database(folder / "closed.ftr"));
}

TEST_CASE("existing files in the temporary folder cause no problems") {
    const hwtrace::test::TemporaryFolder folder, temporary;
    std::set<std::string> names;
    for (int i = 0; i < 3; ++i) {
        Database db(folder / "run.uscope", Options{.temporary_folder = temporary.path()});
        db.stream("s").generator("g").begin_at(1).record(std::string(100'000, 'n'), 1).end();
        CHECK_THROWS_AS(db.close(), Error);           // the recording is kept
        for (int number = 0; number < 100; ++number)  // occupies the names that the library tries first
            std::ofstream(temporary /
                          ("hwtrace-recording-" + std::to_string(getpid()) + "-" + std::to_string(number) + ".ftr"));
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(temporary.path()))
        if (entry.file_size() > 0) names.insert(entry.path().filename().string());
    CHECK(names.size() == 3);
}

TEST_CASE("a child process leaves the recording to its parent") {
    const hwtrace::test::TemporaryFolder folder;
    for (const char* name : {"run.ftr", "growing.ftr", "run.txlog"}) {
        CAPTURE(name);
        const std::string path = folder / name;
        Options options{.temporary_folder = folder.path()};
        if (name == std::string("growing.ftr")) options.visibility = Visibility::growing;
        auto db = std::make_unique<Database>(path, options);
        const Stream stream = db->stream("s");
        const Generator<> generator = stream.generator("g");
        Transaction open = generator.begin_at(1);
        db->flush();
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            const bool sound = generator.begin_at(2).id() == 0 && !open.is_open();
            open.record("child", 1).event("child").relate("child", open).end();
            stream.set_recording(false);
            db->flush();
            db->close();
            db.reset();
            _exit(sound ? 0 : 1);
        }
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK(status == 0);
        generator.begin_at(5).end_at(6);
        open.end_at(7);
        CHECK_NOTHROW(db->close());
        CHECK(model_of(path).find("duration=6 id=0x1\n") != std::string::npos);
        CHECK(model_of(path).find("5 interval s/g duration=1 id=0x2\n") != std::string::npos);
        db.reset();
    }
    CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 3);
}

TEST_CASE("a growing file exists from the beginning") {
    const hwtrace::test::TemporaryFolder folder;
    const Database db(folder / "run.ftr", Options{.visibility = Visibility::growing});
    CHECK(fs::exists(folder / "run.ftr"));
}

}  // namespace file_test

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "formats/uscope_support.hpp"
#include "io/input.hpp"
#include "io/little_endian.hpp"
#include "io/output.hpp"
#include "model/state.hpp"
#include "support/corpus.hpp"
#include "uscope/item_writer.hpp"
#include "uscope/reader.hpp"
#include "uscope/writer.hpp"

namespace uscope_live_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// Records the contents of a file after each system call of its writer, in order. Another process may see each of these
/// states.
class LiveFile final : public Output {
public:
    const std::string& name() const noexcept override { return name_; }
    void append(std::span<const std::byte> bytes) override {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        states.push_back(bytes_);
    }
    std::uint64_t size() const noexcept override { return bytes_.size(); }
    void patch(std::uint64_t offset, std::span<const std::byte> bytes) override {
        std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(offset));
        states.push_back(bytes_);
        if (offset == 0x28 && load_le<std::uint64_t>(bytes.data()) != 0) commits.push_back(states.size() - 1);
    }
    void shift(std::uint64_t, std::uint64_t) override { FAIL("a live file is not moved"); }
    void sync() override {}
    void commit() override {}
    std::optional<Input> reopen() override { return std::nullopt; }

    std::vector<Bytes> states;
    std::vector<std::size_t> commits;  ///< indexes of the states that have one more committed segment

private:
    std::string name_ = "live";
    Bytes bytes_;
};

/// Makes a trace with strings and long metadata, in segments of 1000 ps.
LiveFile recorded() {
    Model model;
    model.schema.describe("long", std::string(5000, 'x'));
    LiveFile file;
    const Settings settings = settings_of({{"uscope-checkpoint", "1ns"}});
    Losses losses;
    const auto writer = uscope_format.create(file, model.schema, settings, losses);
    Batch batch;
    for (unsigned cycle = 0; cycle < 40; ++cycle) {
        const Tick time = 250 * static_cast<Tick>(cycle);
        batch.set(model.entities, time, cycle % 16, 0, cycle).flags |= record_first_of_frame;
        batch.add(model.counter, time, 0, 0, 3);
        batch.set_property(model.dense, time, 0, cycle);
        const std::uint64_t text = model.schema.intern("text " + std::to_string(cycle / 3));
        batch.event(model.stage, time, std::vector<std::uint64_t>{cycle, 1});
        batch.event(model.note, time, std::vector<std::uint64_t>{text, 0, 0, cycle});
        batch.set(model.dense, time, cycle % 5, 1, text);
        if (cycle > 8) batch.clear_slot(model.entities, time, (cycle - 8) % 16);
        writer->write(batch);
        batch.clear();
    }
    writer->finish();
    return file;
}

/// Records one new text in each segment, as a program does with the C interface.
LiveFile recorded_live(std::size_t segments) {
    Schema schema;
    const ClockId clock = schema.declare(Clock{"clk", 1000});
    Track note;
    note.kind = Track::Kind::event_type;
    note.scope = schema.declare(Scope{"/", none, "", clock});
    note.name = "note";
    note.time = picoseconds;
    note.fields = {Field{"text", Type::text}};
    schema.declare(std::move(note));
    schema.describe("long", std::string(5000, 'x'));
    LiveFile file;
    const Settings settings;
    Losses losses;
    const auto writer = uscope::create_live_writer(file, schema, settings, losses);
    for (std::size_t i = 0; i < segments; ++i) {
        const std::uint64_t text = writer->first_string() + schema.intern("text " + std::to_string(i));
        writer->begin_cycle(static_cast<Tick>(1000 * i));
        store_le(writer->items().frame().event(0, sizeof(StringId)), text);
        writer->end_cycle();
        writer->end_segment();
    }
    writer->finish();
    return file;
}

/// Returns a record without strings, which an unfinished file lacks.
std::string line_of(const Schema& schema, const Batch& batch, const Record& record) {
    const Track& track = schema.tracks()[record.track];
    std::string line = std::to_string(record.time) + ' ' + track.name + ' ' +
                       std::to_string(static_cast<int>(record.kind)) + ' ' + std::to_string(record.flags) + ' ' +
                       std::to_string(record.field);
    if (record.kind == Kind::event) return line + ' ' + std::to_string(batch.cells(record).back());
    const bool is_text = track.name == "dense" && record.field == 1 && (record.flags & record_property) == 0;
    return line + ' ' + std::to_string(record.ref) + (is_text ? "" : ' ' + std::to_string(record.value));
}

std::vector<std::string> all_lines(uscope::FileReader& reader) {
    std::vector<std::string> lines;
    Batch batch;
    while (reader.read(batch)) {
        for (const Record& record : batch.records())
            lines.push_back(line_of(reader.schema(), batch, record));
        batch.clear();
    }
    return lines;
}

std::vector<std::string> lines_of_file(const Bytes& file) {
    const Settings settings;
    Findings findings;
    const Input input = Input::memory("file", file);
    uscope::FileReader reader(input, settings, findings);
    return all_lines(reader);
}

void store(const std::filesystem::path& path, const Bytes& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Returns the index of the first state that has a complete preamble.
std::size_t first_readable(const LiveFile& file) {
    std::size_t at = 0;
    while (file.states[at].size() < 48 || file.states[at].size() < load_le<std::uint32_t>(&file.states[at][0x1C]))
        ++at;
    return at;
}

/// A file on disk that is changed in place from state to state.
struct Tail {
    explicit Tail(const LiveFile& live, std::function<bool()> wait) : live_(live) {
        settings.wait_for_growth = std::move(wait);
        show(first_readable(live));
        input.emplace(Input::open(path.string()));
        reader.emplace(*input, settings, findings);
    }
    void show(std::size_t state) {
        std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
        if (!file) {
            store(path, live_.states[state]);
        } else {
            const Bytes& bytes = live_.states[state];
            file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
            file.close();
            std::filesystem::resize_file(path, bytes.size());
        }
        shown = state;
    }

    TemporaryFolder folder;
    std::filesystem::path path = folder / "live.uscope";
    Settings settings;
    Findings findings;
    std::optional<Input> input;
    std::optional<uscope::FileReader> reader;
    std::size_t shown = 0;

private:
    const LiveFile& live_;
};

}  // namespace

TEST_CASE("a follower sees every record once, whatever the state of the file when it polls") {
    const LiveFile live = recorded();
    const std::vector<std::string> expected = lines_of_file(live.states.back());
    REQUIRE(live.commits.size() > 5);
    // Poll at every state, at every second one, ..., and at random ones.
    std::mt19937 random(5);
    for (const std::size_t step : std::vector<std::size_t>{1, 2, 3, 5, 0, 0, 0}) {
        CAPTURE(step);
        Tail* tail = nullptr;
        std::size_t waits = 0;
        Tail file(live, [&] {
            ++waits;
            const std::size_t by = step != 0 ? step : std::size_t{random() % 7};
            tail->show(std::min(tail->shown + by, live.states.size() - 1));
            return true;
        });
        tail = &file;
        CHECK(all_lines(*file.reader) == expected);
        CHECK(waits > 2);
        CHECK(file.findings.totals().empty());
        CHECK(file.reader->header().complete());
        // The sections at the end have been read, too.
        REQUIRE(file.reader->schema().metadata("long") != nullptr);
        CHECK(*file.reader->schema().metadata("long") == std::string(5000, 'x'));
        bool has_text = false;
        for (std::size_t i = 0; i < file.reader->schema().string_count(); ++i)
            has_text = has_text || file.reader->schema().text(static_cast<StringId>(i)) == "text 13";
        CHECK(has_text);
        CHECK_FALSE(file.reader->poll());
    }
}

TEST_CASE("poll takes committed segments and nothing else, in every state of the file") {
    const LiveFile live = recorded();
    Tail file(live, [] { return false; });
    std::size_t segments = 0;
    std::vector<std::string> got;
    for (std::size_t state = file.shown; state < live.states.size(); ++state) {
        file.show(state);
        const auto committed = static_cast<std::size_t>(
            std::ranges::count_if(live.commits, [state](std::size_t commit) { return commit <= state; }));
        const bool more = file.reader->poll();
        CHECK(file.reader->segments() == committed);
        CHECK(more == (committed > segments));
        segments = committed;
        if (!more) continue;
        const auto lines = all_lines(*file.reader);
        CHECK_FALSE(lines.empty());
        got.insert(got.end(), lines.begin(), lines.end());
    }
    CHECK(got == lines_of_file(live.states.back()));
    // The finding that the file is not closed is reported once, at the end of reading.
    CHECK(file.findings.total("USC013") == 1);
}

TEST_CASE("a follower reads the texts of each committed segment, whatever else is added to the schema") {
    constexpr std::size_t segments = 12;
    const LiveFile live = recorded_live(segments);
    for (const bool adds_texts : {false, true}) {
        CAPTURE(adds_texts);
        Tail file(live, [] { return false; });
        std::vector<std::string> texts;
        Batch batch;
        for (std::size_t state = file.shown; state < live.states.size(); ++state) {
            file.show(state);
            file.reader->poll();
            while (file.reader->read(batch)) {
                for (const Record& record : batch.records())
                    texts.emplace_back(file.reader->schema().text(static_cast<StringId>(batch.cells(record).front())));
                batch.clear();
            }
            if (adds_texts) file.reader->schema().intern("other " + std::to_string(state));
            if (!texts.empty()) CHECK(file.reader->schema().metadata("long") != nullptr);
        }
        REQUIRE(texts.size() == segments);
        for (std::size_t i = 0; i < segments; ++i)
            CHECK(texts[i] == "text " + std::to_string(i));
        CHECK(file.findings.total("USC026") + file.findings.total("USC027") == 0);
        CHECK(file.reader->header().complete());
        CHECK(file.reader->string_count() == segments + 1);
    }
}

TEST_CASE("a follower that stops early has seen the committed segments and reports that the file is open") {
    const LiveFile live = recorded();
    const std::vector<std::string> all = lines_of_file(live.states.back());
    for (std::size_t state = first_readable(live); state + 1 < live.states.size(); ++state) {
        CAPTURE(state);
        Bytes bytes = live.states[state];
        // Neither a half-written tail nor bytes that belong to no segment yet change anything.
        const auto committed = static_cast<std::size_t>(
            std::ranges::count_if(live.commits, [state](std::size_t commit) { return commit <= state; }));
        Settings settings;
        settings.wait_for_growth = [] { return false; };
        for (const std::size_t torn : std::vector<std::size_t>{0, 1, 30, 57}) {
            Bytes file = bytes;
            file.insert(file.end(), torn, std::byte{0x75});
            Findings findings;
            const Input input = Input::memory("file", file);
            uscope::FileReader reader(input, settings, findings);
            CHECK(reader.segments() == committed);
            const auto lines = all_lines(reader);
            REQUIRE(lines.size() <= all.size());
            CHECK(std::equal(lines.begin(), lines.end(), all.begin()));
            CHECK(findings.total("USC013") == 1);
            CHECK(findings.total("USC026") == (committed == 0 ? 0 : 1));
            CHECK(findings.total("USC039") == 1);
            CHECK(findings.total("USC019") + findings.total("USC020") + findings.total("USC018") == 0);
        }
    }
}

TEST_CASE("a cut unfinished file yields its whole segments, and following continues after them") {
    const LiveFile live = recorded();
    const Bytes whole = live.states[live.commits.back()];
    std::vector<std::uint64_t> ends;  // ends of the committed segments
    for (const std::size_t commit : live.commits)
        ends.push_back(live.states[commit].size());
    const std::vector<std::string> all = lines_of_file(whole);
    for (std::size_t size = load_le<std::uint32_t>(&whole[0x1C]); size < whole.size(); size += 1 + size % 13) {
        CAPTURE(size);
        TemporaryFolder folder;
        const auto path = folder / "cut.uscope";
        store(path, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
        const auto segments =
            static_cast<std::size_t>(std::ranges::count_if(ends, [size](std::uint64_t end) { return end <= size; }));
        Settings settings;
        settings.wait_for_growth = [] { return false; };
        Findings findings;
        const Input input = Input::open(path.string());
        uscope::FileReader reader(input, settings, findings);
        CHECK(reader.segments() == segments);
        CHECK(findings.totals().empty());
        std::vector<std::string> lines = all_lines(reader);
        CHECK(std::equal(lines.begin(), lines.end(), all.begin()));
        CHECK(lines.empty() == (segments == 0));
        CHECK(findings.total("USC014") == 1);
        CHECK(findings.total("USC013") == 1);
        CHECK(findings.total("USC038") == 0);
        CHECK_FALSE(reader.poll());
        CHECK(reader.segments() == segments);
        // The rest arrives later, as in a file that is being copied.
        store(path, whole);
        CHECK(reader.poll());
        const std::vector<std::string> rest = all_lines(reader);
        lines.insert(lines.end(), rest.begin(), rest.end());
        CHECK(lines == all);
    }
}

TEST_CASE("an open file that is cut anywhere is incomplete and reported as cut") {
    const LiveFile file = recorded();
    const Bytes& whole = file.states[file.commits.back()];
    const auto tail = static_cast<std::size_t>(load_le<std::uint64_t>(&whole[0x28]));
    for (std::size_t size = load_le<std::uint32_t>(&whole[0x1C]); size < whole.size(); size += 5) {
        CAPTURE(size);
        const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        Settings settings;
        settings.check = CheckLevel::full;
        Findings findings;
        const Input input = Input::memory("file", cut);
        uscope::FileReader reader(input, settings, findings);
        all_lines(reader);
        CHECK(findings.effect() == Effect::incomplete);
        CHECK(findings.verdict() == Verdict::incomplete);
        if (size < tail + 48) CHECK(findings.total("USC014") >= 1);
        CHECK(findings.total("USC017") == 0);
    }
}

TEST_CASE("a damaged link hides no segment from a follower") {
    const LiveFile live = recorded();
    Bytes file = live.states[live.commits.back()];
    const std::vector<std::string> all = lines_of_file(file);
    const std::uint64_t broken = load_le<std::uint64_t>(&live.states[live.commits[3]][0x28]);
    file[broken + 0x18 + 7] = std::byte{0x7F};
    {  // reads from the beginning
        Settings settings;
        settings.wait_for_growth = [] { return false; };
        Findings findings;
        const Input input = Input::memory("file", file);
        uscope::FileReader reader(input, settings, findings);
        CHECK(all_lines(reader) == all);
        CHECK(findings.total("USC017") == 1);
    }
    {  // while the file grows: the header is used once it is the same at the next poll
        Tail tail(live, [] { return false; });
        tail.show(live.commits[1]);
        REQUIRE(tail.reader->poll());
        std::vector<std::string> lines = all_lines(*tail.reader);
        store(tail.path, file);
        CHECK_FALSE(tail.reader->poll());
        CHECK(tail.reader->poll());
        const std::vector<std::string> rest = all_lines(*tail.reader);
        lines.insert(lines.end(), rest.begin(), rest.end());
        CHECK(lines == all);
    }
}

TEST_CASE("a half-written header and a tail with an invalid offset are not treated as new data") {
    const LiveFile live = recorded();
    Tail file(live, [] { return false; });
    const std::size_t at = live.commits[2];
    file.show(at);
    REQUIRE(file.reader->poll());
    REQUIRE(file.reader->segments() == 3);
    const auto with_tail = [&](std::uint64_t tail) {
        Bytes bytes = live.states[live.commits[3] - 1];
        for (std::size_t i = 0; i < 8; ++i)
            bytes[0x28 + i] = static_cast<std::byte>(tail >> (8 * i));
        store(file.path, bytes);
        file.reader->poll();
        CHECK(file.reader->segments() == 3);
    };
    const std::uint64_t good = load_le<std::uint64_t>(&live.states[live.commits[3]][0x28]);
    for (const std::uint64_t tail :
         {std::uint64_t{0}, std::uint64_t{1}, good - 1, good + 1, good + 100'000, ~std::uint64_t{0}, good & 0xFF})
        with_tail(tail);
    {  // the links form a cycle
        Bytes bytes = live.states[live.commits[3]];
        for (std::size_t i = 0; i < 8; ++i)
            bytes[good + 0x18 + i] = static_cast<std::byte>(good >> (8 * i));
        store(file.path, bytes);
        file.reader->poll();
        CHECK(file.reader->segments() == 3);
    }
    {  // the file is closed, but its sections are not there yet
        Bytes bytes = live.states.back();
        std::fill_n(bytes.begin() + 0x20, 8, std::byte{0});
        store(file.path, bytes);
        CHECK_FALSE((file.reader->poll() && file.reader->segments() != 3));
    }
    store(file.path, Bytes(10, std::byte{0}));
    file.reader->poll();
    CHECK(file.reader->segments() == 3);
    file.show(live.states.size() - 1);
    CHECK(file.reader->poll());
    CHECK(file.reader->segments() > 5);
    CHECK(file.findings.totals().empty());
}

TEST_CASE("a file that is closed with a damaged end is read, with its findings") {
    const LiveFile live = recorded();
    Tail* tail = nullptr;
    Bytes end = live.states.back();
    const std::uint64_t sections = load_le<std::uint64_t>(&end[0x20]);
    for (std::size_t i = 8; i < 16; ++i)
        end[sections + i] = std::byte{0xFF};  // offset of the string table
    Tail file(live, [&] {
        store(tail->path, end);
        return true;
    });
    tail = &file;
    CHECK(all_lines(*file.reader) == lines_of_file(end));
    CHECK(file.findings.total("USC015") == 1);
}

TEST_CASE("a seek while a file grows gives the replayed state") {
    const LiveFile live = recorded();
    Tail file(live, [] { return false; });
    for (const std::size_t commit : live.commits) {
        file.show(commit);
        file.reader->poll();
        // Replay all committed segments.
        Bytes now = live.states[commit];
        const Settings settings;
        Findings findings;
        const Input input = Input::memory("file", now);
        uscope::FileReader plain(input, settings, findings);
        StateTable expected(plain.schema());
        Batch batch;
        Tick last = 0;
        while (plain.read(batch)) {
            for (const Record& record : batch.records()) {
                expected.apply(record);
                last = record.time;
            }
            batch.clear();
        }
        StateTable state(file.reader->schema());
        REQUIRE(file.reader->seek(last, &state));
        while (file.reader->read(batch)) {
            for (const Record& record : batch.records())
                state.apply(record);
            batch.clear();
        }
        CHECK(state == expected);
    }
}

}  // namespace uscope_live_test

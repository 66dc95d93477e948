// tests/formats/stf_seek_test.cpp - tests seeking in ZSTF files. The records are the same as without seeking and with
// threads; damage ends a chunk but not the trace.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <set>

#include "formats/stf_support.hpp"
#include "io/compression.hpp"
#include "support/corpus.hpp"

namespace stf_seek_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

namespace {

/// All records with their times, and the findings.
struct Part {
    std::vector<Tick> times;
    Lines records, findings;
};

/// Returns the records that a reader delivers after seek().
std::optional<Part> read_from(Reader& reader, Tick time) {
    if (!reader.seek(time, nullptr)) return std::nullopt;
    Part part;
    Batch batch;
    while (reader.read(batch)) {
        append_lines(reader.schema(), batch, part.records);
        for (const Record& record : batch.records())
            part.times.push_back(record.time);
        batch.clear();
    }
    return part;
}

/// Returns a trace of `count` instructions of many kinds, in chunks of `chunk`.
Bytes trace(std::size_t count, std::size_t chunk) {
    std::mt19937 random(12);
    Bytes stream = header();
    for (std::size_t i = 0; i < count; ++i) {
        switch (random() % 6) {
            case 0:
                stream =
                    stream + hex("28 0500 11 0100000000000000 3c 0810000000000000 0800 0000 01 3d ff00000000000000");
                break;
            case 1:
                stream = stream + hex("1f 0030000000000000");
                break;
            case 2:
                stream = stream + hex("64 0d00000000000000 01 0100000000000000 65 0050000000000000");
                break;
            case 3:
                stream = stream + hex("03 01000000 'c' 09 0070000000000000");
                break;
            default:
                break;
        }
        stream = stream + (random() % 2 == 0 ? nop() : hex("f1 0100"));
    }
    stream = stream + hex("03 01000000 'z'");
    return rewrite_bytes(stream, choose({{"stf-container", "zstf"}, {"stf-chunk", std::to_string(chunk)}})).bytes;
}

std::uint64_t u64(const Bytes& bytes, std::size_t at) {
    return load_le<std::uint64_t>(bytes.data() + at);
}
void put(Bytes& bytes, std::size_t at, std::uint64_t value) {
    store_le(bytes.data() + at, value);
}
/// Returns the offset of an entry in the index.
std::size_t entry(const Bytes& file, std::size_t chunk) {
    return static_cast<std::size_t>(u64(file, 12)) + 8 + chunk * 24;
}

const Settings as_it_is;  // outlives the readers

/// Seeks to many places of a file and compares the records with the records of the whole file. Returns the number of
/// places.
int compare_places(const Bytes& file, std::size_t tries) {
    Findings whole_findings, findings;
    Input whole_input = Input::memory("whole", file), input = Input::memory("part", file);
    const auto whole_reader = stf_format.open(whole_input, as_it_is, whole_findings);
    Part whole;
    Batch batch;
    while (whole_reader->read(batch)) {
        append_lines(whole_reader->schema(), batch, whole.records);
        for (const Record& record : batch.records())
            whole.times.push_back(record.time);
        batch.clear();
    }
    REQUIRE(!whole.times.empty());
    const auto reader = stf_format.open(input, as_it_is, findings);
    const std::uint64_t chunk = u64(file, 4);
    const auto last = static_cast<std::uint64_t>(whole.times.back());
    std::mt19937_64 random(5);
    int places = 0;
    for (std::size_t i = 0; i < tries; ++i) {
        std::uint64_t place = random() % (last + 2);
        if (i % 3 == 1) place -= place % chunk;                     // beginning of a chunk
        if (i % 3 == 2 && place % chunk != chunk - 1) place |= 1u;  // not the beginning of a chunk
        INFO(place);
        const auto part = read_from(*reader, static_cast<Tick>(place));
        REQUIRE(part);
        const std::uint64_t number = std::min(place / chunk, u64(file, static_cast<std::size_t>(u64(file, 12))) - 1);
        const auto first = std::find_if(whole.times.begin(), whole.times.end(),
                                        [&](Tick time) { return static_cast<std::uint64_t>(time) >= number * chunk; });
        const auto skipped = first - whole.times.begin();
        CHECK(part->records == Lines(whole.records.begin() + skipped, whole.records.end()));
        ++places;
    }
    CHECK(finding_lines(findings) == finding_lines(whole_findings));
    return places;
}

/// Returns everything that reading the file yields, as one string.
std::string story(const Bytes& file, unsigned jobs) {
    Settings settings;
    settings.jobs = jobs;
    const Seen seen = read_bytes(file, settings);
    std::string text = seen.message;
    for (const Lines& lines : {seen.metadata, seen.records, seen.findings})
        for (const std::string& line : lines)
            text += line + '\n';
    for (const Fact& fact : seen.facts)
        text += fact.key + '=' + text_of(fact) + '\n';
    return text;
}

/// Destroys all bytes of `file` between the header and the frame of a chunk.
Bytes without_chunks_before(Bytes file, std::size_t chunk) {
    const std::size_t begin = static_cast<std::size_t>(u64(file, entry(file, 1)));
    for (std::size_t at = begin; at < u64(file, entry(file, chunk)); ++at)
        file[at] = std::byte{0x55};
    return file;
}

std::string window_text(Input& input, std::uint64_t begin, std::uint64_t end, Findings& findings) {
    Settings settings;
    settings.window = TraceWindow{TraceWindow::Unit::records, begin, end};
    TextOutput out(-1);
    stf_format.views.front().render(input, out, settings, findings);
    return std::string(out.text());
}

constexpr auto counted = TraceWindow::Unit::records;

const View& instructions_view() {
    return *std::find_if(stf_format.views.begin(), stf_format.views.end(),
                         [](const View& view) { return view.name == "instructions"; });
}

constexpr std::ptrdiff_t header_lines = 9;  // number of lines for header()

/// The output and the notes of the instruction view.
struct Shown {
    Lines lines, notes;
    std::size_t findings = 0;
};
Shown instruction_lines(Input& input, const std::optional<TraceWindow>& window) {
    Shown shown;
    Settings settings;
    settings.disassembly = Disassembly::off;
    settings.window = window;
    settings.note = [&](std::string_view text) { shown.notes.emplace_back(text); };
    Findings findings;
    TextOutput out(-1);
    instructions_view().render(input, out, settings, findings);
    shown.lines = split_lines(std::string(out.text()));
    shown.findings = findings.kept().size();
    return shown;
}
Shown instruction_lines(const Bytes& bytes, const std::optional<TraceWindow>& window) {
    Input input = Input::memory("memory", bytes);
    return instruction_lines(input, window);
}

/// Returns the lines after the header, without lines about the PID.
Lines lines_behind_header(const Lines& all) {
    Lines kept;
    std::copy_if(all.begin() + header_lines, all.end(), std::back_inserter(kept),
                 [](const std::string& line) { return !line.starts_with("PID"); });
    return kept;
}
/// Returns the lines of the instructions [begin, end). Lines that precede an instruction do not begin with blanks;
/// lines that follow it do.
Lines lines_of_instructions(const Lines& all, std::uint64_t begin, std::uint64_t end) {
    Lines kept;
    std::uint64_t seen = 0;
    for (const std::string& line : lines_behind_header(all)) {
        const bool belongs_to_last = line.starts_with(' ');
        const std::uint64_t of = belongs_to_last ? seen - 1 : seen;
        if (line.starts_with("INST32") || line.starts_with("INST16")) ++seen;
        if (of >= begin && of < end) kept.push_back(line);
    }
    return kept;
}

/// Provides bytes through a pipe. All of them must fit into the pipe's buffer.
class Piped {
public:
    explicit Piped(const Bytes& bytes) {
        REQUIRE(::pipe(ends_) == 0);
        REQUIRE(::write(ends_[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
        ::close(ends_[1]);
    }
    ~Piped() { ::close(ends_[0]); }
    Piped(const Piped&) = delete;
    Piped& operator=(const Piped&) = delete;
    Input input() const { return Input::open("/dev/fd/" + std::to_string(ends_[0])); }

private:
    int ends_[2] = {-1, -1};
};

}  // namespace

TEST_CASE("seeking and reading give the same records, with any chunk size") {
    for (const std::size_t chunk : {1u, 4u, 7u, 100u, 1000u})
        CHECK(compare_places(trace(500, chunk), 30) == 30);
}

TEST_CASE("seeking and reading give the same records in files of the corpus") {
    for (const char* name : {"stf/made/all_rv64_c1.zstf", "stf/made/all_rv64.zstf", "stf/made/loop3000_c1000.zstf",
                             "stf/made/loop3000.zstf", "stf/made/vlen96.zstf", "stf/made/rv32_event32.zstf"}) {
        const auto path = corpus(name);
        if (!path) return;
        INFO(name);
        compare_places(read_file(*path), 20);
    }
    const auto real = corpus("stf/dhrystone.zstf");
    if (real) compare_places(read_file(*real), 3);
}

TEST_CASE("seeking decompresses no skipped chunk") {
    const Bytes whole = trace(1000, 50), file = without_chunks_before(whole, 12);
    Findings findings;
    Input input = Input::memory("memory", file), good = Input::memory("memory", whole);
    const auto reader = stf_format.open(input, as_it_is, findings), other = stf_format.open(good, as_it_is, findings);
    const auto part = read_from(*reader, 612), expected = read_from(*other, 612);
    REQUIRE(part);
    REQUIRE(expected);
    CHECK(part->times.front() == 600);
    CHECK(part->records == expected->records);
    CHECK(findings.kept().empty());
}

TEST_CASE("the record view of a window decompresses no skipped chunk") {
    const Bytes whole = trace(1000, 50), file = without_chunks_before(whole, 12);
    Findings findings;
    Input input = Input::memory("memory", file);
    const std::string text = window_text(input, 612, 615, findings);
    CHECK(findings.kept().empty());
    const auto is_opcode = [](const std::string& line) { return line.starts_with("INST_OPCODE"); };
    const Lines lines = split_lines(text), all = split_lines(view_bytes(whole));
    CHECK(std::count_if(lines.begin(), lines.end(), is_opcode) == 3);
    CHECK(is_opcode(lines.back()));
    // The expected lines show instructions 613 to 615 in the text of the whole trace.
    Lines expected;
    std::uint64_t instruction = 0;
    for (const std::string& line : all) {
        if (instruction >= 612 && instruction < 615) expected.push_back(line);
        if (is_opcode(line)) ++instruction;
    }
    REQUIRE(lines.size() > expected.size());
    CHECK(Lines(lines.end() - static_cast<std::ptrdiff_t>(expected.size()), lines.end()) == expected);
    // The lines of the header precede these lines.
    CHECK(Lines(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(expected.size())) ==
          Lines(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(lines.size() - expected.size())));

    // The output is the same without seeking.
    const Bytes stream = rewrite_bytes(whole).bytes;
    Input plain = Input::memory("memory", stream);
    CHECK(window_text(plain, 612, 615, findings) == text);
    const Piped pipe(whole);
    Input piped = pipe.input();
    REQUIRE(!piped.seekable());
    CHECK(window_text(piped, 612, 615, findings) == text);
    CHECK(findings.kept().empty());
}

TEST_CASE("the instruction view of a window decompresses no skipped chunk") {
    const Bytes whole = trace(1000, 50);
    const Lines all = instruction_lines(whole, {}).lines;
    for (const auto& window : {std::pair{612u, 615u}, {600u, 601u}, {649u, 651u}, {990u, 2000u}}) {
        const std::uint64_t begin = window.first, end = window.second;
        CAPTURE(begin);
        const Shown part = instruction_lines(without_chunks_before(whole, 12), TraceWindow{counted, begin, end});
        CHECK(part.findings == 0);
        const Lines expected = lines_of_instructions(all, begin, end);
        CHECK(std::count(part.lines.begin(), part.lines.end(), "PID                 --------:--------:--------") == 1);
        CHECK(lines_behind_header(part.lines) == expected);
        REQUIRE(part.notes.size() == 1);
        CHECK(part.notes.front().find("records before instruction " + std::to_string(begin / 50 * 50 + 1)) == 0);
        CHECK(part.notes.front().find("the process is unknown") != std::string::npos);
        // A pipe is read from the beginning, but the instructions are the same.
        const Piped pipe(whole);
        Input piped = pipe.input();
        const Shown read = instruction_lines(piped, TraceWindow{counted, begin, end});
        CHECK(read.notes.empty());
        CHECK(std::count(read.lines.begin(), read.lines.end(), "PID                 00000000:00000000:00000000") == 1);
        CHECK(lines_behind_header(read.lines) == expected);
    }
    // Nothing is unknown in the first chunk or in an empty range.
    CHECK(instruction_lines(whole, TraceWindow{counted, 20, 30}).notes.empty());
    CHECK(instruction_lines(whole, TraceWindow{counted, 5000, 5001}).notes == Lines{"nothing is in the range"});
}

TEST_CASE("after skipped chunks, state is known once the trace states it again") {
    // Chunks of two instructions. The first and the third chunk have the same process, the fourth has process 0:0:0.
    const Bytes zero = hex("08 00000000 00000000 00000000"), some = hex("08 01000000 02000000 03000000");
    const auto file =
        rewrite_bytes(header() + some + nop() + nop() + nop() + nop() + zero + nop() + nop() + nop() + some + nop(),
                      choose({{"stf-container", "zstf"}, {"stf-chunk", "2"}}))
            .bytes;
    const auto processes = [&](std::uint64_t begin, std::uint64_t end) {
        Lines found;
        for (const std::string& line : instruction_lines(file, TraceWindow{counted, begin, end}).lines)
            if (line.starts_with("PID")) found.push_back(line.substr(20));
        return found;
    };
    const std::string unknown = "--------:--------:--------", first = "00000001:00000002:00000003";
    CHECK(processes(1, 2) == Lines{first});
    CHECK(processes(2, 4) == Lines{unknown});
    CHECK(processes(3, 5) == Lines{unknown, "00000000:00000000:00000000"});
    CHECK(processes(5, 6) == Lines{"00000000:00000000:00000000"});
    CHECK(instruction_lines(file, TraceWindow{counted, 5, 6}).notes.empty());
    CHECK(processes(6, 8) == Lines{unknown, first});
    CHECK(processes(7, 8) == Lines{first});

    const auto data = [&](TextForm form) {
        Settings settings;
        settings.disassembly = Disassembly::off;
        settings.window = TraceWindow{counted, 6, 8};
        int notes = 0;
        settings.note = [&](std::string_view) { ++notes; };
        Input input = Input::memory("memory", file);
        Findings findings;
        TextOutput out(-1);
        instructions_view().render_data(input, form, out, settings, findings);
        CHECK(notes == 1);
        return split_lines(std::string(out.text()));
    };
    const Lines objects = data(TextForm::jsonl);
    REQUIRE(objects.size() == 3);
    CHECK(objects[1].find("\"process\":null") != std::string::npos);
    CHECK(objects[2].find("\"process\":{\"hardware_thread\":1,\"process\":2,\"thread\":3}") != std::string::npos);
    const Lines rows = data(TextForm::csv);
    REQUIRE(rows.size() == 3);
    CHECK(rows[1].starts_with("7,0x1018,4,0x13,,,,"));
    CHECK(rows[2].starts_with("8,0x101c,4,0x13,,,1:2:3,"));
}

TEST_CASE("physical addresses need all page table walks, so no chunk is skipped") {
    const Bytes file = trace(200, 50);
    Settings settings = choose({{"stf-physical", "on"}});
    settings.window = TraceWindow{counted, 120, 121};
    settings.note = [](std::string_view text) { FAIL_CHECK(text); };
    const Bytes broken = without_chunks_before(file, 2);
    Input input = Input::memory("memory", file), damaged = Input::memory("memory", broken);
    Findings findings;
    TextOutput out(-1);
    instructions_view().render(input, out, settings, findings);
    CHECK(out.text().find("PID                 00000000:00000000:00000000") != std::string_view::npos);
    CHECK(findings.kept().empty());
    instructions_view().render(damaged, out, settings, findings);
    CHECK(!findings.kept().empty());
}

TEST_CASE("the pc after a seek is taken from the index") {
    Bytes file = trace(100, 10);
    put(file, entry(file, 3) + 8, 0x123456);
    Findings findings;
    Input input = Input::memory("memory", file);
    const auto reader = stf_format.open(input, as_it_is, findings);
    const auto part = read_from(*reader, 35);
    REQUIRE(part);
    const auto first = std::find_if(part->records.begin(), part->records.end(),
                                    [](const std::string& line) { return line.starts_with("instruction"); });
    CHECK(first->find("pc=123456") != std::string::npos);
    // Reading the whole trace finds the fault.
    CHECK(read_bytes(file).findings == Lines{"STF058@" + std::to_string(entry(file, 3) + 8)});
}

TEST_CASE("the chunk size of the header is not used if chunks hold another number of instructions") {
    for (const std::uint64_t count : {95u, 100u, 101u}) {  // the last chunk holds 5, 10 or 1
        const Bytes good = trace(count, 10);
        for (const std::uint64_t said : {9u, 11u, 20u}) {
            for (const std::uint64_t wanted : {5u, 25u, 50u, 93u, 200u}) {
                CAPTURE(count);
                CAPTURE(said);
                CAPTURE(wanted);
                Bytes file = good;
                put(file, 4, said);
                const TraceWindow window{counted, wanted, wanted + 3};
                const auto text = [&](const Bytes& bytes, Findings& findings) {
                    Input input = Input::memory("memory", bytes);
                    return window_text(input, wanted, wanted + 3, findings);
                };
                Findings findings, none_expected;
                CHECK(text(file, findings) == text(good, none_expected));
                CHECK(none_expected.kept().empty());
                CHECK(lines_of_instructions(instruction_lines(file, window).lines, 0, 3) ==
                      lines_of_instructions(instruction_lines(good, window).lines, 0, 3));
                if (wanted < said) continue;  // no seek was needed
                REQUIRE(!findings.kept().empty());
                std::set<std::string> told;
                for (const std::string& line : finding_lines(findings)) {
                    if (wanted < count) CHECK(line.starts_with("STF059@"));
                    CHECK(told.insert(line).second);
                }
                Input input = Input::memory("memory", file);
                Findings of_reader;
                const auto reader = stf_format.open(input, as_it_is, of_reader);
                CHECK(!reader->seek(static_cast<Tick>(wanted), nullptr));
                Batch batch;
                REQUIRE(reader->read(batch));
                CHECK(batch.records().front().time == 0);
            }
        }
    }
}

TEST_CASE("a damaged index is not used for seeking, and its fault is reported once") {
    const Bytes good = trace(100, 10);
    const Lines whole = read_bytes(good).records;
    const std::size_t index = static_cast<std::size_t>(u64(good, 12));
    struct Damage {
        std::size_t at;
        std::uint64_t value;
        std::string_view finding;
    };
    const Damage damages[] = {
        {12, 0, "STF052"},
        {12, 1, "STF053"},
        {12, good.size() + 5, "STF053"},
        {index, 0, "STF055"},
        {index, std::uint64_t{1} << 60, "STF054"},
        {entry(good, 2), 20, "STF056"},
        {entry(good, 2), index + 1, "STF056"},
        {entry(good, 4) + 16, 0, "STF057"},
        {entry(good, 4) + 16, ~std::uint64_t{0}, "STF057"},
    };
    for (const Damage& damage : damages) {
        CAPTURE(damage.at);
        CAPTURE(damage.value);
        Bytes file = good;
        put(file, damage.at, damage.value);
        Findings findings;
        Input input = Input::memory("memory", file);
        const auto reader = stf_format.open(input, as_it_is, findings);
        CHECK(!reader->seek(50, nullptr));
        CHECK(!reader->seek(60, nullptr));
        REQUIRE(findings.kept().size() == 1);
        CHECK(findings.kept().front().rule->id == damage.finding);
        Lines records;
        Batch batch;
        while (reader->read(batch)) {
            append_lines(reader->schema(), batch, records);
            batch.clear();
        }
        CHECK(records == whole);
        std::set<std::string> lines;
        for (const std::string& line : finding_lines(findings))
            CHECK(lines.insert(line).second);
    }
    for (const Bytes& other :
         {rewrite_bytes(good).bytes, rewrite_bytes(good, choose({{"stf-container", "gz"}})).bytes}) {
        Findings findings;
        Input input = Input::memory("memory", other);
        CHECK(!stf_format.open(input, as_it_is, findings)->seek(50, nullptr));
        CHECK(findings.kept().empty());
    }
    const Piped pipe(good);
    Input input = pipe.input();
    Findings findings;
    CHECK(!stf_format.open(input, as_it_is, findings)->seek(50, nullptr));
    CHECK(findings.kept().empty());
}

TEST_CASE("seeking ignores an index entry without a frame") {
    Bytes file = trace(100, 10);
    file[static_cast<std::size_t>(u64(file, entry(file, 5)))] = std::byte{0};
    Findings findings;
    Input input = Input::memory("memory", file);
    const auto reader = stf_format.open(input, as_it_is, findings);
    CHECK(!reader->seek(55, nullptr));
    CHECK(read_from(*reader, 45)->times.front() == 40);
}

TEST_CASE("after a damaged chunk the next one is read, and the loss is counted") {
    const Bytes good = trace(100, 10);
    const Seen whole = read_bytes(good);
    const auto time_of = [](const std::string& line) {
        return std::stoull(line.substr(line.find('@') + 1), nullptr, 16);
    };
    for (const std::size_t chunk : {1u, 3u, 8u}) {
        const auto begin = static_cast<std::size_t>(u64(good, entry(good, chunk)));
        for (const std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{6}}) {
            CAPTURE(chunk);
            CAPTURE(at);
            Bytes file = good;
            for (std::size_t i = 0; i < 4; ++i)
                file[begin + at + i] = std::byte{0xFF};
            const Seen seen = read_bytes(file);
            CHECK(seen.effect == Effect::damaged);
            REQUIRE(seen.findings.size() == 2);
            CHECK(seen.findings[1] == "STF068@" + std::to_string(begin));
            Lines expected;
            for (const std::string& line : whole.records)
                if (time_of(line) < chunk * 10 || time_of(line) >= (chunk + 1) * 10) expected.push_back(line);
            CHECK(seen.records == expected);
            CHECK(view_bytes(file).size() < view_bytes(good).size());
            CHECK(split_lines(view_bytes(file)).back() == split_lines(view_bytes(good)).back());
        }
    }
    // Two chunks in a row are damaged, and so is the last one.
    Bytes file = good;
    for (const std::size_t chunk : {3u, 4u, 9u})
        file[static_cast<std::size_t>(u64(good, entry(good, chunk)))] = std::byte{0};
    const Seen seen = read_bytes(file);
    CHECK(seen.findings.size() == 3);
    CHECK(time_of(seen.records.back()) == 89);
}

TEST_CASE("after an unreadable record the next chunk is read") {
    // Chunks of two instructions, with separate frames. The second chunk has an undefined descriptor.
    const Bytes stream = header() + nop() + nop() + hex("0e") + nop() + nop() + nop() + nop();
    const std::size_t ends[] = {55, 66, 76};
    const auto compress = [](Bytes part) {
        Appender out;
        ZstdBlock().compress(part, out);
        return Bytes(out.span().begin(), out.span().end());
    };
    Bytes file = hex("'ZSTF' 0200000000000000 0000000000000000");
    std::vector<std::uint64_t> index{3};
    std::size_t from = 0;
    for (const std::size_t end : ends) {
        index.insert(index.end(), {file.size(), from == 0 ? 0 : 0x1000 + 8 * ((index.size() - 1) / 3), end - from});
        file = file + compress(Bytes(stream.begin() + static_cast<std::ptrdiff_t>(from),
                                     stream.begin() + static_cast<std::ptrdiff_t>(end)));
        from = end;
    }
    put(file, 12, file.size());
    for (const std::uint64_t number : index) {
        file.resize(file.size() + 8);
        put(file, file.size() - 8, number);
    }
    const Seen seen = read_bytes(file);
    CHECK(seen.findings == Lines{"STF021@" + std::to_string(index[4]), "STF068@" + std::to_string(index[4])});
    CHECK(seen.records == Lines{"instruction core0 @0 pc=1000 bits=13/4", "instruction core0 @1 pc=1004 bits=13/4",
                                "instruction core0 @4 pc=1010 bits=13/4", "instruction core0 @5 pc=1014 bits=13/4"});
}

TEST_CASE("findings after seeks and damage name instructions instead of uncounted records") {
    // Chunks of ten instructions. Instruction 25 has an invalid register, 65 has content without an access, and 78 has
    // a bus access without a type.
    Bytes stream = header();
    for (int i = 0; i < 100; ++i) {
        if (i == 25) stream = stream + hex("28 2100 11 0000000000000000");
        if (i == 65) stream = stream + hex("3d 0000000000000000");
        if (i == 78) stream = stream + hex("3e 0010000000000000 0800 07 00 00000000 01");
        stream = stream + nop();
    }
    const Bytes whole = rewrite_bytes(stream, choose({{"stf-container", "zstf"}, {"stf-chunk", "10"}})).bytes;
    const auto told = [](const Bytes& file, std::optional<Tick> place) {
        Lines lines;
        Findings findings;
        Input input = Input::memory("memory", file);
        const auto reader = stf_format.open(input, as_it_is, findings);
        if (place) REQUIRE(reader->seek(*place, nullptr));
        for (Batch batch; reader->read(batch);)
            batch.clear();
        for (const Finding& finding : findings.kept())
            lines.push_back(std::string(finding.rule->id) + " record " +
                            (finding.ordinal ? std::to_string(*finding.ordinal) : "none") + " instruction " +
                            std::to_string(finding.time.value_or(-1)) + ", " + finding.where);
        return lines;
    };
    CHECK(told(whole, std::nullopt) == Lines{"STF035 record 33 instruction 25, chunk 2",
                                             "STF031 record 74 instruction 65, chunk 6",
                                             "STF038 record 88 instruction 78, chunk 7"});
    CHECK(told(whole, 60) == Lines{"STF031 record none instruction 65, chunk 6, instruction #65",
                                   "STF038 record none instruction 78, chunk 7, instruction #78"});
    CHECK(told(whole, 0) == told(whole, std::nullopt));
    Bytes damaged = whole;
    damaged[static_cast<std::size_t>(u64(whole, entry(whole, 4)))] = std::byte{0};
    const Lines lines = told(damaged, std::nullopt);
    REQUIRE(lines.size() == 5);
    CHECK(lines[0] == "STF035 record 33 instruction 25, chunk 2");
    CHECK(lines[1].starts_with("STF061 record none"));
    CHECK(lines[2] == "STF068 record none instruction 40, chunk 4, instruction #40");
    CHECK(lines[3] == "STF031 record none instruction 65, chunk 6, instruction #65");
    // A chunk of the wrong size is reported at its first instruction.
    Bytes other_size = whole;
    put(other_size, 4, 9);
    const Lines sizes = told(other_size, std::nullopt);
    REQUIRE(!sizes.empty());
    CHECK(sizes[1] == "STF059 record none instruction 10, chunk 1, instruction #10");
    // A missing instruction at the end of the trace is reported at its first record.
    CHECK(told(header() + nop() + hex("1f 0030000000000000 28 0500 11 0100000000000000"), std::nullopt) ==
          Lines{"STF026 record none instruction 1, instruction #1"});
    // A finding about an opcode names its instruction.
    Settings semantic;
    semantic.check = CheckLevel::semantic;
    Findings findings;
    const Bytes odd = header() + nop() + hex("09 0120000000000000") + nop();
    Input input = Input::memory("memory", odd);
    const auto reader = stf_format.open(input, semantic, findings);
    for (Batch batch; reader->read(batch);)
        batch.clear();
    const auto found = std::find_if(findings.kept().begin(), findings.kept().end(),
                                    [](const Finding& finding) { return finding.rule->id == "STF070"; });
    REQUIRE(found != findings.kept().end());
    CHECK(found->time == 1);
    CHECK(found->ordinal == 10);
}

TEST_CASE("a seek that fails after damage does not change the next records") {
    Bytes file = trace(100, 10);
    file[static_cast<std::size_t>(u64(file, entry(file, 3))) + 6] ^= std::byte{0xFF};
    put(file, 4, 9);  // differs from the number of chunks
    const auto read = [&](bool seeks) {
        Lines lines;
        Findings findings;
        Input input = Input::memory("memory", file);
        const auto reader = stf_format.open(input, as_it_is, findings);
        Batch batch;
        while (findings.total("STF068") == 0 && reader->read(batch))
            batch.clear();
        REQUIRE(findings.total("STF068") == 1);
        if (seeks) CHECK(!reader->seek(70, nullptr));
        while (reader->read(batch)) {
            append_lines(reader->schema(), batch, lines);
            batch.clear();
        }
        return lines;
    };
    CHECK(read(true) == read(false));
}

TEST_CASE("the number of threads does not change what is read") {
    for (const std::size_t chunk : {1u, 7u, 100u}) {
        const Bytes file = trace(1000, chunk);
        CHECK(story(file, 4) == story(file, 1));
    }
    for (const char* name : {"stf/made/all_rv64_c1.zstf", "stf/made/trailing.zstf", "stf/made/unfinished.zstf"}) {
        const auto path = corpus(name);
        if (path) CHECK(story(read_file(*path), 3) == story(read_file(*path), 1));
    }
    if (const auto root = corpus("stf/made/corrupt")) {
        for (const auto& found : fs::directory_iterator(*root)) {
            const std::string name = found.path().filename().string();
            if (!name.ends_with(".zstf")) continue;
            INFO(name);
            CHECK(story(read_file(found.path()), 3) == story(read_file(found.path()), 1));
        }
    }
}

TEST_CASE("the number of threads does not change what is read from changed files") {
    std::mt19937 random(99);
    const Bytes good = trace(300, 10);
    for (int round = 0; round < 150; ++round) {
        Bytes file = good;
        for (auto flips = 1 + random() % 3; flips > 0; --flips)
            file[4 + random() % (file.size() - 4)] = static_cast<std::byte>(random());
        CAPTURE(round);
        CHECK(story(file, 3) == story(file, 1));
    }
}

}  // namespace stf_seek_test

// Laws of slices of instruction traces: each slice is a complete trace, and all slices together are the whole trace.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "domain/conventions.hpp"
#include "formats.hpp"
#include "io/text_output.hpp"
#include "laws/law_support.hpp"
#include "operate/position_count.hpp"
#include "select/positions.hpp"
#include "support/corpus.hpp"

namespace slicing_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::uint64_t corpus_limit = 200'000;

using RegisterName = std::pair<RegisterClass, std::uint16_t>;
using Registers = std::map<RegisterName, std::vector<std::uint64_t>>;

std::vector<std::uint64_t> value_of(const Batch& batch, const Operand& operand) {
    const auto words = batch.cells(operand.words);
    if (operand.register_class != RegisterClass::vector) return {operand.value};
    return {words.begin(), words.end()};
}

/// An instruction with its group, and the state before it.
struct Seen {
    std::string text;                             ///< line without register state
    Registers stated;                             ///< operands with OperandRole::state
    Registers before;                             ///< registers, from a replay that starts at the beginning of the file
    std::map<std::string, std::string> in_force;  ///< last event of each track that is still in force, and the mode
};

/// Returns the instructions of a file. The replay shares no code with slicing.
std::vector<Seen> instructions_of(const Bytes& file, const Format& format) {
    std::vector<Seen> all;
    Findings findings;
    Input input = Input::memory("sample", file);
    const Settings settings;
    const auto reader = format.open(input, settings, findings);
    Registers registers;
    std::map<std::string, std::string> in_force;
    for (const char* const track : {"stf.process_id", "stf.inst_iem"})
        if (const std::string* const header = reader->schema().metadata(track)) in_force[track] = *header + ' ';
    Batch batch;
    for (; reader->read(batch); batch.clear()) {
        for (const Record& record : batch.records()) {
            const std::string& track = reader->schema().tracks()[record.track].name;
            if (record.kind == Kind::event) {
                const auto cells = batch.cells(record);
                std::ostringstream text;
                for (const std::uint64_t cell : cells)
                    text << cell << ' ';
                const bool mode = track == "stf.event" && cells.size() > 1 && (cells[0] & 0x3FFF'FFFF) == 0 &&
                                  (cells[0] == std::uint64_t{1} << 62 || cells[0] == 1u << 30);
                if (track == "stf.process_id" || track == "stf.inst_iem") in_force[track] = text.str();
                if (mode) in_force["mode"] = text.str();
            }
            if (record.kind != Kind::instruction) continue;
            const Instruction& instruction = batch.instruction(record);
            Seen seen;
            std::ostringstream text;
            text << std::hex << record.value << ' ' << instruction.encoding << ' ' << unsigned{instruction.size};
            if (instruction.has_target) text << " to " << instruction.target;
            for (const Access& access : batch.accesses(instruction)) {
                text << " access " << access.address << ' ' << access.size << ' ' << static_cast<int>(access.type);
                for (const std::uint64_t word : batch.cells(access.data))
                    text << ' ' << word;
            }
            seen.before = registers;
            for (const bool written : {false, true}) {
                for (const Operand& operand : batch.operands(instruction)) {
                    if ((operand.role == OperandRole::destination) != written) continue;
                    const RegisterName name{operand.register_class, operand.number};
                    const auto value = value_of(batch, operand);
                    if (operand.role == OperandRole::state) {
                        seen.stated[name] = value;
                    } else {
                        text << " operand " << static_cast<int>(name.first) << ' ' << name.second;
                        for (const std::uint64_t word : value)
                            text << ' ' << word;
                    }
                    registers[name] = value;
                }
            }
            seen.text = text.str();
            seen.in_force = in_force;
            all.push_back(std::move(seen));
        }
    }
    return all;
}

/// Returns the physical addresses of pcs, targets and accesses that the instruction view shows.
std::vector<std::string> physical_places(const Bytes& file, const Format& format) {
    const auto view =
        std::find_if(format.views.begin(), format.views.end(), [](const View& v) { return v.name == "instructions"; });
    if (view == format.views.end()) return {};
    Settings settings;
    for (const Option& option : format.options)
        if (option.key == "stf-physical") settings.set(option, "on");
    Input input = Input::memory("sample", file);
    Findings findings;
    TextOutput out(-1, 4096);
    view->render(input, out, settings, findings);
    std::vector<std::string> instructions;
    std::istringstream lines{std::string(out.text())};
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("INST32") || line.starts_with("INST16"))
            instructions.push_back(line.substr(line.find(":") - 16));
        if (line.find(" MEM ") != std::string::npos && !instructions.empty()) instructions.back() += "\n" + line;
    }
    return instructions;
}

/// Returns true if all instructions run in machine mode, in which no address is translated.
bool only_machine_mode(const std::vector<Seen>& instructions) {
    return std::all_of(instructions.begin(), instructions.end(), [](const Seen& seen) {
        const auto mode = seen.in_force.find("mode");
        return mode == seen.in_force.end() || mode->second.ends_with(" 3 ");
    });
}

Choices part(std::uint64_t begin, std::optional<std::uint64_t> end) {
    Choices choices;
    choices.range = Range{Range::Unit::record, begin, end};
    return choices;
}

std::vector<Sample> good_instruction_traces() {
    std::vector<Sample> samples = law_samples(corpus_limit);
    std::erase_if(samples, [](const Sample& sample) {
        if (!sample.format->reads.shapes.has(Shape::hart)) return true;
        const Story story = read_story(sample.content.bytes, *sample.format, CheckLevel::full);
        return !story.good() || story.schema.find(" hart ") == std::string::npos;
    });
    return samples;
}

std::vector<std::string> texts_of(const std::vector<Seen>& all) {
    std::vector<std::string> texts;
    for (const Seen& seen : all)
        texts.push_back(seen.text);
    return texts;
}

}  // namespace

TEST_CASE("slices of an instruction trace are complete traces with exactly its instructions") {
    std::size_t checked = 0, sensible = 0, translated = 0;
    for (const Sample& sample : good_instruction_traces()) {
        CAPTURE(sample.name);
        const Format& format = *sample.format;
        const std::vector<Seen> whole = instructions_of(sample.content.bytes, format);
        const std::uint64_t count = whole.size();
        const Bytes as_written = convert_bytes(sample.content.bytes, format, format, part(0, std::nullopt)).bytes;
        const bool is_sensible = read_story(as_written, format, CheckLevel::semantic).good();
        sensible += is_sensible;
        std::set<std::uint64_t> cuts{0, 1, count / 3, count / 2, count, count + 5};
        for (std::uint64_t cut = count < 20 ? 2 : count - 1; cut < count; ++cut)
            cuts.insert(cut);
        std::vector<std::string> places;
        if (as_written.size() < 20'000) places = physical_places(as_written, format);
        for (const std::uint64_t cut : cuts) {
            CAPTURE(cut);
            const Rewritten first = convert_bytes(sample.content.bytes, format, format, part(0, cut));
            const Rewritten second = convert_bytes(sample.content.bytes, format, format, part(cut, std::nullopt));
            for (const Rewritten* piece : {&first, &second}) {
                CHECK(piece->losses.none());
                CHECK(piece->losses.assumptions().empty());
                CHECK(read_story(piece->bytes, format, CheckLevel::full).good());
            }
            std::vector<Seen> glued = instructions_of(first.bytes, format);
            const std::vector<Seen> rest = instructions_of(second.bytes, format);
            // A slice of a semantically valid trace is valid, too, but may have no translated address.
            if (is_sensible && cut < count) {
                const Story story = read_story(second.bytes, format, CheckLevel::semantic);
                const auto untranslated =
                    std::count_if(story.findings.begin(), story.findings.end(),
                                  [](const std::string& finding) { return finding.starts_with("STF073"); });
                CHECK(story.warning_count == (only_machine_mode(rest) ? static_cast<std::uint64_t>(untranslated) : 0u));
            }
            if (cut < places.size()) {
                CHECK(physical_places(second.bytes, format) ==
                      std::vector(places.begin() + static_cast<std::ptrdiff_t>(cut), places.end()));
                translated += !only_machine_mode(rest);
            }
            CHECK(glued.size() == std::min(cut, count));
            std::vector<std::string> texts = texts_of(glued);
            for (const std::string& text : texts_of(rest))
                texts.push_back(text);
            CHECK(texts == texts_of(whole));
            if (rest.empty() || cut == 0) continue;
            // The first instruction of the slice restates everything that the whole trace stated earlier.
            for (const auto& [name, value] : whole[cut].before) {
                if (name == RegisterName{RegisterClass::integer, std::uint16_t{32}}) continue;
                const RegisterName which = name;
                CAPTURE(static_cast<int>(which.first));
                CAPTURE(which.second);
                REQUIRE(rest.front().stated.contains(name));
                const auto own = whole[cut].stated.find(name);
                CHECK(rest.front().stated.at(name) == (own == whole[cut].stated.end() ? value : own->second));
            }
            for (std::size_t i = 0; i < rest.size(); i += 97) {
                Registers before = rest[i].before;
                if (i == 0) before = rest[0].stated;
                for (const auto& [name, value] : whole[cut + i].before)
                    if (name.second != 32 && i != 0) CHECK(before[name] == value);
                CHECK(rest[i].in_force == whole[cut + i].in_force);
            }
            ++checked;
        }
    }
    CHECK(checked > at_least(corpus("stf") ? 100 : 50));
    CHECK(sensible >= at_least(6));
    CHECK(translated >= at_least(11));
}

TEST_CASE("a slice can be converted, and a lowered trace is sliced like its source") {
    const Format& stf = *find_format(formats(), "stf");
    const Format& uscope = *find_format(formats(), "uscope");
    std::size_t checked = 0;
    for (const Sample& sample : good_instruction_traces()) {
        if (sample.format != &stf || sample.content.bytes.size() > 20'000) continue;
        CAPTURE(sample.name);
        const std::uint64_t count = instructions_of(sample.content.bytes, stf).size();
        if (count < 2) continue;
        const Choices half = part(count / 2, std::nullopt);
        const Rewritten piece = convert_bytes(sample.content.bytes, stf, stf, half);
        const Rewritten lowered = convert_bytes(piece.bytes, stf, uscope);
        CHECK(read_story(lowered.bytes, uscope, CheckLevel::full).good());
        const Rewritten directly = convert_bytes(sample.content.bytes, stf, uscope, half);
        CHECK(
            difference(read_story(directly.bytes, uscope).records, read_story(lowered.bytes, uscope).records).empty());
        const Rewritten whole = convert_bytes(sample.content.bytes, stf, uscope);
        if (!whole.losses.none()) continue;
        const Rewritten raised = convert_bytes(whole.bytes, uscope, stf, half);
        CHECK(raised.bytes == convert_bytes(piece.bytes, stf, stf).bytes);
        ++checked;
    }
    CHECK(checked >= at_least(4));
}

TEST_CASE("--last keeps the last positions, or all if there are fewer, or none") {
    CHECK(last_positions(10, 100) == Range{Range::Unit::record, 90, std::nullopt});
    CHECK(last_positions(100, 100) == Range{Range::Unit::record, 0, std::nullopt});
    CHECK(last_positions(101, 100) == Range{Range::Unit::record, 0, std::nullopt});
    CHECK(last_positions(0, 100) == Range{Range::Unit::record, 100, 100});
    CHECK(last_positions(5, 0) == Range{Range::Unit::record, 0, std::nullopt});
}

}  // namespace slicing_laws

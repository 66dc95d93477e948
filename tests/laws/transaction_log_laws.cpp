// Laws of transaction logs: FTR files converted to logs equal the logs that the recording library wrote in the same
// runs. Logs survive the conversion to FTR and back.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "formats.hpp"
#include "io/unpacked.hpp"
#include "laws/law_support.hpp"
#include "support/corpus.hpp"

namespace transaction_log_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;

const Format& ftr() {
    return *find_format(formats(), "ftr");
}
const Format& txlog() {
    return *find_format(formats(), "txlog");
}

std::string text_of(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Lines lines_of(const std::string& text) {
    Lines lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(std::move(line));
    return lines;
}

Lines sorted_lines(const Bytes& log) {
    Lines lines = lines_of(text_of(log));
    std::sort(lines.begin(), lines.end());
    return lines;
}

/// Returns the text of a compressed log.
std::string unpacked(const Bytes& file) {
    Input input = Input::memory("log", file);
    const Limits limits;
    Unpacked bytes(input, limits);
    std::string text;
    std::array<std::byte, 4096> piece{};
    while (const std::size_t size = bytes.read(piece))
        text.append(reinterpret_cast<const char*>(piece.data()), size);
    return text;
}

std::string number_behind(const std::string& line, const std::string& word) {
    const std::size_t at = line.find(word) + word.size();
    return line.substr(at, line.find_first_not_of("0123456789", at) - at);
}

/// Returns the lines of an SCV log as LWTR4SC would write them, sorted. LWTR4SC's generators declare nothing, and
/// values of begin and end are plain attributes.
Lines undeclared(const std::string& log) {
    using Declared = std::vector<std::string>;  // "\"addr\" UNSIGNED"
    std::map<std::string, std::pair<Declared, Declared>> generators;
    Lines lines;
    std::string generator, transaction;
    Declared expected;
    for (const std::string& line : lines_of(log)) {
        const bool begins = line.starts_with("tx_begin ");
        if (line.starts_with("scv_tr_generator ")) {
            generator = number_behind(line, "(ID ");
        } else if (line.starts_with("begin_attribute ") || line.starts_with("end_attribute ")) {
            const std::size_t name = line.find('"'), type = line.rfind(", type \"");
            const std::string declared =
                line.substr(name, type - name) + ' ' + line.substr(type + 8, line.rfind('"') - type - 8);
            auto& [of_begin, of_end] = generators[generator];
            (line.starts_with("begin") ? of_begin : of_end).push_back(declared);
            continue;
        } else if (begins || line.starts_with("tx_end ")) {
            std::istringstream words(line);
            words >> generator >> transaction >> generator;
            expected = begins ? generators[generator].first : generators[generator].second;
        } else if (line.starts_with("a ") && !expected.empty()) {
            if (line != "a UNDEFINED")
                lines.push_back("tx_record_attribute " + transaction + ' ' + expected.front() + " = " + line.substr(2));
            expected.erase(expected.begin());
            continue;
        }
        lines.push_back(line);
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

/// Returns "+line" for lines that only `ours` has, and "-line" for lines that only `theirs` has.
Lines differences(const Lines& ours, const Lines& theirs) {
    Lines more, less;
    std::set_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(), std::back_inserter(more));
    std::set_difference(theirs.begin(), theirs.end(), ours.begin(), ours.end(), std::back_inserter(less));
    Lines all;
    for (const std::string& line : more)
        all.push_back('+' + line);
    for (const std::string& line : less)
        all.push_back('-' + line);
    return all;
}

/// Returns the reason for a known difference, as listed in the README. The text back end of LWTR4SC calls an unnamed
/// begin or end "unnamed", or uses the name of the begin. It writes an undefined byte before the parts of an unnamed
/// structure. It also writes end values under the begin's name, and line breaks verbatim.
std::string reason_of(const std::string& difference) {
    const auto has = [&](const char* text) { return difference.find(text) != std::string::npos; };
    if (!has("tx_record_attribute ")) return difference == "-newline\"" ? "line break" : "unexplained";
    const std::size_t quote = difference.find('"');
    const std::string name = difference.substr(quote + 1, difference.find('"', quote + 1) - quote - 1);
    if (has("\"quote\" STRING = \"say \"hi")) return "line break";
    if (difference.front() == '-' && name == "unnamed") return "no name";
    if (difference.front() == '-' && name.size() == 5 && (name.ends_with("addr") || name.ends_with("data")))
        return "garbled name";
    const std::map<std::string, std::string> of_end{{"+result", "name of the end"},
                                                    {"-mnemonic", "name of the begin"},
                                                    {"+fin", "name of the end"},
                                                    {"-beg", "name of the begin"},
                                                    {"+flag", "name of the end"},
                                                    {"-d", "name of the begin"},
                                                    {"-addr", "no name"}};
    const auto found = of_end.find(difference.front() + name);
    return found == of_end.end() ? "unexplained" : found->second;
}

}  // namespace

TEST_CASE("an FTR file converts to the log of the same run, line by line, except for what the README lists") {
    struct Run {
        std::string recording;  ///< path below ftr/
        std::string log;
        std::map<std::string, std::size_t> differences;  ///< number of differences by reason
    };
    const std::map<std::string, std::size_t> of_example{{"no name", 48}, {"garbled name", 12}};
    const std::map<std::string, std::size_t> of_events{{"name of the end", 10}, {"name of the begin", 10}};
    const std::map<std::string, std::size_t> of_types{
        {"name of the end", 2}, {"name of the begin", 2}, {"line break", 3}, {"no name", 1}, {"unexplained", 1}};
    const std::vector<Run> runs{
        {"scviewer/my_db.ftr", "scviewer/my_db.txlog", {}},
        {"scviewer/my_db_c.ftr", "scviewer/my_db.txlog", {}},
        {"lwtr4sc/lwtr_example_u.ftr", "lwtr4sc/lwtr_example.lwtrt", of_example},
        {"lwtr4sc/lwtr_example_c.ftr", "lwtr4sc/lwtr_example.lwtrt.lz", of_example},
        {"lwtr4sc/lwtr_event_example_u.ftr", "lwtr4sc/lwtr_event_example.lwtrt", of_events},
        {"lwtr4sc/lwtr_event_example_c.ftr", "lwtr4sc/lwtr_event_example.lwtrt.gz", of_events},
        {"lwtr4sc/lwtr_event_example_u.ftr", "lwtr4sc/lwtr_event_example.lwtrt.lz", of_events},
        // One transaction was never ended. FTR states its start as its end, too; the log has no end.
        {"alltypes/alltypes_u.ftr", "alltypes/alltypes_t.lwtrt", of_types},
        {"alltypes/alltypes_c.ftr", "alltypes/alltypes_t.lwtrt", of_types},
    };
    std::size_t compared = 0;
    for (const Run& run : runs) {
        CAPTURE(run.recording);
        CAPTURE(run.log);
        const auto recording = corpus("ftr/" + run.recording), log = corpus("ftr/" + run.log);
        if (!recording || !log) continue;
        const Rewritten made = convert_bytes(read_file(*recording), ftr(), txlog());
        CHECK(made.unexpected() == Lines{});
        std::map<std::string, std::size_t> found;
        for (const std::string& line :
             differences(undeclared(text_of(made.bytes)), undeclared(unpacked(read_file(*log))))) {
            const std::string reason = reason_of(line);
            ++found[reason];
            if (reason == "unexplained") CHECK(line == "+tx_end 11 6 16 ns");
        }
        CHECK(found == run.differences);
        ++compared;
    }
    if (compared != 0) CHECK(compared == runs.size());
}

TEST_CASE("a log converted to FTR and back has every line, in time order") {
    std::size_t checked = 0;
    const std::vector<Sample> samples = law_samples(200'000);
    for (const Sample& sample : samples) {
        if (sample.format != &txlog()) continue;
        const Story story = read_story(sample.content.bytes, txlog(), CheckLevel::full);
        if (!story.good()) continue;
        CAPTURE(sample.name);
        // Our writer uses the SCV dialect.
        const Bytes own = convert_bytes(sample.content.bytes, txlog(), txlog()).bytes;
        const Rewritten recording = convert_bytes(own, txlog(), ftr());
        const Rewritten back = convert_bytes(recording.bytes, ftr(), txlog());
        CHECK(recording.unexpected() == Lines{});
        CHECK(back.unexpected() == Lines{});
        // Only the order is lost, and the loss is reported.
        const auto is_order = [](const auto& entry) {
            return entry.first.first == Loss::order_changed || entry.first.second == "ftr.epoch";
        };
        const auto only_order = [&](const Rewritten& way) {
            return std::all_of(way.losses.entries().begin(), way.losses.entries().end(), is_order);
        };
        if (!only_order(recording) || !only_order(back)) continue;
        CHECK(sorted_lines(own) == sorted_lines(back.bytes));
        const auto times = [](const Bytes& log) {
            Lines all = lines_of(text_of(log));
            std::erase_if(all, [](const std::string& line) {
                return !line.starts_with("tx_begin ") && !line.starts_with("tx_end ");
            });
            for (std::string& line : all)
                line.erase(0, line.rfind(' ', line.rfind(' ') - 1));
            return all;
        };
        CHECK(times(own) == times(back.bytes));
        ++checked;
    }
    CHECK(checked >= at_least(3));
}

TEST_CASE("unused declarations of a log are kept in FTR, even if the FTR file is rewritten") {
    const std::string log =
        "scv_tr_stream (ID 1, name \"bus\", kind \"tlm\")\n"
        "scv_tr_stream (ID 2, name \"idle\", kind \"<no_stream_kind>\")\n"
        "scv_tr_generator (ID 3, name \"read\", scv_tr_stream 1,\n"
        "begin_attribute (ID 0, name \"addr\", type \"UNSIGNED\")\n"
        "begin_attribute (ID 1, name \"size\", type \"UNSIGNED\")\n"
        "begin_attribute (ID 2, name \"mode\", type \"STRING\")\n"
        "end_attribute (ID 3, name \"data\", type \"UNSIGNED\")\n"
        ")\n"
        "scv_tr_generator (ID 4, name \"never\", scv_tr_stream 1,\n"
        "begin_attribute (ID 0, name \"why\", type \"STRING\")\n"
        ")\n"
        "tx_begin 5 3 0 s\n"
        "a UNDEFINED\n"
        "a 4\n"
        "a UNDEFINED\n"
        "tx_end 5 3 10 ns\n"
        "a UNDEFINED\n"
        "tx_begin 6 3 10 ns\n"
        "a 16\n"
        "a 8\n"
        "a UNDEFINED\n"
        "tx_end 6 3 20 ns\n"
        "a UNDEFINED\n";
    Bytes own;
    for (const char c : log)
        own.push_back(static_cast<std::byte>(c));
    const Rewritten recording = convert_bytes(own, txlog(), ftr());
    CHECK(recording.losses.none());
    CHECK(text_of(convert_bytes(recording.bytes, ftr(), txlog()).bytes) == log);
    const Rewritten again = convert_bytes(recording.bytes, ftr(), ftr());
    CHECK(again.losses.none());
    CHECK(read_story(again.bytes, ftr()).schema == read_story(recording.bytes, ftr()).schema);
    CHECK(read_story(again.bytes, ftr()).records == read_story(recording.bytes, ftr()).records);
    CHECK(text_of(convert_bytes(again.bytes, ftr(), txlog()).bytes) == log);
}

}  // namespace transaction_log_laws

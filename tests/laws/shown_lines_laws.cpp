// Laws of the view of JSON Lines: under a selection it shows the lines of the slice's records, and what these need.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "domain/protocols.hpp"
#include "laws/law_support.hpp"
#include "laws/slice_choices.hpp"
#include "support/corpus.hpp"
#include "support/lines.hpp"

namespace shown_lines_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;
using SlotTime = std::tuple<std::string, std::uint32_t, Tick>;  ///< track, slot and time of an operation

bool is_operation(const Record& record) noexcept {
    return (record.kind == Kind::set || record.kind == Kind::add || record.kind == Kind::clear) && !is_property(record);
}

/// A record of a file or a slice.
struct Content {
    std::string text;                 ///< equal for equal records
    std::optional<SlotTime> place{};  ///< of an operation on a slot
    bool is_clear = false, is_restated = false;
};

Content content_of(const Batch& batch, const Record& record, const Schema& schema) {
    const Track& track = schema.tracks()[record.track];
    const std::string path = path_of(schema, track.scope) + '/' + track.name;
    const std::uint8_t flags = record.flags & (record_restated | record_no_value | record_property);
    Content content{path + ' ' + std::string(name_of(record.kind)) + ' ' + std::to_string(record.time) + ' ' +
                    std::to_string(flags)};
    const auto add = [&](std::uint64_t number) { content.text += ' ' + std::to_string(number); };
    switch (record.kind) {
        case Kind::event:
        case Kind::relation:
            for (const std::uint64_t cell : batch.cells(record))
                add(cell);
            break;
        case Kind::note:
        case Kind::native:
            for (const std::byte byte : batch.bytes(record))
                add(std::to_integer<std::uint64_t>(byte));
            break;
        case Kind::interval:
        case Kind::change:
            add(record.value);
            for (const Attribute& attribute : batch.attributes(record)) {
                add(attribute.field);
                add(attribute.value);
            }
            break;
        case Kind::instruction:
            add(record.value);
            break;
        case Kind::set:
        case Kind::add:
        case Kind::clear:
            add(record.field);
            add(record.ref);
            add(record.value);
            break;
    }
    if (is_operation(record)) content.place = SlotTime{path, record.ref, record.time};
    content.is_clear = record.kind == Kind::clear;
    content.is_restated = (record.flags & record_restated) != 0;
    return content;
}

/// Returns the type of a line, or an empty string.
std::string type_of(const std::string& line) {
    std::size_t at = line.find("\"type\":");
    if (at == std::string::npos) return {};
    at = line.find('"', at + 7) + 1;
    return line.substr(at, line.find('"', at) - at);
}

bool is_record(const std::string& line) {
    static const std::set<std::string> others{"clock", "scope",     "enum",     "label",
                                              "track", "attribute", "metadata", "text"};
    return line.find("{\"schema\"") == std::string::npos && !others.contains(type_of(line));
}

/// Returns the number behind `key` in a line.
std::optional<std::uint64_t> number_in(const std::string& line, const std::string& key) {
    const std::size_t at = line.find(key);
    if (at == std::string::npos) return std::nullopt;
    return std::stoull(line.substr(at + key.size()));
}

/// Checks that a slice declares the tracks of its records, and no others. Lines of scripts name no ids.
void check_declarations(const Lines& part) {
    std::set<std::uint64_t> declared, used;
    for (const std::string& line : part) {
        if (const auto id = number_in(line, "\"type\":\"track\",\"id\":")) declared.insert(*id);
        if (const auto id = number_in(line, "\"track_id\":"); id && is_record(line)) used.insert(*id);
    }
    CHECK(declared == used);
}

/// Checks the lines of records that a view shows. `records` has the record of each line of a record.
void check_records(const Lines& part, const std::map<std::string, Content>& records,
                   const std::vector<Content>& slice) {
    std::multiset<std::string> shown, whole, expected;
    std::set<SlotTime> shown_places, expected_places, possible_places;
    for (const auto& [line, content] : records)
        whole.insert(content.text);
    for (const std::string& line : part) {
        if (!is_record(line)) continue;
        const Content& content = records.at(line);
        if (content.place)
            shown_places.insert(*content.place);
        else
            shown.insert(content.text);
    }
    for (const Content& content : slice) {
        if (!content.place) {
            if (whole.contains(content.text)) expected.insert(content.text);  // otherwise the slice has added it
            continue;
        }
        possible_places.insert(*content.place);
        if (!content.is_clear && !content.is_restated) expected_places.insert(*content.place);
    }
    CHECK(shown == expected);
    CHECK(std::ranges::includes(shown_places, expected_places));
    CHECK(std::ranges::includes(possible_places, shown_places));
}

}  // namespace

TEST_CASE("The lines of JSON show the records of a slice, and the declarations that these need") {
    std::uint64_t compared = 0, cut = 0;
    for (const Sample& sample : samples_of({"jsonl"})) {
        CAPTURE(sample.name);
        const Format& format = *sample.format;
        const Bytes& file = sample.content.bytes;
        const Lines whole = lines_of(shown("lines", TextForm::text, file, format, nullptr));
        std::vector<Content> contents;
        each_record(file, format, nullptr, [&](const auto&... record) { contents.push_back(content_of(record...)); });
        std::map<std::string, Content> records;  // lines are unique, because they begin with their numbers
        for (const std::string& line : whole)
            if (is_record(line) && records.size() < contents.size()) records.emplace(line, contents[records.size()]);
        REQUIRE(records.size() == contents.size());
        for (const Choice& choice : choices_with_late_fields(file, format)) {
            CAPTURE(choice.name);
            std::vector<Content> slice;
            const std::string error = each_record(
                file, format, &choice, [&](const auto&... record) { slice.push_back(content_of(record...)); });
            if (!error.empty()) {
                CHECK_THROWS_WITH_AS(shown("lines", TextForm::text, file, format, &choice), error.c_str(), Error);
                continue;
            }
            const Lines part = lines_of(shown("lines", TextForm::text, file, format, &choice));
            REQUIRE_FALSE(part.empty());
            CHECK(part.front() == whole.front());  // the head
            std::size_t at = 0;
            for (const std::string& line : whole)
                at += at < part.size() && part[at] == line ? 1u : 0u;
            CHECK(at == part.size());  // in order, each once
            check_records(part, records, slice);
            check_declarations(part);
            ++compared;
            cut += part.size() < whole.size() ? 1u : 0u;
        }
    }
    CHECK(compared >= at_least(100));
    CHECK(cut >= at_least(50));
}

}  // namespace shown_lines_laws

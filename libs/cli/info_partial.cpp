#include "cli/info_partial.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "io/error.hpp"
#include "io/input.hpp"
#include "io/sha256.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view partial_schema = "hwtrace-info-partial/1";

// --- writing ---------------------------------------------------------------------------------------------------------

std::string wide_text(WideTick value) {
    if (value >= 0) return decimal_text(static_cast<WideSum>(value));
    return '-' + decimal_text(WideSum{0} - static_cast<WideSum>(value));
}

Json lengths_json(const LengthSummary& lengths) {
    Json json;
    json["count"] = lengths.count;
    if (lengths.count == 0) return json;
    json["least"] = lengths.least;
    json["greatest"] = lengths.greatest;
    json["total"] = decimal_text(lengths.total);
    json["percentiles"] = name_of(lengths.precision);
    json["lengths"] = Json::array();
    for (const LengthCounts::Entry& entry : lengths.lengths)
        json["lengths"].push_back({entry.length, entry.times});
    return json;
}

Json intervals_json(const IntervalStatistics& intervals) {
    Json json = Json::array();
    for (const IntervalStatistics::OfTrack& track : intervals.tracks) {
        Json entry;
        entry["scope_id"] = track.scope_id;
        entry["scope"] = track.scope;
        entry["name"] = track.name;
        entry["first"] = wide_text(track.summary.first);
        entry["last"] = wide_text(track.summary.last);
        entry["durations"] = lengths_json(track.summary.durations);
        entry["attributes"] = Json::array();
        for (const IntervalStatistics::Attribute& attribute : track.attributes)
            entry["attributes"].push_back({attribute.name, static_cast<unsigned>(attribute.phase),
                                           static_cast<unsigned>(attribute.type), attribute.count});
        json.push_back(std::move(entry));
    }
    return json;
}

Json names_json(const DurationsByName& names) {
    Json json;
    json["omitted"] = names.omitted;
    json["names"] = Json::array();
    for (const DurationsByName::OfName& name : names.names)
        json["names"].push_back({name.type_track, name.type, name.name, lengths_json(name.durations)});
    return json;
}

Json instructions_json(const InstructionStatistics& statistics) {
    Json json;
    json["counters"] = Json::array();
    for (const NamedCounter& counter : instruction_counters)
        json["counters"].push_back(statistics.counts.*counter.value);
    json["encodings"] = {statistics.short_encodings, statistics.long_encodings, statistics.other_encodings};
    if (statistics.classes) json["classes"] = *statistics.classes;
    json["branches"] = {statistics.branches_taken, statistics.branches_not_taken};
    json["accesses"] = Json::array();
    for (const InstructionStatistics::AccessSize& access : statistics.accesses)
        json["accesses"].push_back({static_cast<unsigned>(access.type), access.size, access.count});
    json["events"] = Json::array();
    for (const InstructionStatistics::Count& event : statistics.events)
        json["events"].push_back({event.id, event.name, event.count});
    json["features"] = Json::array();
    for (const InstructionStatistics::Feature& feature : statistics.features)
        json["features"].push_back({feature.name, feature.set, feature.count});
    return json;
}

// --- reading ---------------------------------------------------------------------------------------------------------

std::string text_of_file(const std::string& path) {
    constexpr std::size_t most = std::size_t{1} << 30;
    Input input = Input::open(path);
    std::string text;
    std::vector<std::byte> piece(std::size_t{1} << 16);
    for (std::size_t got = input.read(piece); got != 0; got = input.read(piece)) {
        if (text.size() + got > most) fail(Failure::limit, path + ": partial statistics are larger than 1 GiB");
        text.append(reinterpret_cast<const char*>(piece.data()), got);
    }
    return text;
}

/// Thrown for JSON of another form than to_json() writes.
struct OtherForm {};

void require(bool condition) {
    if (!condition) throw OtherForm();
}

std::uint64_t number(const Json& json) {
    require(json.is_number_integer() && (json.is_number_unsigned() || json.get<std::int64_t>() >= 0));
    return json.get<std::uint64_t>();
}

template <typename Number>
Number small_number(const Json& json, std::uint64_t most) {
    const std::uint64_t value = number(json);
    require(value <= most);
    return static_cast<Number>(value);
}

WideSum wide_number(std::string_view digits) {
    require(!digits.empty() && digits.size() < 39);
    WideSum value = 0;
    for (const char digit : digits) {
        require(digit >= '0' && digit <= '9');
        value = 10 * value + static_cast<unsigned>(digit - '0');
    }
    return value;
}

WideTick wide_tick(const std::string& text) {
    const bool is_negative = text.starts_with('-');
    const auto value = static_cast<WideTick>(wide_number(std::string_view(text).substr(is_negative ? 1 : 0)));
    return is_negative ? -value : value;
}

std::string text(const Json& json) {
    require(json.is_string());
    return json.get<std::string>();
}

LengthSummary lengths(const Json& json) {
    LengthSummary lengths;
    lengths.count = number(json.at("count"));
    if (lengths.count == 0) return lengths;
    lengths.least = number(json.at("least"));
    lengths.greatest = number(json.at("greatest"));
    lengths.total = wide_number(text(json.at("total")));
    const std::string precision = text(json.at("percentiles"));
    constexpr std::array all{Precision::exact, Precision::within_1_percent, Precision::unknown};
    const auto* const known = std::ranges::find(all, precision, [](Precision one) { return name_of(one); });
    require(known != all.end());
    lengths.precision = *known;
    std::uint64_t sum = 0;
    for (const Json& entry : json.at("lengths")) {
        lengths.lengths.push_back({number(entry.at(0)), number(entry.at(1))});
        sum += lengths.lengths.back().times;
    }
    require(lengths.precision == Precision::unknown || sum == lengths.count);
    // The percentiles are needed if this is the only shard with such lengths.
    LengthMeter meter;
    meter.add(lengths);
    return meter.summary();
}

IntervalStatistics intervals(const Json& json) {
    IntervalStatistics result;
    for (const Json& entry : json) {
        IntervalStatistics::OfTrack& track = result.tracks.emplace_back();
        track.scope_id = small_number<ScopeId>(entry.at("scope_id"), none);
        track.scope = text(entry.at("scope"));
        track.name = text(entry.at("name"));
        track.summary.first = wide_tick(text(entry.at("first")));
        track.summary.last = wide_tick(text(entry.at("last")));
        track.summary.durations = lengths(entry.at("durations"));
        for (const Json& attribute : entry.at("attributes"))
            track.attributes.push_back(
                {text(attribute.at(0)), small_number<Phase>(attribute.at(1), static_cast<unsigned>(Phase::end)),
                 small_number<Type>(attribute.at(2), static_cast<unsigned>(Type::blob)), number(attribute.at(3))});
    }
    return result;
}

DurationsByName names(const Json& json) {
    DurationsByName result;
    result.omitted = number(json.at("omitted"));
    for (const Json& entry : json.at("names"))
        result.names.push_back(
            {small_number<TrackId>(entry.at(0), none), text(entry.at(1)), text(entry.at(2)), lengths(entry.at(3))});
    require(result.names.size() <= DurationsByName::most_names);
    return result;
}

InstructionStatistics instructions(const Json& json) {
    InstructionStatistics result;
    for (std::size_t i = 0; i < instruction_counters.size(); ++i)
        result.counts.*instruction_counters[i].value = number(json.at("counters").at(i));
    result.short_encodings = number(json.at("encodings").at(0));
    result.long_encodings = number(json.at("encodings").at(1));
    result.other_encodings = number(json.at("encodings").at(2));
    if (json.contains("classes")) {
        result.classes.emplace();
        for (std::size_t i = 0; i < result.classes->size(); ++i)
            (*result.classes)[i] = number(json.at("classes").at(i));
    }
    result.branches_taken = number(json.at("branches").at(0));
    result.branches_not_taken = number(json.at("branches").at(1));
    for (const Json& access : json.at("accesses"))
        result.accesses.push_back({small_number<AccessType>(access.at(0), static_cast<unsigned>(AccessType::write)),
                                   small_number<std::uint16_t>(access.at(1), 0xFFFF), number(access.at(2))});
    for (const Json& event : json.at("events"))
        result.events.push_back({text(event.at(1)), number(event.at(2)), number(event.at(0))});
    for (const Json& feature : json.at("features")) {
        // The names of features are those of this program.
        const std::string name = text(feature.at(0));
        const auto* const known = std::ranges::find(feature_names, name);
        require(known != feature_names.end() && feature.at(1).is_boolean());
        result.features.push_back({*known, feature.at(1).get<bool>(), number(feature.at(2))});
    }
    return result;
}

std::vector<std::string> texts(const Json& json) {
    std::vector<std::string> all;
    for (const Json& one : json)
        all.push_back(text(one));
    return all;
}

Fact fact(const Json& json) {
    const std::string key = text(json.at(0));
    const Json& value = json.at(1);
    if (value.is_number_unsigned()) return {key, value.get<std::uint64_t>()};
    if (value.is_number_integer()) return {key, value.get<std::int64_t>()};
    return {key, text(value)};
}

Tick tick(const Json& json) {
    require(json.is_number_integer());
    return json.get<Tick>();
}

ScanCounts counts(const Json& json) {
    ScanCounts result;
    for (std::size_t i = 0; i < result.records_by_kind.size(); ++i) {
        result.records_by_kind[i] = number(json.at("records").at(i));
        result.records += result.records_by_kind[i];
    }
    if (json.contains("time")) {
        result.first_time = tick(json.at("time").at(0));
        result.last_time = tick(json.at("time").at(1));
    }
    return result;
}

PartialInfo parsed(const Json& json, FormatList formats) {
    require(json.is_object() && json.contains("schema") && json.at("schema") == partial_schema);
    PartialInfo partial;
    partial.shard = {number(json.at("shard").at(0)), number(json.at("shard").at(1))};
    require(partial.shard.number >= 1 && partial.shard.number <= partial.shard.count);
    partial.range = {Range::Unit::record, number(json.at("positions").at(0)), std::nullopt};
    if (!json.at("positions").at(1).is_null()) partial.range.end = number(json.at("positions").at(1));
    partial.sample = text(json.at("sample_sha256"));
    partial.moving_facts = texts(json.at("moving_facts"));
    partial.sections = texts(json.at("sections"));
    FileInfo& info = partial.info;
    info.file = text(json.at("file"));
    const std::string format = text(json.at("format"));
    const auto known = std::ranges::find(formats, format, &Format::name);
    require(known != formats.end());
    info.format = *known;
    info.size = number(json.at("size"));
    for (const Json& one : json.at("facts"))
        info.facts.push_back(fact(one));
    info.counts = counts(json.at("model"));
    info.unit = text(json.at("unit"));
    info.effect = small_number<Effect>(json.at("effect"), static_cast<unsigned>(Effect::damaged));
    require(json.at("is_broken").is_boolean());
    info.broken = json.at("is_broken").get<bool>();
    if (json.contains("intervals")) info.intervals = intervals(json.at("intervals"));
    if (json.contains("names")) info.names = names(json.at("names"));
    if (json.contains("instructions")) info.instructions = instructions(json.at("instructions"));
    return partial;
}

}  // namespace

std::string sample_of(const Input& input) {
    constexpr std::uint64_t most = std::uint64_t{64} << 10;
    const std::uint64_t size = input.size().value_or(0);
    Sha256 checksum;
    checksum.add(input.read_all_at(0, static_cast<std::size_t>(std::min(size, most))));
    if (size > most) {
        const std::uint64_t rest = std::min(size - most, most);
        checksum.add(input.read_all_at(size - rest, static_cast<std::size_t>(rest)));
    }
    return checksum.hexadecimal();
}

Json to_json(const PartialInfo& partial) {
    const FileInfo& info = partial.info;
    Json json = json_head(partial_schema, "hwtrace-info");
    json["file"] = info.file;
    json["format"] = info.format->name;
    json["size"] = info.size.value_or(0);
    json["sample_sha256"] = partial.sample;
    json["shard"] = {partial.shard.number, partial.shard.count};
    json["positions"] = {partial.range.begin, partial.range.end ? Json(*partial.range.end) : Json()};
    json["facts"] = Json::array();
    for (const Fact& one : info.facts)
        json["facts"].push_back({one.key, std::visit([](const auto& value) { return Json(value); }, one.value)});
    json["moving_facts"] = partial.moving_facts;
    json["sections"] = partial.sections;
    json["effect"] = static_cast<unsigned>(info.effect);
    json["is_broken"] = info.broken;
    json["unit"] = info.unit;
    json["model"]["records"] = info.counts->records_by_kind;
    if (info.counts->first_time) json["model"]["time"] = {*info.counts->first_time, *info.counts->last_time};
    if (info.intervals) json["intervals"] = intervals_json(*info.intervals);
    if (info.names) json["names"] = names_json(*info.names);
    if (info.instructions) json["instructions"] = instructions_json(*info.instructions);
    return json;
}

PartialInfo read_partial(const std::string& path, FormatList formats) {
    const Json json = Json::parse(text_of_file(path), nullptr, false);
    try {
        PartialInfo partial = parsed(json, formats);
        partial.path = path;
        return partial;
    } catch (const OtherForm&) {
    } catch (const Json::exception&) {
    }
    fail(Failure::input, path + ": not partial statistics (" + std::string(partial_schema) +
                             "); make them with hwtrace-info TRACE --shard I/N --partial");
}

}  // namespace hwtrace::cli

#include "cli/info_partial.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "io/base64.hpp"
#include "io/error.hpp"
#include "io/sha256.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view partial_schema = "hwtrace-info-partial/2";

// --- writing ---------------------------------------------------------------------------------------------------------

Json facts_json(const Facts& facts) {
    Json json = Json::array();
    for (const Fact& one : facts)
        json.push_back({one.key, std::visit([](const auto& value) { return Json(value); }, one.value)});
    return json;
}

// --- reading ---------------------------------------------------------------------------------------------------------

/// Thrown for JSON of another form than partial_json() returns.
struct OtherForm {};

void require(bool condition) {
    if (!condition) throw OtherForm();
}

std::string text_of_file(Input& input, const Limits& limits) {
    std::string text;
    std::vector<std::byte> piece(std::size_t{1} << 16);
    input.seek(0);
    for (std::size_t got = input.read(piece); got != 0; got = input.read(piece)) {
        check_limit(text.size() + got, limits.block, input.name() + ": the partial statistics of a shard",
                    "--max-block");
        text.append(reinterpret_cast<const char*>(piece.data()), got);
    }
    return text;
}

/// Parses the text, whose bulk is a few long strings. Returns nothing for more than a million values, which would need
/// much more memory than the text.
Json json_of(const std::string& text, PartialContent content, const Limits& limits) {
    std::uint64_t values = 0;
    const auto is_wanted = [&](int depth, Json::parse_event_t event, Json& value) {
        if (++values > limits.schema_objects) throw OtherForm();
        const bool is_bulk = event == Json::parse_event_t::key && depth == 1 && value == "state";
        return !(is_bulk && content == PartialContent::head);
    };
    return Json::parse(text, is_wanted, false);
}

std::uint64_t number(const Json& json) {
    require(json.is_number_integer() && (json.is_number_unsigned() || json.get<std::int64_t>() >= 0));
    return json.get<std::uint64_t>();
}

std::string text(const Json& json) {
    require(json.is_string());
    return json.get<std::string>();
}

bool flag(const Json& json) {
    require(json.is_boolean());
    return json.get<bool>();
}

Tick tick(const Json& json) {
    require(json.is_number_integer());
    return json.get<Tick>();
}

Facts facts(const Json& json) {
    Facts facts;
    for (const Json& one : json) {
        const std::string key = text(one.at(0));
        const Json& value = one.at(1);
        if (value.is_number_unsigned())
            facts.push_back({key, value.get<std::uint64_t>()});
        else if (value.is_number_integer())
            facts.push_back({key, value.get<std::int64_t>()});
        else
            facts.push_back({key, text(value)});
    }
    return facts;
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
    FileInfo& info = partial.info;
    info.of_shard = FileInfo::OfShard{};
    FileInfo::OfShard& of_shard = *info.of_shard;
    of_shard.range = {Range::Unit::record, number(json.at("positions").at(0)), std::nullopt};
    if (!json.at("positions").at(1).is_null()) of_shard.range.end = number(json.at("positions").at(1));
    of_shard.sample = text(json.at("sample_sha256"));
    of_shard.facts_at_end = facts(json.at("facts_at_end"));
    if (json.contains("state")) {
        for (const auto& section : json.at("state").items()) {
            auto bytes = bytes_of_base64(text(section.value()));
            require(bytes.has_value());
            of_shard.sections.push_back({section.key(), std::move(*bytes)});
        }
    }
    info.file = text(json.at("file"));
    const std::string format = text(json.at("format"));
    const auto known = std::ranges::find(formats, format, &Format::name);
    require(known != formats.end());
    info.format = *known;
    info.size = number(json.at("size"));
    info.facts = facts(json.at("facts"));
    info.counts = counts(json.at("model"));
    const std::uint64_t effect = number(json.at("effect"));
    require(effect <= static_cast<std::uint64_t>(Effect::damaged));
    info.effect = static_cast<Effect>(effect);
    info.broken = flag(json.at("is_broken"));
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

Json partial_json(const FileInfo& info, const Shard& shard) {
    const FileInfo::OfShard& of_shard = info.of_shard.value();
    Json json = json_head(partial_schema, "hwtrace-info");
    json["file"] = info.file;
    json["format"] = info.format->name;
    json["size"] = info.size.value_or(0);
    json["sample_sha256"] = of_shard.sample;
    json["shard"] = {shard.number, shard.count};
    json["positions"] = {of_shard.range.begin, of_shard.range.end ? Json(*of_shard.range.end) : Json()};
    json["facts"] = facts_json(info.facts);
    json["facts_at_end"] = facts_json(of_shard.facts_at_end);
    json["effect"] = static_cast<unsigned>(info.effect);
    json["is_broken"] = info.broken;
    json["model"]["records"] = info.counts->records_by_kind;
    if (info.counts->first_time) json["model"]["time"] = {*info.counts->first_time, *info.counts->last_time};
    for (const SavedSection& section : of_shard.sections)
        json["state"][section.name] = base64_of(section.bytes);
    return json;
}

PartialInfo read_partial(Input& input, PartialContent content, FormatList formats, const Limits& limits) {
    try {
        PartialInfo partial = parsed(json_of(text_of_file(input, limits), content, limits), formats);
        partial.path = input.name();
        return partial;
    } catch (const OtherForm&) {
    } catch (const Json::exception&) {
    }
    fail(Failure::input, input.name() + ": not partial statistics (" + std::string(partial_schema) +
                             "); make them with hwtrace-info TRACE --shard I/N --partial");
}

}  // namespace hwtrace::cli

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "cli/baseline.hpp"
#include "cli/citations.hpp"
#include "cli/json.hpp"
#include "cli/report_forms.hpp"
#include "cli/version.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view schema_address =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Returns a path as a URI. A relative path stays relative.
std::string uri_of(const std::string& file) {
    const bool is_absolute = file.starts_with('/');
    std::string uri = is_absolute ? "file://" : "";
    for (const char c : std::filesystem::path(file).lexically_normal().generic_string()) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' ||
                           c == '-' || c == '.' || c == '_' || c == '~';
        if (plain)
            uri.push_back(c);
        else
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return uri;
}

Json text_json(std::string_view text) {
    Json json;
    json["text"] = text;
    return json;
}

/// Returns a phrase as a sentence: with a capital letter and a full stop.
std::string sentence_of(std::string_view phrase) {
    std::string text(phrase);
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') text.front() -= 'a' - 'A';
    return text += '.';
}

/// Returns the words of a title as one name: "the data is cut" becomes "TheDataIsCut".
std::string name_from(std::string_view title) {
    std::string name;
    bool begins_word = true;
    for (const char c : title) {
        const bool is_lower = c >= 'a' && c <= 'z';
        const bool is_word = is_lower || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (is_word) name.push_back(begins_word && is_lower ? static_cast<char>(c - 'a' + 'A') : c);
        begins_word = !is_word;
    }
    return name;
}

/// Describes a finding with its place last: viewers show the first sentence as the title.
std::string message_of(const Finding& finding) {
    return fmt::format("{} At {}.", sentence_of(printable(describe_fault(finding))),
                       printable(describe_place(finding)));
}

Json rule_json(const Rule& rule, FormatList formats) {
    Json json;
    json["id"] = rule.id;
    json["name"] = name_from(rule.title);
    json["shortDescription"] = text_json(sentence_of(rule.title));
    json["fullDescription"] = text_json(rule.why);
    // helpUri is not used, because it must be absolute and the pages have no absolute URI.
    std::string places = rule_anchor(formats, rule);
    if (const std::string citation = citation_of(formats, rule); !citation.empty())
        places += (places.empty() ? "" : "; ") + citation;
    json["help"] = text_json(fmt::format("{} See {}.", rule.why, places));
    json["defaultConfiguration"]["level"] = name_of(rule.severity);
    return json;
}

class Sarif {
public:
    void add(const Validation& v) {
        const std::size_t artifact = artifacts_.size();
        Json location;
        location["uri"] = uri_of(v.file);
        Json entry;
        entry["location"] = location;
        if (v.size) entry["length"] = *v.size;
        artifacts_.push_back(std::move(entry));
        location["index"] = artifact;
        for (const Finding& finding : v.findings.kept())
            results_.push_back(result(v, finding, location));
        for (const auto& [id, total] : v.findings.totals())
            totals_[std::string(id)] += total;
        if (v.fault.empty()) return;
        Json notification;
        notification["level"] = "error";
        notification["message"] = text_json(fmt::format("{}: {}", printable(v.file), printable(v.fault)));
        Json place;
        place["physicalLocation"]["artifactLocation"] = location;
        notification["locations"] = Json::array({place});
        faults_.push_back(std::move(notification));
    }

    std::string text(Exit exit, std::string_view fault) {
        if (!fault.empty()) {
            Json notification;
            notification["level"] = "error";
            notification["message"] = text_json(fault);
            faults_.push_back(std::move(notification));
        }
        Json driver;
        driver["name"] = "hwtrace-validate";
        driver["semanticVersion"] = version();
        driver["rules"] = rules_;
        Json invocation;
        invocation["executionSuccessful"] = faults_.empty();
        invocation["exitCode"] = static_cast<int>(exit);
        if (!faults_.empty()) invocation["toolExecutionNotifications"] = faults_;
        Json run;
        run["tool"]["driver"] = driver;
        run["invocations"] = Json::array({invocation});
        run["artifacts"] = artifacts_;
        run["results"] = results_;
        run["properties"]["totals"] = totals_.empty() ? Json::object() : Json(totals_);
        Json json;
        json["$schema"] = schema_address;
        json["version"] = "2.1.0";
        json["runs"] = Json::array({run});
        return to_pretty_text(json);
    }

private:
    std::size_t rule_index(const Rule& rule, FormatList formats) {
        const auto [known, is_new] = rule_indices_.try_emplace(rule.id, rules_.size());
        if (is_new) rules_.push_back(rule_json(rule, formats));
        return known->second;
    }

    Json result(const Validation& v, const Finding& finding, const Json& artifact) {
        Json json;
        json["ruleId"] = finding.rule->id;
        json["ruleIndex"] = rule_index(*finding.rule, v.formats);
        json["level"] = name_of(v.shown_severity(*finding.rule));
        json["message"] = text_json(message_of(finding));
        Json place;
        place["physicalLocation"]["artifactLocation"] = artifact;
        Json& region = place["physicalLocation"]["region"];
        // GitHub requires lines and columns, which start at 1. Without a line, they are those of an empty region.
        const std::optional<std::uint64_t> line = line_of(finding);
        const std::uint64_t length = v.length_of(finding);
        region["startLine"] = region["endLine"] = line.value_or(1);
        region["startColumn"] = 1;
        region["endColumn"] = line ? 1 + length : 1;
        region["byteOffset"] = finding.offset;
        region["byteLength"] = length;
        json["locations"] = Json::array({place});
        json["partialFingerprints"]["hwtraceFinding/v1"] = fingerprint(finding);
        if (v.has_baseline) json["baselineState"] = "new";
        Json properties = Json::object();
        if (!finding.where.empty()) properties["where"] = finding.where;
        if (finding.inner_offset) properties["innerOffset"] = *finding.inner_offset;
        if (finding.ordinal) properties["ordinal"] = *finding.ordinal;
        if (finding.time) properties["time"] = *finding.time;
        if (!properties.empty()) json["properties"] = std::move(properties);
        return json;
    }

    Json rules_ = Json::array(), results_ = Json::array(), artifacts_ = Json::array(), faults_ = Json::array();
    std::map<std::string_view, std::size_t> rule_indices_;
    std::map<std::string, std::uint64_t> totals_;
};

}  // namespace

ReportForm sarif_form() {
    const auto sarif = std::make_shared<Sarif>();
    const auto file = [sarif](const Validation& v) {
        sarif->add(v);
        return std::string();
    };
    return {.file = file, .end = [sarif](Exit exit, std::string_view fault) { return sarif->text(exit, fault); }};
}

}  // namespace hwtrace::cli

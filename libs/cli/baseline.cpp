#include "cli/baseline.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "cli/json.hpp"
#include "cli/messages.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/fnv1a.hpp"
#include "io/input.hpp"

namespace hwtrace::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view schema = "hwtrace-baseline/1";
constexpr std::size_t most_fingerprints = 100'000;
constexpr std::size_t longest_example = 400;
constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;

bool is_word(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_number(std::string_view word) noexcept {
    if (word.starts_with("0x")) return true;
    return std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

/// Appends `text`, with each number that is not part of a name replaced by "#".
void add_words(std::string_view text, std::string& to) {
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_word(text[end]))
            ++end;
        if (end == at) {
            to.push_back(text[at++]);
            continue;
        }
        const std::string_view word = text.substr(at, end - at);
        to.append(is_number(word) ? "#" : word);
        at = end;
    }
    to.push_back('\0');
}

/// Returns the absolute path. Bytes that are not UTF-8 are escaped as in messages, because JSON cannot hold them.
std::string absolute(const std::string& file) {
    if (file == "-") return file;
    return printable(fs::absolute(file).lexically_normal().string());
}

std::string folder_of(const std::string& path) {
    return printable(fs::absolute(path).lexically_normal().parent_path().string());
}

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
    fail(Failure::usage,
         fmt::format("--baseline {}: {}; expected a file written by --write-baseline ({})", path, why, schema));
}

std::string whole_text(const std::string& path) {
    Input input = Input::open(path);
    std::string text;
    std::vector<std::byte> piece(std::size_t{1} << 16);
    for (std::size_t got = input.read(piece); got != 0; got = input.read(piece)) {
        if (text.size() + got > largest_file) refuse(path, "it is larger than 1 GiB");
        text.append(reinterpret_cast<const char*>(piece.data()), got);
    }
    return text;
}

const Json& member(const Json& object, std::string_view name, Json::value_t type, const std::string& path) {
    const auto found = object.is_object() ? object.find(name) : object.end();
    if (found == object.end() || found->type() != type)
        refuse(path, fmt::format("'{}' is missing or has the wrong type", name));
    return *found;
}

}  // namespace

std::string fingerprint(const Finding& finding) {
    std::string words(finding.rule->id);
    words.push_back('\0');
    for (const std::string* const part : {&finding.where, &finding.expected, &finding.got})
        add_words(*part, words);
    Fnv1a64 sum;
    sum.add(as_bytes(words));
    return fmt::format("{:016x}", sum.value());
}

bool add_finding(KnownFindings& findings, const Finding& finding, const std::string& fingerprint) {
    const auto known = findings.find(fingerprint);
    if (known != findings.end()) {
        ++known->second.count;
        return true;
    }
    if (findings.size() >= most_fingerprints) return false;
    findings.emplace(fingerprint, KnownFinding{std::string(finding.rule->id), 1,
                                               printable(describe(finding)).substr(0, longest_example)});
    return true;
}

Baseline Baseline::read(const std::string& path) {
    const Json json = Json::parse(whole_text(path), nullptr, false);
    if (json.is_discarded()) refuse(path, "it is not JSON");
    using Type = Json::value_t;
    if (member(json, "schema", Type::string, path) != schema) refuse(path, "it has a different schema");
    const fs::path folder = folder_of(path);
    Baseline baseline;
    if (const auto level = json.find("level"); level != json.end())
        baseline.level_ = member(json, "level", Type::string, path).get<std::string>();
    for (const Json& file : member(json, "files", Type::array, path)) {
        const auto& name = member(file, "file", Type::string, path).get_ref<const std::string&>();
        KnownFindings& known = baseline.files_[name == "-" ? name : (folder / name).lexically_normal().string()];
        for (const Json& finding : member(file, "findings", Type::array, path)) {
            KnownFinding entry{member(finding, "rule", Type::string, path).get<std::string>(),
                               member(finding, "count", Type::number_unsigned, path).get<std::uint64_t>(),
                               member(finding, "example", Type::string, path).get<std::string>()};
            known.insert_or_assign(member(finding, "fingerprint", Type::string, path).get<std::string>(),
                                   std::move(entry));
        }
    }
    return baseline;
}

KnownFindings Baseline::of(const std::string& file) const {
    const auto known = files_.find(absolute(file));
    return known == files_.end() ? KnownFindings{} : known->second;
}

void Baseline::set(const std::string& file, KnownFindings findings) {
    if (findings.empty())
        files_.erase(absolute(file));
    else
        files_.insert_or_assign(absolute(file), std::move(findings));
}

std::string Baseline::text(const std::string& path) const {
    const fs::path folder = folder_of(path);
    std::map<std::string, const KnownFindings*> named;  // sorted by the file names that the baseline stores
    for (const auto& [file, known] : files_)
        named.emplace(file == "-" ? file : fs::path(file).lexically_relative(folder).generic_string(), &known);
    Json json = json_head(schema, "hwtrace-validate");
    if (!level_.empty()) json["level"] = level_;
    json["files"] = Json::array();
    for (const auto& [file, known] : named) {
        Json entry;
        entry["file"] = file;
        entry["findings"] = Json::array();
        for (const auto& [print, finding] : *known) {
            Json shown;
            shown["rule"] = finding.rule;
            shown["fingerprint"] = print;
            shown["count"] = finding.count;
            shown["example"] = finding.example;
            entry["findings"].push_back(std::move(shown));
        }
        json["files"].push_back(std::move(entry));
    }
    return to_pretty_text(json);
}

}  // namespace hwtrace::cli

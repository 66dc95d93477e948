#include "cli/shard_manifest.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include "cli/json.hpp"
#include "cli/shell_word.hpp"
#include "domain/value_text.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/sha256.hpp"

namespace hwtrace::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view manifest_schema = "hwtrace-manifest/1";
constexpr std::string_view manifest_suffix = ".manifest.json";

/// Adds the contents of a file. Returns its size.
std::uint64_t add_file(const std::string& path, Sha256& sum) {
    Input input = Input::open(path);
    std::vector<std::byte> buffer(std::size_t{1} << 18u);
    std::uint64_t bytes = 0;
    while (const std::size_t size = input.read(buffer)) {
        sum.add(std::span(buffer).first(size));
        bytes += size;
    }
    return bytes;
}

/// Returns `file` relative to the folder of the manifest `manifest`.
std::string relative_to(const std::string& manifest, const std::string& file) {
    const fs::path folder = fs::absolute(manifest).lexically_normal().parent_path();
    return fs::absolute(file).lexically_normal().lexically_proximate(folder).string();
}

std::string path_from(const std::string& manifest, const std::string& file) {
    const fs::path folder = fs::path(manifest).parent_path();
    return fs::path(file).is_absolute() ? file : (folder / file).lexically_normal().string();
}

Json json_of(const ShardEntry& entry, const std::string& manifest, JsonIntegers integers) {
    Json json;
    json["shard"] = json_integer(entry.shard.number, integers);
    json["file"] = relative_to(manifest, entry.file);
    json["begin"] = json_integer(entry.range.begin, integers);
    json["end"] = entry.range.end ? json_integer(*entry.range.end, integers) : Json();
    json["records"] = json_integer(entry.records, integers);
    json["bytes"] = json_integer(entry.checksum.bytes, integers);
    json["sha256"] = entry.checksum.sha256;
    return json;
}

std::string whole_manifest(const std::string& path) {
    constexpr std::uint64_t most = std::uint64_t{64} << 20u;
    const Input input = Input::open(path);
    const std::uint64_t size = input.size().value_or(0);
    if (size > most) fail(Failure::limit, fmt::format("{}: is too large for a manifest ({} bytes)", path, size));
    const std::vector<std::byte> bytes = input.read_all_at(0, static_cast<std::size_t>(size));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

[[noreturn]] void refuse_manifest(const std::string& path, std::string_view why) {
    fail(Failure::input, fmt::format("{}: is no manifest of hwtrace: {}", path, why));
}

/// Returns a number that may be written as a string (--json-u64 string).
std::uint64_t number_in(const Json& object, const char* key, const std::string& path) {
    const auto found = object.find(key);
    if (found != object.end() && found->is_number_unsigned()) return found->get<std::uint64_t>();
    if (found != object.end() && found->is_string())
        if (const auto number = parse_count(found->get<std::string>())) return *number;
    refuse_manifest(path, fmt::format("\"{}\" is no number", key));
}

std::string text_in(const Json& object, const char* key, const std::string& path) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string()) refuse_manifest(path, fmt::format("\"{}\" is no string", key));
    return found->get<std::string>();
}

ShardManifest read_manifest(const std::string& path) {
    const Json json = Json::parse(whole_manifest(path), nullptr, false);
    if (!json.is_object() || json.value("schema", Json()) != manifest_schema)
        refuse_manifest(path, fmt::format("expected a JSON object with \"schema\": \"{}\"", manifest_schema));
    ShardManifest manifest;
    manifest.path = path;
    const auto source = json.find("source"), shards = json.find("shards");
    if (source == json.end() || !source->is_object()) refuse_manifest(path, "\"source\" is no object");
    if (shards == json.end() || !shards->is_array()) refuse_manifest(path, "\"shards\" is no array");
    manifest.source = text_in(*source, "file", path);
    if (source->contains("format")) manifest.source_format = text_in(*source, "format", path);
    if (source->contains("size")) manifest.source_size = number_in(*source, "size", path);
    const std::uint64_t count = number_in(json, "count", path);
    for (const Json& one : *shards) {
        if (!one.is_object()) refuse_manifest(path, "a shard is no object");
        ShardEntry entry;
        entry.shard = {number_in(one, "shard", path), count};
        if (entry.shard.number < 1 || entry.shard.number > count) refuse_manifest(path, "a shard has a wrong number");
        entry.file = path_from(path, text_in(one, "file", path));
        entry.range.unit = Range::Unit::record;
        entry.range.begin = number_in(one, "begin", path);
        if (one.contains("end") && !one["end"].is_null()) entry.range.end = number_in(one, "end", path);
        entry.records = number_in(one, "records", path);
        entry.checksum = {number_in(one, "bytes", path), text_in(one, "sha256", path)};
        manifest.shards.push_back(std::move(entry));
    }
    return manifest;
}

/// Replaces the last number in the file name of `path` by `number` if it is `old`, with the same width. Returns an
/// empty string if the name has another number.
std::string renumbered(const std::string& path, std::uint64_t old, std::uint64_t number) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const std::size_t name = path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1;
    std::size_t end = path.size();
    while (end > name) {
        while (end > name && !is_digit(path[end - 1]))
            --end;
        std::size_t begin = end;
        while (begin > name && is_digit(path[begin - 1]))
            --begin;
        if (begin != end && parse_count(path.substr(begin, end - begin)) == old)
            return fmt::format("{}{:0{}}{}", path.substr(0, begin), number, end - begin, path.substr(end));
        end = begin;
    }
    return {};
}

/// The shards that several manifests state, by number.
class StatedShards {
public:
    StatedShards(const std::vector<std::string>& paths, Messages& messages) : messages_(messages) {
        for (const std::string& path : paths) {
            std::error_code error;
            if (!fs::exists(path, error)) {
                messages.error(path, "the manifest is missing: its job has failed or has not run");
                exit_ = Exit::no;
                continue;
            }
            add(read_manifest(path));
        }
        if (!first_)
            fail(Failure::usage,
                 "none of the manifests exists; name those that hwtrace-split or hwtrace-convert --manifest wrote");
    }

    CheckedShards check() {
        CheckedShards checked;
        std::uint64_t expected_begin = 0;
        for (std::uint64_t number = 1; number <= count_; ++number) {
            const auto found = shards_.find(number);
            if (found == shards_.end()) {
                complain(first_->source, fmt::format("shard {}/{} is missing", number, count_), number);
                // Report the first missing shards only; one wrong number may make billions.
                if (++missing_ == most_missing) break;
                continue;
            }
            const ShardEntry& entry = found->second;
            if (missing_ == 0 && entry.range.begin != expected_begin)
                complain(entry.file,
                         fmt::format("shard {}/{} begins at position {}, but the shard before it ends at {}", number,
                                     count_, entry.range.begin, expected_begin),
                         number);
            expected_begin = entry.range.end.value_or(expected_begin);
            check_file(entry);
            checked.files.push_back(entry.file);
        }
        if (missing_ != 0) checked.files.clear();
        checked.source_format = first_->source_format;
        checked.exit = exit_;
        return checked;
    }

private:
    static constexpr std::uint64_t most_missing = 100;

    void add(ShardManifest&& manifest) {
        if (!first_) {
            first_ = manifest;
            count_ = manifest.shards.empty() ? 0 : manifest.shards.front().shard.count;
            if (count_ == 0) refuse_manifest(manifest.path, "it has no shards");
        }
        if (manifest.source != first_->source || manifest.source_size != first_->source_size)
            fail(Failure::usage, fmt::format("{} and {} are of different traces: {} and {}", first_->path,
                                             manifest.path, first_->source, manifest.source));
        // Older versions state no format.
        if (first_->source_format.empty()) first_->source_format = manifest.source_format;
        if (!manifest.source_format.empty() && manifest.source_format != first_->source_format)
            fail(Failure::usage, fmt::format("{} and {} state different formats of the trace: {} and {}", first_->path,
                                             manifest.path, first_->source_format, manifest.source_format));
        for (ShardEntry& entry : manifest.shards) {
            if (entry.shard.count != count_)
                fail(Failure::usage, fmt::format("{} and {} are of {} and {} shards", first_->path, manifest.path,
                                                 count_, entry.shard.count));
            const std::uint64_t number = entry.shard.number;
            if (!shards_.try_emplace(number, std::move(entry)).second)
                fail(Failure::usage, fmt::format("{}: shard {}/{} is given twice", manifest.path, number, count_));
        }
    }

    void check_file(const ShardEntry& entry) {
        const std::string shard = fmt::format("shard {}/{}", entry.shard.number, count_);
        std::error_code error;
        if (!fs::exists(entry.file, error)) return complain(entry.file, shard + " is missing", entry.shard.number);
        const Checksum actual = checksum_of(entry.file);
        if (actual.bytes != entry.checksum.bytes)
            return complain(entry.file,
                            fmt::format("{} is damaged: it has {}, its manifest states {}", shard,
                                        counted(actual.bytes, "byte"), entry.checksum.bytes),
                            entry.shard.number);
        if (actual.sha256 != entry.checksum.sha256)
            complain(entry.file, shard + " is damaged: its SHA-256 is not that of its manifest", entry.shard.number);
    }

    /// Reports a fault and the command that makes the shard again.
    void complain(const std::string& file, std::string_view fault, std::uint64_t number) {
        exit_ = Exit::no;
        const ShardEntry& other = shards_.begin()->second;
        const auto known = shards_.find(number);
        std::string again =
            known != shards_.end() ? known->second.file : renumbered(other.file, other.shard.number, number);
        if (again.empty()) again = "OUT";
        std::string manifest;
        if (first_->shards.size() == 1) {
            const std::string name = renumbered(first_->path, first_->shards.front().shard.number, number);
            manifest = " --manifest " + (name.empty() ? "MANIFEST" : shell_word(name));
        }
        messages_.error(file, fmt::format("{}; make it again: hwtrace-convert {} {} --shard {}/{} --force{}", fault,
                                          shell_word(first_->source), shell_word(again), number, count_, manifest));
    }

    Messages& messages_;
    std::optional<ShardManifest> first_;
    std::uint64_t count_ = 0, missing_ = 0;
    std::map<std::uint64_t, ShardEntry> shards_;
    Exit exit_ = Exit::done;
};

/// Returns the paths of the files in a folder, relative to it and sorted.
std::vector<std::string> files_in(const std::string& folder) {
    std::vector<std::string> files;
    try {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(folder).generic_string());
    } catch (const fs::filesystem_error& error) {
        fail(Failure::io, fmt::format("{}: cannot be read: {}", folder, error.code().message()));
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

Checksum checksum_of(const std::string& path) {
    Sha256 sum;
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        const std::uint64_t bytes = add_file(path, sum);
        return {bytes, sum.hexadecimal()};
    }
    std::uint64_t bytes = 0;
    for (const std::string& file : files_in(path)) {
        Sha256 content;
        const std::uint64_t size = add_file((fs::path(path) / file).string(), content);
        sum.add(as_bytes(fmt::format("{} {} {}\n", content.hexadecimal(), size, file)));
        bytes += size;
    }
    return {bytes, sum.hexadecimal()};
}

void write_manifest(const ShardManifest& manifest, std::string_view tool, JsonIntegers integers, Existing existing,
                    const std::vector<std::optional<Input::Identity>>& inputs) {
    Json json = json_head(manifest_schema, tool);
    json["source"]["file"] = manifest.source;
    if (!manifest.source_format.empty()) json["source"]["format"] = manifest.source_format;
    if (manifest.source_size) json["source"]["size"] = json_integer(*manifest.source_size, integers);
    if (!manifest.source_sha256.empty()) json["source"]["sha256"] = manifest.source_sha256;
    json["count"] = json_integer(manifest.shards.empty() ? 0 : manifest.shards.front().shard.count, integers);
    json["shards"] = Json::array();
    for (const ShardEntry& entry : manifest.shards)
        json["shards"].push_back(json_of(entry, manifest.path, integers));
    const std::unique_ptr<Output> output = open_file_output(manifest.path, existing, inputs);
    output->append(as_bytes(to_pretty_text(json)));
    output->commit();
}

void warn_of_shards(Messages& messages, const std::string& file, const Format& to) {
    messages.note(file,
                  fmt::format("hwtrace-merge --concat will refuse these shards: their records become {} without a "
                              "mark; use another format, such as jsonl",
                              to.name));
}

std::string manifest_path(std::string_view pattern) {
    constexpr std::string_view placeholder = "{}";
    const std::size_t slash = pattern.rfind('/');
    const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
    std::size_t end = pattern.find(placeholder, name);
    if (end == std::string_view::npos) end = pattern.rfind('.');
    if (end == std::string_view::npos || end < name) end = pattern.size();
    while (end > name && std::string_view("-_.").find(pattern[end - 1]) != std::string_view::npos)
        --end;
    const std::string_view stem = pattern.substr(0, end);
    return fmt::format("{}{}{}", stem, end == name ? "shards" : "", manifest_suffix);
}

bool has_manifest(const std::vector<std::string>& paths) {
    constexpr std::size_t schema_within = 256;  // it is the first key
    return std::ranges::any_of(paths, [](const std::string& path) {
        std::error_code error;
        if (!fs::is_regular_file(path, error)) return false;
        std::ifstream file(path);
        std::string head(schema_within, '\0');
        file.read(head.data(), static_cast<std::streamsize>(head.size()));
        return head.starts_with('{') && head.find("\"hwtrace-manifest/") != std::string::npos;
    });
}

CheckedShards check_manifests(const std::vector<std::string>& paths, Messages& messages) {
    return StatedShards(paths, messages).check();
}

}  // namespace hwtrace::cli

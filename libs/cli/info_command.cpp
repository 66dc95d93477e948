#include "cli/info_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/json.hpp"
#include "cli/process.hpp"
#include "cli/trace_file.hpp"
#include "io/error.hpp"
#include "io/text_output.hpp"
#include "pipeline/scan.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view tool = "hwtrace-info";
constexpr std::size_t kinds = std::tuple_size_v<decltype(ScanCounts::records_by_kind)>;

struct FileInfo {
    std::string file;
    const Format* format = nullptr;
    std::optional<std::uint64_t> size;
    Facts facts;
    std::optional<ScanCounts> counts;  ///< none with --quick
    std::string unit;                  ///< of the counts' times
    Effect effect = Effect::harmless;
    bool broken = false;  ///< see breaks_its_format
};

/// The unit that all tracks share: "ps", "cycles", "instructions", or "ticks" where they differ.
std::string time_unit(const Schema& schema) {
    std::optional<TimeBase> base;
    for (const Track& track : schema.tracks()) {
        if (base && *base != track.time) return "ticks";
        base = track.time;
    }
    if (!base) return "ticks";
    switch (base->kind) {
        case TimeBase::Kind::seconds:
            return *base == picoseconds ? "ps" : fmt::format("ticks of {}/{} s", base->num, base->den);
        case TimeBase::Kind::cycles:
            return "cycles";
        case TimeBase::Kind::ordinal:
            return "(position)";
    }
    return "ticks";
}

FileInfo examine(const std::string& path, const InfoOptions& options, Messages& messages) {
    TraceFile trace = open_trace(path, options.common, messages);
    FileInfo info;
    info.file = trace.name();
    info.format = trace.format;
    if (needs_spooling(trace)) trace.input.spool(options.common.temporary_folder());
    info.size = trace.input.size();
    Findings findings(findings_shown_per_rule);
    say_findings(findings, info.file, messages);
    const Settings settings = options.common.settings();
    naming(info.file, [&] {
        const std::unique_ptr<Reader> reader = trace.format->open(trace.input, settings, findings);
        if (!options.quick) {
            Progress progress(messages, options.common.progress(), info.file, info.size);
            info.counts = scan(*reader, [&](std::uint64_t bytes) { progress(bytes); });
        }
        info.facts = reader->facts();
        info.unit = time_unit(reader->schema());
    });
    say_hidden_findings(findings, info.file, messages);
    info.effect = findings.effect();
    info.broken = breaks_its_format(findings);
    return info;
}

std::string_view completeness(const FileInfo& info) noexcept {
    switch (info.effect) {
        case Effect::harmless:
            if (info.broken) return "breaks its format";
            return info.counts ? "complete" : "not checked (--quick)";
        case Effect::incomplete:
            return "ends early";
        case Effect::damaged:
            return "damaged";
    }
    return "";
}

void print_text(const FileInfo& info, TextOutput& out) {
    const auto line = [&](std::string_view key, std::string_view value) {
        out.put(fmt::format("  {:<24} {}\n", key, value));
    };
    out.put(fmt::format("{}\n", printable(info.file)));
    line("format", fmt::format("{} ({})", info.format->name, info.format->title));
    if (info.size) line("size", fmt::format("{} bytes", *info.size));
    for (const auto& [key, value] : info.facts)
        line(key, value);
    if (info.counts) {
        line("model.records", std::to_string(info.counts->records));
        for (std::size_t i = 0; i < kinds; ++i)
            if (const std::uint64_t count = info.counts->records_by_kind[i]; count > 0)
                line(fmt::format("model.{}", name_of(static_cast<Kind>(i))), std::to_string(count));
        if (info.counts->first_time)
            line("time", fmt::format("{} to {} {}", *info.counts->first_time, *info.counts->last_time, info.unit));
    }
    line("state", completeness(info));
}

/// A fact that stands several times becomes a list.
void add_fact(Json& facts, const std::string& key, const std::string& value) {
    if (!facts.contains(key)) {
        facts[key] = value;
        return;
    }
    Json& known = facts[key];
    if (!known.is_array()) known = Json::array({known});
    known.push_back(value);
}

Json to_json(const FileInfo& info, JsonIntegers integers) {
    Json json;
    json["file"] = info.file;
    json["format"] = info.format->name;
    json["size"] = info.size ? json_integer(*info.size, integers) : Json();
    json["facts"] = Json::object();
    for (const auto& [key, value] : info.facts)
        add_fact(json["facts"], key, value);
    if (info.counts) {
        Json& model = json["model"];
        model["records"] = json_integer(info.counts->records, integers);
        for (std::size_t i = 0; i < kinds; ++i)
            if (const std::uint64_t count = info.counts->records_by_kind[i]; count > 0)
                model[std::string(name_of(static_cast<Kind>(i)))] = json_integer(count, integers);
        if (info.counts->first_time) {
            json["time"]["first"] = json_integer(*info.counts->first_time, integers);
            json["time"]["last"] = json_integer(*info.counts->last_time, integers);
            json["time"]["unit"] = info.unit;
        }
    }
    json["state"] = completeness(info);
    return json;
}

}  // namespace

Exit info_command(const InfoOptions& options) {
    Messages messages = options.common.messages(tool);
    if (options.inputs.empty()) fail(Failure::usage, "a file is needed; try hwtrace-info --help");
    const bool as_json = options.format == "json";
    TextOutput out(STDOUT_FILENO);
    Json json = json_head("hwtrace-info/1", tool);
    json["files"] = Json::array();
    Exit result = Exit::done;
    for (const std::string& path : options.inputs) {
        try {
            const FileInfo info = examine(path, options, messages);
            if (as_json)
                json["files"].push_back(to_json(info, options.common.json_integers()));
            else
                print_text(info, out);
            if (info.broken && !options.allow_incomplete) result = worse(result, Exit::incomplete);
        } catch (const Error& error) {
            if (error.failure() == Failure::usage || error.failure() == Failure::internal) throw;
            messages.error("", error.what());
            result = worse(result, exit_of(error.failure()));
        }
    }
    if (as_json) out.put(to_pretty_text(json));
    out.flush();
    return result;
}

}  // namespace hwtrace::cli

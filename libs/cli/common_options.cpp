#include "cli/common_options.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <thread>

#include "cli/json.hpp"
#include "cli/process.hpp"
#include "cli/terminal.hpp"
#include "cli/version_report.hpp"
#include "hwtrace/identify.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "io/similar_text.hpp"
#include "io/thread_refusal.hpp"

namespace hwtrace::cli {

namespace {

constexpr unsigned most_jobs = 8;

std::string joined(std::span<const std::string_view> words, std::string_view separator) {
    return fmt::format("{}", fmt::join(words.begin(), words.end(), separator));
}

Json format_json(const Format& format) {
    Json json;
    json["name"] = format.name;
    json["title"] = format.title;
    json["extensions"] = Json::array();
    for (const std::string_view extension : format.extensions)
        json["extensions"].push_back(extension);
    json["reads"] = format.can_read();
    json["writes"] = format.can_write();
    json["reads_pipes_without_spooling"] = format.reads.streams;
    json["writes_pipes_without_spooling"] = format.can_write() && !format.writes.needs_patch;
    json["views"] = Json::array();
    for (const View& view : format.views)
        json["views"].push_back(view.name);
    json["options"] = Json::array();
    for (const Option& option : format.options) {
        Json entry;
        entry["key"] = option.key;
        entry["values"] = option.values;
        entry["default"] = option.fallback;
        entry["help"] = option.help;
        json["options"].push_back(entry);
    }
    return json;
}

void list_formats_as_text(FormatList formats) {
    constexpr std::size_t margin_of_extensions = 11, margin_of_title = 32;
    const std::size_t columns = list_columns();
    std::string text;
    for (const Format* format : formats) {
        const std::string title = fmt::format("{} (reads: {}, writes: {})", format->title,
                                              !format->can_read()     ? "no"
                                              : format->reads.streams ? "pipes directly"
                                                                      : "pipes via a temporary file",
                                              !format->can_write()         ? "no"
                                              : format->writes.needs_patch ? "pipes via a temporary file"
                                                                           : "pipes directly");
        const std::string extensions = joined(format->extensions, " ");
        const std::string head = fmt::format("{:<{}} ", format->name, margin_of_extensions - 1);
        const std::string row = fmt::format("{}{:<20} ", head, extensions);
        if (columns == std::string::npos) {
            text += row + title + '\n';
        } else if (row.size() <= margin_of_title) {
            text += row;
            append_wrapped(title, margin_of_title, margin_of_title, columns, text);
        } else {
            text += head;
            append_wrapped(extensions, margin_of_extensions, margin_of_extensions, columns, text);
            text.append(margin_of_title, ' ');
            append_wrapped(title, margin_of_title, margin_of_title, columns, text);
        }
    }
    std::cout << text;
}

/// Returns SOURCE_DATE_EPOCH, which reproducible builds use as the current time, or nullopt if it is not set.
std::optional<std::uint64_t> source_date_epoch() {
    const char* const environment = std::getenv("SOURCE_DATE_EPOCH");
    if (environment == nullptr || *environment == '\0') return std::nullopt;
    const std::optional<std::uint64_t> seconds = parse_digits(environment);
    if (!seconds) fail(Failure::usage, fmt::format("SOURCE_DATE_EPOCH={}: takes seconds since 1970", environment));
    return seconds;
}

/// Returns why a format option has no effect in a binary that writes no trace or prints another view.
std::string why_not(const Option& option) {
    if (option.view.empty()) return "it changes how traces are written, but this command writes none";
    return fmt::format("it requires hwtrace-dump --view {}", option.view);
}

/// Returns a question for the format that has `name` as an extension, or else for one that `name` misspells; may be
/// empty.
std::string meant_format(FormatList formats, std::string_view name) {
    const std::string extension = name.starts_with('.') ? std::string(name) : "." + std::string(name);
    for (const Format* format : formats)
        if (std::ranges::find(format->extensions, extension) != format->extensions.end())
            return fmt::format(" (did you mean {}?)", format->name);
    SimilarText similar(name);
    for (const Format* format : formats)
        similar.consider(format->name);
    return similar.question();
}

}  // namespace

void CommonOptions::add_to(CommandLine& line, FormatOptions used) {
    std::vector<std::string> names;
    for (const Format* format : formats_)
        names.emplace_back(format->name);
    line.words("FORMAT", std::move(names));
    line.environment("TMPDIR", "Folder for temporary files if --tmpdir is not given");
    line.environment("HWTRACE_HTTP_TIMEOUT", "Seconds without a byte after which reading a URL fails (default: 20)");
    line.environment("HWTRACE_PLUGINS", "Shared objects that add formats, separated by colons");
    line.environment("NO_COLOR", "If set, turns colour off unless --color=always is given");
    line.environment("SOURCE_DATE_EPOCH", "Creation time stored in outputs, in seconds since 1970");

    line.group("Common options");
    line.option("--from", "FORMAT", from_, "Format of the input (default: detected from its content)");
    line.option("--tmpdir", "FOLDER", temporary_folder_,
                "Folder for temporary files: spooled pipes and large sorts (default: TMPDIR, else /tmp)");
    line.count("-j,--jobs", jobs_,
               "Number of threads; does not affect the output (default: number of cores, at most 8)");
    line.flag("-q,--quiet", quiet_, "Prints errors only");
    line.flag("-v,--verbose", verbose_, "Prints details");
    line.choice("--color", {"auto", "always", "never"}, colour_,
                "Colour of messages and drawings; auto: on a terminal, unless NO_COLOR is set (default: auto)");
    line.choice("--progress", {"auto", "json", "off"}, progress_,
                "Progress on standard error: a bar on a terminal, lines of JSON, or none (default: auto)");
    line.choice("--json-u64", {"number", "string"}, integers_, "JSON type of integers beyond 2^53 (default: number)");
    line.flag("--version", version_, "Prints the version and exits (with --json: also library versions, as JSON)");
    line.flag("--list-formats", list_formats_, "Lists the formats and exits (with --json: as JSON)");
    line.flag("--json", json_,
              "Prints results and lists (--list-formats, --version, ...) as JSON, as --format json does");

    line.group("Limits on the input");
    line.count("--max-block", limits_.block, "Maximum bytes in a decompressed block");
    line.count("--max-record", limits_.record, "Maximum bytes in a record");
    line.count("--max-string", limits_.string, "Maximum bytes in a string");
    line.count("--max-schema", limits_.schema_objects,
               "Maximum number of tracks, fields, enum values and similar objects");
    line.count("--max-depth", limits_.depth, "Maximum nesting of JSON or CBOR");
    line.count("--max-window", limits_.zstd_window, "Maximum bytes in a zstd window");
    line.flag("--no-limits", no_limits_, "Lifts all limits");

    for (const Format* format : formats_) {
        line.group(fmt::format("Options of {} ({})", format->name, format->title));
        for (const Option& option : format->options) {
            const FormatOptions about = option.view.empty() ? FormatOptions::of_writers : FormatOptions::of_views;
            if (about != used) {
                line.refuse(fmt::format("--{}", option.key), why_not(option));
                continue;
            }
            FormatOption& entry = format_options_.emplace_back(FormatOption{&option, std::nullopt});
            if (option.values == "flag") {
                line.flag(fmt::format("--{}", option.key), entry.is_set, option.help);
                continue;
            }
            line.option(fmt::format("--{}", option.key), option.values, entry.value,
                        option.fallback.empty() ? std::string(option.help)
                                                : fmt::format("{} (default: {})", option.help, option.fallback));
        }
    }
}

std::optional<Exit> CommonOptions::answer(std::string_view tool) const {
    if (version_) {
        std::cout << (json_ ? version_json(tool, formats_) : version_text(tool));
    } else if (list_formats_) {
        if (json_) {
            Json json = json_head("hwtrace-formats/1", tool);
            json["formats"] = Json::array();
            for (const Format* format : formats_)
                json["formats"].push_back(format_json(*format));
            std::cout << to_pretty_text(json);
        } else {
            list_formats_as_text(formats_);
        }
    } else {
        return std::nullopt;
    }
    flush_standard_output();
    return Exit::done;
}

void CommonOptions::unite_json(std::string& format) {
    if (json_ && format != "text" && format != "json")
        fail(Failure::usage,
             fmt::format("--json is the same as --format json; leave it out or leave out --format {}", format));
    json_ = json_ || format == "json";
    if (json_) format = "json";
}

void CommonOptions::refuse_json(std::string_view options) const {
    if (json_) fail(Failure::usage, fmt::format("--json works only with {}", options));
}

Settings CommonOptions::settings() const {
    Settings settings;
    settings.temporary_folder = temporary_folder();
    settings.json_integers = json_integers();
    settings.limits = no_limits_ ? Limits::unlimited() : limits_;
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    settings.jobs =
        jobs_ == 0 ? std::min(cores, most_jobs) : static_cast<unsigned>(std::min<std::uint64_t>(jobs_, 256));
    settings.created = source_date_epoch();
    for (const FormatOption& entry : format_options_)
        if (entry.is_given()) settings.set(*entry.option, entry.value.value_or("on"));
    return settings;
}

void CommonOptions::refuse_unused(const Format* target, std::string_view view) const {
    const auto is_of = [](const Format& format, const Option& option) {
        return std::ranges::any_of(format.options, [&](const Option& known) { return known.key == option.key; });
    };
    for (const FormatOption& entry : format_options_) {
        if (!entry.is_given()) continue;
        const Option& option = *entry.option;
        if (option.view.empty() ? target == nullptr : option.view != view)
            fail(Failure::usage, fmt::format("--{}: {}", option.key, why_not(option)));
        if (option.view.empty() && !is_of(*target, option))
            fail(Failure::usage, fmt::format("--{} has no effect on a {} trace", option.key, target->name));
    }
}

Messages CommonOptions::messages(std::string_view tool) const {
    const Volume volume = quiet_ ? Volume::quiet : verbose_ ? Volume::verbose : Volume::normal;
    const Colour colour = colour_on(STDERR_FILENO);
    on_thread_refusal([messages = Messages(tool, volume, colour)]() mutable {
        messages.note("", "the system allows no further thread; the work continues on those that exist");
    });
    return {tool, volume, colour};
}

Colour CommonOptions::colour_on(int descriptor) const noexcept {
    if (colour_ != "auto") return colour_ == "always" ? Colour::on : Colour::off;
    return automatic_colour(descriptor);
}

ProgressForm CommonOptions::progress() const noexcept {
    if (progress_ == "json") return ProgressForm::json;
    if (progress_ == "off" || quiet_ || !is_capable_terminal(STDERR_FILENO)) return ProgressForm::off;
    return ProgressForm::bar;
}

JsonIntegers CommonOptions::json_integers() const noexcept {
    return integers_ == "string" ? JsonIntegers::strings : JsonIntegers::numbers;
}

std::string CommonOptions::temporary_folder() const {
    if (!temporary_folder_.empty()) return temporary_folder_;
    const char* const environment = std::getenv("TMPDIR");
    return environment != nullptr && *environment != '\0' ? environment : "/tmp";
}

const Format* CommonOptions::source_format() const {
    if (from_.empty()) return nullptr;
    const Format& format = named_format(formats_, from_, "--from", readable(formats_));
    if (!format.can_read())
        fail(Failure::usage, fmt::format("--from {}: hwtrace writes this format, but does not read it", from_));
    return &format;
}

const Format& named_format(FormatList formats, std::string_view name, std::string_view option, FormatList known) {
    if (const Format* format = find_format(formats, name)) return *format;
    fail(Failure::usage, fmt::format("{} {}: unknown format{}; known formats are {}", option, name,
                                     meant_format(known, name), format_names(known)));
}

}  // namespace hwtrace::cli

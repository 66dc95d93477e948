#include "recording_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <new>
#include <random>
#include <system_error>

#include "convert/convert.hpp"
#include "convert/plan.hpp"
#include "convert/prescan.hpp"
#include "domain/conventions.hpp"
#include "formats.hpp"
#include "io/advised_error.hpp"
#include "io/counted.hpp"
#include "io/error.hpp"
#include "io/hex_digits.hpp"
#include "io/input.hpp"

namespace hwtrace::recording::detail {

namespace {

/// Returns true if the format's writer can write records during the recording.
bool accepts_recordings(const Format& format) noexcept {
    const WriteCapabilities& writes = format.writes;
    return writes.growing_schema && writes.holds.of(Shape::stream).accepts == nullptr &&
           writes.holds.protocol().empty() && writes.time != TimeLimit::only_picoseconds &&
           writes.holds.shapes().has_all({Shape::stream, Shape::relation_type});
}

const Format& chosen_format(const std::string& path, const std::string& name) {
    const FormatList formats = transaction_formats();
    const Format* const format = name.empty() ? format_by_extension(formats, path) : find_format(formats, name);
    if (format != nullptr) return *format;
    std::string names, extensions;
    for (const Format* const known : formats) {
        names.append(names.empty() ? "" : ", ").append(known->name);
        for (const std::string_view extension : known->extensions)
            if (extension.find('.', 1) == std::string_view::npos)  // not of a compressed file
                extensions.append(extensions.empty() ? "" : ", ").append(extension);
    }
    if (name.empty()) fail(Failure::usage, path + ": the name does not select a format; it can end with " + extensions);
    fail(Failure::usage,
         path + ": transactions cannot be recorded in the format '" + name + "'; the formats are " + names);
}

void choose_options(const Format& format, const Options& options, Settings& settings) {
    for (const auto& choice : options.format_options) {
        const auto option = std::find_if(format.options.begin(), format.options.end(),
                                         [&](const Option& candidate) { return candidate.key == choice.first; });
        if (option == format.options.end())
            fail(Failure::usage, "'" + choice.first + "' is not an option of the format " + std::string(format.name));
        settings.set(*option, choice.second);
    }
}

/// Selects options that the program has not set. Recorded streams alternate, so each stream has one open block.
/// Recorded relations state the streams of their ends, so the writer need not keep the stream of every transaction. In
/// a final file, numbers have the form that viewers read; a loss of digits is counted.
void choose_defaults(const Format& recorded, bool is_final, Settings& settings) {
    const auto choose = [&](std::string_view key, const char* value) {
        for (const Option& option : recorded.options)
            if (option.key == key && !settings.chosen(key)) settings.set(option, value);
    };
    choose("ftr-blocks", "stream");
    choose("ftr-relations", "source");
    if (is_final) choose("ftr-doubles", "binary32");
}

/// Returns true if the loss concerns data that the program recorded. The order of ends does not count as such data. The
/// same applies to relation names without relations, and to facts that only the intermediate FTR file states: streams
/// of relations, and a default time of creation.
bool is_missed(const Losses::Key& key, const Losses::Entry& entry, bool has_epoch) {
    switch (key.first) {
        case Loss::order_changed:
            return false;
        case Loss::field_dropped:
            return entry.first != conventions::relation_source_stream;
        case Loss::metadata_dropped:
            return has_epoch || key.second != conventions::ftr_epoch;
        case Loss::relation_dropped:
            return entry.count != entry.unused;
        default:
            return true;
    }
}

std::string temporary_folder(const Options& options) {
    if (!options.temporary_folder.empty()) return options.temporary_folder;
    const char* const environment = std::getenv("TMPDIR");
    return environment != nullptr && *environment != '\0' ? environment : "/tmp";
}

/// Returns an unpredictable name, because other users may write to the folder.
std::string temporary_name(const std::string& folder) {
    std::random_device random;
    std::array<std::byte, 8> bytes{};
    for (std::byte& byte : bytes)
        byte = static_cast<std::byte>(random());
    std::string name = folder + "/hwtrace-recording-";
    append_hex_digits(bytes, name);
    return name + ".ftr";
}

/// Calls `work`. If `work` throws an Error, adds the name of the file with the recorded data to the message. `kept`
/// returns this name, or an empty string if there is no such file.
template <typename Work, typename Kept>
void keeping(Work&& work, Kept&& kept) {
    const auto fail_with = [&](Failure failure, const std::string& what) {
        const std::string path = kept();
        fail(failure, path.empty() ? what : what + "; the recorded data is in " + path);
    };
    try {
        work();
    } catch (const hwtrace::Error& error) {
        fail_with(error.failure(), words_of(error));
    } catch (const std::bad_alloc&) {
        fail_with(Failure::limit, "out of memory");
    }
}

// Constant-initialised and never destroyed, because a database may be a global object.
constinit std::mutex claims_mutex;
constinit PathClaim* claims = nullptr;

}  // namespace

std::string words_of(const hwtrace::Error& error) {
    const auto* const advised = dynamic_cast<const AdvisedError*>(&error);
    if (advised == nullptr) return error.what();
    const std::string fact(advised->fact());
    return dynamic_cast<const OutputExists*>(&error) == nullptr ? fact : fact + "; Options::replace replaces it";
}

PathClaim::PathClaim(const std::string& path) {
    std::error_code error;
    path_ = std::filesystem::weakly_canonical(path, error).string();
    if (error) path_ = path;
    const std::lock_guard<std::mutex> guard(claims_mutex);
    for (const PathClaim* other = claims; other != nullptr; other = other->next_)
        if (other->path_ == path_) fail(Failure::usage, path + ": another database of this program is recording it");
    next_ = claims;
    claims = this;
}

PathClaim::~PathClaim() {
    const std::lock_guard<std::mutex> guard(claims_mutex);
    PathClaim** link = &claims;
    while (*link != this)
        link = &(*link)->next_;
    *link = next_;
}

RecordingFile::RecordingFile(const std::string& path, const Options& options)
    : claim_(path),
      format_(&chosen_format(path, options.format)),
      recorded_(format_),
      has_epoch_(options.epoch.has_value()) {
    settings_.output_name = path;
    choose_options(*format_, options, settings_);
    const Existing existing = options.replace ? Existing::replace : Existing::refuse;
    if (!accepts_recordings(*format_)) {
        recorded_ = find_format(transaction_formats(), "ftr");
        settings_.temporary_folder = temporary_folder(options);
        if (options.visibility == Visibility::growing)
            fail(Failure::usage, path + ": a file of the format " + std::string(format_->name) +
                                     " cannot be read while it is recorded; record FTR and convert it");
        temporary_path_ = temporary_name(settings_.temporary_folder);
        temporary_ = open_file_output(temporary_path_, Existing::refuse);
    }
    recorded_settings_ = temporary_ ? Settings() : settings_;
    choose_defaults(*recorded_, temporary_ == nullptr, recorded_settings_);
    output_ = options.visibility == Visibility::growing ? open_visible_output(path, existing)
                                                        : open_file_output(path, existing);
    if (options.visibility == Visibility::growing)
        output_->sync();  // makes the file visible to a program that waits for it
}

RecordingFile::~RecordingFile() = default;

Writer& RecordingFile::writer(const Schema& schema) {
    if (!writer_) writer_ = recorded_->create(temporary_ ? *temporary_ : *output_, schema, recorded_settings_, losses_);
    return *writer_;
}

void RecordingFile::write(const Schema& schema, const Batch& batch) {
    keeping([&] { writer(schema).write(batch); }, [&] { return recording().abandon(); });
}

void RecordingFile::flush(const Schema& schema) {
    const auto work = [&] {
        writer(schema).checkpoint();
        recording().sync();
    };
    keeping(work, [&] { return recording().abandon(); });
}

std::vector<std::string> RecordingFile::finish(const Schema& schema) {
    const auto work = [&] {
        writer(schema).finish();
        recording().commit();
    };
    keeping(work, [&] { return recording().abandon(); });
    if (temporary_) {
        const auto conversion = [&] {
            convert_recorded();
            output_->commit();
        };
        keeping(conversion, [&] { return temporary_path_; });
        unlink(temporary_path_.c_str());
    }
    std::vector<std::string> lines;
    if (!temporary_)  // the intermediate file needs no other reader
        for (const std::string& warning : losses_.warnings())
            lines.push_back("warning: " + warning);
    for (const auto& [key, entry] : losses_.entries()) {
        if (!is_missed(key, entry, has_epoch_)) continue;
        lines.push_back(std::string(name_of(key.first))
                            .append(" ")
                            .append(key.second)
                            .append(", ")
                            .append(counted(entry.count, "time"))
                            .append(", first ")
                            .append(entry.first));
    }
    return lines;
}

void RecordingFile::convert_recorded() {
    Input input = Input::open(temporary_path_);
    Findings findings;
    PreparedSource source(input, *recorded_, *format_, settings_, findings);
    Choices choices;
    choices.settings = settings_;
    Plan plan = make_plan(source.schema(), source.format(), *format_, choices, losses_);
    const std::unique_ptr<Writer> target =
        format_->create(*output_, plan.target_schema(source.schema()), settings_, losses_);
    convert(source.reader(), plan, *target);
}

}  // namespace hwtrace::recording::detail

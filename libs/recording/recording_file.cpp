#include "recording_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>

#include "formats.hpp"
#include "io/error.hpp"
#include "io/input.hpp"
#include "model/conventions.hpp"
#include "pipeline/convert.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/prescan.hpp"

namespace hwtrace::recording::detail {

namespace {

/// Whether the writer takes what a recorder has, when it has it.
bool takes_recordings(const Format& format) noexcept {
    const WriteCapabilities& writes = format.writes;
    return writes.growing_schema && writes.takes_interval_track == nullptr && writes.protocol.empty() &&
           !writes.time_in_picoseconds && writes.kinds.has_all({Kind::interval, Kind::relation});
}

const Format& chosen_format(const std::string& path, const std::string& name) {
    const Format* const format =
        name.empty() ? format_by_extension(transaction_formats(), path) : find_format(transaction_formats(), name);
    if (format == nullptr)
        fail(Failure::usage,
             path + (name.empty() ? ": its name does not tell a format that transactions can be recorded in"
                                  : ": transactions cannot be recorded in a format '" + name + "'"));
    return *format;
}

void choose_options(const Format& format, const Options& options, Settings& settings) {
    for (const auto& choice : options.format_options) {
        const auto option = std::find_if(format.options.begin(), format.options.end(),
                                         [&](const Option& candidate) { return candidate.key == choice.first; });
        if (option == format.options.end())
            fail(Failure::usage, "'" + choice.first + "' is no option of the format " + std::string(format.name));
        settings.set(*option, choice.second);
    }
}

/// Streams that are recorded take turns: each fills blocks of its own.
void choose_blocks(const Format& recorded, Settings& settings) {
    for (const Option& option : recorded.options)
        if (option.key == "ftr-blocks" && !settings.chosen(option.key)) settings.set(option, "stream");
}

/// Whether the program that recorded misses it: not the order in which transactions ended, nor what only the detour by
/// FTR states (the streams of relations, which their transactions tell, and a time of creation that nobody gave).
bool is_missed(const Losses::Key& key, const Losses::Entry& entry, bool has_epoch) {
    switch (key.first) {
        case Loss::order_changed:
            return false;
        case Loss::field_dropped:
            return entry.first != conventions::relation_source_stream;
        case Loss::metadata_dropped:
            return has_epoch || key.second != conventions::ftr_epoch;
        default:
            return true;
    }
}

std::string temporary_folder(const Options& options) {
    if (!options.temporary_folder.empty()) return options.temporary_folder;
    const char* const environment = std::getenv("TMPDIR");
    return environment != nullptr && *environment != '\0' ? environment : "/tmp";
}

std::string temporary_name(const std::string& folder) {
    static std::atomic<unsigned> made{0};
    std::string name = folder + "/hwtrace-recording-" + std::to_string(getpid());
    return name.append("-").append(std::to_string(made++)).append(".ftr");
}

}  // namespace

RecordingFile::RecordingFile(const std::string& path, const Options& options)
    : format_(&chosen_format(path, options.format)), recorded_(format_), has_epoch_(options.epoch.has_value()) {
    settings_.output_name = path;
    choose_options(*format_, options, settings_);
    const Existing existing = options.replace ? Existing::replace : Existing::refuse;
    if (!takes_recordings(*format_)) {
        recorded_ = find_format(transaction_formats(), "ftr");
        settings_.temporary_folder = temporary_folder(options);
        if (options.visibility == Visibility::growing)
            fail(Failure::usage, path + ": a file of the format " + std::string(format_->name) +
                                     " cannot be read while it is recorded; record FTR, and convert that");
        temporary_path_ = temporary_name(settings_.temporary_folder);
        temporary_ = open_file_output(temporary_path_, Existing::refuse);
    }
    recorded_settings_ = temporary_ ? Settings() : settings_;
    choose_blocks(*recorded_, recorded_settings_);
    output_ = options.visibility == Visibility::growing ? open_visible_output(path, existing)
                                                        : open_file_output(path, existing);
    if (options.visibility == Visibility::growing) output_->sync();  // who waits for the file finds it
}

RecordingFile::~RecordingFile() = default;

Writer& RecordingFile::writer(const Schema& schema) {
    if (!writer_) writer_ = recorded_->create(temporary_ ? *temporary_ : *output_, schema, recorded_settings_, losses_);
    return *writer_;
}

void RecordingFile::write(const Schema& schema, const Batch& batch) {
    writer(schema).write(batch);
}

void RecordingFile::flush(const Schema& schema) {
    writer(schema).checkpoint();
    (temporary_ ? temporary_ : output_)->sync();
}

std::vector<std::string> RecordingFile::finish(const Schema& schema) {
    writer(schema).finish();
    if (temporary_)
        keep_recorded_on_failure([&] {
            temporary_->commit();
            convert_recorded();
            output_->commit();
        });
    else
        output_->commit();
    std::vector<std::string> lines;
    for (const auto& [key, entry] : losses_.entries()) {
        if (!is_missed(key, entry, has_epoch_)) continue;
        lines.push_back(std::string(name_of(key.first))
                            .append(" ")
                            .append(key.second)
                            .append(", ")
                            .append(std::to_string(entry.count))
                            .append(entry.count == 1 ? " time, first " : " times, first ")
                            .append(entry.first));
    }
    return lines;
}

template <typename Work>
void RecordingFile::keep_recorded_on_failure(Work&& work) {
    try {
        work();
    } catch (const hwtrace::Error& error) {
        if (access(temporary_path_.c_str(), F_OK) != 0) throw;
        fail(error.failure(), std::string(error.what()) + "; what was recorded is in " + temporary_path_);
    }
    unlink(temporary_path_.c_str());
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

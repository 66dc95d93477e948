// cli/common_options.hpp - the options that every binary has, and what they mean.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/messages.hpp"
#include "cli/progress.hpp"
#include "codec/format.hpp"
#include "codec/settings.hpp"

namespace hwtrace::cli {

/// Which of the formats' options a binary has a use for; the others are refused with the reason, and not shown.
enum class FormatOptions : std::uint8_t { none, of_views, of_writers };

class CommonOptions {
public:
    /// `formats` are all that the program knows; the list outlives this object.
    explicit CommonOptions(FormatList formats) : formats_(formats) {}
    FormatList formats() const noexcept { return formats_; }

    /// Adds the options to `line`, which must not be parsed after this object's life.
    void add_to(CommandLine& line, FormatOptions used);

    /// Answers --version and --list-formats on standard output; none when there is work to do.
    std::optional<Exit> answer(std::string_view tool) const;
    /// Throws Failure::usage where --json was given, which goes with `options` and changes nothing here.
    void refuse_json(std::string_view options = "--list-formats and --version") const;

    /// Limits, threads and the formats' own options. Throws Failure::usage for a value that an option does not take.
    Settings settings() const;
    /// Throws Failure::usage for an option of a format that changes nothing: one about writing that is none of
    /// `target`'s (nullptr: nothing is written), one about a view that is not `view`.
    void refuse_unused(const Format* target, std::string_view view = {}) const;
    Messages messages(std::string_view tool) const;
    ProgressForm progress() const noexcept;
    JsonIntegers json_integers() const noexcept;
    /// Where pipes are spooled.
    std::string temporary_folder() const;
    /// The format that --from names, or nullptr. Throws Failure::usage when there is none of that name.
    const Format* source_format() const;
    bool json() const noexcept { return json_; }
    /// --no-limits.
    bool unlimited() const noexcept { return no_limits_; }

private:
    struct FormatOption {
        const Option* option;
        std::optional<std::string> value;
    };

    FormatList formats_;
    bool quiet_ = false, verbose_ = false, version_ = false, list_formats_ = false, json_ = false, no_limits_ = false;
    std::string colour_ = "auto", progress_ = "auto", integers_ = "number";
    std::string from_, temporary_folder_;
    std::uint64_t jobs_ = 0;  // 0: as many as there are cores, at most most_jobs
    Limits limits_;
    std::deque<FormatOption> format_options_;  // a deque: the command line keeps references to the values
};

/// The format of that name. Throws Failure::usage, naming those that there are, when there is none.
const Format& named_format(FormatList formats, std::string_view name, std::string_view option);
/// "stf, uscope".
std::string format_names(FormatList formats);

}  // namespace hwtrace::cli

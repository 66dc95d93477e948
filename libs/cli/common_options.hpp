// cli/common_options.hpp - the options that every binary has.
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

/// The format options that a binary accepts. All other format options cause a usage error that gives the reason, and
/// --help does not list them.
enum class FormatOptions : std::uint8_t { none, of_views, of_writers };

class CommonOptions {
public:
    /// `formats` are all formats of the program. The list must outlive this object.
    explicit CommonOptions(FormatList formats) : formats_(formats) {}
    FormatList formats() const noexcept { return formats_; }

    /// Adds the options to `line`, which keeps references to this object.
    void add_to(CommandLine& line, FormatOptions used);

    /// Handles --version and --list-formats. Returns nullopt if neither option was given.
    std::optional<Exit> answer(std::string_view tool) const;
    /// Unites --json with --format: either gives "json". `format` is "text" if --format was not given. Throws
    /// Failure::usage if they name different formats. Call it before answer().
    void unite_json(std::string& format);
    /// Throws Failure::usage if --json was given without one of `options`. The message names `options`.
    void refuse_json(std::string_view options = "--list-formats and --version") const;

    /// Returns limits, threads and format options. Throws Failure::usage for an invalid value of an option.
    Settings settings() const;
    /// Throws Failure::usage if a format option has no effect. Such an option is for writing a format other than
    /// `target`, or for a view other than `view`. `target` is nullptr if nothing is written.
    void refuse_unused(const Format* target, std::string_view view = {}) const;
    Messages messages(std::string_view tool) const;
    ProgressForm progress() const noexcept;
    /// Returns whether to write colour to a descriptor: what --color says, else Colour::on for a capable terminal
    /// unless NO_COLOR is set.
    Colour colour_on(int descriptor) const noexcept;
    JsonIntegers json_integers() const noexcept;
    /// Returns the folder for temporary files, such as spooled pipes.
    std::string temporary_folder() const;
    /// Returns the format that --from names, or nullptr without --from. Throws Failure::usage for an unknown name.
    const Format* source_format() const;
    bool json() const noexcept { return json_; }
    /// Returns true if --no-limits was given.
    bool unlimited() const noexcept { return no_limits_; }

private:
    struct FormatOption {
        const Option* option;
        std::optional<std::string> value;
        bool is_set = false;  ///< an option without a value

        bool is_given() const noexcept { return value || is_set; }
    };

    FormatList formats_;
    bool quiet_ = false, verbose_ = false, version_ = false, list_formats_ = false, json_ = false, no_limits_ = false;
    std::string colour_ = "auto", progress_ = "auto", integers_ = "number";
    std::string from_, temporary_folder_;
    std::uint64_t jobs_ = 0;  // 0: the number of cores, at most most_jobs
    Limits limits_;
    std::deque<FormatOption> format_options_;  // a deque, because the command line keeps references to the values
};

/// Returns the format with this name. Throws Failure::usage for an unknown name, with a message that begins with
/// `option` and suggests and lists those of `known`.
const Format& named_format(FormatList formats, std::string_view name, std::string_view option, FormatList known);

}  // namespace hwtrace::cli

#include "cli/validation_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "cli/terminal.hpp"
#include "io/cursor.hpp"
#include "io/descriptor.hpp"
#include "io/error.hpp"

namespace hwtrace::cli {

namespace {

struct NamedForm {
    std::string_view name;
    ReportForm (*make)(Volume volume, Colour colour, JsonIntegers integers);
};

constexpr std::array forms{
    NamedForm{"text", [](Volume volume, Colour colour, JsonIntegers) { return text_form(volume, colour); }},
    NamedForm{"json", [](Volume, Colour, JsonIntegers integers) { return json_form(integers); }},
    NamedForm{"jsonl", [](Volume, Colour, JsonIntegers integers) { return jsonl_form(integers); }},
    NamedForm{"junit", [](Volume, Colour, JsonIntegers) { return junit_form(); }},
    NamedForm{"sarif", [](Volume, Colour, JsonIntegers) { return sarif_form(); }},
    NamedForm{"github", [](Volume, Colour, JsonIntegers) { return github_form(); }},
};

const NamedForm* form_named(std::string_view name) noexcept {
    const auto* const found = std::ranges::find(forms, name, &NamedForm::name);
    return found == forms.end() ? nullptr : found;
}

}  // namespace

std::vector<std::string> report_forms() {
    std::vector<std::string> names;
    names.reserve(std::size(forms));
    for (const NamedForm& form : forms)
        names.emplace_back(form.name);
    return names;
}

ReportOptions parse_report(std::string_view text) {
    const std::size_t equals = text.find('=');
    ReportOptions options;
    options.form = text.substr(0, equals);
    if (form_named(options.form) == nullptr)
        fail(Failure::usage, fmt::format("unknown report '{}'; use one of {}, optionally with =FILE", text,
                                         fmt::join(report_forms(), ", ")));
    if (equals != std::string_view::npos) {
        options.path = text.substr(equals + 1);
        if (options.path.empty()) fail(Failure::usage, fmt::format("--report {}: the file name is missing", text));
        if (options.path == "-") options.path.clear();
    }
    return options;
}

Report::Report(const ReportOptions& options, Volume volume, Colour colour, JsonIntegers integers,
               const std::vector<std::optional<Input::Identity>>& inputs)
    : form_(form_named(options.form)->make(volume, options.path.empty() ? colour : Colour::off, integers)),
      is_text_(options.form == "text") {
    if (!options.path.empty()) file_ = open_file_output(options.path, Existing::replace, inputs);
    write(form_.head);
}

void Report::write(std::string_view text) {
    if (text.empty()) return;
    if (file_)
        file_->append(as_bytes(text));
    else if (is_text_)
        write_stream(STDOUT_FILENO, as_bytes(fitted(text, list_columns())));
    else
        write_stream(STDOUT_FILENO, as_bytes(text));
}

void Report::add(const Validation& validation) {
    write(form_.file(validation));
}

void Report::finish(Exit result, std::string_view fault) {
    write(form_.end(result, fault));
    if (file_) file_->commit();
}

bool Report::is_text_on_terminal() const noexcept {
    return is_text_ && !file_ && ::isatty(STDOUT_FILENO) != 0;
}

}  // namespace hwtrace::cli

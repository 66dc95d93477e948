// cli/dump_views.hpp - chooses the view that hwtrace-dump prints.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/trace_file.hpp"
#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "select/criteria.hpp"
#include "select/range.hpp"
#include "views/model_views.hpp"

namespace hwtrace::cli {

/// Returns the form with this name. Throws Failure::usage for an unknown name.
TextForm text_form_of(std::string_view name);

/// What the user wants to see.
struct ViewRequest {
    std::string name;  ///< the name of the view; empty: the default
    TextForm form = TextForm::text;
    std::optional<Range> range{};
    std::string_view range_option{};  ///< the option that gave the range
    Criteria criteria{};
};

/// The view to print: either one of the format or one of the model.
struct ChosenView {
    const View* own = nullptr;
    const ModelView* model = nullptr;

    std::string_view name() const noexcept { return own != nullptr ? own->name : model->name; }
};

/// Returns the named view, or the first view that can show the request and has something to show for this trace. Throws
/// Failure::usage if no view has the name, or if the named view cannot show the request. Rewinds the input; spools a
/// pipe if its first bytes are not enough to decide.
ChosenView choose_view(TraceFile& trace, const ViewRequest& request, const Settings& settings);

/// Lists the views of every format on standard output, as text or as JSON.
Exit list_views(FormatList formats, bool as_json);
/// Returns the names of all views of all formats, without repetition.
std::vector<std::string> view_names(FormatList formats);

}  // namespace hwtrace::cli

// cli/version_report.hpp - the output of --version.
#pragma once

#include <string>
#include <string_view>

#include "codec/format.hpp"

namespace hwtrace::cli {

/// Returns "hwtrace-dump 0.1.0" and a newline.
std::string version_text(std::string_view tool);
/// Returns JSON with the version, `formats` and the libraries in use, always in the same order.
std::string version_json(std::string_view tool, FormatList formats);

}  // namespace hwtrace::cli

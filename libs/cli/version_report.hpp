// cli/version_report.hpp - what --version prints.
#pragma once

#include <string>
#include <string_view>

#include "codec/format.hpp"

namespace hwtrace::cli {

/// "hwtrace-dump 0.1.0", with a newline at the end.
std::string version_text(std::string_view tool);
/// The same with `formats` and the libraries that the binary runs with, in an order that does not change.
std::string version_json(std::string_view tool, FormatList formats);

}  // namespace hwtrace::cli

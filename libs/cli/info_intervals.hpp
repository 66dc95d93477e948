// cli/info_intervals.hpp - prints the activity and the intervals of hwtrace-info, as text and as JSON.
#pragma once

#include "cli/info_report.hpp"

namespace hwtrace::cli {

/// These functions need FileInfo::activity.
void print_activity(const FileInfo& info, Volume volume, TextOutput& out);
Json activity_json(const FileInfo& info, JsonIntegers integers);

/// These functions need FileInfo::intervals.
void print_intervals(const FileInfo& info, Volume volume, TextOutput& out);
Json intervals_json(const FileInfo& info, JsonIntegers integers);

}  // namespace hwtrace::cli

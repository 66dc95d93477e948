// cli/dump_command.hpp - what hwtrace-dump does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common_options.hpp"
#include "cli/part_options.hpp"

namespace hwtrace::cli {

struct DumpOptions {
    explicit DumpOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::string input;
    std::string view;                     ///< empty: the format's first
    std::string format = "text";          ///< how it is written: name_of a TextForm
    std::optional<std::string> entity;    ///< of the timeline: only lives of this id
    std::string counter;                  ///< of the counters: only those whose name contains this
    std::optional<std::string> interval;  ///< of counters and buffers: a row for each so many cycles
    std::optional<std::string> at;        ///< the state of storages at this moment, instead of a view
    PartOptions part;                     ///< only this part
    std::string disassembly;              ///< of instructions: "auto" or "off"; empty: nobody asked
    bool follow = false;                  ///< waits for what another process adds to the file
    bool list_views = false;
    bool allow_incomplete = false;
};

/// Writes a view of one file to standard output.
Exit dump_command(const DumpOptions& options);
/// Writes the views of every format to standard output.
Exit list_views(FormatList formats);
/// The names of all views that a trace of some format has, each once.
std::vector<std::string> view_names(FormatList formats);

}  // namespace hwtrace::cli

// cli/dump_command.hpp - the command hwtrace-dump.
#pragma once

#include <optional>
#include <string>

#include "cli/around_options.hpp"
#include "cli/common_options.hpp"
#include "cli/csv_options.hpp"
#include "cli/elf_options.hpp"
#include "cli/part_options.hpp"

namespace hwtrace::cli {

struct DumpOptions {
    explicit DumpOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::string input;
    std::string view;                     ///< empty: the format's first view
    std::string format = "text";          ///< name of a TextForm; see name_of()
    std::optional<std::string> entity;    ///< timeline: only lifetimes with this id
    std::string counter;                  ///< counters: only counters whose path contains this
    std::optional<std::string> interval;  ///< counters and buffers: cycles per row
    std::optional<std::string> at;        ///< time at which to print the state of storages, instead of a view
    AroundOptions around;                 ///< the place to print
    bool ascii = false;                   ///< lanes, histogram, heatmap, pipeline: draws with ASCII only
    PartOptions part;                     ///< the slice to print
    ElfOptions elf;                       ///< the programs that ran
    std::string disassembly;              ///< instructions: "auto" or "off"; empty: not given
    bool follow = false;                  ///< keeps reading while another process appends
    bool list_views = false;
    bool pager = true;  ///< text on a terminal is shown in a pager
    bool allow_incomplete = false;
    std::string tables;  ///< a folder for tables, instead of a view; empty: not given
    bool force = false;  ///< replaces the folder
    CsvOptions csv;
};

/// Prints a view of one file on standard output.
Exit dump_command(const DumpOptions& options);

}  // namespace hwtrace::cli

#include "cli/dump_tables.hpp"

#include "cli/convert_command.hpp"
#include "codec/format.hpp"
#include "io/error.hpp"

namespace hwtrace::cli {

Exit dump_tables(const DumpOptions& options) {
    const std::string_view csv = name_of(TextForm::csv);
    if (options.format != csv)
        fail(Failure::usage, "-o writes tables; add --format csv, or redirect a view with > FILE");
    if (!options.view.empty() || options.at || options.follow)
        fail(Failure::usage, "-o writes tables; it cannot be combined with --view, --at or --follow");
    ConvertOptions wanted(options.common.formats());
    wanted.common = options.common;
    wanted.input = options.input;
    wanted.part = options.part;
    wanted.around = options.around;
    wanted.elf = options.elf;
    wanted.csv = options.csv;
    wanted.tool = "hwtrace-dump";
    wanted.target.output = options.tables;
    wanted.target.to = csv;
    wanted.target.force = options.force;
    wanted.target.allow_incomplete = options.allow_incomplete;
    return convert_command(wanted);
}

}  // namespace hwtrace::cli

#include "cli/info_command.hpp"

#include <unistd.h>
#include <nlohmann/json.hpp>

#include "cli/info_examination.hpp"
#include "cli/info_partial.hpp"
#include "cli/info_report.hpp"
#include "cli/json.hpp"
#include "cli/next_steps.hpp"
#include "cli/process.hpp"
#include "cli/terminal.hpp"
#include "io/error.hpp"
#include "io/text_output.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view info_tool = "hwtrace-info";

void check_options(const InfoOptions& options) {
    if (options.inputs.empty()) fail(Failure::usage, "a file is needed; try hwtrace-info --help");
    if (options.part.any() && options.quick)
        fail(Failure::usage, "--quick cannot be combined with --range, --last, --shard or --select");
    if (options.part.require_match && options.quick)
        fail(Failure::usage, "--require-match and --quick cannot be combined: --quick reads no records");
    if (options.interval == 0) fail(Failure::usage, "--interval 0: takes a number of instructions, at least 1");
    if (options.interval && options.quick)
        fail(Failure::usage, "--interval and --quick cannot be combined: --quick reads no instructions");
    if (options.reuse && options.quick)
        fail(Failure::usage, "--reuse and --quick cannot be combined: --quick reads no instructions");
    if (options.elf.any() && options.quick)
        fail(Failure::usage, "--elf and --quick cannot be combined: --quick reads no instructions");
    if (options.partial && (!options.part.shard || options.part.select.size() + options.inputs.size() != 1))
        fail(Failure::usage, "--partial needs one trace and --shard, without --select");
    if (options.partial && (options.interval || options.reuse || options.elf.any() || options.next))
        fail(Failure::usage, "--partial cannot be combined with --interval, --reuse, --elf or --next");
    if (options.reduce && (options.partial || options.part.any() || options.quick || options.interval ||
                           options.reuse || options.elf.any() || options.next))
        fail(Failure::usage, "--reduce takes files of --partial, and no options about a trace");
}

/// Writes the partial statistics of a shard.
Exit write_partial(const InfoOptions& options, Messages& messages) {
    const FileInfo info = examine_trace(options.inputs.front(), options, messages);
    TextOutput out(STDOUT_FILENO);
    out.put(to_text(partial_json(info, *options.part.chosen_shard())) + '\n');
    out.flush();
    return info.broken && !options.allow_incomplete ? Exit::incomplete : Exit::done;
}

}  // namespace

Exit info_command(const InfoOptions& options) {
    Messages messages = options.common.messages(info_tool);
    check_options(options);
    options.common.refuse_unused(nullptr);
    if (options.partial) return write_partial(options, messages);
    const bool as_json = options.format == "json";
    TextOutput out(STDOUT_FILENO);
    if (!as_json) fit_to_terminal(out);
    Json json = json_head("hwtrace-info/1", info_tool);
    json["files"] = Json::array();
    Exit result = Exit::done;
    const auto show = [&](const FileInfo& info) {
        if (as_json)
            json["files"].push_back(to_json(info, options.common.json_integers()));
        else
            print_text(info, messages.volume(), out);
        if (options.next && !as_json) print_next_steps(info, out);
        if (info.broken && !options.allow_incomplete) result = worse(result, Exit::incomplete);
    };
    if (options.reduce) show(reduced(options.inputs, options.common.formats(), options.common.settings()));
    for (const std::string& path : options.reduce ? std::vector<std::string>() : options.inputs) {
        try {
            const FileInfo info = examine_trace(path, options, messages);
            show(info);
            if (options.part.require_match && info.counts && info.counts->records == 0) {
                messages.error(info.file, no_match);
                result = worse(result, Exit::no);
            }
        } catch (const Error& error) {
            if (error.failure() == Failure::usage || error.failure() == Failure::internal) throw;
            messages.error("", error.what());
            result = worse(result, exit_of(error.failure()));
        }
    }
    if (as_json) out.put(to_pretty_text(json));
    out.flush();
    return result;
}

}  // namespace hwtrace::cli

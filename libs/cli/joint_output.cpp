#include "cli/joint_output.hpp"

#include <algorithm>

namespace hwtrace::cli {

JointTrace& JointOutput::add(const std::string& path) {
    JointTrace& added = traces_.emplace_back(open_trace(path, options_.common, messages_));
    identities_.push_back(added.trace.input.identity());
    return added;
}

Exit JointOutput::run(std::string_view from, const std::string& file) {
    file_ = file;
    const TargetOptions& target = options_.target;
    Settings settings = options_.common.settings();
    std::unique_ptr<Output> output;
    if (!target.explain) output = target.open(to_, settings, target.verify, identities_);
    if (target.output != "-") settings.output_name = target.output;
    settings.source_format = from;
    const Choices choices{options_.time.model(), std::nullopt, settings, {}};
    ConversionCounts counts;
    convert_all(output.get(), choices, counts);
    if (target.explain) return Exit::done;

    Outcome outcome{file_, std::string(from), to_, losses_, counts};
    outcome.size = size_;
    for (const JointTrace& one : traces_) {
        report_hidden_findings(one.findings, one.trace.name(), messages_);
        outcome.effect = std::max(outcome.effect, one.findings.effect());
        outcome.broken = outcome.broken || breaks_its_format(one.findings);
    }
    write_loss_report(target, outcome, merge_tool, options_.common.json_integers(), identities_);
    if (target.verify && !outcome.refused(target) && !verify(*output, choices, outcome.effect)) return Exit::no;
    return conclude(target, outcome, *output, messages_);
}

/// Returns false if the output violates its format in a way in which no trace does.
bool JointOutput::verify(Output& output, const Choices& choices, Effect effect) {
    VerifiedOutput written{output, to_, choices, reason_not_to_compare(to_, choices, losses_, effect, false), {}, {}};
    written.compare = [&](Input& whole, Findings& findings) {
        for (JointTrace& one : traces_)
            one.trace.input.seek(0);
        return compare(whole, choices, findings);
    };
    FaultsOfSources faults;
    for (JointTrace& one : traces_)
        if (one.trace.format == &to_) faults.add(one.trace.input, to_, one.settings);
    written.faults_of_source = [&](std::string_view rule) { return faults.total(rule); };
    return report_verification(verify_output(written), file_, output.name(), messages_);
}

}  // namespace hwtrace::cli

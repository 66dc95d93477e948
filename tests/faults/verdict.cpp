#include "faults/verdict.hpp"

namespace hwtrace::test {

Aftermath run_in(const Stage& stage, const Scenario& scenario, const Command& command, std::optional<Blow> blow) {
    stage.prepare(scenario);
    Aftermath after{run(command, blow), {}, {}};
    after.output = stage.output();
    after.left = stage.left();
    return after;
}

bool is_temporary(const std::string& name) {
    return name.starts_with('.') && name.find(".hwtrace-") != std::string::npos;
}

bool same_end(const Aftermath& run, const Aftermath& undisturbed) {
    return !run.ended.hung && run.ended.signal == 0 && run.ended.status == undisturbed.ended.status &&
           run.ended.output == undisturbed.ended.output && run.output == undisturbed.output && run.left.empty();
}

std::string changes(const Content& before, const Content& after) {
    std::string text;
    const auto say = [&](const std::string& name, const char* what) {
        text.append(text.empty() ? "" : ", ").append(name).append(what);
    };
    for (const auto& [name, bytes] : before) {
        const auto found = after.find(name);
        if (found == after.end())
            say(name, " is gone");
        else if (found->second != bytes)
            say(name, " is another");
    }
    for (const auto& [name, bytes] : after)
        if (!before.contains(name)) say(name, " appeared");
    return text;
}

Content without_whole_reports(const Scenario& scenario, Content output) {
    for (const std::string& name : scenario.reports) {
        if (const auto report = output.find(name); report != output.end()) {
            const std::string& text = report->second;
            const bool whole =
                text.starts_with('{') ? text.ends_with("}\n") : text.starts_with('<') && text.ends_with(">\n");
            if (!whole) continue;
            output.erase(report);
        }
        if (const auto old = scenario.old.find(name); old != scenario.old.end()) output[name] = old->second;
    }
    return output;
}

}  // namespace hwtrace::test

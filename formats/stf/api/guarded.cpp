#include "guarded.hpp"

#include <string>

namespace hwtrace::stf {

std::vector<Fault> faults_of(const Findings& findings) {
    std::vector<Fault> faults;
    for (const Finding& finding : findings.kept()) {
        std::string text(finding.rule->title);
        text.append(", at ").append(hwtrace::describe(finding));
        faults.push_back({std::string(finding.rule->id), std::string(name_of(findings.severity(*finding.rule))),
                          finding.offset, std::move(text)});
    }
    return faults;
}

}  // namespace hwtrace::stf

// Reads a trace of any format and counts its records: read_trace FILE
#include <hwtrace/hwtrace.hpp>

#include <iostream>
#include <map>

int main(int argc, char** argv) {
    if (argc != 2) return std::cerr << "read_trace FILE\n", 2;
    try {
        hwtrace::Trace trace = hwtrace::Trace::open(argv[1]);
        std::map<hwtrace::Kind, std::uint64_t> records;
        for (const hwtrace::Batch& batch : trace)
            for (const hwtrace::Record& record : batch.records())
                ++records[record.kind];

        std::cout << trace.format().name << ", " << trace.schema().tracks().size() << " tracks\n";
        for (const auto& [kind, count] : records)
            std::cout << count << " of kind " << name_of(kind) << '\n';
        for (const hwtrace::Finding& finding : trace.findings().kept())  // every whole record was read anyway
            std::cout << finding.rule->id << " at " << describe(finding) << '\n';
        return trace.findings().effect() == hwtrace::Effect::harmless ? 0 : 3;
    } catch (const hwtrace::Error& error) {
        return std::cerr << error.what() << '\n', 1;
    }
}

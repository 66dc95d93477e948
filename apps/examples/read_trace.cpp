// Reads a trace of any format and counts its records: read_trace FILE
#include <hwtrace/formats.hpp>
#include <hwtrace/io/error.hpp>

#include <array>
#include <cstdio>
#include <string>

int main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "read_trace FILE\n"), 2;
    try {
        hwtrace::Input input = hwtrace::Input::open(argv[1]);
        const hwtrace::Format* const format = hwtrace::sniff_format(hwtrace::formats(), input);
        if (format == nullptr) return std::fprintf(stderr, "%s: unknown format\n", argv[1]), 4;

        hwtrace::Findings findings;  // problems of the file; every whole record is read anyway
        const hwtrace::Settings settings;
        const auto reader = format->open(input, settings, findings);
        std::array<std::uint64_t, 10> records{};
        hwtrace::Batch batch;  // reused, so that no memory is allocated per record
        for (; reader->read(batch); batch.clear())
            for (const hwtrace::Record& record : batch.records())
                ++records[static_cast<std::size_t>(record.kind)];

        std::printf("%s, %zu tracks\n", std::string(format->name).c_str(), reader->schema().tracks().size());
        for (std::size_t kind = 0; kind < records.size(); ++kind)
            if (records[kind] != 0)
                std::printf("%llu of kind %s\n", static_cast<unsigned long long>(records[kind]),
                            std::string(name_of(static_cast<hwtrace::Kind>(kind))).c_str());
        for (const hwtrace::Finding& finding : findings.kept())
            std::printf("%s at %s\n", std::string(finding.rule->id).c_str(), describe(finding).c_str());
        return findings.effect() == hwtrace::Effect::harmless ? 0 : 3;
    } catch (const hwtrace::Error& error) {
        return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
}

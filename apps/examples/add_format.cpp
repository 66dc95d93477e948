// Adds a format to a program: it is then read, written and converted like the others: add_format IN OUT
#include <hwtrace/format.hpp>
#include <hwtrace/hwtrace.hpp>

#include <iostream>
#include <vector>

#include "spans_format.hpp"

int main(int argc, char** argv) {
    if (argc != 3) return std::cerr << "add_format IN OUT\n", 2;
    try {
        std::vector<const hwtrace::Format*> formats(hwtrace::formats().begin(), hwtrace::formats().end());
        formats.push_back(&spans::format);

        hwtrace::ConversionOptions options;
        options.formats = formats;
        const hwtrace::ConversionReport report = hwtrace::convert(argv[1], argv[2], options);
        for (const hwtrace::Finding& finding : report.findings.kept())
            std::cout << argv[1] << ": " << finding.rule->id << " at " << describe(finding) << '\n';
        for (const auto& [key, entry] : report.losses.entries())
            std::cout << "lost: " << name_of(key.first) << " of " << key.second << ", " << entry.count << " times\n";
        return report.is_whole() ? 0 : 3;
    } catch (const hwtrace::Error& error) {
        return std::cerr << error.what() << '\n', 1;
    }
}

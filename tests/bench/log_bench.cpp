#include "log_bench.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "convert/convert.hpp"
#include "convert/prescan.hpp"
#include "io/input.hpp"
#include "nowhere.hpp"
#include "operate/scan.hpp"

namespace hwtrace::bench {

namespace {

constexpr std::size_t block = 256u << 10;

}  // namespace

Work find_lines(const std::string& path) {
    Input input = Input::open(path);
    std::vector<std::byte> bytes(block);
    Work work;
    while (const std::size_t count = input.read(bytes)) {
        const auto* at = reinterpret_cast<const char*>(bytes.data());
        const auto* const end = at + count;
        while ((at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)))) != nullptr) {
            ++work.records;
            ++at;
        }
        work.bytes += count;
    }
    return work;
}

Work copy_bytes(const std::string& path) {
    Input input = Input::open(path);
    std::vector<std::byte> bytes(block), copy(block);
    Work work;
    while (const std::size_t count = input.read(bytes)) {
        std::memcpy(copy.data(), bytes.data(), count);
        bytes[0] = copy[count - 1];
        work.bytes += count;
    }
    return work;
}

Work read_log(const std::string& path, const Format& format, Work log) {
    Input input = Input::open(path);
    Findings findings;
    const Settings settings;
    scan(*format.open(input, settings, findings));
    return log;
}

Work convert_log(const std::string& from_path, const Format& from, const Format& to, Work log) {
    Input input = Input::open(from_path);
    Findings findings;
    Losses losses;
    const Choices choices;
    PreparedSource source(input, from, to, choices.settings, findings);
    Plan plan = make_plan(source.schema(), from, to, choices, losses);
    Nowhere output;
    const auto writer = to.create(output, plan.target_schema(source.schema()), choices.settings, losses);
    convert(source.reader(), plan, *writer);
    return log;
}

void convert_file(const std::string& from_path, const Format& from, const std::string& to_path, const LogFormat& to,
                  std::string_view container) {
    Input input = Input::open(from_path);
    Findings findings;
    Losses losses;
    Choices choices;
    if (!container.empty())
        choices.settings.set(*std::ranges::find(to.format.options, to.container, &Option::key), std::string(container));
    PreparedSource source(input, from, to.format, choices.settings, findings);
    Plan plan = make_plan(source.schema(), from, to.format, choices, losses);
    const auto output = open_file_output(to_path, Existing::replace);
    const auto writer = to.format.create(*output, plan.target_schema(source.schema()), choices.settings, losses);
    convert(source.reader(), plan, *writer);
    output->commit();
}

void print_log_head(std::string_view title, Work log, std::uint64_t gzip_bytes) {
    std::printf("%s, %llu lines, %.0f MB (gzip %.0f MB)\n  %-46s %8s %9s %8s %8s %8s %8s %8s\n",
                std::string(title).c_str(), static_cast<unsigned long long>(log.records),
                static_cast<double>(log.bytes) / 1e6, static_cast<double>(gzip_bytes) / 1e6, "", "ns/line", "M lines/s",
                "MB/s", "cpu ms", "wall ms", "peak MiB", "x floor");
}

}  // namespace hwtrace::bench

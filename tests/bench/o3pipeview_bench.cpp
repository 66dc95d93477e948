#include "o3pipeview_bench.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "formats.hpp"
#include "io/appender.hpp"
#include "log_bench.hpp"
#include "support/out_of_order.hpp"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t lines_of_instruction = 7;

const Format& format(std::string_view name) {
    return *find_format(formats(), name);
}

/// Generates a trace of an out-of-order CPU.
std::uint64_t generate_trace(const std::string& path, std::uint64_t lines) {
    constexpr std::size_t block = 256u << 10;
    const auto output = open_file_output(path, Existing::replace);
    Appender text;
    std::uint64_t instructions = 0;
    // About half of the instructions are squashed.
    test::run_out_of_order({.instructions = std::max<std::uint64_t>(lines / lines_of_instruction / 2, 1)},
                           [&](std::string_view lines_of_one) {
                               text.text(lines_of_one);
                               ++instructions;
                               if (text.size() < block) return;
                               output->append(text.span());
                               text.clear();
                           });
    output->append(text.span());
    output->commit();
    return instructions * lines_of_instruction;
}

}  // namespace

void measure_o3pipeview(const fs::path& folder, std::uint64_t lines, int runs) {
    const Format &o3pipeview = format("o3pipeview"), &kanata = format("kanata"), &uscope = format("uscope");
    const LogFormat trace_format{o3pipeview, "o3pipeview-container"};
    const std::string plain = (folder / "core.o3pipeview").string();
    const std::string gzip = (folder / "core.o3pipeview.gz").string();
    const std::string log = (folder / "core2.kanata").string();
    const std::string trace = (folder / "core3.uscope").string();
    const std::uint64_t made = measure(1, [&] { return Work{generate_trace(plain, lines), 0}; }).work.records;
    const Work text{made, fs::file_size(plain)};
    measure(1, [&] {
        convert_file(plain, o3pipeview, gzip, trace_format, "gz");
        convert_file(plain, o3pipeview, log, {kanata, {}}, {});
        convert_file(plain, o3pipeview, trace, {uscope, {}}, {});
        return text;
    });
    print_log_head("O3PipeView", text, fs::file_size(gzip));
    const Cost scan_cost = measure(runs, [&] { return find_lines(plain); });
    const Cost copy_cost = measure(runs, [&] {
        Work work = copy_bytes(plain);
        work.records = made;
        return work;
    });
    const double scan_ms = std::max(1.0, scan_cost.cpu_ms), copy_ms = std::max(1.0, copy_cost.cpu_ms);
    print_row("floor: finding line ends", scan_cost, 0);
    print_row("floor: memcpy of the text", copy_cost, 0);
    const Cost read = measure(runs, [&] { return read_log(plain, o3pipeview, text); });
    print_row("read (two passes)", read, scan_ms);
    print_row("read, gzip", measure(runs, [&] { return read_log(gzip, o3pipeview, text); }), scan_ms);
    print_row("read the same trace as Kanata", measure(runs, [&] { return read_log(log, kanata, text); }), scan_ms);
    Cost write = measure(runs, [&] { return convert_log(plain, o3pipeview, o3pipeview, text); });
    print_row("read and write", write, scan_ms + copy_ms);
    write.cpu_ms = std::max(1.0, write.cpu_ms - read.cpu_ms);
    write.wall_ms = 0;  // a difference of minima is not a measured wall time
    print_row("write: difference of these, in CPU ms", write, copy_ms);
    print_row("O3PipeView -> Kanata", measure(runs, [&] { return convert_log(plain, o3pipeview, kanata, text); }),
              scan_ms);
    print_row("O3PipeView -> µScope, LZ4", measure(runs, [&] { return convert_log(plain, o3pipeview, uscope, text); }),
              scan_ms);
    print_row("µScope, LZ4 -> O3PipeView", measure(runs, [&] { return convert_log(trace, uscope, o3pipeview, text); }),
              copy_ms);
    std::printf("\n");
}

}  // namespace hwtrace::bench

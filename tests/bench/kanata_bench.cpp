#include "kanata_bench.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "formats.hpp"
#include "io/appender.hpp"
#include "log_bench.hpp"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t block = 256u << 10;

const Format& kanata() {
    return *find_format(formats(), "kanata");
}
const Format& uscope() {
    return *find_format(formats(), "uscope");
}

/// Generates a log in which two instructions begin in each cycle, pass five stages and retire. Each instruction has a
/// label, and every eighth instruction depends on another.
std::uint64_t generate_log(const std::string& path, std::uint64_t lines) {
    constexpr std::uint64_t width = 2, depth = 5;
    constexpr std::string_view stages[depth] = {"F", "D", "Is", "X", "Cm"};
    const auto output = open_file_output(path, Existing::replace);
    Appender text;
    std::uint64_t made = 0;
    const auto column = [&](std::uint64_t value) {
        text.le('\t');
        text.text(std::to_string(value));
    };
    const auto end = [&] {
        text.le('\n');
        ++made;
    };
    text.text("Kanata\t0004\nC=\t0\n");
    made = 2;
    std::uint64_t cycle = 0;
    while (made < lines) {
        for (std::uint64_t age = 0; age <= std::min(depth, cycle); ++age) {
            for (std::uint64_t i = 0; i < width; ++i) {
                const std::uint64_t id = (cycle - age) * width + i;
                if (age == 0) {
                    text.le('I');
                    column(id);
                    column(id);
                    column(0);
                    end();
                    text.le('L');
                    column(id);
                    column(0);
                    char label[48];
                    std::snprintf(label, sizeof label, "\t%08llx: addi x%llu, x1, 1",
                                  static_cast<unsigned long long>(0x8000'0000 + id % 4096 * 4),
                                  static_cast<unsigned long long>(id % 32));
                    text.text(label);
                    end();
                }
                text.le(age == depth ? 'R' : 'S');
                column(id);
                column(age == depth ? id : 0);
                if (age == depth)
                    column(0);
                else
                    text.text(std::string("\t").append(stages[age]));
                end();
                if (age == 2 && id % 8 == 7) {
                    text.le('W');
                    column(id);
                    column(id - 3);
                    column(0);
                    end();
                }
            }
        }
        text.text("C\t1");
        end();
        ++cycle;
        if (text.size() < block) continue;
        output->append(text.span());
        text.clear();
    }
    output->append(text.span());
    output->commit();
    return made;
}

}  // namespace

void measure_kanata(const fs::path& folder, std::uint64_t lines, int runs) {
    const LogFormat log_format{kanata(), "kanata-container"};
    const std::string plain = (folder / "core.kanata").string();
    const std::string gzip = (folder / "core.kanata.gz").string();
    const std::string trace = (folder / "core.uscope").string();
    const std::uint64_t made = measure(1, [&] { return Work{generate_log(plain, lines), 0}; }).work.records;
    const Work log{made, fs::file_size(plain)};
    measure(1, [&] {
        convert_file(plain, kanata(), gzip, log_format, "gz");
        convert_file(plain, kanata(), trace, {uscope(), {}}, {});
        return log;
    });
    print_log_head("Kanata", log, fs::file_size(gzip));
    const Cost scan_cost = measure(runs, [&] { return find_lines(plain); });
    const Cost copy_cost = measure(runs, [&] {
        Work work = copy_bytes(plain);
        work.records = made;
        return work;
    });
    const double scan_ms = std::max(1.0, scan_cost.cpu_ms), copy_ms = std::max(1.0, copy_cost.cpu_ms);
    print_row("floor: finding line ends", scan_cost, 0);
    print_row("floor: memcpy of the text", copy_cost, 0);
    const Cost read = measure(runs, [&] { return read_log(plain, kanata(), log); });
    print_row("read (two passes)", read, scan_ms);
    print_row("read, gzip", measure(runs, [&] { return read_log(gzip, kanata(), log); }), scan_ms);
    Cost write = measure(runs, [&] { return convert_log(plain, kanata(), kanata(), log); });
    print_row("read and write", write, scan_ms + copy_ms);
    write.cpu_ms = std::max(1.0, write.cpu_ms - read.cpu_ms);
    write.wall_ms = 0;  // a difference of minima is not a measured wall time
    print_row("write: difference of these, in CPU ms", write, copy_ms);
    print_row("Kanata -> µScope, LZ4", measure(runs, [&] { return convert_log(plain, kanata(), uscope(), log); }),
              scan_ms);
    print_row("µScope, LZ4 -> Kanata", measure(runs, [&] { return convert_log(trace, uscope(), kanata(), log); }),
              copy_ms);
    std::printf("\n");
}

}  // namespace hwtrace::bench

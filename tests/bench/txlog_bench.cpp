#include "txlog_bench.hpp"

#include <algorithm>
#include <string>

#include "formats.hpp"
#include "generated_ftr.hpp"
#include "log_bench.hpp"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

const Format& txlog() {
    return *find_format(formats(), "txlog");
}
const Format& ftr() {
    return *find_format(formats(), "ftr");
}

}  // namespace

void measure_txlog(const fs::path& folder, std::uint64_t transactions, int runs) {
    const LogFormat log_format{txlog(), "txlog-container"};
    const std::string recording = (folder / "run.ftr").string();
    const std::string plain = (folder / "run.txlog").string(), gzip = (folder / "run.txlog.gz").string();
    const Work log = measure(1, [&] {
                         generate_ftr(recording, transactions, transactions / 4, false);
                         convert_file(recording, ftr(), plain, log_format, {});
                         convert_file(plain, txlog(), gzip, log_format, "gz");
                         return find_lines(plain);
                     }).work;
    print_log_head("Transaction log", log, fs::file_size(gzip));
    const Cost scan_cost = measure(runs, [&] { return find_lines(plain); });
    const Cost copy_cost = measure(runs, [&] {
        Work work = copy_bytes(plain);
        work.records = log.records;
        return work;
    });
    const double scan_ms = std::max(1.0, scan_cost.cpu_ms), copy_ms = std::max(1.0, copy_cost.cpu_ms);
    print_row("floor: finding line ends", scan_cost, 0);
    print_row("floor: memcpy of the text", copy_cost, 0);
    print_row("read (two passes)", measure(runs, [&] { return read_log(plain, txlog(), log); }), scan_ms);
    print_row("read, gzip", measure(runs, [&] { return read_log(gzip, txlog(), log); }), scan_ms);
    const Cost read = measure(runs, [&] { return read_log(recording, ftr(), log); });
    Cost write = measure(runs, [&] { return convert_log(recording, ftr(), txlog(), log); });
    print_row("FTR -> log", write, copy_ms);
    // The FTR file is read twice, because a log declares everything first.
    write.cpu_ms = std::max(1.0, write.cpu_ms - 2 * read.cpu_ms);
    write.wall_ms = 0;  // a difference of minima is not a measured wall time
    print_row("write: this minus two reads of FTR, in CPU ms", write, copy_ms);
    print_row("log -> FTR", measure(runs, [&] { return convert_log(plain, txlog(), ftr(), log); }), scan_ms);
}

}  // namespace hwtrace::bench

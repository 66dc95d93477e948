#include "flux_bench.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "flux/entries.hpp"
#include "formats.hpp"
#include "hwtrace/flux_emitter_hosted.h"
#include "log_bench.hpp"
#include "measure.hpp"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t buffer_size = 64u << 10;

enum : std::uint32_t { first_integer = 1, second_integer, real_item, word_item, event_item, last_item = event_item };

const Format& flux() {
    return *find_format(formats(), "flux");
}

void check(flux_result result) {
    if (result == FLUX_OK) return;
    std::fprintf(stderr, "hwtrace_bench: %s\n", flux_result_text(result));
    std::exit(1);
}

/// Generates integers, floats, vectors and events in one domain. Five of every eight samples are increasing integers.
void generate(const std::string& path, std::uint64_t samples, flux_packing packing, flux_compress compress,
              void* work) {
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) check(FLUX_ERROR_IO);
    std::vector<std::uint8_t> memory(buffer_size), packed(2 * buffer_size);
    flux_buffer buffer{}, behind{};
    const flux_handler to_file = flux_write_to(file);
    flux_packer packer{&behind, packing, compress, work};
    if (compress != nullptr) check(flux_buffer_init(&behind, packed.data(), 2 * buffer_size, &to_file));
    const flux_handler handler = compress != nullptr ? flux_pack_into(&packer) : to_file;
    check(flux_buffer_init(&buffer, memory.data(), buffer_size, &handler));
    flux_trace trace{};
    check(flux_trace_init(&trace, 0, FLUX_VERSION_6, last_item, buffer_size, nullptr));
    check(flux_trace_attach(&trace, &buffer));
    check(flux_write_head(&trace, "bench", nullptr));
    check(flux_add_signal(&trace, first_integer, 0, "counter", nullptr, FLUX_INTEGER, nullptr));
    check(flux_add_signal(&trace, second_integer, 0, "difference", nullptr, FLUX_INTEGER, nullptr));
    check(flux_add_signal(&trace, real_item, 0, "voltage", nullptr, FLUX_FLOAT, nullptr));
    check(flux_add_signal(&trace, word_item, 0, "bus", nullptr, FLUX_LOGIC, "default<bits=16>"));
    check(flux_add_signal(&trace, event_item, 0, "state", nullptr, FLUX_EVENT, nullptr));
    check(flux_open(&trace, 0, "ns", 0, 0));
    for (std::uint64_t i = 0; i < samples; ++i) {
        const auto number = static_cast<std::uint32_t>(i);
        switch (i % 8) {
            case 2:
            case 6:
                check(flux_write_double(&trace, real_item, flux_after(3), number * 0.5));
                break;
            case 4: {
                std::uint8_t states[16];
                for (unsigned bit = 0; bit < 16; ++bit)
                    states[bit] = static_cast<std::uint8_t>(number >> bit & 1U);
                check(flux_write_states(&trace, word_item, flux_after(0), 0, 16, states, 16));
                break;
            }
            case 7:
                check(flux_write_event(&trace, event_item, flux_after(0), number % 100));
                break;
            case 1:
                check(flux_write_integer(&trace, second_integer, flux_after(0),
                                         -static_cast<std::int64_t>(number % 999)));
                break;
            default:
                check(flux_write_integer(&trace, first_integer, flux_after(10), number));
                break;
        }
    }
    check(flux_close(&trace, 0, static_cast<std::int64_t>(samples) * 10));
    check(flux_deep_flush(&buffer));
    std::fclose(file);
}

Work read_entries(const std::string& path) {
    Input input = Input::open(path);
    Findings findings;
    const Settings settings;
    flux::Entries entries(input, settings, findings);
    flux::Entry entry;
    Work work;
    while (entries.next(entry))
        ++work.records;
    work.bytes = fs::file_size(path);
    return work;
}

Work read_model(const std::string& path) {
    Input input = Input::open(path);
    Findings findings;
    const Settings settings;
    const auto reader = flux().open(input, settings, findings);
    Work work;
    for (Batch batch; reader->read(batch); batch.clear())
        work.records += batch.records().size();
    work.bytes = fs::file_size(path);
    return work;
}

}  // namespace

void measure_flux(const fs::path& folder, std::uint64_t samples, int runs) {
    const std::string plain = (folder / "run.flux").string(), lz4 = (folder / "lz4.flux").string();
    const std::string fastlz = (folder / "fastlz.flux").string();
    std::vector<std::uint32_t> table(1u << 13);
    flux_fastlz work{table.data(), 13, 0};
    generate(plain, samples, FLUX_LZ4, nullptr, nullptr);
    generate(lz4, samples, FLUX_LZ4, flux_lz4_compress, nullptr);
    generate(fastlz, samples, FLUX_FASTLZ, flux_fastlz_compress, &work);
    std::printf("flux: %llu samples, %llu MB, LZ4 %llu MB\n  %-46s %8s %9s %8s %8s %8s %8s %8s\n",
                static_cast<unsigned long long>(samples),
                static_cast<unsigned long long>(fs::file_size(plain) / 1'000'000),
                static_cast<unsigned long long>(fs::file_size(lz4) / 1'000'000), "", "ns/sample", "M/s", "MB/s",
                "cpu ms", "wall ms", "peak MiB", "x memcpy");
    const Cost copy = measure(runs, [&] {
        Work copied = copy_bytes(plain);
        copied.records = samples;
        return copied;
    });
    const double floor = std::max(1.0, copy.cpu_ms);
    print_row("floor: memcpy of the stream", copy, 0);
    print_row("entries", measure(runs, [&] { return read_entries(plain); }), floor);
    print_row("entries, LZ4", measure(runs, [&] { return read_entries(lz4); }), floor);
    print_row("entries, FastLZ", measure(runs, [&] { return read_entries(fastlz); }), floor);
    print_row("read", measure(runs, [&] { return read_model(plain); }), floor);
    print_row("read, LZ4", measure(runs, [&] { return read_model(lz4); }), floor);
    print_row("read, FastLZ", measure(runs, [&] { return read_model(fastlz); }), floor);
    print_row("flux -> flux (reads twice)",
              measure(runs,
                      [&] {
                          return convert_log(plain, flux(), flux(), {samples, 0});
                      }),
              floor);
    std::printf("\n");
}

void generate_flux(const std::string& path, std::uint64_t samples) {
    generate(path, samples, FLUX_LZ4, nullptr, nullptr);
}

}  // namespace hwtrace::bench

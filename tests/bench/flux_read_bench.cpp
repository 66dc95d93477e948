#include "flux_read_bench.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "formats.hpp"
#include "hwtrace/flux_emitter_hosted.h"
#include "io/input.hpp"
#include "measure.hpp"
#include "plain_flux.h"

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t buffer_size = 64u << 10;
constexpr std::size_t window = 256u << 10;

enum : std::uint32_t { integer_item = 1, float_item, logic_item, event_item, struct_item, last_item = struct_item };
constexpr std::array<flux_type, 6> types{{{}, FLUX_INTEGER, FLUX_FLOAT, FLUX_LOGIC, FLUX_EVENT, FLUX_STRUCT}};

void check(flux_result result) {
    if (result == FLUX_OK) return;
    std::fprintf(stderr, "hwtrace_bench: %s\n", flux_result_text(result));
    std::exit(1);
}

using Write = flux_result (*)(flux_trace*, std::uint32_t);

/// A file of samples. Definitions and OPEN take the bytes before `samples_at`.
struct File {
    std::string path;
    std::uint64_t samples_at = 0, samples = 0;
};

File generate(const fs::path& folder, std::uint64_t samples, Write write) {
    File made{(folder / "read.flux").string(), 0, samples};
    std::FILE* const file = std::fopen(made.path.c_str(), "wb");
    if (file == nullptr) check(FLUX_ERROR_IO);
    std::vector<std::uint8_t> memory(buffer_size);
    flux_buffer buffer{};
    const flux_handler to_file = flux_write_to(file);
    check(flux_buffer_init(&buffer, memory.data(), buffer_size, &to_file));
    flux_trace trace{};
    check(flux_trace_init(&trace, 0, FLUX_VERSION_6, last_item, buffer_size, nullptr));
    check(flux_trace_attach(&trace, &buffer));
    check(flux_write_head(&trace, "bench", nullptr));
    for (std::uint32_t item = integer_item; item <= last_item; ++item)
        check(flux_add_signal(&trace, item, 0, ("signal" + std::to_string(item)).c_str(), nullptr, types[item],
                              item == logic_item ? "default<bits=16>" : nullptr));
    check(flux_open(&trace, 0, "ns", 0, 0));
    std::uint32_t size = 0;
    flux_buffer_bytes(&buffer, &size);
    made.samples_at = size;
    for (std::uint64_t i = 0; i < samples; ++i)
        check(write(&trace, static_cast<std::uint32_t>(i)));
    check(flux_close(&trace, 0, static_cast<std::int64_t>(samples) * 10));
    check(flux_deep_flush(&buffer));
    std::fclose(file);
    return made;
}

flux_result integer(flux_trace* trace, std::uint32_t i) {
    return flux_write_integer(trace, integer_item, flux_after(10), static_cast<std::int32_t>(i * 2654435761U));
}

flux_result counter(flux_trace* trace, std::uint32_t i) {
    return flux_write_integer(trace, integer_item, flux_after(10), static_cast<std::int32_t>(i));
}

flux_result real(flux_trace* trace, std::uint32_t i) {
    return flux_write_double(trace, float_item, flux_after(10), i * 0.5);
}

flux_result word(flux_trace* trace, std::uint32_t i) {
    std::array<std::uint8_t, 16> states{};
    for (std::size_t k = 0; k < states.size(); ++k)
        states[k] = static_cast<std::uint8_t>(i >> k & 1U);
    return flux_write_states(trace, logic_item, flux_after(10), 0, 16, states.data(), states.size());
}

flux_result event(flux_trace* trace, std::uint32_t i) {
    return flux_write_event(trace, event_item, flux_after(10), i % 100);
}

flux_result mixed(flux_trace* trace, std::uint32_t i) {
    constexpr std::array<Write, 4> kinds{counter, real, word, event};
    return kinds[i % kinds.size()](trace, i);
}

flux_result members_4(flux_trace* trace, std::uint32_t i) {
    constexpr std::array<const char*, 4> texts{"idle", "read", "write", "refresh"};
    const std::array<flux_member, 4> members{
        flux_member_integer(0, static_cast<std::int32_t>(i)), flux_member_double(1, i * 0.5),
        flux_member_enum(2, FLUX_MEMBER_ENUM, i % 8), flux_member_text(3, texts[i % texts.size()])};
    return flux_write_struct(trace, struct_item, flux_after(10), members.data(), members.size());
}

flux_result members_8(flux_trace* trace, std::uint32_t i) {
    const std::array<flux_member, 8> members{flux_member_integer(0, static_cast<std::int32_t>(i)),
                                             flux_member_integer(1, static_cast<std::int32_t>(i * 2654435761U)),
                                             flux_member_enum(2, FLUX_MEMBER_ENUM, i % 8),
                                             flux_member_unsigned64(3, 0x80000000U + std::uint64_t{i} * 4),
                                             flux_member_integer(4, -static_cast<std::int32_t>(i % 1000)),
                                             flux_member_double(5, i * 0.5),
                                             flux_member_enum(6, FLUX_MEMBER_ENUM, i % 3),
                                             flux_member_integer(7, static_cast<std::int32_t>(i % 64))};
    return flux_write_struct(trace, struct_item, flux_after(10), members.data(), members.size());
}

/// Scans the samples of a file with plain C.
Work scan_plainly(const File& file) {
    Input input = Input::open(file.path);
    input.seek(file.samples_at);
    std::vector<std::byte> bytes(window);
    plain_flux scan{};
    std::copy(types.begin(), types.end(), scan.types);
    std::size_t kept = 0;
    while (const std::size_t count = input.read(std::span(bytes).subspan(kept))) {
        const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
        const std::size_t available = kept + count;
        const auto used = static_cast<std::size_t>(plain_flux_scan(&scan, begin, begin + available) - begin);
        kept = available - used;
        std::memmove(bytes.data(), bytes.data() + used, kept);
    }
    if (scan.samples != file.samples || scan.sum == 0) {
        std::fprintf(stderr, "hwtrace_bench: the plain scan stopped early\n");
        std::exit(1);
    }
    return {scan.samples, fs::file_size(file.path)};
}

Work read_records(const File& file) {
    Input input = Input::open(file.path);
    Findings findings;
    const Settings settings;
    const auto reader = find_format(formats(), "flux")->open(input, settings, findings);
    Work work;
    for (Batch batch; reader->read(batch); batch.clear())
        work.records += batch.records().size();
    work.bytes = fs::file_size(file.path);
    return work;
}

void measure_row(const char* name, const fs::path& folder, std::uint64_t samples, int runs, Write write) {
    const File file = generate(folder, samples, write);
    const Cost plain = measure(runs, [&] { return scan_plainly(file); });
    const Cost cost = measure(runs, [&] { return read_records(file); });
    print_row((std::string(name) + ", plain scan").c_str(), plain, 0);
    print_row(name, cost, std::max(0.1, plain.cpu_ms));
}

}  // namespace

void measure_flux_read(const fs::path& folder, std::uint64_t samples, int runs) {
    std::printf("flux, read: %llu samples of each kind\n  %-46s %8s %9s %8s %8s %8s %8s %8s\n",
                static_cast<unsigned long long>(samples), "", "ns/sample", "M/s", "MB/s", "cpu ms", "wall ms",
                "peak MiB", "x plain");
    measure_row("integers of 4 bytes", folder, samples, runs, integer);
    measure_row("increasing integers", folder, samples, runs, counter);
    measure_row("floats of 8 bytes", folder, samples, runs, real);
    measure_row("logic of 16 bits", folder, samples, runs, word);
    measure_row("events", folder, samples, runs, event);
    measure_row("integers, floats, logic, events in turn", folder, samples, runs, mixed);
    measure_row("structs of 4 members", folder, samples, runs, members_4);
    measure_row("structs of 8 members", folder, samples, runs, members_8);
    std::printf("\n");
}

}  // namespace hwtrace::bench

#include "flux_emit_bench.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "first_emitter.h"
#include "hwtrace/flux_emitter_hosted.h"
#include "measure.hpp"

namespace hwtrace::bench {

namespace {

constexpr std::uint32_t buffer_size = 64u << 10;
constexpr std::uint32_t block_size = 4096;  // size of a compressed block, as in the examples of the first emitter

enum : std::uint32_t { integer_item = 1, float_item, logic_item, struct_item, last_item = struct_item };

flux_result discard(void* user, const flux_chunk* chunk, std::uint32_t* taken) {
    *static_cast<std::uint64_t*>(user) += chunk->size;
    *taken = chunk->size;
    return FLUX_OK;
}

/// A trace whose output is only counted. With `packer`, it is written in blocks.
class Emission {
public:
    explicit Emission(std::uint8_t version, flux_packer* packer = nullptr)
        : memory_(buffer_size), behind_(buffer_size) {
        const flux_handler nothing{discard, &bytes_, nullptr};
        flux_buffer_init(&sink_, behind_.data(), buffer_size, &nothing);
        if (packer != nullptr) packer->next = &sink_;
        const flux_handler into_blocks = packer != nullptr ? flux_pack_into(packer) : nothing;
        flux_buffer_init(&buffer_, memory_.data(), packer != nullptr ? block_size : buffer_size, &into_blocks);
        flux_trace_init(&trace, 0, version, last_item, 4096, nullptr);
        flux_trace_attach(&trace, &buffer_);
        flux_write_head(&trace, "bench", nullptr);
        flux_open(&trace, 0, "ns", 0, 0);
    }
    /// Returns the size of the head and OPEN.
    std::uint64_t size() const {
        std::uint32_t size = 0;
        flux_buffer_bytes(&buffer_, &size);
        return size;
    }
    std::uint64_t finish() {
        flux_deep_flush(&buffer_);
        return bytes_;
    }

    flux_trace trace{};

private:
    std::vector<std::uint8_t> memory_;
    std::vector<std::uint8_t> behind_;
    std::uint64_t bytes_ = 0;
    flux_buffer sink_{};
    flux_buffer buffer_{};
};

/// Calls `write` repeatedly with the trace and an increasing number.
template <typename Write>
Work emit(Emission& emission, std::uint64_t samples, const Write& write) {
    std::uint64_t refused = 0;
    for (std::uint64_t i = 0; i < samples; ++i)
        if (write(&emission.trace, static_cast<std::uint32_t>(i)) != FLUX_OK) ++refused;
    if (refused != 0)
        std::fprintf(stderr, "hwtrace_bench: %llu samples refused\n", static_cast<unsigned long long>(refused));
    return {samples, emission.finish()};
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

flux_result bit(flux_trace* trace, std::uint32_t i) {
    return flux_write_logic(trace, logic_item, flux_after(10), '0', 1, i % 2 == 0 ? "0" : "1");
}

flux_result word(flux_trace* trace, std::uint32_t i) {
    std::array<std::uint8_t, 16> states{};
    for (std::size_t k = 0; k < states.size(); ++k)
        states[k] = static_cast<std::uint8_t>(i >> k & 1U);
    return flux_write_states(trace, logic_item, flux_after(10), 0, 16, states.data(), states.size());
}

flux_result record(flux_trace* trace, std::uint32_t i) {
    const std::array<flux_member, 4> members{
        flux_member_integer(0, static_cast<std::int32_t>(i)), flux_member_double(1, i * 0.5),
        flux_member_enum(2, FLUX_MEMBER_ENUM, i % 8), flux_member_characters(3, "abc", 3)};
    return flux_write_struct(trace, struct_item, flux_after(10), members.data(), members.size());
}

flux_result quad(flux_trace* trace, std::uint32_t i) {
    constexpr const char* text = "01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ";
    return flux_write_logic(trace, logic_item, flux_after(10), '0', 0, text + i % 8);
}

flux_result record_8(flux_trace* trace, std::uint32_t i) {
    const std::array<flux_member, 8> members{flux_member_integer(0, static_cast<std::int32_t>(i)),
                                             flux_member_integer(1, static_cast<std::int32_t>(i * 2654435761U)),
                                             flux_member_enum(2, FLUX_MEMBER_ENUM, i % 8),
                                             flux_member_unsigned64(3, 0x80000000U + std::uint64_t{i} * 4),
                                             flux_member_integer(4, -static_cast<std::int32_t>(i % 1000)),
                                             flux_member_double(5, i * 0.5),
                                             flux_member_enum(6, FLUX_MEMBER_ENUM, i % 3),
                                             flux_member_characters(7, "abc", 3)};
    return flux_write_struct(trace, struct_item, flux_after(10), members.data(), members.size());
}

using Write = flux_result (*)(flux_trace*, std::uint32_t);

// --- the same samples, written by the first emitter ---

int first_integer(first_trace* trace, std::uint32_t i) {
    const auto value = static_cast<std::int32_t>(i * 2654435761U);
    return first_write_integer(trace, integer_item, 10, &value, sizeof value, false);
}

int first_counter(first_trace* trace, std::uint32_t i) {
    const auto value = static_cast<std::int32_t>(i);
    return first_write_integer(trace, integer_item, 10, &value, sizeof value, false);
}

int first_real(first_trace* trace, std::uint32_t i) {
    const double value = i * 0.5;
    return first_write_float(trace, float_item, 10, &value, sizeof value);
}

int first_bit(first_trace* trace, std::uint32_t i) {
    return first_write_logic(trace, logic_item, 10, '0', 1, i % 2 == 0 ? "0" : "1");
}

int first_word(first_trace* trace, std::uint32_t i) {
    std::array<std::uint8_t, 16> states{};
    for (std::size_t k = 0; k < states.size(); ++k)
        states[k] = static_cast<std::uint8_t>(i >> k & 1U);
    return first_write_states(trace, logic_item, 10, 0, 16, states.data(), states.size());
}

int first_quad(first_trace* trace, std::uint32_t i) {
    constexpr const char* text = "01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ01XZ";
    return first_write_logic(trace, logic_item, 10, '0', 0, text + i % 8);
}

int first_record(first_trace* trace, std::uint32_t i) {
    const auto number = static_cast<std::int32_t>(i);
    const double half = i * 0.5;
    const std::uint32_t state = i % 8;
    const std::array<first_member, 4> members{{{0, FLUX_MEMBER_INTEGER, true, false, &number, sizeof number},
                                               {1, FLUX_MEMBER_FLOAT, true, false, &half, sizeof half},
                                               {2, FLUX_MEMBER_ENUM, true, true, &state, sizeof state},
                                               {3, FLUX_MEMBER_TEXT, true, false, "abc", 3}}};
    return first_write_struct(trace, struct_item, 10, members.data(), members.size());
}

int first_record_8(first_trace* trace, std::uint32_t i) {
    const auto number = static_cast<std::int32_t>(i), random = static_cast<std::int32_t>(i * 2654435761U);
    const std::uint32_t state = i % 8, mode = i % 3;
    const std::uint64_t address = 0x80000000U + std::uint64_t{i} * 4;
    const std::int32_t negative = -static_cast<std::int32_t>(i % 1000);
    const double half = i * 0.5;
    const std::array<first_member, 8> members{{{0, FLUX_MEMBER_INTEGER, true, false, &number, sizeof number},
                                               {1, FLUX_MEMBER_INTEGER, true, false, &random, sizeof random},
                                               {2, FLUX_MEMBER_ENUM, true, true, &state, sizeof state},
                                               {3, FLUX_MEMBER_INTEGER, true, true, &address, sizeof address},
                                               {4, FLUX_MEMBER_INTEGER, true, false, &negative, sizeof negative},
                                               {5, FLUX_MEMBER_FLOAT, true, false, &half, sizeof half},
                                               {6, FLUX_MEMBER_ENUM, true, true, &mode, sizeof mode},
                                               {7, FLUX_MEMBER_TEXT, true, false, "abc", 3}}};
    return first_write_struct(trace, struct_item, 10, members.data(), members.size());
}

using FirstWrite = int (*)(first_trace*, std::uint32_t);

Work emit_first(std::uint64_t samples, FirstWrite write) {
    std::vector<std::uint8_t> memory(buffer_size);
    first_buffer buffer{};
    first_trace trace{};
    first_begin(&trace, &buffer, memory.data(), buffer_size, last_item);
    std::uint64_t refused = 0;
    for (std::uint64_t i = 0; i < samples; ++i)
        if (write(&trace, static_cast<std::uint32_t>(i)) != 0) ++refused;
    first_flush(&trace);
    return {samples - refused, buffer.discarded};
}

void measure_pair(const char* name, std::uint64_t samples, int runs, FirstWrite first, Write write) {
    const Cost plain = measure(runs, [&] { return emit_first(samples, first); });
    const Cost cost = measure(runs, [&] {
        Emission emission(FLUX_VERSION_6);
        const std::uint64_t ahead = emission.size();
        Work work = emit(emission, samples, write);
        work.bytes -= ahead;
        return work;
    });
    if (cost.work.bytes != plain.work.bytes || cost.work.records != plain.work.records)
        std::fprintf(stderr, "hwtrace_bench: %s: the emitters do not write the same\n", name);
    print_row((std::string(name) + ", first emitter").c_str(), plain, 0);
    print_row(name, cost, std::max(0.1, plain.cpu_ms));
}

/// Copies the same bytes, one buffer at a time: the minimum cost.
Work copy(const Work& emitted) {
    std::vector<std::uint8_t> from(buffer_size, 1), to(buffer_size);
    std::uint64_t sum = 0;
    for (std::uint64_t left = emitted.bytes; left > 0;) {
        const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(left, buffer_size));
        from[left % buffer_size] = static_cast<std::uint8_t>(left);
        std::memcpy(to.data(), from.data(), part);
        sum += to[part - 1];
        left -= part;
    }
    return {emitted.records + (sum == 0 ? 1 : 0), emitted.bytes};
}

void measure_row(const char* name, std::uint64_t samples, int runs, std::uint8_t version, Write write) {
    const Cost cost = measure(runs, [&] {
        Emission emission(version);
        return emit(emission, samples, write);
    });
    const Cost floor = measure(runs, [&] { return copy(cost.work); });
    print_row(name, cost, std::max(0.1, floor.cpu_ms));
}

void measure_packed(const char* name, std::uint64_t samples, int runs, flux_packing packing, flux_compress compress,
                    void* work, Write write) {
    const Cost plain = measure(1, [&] {
        Emission emission(FLUX_VERSION_6);
        return emit(emission, samples, write);
    });
    Cost cost = measure(runs, [&] {
        flux_packer packer{nullptr, packing, compress, work};
        Emission emission(FLUX_VERSION_6, &packer);
        return emit(emission, samples, write);
    });
    const Cost floor = measure(runs, [&] { return copy(plain.work); });
    const double ratio = static_cast<double>(cost.work.bytes) / static_cast<double>(plain.work.bytes);
    cost.work.bytes = plain.work.bytes;
    const std::string row = std::string(name) + ", to " + std::to_string(static_cast<int>(ratio * 100)) + " %";
    print_row(row.c_str(), cost, std::max(0.1, floor.cpu_ms));
}

}  // namespace

void measure_flux_emit(std::uint64_t samples, int runs) {
    std::printf("flux, emitted: %llu samples of each kind\n  %-46s %8s %9s %8s %8s %8s %8s %8s\n",
                static_cast<unsigned long long>(samples), "", "ns/sample", "M/s", "MB/s", "cpu ms", "wall ms",
                "peak MiB", "x memcpy");
    measure_row("integers of 4 bytes", samples, runs, FLUX_VERSION_6, integer);
    measure_row("increasing integers", samples, runs, FLUX_VERSION_6, counter);
    measure_row("increasing integers, version 4", samples, runs, FLUX_VERSION_4, counter);
    measure_row("floats of 8 bytes", samples, runs, FLUX_VERSION_6, real);
    measure_row("logic, 1 bit, as text", samples, runs, FLUX_VERSION_6, bit);
    measure_row("logic, 16 bits, as states", samples, runs, FLUX_VERSION_6, word);
    measure_row("structs of 4 members", samples, runs, FLUX_VERSION_6, record);
    std::vector<std::uint32_t> table(1u << 13);
    flux_fastlz fastlz{table.data(), 13, 0};
    measure_packed("integers, FastLZ 4 KiB", samples, runs, FLUX_FASTLZ, flux_fastlz_compress, &fastlz, counter);
    measure_packed("integers, LZ4 4 KiB", samples, runs, FLUX_LZ4, flux_lz4_compress, nullptr, counter);
    measure_packed("structs, FastLZ 4 KiB", samples, runs, FLUX_FASTLZ, flux_fastlz_compress, &fastlz, record);
    measure_packed("structs, LZ4 4 KiB", samples, runs, FLUX_LZ4, flux_lz4_compress, nullptr, record);
    std::printf("\n  %-46s %8s %9s %8s %8s %8s %8s %8s\n", "compared with the first emitter", "ns/sample", "M/s",
                "MB/s", "cpu ms", "wall ms", "peak MiB", "x first");
    measure_pair("integers of 4 bytes", samples, runs, first_integer, integer);
    measure_pair("increasing integers", samples, runs, first_counter, counter);
    measure_pair("floats of 8 bytes", samples, runs, first_real, real);
    measure_pair("logic, 1 bit, as text", samples, runs, first_bit, bit);
    measure_pair("logic, 16 bits, as states", samples, runs, first_word, word);
    measure_pair("logic, 64 of four states, as text", samples, runs, first_quad, quad);
    measure_pair("structs of 4 members", samples, runs, first_record, record);
    measure_pair("structs of 8 members", samples, runs, first_record_8, record_8);
    std::printf("\n");
}

}  // namespace hwtrace::bench

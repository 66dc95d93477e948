#include "picture_floors.hpp"

#include <cstdio>
#include <memory>
#include <string>

#include <protozero/pbf_writer.hpp>

#include "measure.hpp"

#ifdef HWTRACE_FSTAPI
#include <fstapi.h>
#endif

namespace hwtrace::bench {

namespace {

namespace fs = std::filesystem;

void print_floor(const char* library, const Cost& cost) {
    std::printf("%-17s %10.1f %10.0f %10.0f %10.1f\n", library,
                cost.cpu_ms * 1e6 / static_cast<double>(cost.work.records), cost.cpu_ms, cost.peak_mib,
                static_cast<double>(cost.work.bytes) / 1e6);
    std::fflush(stdout);
}

/// Appends a packet that begins or ends a slice; see formats/perfetto/proto_drawing.cpp for the numbers.
void append_edge(std::string& out, std::uint64_t time, std::uint64_t row, bool begins) {
    protozero::pbf_writer trace(out);
    protozero::pbf_writer packet(trace, 1);
    packet.add_uint64(8, time);
    packet.add_uint32(10, 1);
    packet.add_uint32(13, 2);
    protozero::pbf_writer event(packet, 11);
    event.add_int32(9, begins ? 1 : 2);
    event.add_uint64(11, row);
    if (!begins) return;
    event.add_uint64(10, 1 + row % 8);
    for (std::uint64_t name = 1; name <= 3; ++name) {
        protozero::pbf_writer argument(event, 4);
        argument.add_uint64(1, name);
        argument.add_uint64(3, time * name);
    }
}

Work write_slices(const std::string& path, std::uint64_t slices) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
    std::string out;
    Work work{slices, 0};
    const auto flush = [&] {
        work.bytes += std::fwrite(out.data(), 1, out.size(), file.get());
        out.clear();
    };
    for (std::uint64_t i = 0; i < slices; ++i) {
        append_edge(out, 10 * i, 1 + i % 24, true);
        append_edge(out, 10 * i + 9, 1 + i % 24, false);
        if (out.size() > (1u << 16)) flush();
    }
    flush();
    return work;
}

#ifdef HWTRACE_FSTAPI
Work write_changes(const std::string& path, std::uint64_t changes) {
    constexpr std::uint32_t variables = 64, bits = 32;
    void* const writer = fstWriterCreate(path.c_str(), 1);
    fstWriterSetPackType(writer, FST_WR_PT_LZ4);
    fstHandle handles[variables];
    for (std::uint32_t i = 0; i < variables; ++i)
        handles[i] =
            fstWriterCreateVar(writer, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, bits, ("v" + std::to_string(i)).c_str(), 0);
    char text[bits + 1] = {};
    for (std::uint64_t i = 0; i < changes; ++i) {
        if (i % 4 == 0) fstWriterEmitTimeChange(writer, i);
        const std::uint64_t value = i * 2654435761u;
        for (std::uint32_t bit = 0; bit < bits; ++bit)
            text[bit] = static_cast<char>('0' + (value >> bit & 1));
        fstWriterEmitValueChange(writer, handles[i % variables], text);
    }
    fstWriterClose(writer);
    return {changes, fs::file_size(path)};
}
#endif

}  // namespace

void print_picture_floors(const fs::path& folder, std::uint64_t items, int runs) {
    const std::string path = (folder / "floor").string();
    print_floor("protozero alone", measure(runs, [&] { return write_slices(path, items); }));
#ifdef HWTRACE_FSTAPI
    print_floor("fstapi alone", measure(runs, [&] { return write_changes(path, items); }));
#else
    std::printf("fstapi alone: skipped, because fstapi is not installed (it comes with verilator)\n");
#endif
    fs::remove(path);
}

}  // namespace hwtrace::bench

#include "fuzz/seeds.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <utility>

#include "io/appender.hpp"
#include "io/compression.hpp"
#include "io/cursor.hpp"
#include "support/corpus.hpp"
#include "support/testdata.hpp"

namespace hwtrace::fuzz {

namespace {

namespace fs = std::filesystem;
using test::Sample;

constexpr std::uintmax_t largest = 64 * 1024;

struct Trace {
    Seed seed;
    const Format* format;  ///< format of the trace, damaged or not
};

std::string file_name(std::string name) {
    std::replace(name.begin(), name.end(), '/', '-');
    return name;
}

bool is_small_trace(const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    const bool text = name.ends_with(".txt") || name.ends_with(".json") || name.ends_with(".yaml");
    const bool long_trace = name.starts_with("dhry") || name.starts_with("loop3000");  // few bytes, many records
    return entry.is_regular_file() && entry.file_size() <= largest && !text && !long_trace;
}

void add_corpus(const Format& format, std::vector<Trace>& traces) {
    const char* const corpus = std::getenv("HWTRACE_CORPUS");
    if (corpus == nullptr || *corpus == '\0') return;
    const fs::path folder = fs::path(corpus) / format.name;
    if (!fs::exists(folder)) return;
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        if (is_small_trace(entry)) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths)
        traces.push_back({{file_name(fs::relative(path, corpus).string()), test::load_sample(path).bytes}, &format});
}

const std::vector<Trace>& traces() {
    static const std::vector<Trace> all = [] {
        std::vector<Trace> made;
        std::vector<const Format*> formats;
        for (const Sample& sample : test::testdata_samples()) {
            made.push_back({{file_name(sample.name), sample.content.bytes}, sample.format});
            if (std::ranges::find(formats, sample.format) == formats.end()) formats.push_back(sample.format);
        }
        for (const Format* const format : formats)
            add_corpus(*format, made);
        for (const Sample& sample : test::read_only_samples())
            made.push_back({{file_name(sample.name), sample.content.bytes}, sample.format});
        return made;
    }();
    return all;
}

/// Returns `number` in two bytes, followed by `bytes`: the input of targets that need a number.
std::vector<std::byte> with_number(std::size_t number, std::span<const std::byte> bytes) {
    std::vector<std::byte> all{static_cast<std::byte>(number >> 8 & 0xFF), static_cast<std::byte>(number & 0xFF)};
    all.insert(all.end(), bytes.begin(), bytes.end());
    return all;
}

std::vector<Seed> pairs() {
    std::vector<Seed> seeds;
    const Trace* before = nullptr;
    for (const Trace& trace : traces()) {
        const bool fits = trace.seed.bytes.size() < 8192;
        if (fits && before != nullptr) {
            std::vector<std::byte> both = before->seed.bytes;
            both.insert(both.end(), trace.seed.bytes.begin(), trace.seed.bytes.end());
            seeds.push_back({trace.seed.name, with_number(before->seed.bytes.size(), both)});
        }
        if (fits) before = &trace;
    }
    return seeds;
}

/// Returns pccx headers without the 16 bytes before them. Bytes 8 to 15 hold the length of the header.
std::vector<Seed> headers() {
    std::vector<Seed> seeds;
    for (const Trace& trace : traces()) {
        const std::vector<std::byte>& bytes = trace.seed.bytes;
        if (trace.format->name != "pccx" || bytes.size() < 16) continue;
        const auto length = std::min<std::uint64_t>(load_le<std::uint64_t>(bytes.data() + 8), bytes.size() - 16);
        const auto begin = bytes.begin() + 16;
        seeds.push_back({trace.seed.name, {begin, begin + static_cast<std::ptrdiff_t>(length)}});
    }
    return seeds;
}

std::vector<Seed> blocks() {
    std::vector<Seed> seeds;
    for (const Trace& trace : traces()) {
        const std::vector<std::byte>& bytes = trace.seed.bytes;
        if (bytes.size() > 8192) continue;
        seeds.push_back(trace.seed);
        Appender packed[4];
        Lz4().compress(bytes, packed[0]);
        ZstdBlock(3).compress(bytes, packed[1]);
        deflate_whole(bytes, Deflate::zlib, packed[2]);
        deflate_whole(bytes, Deflate::gzip, packed[3]);
        for (std::size_t i = 0; i < std::size(packed); ++i) {
            const auto made = packed[i].span();
            seeds.push_back({trace.seed.name + "." + std::to_string(i), {made.begin(), made.end()}});
        }
    }
    return seeds;
}

std::vector<Seed> seeds_of(std::initializer_list<std::string_view> texts) {
    std::vector<Seed> seeds;
    for (const std::string_view text : texts) {
        const auto bytes = as_bytes(text);
        seeds.push_back({"text" + std::to_string(seeds.size()), {bytes.begin(), bytes.end()}});
    }
    return seeds;
}

std::vector<Seed> texts() {
    return seeds_of({"100#:200#",
                     "1000cyc:2000cyc",
                     "10us:2ms",
                     "12ns:",
                     ":5ps",
                     "1313cyc",
                     "1000000#",
                     "1GHz",
                     "2.5MHz",
                     "500ps",
                     "3/4",
                     "2",
                     "kind=note,scope=core0*,track=*.event",
                     "mode=user",
                     "from-opcode=0x4033,to-pc=0x80000000",
                     "sarif=out.sarif",
                     "junit",
                     "64K",
                     "1M",
                     "18446744073709551615"});
}

std::vector<Seed> command_lines() {
    return seeds_of({"in.stf\nout.uscope\n--clock\n2GHz\n--ipc=3/4\n-f\n-q",
                     "-\n-\n--to\nuscope\n--from\nstf\n--explain",
                     "in.pccx\n--range\n100#:200#\n--select=kind=note,track=a*\n--select\nscope=core0\n-o\nout.ftr",
                     "a\nb\n--last\n1000#\n-j\n4\n--max-record\n64K\n--no-limits\n--strict\n--allow-loss", "--help",
                     "--version\n--json", "--list-formats", "--help-man", "--help-completion\nzsh",
                     "a\nb\n--uscope-compression\nnone\n--stf-chunk\n1000\n--color\nnever\n--progress\njson",
                     "--\n-a\n--loss-report\nlosses.json\n--temporary-folder\n."});
}

}  // namespace

std::vector<Seed> seeds_of(const Target& target) {
    switch (target.seeds) {
        case Seeds::traces:
        case Seeds::heads:
            break;
        case Seeds::pairs_of_traces:
            return pairs();
        case Seeds::headers:
            return headers();
        case Seeds::blocks:
            return blocks();
        case Seeds::texts:
            return texts();
        case Seeds::command_lines:
            return command_lines();
    }
    std::vector<Seed> seeds;
    for (const Trace& trace : traces())
        if (target.format == nullptr || trace.format == target.format) seeds.push_back(trace.seed);
    if (target.seeds == Seeds::heads)
        for (Seed& seed : seeds)
            seed.bytes.resize(std::min(seed.bytes.size(), longest_head));
    return seeds;
}

}  // namespace hwtrace::fuzz

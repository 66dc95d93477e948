#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>

#include "faults/disturbances.hpp"
#include "faults/verdict.hpp"
#include "io/appender.hpp"
#include "io/compression.hpp"

namespace hwtrace::test {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t gigabyte = 1u << 30;
constexpr std::uint64_t most_memory = 512u << 20;            // a block of 256 MiB and the data read from it
constexpr std::uint64_t most_memory_of_schema = 768u << 20;  // 1 M objects, at worst tracks with a name each
constexpr int refused = 6;

/// A file that exceeds a limit.
struct Bomb {
    std::string name;    ///< file name and description in one
    std::string option;  ///< option that the message must name
    std::function<std::string()> content;
    std::uint64_t size = 0;  ///< size of the file after it is extended by a hole; 0: no hole
    bool shown = true;       ///< false: the first view reads only one record, so hwtrace-dump accepts the file
    bool is_schema = false;  ///< a million objects are read and kept before the limit is exceeded
};

std::string le(std::uint64_t value, unsigned bytes) {
    std::string text;
    for (unsigned i = 0; i < bytes; ++i)
        text.push_back(static_cast<char>(i < sizeof value ? value >> 8 * i & 0xFF : 0));
    return text;
}
std::string be32(std::uint64_t value) {
    std::string text = le(value, 4);
    std::reverse(text.begin(), text.end());
    return text;
}
void poke(std::string& bytes, std::size_t at, std::uint64_t value, unsigned size) {
    bytes.replace(at, size, le(value, size));
}
std::uint64_t peek(const std::string& bytes, std::size_t at, unsigned size) {
    std::uint64_t value = 0;
    for (unsigned i = size; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
    return value;
}
template <std::size_t size>
std::string bytes(const char (&text)[size]) {
    return std::string(text, size - 1);
}
/// Returns the concatenation of `make(0)`, `make(1)`, ..., `make(count - 1)`.
std::string many(std::uint64_t count, const std::function<std::string(std::uint64_t)>& make) {
    std::string all;
    for (std::uint64_t i = 0; i < count; ++i)
        all.append(make(i));
    return all;
}
std::string repeated(const std::string& piece, std::uint64_t count) {
    std::string all;
    all.reserve(piece.size() * static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i)
        all.append(piece);
    return all;
}
std::string in_zstd(const std::string& raw) {
    Appender packed;
    ZstdBlock(1).compress(std::as_bytes(std::span(raw)), packed);
    return {reinterpret_cast<const char*>(packed.data()), packed.size()};
}

/// Returns a zstd frame with one raw block and a window of 2 GiB.
std::string wide_zstd() {
    return bytes("\x28\xB5\x2F\xFD\x00\xA8\x91\x01\x00") + stf_of(3);
}

std::uint32_t crc32(const std::string& text) {
    std::uint32_t crc = ~0u;
    for (const char c : text) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320u : 0u);
    }
    return ~crc;
}
/// Returns the beginning of an xz file whose block needs a dictionary of 3 GiB.
std::string wide_xz() {
    const std::string flags = bytes("\0\0");
    const std::string block = bytes("\x02\x00\x21\x01\x27\x00\x00\x00");
    return bytes(
               "\xFD"
               "7zXZ\0") +
           flags + le(crc32(flags), 4) + block + le(crc32(block), 4) + std::string(64, '\0');
}

// --- STF ---

/// Returns the beginning of a trace, without END_HEADER.
std::string stf_begin() {
    return stf_header.substr(0, stf_header.size() - 1);
}
std::string stf_group() {
    const std::string register_4 = bytes("\x28\x05\x00\x11") + le(1, 8);
    return in_zstd(stf_header + repeated(register_4, (65u << 20) / register_4.size()));
}

// --- pccx ---

std::string pccx(const std::string& encoding, std::uint64_t length, const std::string& payload,
                 const std::string& more = {}) {
    const std::string header =
        "{\"pccx_lab_version\":\"hwtrace\",\"arch\":{\"mac_dims\":[4,4],\"isa_version\":\"1.0\","
        "\"peak_tops\":0.032},\"trace\":{\"cycles\":100,\"cores\":1,\"clock_mhz\":1000}," +
        more + "\"payload\":{\"encoding\":\"" + encoding + "\",\"byte_length\":" + std::to_string(length) +
        ",\"checksum_fnv64\":null},\"format_minor\":1}";
    return bytes("PCCX\x01\x01\0\0") + le(header.size(), 8) + header + payload;
}
std::string pccx_json(const std::string& events) {
    const std::string payload = "{\"total_cycles\":100,\"events\":[" + events + "]}";
    return pccx("json", payload.size(), payload);
}
std::string pccx_types() {
    constexpr std::uint64_t types = 1'100'000;
    const std::string events = many(types, [](std::uint64_t i) {
        const std::string name = "TYPE_" + std::to_string(i);
        return le(0, 4) + le(i, 8) + le(1, 8) + le(name.size(), 8) + name + '\0';
    });
    return pccx("bincode", 16 + events.size(), le(types, 8) + le(types, 8) + events);
}

// --- flux ---

const std::string flux_head = bytes(
    "\x00\x01"
    "flux\x06\x00\x01t\x00\x00\x08\x40");
const std::string flux_open = bytes(
    "\x00\x20\x00\x02"
    "ns\x00\x00");

// --- FTR ---

const std::string ftr_head = bytes("\xD9\xD9\xF7\x9F\xC6\x48\x82\x2B\xC1\x1A\x65\x53\xF1\x00");
std::string ftr_chunk(char tag, const std::string& content) {
    return std::string(1, tag) + '\x5A' + be32(content.size()) + content;
}
const std::string ftr_no_text = ftr_chunk('\xC8', bytes("\xA1\x00\x60"));
std::string ftr_streams() {
    return ftr_head + ftr_no_text + ftr_chunk('\xCA', '\x9F' + many(1'100'000, [](std::uint64_t i) {
                                                          return bytes("\xD0\x83\x1A") + be32(i + 1) + bytes("\0\0");
                                                      }) + '\xFF');
}
std::string ftr_attributes() {
    constexpr std::uint64_t attributes = 4'500'000;
    const std::string transactions = bytes("\x9F\x9A") + be32(attributes + 1) + bytes("\xC6\x84\x04\x03\x00\x18\x64") +
                                     repeated(bytes("\xC7\x83\x00\x03\x01"), attributes) + '\xFF';
    return ftr_head + ftr_no_text + ftr_chunk('\xCA', bytes("\x9F\xD0\x83\x01\0\0\xD1\x83\x03\0\x01\xFF")) +
           bytes("\xCC\x84\x01\x00\x18\xB4\x5A") + be32(transactions.size()) + transactions + '\xFF';
}

// --- text ---

std::string commit_log_line(std::uint64_t hart) {
    return "core " + std::to_string(hart) + ": 3 0x80000000 (0x00000013)\n";
}
const std::string kanata_head = "Kanata\t0004\nC=\t0\nI\t0\t0\t0\n";
std::string txlog_streams() {
    return many(1'100'000, [](std::uint64_t i) {
        const std::string id = std::to_string(i + 1);
        return "scv_tr_stream (ID " + id + ", name \"s" + id + "\", kind \"k\")\n";
    });
}
std::string txlog_open_transactions() {
    return "scv_tr_stream (ID 1, name \"s\", kind \"k\")\nscv_tr_generator (ID 2, name \"g\", scv_tr_stream 1,\n)\n" +
           many(4'500'000, [](std::uint64_t i) { return "tx_begin " + std::to_string(i + 1) + " 2 0 s\n"; });
}
const std::string jsonl_head = "{\"schema\": \"hwtrace-jsonl/1\"}\n";

/// Returns bombs derived from a µScope trace.
std::vector<Bomb> uscope_bombs(const fs::path& plain, const fs::path& packed) {
    constexpr std::size_t at_first_segment = 0x1C, at_sections = 0x20, chunk_size = 52, raw_size = 0x28;
    constexpr std::size_t section_entry = 24, at_section_size = 16;
    constexpr std::uint64_t section_strings = 2, section_summary = 16;
    return {
        {"chunk.uscope", "--max-record",
         [plain] {
             std::string trace = read_content(plain);
             poke(trace, chunk_size, gigabyte, 4);
             return trace;
         },
         2 * gigabyte},
        {"segment.uscope", "--max-block",
         [packed] {
             std::string trace = read_content(packed);
             poke(trace, peek(trace, at_first_segment, 4) + raw_size, 0xFFFF'FFF0, 4);
             return trace;
         }},
        {"strings.uscope", "--max-block",
         [plain] {
             std::string trace = read_content(plain);
             for (std::size_t at = peek(trace, at_sections, 8); peek(trace, at, 2) != 0; at += section_entry) {
                 if (peek(trace, at, 2) != section_summary) continue;
                 poke(trace, at, section_strings, 2);
                 poke(trace, at + at_section_size, gigabyte, 8);
                 return trace;
             }
             throw std::runtime_error("the uscope trace has no summary");
         },
         2 * gigabyte},
    };
}

std::vector<Bomb> other_bombs() {
    const std::string nested(100'000, '[');
    return {
        {"comment.stf", "--max-string", [] { return stf_begin() + '\x03' + le(0xFFFF'FFFF, 4); }, 5 * gigabyte},
        {"header.stf", "--max-schema", [] { return stf_begin() + repeated('\x03' + le(0, 4), 1'100'000); }},
        {.name = "group.stf.zst", .option = "--max-record", .content = stf_group, .shown = false},
        {"window.stf.zst", "--max-window", wide_zstd},
        {"dictionary.stf.xz", "--max-window", wide_xz},
        {"header.pccx", "--max-string", [] { return bytes("PCCX\x01\x01\0\0") + le(gigabyte, 8); }, 2 * gigabyte},
        {"depth.pccx", "--max-depth", [=] { return pccx("bincode", 16, le(0, 16), "\"x\":" + nested); }},
        {"payload.pccx", "--max-depth", [=] { return pccx_json(nested); }},
        {"value.pccx", "--max-record",
         [] {
             return pccx_json("{\"core_id\":0,\"start_cycle\":0,\"duration\":1,\"event_type\":\"" +
                              std::string(65u << 20, 'a') + "\"}");
         }},
        {.name = "types.pccx", .option = "--max-schema", .content = pccx_types, .is_schema = true},
        {"type.pccx", "--max-string",
         [] {
             // The name begins like a text and ends with the payload; otherwise its length would be damaged.
             return pccx(
                 "bincode", 45 + gigabyte,
                 le(100, 8) + le(1, 8) + le(0, 4) + le(0, 8) + le(1, 8) + le(gigabyte, 8) + std::string(1u << 20, 'a'));
         },
         3 * gigabyte},
        {"block.flux", "--max-block",
         [] { return flux_head + flux_open + bytes("\x00\x05\x00\xFF\xFF\xFF\xFF\x0F\x80\x80\x80\x08"); }, gigabyte},
        {"entry.flux", "--max-record", [] { return flux_head + bytes("\x00\x11\x01\x00\xFF\xFF\xFF\xFF\x0F"); },
         5 * gigabyte},
        {"signals.flux", "--max-schema",
         [] { return flux_head + bytes("\x00\x12\x01\x80\x80\x80\x80\x02\x00\x00\x00\x02\x00"); }},
        {"vector.flux", "--max-string",
         [] {
             const std::string descriptor = "default<bits=200000000>";
             return flux_head + bytes("\x00\x11\x01\x00\x01l\x00\x03") + static_cast<char>(descriptor.size()) +
                    descriptor + flux_open;
         }},
        {"window.flux.zst", "--max-window",
         [] { return bytes("\x28\xB5\x2F\xFD\x00\xA8\xB1\x00\x00") + flux_head + flux_open; }},
        {"chunk.ftr", "--max-block", [] { return ftr_head + bytes("\xC8\x5A") + be32(300u << 20); }, 301u << 20},
        {"packed.ftr", "--max-block",
         [] { return ftr_head + bytes("\xC9\x82\x1A") + be32(gigabyte) + '\x5A' + be32(16u << 20); }, gigabyte},
        {"text.ftr", "--max-string",
         [] {
             return ftr_head + ftr_chunk('\xC8', bytes("\xA1\x00\x7A") + be32(17u << 20) + std::string(17u << 20, 'a'));
         }},
        {.name = "streams.ftr", .option = "--max-schema", .content = ftr_streams, .is_schema = true},
        {"attributes.ftr", "--max-record", ftr_attributes},
        {"line.kanata", "--max-string", [] { return kanata_head + "L\t0\t0\t" + std::string(17u << 20, 'a') + '\n'; }},
        {.name = "stages.kanata",
         .option = "--max-schema",
         .content =
             [] {
                 return kanata_head +
                        many(1'100'000, [](std::uint64_t i) { return "S\t0\t0\tS" + std::to_string(i) + '\n'; });
             },
         .shown = false,
         .is_schema = true},
        {"line.commitlog", "--max-string",
         [] {
             return commit_log_line(0) + "core   0: 3 0x80000004 (0x00000013) x5" + std::string(17u << 20, ' ') + '\n';
         }},
        {.name = "harts.commitlog",
         .option = "--max-schema",
         .content = [] { return many(300'000, commit_log_line); },
         .shown = false,
         .is_schema = true},
        {"line.o3pipeview", "--max-string",
         [] { return "O3PipeView:fetch:1:0x1:0:1:" + std::string(17u << 20, 'a') + "\nO3PipeView:retire:2\n"; }},
        {.name = "cores.o3pipeview",
         .option = "--max-schema",
         .content =
             [] {
                 return many(70'000, [](std::uint64_t i) {
                     const std::string core = "1: cpu" + std::to_string(i) + ": O3PipeView:";
                     return core + "fetch:1:0x1:0:1:\n" + core + "retire:2\n";
                 });
             },
         .shown = false,
         .is_schema = true},
        {"line.txlog", "--max-string",
         [] { return "scv_tr_stream (ID 1, name \"" + std::string(17u << 20, 'a') + "\", kind \"k\")\n"; }},
        {.name = "streams.txlog",
         .option = "--max-schema",
         .content = txlog_streams,
         .shown = false,
         .is_schema = true},
        {.name = "open.txlog", .option = "--max-block", .content = txlog_open_transactions, .shown = false},
        {"line.jsonl", "--max-record",
         [] {
             return jsonl_head + "{\"time\": 1, \"track\": \"t\", \"a\": \"" + std::string(65u << 20, 'a') + "\"}\n";
         }},
        {.name = "text.jsonl",
         .option = "--max-string",
         .content =
             [] {
                 return jsonl_head + "{\"time\": 1, \"track\": \"t\", \"a\": \"" + std::string(17u << 20, 'a') +
                        "\"}\n";
             },
         .shown = false},
        {"depth.jsonl", "--max-depth",
         [=] { return jsonl_head + "{\"time\": 1, \"track\": \"t\", \"a\": " + nested + "}\n"; }},
        {.name = "fields.jsonl",
         .option = "--max-schema",
         .content =
             [] {
                 std::string line = "{\"time\": 1, \"track\": \"t\"";
                 for (unsigned i = 0; i < 1'100'000; ++i)
                     line.append(", \"f").append(std::to_string(i)).append("\": 1");
                 return jsonl_head + line + "}\n";
             },
         .shown = false,
         .is_schema = true},
    };
}

/// Describes what is wrong with the reaction to a bomb. Returns an empty string if nothing is.
std::string fault_of(const Bomb& bomb, const Aftermath& run, bool sanitized) {
    std::string fault;
    const auto add = [&](const std::string& text) { fault.append(fault.empty() ? "" : "; ").append(text); };
    const std::string& said = run.ended.errors;
    if (run.ended.status != refused) add(run.ended.text());
    if (said.find("is above the limit of") == std::string::npos) add("the message does not state value and limit");
    if (said.find(bomb.option) == std::string::npos) add(bomb.option + " is not named in the message");
    // Reading a million objects takes a second on an idle machine. The limit is higher, so that other load does not
    // fail the test.
    const double seconds = (bomb.is_schema ? 2 : 1) * (sanitized ? 30 : 1);
    const std::uint64_t memory = (bomb.is_schema ? most_memory_of_schema : most_memory) * (sanitized ? 8 : 1);
    if (run.ended.busy_seconds > seconds) add("after " + std::to_string(run.ended.busy_seconds) + " s");
    if (run.ended.peak_bytes > memory) add("with " + std::to_string(run.ended.peak_bytes >> 20) + " MiB");
    if (!run.output.empty()) add(changes({}, run.output));
    return fault;
}

}  // namespace

Tally refuse_bombs(const Extent& extent) {
    Tally tally{"bombs"};
    const Stage stage(extent.binaries, 12);
    const fs::path packed = stage.folder() / "in/packed.uscope", plain = stage.folder() / "in/plain.uscope";
    for (const auto& [path, method] : {std::pair(packed, "zstd"), std::pair(plain, "none")})
        if (run(stage.command(
                    {.name = {}, .arguments = {"convert", "in/large.stf", path, "--uscope-compression", method}}))
                .status != 0)
            throw std::runtime_error("cannot generate a uscope trace");
    std::vector<Bomb> bombs = uscope_bombs(plain, packed);
    for (Bomb& bomb : other_bombs())
        bombs.push_back(std::move(bomb));
    const bool sanitized = extent.most != 0;  // a sample run also runs in sanitized builds
    for (const Bomb& bomb : bombs) {
        const fs::path file = stage.folder() / "in" / bomb.name;
        write_content(file, bomb.content());
        if (bomb.size != 0) fs::resize_file(file, bomb.size);
        const std::string name = "in/" + bomb.name;
        std::vector<Scenario> scenarios{{.name = "validate", .arguments = {"validate", name}},
                                        {.name = "convert", .arguments = {"convert", name, "out/new.jsonl"}},
                                        {.name = "info", .arguments = {"info", name}}};
        if (bomb.shown) scenarios.push_back({.name = "dump", .arguments = {"dump", name}});
        if (extent.most != 0 && extent.most < scenarios.size()) scenarios.resize(extent.most);
        for (const Scenario& scenario : scenarios) {
            const Aftermath run = run_in(stage, scenario, stage.command(scenario));
            ++tally.tries;
            const std::string fault = fault_of(bomb, run, sanitized);
            if (extent.most == 0)
                std::printf("%-8s %-20s %5.2f s %5llu MiB\n", scenario.name.c_str(), bomb.name.c_str(),
                            run.ended.busy_seconds, static_cast<unsigned long long>(run.ended.peak_bytes >> 20));
            if (!fault.empty())
                tally.faults.push_back(scenario.name + " " + bomb.name + ": " + fault + "\n" +
                                       run.ended.errors.substr(0, 1000));
        }
        fs::remove(file);
    }
    return tally;
}

}  // namespace hwtrace::test

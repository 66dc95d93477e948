#include <array>
#include <cstdio>

#include "faults/disturbances.hpp"
#include "faults/verdict.hpp"

namespace hwtrace::test {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t most_memory = 256u << 20;  // limit per process, regardless of the trace size
constexpr double patience = 3600;

struct Kind {
    std::string name;                  ///< name of the format
    std::string back;                  ///< format to which the stream is converted
    std::vector<std::string> options;  ///< options that turn off compression
};

const std::vector<Kind> kinds{
    {"stf", "uscope", {}},    {"uscope", "stf", {"--uscope-compression", "none"}},
    {"flux", "uscope", {}},   {"ftr", "uscope", {}},
    {"pccx", "ftr", {}},      {"jsonl", "stf", {}},
    {"kanata", "uscope", {}}, {"o3pipeview", "uscope", {}},
    {"txlog", "ftr", {}},
};

constexpr std::uint64_t instructions_of_loop = 1024;

/// Returns a loop of instructions. As in real traces, the last instruction jumps back to the first. The number of
/// distinct strings, such as labels with the pc, is bounded because strings stay in memory.
std::string loop() {
    constexpr std::uint64_t begin = 0x8000'0000;
    constexpr std::uint32_t back = 4 * (instructions_of_loop - 1), offset = ~back + 1;
    constexpr std::uint32_t jump =
        0x6F | (offset & 0xFF000) | (offset >> 11 & 1) << 20 | (offset >> 1 & 0x3FF) << 21 | (offset >> 20 & 1) << 31;
    std::string piece;
    for (std::uint64_t i = 1; i < instructions_of_loop; ++i)
        piece.append(stf_instruction);
    piece.push_back('\x1F');  // INST_PC_TARGET
    for (unsigned i = 0; i < 8; ++i)
        piece.push_back(static_cast<char>(begin >> 8 * i & 0xFF));
    piece.push_back(stf_instruction.front());  // INST_OPCODE32
    for (unsigned i = 0; i < 4; ++i)
        piece.push_back(static_cast<char>(jump >> 8 * i & 0xFF));
    return piece;
}

std::string mebibytes(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

}  // namespace

Tally pour_streams(const Extent& extent) {
    Tally tally{"streams"};
    const std::uint64_t size = (extent.most == 0 ? 1024 : extent.most) << 20;
    const Stage stage(extent.binaries, 10);
    const std::string piece = loop();
    const auto pour = [&](const std::vector<std::string>& arguments, std::uint64_t loops) {
        Command command = stage.command({.name = {}, .arguments = arguments});
        command.begin = stf_header;
        command.piece = piece;
        command.pieces = loops;
        command.keeps_output = false;
        return run(command, std::nullopt, patience);
    };
    std::printf(
        "| Format | File | written from a pipe | validated | dumped | converted |\n|---|---|---|---|---|---|\n");
    for (const Kind& kind : kinds) {
        const std::string file = "out/trace." + kind.name;
        const fs::path path = stage.folder() / file;
        std::vector<std::string> making{"convert", "-", file, "--to", kind.name, "-f", "-q", "--allow-loss"};
        making.insert(making.end(), kind.options.begin(), kind.options.end());
        // The number of loops is computed from the measured size of a few loops.
        constexpr std::uint64_t some = 128;
        pour(making, some);
        const std::uint64_t loops = size * some / fs::file_size(path) + 1;
        const std::array<std::pair<const char*, Ended>, 4> ends{{
            {"written", pour(making, loops)},
            {"validated", pour({"validate", file, "-q"}, 0)},
            {"dumped", pour({"dump", file, "-q"}, 0)},
            {"converted", pour({"convert", file, "out/back." + kind.back, "-f", "-q", "--allow-loss"}, 0)},
        }};
        std::string row = "| " + kind.name + " | " + mebibytes(fs::file_size(path)) + " |";
        for (const auto& [what, ended] : ends) {
            ++tally.tries;
            char text[64];
            std::snprintf(text, sizeof text, " %s, %.0f s |", mebibytes(ended.peak_bytes).c_str(), ended.seconds);
            row.append(text);
            if (ended.status != 0 || ended.peak_bytes > most_memory)
                tally.faults.push_back(kind.name + " " + what + ": " + ended.text() + ", " +
                                       mebibytes(ended.peak_bytes) + "\n" + ended.errors.substr(0, 1000));
        }
        std::printf("%s\n", row.c_str());
        std::fflush(stdout);
        stage.prepare({});
    }
    return tally;
}

}  // namespace hwtrace::test

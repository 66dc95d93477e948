#include "rules.hpp"

#include <array>

namespace hwtrace::commitlog {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    {"CML001", error, incomplete, "the file has no instruction", "Lines",
     "No complete line is an instruction of a known log. The simulator was stopped before the first one, or it logs in "
     "another form. Let Spike log commits (and list instructions with -l), or see the forms that hwtrace reads."},
    {"CML002", note, harmless, "lines do not belong to the log", "Other lines",
     "The program or the simulator printed them. hwtrace leaves them out and counts them. To keep them out of the log, "
     "let the simulator write the log to a file of its own, with the option log of Spike."},
    {"CML003", error, damaged, "a line begins like the log, but cannot be parsed", "Lines",
     "The line is damaged, or it has a word that hwtrace does not know. The instruction of the line is missing. "
     "Compare "
     "the line with its neighbours; if the simulator printed it so, its version is not supported."},
    {"CML004", error, incomplete, "the log ends inside a line", "Other lines",
     "The simulator was stopped, or the file was cut. A value may have lost digits, so the line is left out; all lines "
     "before it are delivered. End the last line with a line feed if it is whole."},
    {"CML005", error, incomplete, "the compressed data is cut", "Other lines",
     "The file ends inside its gzip, LZ4, zstd or xz data. The instructions that could be decompressed are delivered. "
     "Copy the file again."},
    {"CML006", error, damaged, "the compressed data is damaged", "Other lines",
     "Decompression fails here, or the checksum is wrong. The instructions before it are delivered. Copy the file "
     "again."},
    {"CML007", note, harmless, "the outcome of the last instruction is unknown", "Targets",
     "Only the next line shows whether a branch is taken, where an indirect jump leads, and whether a listed "
     "instruction was executed. The instruction is delivered without a target. Let the program run for one more "
     "instruction if its outcome matters."},
    {"CML008", warning, harmless, "a listed instruction has neither a commit nor an exception",
     "Two lines per instruction",
     "Spike lists each instruction before it executes it, and prints the commit afterwards. hwtrace delivers the "
     "instruction without results. The commit is lost, or the instruction was interrupted by a debugger."},
    {"CML009", warning, harmless, "an exception belongs to no instruction", "Exceptions",
     "No instruction precedes the exception, or too many exceptions follow one instruction. The exception is left out. "
     "Log from the start of the program."},
    {"CML010", note, harmless, "repetitions of an instruction are not listed", "Two lines per instruction",
     "Spike -l prints 'Executed N times' instead of listing an instruction again and again. hwtrace delivers it once. "
     "If Spike logs commits as well, every repetition has a line."},
    {"CML011", note, harmless, "the data of loads is not in the log", "Memory accesses",
     "The log states the address of a load, and hwtrace takes the data from the destination register. These loads "
     "write x0 or vector registers whose elements cannot be assigned. Their data is stored as 0."},
    {"CML012", warning, harmless, "the width of the pc changes", "Widths",
     "A log has one width: 8 digits (RV32) or 16 digits (RV64). Logs of two simulators may have been joined. hwtrace "
     "keeps the first width."},
    {"CML013", note, harmless, "the pc does not follow from the instruction before it", "Targets",
     "An exception or an interrupt that the log does not show, or missing lines. hwtrace writes the new pc as an event "
     "stf.force_pc. Spike shows exceptions with -l."},
    {"CML014", warning, harmless, "x0 is written", "Registers",
     "x0 is always 0, so no simulator prints it. The register number or the line is damaged."},
    {"CML015", warning, harmless, "an instruction has a memory access that it does not make", "Memory accesses",
     "The encoding does not load or store, or only in the other direction. The encoding or the access is damaged, or "
     "the "
     "instruction belongs to an extension that hwtrace does not know."},
    {"CML016", warning, harmless, "the number of digits does not suit the length of the instruction", "Widths",
     "The lowest bits of an encoding state its length: 2 bytes have 4 digits, 4 bytes have 8 digits (some simulators "
     "pad 2 bytes to 8 digits). The encoding is damaged, or longer than 32 bits, which STF cannot hold."},
    {"CML017", warning, harmless, "a load or store has no memory access", "Memory accesses",
     "Earlier lines of the log state accesses, so this one should, too. The line is damaged, or the simulator leaves "
     "out "
     "some accesses. An STF trace made of the log has the same gap (STF080, STF081)."},
    {"CML018", warning, harmless, "an encoding is not a valid instruction", "Widths",
     "The encoding is reserved, and no exception follows. The line is damaged, or the instruction belongs to an "
     "extension that hwtrace does not know."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::commitlog

#include "rules.hpp"

namespace hwtrace::o3pipeview {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    {"O3P001", error, damaged, "no line is of O3PipeView", "File layout",
     "The file has another format, or gem5 ran without the debug flag O3PipeView, or ended before the tick at which "
     "debug output starts. Trace again with this flag."},
    {"O3P002", error, damaged, "a line has missing, malformed or too large columns", "Lines",
     "The meaning of the line is unknown, and hwtrace leaves it out: a fetch line with its instruction, another line "
     "as if the stage was never reached. Colons separate columns; ticks are decimal numbers below 2^62. Damage is "
     "often a sign that two processes wrote to one file."},
    {"O3P003", warning, harmless, "a line states an unknown stage", "Lines",
     "gem5 states fetch, decode, rename, dispatch, issue, complete and retire; Konata also reads thread. Viewers skip "
     "other lines, and so does hwtrace. Use the word of the stage that comes nearest."},
    {"O3P004", error, damaged, "a stage belongs to no instruction", "Instructions",
     "The line follows a retire line, or no fetch line precedes it, so its instruction is lost. The line is left out. "
     "The beginning of the file may be missing, or lines may be out of order."},
    {"O3P005", error, damaged, "an instruction has no retire line", "Instructions",
     "The next instruction begins before this one ended, so it is unknown whether it retired. hwtrace reads it as "
     "squashed. gem5 writes a retire line for each instruction, with tick 0 if it was squashed."},
    {"O3P006", error, incomplete, "the file ends inside an instruction", "Instructions",
     "The file was cut, or gem5 was stopped. All instructions before it are delivered. hwtrace-recover writes them as "
     "a whole trace."},
    {"O3P007", warning, harmless, "the last line has no line end", "File layout",
     "The line may have been cut, so that its last number lost digits. End every line, including the last one."},
    {"O3P008", error, incomplete, "the compressed data is cut", "File layout",
     "The file ends inside its gzip, LZ4, zstd or xz data. The instructions that could be decompressed are delivered. "
     "Copy the file again; hwtrace-recover writes a whole trace of these instructions."},
    {"O3P009", error, damaged, "the compressed data is damaged", "File layout",
     "Decompression fails here, or the checksum is wrong. The instructions before it are delivered. Copy the file "
     "again; if no other copy exists, hwtrace-recover writes a sound trace of these instructions."},
    {"O3P010", error, damaged, "an instruction states a stage twice", "Instructions",
     "An instruction has one tick for each stage. hwtrace uses the last one, as viewers do. A fetch line between the "
     "two stages may be missing."},
    {"O3P011", note, harmless, "an instruction passes its stages in another order", "Stage order",
     "A load that is replayed is issued again after it had completed, and gem5 keeps the first completion. hwtrace "
     "keeps the ticks as they are; Konata moves the later stage to the tick of the one before it."},
    {"O3P012", error, damaged, "a stage precedes the fetch of its instruction", "Stage order",
     "An instruction cannot reach a stage before it is fetched. hwtrace leaves the stage out. A digit of one of the "
     "ticks may be wrong."},
    {"O3P013", warning, harmless, "an instruction has the sequence number of one in flight", "Sequence numbers",
     "The stages of both instructions are shown as those of one. Several cores may have written to one file: name them "
     "in front of the lines, or trace each core into its own file."},
    {"O3P014", warning, harmless, "more instructions are in flight than a table can hold", "Entity slots",
     "The table has too few slots, so a new instruction takes the slot of an older one. No stage is lost, but the "
     "table no longer shows the older instruction. The ticks of an instruction may be wrong, so that it seems to stay "
     "in flight."},
    {"O3P015", error, damaged, "an instruction stands too far behind later ones", "Order of instructions",
     "More than 32,768 instructions that were fetched later precede it in the file, and these are already delivered. "
     "hwtrace leaves the instruction out. Its fetch tick may be wrong, or files were joined in the wrong order; sort "
     "the instructions by their fetch ticks."},
    {"O3P016", note, harmless, "the file has lines of other debug output", "Other lines",
     "gem5 writes the output of all debug flags to one file. hwtrace leaves these lines out, and counts them: see the "
     "fact other_lines of hwtrace-info. Trace with the debug flag O3PipeView alone for a smaller file."},
    {"O3P017", note, harmless, "a tick is empty", "Lines",
     "Some simulators write no digits for a stage that was never reached. hwtrace reads 0, as gem5 writes it."},
    {"O3P018", note, harmless, "text follows the last column", "Lines",
     "Viewers ignore the text, and hwtrace drops it. A retire line ends with the tick, or with ':store:' and the tick "
     "at which the store completed."},
    {"O3P019", error, damaged, "too many instructions are in flight", "Order of instructions",
     "An instruction enters while 65,536 others have not left. hwtrace leaves it out, so that memory stays bounded. "
     "No "
     "pipeline holds as many: the last ticks of many instructions are wrong."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::o3pipeview

#include "rules.hpp"

#include <array>

namespace hwtrace::stf {
namespace {

constexpr auto error = Severity::error;
constexpr auto warning = Severity::warning;
constexpr auto note = Severity::note;
constexpr auto harmless = Effect::harmless;
constexpr auto incomplete = Effect::incomplete;
constexpr auto damaged = Effect::damaged;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> table{{
    // --- header ---
    {"STF001", error, damaged, "the stream does not begin with the STF identifier", "spec/stf.txt, STF_IDENTIFIER",
     "Readers recognise a trace by 01 'S' 'T' 'F'. The file is something else, or its beginning is lost."},
    {"STF002", error, harmless, "VERSION is not the second record", "spec/stf.txt, STF_VERSION",
     "The reference reader stops here. Write VERSION directly behind the identifier."},
    {"STF003", error, damaged, "the version is not supported", "README.md, Versions",
     "Before 1.2 the descriptors had other numbers, and no major version but 1 exists: the records cannot be told "
     "apart."},
    {"STF004", warning, harmless, "the version is newer than this reader", "README.md, Versions",
     "A later minor version may define records that end the scan as undefined descriptors."},
    {"STF005", error, harmless, "a mandatory header record is missing", "README.md, Header",
     "The reference reader needs ISA, INST_IEM, TRACE_INFO, TRACE_INFO_FEATURE and FORCE_PC before END_HEADER."},
    {"STF006", error, harmless, "a header record stands twice", "README.md, Header",
     "Only COMMENT and TRACE_INFO may repeat; the reference reader stops at the second one. Keep one of them."},
    {"STF007", error, harmless, "a body record stands before END_HEADER", "spec/stf.txt, STF_END_HEADER",
     "Readers take everything up to END_HEADER for the header. Write END_HEADER before the first body record."},
    {"STF008", error, incomplete, "the trace ends inside its header", "spec/stf.txt, STF_END_HEADER",
     "The writer was stopped or the file was cut; there are no instructions to read."},
    {"STF009", error, harmless, "VLEN_CONFIG is not a usable vector length", "README.md, Registers",
     "A vector register has at least 64 bits; with 0 its records have no size. Write the real length in bits."},
    {"STF010", warning, harmless, "the ISA or the encoding mode is not a defined code", "spec/stf.txt, STF_ISA",
     "Consumers cannot choose a decoder. Defined are ISA 1-4 and, for RISC-V, mode 1 (RV32) and 2 (RV64)."},
    {"STF011", note, harmless, "the trace generator has no known name", "README.md, Codes",
     "It may be a newer tool than this list, or 0, which the reference checker refuses."},

    // --- framing ---
    {"STF020", error, incomplete, "the trace ends inside a record", "spec/stf.txt, Record Format",
     "The file was cut. Every whole record before it is delivered; make the trace again for the rest."},
    {"STF021", error, damaged, "the descriptor is undefined", "spec/stf.txt, Specification of Records",
     "Records carry no length, so nothing behind an unknown one can be found. The bytes are damaged, or of a newer "
     "version."},
    {"STF022", error, damaged, "the descriptor is 0", "spec/stf.txt, STF_RESERVED",
     "0 is reserved for error detection: a run of zero bytes, such as a hole in a file, looks like this."},
    {"STF023", note, harmless, "the trace ends with descriptor 255", "spec/stf.txt, STF_RESERVE_END",
     "The text asks for it, but no known writer adds it and the reference reader fails on it. Leave it out."},
    {"STF024", error, damaged, "a vector register stands without a usable VLEN_CONFIG", "README.md, Registers",
     "The record's size follows from VLEN_CONFIG; nothing behind it can be found. Write VLEN_CONFIG in the header."},
    {"STF025", error, damaged, "a transaction record stands in an instruction trace", "README.md, Records",
     "A trace has instructions or transactions, as its header says. The bytes before it are probably damaged."},
    {"STF026", warning, incomplete, "the last instruction's records have no instruction",
     "spec/stf.txt, STF File Anatomy",
     "Registers, memory accesses and targets belong to the opcode behind them, which is missing: the trace was cut "
     "between "
     "records. They are kept as raw records."},

    // --- body ---
    {"STF030", error, harmless, "a header record stands in the body", "spec/stf.txt, STF File Anatomy",
     "There is one header, at the start. The reference reader stops here; the record is kept as it is."},
    {"STF031", error, harmless, "memory content stands without an access", "spec/stf.txt, STF_INST_MEM_CONTENT",
     "INST_MEM_CONTENT directly follows its INST_MEM_ACCESS or another content of it; else its address is unknown."},
    {"STF032", error, harmless, "an event's target stands without an event", "spec/stf.txt, STF_EVENT_PC_TARGET",
     "EVENT_PC_TARGET follows the EVENT of the same instruction. The pc still follows it."},
    {"STF033", error, harmless, "the memory access type is undefined", "spec/stf.txt, STF_INST_MEM_ACCESS",
     "Defined are 1 (read) and 2 (write)."},
    {"STF034", error, harmless, "the register type or operand is undefined", "spec/stf.txt, STF_INST_REG",
     "Types are 1-4 and operands 1-3; the reference tools crash on others. The record is kept as it is."},
    {"STF035", error, harmless, "the register number is out of range", "README.md, Registers",
     "x, f and v registers have numbers 0-31 (integer 32 is the pc), CSRs 12 bits. The record is kept as it is."},
    {"STF036", warning, harmless, "an instruction has a second target", "spec/stf.txt, STF_INST_PC_TARGET",
     "The last one counts for the pc; the others say nothing. Each is kept."},
    {"STF037", error, harmless, "bus content stands without an access", "spec/stf.txt, STF_BUS_MASTER_CONTENT",
     "BUS_MASTER_CONTENT directly follows its BUS_MASTER_ACCESS or another content of it."},
    {"STF038", warning, harmless, "a bus access has an undefined code", "README.md, Codes",
     "Masters are 1-6 in real files and 0-6 in the text; access types are 1 (read) and 2 (write)."},
    {"STF039", warning, harmless, "the event id has no defined meaning", "README.md, Codes",
     "Ids are RISC-V causes: faults 0-63, interrupts, and the special MODE_CHANGE. The reference tools stop when they "
     "print it."},
    {"STF040", error, harmless, "MODE_CHANGE does not say a mode", "spec/stf.txt, STF_EVENT_MODE_CHANGE",
     "Field 0 is the new mode, 0-3; the reference tools crash without it."},
    {"STF041", warning, harmless, "the micro-op is neither 2 nor 4 bytes", "spec/stf.txt, STF_INST_MICROOP",
     "Consumers decode 16- and 32-bit micro-ops only."},

    // --- containers ---
    {"STF050", error, damaged, "the ZSTF header is cut", "README.md, Container",
     "A ZSTF file begins with 20 bytes: the magic, the chunk size and the place of the index."},
    {"STF051", error, harmless, "the ZSTF header says chunks of 0 instructions", "README.md, Container",
     "The reference reader divides by it. Rewrite the file with a real chunk size."},
    {"STF052", error, incomplete, "the ZSTF file was never finished: it has no chunk index", "README.md, Container",
     "The writer was stopped before it closed the file. Every chunk that can be decompressed is delivered."},
    {"STF053", error, harmless, "the chunk index is not where the header says", "README.md, Container",
     "The index stands directly behind the last chunk. A writer killed while it overwrote the index leaves this; "
     "chunks are "
     "found without it."},
    {"STF054", error, harmless, "the chunk index is cut", "README.md, Container",
     "The file lost its end, but all chunks are there. Rewrite it to make the index again."},
    {"STF055", error, harmless, "the chunk index has another number of chunks than the file", "README.md, Container",
     "The reference reader stops after as many chunks as the index says, or reads past them."},
    {"STF056", error, harmless, "the chunk index has a wrong offset", "README.md, Container",
     "Seeking ends in the wrong place, and the reference reader hands the wrong bytes to zstd."},
    {"STF057", error, harmless, "the chunk index has a wrong uncompressed size", "README.md, Container",
     "The reference reader loses records without a word where it is too small and stops where it is too large."},
    {"STF058", error, harmless, "the chunk index has a wrong start pc", "README.md, Container",
     "A reader that seeks to the chunk shows every instruction at the wrong pc."},
    {"STF059", error, harmless, "a chunk holds another number of instructions than the header says",
     "README.md, Container",
     "The reference reader changes chunks by counting: it drops the surplus, or reads past a short chunk."},
    {"STF060", error, harmless, "a chunk does not end behind an instruction", "README.md, Container",
     "Only the last chunk may; the reference reader changes chunks behind an instruction and loses the rest."},
    {"STF061", error, damaged, "the compressed data is damaged", "README.md, Container",
     "zstd refuses the frame, or other bytes stand where one begins. The records before the damage are delivered."},
    {"STF062", error, incomplete, "the compressed data is cut", "README.md, Container",
     "The file ends inside a zstd frame. The records that were decompressed are delivered."},
    {"STF063", warning, harmless, "bytes stand behind the end", "README.md, Container",
     "No structure claims them: something was appended, or two files were joined. They are ignored."},
    {"STF064", error, damaged, "the gzip data is damaged", "README.md, Container",
     "zlib refuses the data or its checksum is wrong. The records before the damage are delivered."},
    {"STF065", error, incomplete, "the gzip data is cut", "README.md, Container",
     "The file ends inside the gzip stream. The records that were decompressed are delivered."},
    {"STF066", error, damaged, "the xz data is damaged", "README.md, Container",
     "liblzma refuses the data or its checksum is wrong. The records before the damage are delivered."},
    {"STF067", error, incomplete, "the xz data is cut", "README.md, Container",
     "The file ends inside the xz stream. The records that were decompressed are delivered."},
}};

}  // namespace

const Rule& rule(Check check) noexcept {
    return table[static_cast<std::size_t>(check)];
}
std::span<const Rule> rules() noexcept {
    return table;
}

}  // namespace hwtrace::stf

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

}  // namespace

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
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
    {"STF050", error, incomplete, "the ZSTF header is cut", "README.md, Container",
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
    {"STF068", error, damaged, "instructions or transactions of a damaged chunk are lost", "README.md, Container",
     "The chunk index tells where the next chunk is, and its pc: reading goes on there. Numbers behind the damage are "
     "those of the whole trace; times of transactions lack the cycles that are lost."},
    {"STF069", warning, damaged, "a chunk behind damage was found without an index; its number is a guess",
     "README.md, Container",
     "Reading goes on with the next zstd frame that can be read. Which chunk it is nobody knows: numbers behind it are "
     "those that follow if one chunk was lost. Instructions up to the first pc that a record states are left out."},

    // --- meaning ---
    {"STF070", error, harmless, "an instruction's pc is odd", "README.md, Meaning",
     "Instructions begin at even addresses. FORCE_PC or a target states a wrong one, or the bytes are damaged."},
    {"STF071", error, harmless, "the feature RV64 and the encoding mode disagree", "README.md, Meaning",
     "The feature bit 0x20 says what INST_IEM says: set for RV64, clear for RV32. Consumers choose by either."},
    {"STF072", error, harmless, "the feature PTE and the page table walks disagree", "README.md, Meaning",
     "Consumers that translate addresses look at the feature bits 0x100, 0x800 and 0x20000 first: without them they "
     "ignore walks, with them they wait for walks in vain."},
    {"STF073", warning, harmless, "the feature PHYSICAL_ADDRESS and what can be translated disagree",
     "README.md, Meaning",
     "Physical addresses follow from page table walks alone. Many generators set bit 0x1 whatever they write; nothing "
     "is wrong where nobody needs physical addresses."},
    {"STF074", warning, harmless, "a memory access is translated to physical address 0", "README.md, Meaning",
     "There is rarely memory, and no load or store fault says that the access failed. The page table entry is "
     "probably empty or read too late."},
    {"STF075", warning, harmless, "a page table walk leads to a page that cannot be", "README.md, Address translation",
     "The low bits of the physical address would differ from those of the virtual one. The size of the page belongs to "
     "the scheme that SATP names, and a page begins at a multiple of its size."},
    {"STF076", warning, harmless, "an instruction is translated to physical address 0", "README.md, Meaning",
     "There is rarely memory, and no fetch fault says that it could not be read."},
    {"STF077", warning, harmless, "a page table walk stands before any value of SATP", "README.md, Address translation",
     "SATP (CSR 0x180) says where the page table is; the reference tools abort here. Write its value as a state "
     "register before the first walk. Until then nothing is translated."},
    {"STF078", warning, harmless, "a page table walk has other entries than its address leads to",
     "README.md, Address translation",
     "Each entry stands in the table that the one before points to, at the index that the address states. Addresses "
     "that are translated by such a walk are doubtful."},
    {"STF079", warning, harmless, "an encoding is no instruction", "README.md, Meaning",
     "It is reserved, and no event says that it was refused: an extension that is not known here, or damaged bytes."},
    {"STF080", warning, harmless, "a load has no memory access that reads", "README.md, Meaning",
     "Consumers that replay memory miss it. A trace may leave all accesses out; one that leaves out some is doubtful."},
    {"STF081", warning, harmless, "a store has no memory access that writes", "README.md, Meaning",
     "Consumers that replay memory miss it. A trace may leave all accesses out; one that leaves out some is doubtful."},
    {"STF082", warning, harmless, "a memory access is none that its instruction makes", "README.md, Meaning",
     "The instruction neither reads nor writes memory, or does the other. Some versions of Dromajo attach an access to "
     "every instruction; such accesses have to be left out."},
    {"STF083", warning, harmless, "a memory access has another size than its instruction", "README.md, Meaning",
     "The encoding says how much is read or written. Trust the encoding."},
    {"STF084", note, harmless, "sizes of memory accesses are in bits", "README.md, Meaning",
     "The text means bytes; Dromajo writes bits. Consumers that do not know it see accesses eight times as large."},
    {"STF085", warning, harmless, "a memory access is at address 0", "README.md, Meaning",
     "Nothing is mapped there as a rule: a null pointer, or an address that the generator did not know."},
    {"STF086", error, harmless, "a memory or bus access has no content", "spec/stf.txt, STF_INST_MEM_CONTENT",
     "At least one content record directly follows each access; the reference writer refuses anything else."},
    {"STF087", warning, harmless, "a record stands out of order in its group", "README.md, Order of records",
     "The records of an instruction stand in a fixed order, which the reference writer enforces; consumers that rely "
     "on it take the record for another instruction's, or refuse it."},
    {"STF088", error, harmless, "an unconditional jump has no target", "README.md, Meaning",
     "The next instruction's pc is then the one behind the jump, where it did not go. Write INST_PC_TARGET. The last "
     "instruction may lack it, and so may one whose successor has a FORCE_PC or belongs to another process."},
    {"STF089", error, harmless, "an instruction that cannot branch has a target", "README.md, Meaning",
     "The pc goes elsewhere without a reason: no jump, no return from a trap, no event. Gaps are written as FORCE_PC."},
    {"STF090", error, harmless, "a target is not where the branch goes", "README.md, Meaning",
     "A direct branch goes to its pc plus the offset that it encodes. The target, the encoding or the pc is wrong."},
    {"STF091", error, harmless, "user mode is entered without a return from a trap", "README.md, Meaning",
     "Only sret, mret and their like lower the privilege. The first instruction of a trace, or of another process, is "
     "excused."},
    {"STF092", note, harmless, "an event has no fields", "README.md, Meaning",
     "The text names fields for every event: the pc, the encoding, the address, the cause. They help to understand "
     "it."},
    {"STF093", warning, harmless, "x0 has a value other than 0", "README.md, Meaning",
     "It is 0 always. The register's number or its value is wrong."},
    {"STF094", warning, harmless, "the header holds what its version does not have", "README.md, Versions",
     "Readers of that version stop at records, or misread events, that came later. State the version that has them."},
    {"STF095", note, harmless, "the trace holds what its features do not tell", "README.md, Meaning",
     "Consumers look at the features to see whether a trace serves them, and pass it over."},
    {"STF096", warning, harmless, "a return from a trap has no target", "README.md, Meaning",
     "The next instruction's pc is then the one behind it, where a return rarely goes. Write INST_PC_TARGET, though it "
     "be that pc."},
    {"STF097", warning, harmless, "a system call or breakpoint goes elsewhere without an event", "README.md, Meaning",
     "It traps, and the target is probably the handler. Write an EVENT with its cause, and EVENT_PC_TARGET."},
    {"STF098", note, harmless, "the instructions are of another ISA than RISC-V", "README.md, Meaning",
     "Their encodings are not understood: accesses, targets and modes are not compared with what they do."},
    {"STF099", warning, harmless, "the feature TRANSACTIONS and what the trace holds disagree",
     "README.md, Transactions",
     "The bit 0x100000 tells that a trace is one of transactions. Consumers that look at the features first take it "
     "for "
     "the other kind."},

    // --- transactions ---
    {"STF110", error, harmless, "a record of instruction traces stands in a transaction trace",
     "README.md, Transactions",
     "A trace has instructions or transactions, as its header says; the reference reader stops here. The record is "
     "kept "
     "as it is."},
    {"STF111", error, damaged, "the protocol of the transactions is unknown", "README.md, Transactions",
     "What a TRANSACTION holds, and so its size, follows from PROTOCOL_ID in the header; nothing behind it can be "
     "found. Defined is 1, TileLink."},
    {"STF112", error, damaged, "the TileLink channel is undefined", "README.md, Transactions",
     "The message's size follows from its channel, 1 (A) to 5 (E); nothing behind it can be found."},
    {"STF113", error, damaged, "a transaction's metadata has an undefined type", "README.md, Transactions",
     "The element's size follows from its type, 0 (u8) to 3 (u64); nothing behind it can be found."},
    {"STF114", error, harmless, "a clock's id is 0 or stands twice", "README.md, Transactions",
     "Transactions name their clock by its id, of which 0 is invalid. The first one of an id counts."},
    {"STF115", error, harmless, "a transaction names a clock that the header does not have", "README.md, Transactions",
     "Write a CLOCK_ID with that id. The transaction is kept as it is, a dependency with its number."},
    {"STF116", warning, incomplete, "the last dependencies have no transaction", "README.md, Transactions",
     "Dependencies belong to the TRANSACTION behind them, which is missing: the trace was cut between records. They "
     "are "
     "kept as raw records."},
    {"STF117", warning, harmless, "a transaction depends on itself or on a later one", "README.md, Transactions",
     "TRANSACTION_DEPENDENCY names an earlier transaction by its id."},
    {"STF118", warning, harmless, "the transaction ids do not ascend", "README.md, Transactions",
     "The reference writer counts them from 1; with an id that stands twice, dependencies are ambiguous."},
    {"STF119", warning, harmless, "a transaction lies beyond cycle 2^63 - 1", "README.md, Transactions",
     "The sum of all cycle deltas is too large to be a time; the transaction is shown at the last one there is."},
    {"STF120", note, harmless, "a transaction depends on one that the trace does not have", "README.md, Transactions",
     "No transaction before it has that id. A part of a trace is like that where the other one was left out."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}
}  // namespace hwtrace::stf

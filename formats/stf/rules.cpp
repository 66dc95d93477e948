#include "rules.hpp"

#include <array>

namespace hwtrace::stf {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    // --- header ---
    {"STF001", error, damaged, "the stream does not begin with the STF identifier", "spec/stf.txt, STF_IDENTIFIER",
     "Readers recognise a trace by 01 'S' 'T' 'F'. The file is something else, or its beginning is lost. Leave --from "
     "stf out where it is something else; otherwise fetch the file again."},
    {"STF002", error, harmless, "VERSION is not the second record", "spec/stf.txt, STF_VERSION",
     "The reference reader stops here. Write VERSION directly behind the identifier. hwtrace-recover cannot put it "
     "there, but hwtrace-convert to another format reads all of the trace."},
    {"STF003", error, damaged, "the version is not supported", "Versions",
     "Before 1.2 the descriptors had other numbers, and no major version but 1 exists: the records cannot be told "
     "apart. Convert it with the tools of its time, or make it again by a generator that writes 1.2 or later."},
    {"STF004", warning, harmless, "the version is newer than this reader", "Versions",
     "A later minor version may define records that end the scan as undefined descriptors. Nothing is wrong while no "
     "such record comes; where one does (STF021), a newer hwtrace or a generator that writes 1.6 is needed."},
    {"STF005", error, harmless, "a mandatory header record is missing", "Header",
     "The reference reader needs ISA, INST_IEM, TRACE_INFO, TRACE_INFO_FEATURE and FORCE_PC before END_HEADER. Let the "
     "generator write them; a conversion writes an ISA that is missing as RISC-V."},
    {"STF006", error, harmless, "a header record stands twice", "Header",
     "Only COMMENT and TRACE_INFO may repeat; the reference reader stops at the second one. Keep one of them."},
    {"STF007", error, harmless, "a body record stands before END_HEADER", "spec/stf.txt, STF_END_HEADER",
     "Readers take everything up to END_HEADER for the header. Write END_HEADER before the first body record."},
    {"STF008", error, incomplete, "the trace ends inside its header", "spec/stf.txt, STF_END_HEADER",
     "The writer was stopped or the file was cut; there are no instructions to read. Make the trace again."},
    {"STF009", error, harmless, "VLEN_CONFIG is not a usable vector length", "Registers",
     "A vector register has at least 64 bits; with 0 its records have no size. Write the real length in bits."},
    {"STF010", warning, harmless, "the ISA or the encoding mode is not a defined code", "spec/stf.txt, STF_ISA",
     "Consumers cannot choose a decoder. Defined are ISA 1-4 and, for RISC-V, mode 1 (RV32) and 2 (RV64). State what "
     "the instructions are of."},
    {"STF011", note, harmless, "the trace generator has no known name", "Codes",
     "It may be a newer tool than this list, or 0, which the reference checker refuses. Its records are read all the "
     "same; where it is a generator of your own, use --rule STF011=off."},

    // --- framing ---
    {"STF020", error, incomplete, "the trace ends inside a record", "spec/stf.txt, Record Format",
     "The file was cut. Every whole record before it is delivered; make the trace again for the rest. hwtrace-recover "
     "makes a sound trace of the whole ones."},
    {"STF021", error, damaged, "the descriptor is undefined", "spec/stf.txt, Specification of Records",
     "Records carry no length, so nothing behind an unknown one can be found. The bytes are damaged, or of a newer "
     "version. Look at what stands before the byte that is told: a record whose size the writer got wrong looks like "
     "this. hwtrace-recover keeps what is before it."},
    {"STF022", error, damaged, "the descriptor is 0", "spec/stf.txt, STF_RESERVED",
     "0 is reserved for error detection: a run of zero bytes, such as a hole in a file, looks like this. Copy the file "
     "again; hwtrace-recover keeps what is before it."},
    {"STF023", note, harmless, "the trace ends with descriptor 255", "spec/stf.txt, STF_RESERVE_END",
     "The text asks for it, but no known writer adds it and the reference reader fails on it. Leave it out."},
    {"STF024", error, damaged, "a vector register stands without a usable VLEN_CONFIG", "Registers",
     "The record's size follows from VLEN_CONFIG; nothing behind it can be found. Write VLEN_CONFIG in the header. "
     "hwtrace-recover keeps what is before it."},
    {"STF025", error, damaged, "a transaction record stands in an instruction trace", "Records",
     "A trace has instructions or transactions, as its header says. The bytes before it are probably damaged. Make or "
     "copy the trace again; hwtrace-recover keeps what is before them."},
    {"STF026", warning, incomplete, "the last instruction's records have no instruction",
     "spec/stf.txt, STF File Anatomy",
     "Registers, memory accesses and targets belong to the opcode behind them, which is missing: the trace was cut "
     "between records. They are kept as raw records. hwtrace-recover leaves them out."},

    // --- body ---
    {"STF030", error, harmless, "a header record stands in the body", "spec/stf.txt, STF File Anatomy",
     "There is one header, at the start. The reference reader stops here; the record is kept as it is. Write it before "
     "END_HEADER; hwtrace-recover leaves it out."},
    {"STF031", error, harmless, "memory content stands without an access", "spec/stf.txt, STF_INST_MEM_CONTENT",
     "INST_MEM_CONTENT directly follows its INST_MEM_ACCESS or another content of it; else its address is unknown. Put "
     "it behind its access; hwtrace-recover leaves it out."},
    {"STF032", error, harmless, "an event's target stands without an event", "spec/stf.txt, STF_EVENT_PC_TARGET",
     "EVENT_PC_TARGET follows the EVENT of the same instruction. The pc still follows it. Write the EVENT first; "
     "hwtrace-recover leaves the target out."},
    {"STF033", error, harmless, "the memory access type is undefined", "spec/stf.txt, STF_INST_MEM_ACCESS",
     "Defined are 1 (read) and 2 (write). Consumers that replay memory cannot use the access: mend the generator. "
     "hwtrace-recover leaves it out."},
    {"STF034", error, harmless, "the register type or operand is undefined", "spec/stf.txt, STF_INST_REG",
     "Types are 1-4 and operands 1-3; the reference tools crash on others. The record is kept as it is. Mend the "
     "generator; hwtrace-recover leaves the record out."},
    {"STF035", error, harmless, "the register number is out of range", "Registers",
     "x, f and v registers have numbers 0-31 (integer 32 is the pc), CSRs 12 bits. The record is kept as it is. Mend "
     "the generator; hwtrace-recover leaves the record out."},
    {"STF036", warning, harmless, "an instruction has a second target", "spec/stf.txt, STF_INST_PC_TARGET",
     "The last one counts for the pc; the others say nothing. Each is kept. Write the one where the program goes on."},
    {"STF037", error, harmless, "bus content stands without an access", "spec/stf.txt, STF_BUS_MASTER_CONTENT",
     "BUS_MASTER_CONTENT directly follows its BUS_MASTER_ACCESS or another content of it. Put it behind its access; "
     "hwtrace-recover leaves it out."},
    {"STF038", warning, harmless, "a bus access has an undefined code", "Codes",
     "Masters are 1-6 in real files and 0-6 in the text; access types are 1 (read) and 2 (write). It is kept with its "
     "number; write one of these where consumers shall know what it is."},
    {"STF039", warning, harmless, "the event id has no defined meaning", "Codes",
     "Ids are RISC-V causes: faults 0-63, interrupts, and the special MODE_CHANGE. The reference tools stop when they "
     "print it. Use the id of the cause that the hart reports (mcause, scause)."},
    {"STF040", error, harmless, "MODE_CHANGE does not say a mode", "spec/stf.txt, STF_EVENT_MODE_CHANGE",
     "Field 0 is the new mode, 0-3; the reference tools crash without it. hwtrace-recover leaves the event out: modes "
     "behind it are then those before."},
    {"STF041", warning, harmless, "the micro-op is neither 2 nor 4 bytes", "spec/stf.txt, STF_INST_MICROOP",
     "Consumers decode 16- and 32-bit micro-ops only. Let the generator state such ones only."},

    // --- containers ---
    {"STF050", error, incomplete, "the ZSTF header is cut", "Container",
     "A ZSTF file begins with 20 bytes: the magic, the chunk size and the place of the index. Nothing of the trace is "
     "there: copy the file again."},
    {"STF051", error, harmless, "the ZSTF header says chunks of 0 instructions", "Container",
     "The reference reader divides by it. Rewrite the file with a real chunk size. hwtrace-convert does "
     "(--stf-chunk)."},
    {"STF052", error, incomplete, "the ZSTF file was never finished: it has no chunk index", "Container",
     "The writer was stopped before it closed the file. Every chunk that can be decompressed is delivered. "
     "hwtrace-recover makes a whole file of them."},
    {"STF053", error, harmless, "the chunk index is not where the header says", "Container",
     "The index stands directly behind the last chunk. A writer killed while it overwrote the index leaves this; "
     "chunks are found without it. Converting the file writes the index where it belongs."},
    {"STF054", error, incomplete, "the chunk index is cut", "Container",
     "The file lost its end, but all chunks are there. Rewrite it to make the index again."},
    {"STF055", error, harmless, "the chunk index has another number of chunks than the file", "Container",
     "The reference reader stops after as many chunks as the index says, or reads past them. Converting the file makes "
     "a true index."},
    {"STF056", error, harmless, "the chunk index has a wrong offset", "Container",
     "Seeking ends in the wrong place, and the reference reader hands the wrong bytes to zstd. Converting the file "
     "makes a true index."},
    {"STF057", error, harmless, "the chunk index has a wrong uncompressed size", "Container",
     "The reference reader loses records without a word where it is too small and stops where it is too large. "
     "Converting the file makes a true index."},
    {"STF058", error, harmless, "the chunk index has a wrong start pc", "Container",
     "A reader that seeks to the chunk shows every instruction at the wrong pc. Converting the file makes a true "
     "index."},
    {"STF059", error, harmless, "a chunk holds another number of instructions than the header says", "Container",
     "The reference reader changes chunks by counting: it drops the surplus, or reads past a short chunk. Converting "
     "the file makes chunks of the size that it states (--stf-chunk)."},
    {"STF060", error, harmless, "a chunk does not end behind an instruction", "Container",
     "Only the last chunk may; the reference reader changes chunks behind an instruction and loses the rest. "
     "Converting the file makes chunks as they must be."},
    {"STF061", error, damaged, "the compressed data is damaged", "Container",
     "zstd refuses the frame, or other bytes stand where one begins. The records before the damage are delivered. Copy "
     "the file again. hwtrace-recover makes a sound trace of what is left, of a .zstf also of the chunks behind the "
     "damage (STF068)."},
    {"STF062", error, incomplete, "the compressed data is cut", "Container",
     "The file ends inside a zstd frame. The records that were decompressed are delivered. Copy the file again, or let "
     "its writer end; hwtrace-recover makes a sound trace of these."},
    {"STF063", warning, harmless, "bytes stand behind the end", "Container",
     "No structure claims them: something was appended. They are ignored. Converting the file leaves them out."},
    {"STF064", error, damaged, "the gzip data is damaged", "Container",
     "zlib refuses the data or its checksum is wrong. The records before the damage are delivered. Copy the file "
     "again; hwtrace-recover makes a sound trace of these."},
    {"STF065", error, incomplete, "the gzip data is cut", "Container",
     "The file ends inside the gzip stream. The records that were decompressed are delivered. Copy the file again, or "
     "let its writer end; hwtrace-recover makes a sound trace of these."},
    {"STF066", error, damaged, "the xz data is damaged", "Container",
     "liblzma refuses the data or its checksum is wrong. The records before the damage are delivered. Copy the file "
     "again; hwtrace-recover makes a sound trace of these."},
    {"STF067", error, incomplete, "the xz data is cut", "Container",
     "The file ends inside the xz stream. The records that were decompressed are delivered. Copy the file again, or "
     "let its writer end; hwtrace-recover makes a sound trace of these."},
    {"STF068", error, damaged, "instructions or transactions of a damaged chunk are lost", "Container",
     "The chunk index tells where the next chunk is, and its pc: reading goes on there. Numbers behind the damage are "
     "those of the whole trace; times of transactions lack the cycles that are lost. Copy the file again; where there "
     "is no other copy, hwtrace-recover makes a sound trace without them."},
    {"STF069", warning, damaged, "a chunk behind damage was found without an index; its number is a guess", "Container",
     "Reading goes on with the next zstd frame that can be read. Which chunk it is nobody knows: numbers behind it are "
     "those that follow if one chunk was lost. Instructions up to the first pc that a record states are left out. Copy "
     "the file again; do not rely on numbers of instructions behind the damage."},

    // --- meaning ---
    {"STF070", error, harmless, "an instruction's pc is odd", "Meaning",
     "Instructions begin at even addresses. FORCE_PC or a target states a wrong one, or the bytes are damaged. Look at "
     "the record before it that states a pc."},
    {"STF071", error, harmless, "the feature RV64 and the encoding mode disagree", "Meaning",
     "The feature bit 0x20 says what INST_IEM says: set for RV64, clear for RV32. Consumers choose by either. Let the "
     "generator set the bit by the mode that it writes."},
    {"STF072", error, harmless, "the feature PTE and the page table walks disagree", "Meaning",
     "Consumers that translate addresses look at the feature bits 0x100, 0x800 and 0x20000 first: without them they "
     "ignore walks, with them they wait for walks in vain. Let the generator set them where it writes walks, and "
     "nowhere else."},
    {"STF073", warning, harmless, "the feature PHYSICAL_ADDRESS and what can be translated disagree", "Meaning",
     "Physical addresses follow from page table walks alone. Many generators set bit 0x1 whatever they write; nothing "
     "is wrong where nobody needs physical addresses. Where somebody does, let the generator set it with such walks "
     "alone."},
    {"STF074", warning, harmless, "a memory access is translated to physical address 0", "Meaning",
     "There is rarely memory, and no load or store fault says that the access failed. The page table entry is probably "
     "empty or read too late. Let the generator read the entry when the walk is made."},
    {"STF075", warning, harmless, "a page table walk leads to a page that cannot be", "Address translation",
     "The low bits of the physical address would differ from those of the virtual one. The size of the page belongs to "
     "the scheme that SATP names, and a page begins at a multiple of its size. Compare the mode in SATP (CSR 0x180) "
     "with the number of entries of the walk."},
    {"STF076", warning, harmless, "an instruction is translated to physical address 0", "Meaning",
     "There is rarely memory, and no fetch fault says that it could not be read. The page table entry is probably "
     "empty or read too late, or the fault's EVENT is missing: write it."},
    {"STF077", warning, harmless, "a page table walk stands before any value of SATP", "Address translation",
     "SATP (CSR 0x180) says where the page table is; the reference tools abort here. Write its value as a state "
     "register before the first walk. Until then nothing is translated."},
    {"STF078", warning, harmless, "a page table walk has other entries than its address leads to",
     "Address translation",
     "Each entry stands in the table that the one before points to, at the index that the address states. Addresses "
     "that are translated by such a walk are doubtful. Let the generator write the entries of one walk together, from "
     "the root, as they were when it was made."},
    {"STF079", warning, harmless, "an encoding is no instruction", "Meaning",
     "It is reserved, and no event says that it was refused: an extension that is not known here, or damaged bytes. "
     "Where it trapped, write the EVENT; where it is an instruction of your own, use --rule STF079=off."},
    {"STF080", warning, harmless, "a load has no memory access that reads", "Meaning",
     "Consumers that replay memory miss it. A trace may leave all accesses out; one that leaves out some is doubtful. "
     "Let the generator write all accesses, or none."},
    {"STF081", warning, harmless, "a store has no memory access that writes", "Meaning",
     "Consumers that replay memory miss it. A trace may leave all accesses out; one that leaves out some is doubtful. "
     "Let the generator write all accesses, or none."},
    {"STF082", warning, harmless, "a memory access is none that its instruction makes", "Meaning",
     "The instruction neither reads nor writes memory, or does the other. Some versions of Dromajo attach an access to "
     "every instruction; such accesses have to be left out."},
    {"STF083", warning, harmless, "a memory access has another size than its instruction", "Meaning",
     "The encoding says how much is read or written. Trust the encoding. Let the generator take the size from it."},
    {"STF084", note, harmless, "sizes of memory accesses are in bits", "Meaning",
     "The text means bytes; Dromajo writes bits. Consumers that do not know it see accesses eight times as large. "
     "Divide by 8 where the generator writes them."},
    {"STF085", warning, harmless, "a memory access is at address 0", "Meaning",
     "Nothing is mapped there as a rule: a null pointer, or an address that the generator did not know. Look at the "
     "address register; where memory begins at 0, use --rule STF085=off."},
    {"STF086", error, harmless, "a memory or bus access has no content", "spec/stf.txt, STF_INST_MEM_CONTENT",
     "At least one content record directly follows each access; the reference writer refuses anything else. Write what "
     "was read or written there."},
    {"STF087", warning, harmless, "a record stands out of order in its group", "Order of records",
     "The records of an instruction stand in a fixed order, which the reference writer enforces; consumers that rely "
     "on it take the record for another instruction's, or refuse it. README.md tells the order; mend the generator."},
    {"STF088", error, harmless, "an unconditional jump has no target", "Meaning",
     "The next instruction's pc is then the one behind the jump, where it did not go. Write INST_PC_TARGET. The last "
     "instruction may lack it, and so may one whose successor has a FORCE_PC or belongs to another process."},
    {"STF089", error, harmless, "an instruction that cannot branch has a target", "Meaning",
     "The pc goes elsewhere without a reason: no jump, no return from a trap, no event. Gaps are written as FORCE_PC."},
    {"STF090", error, harmless, "a target is not where the branch goes", "Meaning",
     "A direct branch goes to its pc plus the offset that it encodes. The target, the encoding or the pc is wrong. "
     "Compare the three at the instruction that is told: disassembly shows where it goes (hwtrace-dump)."},
    {"STF091", error, harmless, "user mode is entered without a return from a trap", "Meaning",
     "Only sret, mret and their like lower the privilege. The first instruction of a trace, or of another process, is "
     "excused. Look for the sret or mret that is missing in front of it, or for a MODE_CHANGE that comes too early."},
    {"STF092", note, harmless, "an event has no fields", "Meaning",
     "The text names fields for every event: the pc, the encoding, the address, the cause. They help to understand it. "
     "Write those that the text names for this event."},
    {"STF093", warning, harmless, "x0 has a value other than 0", "Meaning",
     "It is 0 always. The register's number or its value is wrong. Let the generator leave writes to x0 out."},
    {"STF094", warning, harmless, "the header holds what its version does not have", "Versions",
     "Readers of that version stop at records, or misread events, that came later. State the version that has them."},
    {"STF095", note, harmless, "the trace holds what its features do not tell", "Meaning",
     "Consumers look at the features to see whether a trace serves them, and pass it over. Let the generator set the "
     "bit that is told."},
    {"STF096", warning, harmless, "a return from a trap has no target", "Meaning",
     "The next instruction's pc is then the one behind it, where a return rarely goes. Write INST_PC_TARGET, though it "
     "be that pc."},
    {"STF097", warning, harmless, "a system call or breakpoint goes elsewhere without an event", "Meaning",
     "It traps, and the target is probably the handler. Write an EVENT with its cause, and EVENT_PC_TARGET."},
    {"STF098", note, harmless, "the instructions are of another ISA than RISC-V", "Meaning",
     "Their encodings are not understood: accesses, targets and modes are not compared with what they do. Where they "
     "are RISC-V, state ISA 1 in the header."},
    {"STF099", warning, harmless, "the feature TRANSACTIONS and what the trace holds disagree", "Transactions",
     "The bit 0x100000 tells that a trace is one of transactions. Consumers that look at the features first take it "
     "for the other kind. Let the generator set it for transactions, and for nothing else."},

    // --- transactions ---
    {"STF110", error, harmless, "a record of instruction traces stands in a transaction trace", "Transactions",
     "A trace has instructions or transactions, as its header says; the reference reader stops here. The record is "
     "kept as it is. Write two traces; hwtrace-recover leaves the record out."},
    {"STF111", error, damaged, "the protocol of the transactions is unknown", "Transactions",
     "What a TRANSACTION holds, and so its size, follows from PROTOCOL_ID in the header; nothing behind it can be "
     "found. Defined is 1, TileLink. Let the generator write TileLink, or ask for a newer hwtrace where a newer text "
     "defines the protocol."},
    {"STF112", error, damaged, "the TileLink channel is undefined", "Transactions",
     "The message's size follows from its channel, 1 (A) to 5 (E); nothing behind it can be found. Look at the record "
     "that is told: where the bytes are not damaged, the generator mistakes the channel. hwtrace-recover keeps what is "
     "before it."},
    {"STF113", error, damaged, "a transaction's metadata has an undefined type", "Transactions",
     "The element's size follows from its type, 0 (u8) to 3 (u64); nothing behind it can be found. Look at the record "
     "that is told: where the bytes are not damaged, the generator mistakes the type. hwtrace-recover keeps what is "
     "before it."},
    {"STF114", error, harmless, "a clock's id is 0 or stands twice", "Transactions",
     "Transactions name their clock by its id, of which 0 is invalid. The first one of an id counts. Give each clock "
     "an id of its own, from 1: hwtrace-recover cannot, because transactions name them."},
    {"STF115", error, harmless, "a transaction names a clock that the header does not have", "Transactions",
     "Write a CLOCK_ID with that id. The transaction is kept as it is, a dependency with its number. hwtrace-recover "
     "leaves it out."},
    {"STF116", warning, incomplete, "the last dependencies have no transaction", "Transactions",
     "Dependencies belong to the TRANSACTION behind them, which is missing: the trace was cut between records. They "
     "are kept as raw records. hwtrace-recover leaves them out."},
    {"STF117", warning, harmless, "a transaction depends on itself or on a later one", "Transactions",
     "TRANSACTION_DEPENDENCY names an earlier transaction by its id. Write the dependency behind the transaction that "
     "it is on; nothing is lost otherwise."},
    {"STF118", warning, harmless, "the transaction ids do not ascend", "Transactions",
     "The reference writer counts them from 1; with an id that stands twice, dependencies are ambiguous. Let the "
     "generator count them once for all clocks; traces that were joined have to be numbered anew."},
    {"STF119", warning, harmless, "a transaction lies beyond cycle 2^63 - 1", "Transactions",
     "The sum of all cycle deltas is too large to be a time; the transaction is shown at the last one there is. Look "
     "at the delta of the transaction that is told: a difference below 0 becomes such a number."},
    {"STF120", note, harmless, "a transaction depends on one that the trace does not have", "Transactions",
     "No transaction before it has that id. A part of a trace is like that where the other one was left out. Where the "
     "trace is whole, let the generator keep to ids that it has written."},

    {"STF121", error, incomplete, "another trace stands behind this one", "Container",
     "Two ZSTF files were joined, and only the first one is read. Cut the file at this byte, and read both pieces; "
     "hwtrace-merge makes one trace of them."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}
}  // namespace hwtrace::stf

#include "rules.hpp"

#include <array>

namespace hwtrace::stf {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    // --- header ---
    {"STF001", error, damaged, "the stream does not begin with the STF identifier", "Header",
     "Readers recognise a trace by the bytes 01 'S' 'T' 'F'. The file has another format, or its beginning is lost. "
     "Leave out --from stf if the file has another format; otherwise copy the file again.",
     "Specification of Records, STF_IDENTIFIER"},
    {"STF002", error, harmless, "VERSION is not the second record", "Header",
     "The reference reader stops here. Write VERSION directly after the identifier. hwtrace-recover cannot move it "
     "there, but hwtrace-convert to another format reads the whole trace.",
     "Specification of Records, STF_VERSION"},
    {"STF003", error, damaged, "the version is not supported", "Versions",
     "Traces before 1.2 use other descriptor numbers, and no major version except 1 exists, so records cannot be "
     "identified. Convert the trace with tools that read its version, or generate it again in version 1.2 or later.",
     "ChangeLog"},
    {"STF004", warning, harmless, "the version is newer than this reader supports", "Versions",
     "A later minor version may define records that this reader does not know. The trace is read correctly up to the "
     "first such record (STF021). If one occurs, use a newer hwtrace or a generator that writes 1.6.",
     "Specification of Records, STF_VERSION"},
    {"STF005", error, harmless, "a mandatory header record is missing", "Header",
     "The reference reader requires ISA, INST_IEM, TRACE_INFO, TRACE_INFO_FEATURE and FORCE_PC before END_HEADER. Fix "
     "the generator so that it writes them. A conversion writes RISC-V if ISA is missing.",
     "STF File Anatomy"},
    {"STF006", error, harmless, "a header record occurs twice", "Header",
     "Only COMMENT and TRACE_INFO may repeat; the reference reader stops at the second record. Keep one of them."},
    {"STF007", error, harmless, "a body record precedes END_HEADER", "Header",
     "Readers treat every record up to END_HEADER as part of the header. Write END_HEADER before the first body "
     "record.",
     "Specification of Records, STF_END_HEADER"},
    {"STF008", error, incomplete, "the trace ends inside its header", "Header",
     "The writer was stopped, or the file was cut. The trace has no instructions. Generate it again.",
     "Specification of Records, STF_END_HEADER"},
    {"STF009", error, harmless, "VLEN_CONFIG is not a usable vector length", "Registers",
     "A vector register has at least 64 bits. With length 0, its records have no size. Write the real length in bits."},
    {"STF010", warning, harmless, "the ISA or the encoding mode is not a defined code", "Codes",
     "Consumers cannot choose a decoder. Defined codes are ISA 1 to 4 and, for RISC-V, mode 1 (RV32) and 2 (RV64). "
     "Write the codes that match the instructions.",
     "Specification of Records, STF_ISA"},
    {"STF011", note, harmless, "the trace generator has no known name", "Codes",
     "The generator is newer than hwtrace's list, or its code is 0, which the reference checker rejects. The trace is "
     "read normally. For a generator of your own, use --rule STF011=off.",
     "Specification of Records, STF_TRACE_INFO"},

    // --- framing ---
    {"STF020", error, incomplete, "the trace ends inside a record", "Record framing",
     "The file was cut. Every whole record before the cut is delivered. Generate the trace again to get the rest. "
     "hwtrace-recover writes a sound trace of the whole records.",
     "Record Format"},
    {"STF021", error, damaged, "the descriptor is undefined", "Record framing",
     "Records carry no length, so no record after an unknown one can be found. The bytes are damaged, or they come "
     "from a newer version. Check the record before the reported byte: a wrong record size has the same effect. "
     "hwtrace-recover keeps the records before it.",
     "Specification of Records"},
    {"STF022", error, damaged, "the descriptor is 0", "Record framing",
     "0 is reserved for error detection. A run of zero bytes, such as a hole in a file, looks like this. Copy the file "
     "again; hwtrace-recover keeps the records before it.",
     "Specification of Records, STF_RESERVED"},
    {"STF023", note, harmless, "the trace ends with descriptor 255", "Record framing",
     "The format text requires this record, but no known writer adds it and the reference reader fails on it. Leave it "
     "out.",
     "Specification of Records, STF_RESERVE_END"},
    {"STF024", error, damaged, "a vector register has no usable VLEN_CONFIG", "Registers",
     "The record's size follows from VLEN_CONFIG, so no later record can be found. Write VLEN_CONFIG in the header. "
     "hwtrace-recover keeps the records before it.",
     "Specification of Records, STF_INST_REG"},
    {"STF025", error, damaged, "a transaction record in an instruction trace", "Transactions",
     "A trace holds instructions or transactions, and its header states which. The bytes before the record are "
     "probably damaged. Generate or copy the trace again; hwtrace-recover keeps the records before them."},
    {"STF026", warning, incomplete, "the last records belong to no instruction", "Record groups",
     "Registers, memory accesses and targets belong to the opcode after them, which is missing. The trace was cut "
     "between records. These records are kept as raw records; hwtrace-recover leaves them out.",
     "STF File Anatomy"},

    // --- body ---
    {"STF030", error, harmless, "a header record in the body", "Header",
     "A trace has one header, at the start. The reference reader stops here; hwtrace keeps the record unchanged. Write "
     "it before END_HEADER; hwtrace-recover leaves it out.",
     "STF File Anatomy"},
    {"STF031", error, harmless, "memory content without an access", "Memory accesses",
     "INST_MEM_CONTENT directly follows its INST_MEM_ACCESS or another content of that access. Otherwise its address "
     "is unknown. Write it after its access; hwtrace-recover leaves it out.",
     "Specification of Records, STF_INST_MEM_CONTENT"},
    {"STF032", error, harmless, "an event target without an event", "Events",
     "EVENT_PC_TARGET follows the EVENT of the same instruction. hwtrace still applies the target to the pc. Write the "
     "EVENT first; hwtrace-recover leaves the target out.",
     "Specification of Records, STF_EVENT_PC_TARGET"},
    {"STF033", error, harmless, "the memory access type is undefined", "Memory accesses",
     "Defined types are 1 (read) and 2 (write). Consumers that replay memory cannot use the access. Fix the generator; "
     "hwtrace-recover leaves the access out.",
     "Specification of Records, STF_INST_MEM_ACCESS"},
    {"STF034", error, harmless, "the register type or operand is undefined", "Registers",
     "Only the types 1 to 4 and the operands 1 to 3 are defined; the reference tools crash on others. hwtrace keeps "
     "the record unchanged. Fix the generator; hwtrace-recover leaves the record out.",
     "Specification of Records, STF_INST_REG"},
    {"STF035", error, harmless, "the register number is out of range", "Registers",
     "x, f and v registers have the numbers 0 to 31 (integer 32 is the pc); CSR numbers have 12 bits. hwtrace keeps "
     "the record unchanged. Fix the generator; hwtrace-recover leaves the record out."},
    {"STF036", warning, harmless, "an instruction has a second target", "Program counter",
     "The last target determines the pc; the others have no effect. hwtrace keeps all of them. Write only the address "
     "where the program continues.",
     "Specification of Records, STF_INST_PC_TARGET"},
    {"STF037", error, harmless, "bus content without an access", "Bus accesses",
     "BUS_MASTER_CONTENT directly follows its BUS_MASTER_ACCESS or another content of that access. Write it after its "
     "access; hwtrace-recover leaves it out.",
     "Specification of Records, STF_BUS_MASTER_CONTENT"},
    {"STF038", warning, harmless, "a bus access has an undefined code", "Bus accesses",
     "Masters are 1 to 6 in real files and 0 to 6 in the format text; access types are 1 (read) and 2 (write). hwtrace "
     "keeps the code unchanged. Write a defined code so that consumers can name the master.",
     "Specification of Records, STF_BUS_MASTER_ACCESS"},
    {"STF039", warning, harmless, "the event id has no defined meaning", "Events",
     "Ids are RISC-V causes: faults 0 to 63, interrupts, and the special id MODE_CHANGE. The reference tools abort on "
     "other ids. Write the cause that the hart reports (mcause, scause).",
     "STF Exception Event and Event Meta-Data"},
    {"STF040", error, harmless, "MODE_CHANGE states no mode", "Events",
     "Field 0 is the new mode, 0 to 3; the reference tools crash without it. hwtrace-recover leaves the event out, so "
     "that the previous mode continues.",
     "STF Exception Event and Event Meta-Data"},
    {"STF041", warning, harmless, "the micro-op is neither 2 nor 4 bytes", "Micro-operations",
     "Consumers decode 16-bit and 32-bit micro-ops only. Fix the generator so that it writes these sizes.",
     "Specification of Records, STF_INST_MICROOP"},

    // --- containers ---
    {"STF050", error, incomplete, "the ZSTF header is cut", "ZSTF container",
     "A ZSTF file begins with 20 bytes: the magic, the chunk size and the offset of the index. The file contains "
     "nothing of the trace. Copy it again."},
    {"STF051", error, harmless, "the ZSTF header states chunks of 0 instructions", "ZSTF container",
     "The reference reader divides by this number. Write the file again with a real chunk size: hwtrace-convert does "
     "so (--stf-chunk)."},
    {"STF052", error, incomplete, "the ZSTF file was never finished: it has no chunk index", "Chunk index",
     "The writer was stopped before it closed the file. Every chunk that can be decompressed is delivered. "
     "hwtrace-recover writes these chunks to a complete file."},
    {"STF053", error, harmless, "the chunk index is not at the offset in the header", "Chunk index",
     "The index directly follows the last chunk. A writer that is killed while it overwrites the index leaves such a "
     "file. hwtrace finds the chunks without the index. Convert the file to write the index in the right place."},
    {"STF054", error, incomplete, "the chunk index is cut", "Chunk index",
     "The end of the file is missing, but all chunks are there. Convert the file to write the index again."},
    {"STF055", error, harmless, "the chunk index and the file have different numbers of chunks", "Chunk index",
     "The reference reader stops after the number of chunks that the index states, or reads past the last chunk. "
     "Convert the file to write a correct index."},
    {"STF056", error, harmless, "the chunk index has a wrong offset", "Chunk index",
     "A seek ends in the wrong place, and the reference reader passes the wrong bytes to zstd. Convert the file to "
     "write a correct index."},
    {"STF057", error, harmless, "the chunk index has a wrong uncompressed size", "Chunk index",
     "If the size is too small, the reference reader loses records silently; if it is too large, the reader stops. "
     "Convert the file to write a correct index."},
    {"STF058", error, harmless, "the chunk index has a wrong start pc", "Chunk index",
     "A reader that seeks to the chunk shows every instruction at the wrong pc. Convert the file to write a correct "
     "index."},
    {"STF059", error, harmless, "a chunk and the header disagree about the number of instructions", "ZSTF container",
     "The reference reader counts instructions to find the next chunk. It drops the surplus of a long chunk and reads "
     "past a short one. Convert the file to write chunks of the stated size (--stf-chunk)."},
    {"STF060", error, harmless, "a chunk does not end after an instruction", "ZSTF container",
     "Only the last chunk may end elsewhere. The reference reader moves to the next chunk after an instruction and "
     "loses the rest of this one. Convert the file to write correct chunks."},
    {"STF061", error, damaged, "the compressed data is damaged", "Compression",
     "zstd rejects the frame, or the bytes are not a frame. The records before the damage are delivered. Copy the file "
     "again. hwtrace-recover writes a sound trace of the rest; for ZSTF it includes the chunks after the damage "
     "(STF068)."},
    {"STF062", error, incomplete, "the compressed data is cut", "Compression",
     "The file ends inside a zstd frame. The records that could be decompressed are delivered. Copy the file again, or "
     "wait until its writer ends; hwtrace-recover writes a sound trace of these records."},
    {"STF063", warning, harmless, "bytes follow the end", "Compression",
     "These bytes are not part of the trace: something was appended. hwtrace ignores them. Convert the file to leave "
     "them out."},
    {"STF064", error, damaged, "the gzip data is damaged", "Compression",
     "zlib rejects the data, or its checksum is wrong. The records before the damage are delivered. Copy the file "
     "again; hwtrace-recover writes a sound trace of these records."},
    {"STF065", error, incomplete, "the gzip data is cut", "Compression",
     "The file ends inside the gzip stream. The records that could be decompressed are delivered. Copy the file again, "
     "or wait until its writer ends; hwtrace-recover writes a sound trace of these records."},
    {"STF066", error, damaged, "the xz data is damaged", "Compression",
     "liblzma rejects the data, or its checksum is wrong. The records before the damage are delivered. Copy the file "
     "again; hwtrace-recover writes a sound trace of these records."},
    {"STF067", error, incomplete, "the xz data is cut", "Compression",
     "The file ends inside the xz stream. The records that could be decompressed are delivered. Copy the file again, "
     "or wait until its writer ends; hwtrace-recover writes a sound trace of these records."},
    {"STF068", error, damaged, "instructions or transactions of a damaged chunk are lost", "Damaged chunks",
     "The chunk index states the offset and the pc of the next chunk, where reading continues. Later instructions keep "
     "their numbers, but times of transactions lack the lost cycles. Copy the file again. If no other copy exists, "
     "hwtrace-recover writes a sound trace without the lost chunk."},
    {"STF069", warning, damaged, "a chunk after damage was found without an index; its number is a guess",
     "Damaged chunks",
     "Reading continues with the next readable zstd frame. Its chunk number is unknown, so later instruction numbers "
     "assume that one chunk was lost. Instructions up to the first stated pc are left out. Copy the file again; do not "
     "rely on instruction numbers after the damage."},

    // --- meaning ---
    {"STF070", error, harmless, "an instruction's pc is odd", "Program counter",
     "Instructions begin at even addresses. A FORCE_PC or a target states a wrong address, or the bytes are damaged. "
     "Check the last record before it that states a pc."},
    {"STF071", error, harmless, "the feature RV64 and the encoding mode disagree", "Feature bits",
     "The feature bit 0x20 must match INST_IEM: set for RV64, clear for RV32. Consumers use one or the other to choose "
     "a decoder. Fix the generator so that the bit matches the mode.",
     "Specification of Records, STF_TRACE_INFO_FEATURE"},
    {"STF072", error, harmless, "the feature PTE and the page table walks disagree", "Feature bits",
     "Consumers that translate addresses first check the feature bits 0x100, 0x800 and 0x20000. If none is set, they "
     "ignore walks; if one is set, they rely on walks. Fix the generator so that it sets a bit exactly if it writes "
     "walks.",
     "Specification of Records, STF_PAGE_TABLE_WALK"},
    {"STF073", warning, harmless, "the feature PHYSICAL_ADDRESS and the possible translations disagree", "Feature bits",
     "Physical addresses follow only from page table walks. Many generators always set bit 0x1, which is harmless if "
     "nobody needs physical addresses. Otherwise, fix the generator so that it sets the bit only with such walks."},
    {"STF074", warning, harmless, "a memory access is translated to physical address 0", "Address translation",
     "Memory rarely exists there, and no load or store fault reports a failed access. The page table entry is probably "
     "empty or was read too late. Fix the generator so that it reads the entry when the walk happens."},
    {"STF075", warning, harmless, "a page table walk leads to an impossible page", "Page table walks",
     "The page size must belong to the scheme that SATP names, and a page begins at a multiple of its size. Otherwise "
     "the low bits of the physical and the virtual address differ. Compare the mode in SATP (CSR 0x180) with the "
     "number of entries of the walk.",
     "Specification of Records, STF_PAGE_TABLE_WALK"},
    {"STF076", warning, harmless, "an instruction is translated to physical address 0", "Address translation",
     "Memory rarely exists there, and no fetch fault reports a failed fetch. The page table entry is probably empty or "
     "was read too late, or the EVENT of the fault is missing. Write the EVENT if the fetch failed."},
    {"STF077", warning, harmless, "a page table walk precedes any value of SATP", "Page table walks",
     "SATP (CSR 0x180) holds the address of the page table; the reference tools abort here. Write its value as a state "
     "register before the first walk. Until then, no address is translated."},
    {"STF078", warning, harmless, "a page table walk has entries that its address does not lead to", "Page table walks",
     "Each entry must be in the table that the previous entry points to, at the index from the address. Addresses "
     "translated with such a walk are doubtful. Fix the generator so that it writes the entries of one walk together, "
     "from the root, with the values at the time of the walk.",
     "Specification of Records, STF_PAGE_TABLE_WALK"},
    {"STF079", warning, harmless, "an encoding is not a valid instruction", "Semantic checks",
     "The encoding is reserved, and no event reports a trap. It belongs to an unknown extension, or the bytes are "
     "damaged. If the instruction trapped, write the EVENT; if it is an instruction of your own, use --rule "
     "STF079=off."},
    {"STF080", warning, harmless, "a load has no read access", "Semantic checks",
     "Consumers that replay memory miss the access. A trace may leave out all accesses, but a trace that leaves out "
     "some is doubtful. Fix the generator so that it writes all accesses, or none.",
     "Specification of Records, STF_INST_MEM_ACCESS"},
    {"STF081", warning, harmless, "a store has no write access", "Semantic checks",
     "Consumers that replay memory miss the access. A trace may leave out all accesses, but a trace that leaves out "
     "some is doubtful. Fix the generator so that it writes all accesses, or none.",
     "Specification of Records, STF_INST_MEM_ACCESS"},
    {"STF082", warning, harmless, "an instruction has a memory access that it does not make", "Semantic checks",
     "The instruction does not access memory, or only in the other direction. Some versions of Dromajo attach an "
     "access to every instruction. Leave out such accesses.",
     "Specification of Records, STF_INST_MEM_ACCESS"},
    {"STF083", warning, harmless, "a memory access and its instruction differ in size", "Memory accesses",
     "The encoding determines how many bytes are read or written. Fix the generator so that it takes the size from the "
     "encoding.",
     "Specification of Records, STF_INST_MEM_ACCESS"},
    {"STF084", note, harmless, "sizes of memory accesses are in bits", "Memory accesses",
     "The format text means sizes in bytes, but Dromajo writes bits. Other consumers see accesses that are eight times "
     "too large. Divide by 8 in the generator.",
     "Specification of Records, STF_INST_MEM_CONTENT"},
    {"STF085", warning, harmless, "a memory access is at address 0", "Memory accesses",
     "Usually nothing is mapped there: the program used a null pointer, or the generator did not know the address. "
     "Check the address register. If memory begins at 0, use --rule STF085=off."},
    {"STF086", error, harmless, "a memory or bus access has no content", "Memory accesses",
     "At least one content record directly follows each access; the reference writer rejects anything else. Write the "
     "data that was read or written.",
     "Specification of Records, STF_INST_MEM_CONTENT"},
    {"STF087", warning, harmless, "a record is out of order in its group", "Order of records",
     "The records of an instruction have a fixed order, which the reference writer enforces. Consumers that rely on it "
     "assign the record to another instruction, or reject it. Fix the generator so that it writes the order described "
     "in the format's README.md.",
     "ChangeLog"},
    {"STF088", error, harmless, "an unconditional jump has no target", "Semantic checks",
     "Without a target, the next instruction has the address after the jump, where the program did not continue. Write "
     "INST_PC_TARGET. It may be missing on the last instruction, before a FORCE_PC, and before another process.",
     "Specification of Records, STF_INST_PC_TARGET"},
    {"STF089", error, harmless, "an instruction that cannot branch has a target", "Semantic checks",
     "No jump, return from a trap or event explains the change of the pc. Write FORCE_PC if instructions are missing.",
     "Specification of Records, STF_INST_PC_TARGET"},
    {"STF090", error, harmless, "a target differs from the encoded branch target", "Semantic checks",
     "The target of a direct branch is its pc plus the encoded offset. The target, the encoding or the pc is wrong. "
     "Compare the three at the reported instruction; hwtrace-dump shows its disassembly.",
     "Specification of Records, STF_INST_PC_TARGET"},
    {"STF091", error, harmless, "user mode is entered without a return from a trap", "Semantic checks",
     "Only sret, mret and similar instructions lower the privilege. The first instruction of a trace or of another "
     "process is exempt. Look for a missing sret or mret before it, or for a MODE_CHANGE that is too early."},
    {"STF092", note, harmless, "an event has no fields", "Events",
     "The format text defines the fields of each event, such as the pc, the encoding, the address or the cause. They "
     "help readers to understand the event. Write the fields that the text defines.",
     "STF Exception Event and Event Meta-Data"},
    {"STF093", warning, harmless, "x0 has a value other than 0", "Registers",
     "x0 is always 0, so the register number or the value is wrong. Fix the generator so that it leaves out writes to "
     "x0."},
    {"STF094", warning, harmless, "the header has contents that its version does not define", "Versions",
     "Readers of that version stop at newer records, or misread events. Write the version that defines the contents.",
     "Specification of Records, STF_VERSION"},
    {"STF095", note, harmless, "the trace has contents that its features do not announce", "Feature bits",
     "Consumers check the features to decide whether they can use a trace, so they may skip this one. Fix the "
     "generator so that it sets the reported bit.",
     "Specification of Records, STF_TRACE_INFO_FEATURE"},
    {"STF096", warning, harmless, "a return from a trap has no target", "Semantic checks",
     "Without a target, the next instruction has the address after the return, which is rarely correct. Write "
     "INST_PC_TARGET, even if it states that address."},
    {"STF097", warning, harmless, "a system call or breakpoint has a target but no event", "Semantic checks",
     "The instruction traps, and the target is probably the handler. Write an EVENT with the cause, and "
     "EVENT_PC_TARGET.",
     "Specification of Records, STF_EVENT_PC_TARGET"},
    {"STF098", note, harmless, "the instructions belong to an ISA other than RISC-V", "Semantic checks",
     "hwtrace does not decode these instructions, so accesses, targets and modes are not checked against them. If they "
     "are RISC-V instructions, write ISA 1 in the header."},
    {"STF099", warning, harmless, "the feature TRANSACTIONS and the contents of the trace disagree", "Feature bits",
     "The bit 0x100000 marks a trace of transactions. Consumers that check the features first mistake the kind of the "
     "trace. Fix the generator so that it sets the bit for transactions only."},

    // --- transactions ---
    {"STF110", error, harmless, "an instruction record in a transaction trace", "Transactions",
     "A trace holds instructions or transactions, and its header states which; the reference reader stops here. "
     "hwtrace keeps the record unchanged. Write two traces; hwtrace-recover leaves the record out."},
    {"STF111", error, damaged, "the protocol of the transactions is unknown", "Transactions",
     "The contents and the size of a TRANSACTION follow from PROTOCOL_ID in the header, so no later record can be "
     "found. Only 1, TileLink, is defined. Fix the generator so that it writes TileLink, or use a newer hwtrace if a "
     "newer format text defines the protocol."},
    {"STF112", error, damaged, "the TileLink channel is undefined", "TileLink messages",
     "The size of a message follows from its channel, 1 (A) to 5 (E), so no later record can be found. Check the "
     "reported record: the bytes are damaged, or the generator writes a wrong channel. hwtrace-recover keeps the "
     "records before it."},
    {"STF113", error, damaged, "the metadata of a transaction has an undefined type", "Transactions",
     "The size of an element follows from its type, 0 (u8) to 3 (u64), so no later record can be found. Check the "
     "reported record: the bytes are damaged, or the generator writes a wrong type. hwtrace-recover keeps the records "
     "before it."},
    {"STF114", error, harmless, "a clock id is 0 or occurs twice", "Transaction clocks",
     "Transactions refer to their clock by its id, and 0 is invalid. If an id occurs twice, the first clock applies. "
     "Give each clock its own id, starting at 1. hwtrace-recover cannot do so, because transactions use the ids."},
    {"STF115", error, harmless, "a transaction refers to a clock that the header lacks", "Transaction clocks",
     "Write a CLOCK_ID with that id. hwtrace keeps the transaction as a raw record, and a dependency with its unknown "
     "clock id. hwtrace-recover leaves the transaction out."},
    {"STF116", warning, incomplete, "the last dependencies belong to no transaction", "Transaction dependencies",
     "Dependencies belong to the TRANSACTION after them, which is missing. The trace was cut between records. These "
     "dependencies are kept as raw records; hwtrace-recover leaves them out."},
    {"STF117", warning, harmless, "a transaction depends on itself or on a later one", "Transaction dependencies",
     "TRANSACTION_DEPENDENCY refers to an earlier transaction by its id. Write the earlier transaction before the "
     "dependency. Only this dependency is affected."},
    {"STF118", warning, harmless, "the transaction ids do not ascend", "Transactions",
     "The reference writer counts ids from 1. If an id occurs twice, dependencies are ambiguous. Fix the generator so "
     "that it uses one counter for all clocks, and renumber traces that were joined."},
    {"STF119", warning, harmless, "the time of a transaction exceeds 2^63 - 1 cycles", "Transaction time",
     "The sum of all cycle deltas exceeds the largest time, so the transaction is shown at the largest time. Check the "
     "delta of the reported transaction: a negative difference is read as a very large number."},
    {"STF120", note, harmless, "a transaction depends on a transaction that the trace lacks",
     "Transaction dependencies",
     "No earlier transaction has that id. This is normal in a slice that leaves out the other transaction. In a whole "
     "trace, fix the generator so that it refers only to ids that it has written."},

    {"STF121", error, incomplete, "another trace follows this one", "ZSTF container",
     "Two ZSTF files were joined, and hwtrace reads only the first one. Cut the file at this byte and read both parts; "
     "hwtrace-merge combines them into one trace."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}
}  // namespace hwtrace::stf

#include "rules.hpp"

#include <array>

namespace hwtrace::flux {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    {"FLX001", error, damaged, "the stream does not begin with a flux entry", "Heads and traces",
     "A stream begins with a HEAD, or with a packed block that starts with one. The file has another format, or its "
     "beginning is lost. Remove bytes that a transport added before the stream. Do not pass --from flux for a file of "
     "another format.",
     "ENTRY_HEAD"},
    {"FLX002", error, incomplete, "the stream ends inside an entry", "Entries",
     "The emitter was stopped, or the file was cut. All entries before this one are delivered. Record the trace "
     "again and flush the buffer at the end."},
    {"FLX003", error, damaged, "these bytes are not a valid entry", "Entries",
     "Most entries do not state their size. Everything up to the next HEAD, the next packed block or the end of the "
     "current block is lost. The emitter's memory was overwritten, or bytes were lost in transfer. Transfer or "
     "record the file again. hwtrace-recover writes the readable entries as a valid stream."},
    {"FLX004", error, damaged, "a block has an unknown packing mode", "Packed blocks",
     "The entries in the block are lost. The known modes are 0 LZ4, 1 FastLZ, 2 zlib and 3 gzip. Let the emitter use "
     "one of them, or write plain entries.",
     "ENTRY_PBLK"},
    {"FLX005", error, damaged, "a packed block cannot be unpacked", "Packed blocks",
     "The packed bytes changed, or the stated sizes are wrong. The entries in the block are lost; reading continues "
     "after it. Transfer the file again. hwtrace-recover writes the other blocks as a valid stream.",
     "ENTRY_PBLK"},
    {"FLX006", error, damaged, "packed blocks are nested too deeply", "Packed blocks",
     "No chain of emitter buffers nests blocks this deeply. The entries in the block are lost. --max-depth changes "
     "the limit."},
    {"FLX007", error, damaged, "a ring section is damaged", "Ring dumps",
     "The section states more used bytes than it has, or its content ends inside an entry. The rest of the section "
     "is lost. Stop the emitter before dumping its memory, and dump all of it.",
     "ENTRY_SECT"},
    {"FLX008", warning, harmless, "the lap counters of a ring are in an impossible order", "Ring dumps",
     "The oldest section is unknown, so the sections are read in file order. The dump was taken while the emitter "
     "wrote the ring, or its memory was overwritten. Stop the emitter before the dump.",
     "ENTRY_SECT"},
    {"FLX009", warning, harmless, "a ring lost its beginning and states no position", "Ring dumps",
     "Only the distances between samples are correct. Let the emitter write a CURR entry whenever it enters a "
     "section."},
    {"FLX010", note, harmless, "a stream has no HEAD", "Heads and traces",
     "The version is unknown, so the stream is read as version 6. Emitters omit the HEAD when the receiver knows the "
     "definitions. Write a HEAD if others read the file too.",
     "ENTRY_HEAD"},
    {"FLX011", warning, harmless, "the version is neither 4 nor 6", "Versions 4 and 6",
     "No writer of this version is known, so the stream is read as version 6. Let the emitter state 4 or 6, or "
     "convert the file: the result has a known version."},
    {"FLX012", warning, harmless, "an item is redefined with a different definition", "Scopes and signals",
     "From here on, the new definition applies. Give every item of a trace a different number."},
    {"FLX013", warning, harmless, "the parent of an item is not a defined scope", "Scopes and signals",
     "The item is placed in the root. Define every scope before its children."},
    {"FLX014", warning, harmless, "a sample belongs to an undefined item", "Samples",
     "The item's name and type are unknown, so the value is kept as bytes. Define the item before its first sample."},
    {"FLX015", warning, harmless, "a sample belongs to a scope", "Samples",
     "Only signals have values, so the value is kept as bytes. Define the item as a signal, or correct the item "
     "number that the emitter writes."},
    {"FLX016", warning, harmless, "a sample precedes OPEN", "Positions and domains",
     "The domain and the start position are unknown; positions start at 0. Write OPEN before the first sample."},
    {"FLX017", warning, harmless, "a sample follows CLOS", "Positions and domains",
     "Emitters accept such samples, but readers may ignore them. Close an item after its last sample."},
    {"FLX018", error, damaged, "a position exceeds 64 bits", "Positions and domains",
     "The sample has no valid time and is lost. A distance was cut or damaged. Write CURR for long distances."},
    {"FLX019", warning, harmless, "the current position moves back", "Positions and domains",
     "Positions never decrease in a trace. Emit samples in order, or give an item with its own time an OPEN of its "
     "own."},
    {"FLX020", warning, harmless, "an item is closed before its last sample", "Positions and domains",
     "CLOS states the end of the trace, so viewers may hide later samples. State the position of the last sample, or "
     "a later one, in CLOS."},
    {"FLX021", note, harmless, "an opened item is never closed", "Positions and domains",
     "The last values end at the last sample. The emitter was stopped, or its last buffer was not flushed. Write "
     "CLOS, then flush."},
    {"FLX022", note, harmless, "version 4 stores large unsigned numbers like negative ones", "Versions 4 and 6",
     "Writers of version 4 omit the sign byte of unsigned values whose top bit is set: 200 in 8 bits is stored like "
     "-56. Such values are read as negative. Write version 6, which stores the sign byte. Existing files cannot be "
     "corrected."},
    {"FLX023", warning, harmless, "a relation or label belongs to an item without samples", "Relations and labels",
     "A relation or label belongs to the last sample of its item, but the item has no sample yet. It is placed at "
     "the current position. Write a sample of the item first."},
    {"FLX024", warning, harmless, "a relation or label uses an undefined string", "Relations and labels",
     "The id of the string is shown instead. Define the string with ENMD before its first use."},
    {"FLX025", warning, harmless, "an item number exceeds the maximum in HEAD", "Heads and traces",
     "Readers that allocate their item table from HEAD refuse the file. State the true maximum there; "
     "hwtrace-convert writes a correct HEAD.",
     "ENTRY_HEAD"},
    {"FLX026", note, harmless, "an entry is longer than the maximum in HEAD", "Heads and traces",
     "Readers that allocate room for the longest entry refuse the file. State the true length in HEAD; "
     "hwtrace-convert writes a correct HEAD.",
     "ENTRY_HEAD"},
    {"FLX027", warning, harmless, "a struct member is not defined", "Structs",
     "The member has no name, so its number is its name. Define members before the first sample."},
    {"FLX028", warning, harmless, "a struct member differs in type from its definition", "Structs",
     "The member is read with the type that the sample states. Correct the definition if it is the wrong one."},
    {"FLX029", error, harmless, "a value does not fit the type of its signal", "Samples",
     "The meaning of the value is unknown, so it is kept as bytes. The writer computed a wrong size, or the "
     "definition belongs to another item. Compare value and definition, and correct the emitter."},
    {"FLX030", warning, harmless, "a decimal number has no scale", "Versions 4 and 6",
     "The Java emitter stores large decimals without the place of the decimal point, so they are kept as bytes. Emit "
     "such values as floats, integers or texts."},
    {"FLX031", note, harmless, "a logic vector has more states than its signal", "Logic vectors",
     "The surplus states on the left are dropped, as viewers do. The writer was given a wrong fill state. Use one of "
     "01ZXLHUW-JKMNOP; hwtrace-convert writes the vector without the surplus."},
    {"FLX032", warning, harmless, "a reference names an undefined signal", "Scopes and signals",
     "The reference leads nowhere. Define the signal before the reference."},
    {"FLX033", note, harmless, "a domain is not a known unit", "Positions and domains",
     "Positions are counted but have no duration. The known domains are fs, ps, ns, us, ms and s, Hz and its "
     "multiples, and idx. Open the item in one of them if times matter."},
    {"FLX034", note, harmless, "a trace that is joined late states no position", "Positions and domains",
     "A HEAD for late joiners needs an OPEN or CURR after it. Positions are assumed to start at 0."},
    {"FLX035", warning, harmless, "a switch selects a trace without a HEAD", "Heads and traces",
     "The version of the trace is unknown, so it is read as version 6. Write the HEAD of a trace before the first "
     "SWTH that selects it.",
     "ENTRY_SWTH"},
    {"FLX036", warning, harmless, "a sample has flags that no writer sets", "Samples",
     "The sample has a tag in version 4, a tag without its mark, or a distance of 0. It is read anyway. "
     "hwtrace-convert writes regular flags; --flux-version 6 keeps tags."},
    {"FLX037", note, harmless, "a text is not UTF-8", "Primitive encodings",
     "Viewers may show other characters, because the encoding is unknown. Let the emitter write UTF-8."},
    {"FLX038", warning, harmless, "a signal has an unknown type", "Scopes and signals",
     "Its values are kept as bytes. Define the signal with one of the types 1 to 11."},
    {"FLX039", error, damaged, "samples after damage have no known position", "Damaged streams",
     "Distances count from the previous sample, which is lost. Samples are omitted until a CURR or OPEN states the "
     "position again. Emitters that write CURR now and then lose less. hwtrace-recover keeps all other samples."},
    {"FLX040", error, incomplete, "the compressed file is cut", "Compressed files",
     "The data that could be decompressed is delivered. Transfer the file again. Without another copy, "
     "hwtrace-recover writes that data as a valid stream."},
    {"FLX041", error, damaged, "the compressed file is damaged", "Compressed files",
     "The data decompressed before the damage is delivered. Transfer the file again. Without another copy, "
     "hwtrace-recover writes that data as a valid stream."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::flux

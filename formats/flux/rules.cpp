#include "rules.hpp"

#include <array>

namespace hwtrace::flux {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    {"FLX001", error, damaged, "the first bytes are no entry of this format", "spec/flux.txt, HEAD",
     "A stream begins with a HEAD, or with a packed block that does. The file is something else, or its beginning is "
     "lost. Take off what a transport put in front of it, or leave --from flux out where it is something else."},
    {"FLX002", error, incomplete, "the stream ends inside an entry", "Entries",
     "The emitter was stopped, or the file was cut. Everything in front of the entry is delivered; record it again, "
     "and flush the buffer at the end."},
    {"FLX003", error, damaged, "bytes are no entry", "Entries",
     "Entries that are no samples do not say how long they are, so that what follows cannot be read up to the next "
     "HEAD or packed block, or the end of the block. Memory of the emitter was overwritten, or bytes were lost on the "
     "way: transfer it or record it again. hwtrace-recover writes what is understood as a sound stream."},
    {"FLX004", error, damaged, "a block is packed in a way that nobody knows", "Packed blocks",
     "What is in it is lost. Known are LZ4, FastLZ, zlib and gzip (0 to 3). Let the emitter pack with one of these, or "
     "not at all."},
    {"FLX005", error, damaged, "a packed block cannot be unpacked", "Packed blocks",
     "Its bytes were changed, or its sizes are wrong. What is in it is lost; reading goes on behind it. Transfer the "
     "file again; hwtrace-recover makes a sound stream of the other blocks."},
    {"FLX006", error, damaged, "blocks are packed in each other too deep", "Packed blocks",
     "No chain of buffers is that long. What is in the block is lost; --max-depth moves the limit."},
    {"FLX007", error, damaged, "a section is damaged", "Rings",
     "It says that more of it is used than it has, or its content ends inside an entry. What is behind that in the "
     "section is lost. Stop the emitter before its memory is dumped, and dump all of it."},
    {"FLX008", warning, harmless, "the laps of a ring's sections are in no order that a ring gives", "Rings",
     "Which section is the oldest is not known; they are read as they stand. The dump was taken while the ring was "
     "written, or its memory was overwritten. Stop the emitter before the dump."},
    {"FLX009", warning, harmless, "a ring has lost its beginning, and nothing tells positions", "Rings",
     "Only the distances between samples are right. Write a CURR entry when a section is entered."},
    {"FLX010", note, harmless, "a stream has no HEAD", "spec/flux.txt, HEAD",
     "Its version is not known; it is read as version 6. Streams for a receiver that knows the definitions are written "
     "that way. Write a HEAD where others shall read the file, too."},
    {"FLX011", warning, harmless, "the version is neither 4 nor 6", "Versions",
     "No writer of this version is known; it is read as version 6. Let the emitter state 4 or 6, or convert the file: "
     "the version is then a known one."},
    {"FLX012", warning, harmless, "an item is defined again, and differently", "Items",
     "From here on the number means another item. Give each item of a trace a number of its own."},
    {"FLX013", warning, harmless, "the parent of an item is no scope that is defined", "Items",
     "The item stands at the root. Define scopes in front of what is in them."},
    {"FLX014", warning, harmless, "a sample is of an item that is not defined", "Samples",
     "Neither its name nor its type is known: what it holds is kept as bytes. Define the item in front of it."},
    {"FLX015", warning, harmless, "a sample is of a scope", "Samples",
     "Only signals have values: what it holds is kept as bytes. Define the item as a signal, or mend the number that "
     "the emitter writes."},
    {"FLX016", warning, harmless, "a sample stands in front of OPEN", "Positions",
     "Where positions begin, and in which domain, is not known; they are taken to begin at 0. Write OPEN in front of "
     "the first sample."},
    {"FLX017", warning, harmless, "a sample stands behind CLOS", "Positions",
     "Emitters accept it, readers may not look for it. Close an item when nothing more comes."},
    {"FLX018", error, damaged, "a position is beyond 64 bits", "Positions",
     "The sample has no place in time and is lost. A distance was cut or damaged; use CURR for far jumps."},
    {"FLX019", warning, harmless, "the current position is moved back", "Positions",
     "Positions never decrease in a trace. Emit in order, or give what has a time of its own an OPEN of its own."},
    {"FLX020", warning, harmless, "an item is closed in front of its last sample", "Positions",
     "The end of the trace is the position of CLOS, so that viewers may hide what is behind it. State the position of "
     "the last sample in CLOS, or a later one."},
    {"FLX021", note, harmless, "what was opened is never closed", "Positions",
     "The last values end with the last sample. The emitter was stopped, or its last buffer was not flushed. Write "
     "CLOS, then flush."},
    {"FLX022", note, harmless, "version 4 does not tell whether numbers are negative or large", "Versions",
     "Its writers leave out the sign byte of unsigned values whose top bit is set: 200 of 8 bits is written as -56 is. "
     "They are read as negative. Write version 6, which has the byte; what is stored already cannot be told apart any "
     "more."},
    {"FLX023", warning, harmless, "a relation or label belongs to an item without samples", "Relations and labels",
     "It is attached to the sample before it, of which there is none; it is put at the current position. Write a "
     "sample of the item first."},
    {"FLX024", warning, harmless, "a relation or label names a text that is not defined", "Relations and labels",
     "Its number is shown instead. Define the text by ENMD in front of it."},
    {"FLX025", warning, harmless, "an item's number is above the greatest that HEAD states", "spec/flux.txt, HEAD",
     "Readers that make room for the items of the HEAD refuse it. State the true number there; hwtrace-convert writes "
     "a HEAD that is right."},
    {"FLX026", note, harmless, "an entry is longer than HEAD states", "spec/flux.txt, HEAD",
     "Readers that make room for the longest entry refuse it. State the true length there; hwtrace-convert writes a "
     "HEAD that is right."},
    {"FLX027", warning, harmless, "a member of a struct is not defined", "Structs",
     "Its name is not known; it is called by its number. Define members in front of samples."},
    {"FLX028", warning, harmless, "a member of a struct has another type than its definition", "Structs",
     "It is read as the type that the sample states. Mend the definition where that is the one that is wrong."},
    {"FLX029", error, harmless, "a value does not have the form of its signal's type", "Samples",
     "What it means is not known: it is kept as bytes. The writer miscounted, or the definition is another one's. "
     "Compare the two at this place and mend the emitter."},
    {"FLX030", warning, harmless, "a decimal number without its scale", "Versions",
     "The writer in Java stores large decimals without the place of the point: they are kept as bytes. Emit such "
     "values as floats, integers or texts."},
    {"FLX031", note, harmless, "a vector has more states than its signal", "Logic",
     "The states on the left are dropped, as viewers do. The writer was given a wrong state to fill with. Give it one "
     "of 01ZXLHUW-JKMNOP; hwtrace-convert writes the vector without them."},
    {"FLX032", warning, harmless, "a reference is to a signal that is not defined", "Items",
     "It leads nowhere. Define the signal in front of the reference."},
    {"FLX033", note, harmless, "a domain is no unit that is known", "Positions",
     "Positions are counted, and have no length in time. Known are fs, ps, ns, us, ms and s, Hz and its multiples, and "
     "idx. Open the item in one of these where times matter."},
    {"FLX034", note, harmless, "a trace that is joined late does not say where it is", "Positions",
     "A HEAD for late joiners needs an OPEN or CURR behind it; positions are taken to begin at 0."},
    {"FLX035", warning, harmless, "a switch leads to a trace without HEAD", "spec/flux.txt, SWTH",
     "Its version is not known; it is read as version 6. Write the HEAD of a trace before SWTH leads to it."},
    {"FLX036", warning, harmless, "a sample has flags that no writer sets", "Samples",
     "A tag in version 4, a tag without its mark, or a distance of 0. It is read all the same. hwtrace-convert writes "
     "flags as writers do, with --flux-version 6 for tags."},
    {"FLX037", note, harmless, "a text is not UTF-8", "Primitives",
     "Viewers show something else for it. Let the emitter write UTF-8: the text cannot be known from its bytes."},
    {"FLX038", warning, harmless, "a signal's type is not known", "Items",
     "What its samples hold is kept as bytes. Define it with one of the types 1 to 11."},
    {"FLX039", error, damaged, "samples behind damage have no known position", "Damage",
     "Distances count from what was lost. Samples are left out until a CURR or OPEN tells the position again; emitters "
     "that write CURR now and then lose less. hwtrace-recover keeps all others."},
    {"FLX040", error, incomplete, "the compressed file is cut", "File",
     "What could be decompressed is delivered. Transfer the file again. Where there is no other copy, "
     "hwtrace-recover makes a sound stream of that."},
    {"FLX041", error, damaged, "the compressed file is damaged", "File",
     "What was decompressed before that is delivered. Transfer the file again. Where there is no other copy, "
     "hwtrace-recover makes a sound stream of that."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::flux

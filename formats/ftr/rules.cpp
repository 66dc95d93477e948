#include "rules.hpp"

#include <array>

namespace hwtrace::ftr {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    // --- frame and chunks ---
    {"FTR001", error, damaged, "the file does not begin as a FTR file", "Frame",
     "It begins with d9 d9 f7 9f: the tag of self-described CBOR, and an array without a length. The file is something "
     "else, or its beginning is lost. Leave --from ftr out where it is something else; otherwise fetch the file "
     "again."},
    {"FTR002", error, harmless, "the array of chunks is not tagged as self-described CBOR", "Frame",
     "Every reader known refuses the file. Put d9 d9 f7 in front of it, or write it anew."},
    {"FTR003", warning, harmless, "the array of chunks has a length", "Frame",
     "Surfer refuses the file. Writing it anew makes an array without a length."},
    {"FTR004", error, incomplete, "the file has no end mark", "Frame",
     "Its writer was killed, or the file was cut between two chunks: what the writer had not flushed is missing, which "
     "may be whole streams. All chunks that are there are read. Let the simulation close its database, also where it "
     "is stopped; hwtrace-recover writes the mark behind what is there."},
    {"FTR005", error, incomplete, "the file ends inside a chunk", "Frame",
     "It was cut. Whole transactions before the cut are read where the chunk is not compressed. Fetch the file again; "
     "hwtrace-recover makes a sound one of what is read."},
    {"FTR006", warning, damaged, "there are bytes behind the end mark", "Frame",
     "No reader looks at them: a second document there is not read. Drop them, or keep one document in a file."},
    {"FTR007", error, damaged, "there is no chunk where one must begin", "Frame",
     "The length of the chunk before, or this place, is damaged. What follows can be read only from where chunks are "
     "found again. Fetch the file again; hwtrace-recover makes a sound one of the chunks that are found."},
    {"FTR008", warning, damaged, "a chunk is of no known kind", "Chunks",
     "It is skipped. Surfer and SCViewer refuse the file. What a newer writer says there needs a newer reader; "
     "hwtrace-recover writes the file without it."},
    {"FTR009", warning, harmless, "the content of a chunk is not one byte string", "Chunks",
     "The text of the format can be read so, but Surfer and SCViewer refuse the file. Writing it anew helps."},
    {"FTR010", error, damaged, "a compressed chunk cannot be decompressed", "Compression",
     "It must be one raw LZ4 block (not a frame). What it held is missing. Fetch the file again, or mend the writer "
     "where it is its own way of compressing. hwtrace-recover keeps the other chunks."},
    {"FTR011", error, harmless, "a compressed chunk has another size than it states", "Compression",
     "What was decompressed is used; readers that trust the size fail. Writing the file anew states the right size."},
    {"FTR012", error, damaged, "the content of a chunk is not what it must be", "Chunks",
     "The rest of this chunk cannot be understood; reading goes on with the next one. The message says what stands "
     "there: where each file has it, mend the writer. hwtrace-recover keeps what was understood."},
    {"FTR013", warning, damaged, "the content of a chunk goes on behind its end", "Chunks",
     "No reader looks at these bytes. A length is wrong, or something was put into the file. hwtrace-recover writes "
     "the file without them; check that no transaction is missing."},
    // --- info ---
    {"FTR014", warning, harmless, "there is no info chunk", "Info",
     "The unit of time is not known; picoseconds are taken, as SCViewer does. Write one first; hwtrace-convert does, "
     "with picoseconds."},
    {"FTR015", warning, harmless, "there is more than one info chunk", "Info",
     "The last one counts. Keep one of them."},
    {"FTR016", error, damaged, "the unit of time cannot be used", "Info",
     "It is the exponent of a power of ten, from -19 to 19; picoseconds are taken. All times are doubtful. Make the "
     "writer state the exponent of the simulation's resolution: -12 where a tick is a picosecond."},
    {"FTR017", warning, harmless, "the time of creation is not a tagged integer", "Info",
     "Surfer and SCViewer refuse the file. Write tag 1 and whole seconds. --ftr-epoch does."},
    // --- dictionary ---
    {"FTR018", warning, harmless, "keys of the dictionary are not 0, 1, 2, ... with \"\" as the first", "Dictionary",
     "SCViewer numbers the texts itself and shows wrong names. Writing the file anew helps."},
    {"FTR019", warning, harmless, "a key of the dictionary stands twice", "Dictionary",
     "The last text counts, for the whole file; SCViewer shows other names. Give each text a key of its own. Writing "
     "the file anew makes all see what is read here."},
    {"FTR020", warning, harmless, "a text is not UTF-8", "Dictionary",
     "Its bytes are kept. Surfer refuses the whole file. Writing it anew puts U+FFFD in the place of each such byte; "
     "--ftr-text bytes keeps them."},
    {"FTR021", warning, harmless, "a text of the dictionary is a byte string", "Dictionary",
     "It is taken for a text. Surfer and SCViewer refuse the file. Writing it anew makes texts of them."},
    {"FTR022", warning, harmless, "a container has a length where viewers want none, or the other way round", "Chunks",
     "Maps and transactions have a length; the lists of a directory, of transactions and of relations have none. "
     "Surfer or SCViewer lose the chunk otherwise. Writing the file anew gives each the form it must have."},
    {"FTR023", error, damaged, "a text is not in the dictionary", "Dictionary",
     "A name becomes \"text N\"; an attribute with such a value is left out. The file lost a dictionary chunk, or a "
     "key is damaged. The text stands nowhere else in the file: fetch or record it again. hwtrace-recover keeps the "
     "rest."},
    {"FTR024", warning, harmless, "a text is defined behind its first use", "Dictionary",
     "Most readers fail, or show no name. Writing the file anew puts the dictionary first."},
    // --- directory ---
    {"FTR025", warning, harmless, "a stream or generator is declared twice", "Directory",
     "The first declaration counts. Declare each once; writing the file anew does."},
    {"FTR026", error, damaged, "a stream is not declared", "Directory",
     "It becomes \"stream N\". The directory lost an entry, or the number is damaged. Fetch the file again; where each "
     "file has it, let the writer declare its streams."},
    {"FTR027", error, damaged, "a generator is not declared", "Directory",
     "It becomes \"generator N\" of the block's stream. The directory lost an entry, or the number is damaged. Fetch "
     "the file again; where each file has it, let the writer declare its generators."},
    {"FTR028", warning, harmless, "a stream is declared behind its first block", "Directory",
     "Surfer fails on the file. Writing it anew puts the directory first."},
    {"FTR029", warning, harmless, "a transaction stands in a block of another stream than its generator's",
     "Transactions",
     "It belongs to its generator. SCViewer fails on the file. Writing the file anew puts it into a block of its own "
     "stream."},
    // --- transactions ---
    {"FTR030", error, damaged, "a transaction has no event", "Transactions",
     "Nothing says which generator made it, and when. It is left out with its attributes. Let the writer begin each "
     "transaction with its event (tag 6)."},
    {"FTR031", warning, harmless, "attributes stand in front of their transaction's event", "Transactions",
     "They are read all the same; other readers may not. Write the event first."},
    {"FTR032", error, damaged, "a transaction ends before it starts", "Transactions",
     "It gets the length 0. SCViewer fails on the file. Look for what the recording passes as its end: a time from "
     "before the start, or one that wrapped round."},
    {"FTR033", error, damaged, "a time is above 2^63-1", "Transactions",
     "It is delivered as 2^63-1. Such times come of a simulation whose resolution is not 1 ps, where the recording "
     "library divides by zero: they mean nothing. Simulate with a resolution of 1 ps, and record again."},
    {"FTR034", warning, harmless, "a boolean is stored as an integer", "Attributes",
     "So says the text of the format, but no writer does it: Surfer and SCViewer lose the rest of the block. Writing "
     "the file anew stores false and true."},
    {"FTR035", warning, harmless, "a floating value is stored as binary16 or as an integer", "Attributes",
     "Surfer and SCViewer lose the rest of the block. Writing the file anew helps."},
    {"FTR036", note, harmless, "a floating value is stored as binary64", "Attributes",
     "Every writer of the recording library does it, but Surfer and SCViewer lose the rest of the block. "
     "--ftr-doubles binary32 makes a file that they can read."},
    {"FTR037", note, harmless, "an unsigned value is stored as a negative integer", "Attributes",
     "Some writers store values from 2^63 on so: 2^64 is added. Nothing needs to be done; written anew it is stored as "
     "an unsigned one."},
    {"FTR038", note, harmless, "a signed value is above 2^63-1", "Attributes",
     "It becomes an unsigned attribute of the same name. Record such values as unsigned."},
    {"FTR039", error, damaged, "the value of an attribute is not of its type", "Attributes",
     "The attribute is left out. Record it by the type that is stated, or state the type that it has; README.md says "
     "how each is stored."},
    {"FTR040", warning, damaged, "an attribute is of no known type", "Attributes",
     "It is left out. Surfer and SCViewer lose the rest of the block. Known are the types 0 to 11: let the writer take "
     "one of them, such as a text."},
    {"FTR041", warning, damaged, "an element of a transaction is of no known kind", "Transactions",
     "It is left out. Surfer loses the rest of the block. Known are the event (tag 6) and attributes (tags 7 to 9): "
     "let the writer state it as an attribute."},
    // --- relations ---
    {"FTR042", note, harmless, "relations do not say in which streams their transactions are", "Relations",
     "Files from before March 2023 have relations of three elements. All readers take them. --ftr-relations streams "
     "writes them with five."},
    {"FTR043", error, damaged, "a relation has neither five nor three elements", "Relations",
     "With four the stream is left out, with others the relation. Surfer and SCViewer fail on the file. Let the writer "
     "state all five."},
    // --- what it says ---
    {"FTR044", note, harmless, "a block states other times than its transactions have", "Blocks",
     "The recording library states the least and the greatest time of the stream so far. Nobody can skip blocks by "
     "them; writing the file anew states true ones."},
    {"FTR045", note, harmless, "transactions of a block are not in order of their end", "Blocks",
     "Surfer draws a stream as if they were, and may leave some out. --ftr-order end puts them in that order."},
    {"FTR046", warning, harmless, "two transactions have the same number", "Transactions",
     "Relations cannot tell them apart, and SCViewer fails on the file. Count transactions once for the whole "
     "database."},
    {"FTR047", warning, harmless, "a relation states a stream that its transaction is not in", "Relations",
     "The recording library stated the sink's stream for both ends until June 2026. Viewers that trust it look in the "
     "wrong stream; it is kept as it is. A recording library of today states the true one."},
    {"FTR048", warning, harmless, "an end of a relation is not in the file", "Relations",
     "The transaction was never written, or was lost with the end of the file. Look whether the file is cut (FTR004, "
     "FTR005); where it is not, relate transactions that are recorded."},
    {"FTR049", error, damaged, "the mark of the schema that the transactions were made of cannot be read", "Writing",
     "Another trace was written as this file, and what it was is noted in the metadata `hwtrace.ftr.schema`, which is "
     "damaged or incomplete. The transactions are read as they stand; convert the trace again."},
    {"FTR050", warning, damaged, "a transaction of the stream `hwtrace` states no fact", "The model",
     "A stream of this name and kind holds metadata, which are pairs of `key` and `value`; what else is there is left "
     "out. Give the stream another name."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::ftr

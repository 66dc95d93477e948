#include "rules.hpp"

#include <array>
#include <string_view>

namespace hwtrace::ftr {

using enum Severity;
using enum Effect;

// Sections of the public text that the format descriptor names (text_title).
constexpr std::string_view format_section = "Fast Transaction Recording (FTR) format description";
constexpr std::string_view info_section = "info chunk";
constexpr std::string_view dictionary_section = "dictionary chunk";
constexpr std::string_view directory_section = "directory chunk";
constexpr std::string_view block_section = "tx block chunk";
constexpr std::string_view relation_section = "relationship chunk";

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    // --- frame and chunks ---
    {"FTR001", error, damaged, "the file does not start with the frame of FTR", "Frame",
     "An FTR file starts with d9 d9 f7 9f: the tag of self-described CBOR and an array of indefinite length. The file "
     "has another format, or its beginning is lost. Omit --from ftr to let hwtrace detect the format, or fetch the "
     "file again."},
    {"FTR002", error, harmless, "the array of chunks has no self-described CBOR tag", "Frame",
     "Every known reader refuses the file. Insert d9 d9 f7 before the first byte, or convert the file with "
     "hwtrace-convert --from ftr."},
    {"FTR003", warning, harmless, "the array of chunks has a definite length", "Frame",
     "Surfer refuses the file. Convert it to FTR; hwtrace writes an array of indefinite length."},
    {"FTR004", error, incomplete, "the file has no end mark", "Frame",
     "Its writer was killed, or the file was cut between two chunks. Records that were not flushed are missing, "
     "possibly whole streams. All chunks of the file are read. Let the simulation close its database, also when it is "
     "stopped early; hwtrace-recover adds the end mark."},
    {"FTR005", error, incomplete, "the file ends inside a chunk", "Frame",
     "The file was cut. If the chunk is not compressed, the complete transactions before the cut are read. Fetch the "
     "file again; hwtrace-recover salvages a valid file from what is read."},
    {"FTR006", warning, damaged, "there are bytes after the end mark", "Frame",
     "No reader uses them, so a second document there is lost. Remove these bytes, or store one document in each "
     "file."},
    {"FTR007", error, damaged, "no chunk starts where one is expected", "Frame",
     "The length of the previous chunk, or the head at this offset, is damaged. Reading continues at the next chunk "
     "that is found. Fetch the file again; hwtrace-recover salvages the chunks that are found."},
    {"FTR008", warning, damaged, "a chunk has an unknown tag", "Chunks",
     "The chunk is skipped. Surfer and SCViewer refuse the file. If a newer writer made it, use a newer reader; "
     "hwtrace-recover writes the file without the chunk.",
     format_section},
    {"FTR009", warning, harmless, "the content of a chunk is not a single byte string", "Chunks",
     "The format text can be understood this way, but Surfer and SCViewer refuse the file. Convert it to FTR to get "
     "byte strings.",
     format_section},
    {"FTR010", error, damaged, "a compressed chunk cannot be decompressed", "Compression",
     "The chunk must hold one raw LZ4 block, not an LZ4 frame. Its records are missing. Fetch the file again, or "
     "correct the writer if it compresses in its own way. hwtrace-recover keeps the other chunks.",
     format_section},
    {"FTR011", error, harmless, "a compressed chunk states a wrong size", "Compression",
     "The decompressed bytes are used, but readers that trust the size fail. Convert the file to FTR to correct the "
     "size.",
     format_section},
    {"FTR012", error, damaged, "the content of a chunk is malformed", "Chunks",
     "The rest of this chunk is lost; reading continues with the next one. The message shows what was found. If every "
     "file has the fault, correct the writer. hwtrace-recover keeps what was read."},
    {"FTR013", warning, damaged, "there are bytes after the content of a chunk", "Chunks",
     "No reader uses them. A length is wrong, or the file was edited. hwtrace-recover writes the file without these "
     "bytes; check that no transaction is missing."},
    // --- info chunk ---
    {"FTR014", warning, harmless, "there is no info chunk", "Info chunk",
     "The unit of time is unknown. Picoseconds are assumed, as in SCViewer. Write an info chunk first; hwtrace-convert "
     "adds one with picoseconds.",
     info_section},
    {"FTR015", warning, harmless, "there is more than one info chunk", "Info chunk",
     "The last one counts. Write exactly one.", info_section},
    {"FTR016", error, damaged, "the unit of time is unusable", "Info chunk",
     "The unit is the exponent of a power of ten, from -19 to 19. Picoseconds are assumed, and all times are doubtful. "
     "Make the writer state the exponent of its tick: -12 for a picosecond.",
     info_section},
    {"FTR017", warning, harmless, "the time of creation is not a tagged integer", "Info chunk",
     "Surfer and SCViewer refuse the file. Write tag 1 and whole seconds, or convert the file with --ftr-epoch.",
     info_section},
    // --- dictionary ---
    {"FTR018", warning, harmless, "the keys of the dictionary are not 0, 1, 2, ... with \"\" as the first string",
     "Dictionary",
     "SCViewer ignores the keys and numbers the strings itself, so it shows wrong names. Convert the file to FTR to "
     "renumber the keys.",
     dictionary_section},
    {"FTR019", warning, harmless, "a key of the dictionary is defined twice", "Dictionary",
     "The last definition applies to the whole file; SCViewer shows other names. Define each key once. After a "
     "conversion to FTR, all readers see the same names.",
     dictionary_section},
    {"FTR020", warning, harmless, "a string is not UTF-8", "Dictionary",
     "Its bytes are kept, but Surfer refuses the whole file. A conversion to FTR replaces each invalid byte by U+FFFD; "
     "--ftr-text bytes keeps the bytes.",
     dictionary_section},
    {"FTR021", warning, harmless, "a string of the dictionary is stored as a byte string", "Dictionary",
     "It is read as a text string. Surfer and SCViewer refuse the file. Convert it to FTR to get text strings.",
     dictionary_section},
    {"FTR022", warning, harmless, "a container has the wrong kind of length for viewers", "Chunks",
     "Maps and transactions need a definite length. The arrays of a directory, of transactions and of relations need "
     "an indefinite one. Otherwise Surfer or SCViewer lose the chunk. Convert the file to FTR to correct each "
     "container."},
    {"FTR023", error, damaged, "a key is not defined in the dictionary", "Dictionary",
     "A name becomes \"text N\"; an attribute with such a value is omitted. A dictionary chunk is lost, or a key is "
     "damaged. The string is nowhere else in the file: fetch or record the file again. hwtrace-recover keeps the rest.",
     dictionary_section},
    {"FTR024", warning, harmless, "a string is defined after its first use", "Dictionary",
     "Most readers fail or show no name. Convert the file to FTR to put the dictionary first.", dictionary_section},
    // --- directory ---
    {"FTR025", warning, harmless, "a stream or generator is declared twice", "Directory",
     "The first declaration counts. Declare each stream and generator once, or convert the file to FTR.",
     directory_section},
    {"FTR026", error, damaged, "a stream is not declared", "Directory",
     "The stream is named \"stream N\". A directory entry is lost, or the id is damaged. Fetch the file again; if "
     "every file has the fault, make the writer declare its streams.",
     directory_section},
    {"FTR027", error, damaged, "a generator is not declared", "Directory",
     "The generator is named \"generator N\" and belongs to the stream of the block. A directory entry is lost, or the "
     "id is damaged. Fetch the file again; if every file has the fault, make the writer declare its generators.",
     directory_section},
    {"FTR028", warning, harmless, "a stream is declared after its first block", "Directory",
     "Surfer fails on the file. Convert it to FTR to put the directory first."},
    {"FTR029", warning, harmless, "a transaction is in a block of another stream than its generator's", "Transactions",
     "The transaction belongs to the stream of its generator. SCViewer fails on the file. Convert it to FTR to move "
     "the transaction into a block of its own stream.",
     block_section},
    // --- transactions ---
    {"FTR030", error, damaged, "a transaction has no event", "Transactions",
     "Its generator and its times are unknown, so the transaction is omitted with its attributes. Make the writer "
     "begin "
     "each transaction with its event (tag 6).",
     block_section},
    {"FTR031", warning, harmless, "attributes precede the event of their transaction", "Transactions",
     "hwtrace reads them, but other readers may not. Write the event first.", block_section},
    {"FTR032", error, damaged, "a transaction ends before it starts", "Transactions",
     "Its length is read as 0. SCViewer fails on the file. Check the end time that the model records: it precedes the "
     "start, or it wrapped around."},
    {"FTR033", error, damaged, "a time is above 2^63-1", "Transactions",
     "The time is read as 2^63-1. Such times come from simulations with another resolution than 1 ps, where LWTR4SC "
     "divides by zero; they mean nothing. Simulate with a resolution of 1 ps and record again."},
    {"FTR034", warning, harmless, "a boolean is stored as an integer", "Attributes",
     "The format text describes booleans this way, but no writer stores them so: Surfer and SCViewer lose the rest of "
     "the block. Convert the file to FTR to store false and true.",
     block_section},
    {"FTR035", warning, harmless, "a floating-point value is stored as binary16 or as an integer", "Attributes",
     "Surfer and SCViewer lose the rest of the block. Convert the file to FTR to change the encoding.", block_section},
    {"FTR036", note, harmless, "a floating-point value is stored as binary64", "Attributes",
     "LWTR4SC always writes this encoding, but Surfer and SCViewer lose the rest of the block. Convert it to FTR to "
     "make it readable for them.",
     block_section},
    {"FTR037", note, harmless, "an unsigned value is stored as a negative integer", "Attributes",
     "Some writers store values of 2^63 and above as negative integers; the reader adds 2^64. Nothing needs to be "
     "done. A conversion to FTR stores the value as unsigned.",
     block_section},
    {"FTR038", note, harmless, "a signed value is above 2^63-1", "Attributes",
     "The value becomes an unsigned attribute of the same name. Record such values as unsigned.", block_section},
    {"FTR039", error, damaged, "the value of an attribute does not match its type", "Attributes",
     "The attribute is omitted. Write the value in the form of its type, or state its actual type; the table of types "
     "shows each form.",
     block_section},
    {"FTR040", warning, damaged, "an attribute has an unknown type", "Attributes",
     "The attribute is omitted. Surfer and SCViewer lose the rest of the block. The known types are 0 to 11: let the "
     "writer use one of them, such as string.",
     block_section},
    {"FTR041", warning, damaged, "an element of a transaction has an unknown tag", "Transactions",
     "The element is omitted. Surfer loses the rest of the block. The known elements are the event (tag 6) and "
     "attributes (tags 7 to 9): make the writer use an attribute.",
     block_section},
    // --- relations ---
    {"FTR042", note, harmless, "relations do not state the streams of their transactions", "Relations",
     "Files from before March 2023 have relations of three elements, which crash SCViewer. --ftr-relations streams "
     "writes them with five.",
     relation_section},
    {"FTR043", error, damaged, "a relation has neither five nor three elements", "Relations",
     "A relation with four elements is read without the stream; any other is omitted. Surfer and SCViewer fail on the "
     "file. Make the writer write all five elements.",
     relation_section},
    // --- consistency of the records ---
    {"FTR044", note, harmless, "a block states other times than its transactions have", "Blocks",
     "LWTR4SC states the minimum and maximum time of the whole stream so far, so no reader can skip blocks by these "
     "times. Convert the file to FTR to get the times of each block.",
     block_section},
    {"FTR045", note, harmless, "the transactions of a block are not in order of their ends", "Blocks",
     "Surfer expects this order and may not draw some transactions. Convert the file with --ftr-order end to sort "
     "them."},
    {"FTR046", warning, harmless, "two transactions have the same id", "Transactions",
     "Relations cannot distinguish them, and SCViewer fails on the file. Give each transaction an id that is unique in "
     "the whole database.",
     block_section},
    {"FTR047", warning, harmless, "a relation's stream differs from the stream of its transaction", "Relations",
     "LWTR4SC wrote the sink's stream for both ends until June 2026. Viewers that trust it search the wrong stream. "
     "The stated stream is kept; record with a newer LWTR4SC to get the correct one.",
     relation_section},
    {"FTR048", warning, harmless, "an end of a relation is not in the file", "Relations",
     "The transaction was never written, or was lost with the end of the file. Check whether the file is cut (FTR004, "
     "FTR005); if not, relate only transactions that are recorded.",
     relation_section},
    {"FTR049", error, damaged, "the schema mark is unreadable", "Schema mark",
     "hwtrace wrote this file from another trace and stored the schema of that trace in the metadata "
     "`hwtrace.ftr.schema`, which is damaged or incomplete. The transactions are read as they are in the file; convert "
     "the source trace again."},
    {"FTR050", warning, damaged, "a transaction of the stream `hwtrace` is not a metadata entry", "Metadata stream",
     "A stream of this name and kind holds metadata: pairs of `key` and `value`. Other content is omitted. Give the "
     "stream another name."},
    {"FTR051", warning, harmless, "SCViewer misreads the unit of time", "Info chunk",
     "SCViewer shows times in femtoseconds of 63 bits. It takes shorter ticks for femtoseconds, and ticks longer than "
     "a "
     "second overflow. Record with an exponent from -15 to 0.",
     info_section},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::ftr

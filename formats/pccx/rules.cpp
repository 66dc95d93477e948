#include "rules.hpp"

#include <array>

namespace hwtrace::pccx {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    // --- prefix and header ---
    {"PCX001", error, damaged, "the file does not begin with PCCX", "Prefix",
     "Readers recognise the format by these four bytes. The file has another format, or its beginning is lost. Do "
     "not pass --from pccx for a file of another format; otherwise fetch the file again.",
     "Binary Layout"},
    {"PCX002", error, damaged, "the major version is not 1", "Prefix",
     "A reader must refuse an unknown major version. Convert the file with the tool that wrote it.",
     "Versioning Policy"},
    {"PCX003", error, incomplete, "the file ends inside its prefix or header", "Prefix",
     "The header length points beyond the end of the file: the file was cut, or the length is damaged. Fetch the "
     "file again; nothing can be read without the header.",
     "Binary Layout"},
    {"PCX004", error, damaged, "the header is not JSON", "Header",
     "Nothing is known about the payload. Write the header as one JSON object in UTF-8 of exactly the stated length.",
     "JSON Header Fields"},
    {"PCX005", error, harmless, "the header has more than white space around its JSON", "Header",
     "The reference reader refuses a file with a byte order mark before the JSON or NUL bytes after it. Pad with "
     "spaces."},
    {"PCX006", error, harmless, "a mandatory key is missing", "Header",
     "The reference reader refuses the file. Write the key; the section Header lists the keys that have a default. "
     "hwtrace-recover adds the key: it derives the value from the payload, or writes the one of a trace that does not "
     "know it."},
    {"PCX007", error, harmless, "a value of the header has the wrong type or range", "Header",
     "The reference reader refuses the file; hwtrace omits the value. Write u64 and u32 values as plain decimal "
     "integers. If the key is mandatory, the file then lacks it (PCX006)."},
    {"PCX008", error, harmless, "a known key occurs twice", "Header",
     "The reference reader refuses the file; hwtrace uses the first occurrence. Keep one of them."},
    {"PCX009", warning, harmless, "an unknown key occurs twice", "Header",
     "JSON readers disagree on which occurrence counts. Keep one of them."},
    {"PCX010", warning, harmless, "an object is written as an array", "Header",
     "The reference reader assigns the elements in the order of its own structure; other readers cannot. Write an "
     "object. A conversion to pccx does so."},
    {"PCX011", warning, harmless, "the reserved bytes are not zero", "Prefix",
     "Writers must write zeros; a later version may give these bytes a meaning. A conversion to pccx keeps them. "
     "Clear them if they mean nothing.",
     "Binary Layout"},
    {"PCX012", warning, harmless, "the minor version and format_minor differ", "Header",
     "Both should state the same number; no reader uses it. Write the same value in both.", "JSON Header Fields"},
    {"PCX013", warning, harmless, "the checksum is a string", "Checksum",
     "The reference reader refuses a checksum that is not a number. Write a decimal number; --pccx-checksum number "
     "does so.",
     "Integrity Check"},
    {"PCX014", error, harmless, "the checksum does not match the payload", "Checksum",
     "The payload changed after it was written, or the checksum was not updated. Fetch the file again. A conversion "
     "to pccx writes a correct checksum.",
     "Integrity Check"},
    {"PCX015", warning, harmless, "the payload has an unknown encoding", "Opaque payloads",
     "The known encodings are bincode, flatbuf, json and raw, in lower case. The payload is kept unchanged, but its "
     "events cannot be read. If it has one of these encodings, correct the name in the header.",
     "Payload Encodings"},
    // --- payload ---
    {"PCX016", error, incomplete, "the file ends inside its payload", "Prefix",
     "payload.byte_length points beyond the end of the file. All whole events before the end are read. Fetch the "
     "file again; hwtrace-recover writes a valid file with these events.",
     "Binary Layout"},
    {"PCX017", warning, damaged, "bytes follow the payload", "Prefix",
     "No reader uses these bytes, and hwtrace does not write them again. Remove them, or correct "
     "payload.byte_length.",
     "Binary Layout"},
    {"PCX018", error, damaged, "the payload ends before its last event", "bincode payload",
     "The event count or payload.byte_length is wrong, or the payload is damaged. Fetch the file again. If every "
     "file has this fault, correct the count in the writer. hwtrace-recover keeps the events before the end."},
    {"PCX019", warning, damaged, "the payload continues after its last event", "bincode payload",
     "Readers stop at the stated number of events, so the bytes after them are lost even if they are events. Correct "
     "the count, or remove the bytes."},
    {"PCX020", error, damaged, "the option byte of a name is neither 0 nor 1", "bincode payload",
     "The event is lost. Reading continues with the next event that can be recognised, if any. Fetch the file again; "
     "hwtrace-recover keeps the other events. A writer must write 0 or 1 here for each event."},
    {"PCX021", error, damaged, "the length of a string is damaged", "bincode payload",
     "The string would end behind the payload, or it is longer than --max-string and no event follows it. The event is "
     "lost. Reading continues with the next event that can be recognised, if any. Fetch the file again; "
     "hwtrace-recover keeps the other events."},
    {"PCX022", error, harmless, "a string is not UTF-8", "bincode payload",
     "The reference reader refuses the payload; in flatbuf it reads an empty name. hwtrace keeps the bytes. Write "
     "names and types in UTF-8; hwtrace-convert replaces invalid bytes with U+FFFD."},
    {"PCX023", error, incomplete, "the payload ends inside an event", "flatbuf payload",
     "1 to 23 bytes follow the last event of 24 bytes. The reference reader drops them silently. Fetch the file "
     "again if it was cut; hwtrace-recover writes a valid file with the whole events.",
     "Flat Buffer Layout"},
    {"PCX024", error, damaged, "the name table is damaged", "flatbuf payload",
     "Names before the damage are used; the rest of the payload cannot be read. Fetch the file again; "
     "hwtrace-recover keeps the events and the names before the damage."},
    {"PCX025", error, harmless, "a name belongs to no event, or to an event with a name", "flatbuf payload",
     "A name is omitted if its event does not exist. If an event has several names, the last one counts. Write one "
     "name for each event, with event indexes from 0. hwtrace-convert writes the names that count."},
    {"PCX026", warning, harmless, "a core number equals the mark of the name table", "flatbuf payload",
     "The reference reader mistakes the event of core 843268944 for the table and loses all events from there on. "
     "Use other core numbers, or write bincode."},
    {"PCX027", error, damaged, "the JSON payload is invalid", "JSON payload",
     "The payload must be one object with total_cycles and events. Events before the damage are read. Fetch the file "
     "again, or repair the JSON at the reported byte. hwtrace-recover keeps the events before the damage."},
    // --- content ---
    {"PCX028", warning, harmless, "trace.cycles differs from the total in the payload", "Cycles and clock",
     "Both state the length of the trace, and tools use one or the other. Write the same number in both: the cycle "
     "at which the recording ended."},
    {"PCX029", warning, harmless, "an event has a core number that is not below trace.cores", "Event types and cores",
     "Tools that allocate trace.cores lanes do not show the event. Set trace.cores to the greatest core number plus "
     "1."},
    {"PCX030", warning, harmless, "an event ends after trace.cycles", "Cycles and clock",
     "Utilisation computed from trace.cycles is wrong. Set trace.cycles to the end of the last event."},
    {"PCX031", warning, harmless, "an event ends beyond 2^64 cycles", "Cycles and clock",
     "In tools that add start and duration, the sum overflows. Shorten the duration."},
    {"PCX032", note, harmless, "an event type is not one of the seven known types", "Event types and cores",
     "bincode and json keep the name of the type; the flatbuf writer of the reference replaces it with UNKNOWN. Use "
     "one of the seven names if tools should colour or sum the events. Otherwise this is no fault.",
     "Event Type IDs"},
    {"PCX033", warning, harmless, "flatbuf events are not sorted by start", "flatbuf payload",
     "The memory-mapped reader of the reference does a binary search by start and misses events. Write the file with "
     "--pccx-order start."},
    {"PCX034", warning, harmless, "the clock is unknown", "Cycles and clock",
     "trace.clock_mhz is 0, or there is no trace object, so cycles have no duration. Pass --clock to a conversion."},
    {"PCX035", note, harmless, "the payload is JSON, as in files of the first generation", "Generations",
     "Current pccx-lab tools do not decode it. --pccx-layout bincode writes a file that they read."},
    {"PCX036", note, harmless, "events have four fields, as in files of the second generation", "Generations",
     "Current pccx-lab tools fail on the file. --pccx-layout bincode writes a file that they read."},
    {"PCX037", note, harmless, "the JSON payload has unknown keys", "JSON payload",
     "The keys are omitted: neither the model nor the other layouts can hold them. Put the information into the name "
     "of an event, or under a key of the header, which is kept."},
    {"PCX038", error, damaged, "an event is damaged", "bincode payload",
     "Its type or core is implausible and no event follows it, or its core is implausible and the checksum is wrong. "
     "Reading continues with the next event that can be recognised; the events between them are lost. Fetch the file "
     "again; hwtrace-recover keeps the other events."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::pccx

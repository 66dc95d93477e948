#include "rules.hpp"

#include <array>

namespace hwtrace::pccx {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table{{
    // --- prefix and header ---
    {"PCX001", error, damaged, "the file does not begin with PCCX", "spec/pccx.txt, Binary Layout",
     "Readers recognise the format by these four bytes. The file is something else, or its beginning is lost. Leave "
     "--from pccx out where it is something else; otherwise fetch the file again."},
    {"PCX002", error, damaged, "the major version is not 1", "spec/pccx.txt, Versioning Policy",
     "A reader must refuse a major version that it does not know. Convert the file with the tool that wrote it."},
    {"PCX003", error, incomplete, "the file ends inside its prefix or header", "spec/pccx.txt, Binary Layout",
     "The header length reaches behind the end of the file: it was cut, or its length is damaged. Fetch the file "
     "again: without its header nothing of it can be read."},
    {"PCX004", error, damaged, "the header is not JSON", "spec/pccx.txt, JSON Header Fields",
     "Nothing is known about the payload. Write the header as one JSON object in UTF-8 of exactly the stated length."},
    {"PCX005", error, harmless, "there is more around the header's JSON than white space", "Header",
     "A byte order mark before it or NUL bytes behind it make the reference reader refuse the file. Pad with spaces."},
    {"PCX006", error, harmless, "a mandatory key is missing", "Header",
     "The reference reader refuses the file. Write the key; README.md says which ones have a default. What it should "
     "say is nowhere else in the file, so that hwtrace-recover writes none without it."},
    {"PCX007", error, harmless, "a value of the header has the wrong type or range", "Header",
     "The reference reader refuses the file; here the value is left out. u64 and u32 are plain decimal integers. Write "
     "such a one: where the key is mandatory, the file lacks it otherwise (PCX006)."},
    {"PCX008", error, harmless, "a known key stands twice", "Header",
     "The reference reader refuses the file; here the first one counts. Keep one of them."},
    {"PCX009", warning, harmless, "an unknown key stands twice", "Header",
     "JSON readers disagree about which one counts. Keep one of them."},
    {"PCX010", warning, harmless, "an object is written as an array", "Header",
     "The reference reader takes the elements in the order of its own structure; others cannot. Write an object. "
     "Writing the file anew does."},
    {"PCX011", warning, harmless, "the reserved bytes are not zero", "spec/pccx.txt, Binary Layout",
     "Writers must write zeros; a later version may give them a meaning. A conversion to pccx keeps them: clear them "
     "where they mean nothing."},
    {"PCX012", warning, harmless, "the minor version and format_minor differ", "spec/pccx.txt, JSON Header Fields",
     "They state the same number twice. Readers use neither; write both alike."},
    {"PCX013", warning, harmless, "the checksum is written as text", "Checksum",
     "The reference reader refuses a checksum that is no number. Write it as a decimal number. --pccx-checksum number "
     "does."},
    {"PCX014", error, harmless, "the checksum does not fit the payload", "spec/pccx.txt, Integrity Check",
     "The payload is not what the writer wrote, or the checksum was not brought up to date. Fetch the file again; "
     "writing it anew makes a right one."},
    {"PCX015", warning, harmless, "the payload's encoding is not a known one", "spec/pccx.txt, Payload Encodings",
     "Known are bincode, flatbuf, json and raw, in lower case. The payload is kept as it stands; its events cannot be "
     "read. Where it is one of these, correct its name in the header."},
    // --- payload ---
    {"PCX016", error, incomplete, "the file ends inside its payload", "spec/pccx.txt, Binary Layout",
     "payload.byte_length reaches behind the end of the file. Whole events before the end are read. Fetch the file "
     "again; hwtrace-recover makes a sound file of these."},
    {"PCX017", warning, damaged, "there are bytes behind the payload", "spec/pccx.txt, Binary Layout",
     "Nothing reads them, and they are left out of what is written. Drop them, or correct payload.byte_length."},
    {"PCX018", error, damaged, "the payload ends before its last event", "bincode",
     "The number of events in front of them, or payload.byte_length, is wrong, or the payload is damaged. Fetch the "
     "file again; where each file has it, let the writer count what it writes. hwtrace-recover keeps the events "
     "before."},
    {"PCX019", warning, damaged, "the payload goes on behind its last event", "bincode",
     "Readers stop at the stated number of events: what follows, be it events, is left out. Correct the number, or "
     "drop the bytes."},
    {"PCX020", error, damaged, "the option byte of a name is neither 0 nor 1", "bincode",
     "Events behind it cannot be found: each one's place depends on the length of those before. Fetch the file again; "
     "hwtrace-recover keeps the events before. A writer must put 0 or 1 there for each event."},
    {"PCX021", error, damaged, "a text reaches behind the end of the payload", "bincode",
     "Its length is damaged. Events behind it cannot be found. Fetch the file again; hwtrace-recover keeps the events "
     "before."},
    {"PCX022", error, harmless, "a text is not UTF-8", "bincode",
     "The reference reader refuses the payload; in flatbuf it takes the name for empty. The bytes are kept. Write "
     "names and types in UTF-8; hwtrace-convert puts U+FFFD in the place of what is not."},
    {"PCX023", error, incomplete, "the payload ends inside an event", "spec/pccx.txt, Flat Buffer Layout",
     "1 to 23 bytes are left behind the last event of 24 bytes. The reference reader drops them silently. Fetch the "
     "file again where it was cut; hwtrace-recover makes a sound one of the whole events."},
    {"PCX024", error, damaged, "the table of names is damaged", "flatbuf",
     "Names before the damage are used; the rest of the payload cannot be understood. Fetch the file again; "
     "hwtrace-recover keeps the events, with the names that are used."},
    {"PCX025", error, harmless, "a name belongs to no event, or to one that has a name already", "flatbuf",
     "A name whose event does not exist is left out; of several the last one counts. Write one name for each event, by "
     "its index from 0; hwtrace-convert writes the names that count."},
    {"PCX026", warning, harmless, "a core's number equals the mark of the table of names", "flatbuf",
     "The reference reader takes this event (core 843268944) for the table and loses all events from there on. Number "
     "cores differently, or write bincode."},
    {"PCX027", error, damaged, "the JSON payload cannot be understood", "json",
     "It is one object with total_cycles and events. Events before the damage are read. Fetch the file again, or mend "
     "the JSON at the byte that is told; hwtrace-recover keeps the events before."},
    // --- what it says ---
    {"PCX028", warning, harmless, "trace.cycles and the payload's total differ", "Time",
     "Both are the length of the trace; tools use one or the other. Write both alike: the cycle at which the recording "
     "ended."},
    {"PCX029", warning, harmless, "an event's core is not below trace.cores", "Events",
     "Tools that make a lane for each of trace.cores do not show it. State one more than the greatest number."},
    {"PCX030", warning, harmless, "an event ends after trace.cycles", "Time",
     "Utilisation computed from trace.cycles is wrong. State the cycle at which the last event ends."},
    {"PCX031", warning, harmless, "the end of an event lies beyond 2^64 cycles", "Time",
     "Tools that add start and duration wrap round. Shorten the duration."},
    {"PCX032", note, harmless, "an event type is none of the seven known ones", "spec/pccx.txt, Event Type IDs",
     "bincode and json keep its name; a flatbuf writer of the reference makes it UNKNOWN. Name it as one of the seven "
     "where tools shall colour or sum it; it is no fault otherwise."},
    {"PCX033", warning, harmless, "events of a flatbuf payload are not in order of their start", "flatbuf",
     "The reference's memory-mapped reader searches by start and misses events. Write it with --pccx-order start."},
    {"PCX034", warning, harmless, "the clock is not known", "Time",
     "trace.clock_mhz is 0, or there is no trace object: cycles cannot be turned into time. --clock helps a "
     "conversion."},
    {"PCX035", note, harmless, "the payload is JSON, as only the first generation wrote it", "Generations",
     "Tools of today do not decode it. --pccx-layout bincode makes a file that they read."},
    {"PCX036", note, harmless, "events have four fields, as only the second generation wrote them", "Generations",
     "Tools of today fail on it. --pccx-layout bincode makes a file that they read."},
    {"PCX037", note, harmless, "the JSON payload has unknown keys", "json",
     "They are left out: the model has no place for them, and the other layouts have none either. What they say can "
     "stand in an event's name, or under a key of the header, where it is kept."},
}};

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

}  // namespace hwtrace::pccx

#include "rules.hpp"

#include <array>
#include <utility>

#include "io/counted.hpp"

namespace hwtrace::uscope {

using enum Severity;
using enum Effect;

constexpr std::array<Rule, static_cast<std::size_t>(Check::second_trace) + 1> rule_table{{
    // header and preamble
    Rule{"USC001", error, damaged, "no µScope header at the start of the file", "Header",
         "Nothing can be read. The file has another format, is empty, or its beginning is lost. Fetch it again from "
         "its source.",
         "2"},
    Rule{"USC002", error, damaged, "unsupported major version", "Versions and dialects",
         "Another major version than 0 may have other structures, so nothing is read. Write the trace again with a "
         "tool that writes 0.3.",
         "2"},
    Rule{"USC003", error, damaged, "unknown compression method", "Compression",
         "The methods are 0 (LZ4) and 1 (ZSTD). A reader that guesses shows wrong data. Write the trace again with one "
         "of them.",
         "2.1 and 8.6.7"},
    Rule{"USC004", error, harmless, "broken chain of preamble chunks", "Preamble chunks",
         "Chunks follow each other up to an END chunk, and the segments follow it. Other readers refuse the file. "
         "Convert the file: the copy has a correct preamble with everything that was found.",
         "2.3"},
    Rule{"USC005", error, harmless, "a mandatory chunk is missing or repeated", "Preamble chunks",
         "Exactly one DUT, one SCHEMA and one CONFIG chunk are required; other readers refuse the file. Make the "
         "writer emit one of each, or convert the file.",
         "2.3"},
    Rule{"USC006", error, damaged, "the schema's structures do not fit their chunk", "Schema",
         "Fields and names may belong to the wrong objects. The string pool begins right after the last structure. "
         "Correct the sizes in the writer. Check the names before you rely on a converted file.",
         "4.1"},
    Rule{"USC007", warning, harmless, "a name of the schema is not a terminated UTF-8 string in the pool",
         "String pool",
         "The name is empty or garbled in other tools. Offsets lie inside the pool, and strings end with NUL. Convert "
         "the file: the copy has clean names.",
         "1.3"},
    Rule{"USC008", warning, harmless, "an object's id differs from its index", "Schema",
         "Tools use the id as an index and show the wrong object. Number scopes, clocks, storages and events from 0, "
         "or convert the file.",
         "4.4 to 4.9"},
    Rule{"USC009", error, harmless, "no clock in the schema", "Scopes and clocks",
         "Times cannot be shown as cycles. Define at least one clock, or convert the file: the copy has one.", "4.9"},
    Rule{"USC010", warning, harmless, "a clock's period is 0 (unknown)", "Scopes and clocks",
         "This is legal, but tools that show cycles divide by the period. Write the true period.", "4.9"},
    Rule{"USC011", error, harmless, "the scopes do not form a tree below scope 0, or a scope or clock does not exist",
         "Scopes and clocks",
         "Scope 0 is the root and the only scope with parent 0xFFFF; every other parent, owner and clock exists. "
         "Define scopes before their contents, or convert the file: the copy has the tree that is shown.",
         "4.4"},
    Rule{"USC012", error, harmless, "a field has an unknown type or enum", "Schema",
         "The sizes of slots and events are uncertain; the field is read as u8. Use the types 1 to 11 and enums of the "
         "schema.",
         "4.2 and 4.3"},
    // the file as a whole
    Rule{"USC013", warning, incomplete, "the trace was never closed", "Commit order",
         "The recording still runs or was interrupted. The summary and everything after the last segment are missing, "
         "and with most writers also the runtime strings. Convert the file to get a closed one.",
         "2.2 and 8.4"},
    Rule{"USC014", error, incomplete, "the file ends before its data does", "Damaged files",
         "The copy was cut, or the disk was full. Everything before the end was read. Copy the file again, or run "
         "hwtrace-recover to get a complete file of what is left.",
         "1.4"},
    Rule{"USC015", error, harmless, "unusable section table", "Section table",
         "Strings, summary and segment table cannot be found; segments were found by their chain. Convert the file to "
         "rebuild the table.",
         "5"},
    Rule{"USC016", error, harmless, "the segment table differs from the segments", "Segment table",
         "Tools that seek with the table show wrong times or miss segments. Convert the file to rebuild it.", "8.3"},
    Rule{"USC017", error, harmless, "broken chain of segments", "Segment chain",
         "Links lead strictly backwards from the last segment to the first. Readers of live files lose or repeat "
         "segments; here they were found by a search. Convert the file to rebuild the links.",
         "8.2"},
    Rule{"USC018", error, damaged, "damaged segment header", "Segments",
         "With a wrong magic or start time, the frames of the segment cannot be read. Reading continues with the next "
         "segment. Copy the file again, or run hwtrace-recover to keep the other segments.",
         "8.1"},
    Rule{"USC019", error, damaged, "a segment's frames cannot be decompressed", "Compression",
         "The frames of this segment are lost; reading continues with the next segment. If all segments fail, the "
         "header states the wrong method. Copy the file again, or run hwtrace-recover to keep the other segments.",
         "8.6.7"},
    Rule{"USC020", error, damaged, "malformed frames in a segment", "Frames",
         "Frames before this byte were read; the rest of the segment is lost. Copy the file again, or correct the "
         "writer at this item. hwtrace-recover keeps what was read.",
         "8.6.6"},
    Rule{"USC021", error, damaged, "a frame's time exceeds 63 bits", "Segment times",
         "Times are picoseconds since the start, at most 2^63-1 (106 days). The rest of the segment is lost. Make the "
         "writer count picoseconds from the start of the recording.",
         "8.6.1"},
    Rule{"USC022", error, harmless, "a segment's number of frames differs from its header", "Segments",
         "Tools that trust num_frames or num_frames_active are misled. Convert the file to correct the numbers.",
         "8.1"},
    Rule{"USC023", warning, harmless, "a stated time differs from the frames' time", "Segment times",
         "time_end is the time of the last frame, the next segment starts there, and total_time is the time of the "
         "last frame of all. Seeking by time gives wrong results. Convert the file to correct the times.",
         "2 and 8.1"},
    // items
    Rule{"USC024", warning, harmless, "an item does not fit the schema", "Operations and events",
         "Its storage, field, event type or action is unknown, or its payload has another size. It is kept as raw "
         "bytes and does not change the state. Declare it in the schema.",
         "8.6.2 and 8.6.4"},
    Rule{"USC025", warning, harmless, "a frame mixes wide and compact operations, or should have been compact",
         "Frames",
         "All operations of a frame must have the same form: compact if every one fits, otherwise wide. Readers "
         "detect the form of each item, so nothing is lost. Convert the file to get the right form.",
         "8.6.6"},
    Rule{"USC026", warning, incomplete,
         "a runtime string is missing: the trace was never closed, or its end is cut off", "String table",
         "A placeholder with the index of the string is shown instead. Most writers write strings only when a trace is "
         "closed. Close the trace and fetch it again; strings that were never written cannot be recovered.",
         "2.2 and 7"},
    Rule{"USC027", error, harmless, "damaged string table", "String table",
         "Strings outside the section are empty. Offsets count from the end of the index array. Convert the file: the "
         "copy has a correct table of the strings that can be read.",
         "7"},
    // checkpoints and summary
    Rule{"USC028", error, harmless, "malformed checkpoint", "Checkpoints",
         "Tools that seek show a wrong state or crash. A checkpoint has one block for each storage, in schema order, "
         "with the size of its slots. Convert the file to rebuild the checkpoints.",
         "8.5"},
    Rule{"USC029", error, harmless, "a checkpoint differs from the state that results from the operations",
         "Checkpoints", "Tools that seek show wrong values from here on. Convert the file to rebuild the checkpoints.",
         "8 and 8.5"},
    Rule{"USC030", warning, harmless, "checkpoints hold the state at the end of their segment", "Checkpoints",
         "This is a known dialect; the specification demands the state at the start. Tools that seek apply the "
         "operations of a segment twice. Convert the file to correct the checkpoints.",
         "8"},
    Rule{"USC031", error, harmless, "malformed trace summary", "Trace summary",
         "Overview displays are wrong or empty. Convert the file to rebuild the summary.", "6"},
    Rule{"USC032", warning, harmless, "the trace summary's totals differ from the trace", "Trace summary",
         "Overview displays and the instruction count are wrong. Convert the file to rebuild the summary.", "6"},
    // everything else
    Rule{"USC033", warning, harmless, "bytes that belong to no part of the file", "File layout",
         "They are left over from an interrupted write, or written by a newer version. A conversion does not copy "
         "them. Look at them first if a newer version may have written them."},
    Rule{"USC034", note, harmless, "an enum field has a value without a name", "Schema",
         "Tools show a number or nothing. Add the value to the enum.", "4.5"},
    Rule{"USC035", warning, harmless, "reserved bits are set", "Reserved bits",
         "Reserved bits are zero. A newer version may give them a meaning, which is ignored here. Convert the file to "
         "clear them.",
         "2.1, 2.3, 4 and 8.1"},
    Rule{"USC036", note, harmless, "operations on slots that their storage does not have", "Operations and events",
         "This is common in files that use entity ids as slot numbers. The operations do not change the state; a "
         "larger num_slots would show them. If ids are meant, use --rule USC036=off."},
    Rule{"USC037", note, harmless, "a chunk or section of unknown type was skipped", "File layout",
         "A newer version or another tool wrote it. A conversion does not copy it. Check its use before you remove the "
         "original.",
         "2.3 and 5"},
    Rule{"USC038", error, harmless, "num_segments or tail_offset in the header differs from the segments",
         "Commit order", "Readers of live files miss segments. Convert the file to correct the header.", "2 and 2.2"},
    Rule{"USC039", warning, harmless, "a property refers to a string that the string table lacks", "Long texts",
         "The property keeps the index instead of the string. Unfinished traces have no string table and may lack text "
         "blocks. Close the trace, or copy it again if it was cut."},
    Rule{"USC040", warning, harmless, "the minor version differs from the file's structures", "Versions and dialects",
         "Some tools wrote 0.2 into files with the structures of 0.3; other tools refuse them. Convert the file: the "
         "copy is 0.3.",
         "2"},
    Rule{"USC041", note, harmless, "structures older than 0.3", "Versions and dialects",
         "The whole file is read here, but tools for 0.3 cannot open it. Convert the file: the copy is 0.3."},
    Rule{"USC042", note, harmless, "compressed frames without a size prefix", "Compression",
         "The specification demands no size, but every known tool expects the decompressed size (u32) before an LZ4 "
         "block and fails without it. Convert the file: the copy has it.",
         "8.6.7"},
    Rule{"USC043", note, harmless, "a buffer that is not sparse", "Storages",
         "Tools always show each of its slots as occupied. Set both flags of the storage: 3.", "4.6.1"},
    Rule{"USC044", warning, harmless, "the checkpoint interval is 0", "Preamble chunks",
         "Every frame would need its own segment, and tools that divide by the interval fail. State the time between "
         "checkpoints, or convert the file with --uscope-checkpoint.",
         "2.4"},
    Rule{"USC045", note, harmless, "the first segment does not start at 0", "Segment times",
         "All known writers and some tools count the first frame's time from 0; such tools show different times. "
         "Convert the file to correct it."},
    Rule{"USC046", error, harmless, "two parts of the file overlap", "File layout",
         "An offset or a size is wrong, and one of the parts shows wrong data. Convert the file to get a correct "
         "layout.",
         "1.4 and 5"},
    Rule{"USC047", warning, harmless, "an operation's value is wider than its field", "Operations and events",
         "Tools keep the low bytes and show a different number. Make the field wider.", "8.6.2"},
    // the protocols cpu and noc
    Rule{"USC048", warning, harmless, "a cpu or noc scope lacks its table", "Protocols",
         "Tools find no instructions (storage entities with entity_id and pc) or transactions, and refuse the file. "
         "Add the storage and its fields, or give the scope another protocol."},
    Rule{"USC049", warning, harmless, "a cpu or noc scope lacks a required event", "Protocols",
         "Tools refuse a cpu scope without all of stage_transition, annotate, dependency and flush; a noc scope needs "
         "stage_transition. Declare them even if they never happen."},
    Rule{"USC050", warning, harmless, "a cpu or noc scope has no clock of its own", "Scopes and clocks",
         "Tools ignore the clocks of parent scopes and assume a cycle of 1000 ps. Give the scope a clock."},
    Rule{"USC051", warning, harmless, "an event of a protocol has a different payload", "Protocols",
         "Tools read such payloads by position and ignore the schema: they show wrong entities and stages, or crash. "
         "Declare the payload of the protocol."},
    Rule{"USC052", warning, harmless, "an event names an entity that was not created before", "Entities and slots",
         "Tools drop such events. First set entity_id (noc: txn_id) in a slot of the table."},
    Rule{"USC053", warning, harmless, "an entity enters a stage without a name", "Protocols",
         "Tools show the first stage instead. Stages count from 0 in cpu.pipeline_stages (noc.pipeline_stages) or, "
         "without that property, in the enum. Add the name there."},
    Rule{"USC054", warning, harmless, "an entity takes the slot of a live entity", "Entities and slots",
         "In tools, the first entity never retires. Clear a slot when its entity is done."},
    Rule{"USC055", note, harmless, "a flushed entity keeps its slot", "Entities and slots",
         "The state at later times shows it as in flight. Write a flush as an event and a clear in the same frame."},
    // items
    Rule{"USC056", error, damaged, "the string table of a closed trace lacks a string", "String table",
         "A placeholder with the index of the string is shown instead. Indexes count from 0, in the order of the "
         "table's entries. Copy the file again if it is damaged; otherwise make the writer add each string before it "
         "closes the trace.",
         "7"},
    // the file as a whole
    Rule{"USC057", error, incomplete, "another trace follows in the same file", "File layout",
         "Two traces were joined in one file, and only the first is read. Cut the file at this byte and read both "
         "files; hwtrace-merge makes one trace of them.",
         "1.4 and 5"},
}};
static_assert(!rule_table.back().id.empty());

const Rule& rule(Check check) noexcept {
    return rule_table[static_cast<std::size_t>(check)];
}

void report(Findings& findings, Check check, ByteRange at, std::string expected, std::string got, Place place) {
    Finding finding;
    finding.rule = &rule(check);
    finding.offset = at.offset;
    finding.length = at.length;
    finding.inner_offset = place.inner_offset;
    finding.time = place.time;
    finding.where = std::move(place.where);
    finding.expected = std::move(expected);
    finding.got = std::move(got);
    findings.report(std::move(finding));
}

void Tally::report(Findings& findings, Check check, ByteRange at, Place place, std::string_view expected,
                   std::string_view one, std::string_view several) {
    if (total == 0) return;
    place.inner_offset = first;
    uscope::report(findings, check, at, std::string(expected), counted(total, one, several), std::move(place));
    *this = {};
}

void FileTally::end_segment(ByteRange at, const Place& place) {
    if (segment_.total == 0) return;
    if (file_.total == 0) {
        file_.first = segment_.first;
        at_ = at;
        place_ = place;
    }
    file_.total += segment_.total;
    segment_ = {};
}

void FileTally::report(Findings& findings, Check check, std::string_view expected, std::string_view one,
                       std::string_view several) {
    file_.report(findings, check, at_, place_, expected, one, several);
}

}  // namespace hwtrace::uscope
